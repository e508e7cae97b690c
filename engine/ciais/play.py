"""One order, carried out: the table of contents of the rules."""

from __future__ import annotations

from dataclasses import dataclass

from engine.ciais.battle import Fought, fight
from engine.ciais.chance import Rolls
from engine.ciais.conquest import capture, leave
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
from engine.ciais.tables import Tables
from engine.ciais.taxes import adjust_bank, set_tax
from engine.ciais.unrest import stir
from engine.ciais.victory import check_victory, check_win
from engine.decimals import exact


@dataclass(frozen=True, slots=True)
class Played:
    """What came of an order.

    Args:
        game: As it is left, with what changed and what is said of it.
        fought: Of a Battle.
        ended: Of an End round.
        won: Who has won the game by it.
    """

    game: Game
    fought: Fought | None = None
    ended: Ending | None = None
    won: tuple[str, ...] = ()


def play(inputs: CiaisInputs, rolls: Rolls, tables: Tables) -> Played:
    """Carry out one order.

    Args:
        inputs: Read and checked.
        rolls: Given or drawn.
        tables: With the settings of the game in place.
    """
    game = Game(inputs, tables)
    order = inputs.order
    fought, ended = None, None
    playing = len(game.playing)
    if order.kind == CHECK_VICTORY:
        return Played(game, won=check_victory(game))  # CI-WIN-1 to CI-WIN-4
    if order.kind == BATTLE:
        fought = fight(game, rolls)  # CI-BAT
    elif order.kind == END_ROUND:
        ended = end_round(game)  # CI-RND
    elif order.kind == CITY_CAPTURED:
        capture(game)  # CI-CAP
    elif order.kind == OVERTHROW_CHOICE:
        leave(game, rolls)  # CI-LOSE-2
    elif order.kind == SET_TAX:
        stir(game, set_tax(game, game.players[order.player], exact(order.tax or 0)))  # CI-TAX-02
    elif order.kind == ADJUST_BANK:
        adjust_bank(game, game.players[order.player], exact(order.amount))
    may_be_won = order.kind in (END_ROUND, CITY_CAPTURED) or len(game.playing) < playing
    return Played(game, fought, ended, check_win(game) if may_be_won else ())
