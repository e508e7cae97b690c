"""Problems of promises and of the luck of rulings that receipts show (LUCK-06)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from sheets_algo.forms.base import Form
from sheets_algo.ruling.luck.beacon import Round, unix_seconds
from sheets_algo.ruling.luck.draw import Draw, SeasonLuck, commitment
from sheets_algo.ruling.promises.promised_inputs import InputDifferences, input_differences, rule_changes
from sheets_algo.ruling.promises.promises import LEAD_S, Promises, counted_by, needs
from sheets_algo.ruling.receipts.chain import keyed_seed
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt


def beacon_problems(
    ruling: StoredReceipt, promises: Promises, luck: SeasonLuck, form: Form[Any] | None = None
) -> Iterator[str]:
    """Yield the problems of a ruling's round and promise, as far as receipts show them (LUCK-06).

    Args:
        form: The form of the ruling; None if the workbook lacks its tab.
    """
    draw, chain = ruling.draw, luck.chain
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
    promised = promise.draw if promise else None
    if promise is None or promised is None or promise.seq != draw.promise:
        yield f"receipt {draw.promise} is not the last promise of {ruling.request} before the ruling"
        return
    if (promised.beacon, promised.round) != (draw.beacon, draw.round):
        yield f"receipt {promise.seq} promised round {promised.round}, and round {draw.round} decided"
    yield from _binding_problems(ruling, draw, promise, promised, promises, form)
    made = max(unix_seconds(promise.time), chain.time_of(promised.latest.round) if promised.latest else 0.0)
    if made >= chain.time_of(promised.round):
        yield f"receipt {promise.seq} is not older than its round"
    elif made > chain.time_of(promised.round) - LEAD_S:
        yield f"receipt {promise.seq} promises a round that comes in less than {LEAD_S} seconds"
    counted, written = counted_by(promises, promise, chain, ruling.seq).counted(), draw.counted()
    if counted != written:
        yield f"the receipt counts: {written} It comes to: {counted}"


def _binding_problems(
    ruling: StoredReceipt,
    draw: Draw,
    promise: StoredReceipt,
    promised: Draw,
    promises: Promises,
    form: Form[Any] | None,
) -> Iterator[str]:
    """Yield the differences of a ruling from the commitment in its promise (LUCK-09, LUCK-11)."""
    if commitment(draw.key) != promised.key or not promised.key:
        yield f"its key is not the one that receipt {promise.seq} commits to"
    elif keyed_seed(draw, promises.receipts) != ruling.seed:
        yield "the seed is not the one that its key, the promised inputs and the round give"
    if changes := rule_changes(promise, ruling.rules_fingerprint, ruling.rules_version):
        yield f"receipt {promise.seq} promised a round for other rules: {'; '.join(changes)}"
    if form is None:
        return
    if changes := _differences(form, promise, ruling, promises).unexplained:
        yield f"receipt {promise.seq} promised a round for other inputs: {'; '.join(changes)}"


def _differences(
    form: Form[Any], promise: StoredReceipt, receipt: StoredReceipt, promises: Promises
) -> InputDifferences:
    """Return the differences of a receipt's inputs from those of an earlier promise."""
    cells = receipt.figures.cells
    return input_differences(form, promise, receipt.inputs, cells, promises.receipts, receipt.seq)


def derived_inputs(ruling: StoredReceipt, promises: Promises, form: Form[Any] | None) -> str:
    """Return the inputs that differ from the promise and follow from written rows (LUCK-09); blank for none.

    Lists of what is near, say: no receipt has them, so that they are named and not checked.
    """
    promise = promises.last(ruling.request, ruling.seq)
    if form is None or promise is None:
        return ""
    return "; ".join(_differences(form, promise, ruling, promises).derived)


def promise_problems(promises: Promises, forms: Mapping[str, Form[Any]]) -> Iterator[str]:
    """Yield missing or wrong contents of a promise, kept or not, in sentences (LUCK-06, LUCK-09)."""
    receipts = promises.receipts
    for promise in receipts.promises:
        draw, form, name = promise.draw, forms.get(promise.ruleset), f"Receipt {promise.seq} ({promise.request})"
        if draw is None or promise.inputs_fingerprint != promise.fingerprint:
            yield f"{name} does not promise a round for the inputs whose fingerprint it has."
            continue
        if draw.latest is None:
            yield f"{name} does not have the latest round that the beacon had published."
        elif trouble := draw.latest.trouble(receipts.luck.chain):
            yield f"{name} does not have a genuine round as the beacon's latest: {trouble}."
        if form is None:
            continue
        with suppress(ValueError):  # a map that is not here: no more is known then
            inputs = form.deserialize(promise.inputs)
            bound = form.subject(inputs), form.parties(inputs), needs(form, inputs, receipts.options)
            if bound != (draw.subject, draw.parties, draw.needs):
                yield f"{name} names another war, or other parties, than its inputs have."
        before = promises.last(promise.request, promise.seq)
        if before is not None:
            rules = rule_changes(before, promise.rules_fingerprint, promise.rules_version)
            changes = (*rules, *_differences(form, before, promise, promises).unexplained)
            if changes != draw.changed:
                text = "; ".join(changes) or "nothing"
                yield f"{name} does not say what was changed since receipt {before.seq}: {text}."


def rounds_of(receipts: Receipts) -> Iterator[Round]:
    """Yield the rounds that decided rulings, and the latest rounds named in promises."""
    for receipt in receipts.by_seq.values():
        if draw := receipt.draw:
            yield from filter(None, (draw.latest, draw.fetched if draw.signature else None))


def lost_promise(ruling: StoredReceipt, promises: Promises) -> int | None:
    """Return the number of a ruling's promise if it is lost or no longer a promise; else None."""
    draw = ruling.draw
    if draw is None:
        return None
    named = promises.receipts.by_seq.get(draw.promise)
    return draw.promise if named is None or named.kind != "Promise" else None
