"""Answers to ready requests in a season with beacon luck: a new promise, or the round of the last one."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from sheets_algo.database.problems import CellRef, Problem, Severity
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import Form
from sheets_algo.ruling.luck.beacon import LATEST, clock_time, unix_seconds
from sheets_algo.ruling.luck.draw import Draw
from sheets_algo.ruling.luck.seeds import commitment
from sheets_algo.ruling.passes.pass_state import PassState
from sheets_algo.ruling.promises.promised_inputs import (
    expected_inputs,
    inputs_without,
    named_changes,
    rule_changes,
    written_since,
)
from sheets_algo.ruling.promises.promises import Promises, counted_by, is_far, needs, promise_text
from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
from sheets_algo.ruling.receipts.receipts import StoredReceipt

GRACE_S = 30
"""Seconds after its time in which a round may be late, or the clock be fast, without a warning."""

PROMISED = "Promised: round {} of the beacon decides it, on {} (receipt {}); it is ruled at the first look after that"
PROMISED_IN = re.compile(r"Promised: round \d+ of the beacon decides it, on [^(]*\(receipt (\d{1,6})\)")
"""The beginning of `PROMISED` in a row, with the number of the promise."""
AWAY = "Promised: round {} of the beacon decides it, and no host gives that round; it is asked for at each look"
UNPROMISED = "No round can be promised, for no host of the beacon gives one that can be used; it is asked at each look"
IN_ORDER = "Promised: round {} of the beacon decides it, after the orders above that wait for their rounds"
FAR = "receipt {} promises round {}, which comes on {}: that is too far away, so another round is promised instead"
FAR_AGAIN = "Nothing is to be done: the receipts count the promise that was dropped"
AGAIN = "Nothing; it is asked again at each look, and nothing else decides"


@dataclass(frozen=True, slots=True)
class WaitingRequest:
    """A request that waits for the beacon."""

    text: str  # Its Message
    until: float  # The time in Unix seconds before which it cannot be ruled


def decide(
    state: PassState,
    form: Form[Any],
    row: Row,
    id: str,
    inputs: str,
    *,
    is_next: bool,
    database: Database,
) -> Draw | WaitingRequest:
    """Return the round that decides a request, or the reason why it waits (LUCK-02, LUCK-03, LUCK-08 to LUCK-10).

    Args:
        inputs: The inputs, serialised.
        is_next: False if an order above it, in a game with turns, must be ruled first.
    """
    promises = Promises(state.log.with_new)
    promise = promises.last(id)
    draw = promise.draw if promise else None
    if promise is None or draw is None:
        return _promise(state, form, row, id, inputs, promises)
    if changes := _changes(state, form, row, inputs, promise, database):
        return _promise(state, form, row, id, inputs, promises, changed=changes)
    due, parties = state.chain.time_of(draw.round), frozenset(draw.parties)
    is_next = is_next and parties.isdisjoint(state.waiting_parties)
    if is_far(state.chain, draw.round, unix_seconds(state.contents.now)):
        made = len(state.promises)
        waiting = _promise(state, form, row, id, inputs, promises, far=(promise.seq,))
        if len(state.promises) > made:
            _warn(state, "LUCK-08", FAR.format(promise.seq, draw.round, clock_time(due)), FAR_AGAIN)
        return waiting
    if unix_seconds(state.contents.now) < due:
        state.waiting_parties |= parties
        return WaitingRequest(PROMISED.format(draw.round, clock_time(due), promise.seq), due)
    state.wanted_rounds.add(draw.round)  # of an order that is not next too: it may be once this look has the others
    if not is_next:
        state.waiting_parties |= parties
        return WaitingRequest(IN_ORDER.format(draw.round), due)
    fetched = state.context.rounds.by_number.get(draw.round) if state.context.rounds else None
    if fetched is None:
        state.waiting_parties |= parties
        if unix_seconds(state.contents.now) < due + GRACE_S:
            return WaitingRequest(PROMISED.format(draw.round, clock_time(due), promise.seq), due)
        _miss(state)
        return WaitingRequest(AWAY.format(draw.round), due)
    return msgspec.structs.replace(
        counted_by(promises, promise, state.chain),
        signature=fetched.signature,
        randomness=fetched.randomness,
        promise=promise.seq,
        key=state.context.secret.key_of(id),
        subject="",
        parties=(),
        needs=(),
        latest=None,
    )


def _changes(
    state: PassState, form: Form[Any], row: Row, inputs: str, promise: StoredReceipt, database: Database
) -> tuple[str, ...]:
    """Return what people have changed since a promise, in words; empty if it holds (LUCK-09)."""
    receipts = state.log.with_new
    rules = rule_changes(promise, state.context.fingerprints[form.ruleset_key], form.ruleset.version)
    written = written_since(receipts, promise.seq, math.inf)
    expected, actual = expected_inputs(form, promise, receipts, math.inf), inputs
    if expected is None or (written and not form.follows_rulings):
        expected, actual = promise.inputs, inputs_without(form, state.contents.snapshot, database, row, written)
    return (*rules, *(named_changes(expected, actual) if actual != expected else ()))


def _promise(
    state: PassState,
    form: Form[Any],
    row: Row,
    id: str,
    inputs: str,
    promises: Promises,
    *,
    far: tuple[int, ...] = (),
    changed: tuple[str, ...] = (),
) -> WaitingRequest:
    """Promise a round that is still to come, by the clock and by the beacon: the clock may be wrong.

    Args:
        far: The promise that it replaces because its round is too far away.
        changed: What people have changed since the promise that it replaces, in words.
    """
    state.wanted_rounds.add(LATEST)
    now, latest = unix_seconds(state.contents.now), state.context.rounds.latest if state.context.rounds else None
    if latest is None:
        _miss(state)
        return WaitingRequest(UNPROMISED, now)
    number = state.chain.round_from(max(now, state.chain.time_of(latest.round)) + state.context.lead_s)
    content = form.deserialize(inputs)
    draw = Draw(  # all that decides (LUCK-09, LUCK-11)
        beacon=state.chain.hash,
        round=number,
        far=far,
        latest=latest,
        key=commitment(state.context.secret.key_of(id)),
        subject=form.subject(content),
        parties=form.parties(content),
        needs=needs(form, content, state.receipts.options),
        changed=changed,
    )
    promise = StoredReceipt(
        seq=state.log.next_seq,
        kind="Promise",
        request=id,
        war=str(row.value("war") or "") if "war" in dict(row.table.columns) else "",
        ruleset=form.key,
        seed_source=draw.text,
        inputs=inputs,
        rules_fingerprint=state.context.fingerprints[form.ruleset_key],
        rules_version=form.ruleset.version,
        time=state.contents.now,
    )
    draw = msgspec.structs.replace(draw, **{"far": (), **promises.others(promise, state.chain)})
    promise = replace(promise, seed_source=draw.text)
    promise = replace(promise, wiki=promise_text(promise, state.chain))
    state.promises.append(state.log.append(promise))
    due = state.chain.time_of(number)
    return WaitingRequest(PROMISED.format(number, clock_time(due), promise.seq), due)


def _miss(state: PassState) -> None:
    """Note that the beacon gave no round (LUCK-05)."""
    if state.context.rounds and not any(problem.id == "LUCK-05" for problem in state.beacon_problems):
        _warn(state, "LUCK-05", state.context.rounds.trouble or "the beacon does not give the round yet", AGAIN)


def _warn(state: PassState, id: str, says: str, allowed: str) -> None:
    cell = CellRef(ReceiptRow.tab.name)
    state.beacon_problems.append(Problem(cell=cell, says=says, allowed=allowed, id=id, severity=Severity.WARNING))
