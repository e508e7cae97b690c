"""People who work between any two requests of the program, and programs that work at the same time."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import pytest

from scripts.support.live.people import DEEDS
from scripts.support.live.runner import clean_run
from scripts.support.live.schedules import IN_TURN, LATEST, WATCHED, Event, Schedule, random_schedule
from tests.helpers.example_budget import spread
from tests.live.sampling import sample, violations_of

pytestmark = pytest.mark.slow


def requests() -> range:
    """Return the numbers of the requests of a clean run."""
    return range(1, clean_run().sent + 1)


def deeds_at(at: int, *deeds: str) -> Schedule:
    """Return a schedule of deeds at a request, in a season that has the rows they need."""
    is_other = any(is_of_jousts(deed) for deed in deeds)
    return Schedule(
        WATCHED, tuple(Event("A", at, "act", deed) for deed in deeds), "wars and jousts" if is_other else "wars"
    )


def is_of_jousts(deed: str) -> bool:
    """Return True if a deed is done to the tabs of jousts."""
    return any(word in deed for word in ("joust", "knight"))


ALONE = ("protect", "rename", "delete flanks", "delete the diary")
"""Deeds after which the write is refused or planned anew whatever else was done."""


def in_twos() -> list[tuple[str, ...]]:
    """Return all deeds: some alone, the others two by two with one of the same ruleset."""
    found: list[tuple[str, ...]] = [(deed,) for deed in sorted(DEEDS) if deed.startswith(ALONE)]
    for is_other in (False, True):
        deeds = [deed for deed in sorted(DEEDS) if is_of_jousts(deed) == is_other and (deed,) not in found]
        half = len(deeds) // 2
        found += zip(deeds[:half], deeds[half : 2 * half], strict=True)
        found += [(deed,) for deed in deeds[2 * half :]]
    return found


@pytest.mark.parametrize("deeds", spread(in_twos(), 2), ids=" and ".join)
def test_people_act_between_the_check_and_the_write(deeds):
    assert violations_of([deeds_at(clean_run().ruling, *deeds)]) == {}


def test_a_person_acts_between_two_requests():
    assert violations_of(sample((deeds_at(at, deed) for at in requests() for deed in sorted(DEEDS)), 3)) == {}


def test_a_person_acts_before_a_late_write_is_carried_out():
    schedules = [
        Schedule(WATCHED, (Event("A", at, "fault", "503", "late", late), Event("A", at + gap, "act", deed)))
        for at, late, gap, deed in itertools.product(requests(), range(1, LATEST + 1), (0, 1), sorted(DEEDS))
    ]
    assert violations_of(sample(schedules, 4)) == {}


def test_another_watcher_polls_between_two_requests():
    schedules = [Schedule(turns, (Event("A", at, "look", "B"),)) for turns in (WATCHED, IN_TURN) for at in requests()]
    assert violations_of(sample(schedules, 4)) == {}


def test_another_watcher_commits_before_a_late_write_is_carried_out():
    schedules = [
        Schedule(
            WATCHED,
            (
                Event("A", at, "fault", "reset", "late", late),
                Event("A", at + 1, "look", "B"),
                Event("A", at + 2, "look", "B"),
            ),
        )
        for at, late in itertools.product(requests(), (1, 4, 8))
    ]
    assert violations_of(sample(schedules, 3)) == {}


def test_anything_happens_at_any_time():
    assert violations_of(map(random_schedule, sample(range(100_000), 5))) == {}


def regressions() -> Mapping[str, Schedule]:
    """Return schedules that once broke the program."""
    write = clean_run().ruling
    return {
        "a commit tried again in the same second left the first one's logs": Schedule(
            WATCHED, (Event("A", write, "fault", "500"),)
        ),
        "a batch that was carried out although Google found its answer's rows no more": Schedule(
            WATCHED, (Event("A", write, "act", "rename nations"),)
        ),
        "a column before the flanks, whose rows have no names": Schedule(
            WATCHED, (Event("A", write, "act", "insert a column before flanks"),)
        ),
        "a write that put another one right was displaced itself": Schedule(
            (
                "A",
                "rename requests",
                "swap nations and leaders",
                "A",
                "tick the last one",
                "mend the refused one",
                "A",
                "A",
            ),
            (
                Event("A", 12, "act", "insert a column among requests"),
                Event("A", 15, "act", "delete the request without an id"),
            ),
        ),
        "a watcher that did not know the tab which another one had added": Schedule(IN_TURN),
        "an id that a person moved as soon as it was given was taken for a displaced one": Schedule(
            ("R",),
            (
                Event("R", 6, "act", "copy the id that was given onto another request"),
                Event("R", 9, "act", "clear the id that was given"),
            ),
        ),
        "a tab under another one's title, so that what had been displaced in it was not seen": Schedule(
            WATCHED,
            (Event("A", write, "act", "insert above nations"), Event("A", write, "act", "swap nations and leaders")),
        ),
        "another war was typed over one that was to be ruled again, and so got an id of its own": Schedule(
            ("A", "A", "move a flank", "choose to rule one again", "edit a year", "A", "A")
        ),
        "a run while titles were exchanged left its word, which the held watcher did not replace": Schedule(
            ("A", "B", "Receipts: the last row is deleted", "A", "B", "B", "B", "B"),
            (
                Event("B", 11, "act", "swap nations and leaders"),
                Event("B", 13, "look", "R"),
                Event("B", 13, "crash"),
            ),
            "wars and jousts",
        ),
        "a stray row, typed while each request that it holds was refused, was never looked at again": Schedule(
            ("A", "delete a leader", "A", "clear an id"), (), "wars and forecasts"
        ),
        "the row of the season was deleted while nothing was ruled yet": Schedule(
            ("A", "A", "Receipts: the last row is deleted"),
            (Event("A", 18, "act", "clear an id"),),
            "wars and forecasts",
        ),
        "a nation with a displaced stability, copied before anybody put it right": Schedule(
            ("R", "copy a nation"),
            (Event("R", 10, "act", "insert a column before nations"), Event("R", 14, "stop")),
        ),
        "an id for a new request that came late, when rows had moved": Schedule(
            WATCHED, (Event("A", 4, "fault", "502", "late", 6), Event("A", 5, "act", "insert above requests"))
        ),
    }


def test_former_failures_stay_fixed():
    assert violations_of(spread(regressions().values(), 1)) == {}
