"""Promises: receipts that tie a request to a future round of a beacon, and the rulings that keep them.

A request of a season with beacon luck is promised before it is ruled: a receipt of kind Promise names a round that is
still to come (LUCK-02). Only that round may decide it. Whoever changes the request meanwhile gets another promise, and
each ruling counts those that were not kept (LUCK-04).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from engine.columns import loosely
from sheets_algo.ruling.beacon import FAST_S, QUICKNET, Chain, clock_time, unix_seconds
from sheets_algo.ruling.draw import DRAW, Draw, SeasonLuck
from sheets_algo.ruling.receipts import Receipts, StoredReceipt, fingerprint_of

Key = TypeVar("Key", str, tuple[str, str])

LEAD_S = 60
"""Fewest seconds from a promise to the round that it names."""
FARTHEST_S = 2 * FAST_S
"""Most seconds from now to the round of a promise; one for a later round is dropped (LUCK-08).

An honest promise is for a round within a minute or two of the clock or of the beacon, which may be `FAST_S` ahead.
"""


COUNTED = ("before", "after", "far", "moved", "meanwhile", "open", "undone")
"""The lists of a `Draw` in which other promises are counted."""


def is_far(chain: Chain, round: int, now: float) -> bool:
    """Return True if a round is further away from a time in Unix seconds than that of a promise may be (LUCK-08)."""
    return chain.time_of(round) - now > FARTHEST_S


def draw_of(receipt: StoredReceipt | None) -> Draw | None:
    """Return the round that a promise or ruling names; None if it names none, or cannot be read."""
    try:
        return DRAW.decode(receipt.seed_source) if receipt and receipt.seed_source.startswith("{") else None
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None


@dataclass(frozen=True)
class Promises:
    """The promises of a season, and what became of each.

    Args:
        receipts: The receipts of the workbook.
    """

    receipts: Receipts

    @functools.cached_property
    def _by_request(self) -> Mapping[str, list[StoredReceipt]]:
        return _grouped((loosely(promise.request), promise) for promise in self.receipts.of_kind("Promise"))

    @functools.cached_property
    def _by_war(self) -> Mapping[tuple[str, str], list[StoredReceipt]]:
        return _grouped(
            ((promise.ruleset, mark), promise)
            for promise in self.receipts.of_kind("Promise")
            for mark in _marks(promise)
        )

    @functools.cached_property
    def _rulings(self) -> tuple[int, ...]:
        return tuple(ruling.seq for ruling in self.receipts.of_kind("Ruling"))

    def last(self, request: str, before: int | None = None) -> StoredReceipt | None:
        """Return the last promise of a request, or the last before a receipt."""
        found = self._by_request.get(loosely(request), ())
        return next((promise for promise in reversed(found) if before is None or promise.seq < before), None)

    def others(self, promise: StoredReceipt, chain: Chain, before: float = math.inf) -> dict[str, tuple[int, ...]]:
        """Return what became of the other promises of a war, as the lists of `Draw`, before a receipt was written.

        It is the same war if the id is the same, or the inputs, or the name; but not if a ruling of it stands.

        Args:
            promise: The promise of the war that counts.
            chain: The chain of the season.
            before: The number of the receipt in which it is counted; later ones are left out.
        """
        found: dict[str, list[int]] = {name: [] for name in COUNTED}
        for other in self._of_war(promise, before):
            ruling = self._kept_by(other, before)
            following = [*self._by_request[loosely(other.request)], promise]
            next_ = next((item for item in following if other.seq < item.seq <= before and _is_of(item, other)), None)
            fate = "undone" if ruling else self._fate(other, next_, chain)
            found[fate].append(ruling.seq if ruling else other.seq)
            if fate == "after" and next_ and any(other.seq < seq < next_.seq for seq in self._rulings):
                found["meanwhile"].append(other.seq)
        return {name: tuple(numbers) for name, numbers in found.items() if numbers}

    def summary(self) -> str:
        """Return what became of all promises of the season, in a sentence."""
        chain = self.receipts.luck.chain
        kept = {draw.promise for draw in map(draw_of, self.receipts.of_kind("Ruling")) if draw}
        found = {"kept": len(kept), "before": 0, "after": 0, "far": 0, "moved": 0, "open": 0}
        for promises in self._by_request.values():
            for promise, next_ in zip(promises, [*promises[1:], None], strict=True):
                if promise.seq not in kept:
                    found[self._fate(promise, next_, chain)] += 1
        dropped = f" {found['far']:,} dropped, for a round too far away," if found["far"] else ""
        return (
            f"Promises: {found['kept']:,} kept, {found['before']:,} withdrawn before their round, {found['after']:,}"
            f" after,{dropped} {found['moved']:,} replaced when another ruling changed their inputs,"
            f" {found['open']:,} open."
        )

    def _fate(self, promise: StoredReceipt, next_: StoredReceipt | None, chain: Chain) -> str:
        """Return what became of a promise that was not kept, if another of the same request followed it or none."""
        draw, following = draw_of(promise), draw_of(next_)
        if next_ is None or draw is None:
            return "open"
        rulings = (self.receipts.by_seq[seq] for seq in self._rulings if promise.seq < seq < next_.seq)
        if following and promise.seq in following.moved and any(ruling.time == next_.time for ruling in rulings):
            return "moved"
        if following and promise.seq in following.far and is_far(chain, draw.round, unix_seconds(next_.time)):
            return "far"
        return "before" if unix_seconds(next_.time) < chain.time_of(draw.round) else "after"

    def _of_war(self, promise: StoredReceipt, before: float) -> list[StoredReceipt]:
        """Return the other promises of a war, unless a ruling of it stood before a receipt."""
        own = loosely(promise.request)
        found = {other.seq: other for other in self._by_request.get(own, ())}
        for mark in _marks(promise):
            for other in self._by_war.get((promise.ruleset, mark), ()):
                if loosely(other.request) == own or not self._stands(other.request, before):
                    found[other.seq] = other
        return [other for seq, other in sorted(found.items()) if seq < before and seq != promise.seq]

    def _stands(self, request: str, before: float) -> bool:
        ruling, undo = self.receipts.ruling_of(request), self.receipts.undo_of(request)
        return bool(ruling and ruling.seq < before and not (undo and ruling.seq < undo.seq < before))

    def _kept_by(self, promise: StoredReceipt, before: float) -> StoredReceipt | None:
        """Return the ruling that kept a promise before a receipt."""
        ruling = self.receipts.ruling_of(promise.request)
        draw = draw_of(ruling)
        return ruling if ruling and draw and ruling.seq < before and draw.promise == promise.seq else None


def promise_text(promise: StoredReceipt, chain: Chain) -> str:
    """Return a promise in sentences, for its receipt."""
    draw = draw_of(promise)
    assert draw is not None
    return f"Round {draw.round} of {beacon_name(chain)} decides this request. {draw.counted()}"


def luck_lines(ruling: StoredReceipt, luck: SeasonLuck) -> str:
    """Return the lines by which a ruling's receipt says what decided its luck, blank without a beacon (LUCK-04)."""
    draw, chain = draw_of(ruling), luck.chain
    if draw is None:
        return ""
    name = beacon_name(chain)
    said = (
        f"Decided by round {draw.round} of {name} ({clock_time(chain.time_of(draw.round))}), promised in receipt"
        f" {draw.promise}. {draw.counted()}"
    )
    return f"\n=== Luck ===\n* {said}"


def beacon_name(chain: Chain) -> str:
    """Return the name of a beacon for people."""
    if chain == QUICKNET:
        return "the beacon drand quicknet"
    return f"the beacon {chain.hash[:12]}... (not drand quicknet)"


def beacon_problems(ruling: StoredReceipt, promises: Promises, luck: SeasonLuck) -> Iterator[str]:
    """Yield what is wrong with the round of a ruling and its promise, as far as anybody can tell (LUCK-06)."""
    draw, chain = draw_of(ruling), luck.chain
    if draw is None:
        if luck.is_beacon:
            yield "it names no round, though the season has beacon luck"
        return
    if not luck.is_beacon:
        yield "it names a round of a beacon, though the season has secret luck"
        return
    if draw.beacon != chain.hash:
        yield f"its beacon {draw.beacon[:12]}... is not the season's"
    if trouble := draw.fetched.trouble(chain):
        yield trouble
    if lost_promise(ruling, promises) is not None:
        return
    promise = promises.last(ruling.request, ruling.seq)
    promised = draw_of(promise)
    if promise is None or promised is None or promise.seq != draw.promise:
        yield f"receipt {draw.promise} is not the last promise of {ruling.request} before the ruling"
        return
    if (promised.beacon, promised.round) != (draw.beacon, draw.round):
        yield f"receipt {promise.seq} promised round {promised.round}, and round {draw.round} decided"
    if promise.inputs_fingerprint != fingerprint_of(ruling.inputs):  # decisions change no luck (OVR-13)
        yield f"receipt {promise.seq} promised a round for other inputs"
    if unix_seconds(promise.time) >= chain.time_of(promised.round):
        yield f"receipt {promise.seq} is not older than its round"
    others = promises.others(promise, chain, ruling.seq)
    counted = msgspec.structs.replace(promised, **dict.fromkeys(COUNTED, ()))
    found, written = msgspec.structs.replace(counted, **others).counted(), draw.counted()
    if found != written:
        yield f"the receipt counts: {written} It comes to: {found}"


def lost_promise(ruling: StoredReceipt, promises: Promises) -> int | None:
    """Return the number of the promise that a ruling names, if it is gone or no promise any more; else None."""
    draw = draw_of(ruling)
    if draw is None:
        return None
    named = promises.receipts.by_seq.get(draw.promise)
    return draw.promise if named is None or named.kind != "Promise" else None


def _is_of(later: StoredReceipt, earlier: StoredReceipt) -> bool:
    return loosely(later.request) == loosely(earlier.request)


def _marks(promise: StoredReceipt) -> list[str]:
    """Return the texts by which a promise is known to be of the same war."""
    return [promise.inputs_fingerprint, *([f"war {loosely(promise.war)}"] if promise.war else [])]


def _grouped(pairs: Iterable[tuple[Key, StoredReceipt]]) -> dict[Key, list[StoredReceipt]]:
    groups: dict[Key, list[StoredReceipt]] = {}
    for key, receipt in pairs:
        groups.setdefault(key, []).append(receipt)
    return groups
