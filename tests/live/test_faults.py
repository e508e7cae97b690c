"""Every fault at every request, and pairs of them: each request is ruled once, whatever fails."""

from __future__ import annotations

import pytest

from tests.live.runner import clean
from tests.live.sampling import some, violated
from tests.live.schedules import ESSENTIAL, IN_TURN, LATEST, LOST, REFUSED, SECONDS, WATCHED, Event, Schedule, pairs

pytestmark = pytest.mark.slow


def test_a_clean_run_takes_so_many_requests_and_violates_nothing():
    """Reads; of each of five commits titles, since a tab is missing, a look, a write, the note that all is well."""
    assert clean().sent == 30
    assert violated([Schedule(WATCHED), Schedule(IN_TURN)]) == {}


def each(*kinds: tuple[str, str, int, int]) -> list[Schedule]:
    """Each of these faults at each request of a clean run."""
    return [Schedule(WATCHED, (Event("A", at, "fault", *it),)) for at in range(1, clean().sent + 1) for it in kinds]


@pytest.mark.parametrize("kind", [*REFUSED, *LOST])
def test_a_request_is_not_carried_out(kind):
    assert violated(some(each((kind, "before", 1, 0)), 1)) == {}


@pytest.mark.parametrize("kind", LOST)
def test_a_request_is_carried_out_and_its_answer_is_lost(kind):
    assert violated(some(each((kind, "after", 1, 0)), 1)) == {}


@pytest.mark.parametrize("kind", LOST)
def test_a_request_is_carried_out_after_later_ones(kind):
    assert violated(some(each(*((kind, "late", late, 0) for late in range(1, LATEST + 1))), 2)) == {}


def test_a_request_is_carried_out_much_later():
    """Each one, after whatever others are asked meanwhile."""
    schedules = each(*(("503", "late", 1, seconds) for seconds in SECONDS))
    assert violated([*schedules[:: len(SECONDS)], *some(schedules, 2)]) == {}


@pytest.mark.parametrize("kind", LOST)
def test_a_token_ends_and_the_request_for_another_one_fails(kind):
    schedules = [
        Schedule(WATCHED, (Event("A", at, "token", kind, when),))
        for at in range(1, clean().sent + 1)
        for when in ("before", "after")
    ]
    assert violated(some(schedules, 1)) == {}


def test_odds_are_written_once_whatever_becomes_of_the_request():
    """FC-04: neither a lost answer, a late write, a second watcher nor a crash leaves two rows of one forecast."""
    requests = range(1, clean().sent + 1)
    happens = [Event("A", at, "fault", kind, when, late) for at in requests for kind, when, late in ESSENTIAL]
    happens += [Event("A", at, kind, what) for at in requests for kind, what in (("look", "B"), ("crash", ""))]
    schedules = [Schedule(turns, (it,), "wars and forecasts") for turns in (WATCHED, IN_TURN) for it in happens]
    assert violated([Schedule(WATCHED, (), "wars and forecasts"), *some(schedules, 6)]) == {}


def test_two_faults():
    assert violated(some(pairs(clean().sent), 8)) == {}


def test_a_write_that_is_not_let_in_may_be_sent_again():
    """Its token has ended, and the request for another one fails: sent anew with the old token, it is refused again."""
    write = clean().ruling
    events = Event("A", write, "token", "reset"), Event("A", write + 1, "fault", "502", "late")
    assert violated([Schedule(WATCHED, events)]) == {}
