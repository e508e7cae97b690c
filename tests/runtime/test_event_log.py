"""What a watcher writes: a line a happening for people, an object a line for programs, never a credential."""

from __future__ import annotations

import io
import json
import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from sheets_algo.runtime.watch.event_log import EventLog, log_to

TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"


@contextmanager
def written(**options: bool) -> Iterator[list[str]]:
    """The lines that a block leaves."""
    stream, lines = io.StringIO(), []
    with log_to(stream, **options):
        yield lines
    lines += stream.getvalue().splitlines()


def test_a_line_has_time_workbook_and_sentence():
    with written() as lines:
        EventLog("1066").log("ruled", "W-0001: England wins.")
        EventLog().log("stopped", "Stopped.")

    assert re.fullmatch(f"{TIME} 1066: W-0001: England wins.", lines[0])
    assert re.fullmatch(f"{TIME} Stopped.", lines[1])


def test_the_workbook_s_name_is_not_repeated_in_a_sentence():
    with written() as lines:
        EventLog("1066").log("trouble", "1066: it has no tab War Requests.")

    assert lines[0].endswith("Z 1066: it has no tab War Requests.")


@pytest.mark.parametrize("as_json", [False, True])
def test_terminal_control_characters_are_escaped(as_json):
    """Escapes, also of a single sign (U+009B), new lines, and signs that turn the direction of writing."""
    evil = "Sea\x1b[2Json\n\x9b31m\u202eW\u2028ar"
    with written(as_json=as_json) as lines:
        EventLog(evil, evil).log("trouble", f"{evil}: it fails.", request=evil, traceback=f"File\n{evil}")

    assert [line for line in lines if not line.isprintable()] == []
    assert "Sea [2Json 31m W ar: it fails." in lines[0]
    if as_json:
        assert json.loads(lines[0])["request"] == evil
    else:
        assert lines[1:] == ["File", "Sea [2Json", " 31m W ar"]


def test_json_has_one_object_a_line_without_players_texts():
    with written(as_json=True) as lines:
        EventLog("1066", "1AbC").log("ruled", "W-0001: England wins.", request="W-0001", seq=2, winner="England")
        EventLog("1066").log("trouble", "There is no network.", kind="WorkbookUnavailable")

    ruled, trouble = map(json.loads, lines)
    assert re.fullmatch(TIME, ruled.pop("time"))
    about = {"level": "info", "workbook": "1066"}
    assert ruled == about | {"event": "ruled", "key": "1AbC", "request": "W-0001", "seq": 2}
    assert (trouble["message"], trouble["kind"]) == ("There is no network.", "WorkbookUnavailable")


@pytest.mark.parametrize("as_json", [False, True])
def test_typed_names_cause_no_second_line(as_json):
    with written(as_json=as_json) as lines:
        EventLog("A\nB").log("refused", "W-1 (\x1b[31mred\r\n2026-01-01T00:00:00Z forged)")

    assert len(lines) == 1
    assert "\x1b" not in lines[0]


@pytest.mark.parametrize("as_json", [False, True])
def test_idle_polls_are_logged_only_on_request(as_json):
    with written(as_json=as_json) as lines:
        EventLog("1066").log("pass", "A look.", logging.DEBUG)
    assert lines == []

    with written(as_json=as_json, verbose=True) as lines:
        EventLog("1066").log("pass", "A look.", logging.DEBUG)
    assert len(lines) == 1


def test_a_traceback_is_below_its_line_or_in_its_object():
    trace = "Traceback (most recent call last):\n  somewhere\nKeyError: 1"
    with written() as lines:
        EventLog("1066").log("trouble", "The program failed.", logging.ERROR, traceback=trace)
    assert lines[1:] == trace.splitlines()

    with written(as_json=True) as lines:
        EventLog("1066").log("trouble", "The program failed.", logging.ERROR, traceback=trace)
    assert json.loads(lines[0])["traceback"] == trace


@pytest.mark.parametrize("as_json", [False, True])
def test_warnings_of_libraries_are_formatted_and_their_chatter_is_dropped(as_json):
    with warnings.catch_warnings(), written(as_json=as_json) as lines:
        warnings.simplefilter("always")
        logging.getLogger("urllib3").warning("Connection pool is full")
        logging.getLogger("urllib3").info("Starting new connection")
        warnings.warn("getting old", DeprecationWarning, stacklevel=1)

    assert ["pool is full" in line or "getting old" in line for line in lines] == [True, True]
    if as_json:
        assert [json.loads(line)["event"] for line in lines] == ["library", "library"]


SECRETS = [
    "-----BEGIN PRIVATE KEY-----\nMIIEvQ\nabc\n-----END PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\\nMIIEvQ",
    "ya29.a0AfH6SM-_x.y",
    "Authorization: Bearer abc.def-123=",
    "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ4In0.c2ln",
]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("as_json", [False, True])
def test_credentials_are_hidden_even_in_tracebacks(secret, as_json):
    with written(as_json=as_json) as lines:
        EventLog("1066").log("trouble", f"It said {secret}.", traceback=f"ValueError: {secret}")

    for part in ("MIIEvQ", "a0AfH6SM", "abc.def", "eyJ"):
        assert part not in "\n".join(lines)
    assert "…" in (json.loads(lines[0])["message"] if as_json else lines[0])


def test_logging_is_restored_afterwards():
    before = logging.getLogger().level, list(logging.getLogger().handlers)
    with written():
        pass

    assert (logging.getLogger().level, list(logging.getLogger().handlers)) == before
