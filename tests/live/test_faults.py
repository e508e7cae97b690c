"""Every fault at every request, and pairs of them: each request is ruled once, whatever fails."""

from __future__ import annotations

import pytest

from scripts.support.live.runner import clean_run
from scripts.support.live.schedules import (
    ESSENTIAL,
    IN_TURN,
    LATEST,
    LOST,
    REFUSED,
    SECONDS,
    WATCHED,
    Event,
    Schedule,
    pairs,
)
from tests.helpers.example_budget import spread
from tests.live.sampling import sample, violations_of

pytestmark = pytest.mark.slow


def test_a_clean_run_takes_a_fixed_number_of_requests():
    """Reads; for each commit a write and the closing note, and titles before one with receipts or new tabs.

    Two passes that rule one of several wars look for formulas; six with a ready war look for ones that show nothing.
    """
    assert clean_run().sent == 31
    assert violations_of([Schedule(WATCHED), Schedule(IN_TURN)]) == {}


def each(*kinds: tuple[str, str, int, int]) -> list[Schedule]:
    """Return the schedules of these faults at each request of a clean run."""
    return [
        Schedule(WATCHED, (Event("A", at, "fault", *kind),)) for at in range(1, clean_run().sent + 1) for kind in kinds
    ]


def test_a_request_that_is_not_carried_out_loses_nothing():
    """Each kind of fault at requests of its own, here and below; with a large budget at all."""
    assert violations_of(spread(each(*((kind, "before", 1, 0) for kind in (*REFUSED, *LOST))), 37)) == {}


def test_a_request_with_a_lost_answer_is_not_repeated():
    assert violations_of(spread(each(*((kind, "after", 1, 0) for kind in LOST)), 37)) == {}


def test_a_request_carried_out_after_later_ones_does_no_harm():
    kinds = [(kind, "late", late, 0) for kind in LOST for late in range(1, LATEST + 1)]
    assert violations_of(spread(each(*kinds), 101)) == {}


def test_a_request_carried_out_much_later_does_no_harm():
    """Any request is late by any time."""
    assert violations_of(spread(each(*(("503", "late", 1, seconds) for seconds in SECONDS)), 37)) == {}


def test_an_expired_token_with_a_failing_renewal_does_no_harm():
    schedules = [
        Schedule(WATCHED, (Event("A", at, "token", kind, when),))
        for at in range(1, clean_run().sent + 1)
        for kind in LOST
        for when in ("before", "after")
    ]
    assert violations_of(spread(schedules, 61)) == {}


def test_odds_are_written_once_despite_faults_of_the_request():
    """FC-04: no lost answer, late write, second watcher or crash leaves two rows of one forecast."""
    requests = range(1, clean_run().sent + 1)
    events = [Event("A", at, "fault", kind, when, late) for at in requests for kind, when, late in ESSENTIAL]
    events += [Event("A", at, kind, what) for at in requests for kind, what in (("look", "B"), ("crash", ""))]
    schedules = [Schedule(turns, (event,), "wars and forecasts") for turns in (WATCHED, IN_TURN) for event in events]
    assert violations_of([Schedule(WATCHED, (), "wars and forecasts"), *sample(schedules, 3)]) == {}


def test_two_faults_at_once_rule_each_war_once():
    assert violations_of(sample(pairs(clean_run().sent), 3)) == {}


def test_a_write_refused_at_the_door_may_be_sent_again():
    """The token has expired and renewing it fails: with the old token the write is refused again."""
    write = clean_run().ruling
    events = Event("A", write, "token", "reset"), Event("A", write + 1, "fault", "502", "late")
    assert violations_of([Schedule(WATCHED, events)]) == {}
