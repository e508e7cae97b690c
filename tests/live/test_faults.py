"""Every fault at every request, and pairs of them: each request is ruled once, whatever fails."""

from __future__ import annotations

import pytest

from tests.live.runner import requests_of
from tests.live.sampling import some, violated
from tests.live.schedules import ESSENTIAL, IN_TURN, LATEST, LOST, REFUSED, SENT, WATCHED, WRITE, Event, Schedule, pairs

pytestmark = pytest.mark.slow


def test_a_clean_run_takes_so_many_requests_and_violates_nothing():
    """Titles; then reads, and of each of four commits a look, a write, and for the two with wars a map."""
    assert requests_of(WATCHED) == {"A": SENT}
    assert violated([Schedule(WATCHED), Schedule(IN_TURN)]) == {}


@pytest.mark.parametrize("kind", [*REFUSED, *LOST])
def test_a_request_is_not_carried_out(kind):
    schedules = [Schedule(WATCHED, (Event("A", at, "fault", kind),)) for at in range(1, SENT + 1)]
    assert violated(some(schedules, 3)) == {}


@pytest.mark.parametrize("kind", LOST)
def test_a_request_is_carried_out_and_its_answer_is_lost(kind):
    schedules = [Schedule(WATCHED, (Event("A", at, "fault", kind, "after"),)) for at in range(1, SENT + 1)]
    assert violated(some(schedules, 3)) == {}


@pytest.mark.parametrize("kind", LOST)
def test_a_request_is_carried_out_after_later_ones(kind):
    schedules = [
        Schedule(WATCHED, (Event("A", at, "fault", kind, "late", late),))
        for at in range(1, SENT + 1)
        for late in range(1, LATEST + 1)
    ]
    assert violated(some(schedules, 4)) == {}


@pytest.mark.parametrize("kind", LOST)
def test_a_token_ends_and_the_request_for_another_fails(kind):
    schedules = [
        Schedule(WATCHED, (Event("A", at, "token", kind, when),))
        for at in range(1, SENT + 1)
        for when in ("before", "after")
    ]
    assert violated(some(schedules, 3)) == {}


def test_odds_are_written_once_whatever_becomes_of_the_request():
    """FC-04: neither a lost answer, a late write, a second watcher nor a crash leaves two rows of one forecast."""
    happens = [Event("A", at, "fault", kind, when, late) for at in range(1, SENT + 1) for kind, when, late in ESSENTIAL]
    happens += [
        Event("A", at, kind, what) for at in range(1, SENT + 1) for kind, what in (("look", "B"), ("crash", ""))
    ]
    schedules = [Schedule(turns, (it,), "wars and forecasts") for turns in (WATCHED, IN_TURN) for it in happens]
    assert violated([Schedule(WATCHED, (), "wars and forecasts"), *some(schedules, 14)]) == {}


def test_two_faults():
    assert violated(some(pairs(), 30)) == {}


def test_a_write_that_is_not_let_in_may_be_sent_again():
    """Its token has ended, and the request for another one fails: sent anew with the old token, it is refused again."""
    events = Event("A", WRITE, "token", "reset"), Event("A", WRITE + 1, "fault", "502", "late")
    assert violated([Schedule(WATCHED, events)]) == {}
