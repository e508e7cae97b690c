"""Spreadsheets in which something changes at every moment: what decides nothing keeps nothing from being ruled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live.people import RECALCULATE
from tests.live.runner import Play, prepared
from tests.live.schedules import WATCHED, Event, Schedule
from tests.live.stage import SEASONS, Stage

REQUESTS_SENT = 150
"""More requests than a season takes."""


def busy(deed: str) -> Schedule:
    """Return a schedule in which a deed precedes every request."""
    return Schedule(WATCHED, tuple(Event("A", at, "act", deed) for at in range(1, REQUESTS_SENT)), "busy wars")


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    with prepared(), Stage.set(SEASONS["busy wars"]()) as stage:
        yield Play(stage, busy(RECALCULATE), tmp_path)


def test_wars_are_ruled_in_as_many_looks_whatever_people_s_own_columns_show(play):
    """RCP-29: three wars at the second look, and one more at the second look after its tick."""
    for turn, rulings in zip(WATCHED, (0, 3, 3, 3, 4, 4), strict=True):
        play.take_turn(turn)

        assert len(play.witness.rulings()) == rulings
        assert play.process("A").watcher.tally.failures == 0

    assert play.finish() == []
