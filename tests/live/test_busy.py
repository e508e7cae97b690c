"""Spreadsheets in which something changes at every moment: what decides nothing keeps nothing from being ruled."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scripts.support.live.people import RECALCULATE, WAVER
from scripts.support.live.runner import Play, prepared
from scripts.support.live.schedules import WATCHED, Event, Schedule
from scripts.support.live.stage import REQUESTS, SEASONS, Stage, a1_of
from sheets_algo.commands.doctor import workbooks
from sheets_algo.runtime.locate import WorkbookRef
from sheets_algo.workbook.findings import Finding

pytestmark = pytest.mark.slow

READS_IN_VAIN = 7
"""The most reads of a look in vain after another one: tabs, cells, formats, rows; tabs and rows where it is told."""

REQUESTS_SENT = 150
"""More requests than a season takes."""


def busy(deed: str) -> Schedule:
    """Return a schedule in which a deed precedes every request."""
    return Schedule(WATCHED, tuple(Event("A", at, "act", deed) for at in range(1, REQUESTS_SENT)), "busy wars")


@pytest.fixture
def stage() -> Iterator[Stage]:
    with prepared(), Stage.set(SEASONS["busy wars"]()) as made:
        yield made


def test_busy_own_columns_delay_no_ruling(stage, tmp_path):
    """RCP-35: three wars at the second look, and one more at the second look after its tick."""
    play = Play(stage, busy(RECALCULATE), tmp_path)
    for turn, rulings in zip(WATCHED, (0, 3, 3, 3, 4, 4), strict=True):
        play.take_turn(turn)

        assert len(play.witness.rulings()) == rulings
        assert play.process("A").watcher.tally.failures == 0

    assert play.finish() == []


def test_a_deciding_cell_that_never_settles_is_reported_at_few_reads(stage, tmp_path):
    """RCP-35: after three looks in vain; a look takes all its attempts only once."""
    play = Play(stage, busy(WAVER), tmp_path)
    reads = []
    for _ in range(4):
        before = stage.server.count("read")
        play.look("A")
        reads.append(stage.server.count("read") - before)
    place = f"{REQUESTS}!{a1_of(1, stage.place(REQUESTS, 'Location') or 0)}"

    assert all(f"Not ruled yet: {place} shows something else at every look" in message for message in waiting(stage))
    assert len(waiting(stage)) == 3
    assert max(reads[1:]) <= READS_IN_VAIN
    assert play.witness.rulings() == []
    assert f"{place} shows something else" in str(doctor(play))

    play.events.clear()
    for _ in range(3):
        play.look("A")
    assert len(play.witness.rulings()) == 3
    assert not any("Not ruled yet" in message for message in waiting(stage))
    assert play.finish() == []


def waiting(stage: Stage) -> list[str]:
    """Return the messages of the rows that are ready and valid."""
    rows = stage.book.shown(stage.ids[REQUESTS])
    return [str(row["Message"]) for row in rows if row.get("Ready") is True and row["War"] != "Fulford"]


def doctor(play: Play) -> list[Finding]:
    """Return what `doctor` finds in the rows."""
    session = play.start("doctor", "D").session
    return list(workbooks.examine(WorkbookRef(play.stage.book.id, session)))
