"""Taxes and the bank: the rate, its income, and amounts that a moderator enters."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

from engine.calculation import stated
from engine.ciais.game import Game
from engine.ciais.records import Player
from engine.ciais.tables import CiaisConstants
from engine.ciais.unrest import change_unrest, failed, taxed
from engine.decimals import exact, printed, signed
from engine.rule import rule


def income(rate: Decimal, constants: CiaisConstants) -> Decimal:
    """Return the income of one round in ¤, 10 for each per cent (CI-TAX-01, CI-OP-15)."""
    return constants.income_per_percent * rate


def set_tax(game: Game, player: Player, rate: Decimal) -> Player:
    """Set the tax rate and note the round, because it may change only once in a round (CI-TAX-02)."""
    text = f"{printed(exact(player.tax))} → {printed(rate)} %"
    game.say(player.name, "Tax", text, "CI-TAX-02", "tax", rate)
    effect = (
        f"{printed(income(rate, game.constants))} ¤ and {signed(taxed(rate, game.constants).change)} unrest a round"
    )
    game.derivations.append(partial(stated, f"Tax, {player.name}", "CI-TAX-02", float(rate), note=effect))
    return game.change(player, tax=rate, tax_changed_in=player.round)


@rule("CI-OP-16", "Bank", before="before", amount="amount")
def adjusted(before: Decimal, amount: Decimal) -> Decimal:
    """Return the bank after an amount that a moderator enters (CI-OP-16)."""
    return before + amount


@rule("CI-TAX-01", "Bank", before="before", earned="income", funding="funding")
def balance(before: Decimal, earned: Decimal, funding: Decimal) -> Decimal:
    """Return the bank after a round, with its income, less its domestic funding (CI-TAX-01, CI-UNR-07)."""
    return before + earned - funding


def adjust_bank(game: Game, player: Player, amount: Decimal) -> Player:
    """Add an amount to the bank; falling below 0 is economic failure (CI-OP-16)."""
    before = exact(player.bank)
    after = adjusted(before, amount)
    text = f"{printed(before)} → {printed(after)} ¤ ({signed(amount)})"
    game.say(player.name, "Bank", text, "CI-OP-16", "bank", after)
    game.explain(adjusted, before, amount, name=f"Bank, {player.name}")
    player = game.change(player, bank=after, was_negative=after < 0)
    cause = failed(before, after, game.constants)
    return change_unrest(game, player, (cause,) if cause.change else ())
