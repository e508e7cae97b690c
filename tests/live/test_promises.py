"""Seasons with beacon luck: a process ends at any request, the beacon fails, and careless programs are noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from scripts.support.live.promised import PROMISED, TURNS
from scripts.support.live.runner import play_schedule
from scripts.support.live.schedules import Event, Schedule, random_schedule
from sheets_algo.ruling.luck.draw import Draw
from sheets_algo.ruling.promises.promises import Promises
from sheets_algo.ruling.receipts.receipts import fingerprint_of
from sheets_algo.ruling.step import Waiting
from sheets_algo.steps.promises.step import PromisesStep
from tests.live.sampling import sample, violations_of

pytestmark = pytest.mark.slow

REQUESTS = range(2, 26)
"""Requests of the first process: it gives an id, promises and rules in them."""


def ended(at: int, end: str) -> Schedule:
    """Return a season in which a process ends at a request; another one goes on, on a computer without its files."""
    fault = (Event("A", at, "fault", "reset", "after"),) if end == "lost" else ()
    ends = Event("A", at + 1, "crash") if end == "lost" else Event("A", at, end)
    turns = tuple("B" if number > 5 and turn == "A" else turn for number, turn in enumerate(PROMISED))
    return Schedule(turns, (*fault, ends), "promised wars")


def test_a_process_ends_at_any_request_and_the_next_one_keeps_its_promises() -> None:
    """The same promise gives the same seed, whoever fetches the round."""
    assert violations_of(sample([ended(at, end) for at in REQUESTS for end in ("crash", "lost")], 1)) == {}


def test_the_beacon_fails_while_people_edit_between_promise_and_round() -> None:
    schedules = [random_schedule(seed, 40, is_promised=True) for seed in range(60_000, 60_200)]
    assert {turn for schedule in schedules for turn in schedule.turns} >= {*TURNS}
    assert violations_of(sample(schedules, 1)) == {}


EDITED = Schedule(
    (*PROMISED[:3], "edit a size", "a minute passes", *("A", "A", "a minute passes") * 3, "A"), (), "promised wars"
)
AWAY = Schedule(
    (*PROMISED[:3], "the beacon's hosts fail: reset", *["five minutes pass"] * 2, "A", "A"), (), "promised wars"
)
ORIGINAL = PromisesStep._decide


def fallback(own: PromisesStep, log: Any, database: Any, request: Any, promises: Promises) -> Draw | Waiting:
    """Decide without the beacon when it is away."""
    found = ORIGINAL(own, log, database, request, promises)
    is_away = isinstance(found, Waiting) and "no host gives" in found.text
    if not is_away:
        return found
    last = promises.last(request.id)
    assert last is not None
    key, promise = own._contents.context.secret.key_of(request.id), last.seq
    return Draw(beacon=own._chain.hash, round=1, signature="ab", randomness="cd", promise=promise, key=key)


def keep_any(own: PromisesStep, log: Any, database: Any, request: Any, promises: Promises) -> Draw | Waiting:
    """Keep the last promise for whatever inputs there are now."""
    last = promises.last(request.id)
    if last and last.inputs_fingerprint != fingerprint_of(request.inputs):
        forged = replace(last, inputs=request.inputs, inputs_fingerprint=fingerprint_of(request.inputs))
        own._contents.receipts.by_seq[last.seq] = forged  # type: ignore[index]
        promises = Promises(log.with_new)
    return ORIGINAL(own, log, database, request, promises)


def forget(own: PromisesStep, *words: Any) -> Draw | Waiting:
    """Count no promise that was withdrawn."""
    found = ORIGINAL(own, *words)
    return found if isinstance(found, Waiting) else msgspec.structs.replace(found, before=(), after=())


CARELESS: dict[str, tuple[Callable[..., Any], Schedule, str]] = {
    "that falls back": (fallback, AWAY, "round 1 decided"),
    "that keeps a promise for other inputs": (keep_any, EDITED, "rules other inputs than were promised"),
    "that does not count": (forget, EDITED, "does not count the withdrawn promises"),
}


def test_the_complete_program_passes_the_seasons_with_promises() -> None:
    assert violations_of([EDITED, AWAY]) == {}


@pytest.mark.parametrize("name", CARELESS)
def test_the_seasons_detect_a_careless_program(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    decide, schedule, says = CARELESS[name]
    monkeypatch.setattr(PromisesStep, "_decide", decide)
    found = play_schedule(schedule)
    assert any(says in violation for violation in found), found
