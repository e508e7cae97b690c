"""Rulings in force, and wars that have ended since the last year, by the receipts (YRS-01)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sheets_algo.forms.capabilities import EndedWar, PastRuling, YearlyForm
from sheets_algo.ruling.receipts.receipt_inputs import WarSides
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt

SIDES = ("Side A", "Side B")


def last_year(form: YearlyForm[Any], receipts: Receipts) -> tuple[StoredReceipt, int] | None:
    """Return the ruling in force of the last year, with the year; None before the first one."""
    years = (ruling for ruling in reversed(receipts.rulings) if ruling.ruleset == form.key)  # they end in order
    last = next((ruling for ruling in years if not receipts.is_undone(ruling)), None)
    return None if last is None else (last, form.year_of(last.inputs))


def past_rulings(
    receipts: Receipts, last: StoredReceipt | None, is_of_ruleset: Callable[[str], bool]
) -> Iterator[PastRuling]:
    """Yield the rulings in force of a ruleset, and the edits of people, in order.

    Args:
        last: The ruling of the last year.
        is_of_ruleset: Returns True for the key of a form of the ruleset.
    """
    for receipt in receipts.by_seq.values():
        if receipt.kind not in ("Ruling", "Edits") or not is_of_ruleset(receipt.ruleset):
            continue
        if receipt.kind == "Ruling" and receipts.is_undone(receipt):
            continue
        yield PastRuling(
            form=receipt.ruleset if receipt.kind == "Ruling" else "",
            inputs=receipt.inputs,
            winner=receipt.winner,
            casualties=receipt.figures.casualties,
            changes=tuple((change.cell, change.before) for change in receipt.changes),
            is_new=last is None or receipt.seq > last.seq,
        )


def ended_wars(receipts: Receipts, last: StoredReceipt | None) -> Iterator[EndedWar]:
    """Yield the wars whose end was typed since the last year; later changes of the terms do not count."""
    for declared in receipts.sides.values():
        ended: tuple[StoredReceipt, WarSides] | None = None
        for receipt, sides in declared:
            ended = (ended or (receipt, sides)) if sides.winner else None
        if ended is None or (last is not None and ended[0].seq < last.seq):
            continue
        sides = declared[-1][1]
        one, other = (tuple(dict.fromkeys(member.name for member in side)) for side in (sides.a, sides.b))
        winners, losers = (other, one) if sides.winner == SIDES[1] else (one, other)
        is_won, war = sides.winner in SIDES, declared[-1][0].war
        yield EndedWar(war=war, winners=winners, losers=losers, is_won=is_won, terms=sides.terms)
