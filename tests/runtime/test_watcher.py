"""A watcher on a workbook in memory: what it does at each look, how long it waits, and what it says, once."""

from __future__ import annotations

import json
import logging
import re
import shutil
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from engine.autoalgo.resolve import Autoalgo
from scripts.support.bad_input_cases import edit
from scripts.support.moderator import only, write
from scripts.support.workbooks import column, example, grids, library
from sheets_algo.config.settings import Settings
from sheets_algo.runtime.locate import WorkbookRef, open_workbooks
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.session import Session
from sheets_algo.runtime.watch import metrics
from sheets_algo.runtime.watch.supervisor import Supervisor, write_heartbeat
from sheets_algo.runtime.watch.watcher import Watcher
from sheets_algo.workbook.errors import StaleWorkbook, WorkbookLocked, WorkbookUnavailable
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.snapshot import NO_NEEDS, Needs, Snapshot
from sheets_algo.workbook.stores import find
from tests.helpers.tabs import key, keys


class Distant(MemoryWorkbook):
    """A workbook that the world comes between."""

    trouble: Exception | None = None
    reads = 0

    def read(self, tabs: Sequence[str], headers_only: Sequence[str] = (), needs: Needs = NO_NEEDS) -> Snapshot:
        self.reads += 1
        if self.trouble:
            raise self.trouble
        return super().read(tabs, headers_only)


def open_workbook(file: Path, chosen: Settings) -> WorkbookRef:
    return open_workbooks([find(str(file))], chosen)[0]


class Bench:
    """A watcher of such a workbook, which looks when it is told to."""

    def __init__(self, folder: Path, rows: dict[str, Any]) -> None:
        self.book = Distant(grids(rows), name="1066")
        self.stop = threading.Event()
        self.watcher = Watcher(
            WorkbookRef("key", Session(workbook=self.book, folder=folder, library=library(), draws_pictures=False)),
            15.0,
            self.stop,
            clock=lambda: 0.0,
            now=lambda: 1_800_000_000.0,
            chance=lambda: 0.5,
        )

    def looks(self, times: int) -> list[float]:
        """So many looks; the waits after each."""
        return [self.watcher.look() for _ in range(times)]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, only(example("1066"), "W-0001"))


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """What people read: everything from info on."""
    with caplog.at_level(logging.INFO, logger="sheets_algo"):
        yield caplog


def statuses(bench: Bench) -> list[Any]:
    return column(bench.book, "War Requests", "Status")


def test_a_ready_row_is_noticed_at_the_first_poll_and_ruled_at_the_second(bench, said):
    bench.looks(1)
    assert statuses(bench)[0] == "Waiting"

    bench.looks(1)
    assert statuses(bench)[0] == "Done"
    assert bench.watcher.tally.rulings == 1
    assert [record.event for record in said.records] == ["watching", "ruled"]
    assert re.fullmatch(
        r"W-0001 \(Stamford Bridge, 1066\): (Norway|England) .* \(\d+ hours\)\. Receipt 2\.", said.messages[1]
    )
    assert (said.records[1].facts["request"], said.records[1].facts["seq"]) == ("W-0001", 2)


def test_idle_polls_log_nothing_and_wait_an_interval(bench, said):
    bench.looks(2)
    said.clear()

    assert bench.looks(5) == [15.0] * 5
    assert said.messages == []


@pytest.mark.parametrize(("chance", "wait"), [(0.0, 12.0), (0.5, 15.0), (1.0, 18.0)])
def test_waits_are_spread_by_a_fifth(bench, chance, wait):
    bench.watcher.chance = lambda: chance

    assert bench.looks(1) == [pytest.approx(wait)]


def test_the_time_of_a_pass_counts_as_waiting(bench):
    ticks = iter([100.0, 104.0, 200.0, 230.0])
    bench.watcher.clock = lambda: next(ticks)

    assert bench.looks(2) == [11.0, 3.0]


def test_a_problem_is_logged_once_until_it_changes_and_when_it_ends(bench, said):
    bench.book.trouble = WorkbookUnavailable("Google cannot be reached.")
    bench.looks(3)
    bench.book.trouble = WorkbookUnavailable("It is not shared with the program.")
    bench.looks(2)
    bench.book.trouble = None
    bench.looks(1)

    assert said.messages == [
        "Google cannot be reached.",
        "It is not shared with the program.",
        "Well again after 5 failed looks.",
    ]
    assert [record.levelname for record in said.records] == ["WARNING", "WARNING", "INFO"]


def test_passing_seconds_make_no_new_problem(bench, said):
    for seconds in (301, 302, 303):
        bench.book.trouble = WorkbookUnavailable(f"The clock is {seconds} seconds off.")
        bench.looks(1)

    assert said.messages == ["The clock is 301 seconds off."]


def test_waits_of_a_failing_workbook_grow_to_five_minutes_and_recover(bench):
    bench.book.trouble = WorkbookUnavailable("No network.")
    assert bench.looks(7) == [15.0, 30.0, 60.0, 120.0, 240.0, 300.0, 300.0]

    bench.book.trouble = None
    assert bench.looks(2) == [15.0, 15.0]


def test_an_interval_longer_than_five_minutes_stays(bench):
    bench.watcher.interval = 600.0
    bench.book.trouble = WorkbookUnavailable("No network.")

    assert bench.looks(3) == [600.0] * 3


@pytest.mark.parametrize("trouble", [WorkbookLocked("It is open."), StaleWorkbook("Somebody saved it.")])
def test_a_person_s_editing_is_waited_for_without_longer_intervals(bench, trouble, said):
    bench.book.trouble = trouble

    assert bench.looks(4) == [15.0] * 4
    assert said.messages == [str(trouble)]


def test_an_internal_error_is_logged_once_with_its_traceback(bench, said):
    bench.book.trouble = ZeroDivisionError("a bug")
    bench.looks(3)
    bench.book.trouble = None
    bench.looks(2)

    assert statuses(bench)[0] == "Done"
    bug = said.records[0]
    assert (bug.levelname, bug.getMessage()) == ("ERROR", "The program failed (ZeroDivisionError: a bug).")
    assert "in read" in bug.facts["traceback"]
    assert [record.event for record in said.records] == ["trouble", "well", "ruled"]


def test_an_error_in_a_row_is_reported_once_and_again_after_a_correction(bench, said):
    sheet = bench.book.read(keys("War Requests")).sheet(key("War Requests"))
    year = list(sheet.rows[1]).index("Year") + 1
    right = sheet.rows[2][year - 1]

    bench.book.type_in("War Requests", 2, year, "soon")
    bench.looks(3)
    refusals = [message for message in said.messages if "refused" in message]
    assert len(refusals) == 1
    assert refusals[0].startswith("W-0001 is refused: 'War Requests'!C2 (W-0001, Year): ")
    assert bench.watcher.tally.refused == 1

    bench.book.type_in("War Requests", 2, year, right)
    bench.looks(1)
    assert bench.watcher.tally.refused == 0
    bench.book.type_in("War Requests", 2, year, "soon")
    bench.looks(1)
    assert len([message for message in said.messages if "refused" in message]) == 2


def test_a_stopped_watcher_leaves_open_requests_to_the_next(bench, said):
    bench.looks(1)
    bench.stop.set()

    assert bench.looks(1) == [0.0]
    assert statuses(bench)[0] == "Waiting"
    assert list((bench.watcher.ref.session.folder).glob("logs/*")) == []
    assert [record.event for record in said.records] == ["watching"]


def test_watching_ends_with_the_stop_event_and_is_logged(bench):
    states: list[str] = []
    bench.watcher.on_look = lambda: states.append(bench.watcher.tally.state)

    def wait(seconds: float) -> None:
        if len(states) == 3:
            bench.stop.set()

    bench.watcher.wait = wait
    bench.watcher.watch()

    assert states == ["well", "well", "well", "stopped"]


def test_an_unsaved_file_is_not_read_again(tmp_path, said):
    file = write(tmp_path / "season.xlsx", only(example("1066"), "W-0004"))
    watcher = Watcher(open_workbook(file, Settings()), 15.0, threading.Event(), clock=lambda: 0.0, chance=lambda: 0.5)

    for _ in range(4):
        watcher.look()
    passes = watcher.tally.passes
    for _ in range(3):
        assert watcher.look() == 15.0

    assert watcher.tally.passes == passes
    assert [record.event for record in said.records] == ["watching", "ruled"]
    file.touch()
    watcher.look()
    assert watcher.tally.passes == passes + 1


def test_waiting_orders_are_read_once(tmp_path):
    """A row that will lapse, one of a later round and the end of a round with a mistake made each look read all."""
    orders: tuple[dict[str, Any], ...] = (
        {"Player": "Anna", "Order": "Set tax", "Tax %": 15},
        {"Player": "Anna", "Order": "Set tax", "Tax %": 16},
        {"Player": "Bola", "Order": "Set tax", "Tax %": "much"},
        {"Player": "Bola", "Order": "Set tax", "Tax %": 9, "Round": 4},
        {"Order": "End round"},
    )
    rows = example("rounds")
    for player in rows["Round Players"]:
        player["Taxed in round"] = None
    rows["Round Requests"] = [{"Request": f"R-{n}", "Ready": True} | order for n, order in enumerate(orders, start=1)]
    file = write(tmp_path / "season.xlsx", rows)
    watcher = Watcher(open_workbook(file, Settings()), 15.0, threading.Event(), clock=lambda: 0.0, chance=lambda: 0.5)
    for _ in range(4):
        watcher.look()
    passes = watcher.tally.passes
    for _ in range(3):
        watcher.look()
    assert (watcher.tally.passes, watcher.tally.rulings, statuses_in(file)) == (
        passes,
        1,
        ["Done", "Waiting", "Invalid", "Waiting", "Waiting"],
    )

    edit(file, "Round Requests", "Tax %", 4, 12)
    for _ in range(4):
        watcher.look()
    assert statuses_in(file) == ["Done", "Lapsed", "Done", "Done", "Done"]


def test_trn_03_a_watcher_polls_at_a_deadline_without_changes(tmp_path):
    rows = example("rounds")
    rows["Round Requests"] = [{"Request": "R-1", "Ready": True, "Player": "Anna", "Order": "Set tax", "Tax %": "much"}]
    for player in rows["Round Players"]:
        player["Taxed in round"] = None
    rows["Turns"] = [{"Turn": 3, "Deadline": "2030-03-01 20:00"}]
    file = write(tmp_path / "season.xlsx", rows)
    moment = [datetime(2030, 3, 1, 19, 59, 50, tzinfo=UTC)]
    ref = open_workbook(file, Settings())
    ref = replace(ref, session=replace(ref.session, clock=lambda: moment[0]))
    seconds = {"now": lambda: moment[0].timestamp(), "clock": lambda: moment[0].timestamp(), "chance": lambda: 0.5}
    watcher = Watcher(ref, 15.0, threading.Event(), **seconds)
    for _ in range(3):
        watcher.look()
    passes = watcher.tally.passes
    assert watcher.look() == 10.0
    assert (watcher.tally.passes, watcher.tally.rulings) == (passes, 0)

    moment[0] += timedelta(seconds=10)
    for _ in range(3):
        watcher.look()

    assert watcher.tally.rulings == 1
    assert statuses_in(file)[:2] == ["Lapsed", "Done"]
    assert watcher.look() == 15.0


def statuses_in(file: Path) -> list[Any]:
    sheet = openpyxl.load_workbook(file)["Round Requests"]
    (place,) = (cell.column for cell in sheet[1] if cell.value == "Status")
    return [sheet.cell(row, place).value for row in range(2, 7)]


def test_polls_without_changes_are_counted(tmp_path):
    file = write(tmp_path / "season.xlsx", only(example("1066")))
    watcher = Watcher(open_workbook(file, Settings()), 15.0, threading.Event(), chance=lambda: 0.5)
    for _ in range(5):
        watcher.look()

    metrics.write(tmp_path / "m.prom", [watcher])
    assert re.search(r"sheets_algo_passes_total\{.*\} 5\.0", (tmp_path / "m.prom").read_text())
    assert watcher.tally.idle >= 3


def test_a_new_map_is_found_in_an_unsaved_file(tmp_path):
    file = write(tmp_path / "season.xlsx", only(example("1066")))
    (tmp_path / "maps").mkdir()
    chosen = Settings(maps=tmp_path / "maps")
    watcher = Watcher(open_workbook(file, chosen), 15.0, threading.Event(), chance=lambda: 0.5)
    for _ in range(3):
        watcher.look()
    passes = watcher.tally.passes

    shutil.copy(next(library().maps_folder.glob("*.png")), tmp_path / "maps" / "Ours.png")
    for _ in range(2):
        watcher.look()
    assert watcher.tally.passes == passes + 1


def test_a_failed_request_is_tried_again_at_each_poll(tmp_path, monkeypatch):
    """What it lacked, memory say, may be there again."""
    file = write(tmp_path / "season.xlsx", only(example("1066"), "W-0004"))
    watcher = Watcher(open_workbook(file, Settings()), 15.0, threading.Event(), chance=lambda: 0.5)
    with monkeypatch.context() as patched:
        patched.setattr(Autoalgo, "decided", lambda *args: 1 / 0)
        for _ in range(4):
            watcher.look()
        assert watcher.tally.refused == 1

    watcher.look()
    assert watcher.tally.rulings == 1


def test_a_missing_file_is_waited_for(tmp_path, said):
    watcher = Watcher(open_workbook(tmp_path / "season.xlsx", Settings()), 15.0, threading.Event(), chance=lambda: 0.5)

    assert [watcher.look() for _ in range(3)] == [15.0, 30.0, 60.0]
    write(tmp_path / "season.xlsx", only(example("1066"), "W-0004"))
    watcher.look()

    assert [record.event for record in said.records] == ["trouble", "well"]


def test_the_heartbeat_lists_each_workbook(bench, tmp_path):
    file = tmp_path / "heartbeat.json"
    bench.looks(2)
    write_heartbeat(file, [bench.watcher], 1_800_000_010.0)

    (told,) = json.loads(file.read_text())["workbooks"]
    assert told == {
        "workbook": "1066",
        "key": "key",
        "state": "well",
        "trouble": "",
        "interval": 15.0,
        "last_pass": "2027-01-15T08:00:00Z",
        "last_success": "2027-01-15T08:00:00Z",
        "rulings": 1,
        "refused": 0,
    }
    assert json.loads(file.read_text())["time"] == "2027-01-15T08:00:10Z"
    assert [path.name for path in tmp_path.iterdir() if "heartbeat" in path.name] == ["heartbeat.json"]


def test_a_failing_heartbeat_is_reported_once_and_stops_nothing(bench, tmp_path, said):
    file = tmp_path / "gone" / "heartbeat.json"
    supervisor = Supervisor([bench.watcher], bench.stop, [lambda watchers: write_heartbeat(file, watchers, 0.0)])
    bench.looks(1)
    said.clear()

    supervisor.write_status()
    supervisor.write_status()
    assert [record.event for record in said.records] == ["sign"]
    assert "heartbeat.json" in said.messages[0]

    file.parent.mkdir()
    supervisor.write_status()
    assert json.loads(file.read_text())["workbooks"][0]["state"] == "well"


def test_waits_during_the_first_poll_are_reported_and_later_ones_only_on_request(bench, said):
    bench.watcher.log_retry("Google Sheets is in trouble.")
    bench.watcher.log_retry("Google Sheets is in trouble.")
    bench.looks(1)
    bench.watcher.log_retry("Google Sheets is in trouble.")

    assert said.messages == ["Google Sheets is in trouble.", "Well again."]


def test_workbooks_that_are_ruled_at_once_come_out_as_one_after_the_other(tmp_path, monkeypatch):
    """Battles share no state but what is never written to."""
    monkeypatch.setenv(season_secret.VARIABLE, "a season secret that only tests know")
    rows = example("1066")
    alone = Bench(tmp_path / "alone", rows)
    alone.looks(2)
    together = [Bench(tmp_path / str(number), rows) for number in range(4)]
    threads = [threading.Thread(target=watched.looks, args=(2,)) for watched in together]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for bench in together:
        for header in ("Seq", "Request", "Seed", "Winner", "Receipt"):
            assert column(bench.book, "Receipts", header) == column(alone.book, "Receipts", header)
    assert column(alone.book, "War Requests", "Status") == ["Done"] * 5
