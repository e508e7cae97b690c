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
from sheets_algo.ruling.passes import ruler
from sheets_algo.ruling.passes.pass_state import PassState
from sheets_algo.ruling.passes.promise_answers import WaitingRequest
from sheets_algo.ruling.promises.promises import Promises
from sheets_algo.ruling.receipts.receipts import fingerprint_of
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


def test_the_beacon_fails_in_every_way_and_people_edit_between_promise_and_round() -> None:
    schedules = [random_schedule(seed, 40, is_promised=True) for seed in range(60_000, 60_200)]
    assert {turn for schedule in schedules for turn in schedule.turns} >= {*TURNS}
    assert violations_of(sample(schedules, 1)) == {}


EDITED = Schedule(
    (*PROMISED[:3], "edit a size", "a minute passes", *("A", "A", "a minute passes") * 3, "A"), (), "promised wars"
)
AWAY = Schedule(
    (*PROMISED[:3], "the beacon's hosts fail: reset", *["five minutes pass"] * 2, "A", "A"), (), "promised wars"
)
ORIGINAL = ruler.decide


def fallback(own: PassState, *words: Any, **more: Any) -> Draw | WaitingRequest:
    """Decide without the beacon when it is away."""
    found = ORIGINAL(own, *words, **more)
    is_away = isinstance(found, WaitingRequest) and "no host gives" in found.text
    if not is_away:
        return found
    last = Promises(own.receipts).last(words[2])
    assert last is not None
    key, promise = own.context.secret.key_of(words[2]), last.seq
    return Draw(beacon=own.chain.hash, round=1, signature="ab", randomness="cd", promise=promise, key=key)


def keep_any(own: PassState, form: Any, row: Any, id: str, inputs: str, **more: Any) -> Draw | WaitingRequest:
    """Keep the last promise for whatever inputs there are now."""
    last = Promises(own.log.with_new).last(id)
    if last and last.inputs_fingerprint != fingerprint_of(inputs):
        forged = replace(last, inputs=inputs, inputs_fingerprint=fingerprint_of(inputs))
        own.receipts.by_seq[last.seq] = forged  # type: ignore[index]
    return ORIGINAL(own, form, row, id, inputs, **more)


def forget(own: PassState, *words: Any, **more: Any) -> Draw | WaitingRequest:
    """Count no promise that was withdrawn."""
    found = ORIGINAL(own, *words, **more)
    return found if isinstance(found, WaitingRequest) else msgspec.structs.replace(found, before=(), after=())


CARELESS: dict[str, tuple[Callable[..., Any], Schedule, str]] = {
    "that falls back": (fallback, AWAY, "round 1 decided"),
    "that keeps a promise for other inputs": (keep_any, EDITED, "rules other inputs than were promised"),
    "that does not count": (forget, EDITED, "does not count the withdrawn promises"),
}


def test_the_program_as_it_is_does_well_in_their_seasons() -> None:
    assert violations_of([EDITED, AWAY]) == {}


@pytest.mark.parametrize("name", CARELESS)
def test_a_careless_program_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    decide, schedule, says = CARELESS[name]
    monkeypatch.setattr(ruler, "decide", decide)
    found = play_schedule(schedule)
    assert any(says in violation for violation in found), found
