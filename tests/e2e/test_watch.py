"""The watcher as a process, over real HTTP: a tick becomes a receipt; signals and lost networks harm nothing."""

from __future__ import annotations

import json
import signal
import socket
import time
from itertools import product

import pytest
from prometheus_client.parser import text_string_to_metric_families

from scripts.support.moderator import BOOK, only, season, shown, write
from scripts.support.patience import PATIENCE_S
from tests.e2e.online import URL, WARS, Online, nobody_there, watching
from tests.helpers.example_budget import spread


def test_a_tick_becomes_a_receipt_and_idle_polls_cost_one_read_and_no_write(online):
    id = online.make(only(season()))
    with online.watches(URL.format(id)) as watcher:
        watcher.hears("Watched every 2 seconds.")
        online.tick(id, "W-0004")
        line = watcher.hears("W-0004 (Manzikert, 1071): ")
        assert line.startswith("Season: W-0004 (Manzikert, 1071): ")
        assert line.endswith(". Receipt 2.")
        assert online.column(id, "Status") == ["", "", "", "Done", ""]
        assert online.rulings(id) == ["W-0004"]

        online.server.reset_counters()
        watcher.until(lambda: online.server.count("read") >= 3)
        assert online.server.count("write") == 0
        assert watcher.stops() == 0
    assert len(list((online.moderator.folder / "state" / id / "logs").iterdir())) == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_waiting_watcher(online, number):
    id = online.make(only(season()))
    with online.watches(URL.format(id)) as watcher:
        watcher.hears("Watched")
        code = watcher.stops(number)

    assert code == 0
    assert watcher.lines[-1] == "Stopped."


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_signal_ends_a_hanging_write_and_the_next_watcher_continues(online, when):
    id = online.make(only(season(), "W-0004"))
    hold = online.server.hold(match=":batchUpdate", when=when)
    with online.watches(URL.format(id)) as watcher:
        assert online.server.caught(hold) is not None
        code = watcher.stops()
    assert code == 0
    assert "Traceback" not in watcher.out.read_text()

    online.server.release()
    with online.watches(URL.format(id)) as watcher:
        watcher.until(lambda: online.column(id, "Status")[3] == "Done")
        assert watcher.stops() == 0
    assert online.rulings(id) == ["W-0004"]


def test_an_offline_start_is_reported_once_and_can_be_stopped(online):
    id = online.make(only(season(), "W-0004"))
    with nobody_there() as gone, Online(online.moderator, online.server, gone).watches(URL.format(id)) as watcher:
        watcher.hears("There is no connection to Google Sheets")
        code = watcher.stops()

    assert code == 0
    assert len(watcher.lines) == 2
    assert watcher.lines[-1] == "Stopped."


def test_a_failure_in_the_middle_is_reported_once_with_its_end(online):
    id = online.make(only(season()))
    with online.watches(URL.format(id)) as watcher:
        watcher.hears("Watched")
        online.server.control(f"private/{id}", {})
        watcher.hears("is not shared with")
        online.server.reset_counters()
        watcher.until(lambda: online.server.count("read") >= 1)
        online.server.control(f"private/{id}", method="DELETE")
        watcher.hears("Well again after ")
        online.tick(id, "W-0004")
        watcher.hears("W-0004 (Manzikert, 1071)")
        watcher.stops()

    assert sum("is not shared with" in line for line in watcher.lines) == 1


def test_a_new_key_file_repairs_the_watcher(online):
    """A moderator deletes the key in Google's console, and puts a new one where the old one lay."""
    id = online.make(only(season()))
    with online.watches(URL.format(id)) as watcher:
        watcher.hears("Watched")
        online.server.control("key/revoke", {})
        assert "make a new key" in watcher.hears("does not know the key of")
        online.server.key_file(online.moderator.folder)
        watcher.hears("Well again after ")
        online.tick(id, "W-0004")
        watcher.hears("W-0004 (Manzikert, 1071)")
        assert watcher.stops() == 0


def test_a_flapping_network_is_reported_at_the_start_and_at_the_end(online):
    id = online.make(only(season(), "W-0004"))
    online.server.fault("reset", every=1)
    with online.watches(URL.format(id)) as watcher:
        watcher.hears("broke off before its answer was complete")
        online.server.clear_faults()
        watcher.hears("Well again")
        watcher.hears("W-0004 (Manzikert, 1071)")
        online.server.fault("502", every=1)
        watcher.hears("Google Sheets is in trouble (502")
        code = watcher.stops()

    assert code == 0
    about = ["broke off", "Well again", "W-0004", "in trouble (502", "Stopped."]
    assert [word in line for word, line in zip(about, watcher.lines, strict=True)] == [True] * 5


def test_an_unshared_workbook_does_not_stop_the_others(online):
    mine = online.make(only(season(), "W-0004"), "Mine")
    theirs = online.make(only(season(), "W-0004"), "Theirs")
    online.server.control(f"private/{theirs}", {})
    file = write(online.moderator.book, only(season(), "W-0004"))
    with online.watches(URL.format(theirs), mine, BOOK) as watcher:
        watcher.hears("is not shared with")
        watcher.hears("Mine: W-0004 (Manzikert, 1071)")
        watcher.hears(f"{BOOK}: W-0004 (Manzikert, 1071)")
        assert watcher.stops() == 0

    assert online.rulings(mine) == ["W-0004"]
    assert [row["Request"] for row in shown(file, "Receipts") if row["Kind"] == "Ruling"] == ["W-0004"]


def test_the_settings_name_the_watched_workbooks(online):
    id = online.make(only(season(), "W-0004"))
    settings = f'workbooks = ["{URL.format(id)}"]\nrequests = 30\n'
    (online.moderator.folder / "sheets-algo.toml").write_text(settings)
    with online.watches() as watcher:
        watcher.hears("W-0004 (Manzikert, 1071)")


def test_drive_reports_choose_among_many_spreadsheets(online):
    ids = [online.make(only(season()), f"Game {number}") for number in range(4)]
    with online.watches(*ids, SHEETS_ALGO_REQUESTS="90") as watcher:
        for number in range(4):
            watcher.hears(f"Game {number}: Watched")
        online.server.reset_counters()
        online.tick(ids[2], "W-0004")
        watcher.hears("Game 2: W-0004 (Manzikert, 1071): ")
        assert watcher.stops() == 0
    assert online.server.count("drive") >= 1
    assert [online.rulings(id) for id in ids] == [[], [], ["W-0004"], []]


def test_programs_read_objects_heartbeat_and_counters(online):
    id = online.make(only(season(), "W-0004"))
    with online.watches(URL.format(id), "--log-json", "--heartbeat", "beat.json", "--metrics", "m.prom") as watcher:
        watcher.hears('"event": "ruled"')
        watcher.until(lambda: _beat(online)["workbooks"][0]["rulings"] == 1)
        pid = watcher.process.pid
        watcher.stops()

    assert [event["event"] for event in watcher.objects] == ["watching", "ruled", "stopped"]
    ruled = watcher.objects[1]
    assert (ruled["workbook"], ruled["request"], ruled["seq"], ruled["level"]) == ("Season", "W-0004", 2, "info")
    assert "Manzikert" not in watcher.out.read_text()
    beat = _beat(online)
    assert beat["pid"] == pid
    (told,) = beat["workbooks"]
    assert (told["workbook"], told["key"], told["state"], told["trouble"]) == ("Season", id, "stopped", "")
    metrics = {
        sample.name: sample.value
        for family in text_string_to_metric_families((online.moderator.folder / "m.prom").read_text())
        for sample in family.samples
    }
    assert metrics["sheets_algo_rulings_total"] == 1
    assert metrics["sheets_algo_failures_total"] == 0
    counted = online.server.counters()["kinds"]
    assert metrics["sheets_algo_reads_total"] == counted["read"]
    assert metrics["sheets_algo_writes_total"] == counted["write"]
    assert metrics["sheets_algo_last_success_timestamp_seconds"] > 1_700_000_000


def _beat(online: Online) -> dict[str, object]:
    return json.loads((online.moderator.folder / "beat.json").read_text())


def test_no_line_contains_anything_of_the_key(online):
    id = online.make(only(season(), "W-0004"))
    key = json.loads(online.server.key_file(online.moderator.folder).read_text())
    with online.watches(URL.format(id), "--verbose", "--log-json") as watcher:
        watcher.hears('"event": "ruled"')
        watcher.stops()

    said = watcher.out.read_text()
    assert key["private_key_id"] not in said
    assert not [line for line in key["private_key"].splitlines()[1:-1] if line in said]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ((), 2, "Name a workbook, or list some in sheets-algo.toml"),
        (("https://docs.google.com/document/d/1AbC",), 2, "this is a text document, not a spreadsheet"),
        ((BOOK, "--interval", "1"), 2, '--interval: "1" is not an interval'),
        ((BOOK, "--heartbeat", "nowhere/beat.json"), 2, "there is no folder nowhere; make it first"),
        (("1" * 44, "--credentials", "none.json"), 3, "There is no credentials file none.json"),
    ],
)
def test_a_permanent_error_ends_the_watcher_at_once(moderator, words, code, says):
    said = moderator.types("watch", *words)

    assert said.code == code
    assert says in said.err
    assert "Traceback" not in said.err


def test_a_file_open_elsewhere_is_waited_for(moderator):
    write(moderator.book, only(season(), "W-0004"))
    lock = moderator.folder / f"~${BOOK}"
    lock.write_bytes(b"\x05Anna " + b" " * 49)
    with watching(moderator, [BOOK], {}) as watcher:
        watcher.hears("Anna")
        lock.unlink()
        watcher.hears("Well again")
        watcher.hears("W-0004 (Manzikert, 1071)")
        assert watcher.stops() == 0

    assert sum("Anna" in line for line in watcher.lines) == 1
    assert [row["Status"] for row in shown(moderator.book, WARS)][3] == "Done"


def test_a_signal_during_many_wars_leaves_each_ruled_once_or_not_at_all(moderator):
    rows = only(season(), "W-0004")
    war = rows[WARS][3]
    rows[WARS] = [war | {"Request": f"W-{number:04}", "Commit Stability": False} for number in range(1, 41)]
    rows.pop("Flanks")
    write(moderator.book, rows)
    logs = moderator.folder / "logs"
    with watching(moderator, [BOOK], {}) as watcher:
        watcher.until(logs.is_dir)
        assert watcher.stops() == 0
    assert "Traceback" not in watcher.out.read_text()

    assert moderator.types("run", BOOK).code == 0
    receipts = [row["Request"] for row in shown(moderator.book, "Receipts") if row["Kind"] == "Ruling"]
    assert receipts == [row["Request"] for row in rows[WARS]]


# Told to stop before it has begun

SLOW_IMPORT = """
import os, sys, time
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["SLOW"] and not os.path.exists("reached"):
            open("reached", "w").close()
            time.sleep(1)
sys.meta_path.insert(0, Slow())
"""
"""A module that takes a second to be imported, so that a signal comes just then."""


def interrupted_at(online: Online, module: str, number: int) -> tuple[int, str]:
    """A watcher that gets a signal while it imports a module: its exit code, and what it says."""
    folder = online.moderator.folder / "slow"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(SLOW_IMPORT)
    id = online.make(only(season(), "W-0004"))
    with online.watches(id, PYTHONPATH=str(folder), SLOW=module) as watcher:
        watcher.until((online.moderator.folder / "reached").exists)
        code = watcher.stops(number)
    assert online.rulings(id) == []
    return code, watcher.out.read_text()


MODULES = (
    "sheets_algo.runtime.watch.watcher", "sheets_algo.commands.watch", "numpy", "gspread",
    "google.auth.transport.requests", "sheets_algo.workbook.google.read.titles",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("module", "number"), spread(product(MODULES, (signal.SIGTERM, signal.SIGINT)), 2))
def test_a_signal_during_the_start_stops_it_before_the_first_poll(online, module, number):
    code, said = interrupted_at(online, module, number)

    assert (code, said.partition(" ")[2]) == (0, "Stopped.\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_before_the_command_line_ends_it_silently(online, number):
    assert interrupted_at(online, "click", number) == (-number, "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_during_the_search_for_credentials_ends_it(online, number):
    """A machine without a key is asked for its identity; here nobody answers."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = f"127.0.0.1:{silent.getsockname()[1]}"
        nothing = {"SHEETS_ALGO_CREDENTIALS": "", "GCE_METADATA_HOST": place, "GCE_METADATA_IP": place}
        with online.watches("1" * 44, **nothing) as watcher:
            silent.settimeout(PATIENCE_S)
            with silent.accept()[0]:
                code = watcher.stops(number)

    assert (code, watcher.lines) == (0, ["Stopped."])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_during_the_first_poll_ends_it(online, number):
    id = online.make(only(season(), "W-0004"))
    hold = online.server.hold(match="read")
    with online.watches(id) as watcher:
        assert online.server.caught(hold) is not None
        code = watcher.stops(number)

    assert (code, watcher.lines) == (0, ["Stopped."])


@pytest.mark.slow
@pytest.mark.parametrize("hundredths", spread([0, 5, 10, 20, 40, 70, 100], 1))
def test_a_signal_at_any_time_leaves_no_traceback(online, hundredths):
    """Before Python runs our first line nobody can say anything; then the system ends it."""
    id = online.make(only(season(), "W-0004"))
    with online.watches(id, PYTHONHASHSEED="random") as watcher:  # so that Python starts anew
        time.sleep(hundredths / 100)
        code = watcher.stops()

    said = watcher.out.read_text()
    assert "Traceback" not in said
    assert (code, "Stopped" in said) in ((0, True), (-signal.SIGTERM, False))
