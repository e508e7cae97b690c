"""Taxes and the bank: the rate, what it brings, and sums that a moderator enters."""

from __future__ import annotations

from decimal import Decimal

from engine.ciais.game import Game
from engine.ciais.records import Player
from engine.ciais.tables import Constants
from engine.ciais.unrest import failed, stir, taxed
from engine.decimals import exact, printed, signed
from engine.explained import Explained, Term


def income(rate: Decimal, constants: Constants) -> Decimal:
    """CI-TAX-01: ¤ in one round, 10 for each per cent (CI-OP-15)."""
    return constants.income_per_percent * rate


def set_tax(game: Game, player: Player, rate: Decimal) -> Player:
    """CI-TAX-02: another rate, once in a round, which this notes."""
    text = f"{printed(exact(player.tax))} → {printed(rate)} %"
    game.say(player.name, "Tax", text, "CI-TAX-02", "tax", rate)
    brings = (
        f"{printed(income(rate, game.constants))} ¤ and {signed(taxed(rate, game.constants).change)} unrest a round"
    )
    game.explained.append(Explained(f"Tax, {player.name}", "CI-TAX-02", float(rate), note=brings))
    return game.change(player, tax=rate, tax_changed_in=player.round)


def adjust_bank(game: Game, player: Player, amount: Decimal) -> Player:
    """A sum more or less in the bank; below 0 it is economic failure (CI-OP-16)."""
    before = exact(player.bank)
    after = before + amount
    text = f"{printed(before)} → {printed(after)} ¤ ({signed(amount)})"
    game.say(player.name, "Bank", text, "CI-OP-16", "bank", after)
    terms = (Term("before", "", float(before)), Term("amount", "", float(amount)))
    game.explained.append(Explained(f"Bank, {player.name}", "CI-OP-16", float(after), terms, "sum"))
    player = game.change(player, bank=after, was_negative=after < 0)
    cause = failed(before, after, game.constants)
    return stir(game, player, (cause,) if cause.change else ())
