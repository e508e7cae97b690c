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

from sheets_algo.workbook.google.batch import MARK_KEY
from tests.laws import BUDGET
from tests.live.people import DEEDS, edit
from tests.live.processes import PATIENCE_S, program, until_answered
from tests.live.runner import Play, prepared
from tests.live.schedules import Event, Schedule
from tests.live.stage import NATIONS, REQUESTS, Grid, Stage, small_season

pytestmark = pytest.mark.slow

WRITE = "POST /v4/"
READ = "GET /v4/"
NEVER_BY_ITSELF = 10**9
"""Requests after which a late write would arrive; here it arrives when it is told to."""
INTERVAL_S = "2"
MOST_LOOKS = 24
"""In which two watchers have to come to rest."""
SETTLING_LOOKS = 4
"""After which one begins to count."""
QUIET_LOOKS = 6
"""Looks in a row, of both together, at which nothing may change any more."""


def not_yet_ready() -> dict[str, Grid]:
    """The small season, in which the war without an id is not ready."""
    season = small_season()
    header, *rows = season[REQUESTS]
    for row in rows:
        if row[header.index("War")] == "Manzikert":
            row[header.index("Ready")] = False
    return season


@contextmanager
def stage_of(season: dict[str, Grid], *deeds: str) -> Iterator[tuple[Play, Path]]:
    """A season, those deeds that are done in it, and a folder for the folders of processes."""
    schedule = Schedule(deeds, (Event("", 1, "crash"),))
    with Stage.set(season) as stage, TemporaryDirectory() as folder, prepared():
        try:
            yield Play(stage, schedule, Path(folder)), Path(folder)
        finally:
            stage.server.clear_faults()
            stage.server.release()
            stage.server.control("late", {})


def ended(play: Play, folder: Path, *words: str) -> int:
    """Run a command of the program on another machine until it ends; its exit code."""
    with program(play.stage, folder, *words) as process:
        code = process.wait(PATIENCE_S)
    play.witness.logs(folder / play.stage.book.id)
    return code


def said(folder: Path) -> str:
    return (folder / "said.txt").read_text()


def until(is_so: Callable[[], Any], process: subprocess.Popen[bytes], folder: Path) -> None:
    """Wait while the process lives."""
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert process.poll() is None, said(folder)
        assert time.monotonic() < end, said(folder)
        time.sleep(0.02)


def asked(play: Play, after: int, match: str = "/v4/") -> list[dict[str, Any]]:
    """Requests to Sheets since one of them."""
    return [it for it in play.stage.server.log(after) if match in f"{it['method']} {it['path']}"]


def number_of_last(play: Play) -> int:
    log = play.stage.server.log()
    return int(log[-1]["n"]) if log else 0


def looks(play: Play, after: int) -> int:
    """How often the spreadsheet was read since a request."""
    return sum("values:batchGet" in it["path"] for it in asked(play, after))


def settled(play: Play, folder: Path) -> list[str]:
    """What is violated after a `run` on a new machine, and again after all that follow it."""
    code = ended(play, folder / "successor", "run", play.stage.book.id)
    told = [] if code in (0, 1) else [f"run ended with {code}: {said(folder / 'successor')}"]
    play.witness.sees()
    return list(dict.fromkeys((*told, *play.ends())))


def is_in_doubt(play: Play) -> Callable[[], bool]:
    """Whether a write waits to arrive late."""
    return lambda: play.stage.server.control("late")["waiting"] > 0


def no_answer_to(play: Play, at: int = 1) -> None:
    """That write from now on arrives late, when it is told to; it gets no answer, and nothing sent later does."""
    server = play.stage.server
    server.fault("503", at=at, match=WRITE, when="late", after_requests=NEVER_BY_ITSELF)
    server.fault("503", at=at + 1, match=WRITE, times=None)


def cut_off(play: Play) -> None:
    """Nothing can be read any more either."""
    play.stage.server.fault("403", every=1, match=READ)


def arrives(play: Play) -> None:
    """What is late is carried out now, and the network is well again."""
    play.stage.server.clear_faults()
    assert play.stage.server.control("late", {})["applied"] > 0


@pytest.mark.parametrize("deed", ["sort requests", *(["insert above requests"] if BUDGET > 1 else [])])
def test_a_run_gives_up_people_move_rows_and_then_its_write_arrives(deed):
    """The write that gives a war its id: it gets no answer, the process ends, the war is ruled once all the same."""
    with stage_of(small_season(), deed) as (play, folder):
        no_answer_to(play)
        with program(play.stage, folder / "gives up", "run", play.stage.book.id) as process:
            until(is_in_doubt(play), process, folder / "gives up")
            cut_off(play)
            assert process.wait(PATIENCE_S) == 3, said(folder / "gives up")
        play.witness.logs(folder / "gives up" / play.stage.book.id)

        DEEDS[deed](play.stage)
        arrives(play)

        assert settled(play, folder) == []
        assert ended(play, folder / "verifier", "verify", play.stage.book.id) == 0, said(folder / "verifier")


@pytest.mark.parametrize("deed", ["insert above requests"])
def test_a_watcher_is_stopped_while_a_write_is_in_doubt(deed):
    """The write that gives an id to a war comes beside another one, which was ruled before and is not ruled again."""
    with stage_of(not_yet_ready(), deed) as (play, folder):
        watch = ("watch", play.stage.book.id, "--interval", INTERVAL_S)
        with program(play.stage, folder / "stopped", *watch) as process:
            until(lambda: len(play.witness.receipts()) == 3, process, folder / "stopped")
            before = number_of_last(play)
            until(lambda: looks(play, before) > 1, process, folder / "stopped")
            no_answer_to(play)
            edit(REQUESTS, "Manzikert", "Ready", True)(play.stage)
            until(is_in_doubt(play), process, folder / "stopped")
            process.terminate()
            assert process.wait(PATIENCE_S) == 0, said(folder / "stopped")
        play.witness.sees()
        play.witness.logs(folder / "stopped" / play.stage.book.id)

        DEEDS[deed](play.stage)
        arrives(play)

        assert settled(play, folder) == []


@pytest.mark.parametrize("deed", ["sort requests", "sort nations"])
def test_rows_are_moved_between_look_and_write_and_the_process_is_killed(deed):
    """Nobody is left who knows what the write was planned on: what it displaced is put right by whoever follows."""
    with stage_of(small_season(), deed) as (play, folder):
        hold = play.stage.server.hold(at=1, match=WRITE)
        with program(play.stage, folder / "killed", "run", play.stage.book.id) as process:
            until(lambda: play.stage.server.caught(hold, 1), process, folder / "killed")
            DEEDS[deed](play.stage)
            process.kill()
            process.wait()
        caught = play.stage.server.caught(hold, 1)
        play.stage.server.release(hold)
        until_answered(play.stage, caught)
        play.witness.logs(folder / "killed" / play.stage.book.id)

        assert settled(play, folder) == []


@pytest.mark.parametrize("deed", ["sort requests"])
def test_a_watcher_is_killed_while_its_ruling_is_on_its_way(deed):
    """The same of a watcher, whose rulings are a write of their own: the one that makes receipts."""
    with stage_of(small_season(), deed) as (play, folder):
        watch = ("watch", play.stage.book.id, "--interval", INTERVAL_S)
        with program(play.stage, folder / "killed", *watch) as process:
            until(lambda: any(it["status"] == 200 for it in asked(play, 0, WRITE)), process, folder / "killed")
            hold = play.stage.server.hold(at=1, match=WRITE)
            until(lambda: play.stage.server.caught(hold, 1), process, folder / "killed")
            DEEDS[deed](play.stage)
            process.kill()
            process.wait()
        caught = play.stage.server.caught(hold, 1)
        play.stage.server.release(hold)
        until_answered(play.stage, caught)
        play.witness.logs(folder / "killed" / play.stage.book.id)

        assert settled(play, folder) == []


@pytest.mark.parametrize("tab", [NATIONS, *(("Receipts", REQUESTS) if BUDGET > 1 else ())])
def test_watchers_of_which_one_began_while_a_tab_had_another_name_come_to_rest(tab):
    """They agree on what belongs into each cell some looks after the tab has its name again."""
    with stage_of(small_season()) as (play, folder):
        stage = play.stage
        watch = ("watch", stage.book.id, "--interval", INTERVAL_S)
        if tab == "Receipts":
            assert ended(play, folder / "first", "run", stage.book.id) in (0, 1), said(folder / "first")
            stage.server.user(stage.book.id, [FORGET_MARKS])
        id = stage.book.tabs[tab]
        stage.server.user(stage.book.id, [titled(id, "For a moment")])
        begun = number_of_last(play)
        with program(stage, folder / "one", *watch) as one:
            until(lambda: len(answered(play, begun)) >= 2, one, folder / "one")
            stage.server.user(stage.book.id, [titled(id, tab)])
            with program(stage, folder / "two", *watch) as two:
                begun = number_of_last(play)
                until(lambda: looks(play, begun) >= SETTLING_LOOKS, two, folder / "two")
                changes = changes_until_rest(play, two, folder / "two")
                assert one.poll() is None, said(folder / "one")
        for name in ("one", "two"):
            play.witness.logs(folder / name / stage.book.id)
        assert changes is not None, f"they never come to rest:\n{said(folder / 'one')}\n{said(folder / 'two')}"
        assert play.ends() == []


FORGET_MARKS = {"deleteDeveloperMetadata": {"dataFilter": {"developerMetadataLookup": {"metadataKey": MARK_KEY}}}}
"""Tabs are known by their names alone, as those are that nobody has written to yet."""


def titled(id: int, title: str) -> dict[str, Any]:
    """A person's new name for a tab."""
    return {"updateSheetProperties": {"properties": {"sheetId": id, "title": title}, "fields": "title"}}


def answered(play: Play, after: int) -> list[dict[str, Any]]:
    """Requests to Sheets since one of them that have their answer: titles, then the first look."""
    return [it for it in asked(play, after) if it["status"] is not None]


def next_look(play: Play, process: subprocess.Popen[bytes], folder: Path) -> None:
    """Wait until somebody looks."""
    known = number_of_last(play)
    until(lambda: looks(play, known) > 0, process, folder)


def changes_until_rest(play: Play, process: subprocess.Popen[bytes], folder: Path) -> int | None:
    """How often somebody wrote before nobody does any more; None if they never come to rest."""
    begun = number_of_last(play)
    while looks(play, begun) < MOST_LOOKS:
        next_look(play, process, folder)
        written = asked(play, begun, WRITE)
        if looks(play, written[-1]["n"] if written else begun) >= QUIET_LOOKS:
            return len(written)
    return None
