"""Result of a ruling, in the words of its receipt or in a sentence."""

from __future__ import annotations

from sheets_algo.pages.receipt_markup import read_receipt
from sheets_algo.pages.site_page import shortened_name
from sheets_algo.season.records import RulingRecord
from sheets_algo.season.standings import SIDES
from sheets_algo.site.paging import NAME


def account_of(ruling: RulingRecord) -> tuple[str, ...]:
    """Return headline and sentences of the account of a receipt; none if the rules have none."""
    return read_receipt(ruling.receipt).account


def winner_of(ruling: RulingRecord) -> str:
    """Return the nation that won; the side if the rules have no nations, blank without a winner."""
    return dict(zip(SIDES, (ruling.attacker, ruling.defender), strict=True)).get(ruling.winner, "") or ruling.winner


def leader_of(ruling: RulingRecord) -> str:
    """Return the first nation of the winning side (R-130); blank without a winner, or without nations."""
    sides = dict(zip(SIDES, ruling.nations, strict=True))
    return next(iter(sides.get(ruling.winner, ())), "")


def result_of(ruling: RulingRecord) -> str:
    """Return winner and loser in a sentence."""
    attacker, defender = (shortened_name(name, NAME) for name in (ruling.attacker, ruling.defender))
    if not (attacker and defender):
        return f"Ruled by {ruling.ruleset}."
    if ruling.winner not in SIDES:
        return f"{attacker} against {defender}: nobody won."
    won, lost = (attacker, defender) if ruling.winner == SIDES[0] else (defender, attacker)
    return f"{won} won against {lost}."


def summary_of(ruling: RulingRecord) -> str:
    """Return the result of a ruling: headline and first sentence of its account, otherwise the winner, or its items."""
    if account := account_of(ruling):
        return " ".join(account[:2])
    if ruling.attacker and ruling.defender:
        return result_of(ruling)
    blocks = read_receipt(ruling.receipt).blocks
    return "; ".join(f"{line.label}: {line.text}" for block in blocks for line in block.lines)
