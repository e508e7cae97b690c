"""Schedules notice when a safeguard is missing: each careless program breaks at least one of them, ours none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tests.live.mutants import MUTANTS
from tests.live.runner import Makes
from tests.live.sampling import violated
from tests.live.schedules import WATCHED, Event, Schedule

pytestmark = pytest.mark.slow

WAITING, RULING, LAST = 4, 7, 15
"""The writes of a clean run that show which wars wait, that rule three of them, and that rule the last one."""


def watched(*events: Event) -> Schedule:
    return Schedule(WATCHED, events)


LATE = watched(Event("A", LAST, "fault", "503", "late", 4))
RIVAL = watched(Event("A", LAST, "look", "B"), Event("A", LAST, "look", "B"))
LOST = watched(Event("A", RULING, "fault", "reset", "after"))
DEAD = watched(Event("A", RULING + 1, "crash"))
LATE_STATUS = watched(
    Event("A", WAITING, "fault", "502", "late", 6), Event("A", WAITING + 1, "act", "insert above requests")
)
SORTED = watched(Event("A", RULING, "act", "sort nations"))
MOVED = watched(Event("A", RULING, "act", "insert above requests"))

CATCHES: Mapping[str, Sequence[Schedule]] = {
    "without the guard": [LATE, RIVAL],
    "without turns": [LATE_STATUS],
    "with blind resend": [LOST],
    "with blind resend and without the guard": [LOST],
    "with values:append": [LOST, LATE, DEAD],
    "with status by row number only": [SORTED, MOVED],
    "without healing": [SORTED],
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_missing_safeguard_is_noticed(name):
    with MUTANTS[name].at_work() as makes:
        found = violated(CATCHES[name], makes)

    seen = [it for what in found.values() for it in what if not it.startswith("the guard of")]
    assert seen, f"{name}, nothing is noticed"


def test_the_program_as_it_is_breaks_none_of_them():
    every = [schedule for schedules in CATCHES.values() for schedule in schedules]
    assert violated(dict.fromkeys(every), Makes()) == {}
