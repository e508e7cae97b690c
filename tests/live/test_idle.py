"""A watcher of an unchanged spreadsheet: it reads little, and misses no change."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scripts.support.live.ages import late_season
from scripts.support.live.people import DEEDS, Act, delete_tab, edit, rename
from scripts.support.live.runner import TITLES_S, Play, prepared
from scripts.support.live.schedules import Schedule
from scripts.support.live.stage import (
    DIARY,
    FLANKS,
    LEADERS,
    MILITARIES,
    NATIONS,
    REQUESTS,
    TAB,
    Grid,
    Stage,
)
from sheets_algo.workbook.google.read import trace
from tests.helpers.example_budget import spread

RECEIPTS = 60
LAST = RECEIPTS
"""The index, from 0, of the last row of Receipts."""

PEOPLES_TABS = (REQUESTS, FLANKS, NATIONS, MILITARIES, "Locations", LEADERS)


@functools.cache
def season() -> dict[str, Grid]:
    return late_season(RECEIPTS)


@dataclass
class Idle:
    """A watcher that has nothing to do.

    Args:
        play: The watcher's season.
    """

    play: Play

    @property
    def stage(self) -> Stage:
        return self.play.stage

    @property
    def watcher(self) -> Any:
        return self.play.process("A").watcher

    def look(self, after: float = 15) -> tuple[int, int]:
        """Look once; return the numbers of reads and of passes."""
        reads, passes = self.stage.server.count("read"), self.watcher.tally.passes
        self.play.clock.wait(after)
        self.watcher.look()
        return self.stage.server.count("read") - reads, self.watcher.tally.passes - passes

    def status(self, war: str) -> Any:
        """Return the status of a request."""
        header, *rows = self.stage.book.grid(self.stage.ids[REQUESTS]) or []
        row = next(row for row in rows if war in row)
        return row[header.index("Status")] if header.index("Status") < len(row) else None


IDLE = (1, 0)
"""One read and no pass."""


@pytest.fixture
def idle(tmp_path: Path) -> Iterator[Idle]:
    with Stage.set(season()) as stage, prepared():
        found = Idle(Play(stage, Schedule(()), tmp_path))
        found.look()
        yield found


def put(tab: str, row: int, column: int, value: str | None) -> Act:
    """Return the deed of typing into a cell, counted from 0."""
    cell = {} if value is None else {"userEnteredValue": {"stringValue": value}}
    start = {"sheetId": TAB, "rowIndex": row, "columnIndex": column}
    return batch(tab, {"updateCells": {"start": start, "rows": [{"values": [cell]}], "fields": "userEnteredValue"}})


def batch(tab: str, *requests: dict[str, Any]) -> Act:
    def act(stage: Stage) -> None:
        assert stage.do(tab, *requests)

    return act


def rows(first: int, last: int) -> dict[str, Any]:
    return {"sheetId": TAB, "dimension": "ROWS", "startIndex": first, "endIndex": last}


def deleted(first: int, last: int) -> Act:
    return batch("Receipts", {"deleteDimension": {"range": rows(first, last)}})


NUMBER = {"userEnteredValue": {"numberValue": RECEIPTS + 1}}
ONE_MORE = {"sheetId": TAB, "rows": [{"values": [NUMBER]}], "fields": "userEnteredValue"}

CHANGES: dict[str, Act] = {
    "a tick": DEEDS["tick the last one"],
    "a mended mistake": DEEDS["mend the refused one"],
    "a cleared status": edit(REQUESTS, "Stamford Bridge", "Status", None),
    "another message of a ruled war": edit(REQUESTS, "Stamford Bridge", "Message", "Nobody wins"),
    **{f"a cell of {tab}": put(tab, 2, 1, "another") for tab in PEOPLES_TABS},
    **{f"a new row of {tab}": put(tab, 40, 0, "another") for tab in PEOPLES_TABS},
    **{f"a header of {tab}": put(tab, 0, 1, "another") for tab in (*PEOPLES_TABS, "Receipts", "Log")},
    "a tick that becomes the number 1": edit(REQUESTS, "Stamford Bridge", "Ready", 1),
    "sorted requests": DEEDS["sort requests"],
    "a column before the requests": DEEDS["insert a column before requests"],
    "a receipt of another watcher": batch("Receipts", {"appendCells": ONE_MORE}),
    "the last receipt deleted": deleted(LAST, LAST + 1),
    "the last receipts and all rows below deleted": deleted(LAST - 3, 1000),
    "a receipt deleted from the middle": deleted(30, 31),
    "the first receipt deleted": deleted(1, 2),
    "the last receipt cleared": put("Receipts", LAST, 0, None),
    "a row inserted among receipts": batch(
        "Receipts", {"insertDimension": {"range": rows(30, 31), "inheritFromBefore": False}}
    ),
    "a column before the receipts": batch(
        "Receipts", {"insertDimension": {"range": rows(0, 1) | {"dimension": "COLUMNS"}, "inheritFromBefore": False}}
    ),
    "renamed requests": rename(REQUESTS, "Wars"),
    "renamed receipts": rename("Receipts", "Old receipts"),
    "swapped titles": DEEDS["swap nations and leaders"],
    "flanks deleted": delete_tab(FLANKS),
}


def test_an_idle_poll_is_one_small_read(idle):
    counts = idle.watcher.ref.session.workbook.requests
    whole = counts.bytes

    for _ in range(3):
        before = counts.bytes
        assert idle.look() == IDLE
        assert counts.bytes - before < 20_000

    assert whole > 20_000 * 15
    assert idle.watcher.tally.state == "well"
    assert idle.watcher.tally.idle == 3
    assert idle.watcher.tally.last_success == idle.play.clock.seconds()


@pytest.mark.parametrize("change", spread(CHANGES, 2))
def test_a_change_is_noticed_at_the_next_poll(idle, change):
    assert idle.look() == IDLE
    failures = idle.watcher.tally.failures

    {**CHANGES, **ASKING}[change](idle.stage)
    reads, passes = idle.look()

    assert reads >= 2
    assert passes + idle.watcher.tally.failures - failures == 1  # the change may make every ruling impossible


OF_SETTLED = ("a cleared status", "another message of a ruled war", "a tick that becomes the number 1")
"""Changes of cells of settled requests, which rule nothing."""

ASKING: dict[str, Act] = {
    "Rule again": edit(REQUESTS, "Stamford Bridge", "Action", "Rule again"),
    "another id": edit(REQUESTS, "Stamford Bridge", "Request", "W-0777"),
    "a deleted row": batch(REQUESTS, {"deleteDimension": {"range": rows(1, 2)}}),
}


BELOW = [change for change in (*CHANGES, *ASKING) if change not in (*OF_SETTLED, f"a cell of {REQUESTS}")]


@pytest.fixture
def settled(idle, monkeypatch: pytest.MonkeyPatch) -> Idle:
    """A season of which the requests at the top of the tab count as many settled ones."""
    monkeypatch.setattr(trace, "SETTLED_MANY", 1)
    idle.watcher.ref.session.workbook.forget()
    idle.look()
    assert any("!A2:A" in part for part in idle.watcher.ref.session.workbook._trace.ranges)
    return idle


@pytest.mark.parametrize("change", spread(BELOW, 2))
def test_a_change_below_many_settled_requests_is_noticed_at_the_next_poll(settled, change):
    test_a_change_is_noticed_at_the_next_poll(settled, change)


@pytest.mark.parametrize("change", OF_SETTLED)
def test_another_cell_of_many_settled_requests_is_read_after_ten_minutes(settled, change):
    CHANGES[change](settled.stage)
    assert settled.look() == IDLE

    assert settled.look(after=TITLES_S)[1] == 1


def test_irrelevant_cells_are_not_read(idle):
    put(DIARY, 1, 1, "another")(idle.stage)

    assert idle.look() == IDLE


def test_a_tick_is_ruled_two_polls_later_and_polls_become_small_again(idle):
    CHANGES["a tick"](idle.stage)

    idle.look()
    assert idle.status("Channel interception") == "Waiting"
    idle.look()
    assert idle.status("Channel interception") == "Done"
    assert idle.look() == (2, 1)  # the watcher's own writes are read, as a whole, and formulas that show nothing
    assert idle.look() == IDLE


@pytest.mark.parametrize(
    ("change", "trouble"),
    [
        (put("Receipts", 30, 4, "another"), "receipt 30 is not as it was written"),
        (batch(NATIONS, {"addSheet": {"properties": {"title": "Joust Requests"}}}), ""),
    ],
    ids=["a cell among receipts", "a new tab"],
)
def test_everything_is_read_again_after_ten_minutes(idle, change, trouble):
    assert idle.look() == IDLE
    change(idle.stage)
    assert idle.look() == IDLE

    assert idle.look(after=TITLES_S) == (3, 0 if trouble else 1)  # titles and formulas that show nothing too
    assert trouble in idle.watcher.tally.trouble


def test_a_write_refused_by_a_protection_is_tried_at_each_poll(idle):
    """RCP-31: no cell shows that the protection is gone."""
    DEEDS["protect requests"](idle.stage)
    CHANGES["a tick"](idle.stage)
    for _ in range(3):
        idle.look()
    assert idle.status("Channel interception") is None

    DEEDS["unprotect requests"](idle.stage)
    for _ in range(2):
        idle.look()
    assert idle.status("Channel interception") == "Done"


def test_a_failed_poll_is_followed_by_a_complete_one(idle):
    idle.stage.server.fault("500", every=1, match="batchGet")
    assert idle.look() != IDLE
    assert idle.watcher.tally.state == "failing"

    idle.stage.server.clear_faults()
    assert idle.look() == (2, 1)
    assert idle.look() == IDLE
