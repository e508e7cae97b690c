"""Processes that end at any request, with a write on its way, and others that follow them from the spreadsheet alone.

A write without an answer arrives minutes later, when its process is gone and people have moved rows.
"""

from __future__ import annotations

import itertools

import pytest

from tests.live.people import DEEDS, OF_IDS
from tests.live.runner import clean
from tests.live.sampling import some, violated
from tests.live.schedules import ENDS, MIXED, RUN, RUNS, SECONDS, WATCHED, Event, Schedule

pytestmark = pytest.mark.slow

MOVES = tuple(deed for deed in sorted(DEEDS) if deed.startswith(("insert", "sort", "drag", "cut", "delete", "copy")))
LATE = 300
"""Seconds: longer than a process goes on asking without an answer."""


def watched() -> range:
    """The requests of a watcher."""
    return range(1, clean().sent + 1)


def run() -> range:
    """The requests of `run`-like processes, one after the other."""
    return range(1, clean(RUN).sent + 1)


@pytest.mark.parametrize("end", ENDS)
def test_a_watcher_ends_at_a_request(end):
    assert violated(Schedule(WATCHED, (Event("A", at, end),)) for at in some(watched(), 6)) == {}


@pytest.mark.parametrize("end", ENDS)
def test_a_run_ends_at_a_request(end):
    assert violated(Schedule(RUN, (Event("R", at, end),)) for at in some(run(), 6)) == {}


def left_behind(turns: tuple[str, ...], at: int, end: str, deed: str, seconds: int = LATE) -> Schedule:
    """A write gets no answer, its process ends, people do something, and the write arrives before anybody looks."""
    turn = clean(turns).turn_of(at) + 1
    lost = Event(turns[0], at, "fault", "reset", "late", 1, seconds)
    is_told = end == "stop" and turns[0] not in RUNS  # it ends when its request has
    ends = Event(turns[0], at if is_told else at + 1, end)
    return Schedule((*turns[:turn], deed, "five minutes pass", *turns[turn:]), (lost, ends))


@pytest.mark.parametrize("turns", [WATCHED, RUN])
def test_a_process_ends_with_each_of_its_writes_on_its_way_and_people_sort_the_wars(turns):
    first, *others = clean(turns).writes
    schedules = [left_behind(turns, first, end, "sort requests") for end in ENDS]
    schedules += [
        left_behind(turns, at, end, "sort requests") for at, end in zip(others, itertools.cycle(ENDS), strict=False)
    ]
    assert violated(schedules) == {}


def test_a_process_ends_with_a_write_on_its_way_and_people_move_rows():
    """Any write, any end, any deed."""
    schedules = [
        left_behind(turns, at, end, deed)
        for turns in (WATCHED, RUN)
        for at, end, deed in itertools.product(clean(turns).writes, ENDS, MOVES)
    ]
    assert violated(some(schedules, 20)) == {}


def test_a_process_ends_with_a_write_on_its_way_that_arrives_when_others_are_at_work():
    """Any write, any end, any time, while people do something at any request of those that follow."""
    schedules = [
        Schedule(turns, (*left_behind(turns, at, end, deed, seconds).events, Event(turns[0], at + gap, "act", deed)))
        for turns in (WATCHED, RUN)
        for at, end, seconds, gap, deed in itertools.product(clean(turns).writes, ENDS, SECONDS, (2, 3, 4), MOVES)
    ]
    assert violated(some(schedules, 12)) == {}


def test_somebody_runs_the_program_beside_a_watcher():
    schedules = [Schedule(turns, (Event("A", at, "look", "R"),)) for turns in (WATCHED, MIXED) for at in watched()]
    assert violated([Schedule(RUN), Schedule(MIXED), *some(schedules, 6)]) == {}


@pytest.mark.parametrize("deed", OF_IDS)
def test_what_people_do_to_the_id_of_a_war_does_not_rule_it_again(deed):
    """Before it is ruled, after it is, and between the look and the write."""
    turns = [(deed, *WATCHED), (*WATCHED[:2], deed, *WATCHED[2:]), (*RUN[:1], deed, *RUN[1:])]
    schedules = [*map(Schedule, turns), Schedule(WATCHED, (Event("A", clean().ruling, "act", deed),))]
    assert violated(some(schedules, 2)) == {}


@pytest.mark.parametrize("tab", ["nations", "requests"])
def test_a_watcher_that_began_while_a_tab_had_another_name_comes_to_rest(tab):
    """It and one that began later agree on every cell."""
    turns = (f"rename {tab}", "B", f"rename {tab} back", "A", "B", "A", "B", "A")
    assert violated([Schedule(turns)]) == {}
