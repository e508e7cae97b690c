"""Dispatch of an order to the rules that carry it out."""

from __future__ import annotations

from dataclasses import dataclass

from engine.ciais.battle import ATTACKER, Meeting, fight
from engine.ciais.chance import CiaisRolls
from engine.ciais.conquest import capture, dispose_estate, take_prize
from engine.ciais.game import Game
from engine.ciais.inputs import (
    ADJUST_BANK,
    BATTLE,
    CHECK_VICTORY,
    CITY_CAPTURED,
    END_ROUND,
    OVERTHROW_CHOICE,
    SET_TAX,
    CiaisInputs,
    Ending,
)
from engine.ciais.rounds import end_round
from engine.ciais.tables import CiaisTables
from engine.ciais.taxes import adjust_bank, set_tax
from engine.ciais.unrest import change_unrest
from engine.ciais.victory import check_victory, check_win
from engine.decimals import exact


@dataclass(frozen=True, slots=True)
class OrderResult:
    """Result of an order."""

    game: Game  # The game after the order, with updates and notes
    fought: Meeting | None = None  # The result of a Battle; None for other orders
    ended: Ending | None = None  # The round ended by End round; None for other orders
    won: tuple[str, ...] = ()  # The players who won the game by the order


def play(inputs: CiaisInputs, rolls: CiaisRolls, tables: CiaisTables) -> OrderResult:
    """Carry out one order."""
    game = Game(inputs, tables)
    order = inputs.order
    fought, ended, is_taken = None, None, order.kind == CITY_CAPTURED
    count_before = len(game.playing)
    if order.kind == CHECK_VICTORY:
        return OrderResult(game, won=check_victory(game))  # CI-WIN-1 to CI-WIN-4
    if order.kind == BATTLE:
        fought = fight(game, rolls)  # CI-BAT
        is_taken = bool(order.city) and fought.winner == ATTACKER and take_prize(game)
    elif order.kind == END_ROUND:
        ended = end_round(game)  # CI-RND
    elif order.kind == CITY_CAPTURED:
        capture(game)  # CI-CAP
    elif order.kind == OVERTHROW_CHOICE:
        dispose_estate(game, rolls)  # CI-LOSE-2
    elif order.kind == SET_TAX:
        change_unrest(game, set_tax(game, game.players[order.player], exact(order.tax or 0)))  # CI-TAX-02
    elif order.kind == ADJUST_BANK:
        adjust_bank(game, game.players[order.player], exact(order.amount))
    may_be_won = order.kind == END_ROUND or is_taken or len(game.playing) < count_before
    return OrderResult(game, fought, ended, check_win(game) if may_be_won else ())
