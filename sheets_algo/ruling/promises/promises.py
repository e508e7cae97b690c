"""Promises: receipts that tie a request to a future round of a beacon, and the rulings that keep them.

A request of a season with beacon luck is promised before it is ruled: a receipt of kind Promise names a future round
(LUCK-02). Only that round may decide it. A change of the request leads to another promise, and each ruling counts the
broken ones (LUCK-04).
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from engine.columns import loosely
from engine.receipt import SeasonOptions, on_one_line, without_markup
from sheets_algo.database.grouping import grouped
from sheets_algo.database.problems import shorten_list
from sheets_algo.forms.base import Form
from sheets_algo.ruling.luck.beacon import FAST_S, Chain, beacon_name, unix_seconds
from sheets_algo.ruling.luck.draw import Cell, Draw
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt, fingerprint_of
from sheets_algo.ruling.requests.overrides import decisions_of

LEAD_S = 300
"""Minimum number of seconds from a promise to the round that it names; Google's version history shows minutes."""
FARTHEST_S = 2 * FAST_S
"""Maximum seconds from now to the round of a promise; one for a later round is dropped (LUCK-08).

An honest promise is for a round within minutes of the clock or of the beacon, which may be `FAST_S` ahead.
"""


PROMISED = "Promised: round {} of the beacon decides it, on {} (receipt {}); it is ruled at the first look after that"
PROMISED_IN = re.compile(r"Promised: round \d+ of the beacon decides it, on [^(]*\(receipt (\d{1,6})\)")
"""The beginning of `PROMISED` in a row, with the number of the promise."""

COUNTED = ("before", "after", "far", "void", "open", "undone")
"""The lists of a `Draw` that count other promises of the same war."""
ORDERED = ("again", "passed", "elsewhere", "overdue", "later", "unordered")
"""The lists that count promises and rulings out of order (LUCK-10)."""
CHANGES_TOLD = 5
"""Maximum number of promises whose changes a receipt names."""


def is_far(chain: Chain, round: int, now: float) -> bool:
    """Return True if a round is too far from a time in Unix seconds for a promise (LUCK-08)."""
    return chain.time_of(round) - now > FARTHEST_S


@dataclass(frozen=True)
class Promises:
    """The promises of a season, and the fate of each."""

    receipts: Receipts  # The receipts of the workbook

    @functools.cached_property
    def _by_request(self) -> Mapping[str, list[StoredReceipt]]:
        return grouped((loosely(promise.request), promise) for promise in self.receipts.promises)

    @functools.cached_property
    def _by_war(self) -> Mapping[tuple[str, str], list[StoredReceipt]]:
        return grouped(
            ((promise.ruleset, mark), promise) for promise in self.receipts.promises for mark in _marks(promise)
        )

    @functools.cached_property
    def _kept(self) -> Mapping[int, StoredReceipt]:
        """Return the ruling that kept each promise, by the promise's number."""
        draws = ((ruling.draw, ruling) for ruling in self.receipts.rulings)
        return {draw.promise: ruling for draw, ruling in draws if draw}

    @functools.cached_property
    def _by_subject(self) -> Mapping[tuple[str, str], list[StoredReceipt]]:
        """Return the rulings that kept promises, by the subject of the promise, if it has one."""
        promises = ((self.receipts.by_seq.get(number), ruling) for number, ruling in self._kept.items())
        subjects = ((_subject(promise), ruling) for promise, ruling in promises if promise)
        return grouped((subject, ruling) for subject, ruling in subjects if subject[1])

    @functools.cached_property
    def _unordered(self) -> tuple[int, ...]:
        """Return the rulings that came after a ruling with a later promise."""
        numbers, last = [], 0
        for number, ruling in sorted(self._kept.items(), key=lambda kept: kept[1].seq):
            if number < last:
                numbers.append(ruling.seq)
            last = max(last, number)
        return tuple(numbers)

    def last(self, request: str, before: int | None = None) -> StoredReceipt | None:
        """Return the last promise of a request, or the last before a receipt."""
        return _last_before(self._by_request.get(loosely(request), ()), math.inf if before is None else before)

    def others(self, promise: StoredReceipt, chain: Chain, before: float = math.inf) -> dict[str, tuple[int, ...]]:
        """Return the fates of the other promises of a war, as the lists of `Draw`, before a receipt was written.

        It is the same war if the id is the same, or the inputs, or the name; but not if a ruling of it is in force.

        Args:
            promise: The promise of the war that counts.
            before: The number of the receipt in which it is counted; later ones are left out.
        """
        lists: dict[str, list[int]] = {name: [] for name in COUNTED}
        for other in self._of_war(promise, before):
            ruling = self._kept_by(other, before)
            following = [*self._by_request[loosely(other.request)], promise]
            # The promise that counts may have another id: it is the same war, but does not replace the other promise.
            later = (item for item in following if other.seq < item.seq <= before)
            next_ = next((item for item in later if loosely(item.request) == loosely(other.request)), None)
            death = None if ruling else self._death(other, next_.seq if next_ else before)
            fate = "undone" if ruling else "void" if death else self._fate(other, next_, chain)
            lists[fate].append((ruling or death or other).seq)
        return {name: tuple(numbers) for name, numbers in lists.items() if numbers}

    def in_disorder(self, promise: StoredReceipt, chain: Chain, before: float = math.inf) -> dict[str, tuple[int, ...]]:
        """Return promises and rulings out of order, as lists of `Draw`.

        Requests of other parties count too: their rulings may affect this one through a third, and a war that is typed
        again under other names has other parties.

        Args:
            promise: The promise of the request that counts.
            before: The number of the receipt in which it is counted; later ones are left out.
        """
        draw, key = promise.draw, loosely(promise.request)
        assert draw is not None
        lists: dict[str, list[int]] = {name: [] for name in ORDERED}
        same = {other.seq for other in self._of_war(promise, before)}
        others = (promises for request, promises in self._by_request.items() if request != key)
        for earlier in filter(None, (_last_before(promises, promise.seq) for promises in others)):
            is_passed = earlier.seq not in same and self._is_passed(earlier, promise, before)
            if is_passed and not self._is_settled(earlier, promise, draw, chain, before):
                lists["passed" if _shares(earlier, draw) else "elsewhere"].append(earlier.seq)
        for number, ruling in self._kept.items():
            other = self.receipts.by_seq.get(number)
            kept = other.draw if other else None
            if other is None or kept is None or loosely(ruling.request) == key or ruling.seq >= before:
                continue
            is_undone = self.receipts.undone.get(ruling.seq, before) < before
            if draw.subject and (other.ruleset, kept.subject) == (promise.ruleset, draw.subject) and not is_undone:
                lists["again"].append(ruling.seq)
            is_between = promise.seq < ruling.seq and _shares(other, draw)
            if is_between and number > promise.seq:
                lists["later"].append(ruling.seq)
            elif is_between and _is_long_before(kept, draw, chain):
                lists["overdue"].append(ruling.seq)
            elif promise.seq < ruling.seq and ruling.seq in self._unordered:
                lists["unordered"].append(ruling.seq)
        return {name: tuple(sorted(numbers)) for name, numbers in lists.items() if numbers}

    def _is_passed(self, other: StoredReceipt, promise: StoredReceipt, before: float) -> bool:
        """Return True if another request with an earlier promise should have been ruled before, but was not.

        A withdrawn promise counts, whatever the time of its next one, since clocks can be set. So does one whose ruling
        was undone and not repeated; but not one that cannot be kept (LUCK-13).
        """
        ruling = self._kept.get(other.seq)
        if ruling is None or ruling.seq >= before:
            return self._death(other, before) is None
        undone = self.receipts.undone.get(ruling.seq, math.inf)
        return undone < before and (promise.seq < undone or not self._stands(other.request, before))

    def _death(self, promise: StoredReceipt, before: float) -> StoredReceipt | None:
        """Return the ruling that made a promise impossible to keep, before a receipt was written (LUCK-13).

        It has killed a leader of the promised request, in the order of the promises, by luck alone: a decision could
        have been chosen.
        """
        draw = promise.draw
        for cell in draw.needs if draw else ():
            for ruling, kept in self._by_cell.get(cell, ()):
                is_in_order = kept.promise < promise.seq < ruling.seq < before
                is_by_luck = not (ruling.figures.people or ruling.figures.origins)
                if is_in_order and is_by_luck and self.receipts.undone.get(ruling.seq, math.inf) >= before:
                    return ruling
        return None

    @functools.cached_property
    def _by_cell(self) -> Mapping[Cell, list[tuple[StoredReceipt, Draw]]]:
        """Return the rulings that have written a value into each cell, with their draws."""
        return grouped(
            (change.cell, (ruling, draw))
            for ruling in self.receipts.rulings
            if (draw := ruling.draw)
            for change in ruling.changes
            if change.after
        )

    def _is_settled(
        self, other: StoredReceipt, promise: StoredReceipt, draw: Draw, chain: Chain, before: float
    ) -> bool:
        """Return True if a ruling in force named another promise of its war before a promise was made (LUCK-10).

        The other round must be so much earlier that the receipt of a late ruling would report it.
        """
        kept, ruling = other.draw, self._kept.get(other.seq)
        if kept is None or not _is_long_before(kept, draw, chain):
            return False
        draws = (
            settling.draw
            for settling in self._by_subject.get(_subject(other), ())
            if settling.seq < promise.seq and self.receipts.undone.get(settling.seq, math.inf) >= before
        )
        return any(item and (other.seq in item.open or (ruling and ruling.seq in item.undone)) for item in draws)

    def changes(self, promise: StoredReceipt, before: float = math.inf) -> tuple[str, ...]:
        """Return people's changes between the promises of a war, in words."""
        promises = [*self._of_war(promise, before), promise]
        texts = ["; ".join(draw.changed) for item in promises if (draw := item.draw) and draw.changed]
        return shorten_list(texts, CHANGES_TOLD, "and {:,} more")

    def summary(self) -> str:
        """Return a sentence that counts the season's promises by fate."""
        chain = self.receipts.luck.chain
        counts = {"kept": len(self._kept), "before": 0, "after": 0, "far": 0, "void": 0, "open": 0}
        for promises in self._by_request.values():
            for promise, next_ in zip(promises, [*promises[1:], None], strict=True):
                if promise.seq not in self._kept:
                    death = self._death(promise, next_.seq if next_ else math.inf)
                    counts["void" if death else self._fate(promise, next_, chain)] += 1
        dropped = f" {counts['far']:,} dropped, for a round too far away," if counts["far"] else ""
        dropped += f" {counts['void']:,} that could not be kept, as a leader was killed," if counts["void"] else ""
        return (
            f"Promises: {counts['kept']:,} kept, {counts['before']:,} withdrawn before their round, {counts['after']:,}"
            f" after,{dropped} {counts['open']:,} open."
        )

    def _fate(self, promise: StoredReceipt, next_: StoredReceipt | None, chain: Chain) -> str:
        """Return the fate of a broken promise, whether or not another one of the request followed.

        A clock can be set back: a withdrawal was before the round only if the latest round in the following promise is
        earlier too.
        """
        draw = promise.draw
        if next_ is None or draw is None:
            return "open"
        following = next_.draw
        is_out = not following or following.latest is None or following.latest.round >= draw.round
        if is_out or unix_seconds(next_.time) >= chain.time_of(draw.round):
            return "after"
        assert following is not None
        is_dropped = promise.seq in following.far and is_far(chain, draw.round, unix_seconds(next_.time))
        return "far" if is_dropped else "before"

    def _of_war(self, promise: StoredReceipt, before: float) -> list[StoredReceipt]:
        """Return the other promises of a war, unless a ruling of it was in force before a receipt."""
        request = loosely(promise.request)
        by_seq = {other.seq: other for other in self._by_request.get(request, ())}
        for mark in _marks(promise):
            for other in self._by_war.get((promise.ruleset, mark), ()):
                if loosely(other.request) == request or not self._stands(other.request, before):
                    by_seq[other.seq] = other
        return [other for seq, other in sorted(by_seq.items()) if seq < before and seq != promise.seq]

    def _stands(self, request: str, before: float) -> bool:
        ruling, undo = self.receipts.ruling_of(request), self.receipts.undo_of(request)
        return bool(ruling and ruling.seq < before and not (undo and ruling.seq < undo.seq < before))

    def _kept_by(self, promise: StoredReceipt, before: float) -> StoredReceipt | None:
        ruling = self.receipts.ruling_of(promise.request)
        draw = ruling.draw if ruling else None
        return ruling if ruling and draw and ruling.seq < before and draw.promise == promise.seq else None


def promise_text(promise: StoredReceipt, chain: Chain) -> str:
    """Return a promise in sentences, for its receipt."""
    draw = promise.draw
    assert draw is not None
    decided = "; ".join(decision.text for decision in decisions_of(promise).rows)
    held = f" Decided by a moderator: {without_markup(on_one_line(decided))}." if decided else ""
    return f"Round {draw.round} of {beacon_name(chain)} decides this request. {draw.counted(without_markup)}{held}"


def counted_by(promises: Promises, promise: StoredReceipt, chain: Chain, before: float = math.inf) -> Draw:
    """Return a promise's draw with all counts of its ruling (LUCK-04, LUCK-09, LUCK-10).

    Args:
        before: The number of the ruling; later receipts are left out.
    """
    draw = promise.draw
    assert draw is not None
    lists: dict[str, Any] = {**dict.fromkeys((*COUNTED, *ORDERED), ()), **promises.others(promise, chain, before)}
    lists |= promises.in_disorder(promise, chain, before) | {"changed": promises.changes(promise, before)}
    return msgspec.structs.replace(draw, **lists)


def needs(form: Form[Any], inputs: Any, options: SeasonOptions) -> tuple[Cell, ...]:
    """Return the leaders who must be alive for a ruling; none in a season that only warns (LDR-11)."""
    return form.leaders(inputs) if options.dead_leaders == "refuse" else ()


def _is_long_before(one: Draw, other: Draw, chain: Chain) -> bool:
    """Return True if a round was published before another promise could be made."""
    return chain.time_of(one.round) < chain.time_of(other.round) - LEAD_S


def _subject(promise: StoredReceipt) -> tuple[str, str]:
    draw = promise.draw
    return promise.ruleset, draw.subject if draw else ""


def _marks(promise: StoredReceipt) -> list[str]:
    """Return the texts that identify the war of a promise."""
    draw = promise.draw
    subject = [f"subject {draw.subject}"] if draw and draw.subject else []
    return [fingerprint_of(promise.inputs), *([f"war {loosely(promise.war)}"] if promise.war else []), *subject]


def _last_before(promises: Sequence[StoredReceipt], before: float) -> StoredReceipt | None:
    return next((promise for promise in reversed(promises) if promise.seq < before), None)


def _shares(promise: StoredReceipt, draw: Draw) -> bool:
    """Return True if two promises share a party."""
    other = promise.draw
    return other is not None and not {*other.parties}.isdisjoint(draw.parties)
