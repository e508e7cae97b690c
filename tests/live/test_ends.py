"""Processes that end at any request, with a write on its way, and others that follow them from the spreadsheet alone.

A write without an answer arrives minutes later, when its process is gone and people have moved rows.
"""

from __future__ import annotations

import itertools

import pytest

from tests.live.people import DEEDS, OF_IDS
from tests.live.runner import clean, killed_under, left_behind
from tests.live.sampling import some, violated
from tests.live.schedules import ENDS, MIXED, RUN, SECONDS, WATCHED, Event, Schedule

pytestmark = pytest.mark.slow

MOVES = tuple(deed for deed in sorted(DEEDS) if deed.startswith(("insert", "sort", "drag", "cut", "delete", "copy")))


def watched() -> range:
    """The requests of a watcher."""
    return range(1, clean().sent + 1)


def run() -> range:
    """The requests of `run`-like processes, one after the other."""
    return range(1, clean(RUN).sent + 1)


@pytest.mark.parametrize("end", ENDS)
def test_a_watcher_ends_at_each_request(end):
    assert violated(Schedule(WATCHED, (Event("A", at, end),)) for at in watched()) == {}


def test_a_run_ends_at_each_request():
    """In one way each."""
    ends = zip(run(), itertools.cycle(ENDS), strict=False)
    assert violated(Schedule(RUN, (Event("R", at, end),)) for at, end in ends) == {}


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
    assert violated(some(schedules, 10)) == {}


def test_a_process_ends_with_a_write_on_its_way_that_arrives_when_others_are_at_work():
    """Any write, any end, any time, while people do something at any request of those that follow."""
    schedules = [
        Schedule(turns, (*left_behind(turns, at, end, deed, seconds).events, Event(turns[0], at + gap, "act", deed)))
        for turns in (WATCHED, RUN)
        for at, end, seconds, gap, deed in itertools.product(clean(turns).writes, ENDS, SECONDS, (2, 3, 4), MOVES)
    ]
    assert violated(some(schedules, 6)) == {}


def test_rows_are_moved_under_a_write_whose_process_is_killed_before_its_answer():
    """What was displaced is put right by whoever follows, from the spreadsheet alone."""
    schedules = [
        killed_under(turns, at, deed)
        for turns in (WATCHED, RUN)
        for at, deed in itertools.product(clean(turns).writes, MOVES)
    ]
    essential = [killed_under(turns, clean(turns).ruling, "sort nations") for turns in (WATCHED, RUN)]
    assert violated([*essential, *some(schedules, 6)]) == {}


def test_somebody_runs_the_program_at_each_request_of_a_watcher():
    schedules = [Schedule(WATCHED, (Event("A", at, "look", "R"),)) for at in watched()]
    assert violated([Schedule(RUN), Schedule(MIXED), *schedules]) == {}


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
