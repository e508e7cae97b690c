"""Processes that end at any request, with a write under way, and others that continue from the spreadsheet alone.

A write without an answer arrives minutes later, when its process is gone and people have moved rows.
"""

from __future__ import annotations

import itertools

import pytest

from scripts.support.live.people import DEEDS, OF_IDS
from scripts.support.live.runner import clean_run, killed_while_moving, late_write
from scripts.support.live.schedules import ENDS, MIXED, RUN, SECONDS, WATCHED, Event, Schedule
from tests.helpers.example_budget import spread
from tests.live.sampling import sample, violations_of

pytestmark = pytest.mark.slow

MOVES = tuple(deed for deed in sorted(DEEDS) if deed.startswith(("insert", "sort", "drag", "cut", "delete", "copy")))


def watched() -> range:
    """Return the numbers of a watcher's requests."""
    return range(1, clean_run().sent + 1)


def run() -> range:
    """Return the numbers of the requests of `run`-like processes, one after the other."""
    return range(1, clean_run(RUN).sent + 1)


@pytest.mark.parametrize("end", ENDS)
def test_a_watcher_ends_at_each_request(end):
    """With a large budget at each; else each way to end gets requests of its own."""
    requests = spread(watched(), 10, first=3 * ENDS.index(end))
    assert violations_of(Schedule(WATCHED, (Event("A", at, end),)) for at in requests) == {}


def test_a_run_ends_at_each_request():
    """Each fourth request gets one way to end, with a large budget every request."""
    ends = spread(zip(run(), itertools.cycle(ENDS), strict=False), 4)
    assert violations_of(Schedule(RUN, (Event("R", at, end),)) for at, end in ends) == {}


@pytest.mark.parametrize("turns", [WATCHED, RUN])
def test_a_process_ends_during_each_write_while_people_sort_the_wars(turns):
    """Each eighth of all writes and ends, and the write that rules three wars; with a large budget all."""
    schedules = [
        late_write(turns, at, end, "sort requests") for at, end in itertools.product(clean_run(turns).writes, ENDS)
    ]
    ruling = late_write(turns, clean_run(turns).ruling, "crash", "sort requests")
    assert violations_of(dict.fromkeys([ruling, *spread(schedules, 8)])) == {}


def test_a_process_ends_during_a_write_while_people_move_rows():
    """Combine any write, any end and any deed."""
    schedules = [
        late_write(turns, at, end, deed)
        for turns in (WATCHED, RUN)
        for at, end, deed in itertools.product(clean_run(turns).writes, ENDS, MOVES)
    ]
    assert violations_of(sample(schedules, 4)) == {}


def test_a_process_ends_during_a_write_that_arrives_under_other_processes():
    """Combine any write, any end and any time with a deed at any request of the processes that follow."""
    schedules = [
        Schedule(turns, (*late_write(turns, at, end, deed, seconds).events, Event(turns[0], at + gap, "act", deed)))
        for turns in (WATCHED, RUN)
        for at, end, seconds, gap, deed in itertools.product(clean_run(turns).writes, ENDS, SECONDS, (2, 3, 4), MOVES)
    ]
    assert violations_of(sample(schedules, 4)) == {}


def test_rows_move_under_a_write_of_a_process_that_is_killed():
    """The next process repairs what was displaced, from the spreadsheet alone."""
    schedules = [
        killed_while_moving(turns, at, deed)
        for turns in (WATCHED, RUN)
        for at, deed in itertools.product(clean_run(turns).writes, MOVES)
    ]
    essential = [killed_while_moving(turns, clean_run(turns).ruling, "sort nations") for turns in (WATCHED, RUN)]
    assert violations_of([*essential, *sample(schedules, 3)]) == {}


def test_a_run_happens_at_each_request_of_a_watcher():
    schedules = [Schedule(WATCHED, (Event("A", at, "look", "R"),)) for at in watched()]
    assert violations_of([Schedule(RUN), Schedule(MIXED), *sample(schedules, 4)]) == {}


@pytest.mark.parametrize("deed", OF_IDS)
def test_edits_of_a_war_s_id_do_not_rule_it_again(deed):
    """The deed comes before the ruling, after it, or between the look and the write: each deed at one of these places.

    With a larger budget it is played at more of them.
    """
    turns = [(deed, *WATCHED), (*WATCHED[:2], deed, *WATCHED[2:]), (*RUN[:1], deed, *RUN[1:])]
    schedules = [*map(Schedule, turns), Schedule(WATCHED, (Event("A", clean_run().ruling, "act", deed),))]
    assert violations_of(spread(schedules, 4, first=OF_IDS.index(deed) % 4)) == {}


@pytest.mark.parametrize("tab", ["nations", "requests"])
def test_a_watcher_from_before_a_renaming_settles(tab):
    """It agrees on every cell with a watcher that began later."""
    turns = (f"rename {tab}", "B", f"rename {tab} back", "A", "B", "A", "B", "A")
    assert violations_of([Schedule(turns)]) == {}


def test_the_log_of_a_ruling_stays_although_a_copy_gets_no_id():
    """The tab is protected while the program commits, so the copy stays Invalid under the id of the war (REQ-17)."""
    turns = ("A", "A", "copy a request as values", "A")
    assert violations_of([Schedule(turns, (Event("A", 11, "act", "protect requests"), Event("A", 11, "exit")))]) == {}


def test_a_blank_displaced_onto_a_tick_is_repaired():
    """Odds clear their row's Status; the write arrives after its process was cut off and a person moved Ready there."""
    events = (Event("A", 22, "fault", "500", "late", 4), Event("A", 23, "exit"))
    assert (
        violations_of([Schedule(("A", "A", "A", "insert a column before requests"), events, "wars and forecasts")])
        == {}
    )
