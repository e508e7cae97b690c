"""Real processes whose writes arrive late: after they have ended, and after people moved rows; others follow them."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from scripts.support.live.people import DEEDS, edit
from scripts.support.live.processes import PATIENCE_S, program, until_answered
from scripts.support.live.runner import Play, prepared
from scripts.support.live.schedules import Event, Schedule
from scripts.support.live.stage import NATIONS, REQUESTS, Grid, Stage, small_season
from sheets_algo.workbook.google.read.titles import MARK_KEY
from tests.helpers.example_budget import BUDGET

pytestmark = pytest.mark.slow

WRITE = "POST /v4/"
READ = "GET /v4/"
NEVER_BY_ITSELF = 10**9
"""Requests after which a late write would arrive; here it is delivered explicitly."""
INTERVAL_S = "2"
MOST_LOOKS = 24
"""The most looks in which two watchers have to come to rest."""
SETTLING_LOOKS = 4
"""Looks before counting begins."""
QUIET_LOOKS = 6
"""Successive looks, of both watchers together, at which nothing may change any more."""


def not_yet_ready() -> dict[str, Grid]:
    """Return the small season, in which the war without an id is not ready."""
    season = small_season()
    header, *rows = season[REQUESTS]
    for row in rows:
        if row[header.index("War")] == "Manzikert":
            row[header.index("Ready")] = False
    return season


@contextmanager
def stage_of(season: dict[str, Grid], *deeds: str) -> Iterator[tuple[Play, Path]]:
    """Set up a season with its deeds, and a folder for the folders of processes."""
    schedule = Schedule(deeds, (Event("", 1, "crash"),))
    with Stage.set(season) as stage, TemporaryDirectory() as folder, prepared():
        try:
            yield Play(stage, schedule, Path(folder)), Path(folder)
        finally:
            stage.server.clear_faults()
            stage.server.release()
            stage.server.control("late", {})


def run_to_end(play: Play, folder: Path, *words: str) -> int:
    """Run a command of the program on another machine until it ends; return its exit code."""
    with program(play.stage, folder, *words) as process:
        code = process.wait(PATIENCE_S)
    play.witness.count_logs(folder / play.stage.book.id)
    return code


def output(folder: Path) -> str:
    return (folder / "said.txt").read_text()


def wait_until(is_so: Callable[[], Any], process: subprocess.Popen[bytes], folder: Path) -> None:
    """Wait for a condition while the process lives."""
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert process.poll() is None, output(folder)
        assert time.monotonic() < end, output(folder)
        time.sleep(0.02)


def requests_since(play: Play, after: int, match: str = "/v4/") -> list[dict[str, Any]]:
    """Return the requests to Sheets after a given one."""
    return [request for request in play.stage.server.log(after) if match in f"{request['method']} {request['path']}"]


def last_number(play: Play) -> int:
    log = play.stage.server.log()
    return int(log[-1]["n"]) if log else 0


def count_looks(play: Play, after: int) -> int:
    """Return how often the spreadsheet was read after a request."""
    return sum("values:batchGet" in request["path"] for request in requests_since(play, after))


def violations_at_end(play: Play, folder: Path) -> list[str]:
    """Return the violations after a `run` on a new machine, and after all that follow it."""
    code = run_to_end(play, folder / "successor", "run", play.stage.book.id)
    failures = [] if code in (0, 1) else [f"run ended with {code}: {output(folder / 'successor')}"]
    play.witness.check_receipts()
    return list(dict.fromkeys((*failures, *play.finish())))


def has_late_write(play: Play) -> Callable[[], bool]:
    """Return a condition: a write waits to arrive late."""
    return lambda: play.stage.server.control("late")["waiting"] > 0


def make_writes_late(play: Play, at: int = 1) -> None:
    """Let that write and all later ones go without an answer; it arrives when told to, the others never."""
    server = play.stage.server
    server.fault("503", at=at, match=WRITE, when="late", after_requests=NEVER_BY_ITSELF)
    server.fault("503", at=at + 1, match=WRITE, times=None)


def block_reads(play: Play) -> None:
    """Refuse all reads."""
    play.stage.server.fault("403", every=1, match=READ)


def deliver_late(play: Play) -> None:
    """Carry out late requests now, and end the faults."""
    play.stage.server.clear_faults()
    assert play.stage.server.control("late", {})["applied"] > 0


@pytest.mark.parametrize("deed", ["sort requests", *(["insert above requests"] if BUDGET > 1 else [])])
def test_a_late_write_of_a_given_up_run_hits_no_moved_rows(deed):
    """The write that gives a war its id gets no answer and the process ends; the war is still ruled once."""
    with stage_of(small_season(), deed) as (play, folder):
        make_writes_late(play)
        with program(play.stage, folder / "gives up", "run", play.stage.book.id) as process:
            wait_until(has_late_write(play), process, folder / "gives up")
            block_reads(play)
            assert process.wait(PATIENCE_S) == 3, output(folder / "gives up")
        play.witness.count_logs(folder / "gives up" / play.stage.book.id)

        DEEDS[deed](play.stage)
        deliver_late(play)

        assert violations_at_end(play, folder) == []
        assert run_to_end(play, folder / "verifier", "verify", play.stage.book.id) == 0, output(folder / "verifier")


@pytest.mark.parametrize("deed", ["insert above requests"])
def test_a_watcher_stopped_during_a_doubtful_write_rules_once(deed):
    """The id of the new war is written beside a war that was ruled before; that one is not ruled again."""
    with stage_of(not_yet_ready(), deed) as (play, folder):
        watch = ("watch", play.stage.book.id, "--interval", INTERVAL_S)
        with program(play.stage, folder / "stopped", *watch) as process:
            wait_until(lambda: len(play.witness.receipts()) == 3, process, folder / "stopped")
            before = last_number(play)
            wait_until(lambda: count_looks(play, before) > 1, process, folder / "stopped")
            make_writes_late(play)
            edit(REQUESTS, "Manzikert", "Ready", True)(play.stage)
            wait_until(has_late_write(play), process, folder / "stopped")
            process.terminate()
            assert process.wait(PATIENCE_S) == 0, output(folder / "stopped")
        play.witness.check_receipts()
        play.witness.count_logs(folder / "stopped" / play.stage.book.id)

        DEEDS[deed](play.stage)
        deliver_late(play)

        assert violations_at_end(play, folder) == []


@pytest.mark.parametrize("deed", ["sort requests", "sort nations"])
def test_rows_moved_before_a_write_of_a_killed_process_are_repaired(deed):
    """The next process repairs what the write displaced, although the one that planned it is gone."""
    with stage_of(small_season(), deed) as (play, folder):
        hold = play.stage.server.hold(at=1, match=WRITE)
        with program(play.stage, folder / "killed", "run", play.stage.book.id) as process:
            wait_until(lambda: play.stage.server.caught(hold, 1), process, folder / "killed")
            DEEDS[deed](play.stage)
            process.kill()
            process.wait()
        caught = play.stage.server.caught(hold, 1)
        play.stage.server.release(hold)
        until_answered(play.stage, caught)
        play.witness.count_logs(folder / "killed" / play.stage.book.id)

        assert violations_at_end(play, folder) == []


@pytest.mark.parametrize("deed", ["sort requests"])
def test_a_watcher_killed_during_its_ruling_rules_once(deed):
    """As above, with a watcher, whose rulings are a separate write: the one that makes receipts."""
    with stage_of(small_season(), deed) as (play, folder):
        watch = ("watch", play.stage.book.id, "--interval", INTERVAL_S)
        with program(play.stage, folder / "killed", *watch) as process:
            wait_until(
                lambda: any(request["status"] == 200 for request in requests_since(play, 0, WRITE)),
                process,
                folder / "killed",
            )
            hold = play.stage.server.hold(at=1, match=WRITE)
            wait_until(lambda: play.stage.server.caught(hold, 1), process, folder / "killed")
            DEEDS[deed](play.stage)
            process.kill()
            process.wait()
        caught = play.stage.server.caught(hold, 1)
        play.stage.server.release(hold)
        until_answered(play.stage, caught)
        play.witness.count_logs(folder / "killed" / play.stage.book.id)

        assert violations_at_end(play, folder) == []


@pytest.mark.parametrize("tab", [NATIONS, *(("Receipts", REQUESTS) if BUDGET > 1 else ())])
def test_watchers_on_both_sides_of_a_renaming_settle(tab):
    """They agree on the content of each cell some looks after the tab has its name again."""
    with stage_of(small_season()) as (play, folder):
        stage = play.stage
        watch = ("watch", stage.book.id, "--interval", INTERVAL_S)
        if tab == "Receipts":
            assert run_to_end(play, folder / "first", "run", stage.book.id) in (0, 1), output(folder / "first")
            stage.server.user(stage.book.id, [FORGET_MARKS])
        id = stage.book.tabs[tab]
        stage.server.user(stage.book.id, [rename_request(id, "For a moment")])
        start = last_number(play)
        with program(stage, folder / "one", *watch) as one:
            wait_until(lambda: len(answered_requests(play, start)) >= 2, one, folder / "one")
            stage.server.user(stage.book.id, [rename_request(id, tab)])
            with program(stage, folder / "two", *watch) as two:
                start = last_number(play)
                wait_until(lambda: count_looks(play, start) >= SETTLING_LOOKS, two, folder / "two")
                changes = changes_until_rest(play, two, folder / "two")
                assert one.poll() is None, output(folder / "one")
        for name in ("one", "two"):
            play.witness.count_logs(folder / name / stage.book.id)
        assert changes is not None, f"they never come to rest:\n{output(folder / 'one')}\n{output(folder / 'two')}"
        assert play.finish() == []


FORGET_MARKS = {"deleteDeveloperMetadata": {"dataFilter": {"developerMetadataLookup": {"metadataKey": MARK_KEY}}}}
"""A request that removes the tabs' marks, so that tabs are found by their names alone, as before the first write."""


def rename_request(id: int, title: str) -> dict[str, Any]:
    """Return the request by which a person renames a tab."""
    return {"updateSheetProperties": {"properties": {"sheetId": id, "title": title}, "fields": "title"}}


def answered_requests(play: Play, after: int) -> list[dict[str, Any]]:
    """Return the requests to Sheets after a given one that have their answer: titles, then the first look."""
    return [request for request in requests_since(play, after) if request["status"] is not None]


def next_look(play: Play, process: subprocess.Popen[bytes], folder: Path) -> None:
    """Wait until any process looks."""
    known = last_number(play)
    wait_until(lambda: count_looks(play, known) > 0, process, folder)


def changes_until_rest(play: Play, process: subprocess.Popen[bytes], folder: Path) -> int | None:
    """Return the number of writes until no process writes any more; None if they never come to rest."""
    start = last_number(play)
    while count_looks(play, start) < MOST_LOOKS:
        next_look(play, process, folder)
        written = requests_since(play, start, WRITE)
        if count_looks(play, written[-1]["n"] if written else start) >= QUIET_LOOKS:
            return len(written)
    return None
