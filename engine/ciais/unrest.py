"""Civil unrest: what each cause changes, and the rebellion it ends in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from engine.ciais.game import Game
from engine.ciais.records import LOST, PLAYING, Player
from engine.ciais.tables import Constants
from engine.decimals import ZERO, exact, printed, signed
from engine.explained import Explained, Term

OVERTHROWN = "CI-LOSE-2"


@dataclass(frozen=True, slots=True)
class Cause:
    """One change of unrest.

    Args:
        name: `tax 20 %`.
        change: By how much.
        id: `CI-UNR-01`.
    """

    name: str
    change: Decimal
    id: str


def taxed(rate: Decimal, constants: Constants) -> Cause:
    """CI-TAX-03: a round of high taxes (CI-EQ-02), of low ones (CI-EQ-03), or of those that nobody minds (CI-EQ-04).

    The two formulas are read as CI-OP-02 and CI-OP-03 do.
    """
    name = f"tax {printed(rate)} %"
    if rate > constants.high_tax:
        return Cause(name, constants.unrest_per_percent_above * (rate - constants.high_tax), "CI-UNR-01")
    if rate < constants.low_tax:
        return Cause(name, constants.unrest_per_percent_below * (constants.low_tax - rate), "CI-UNR-04")
    return Cause(name, ZERO, "CI-EQ-04")


def funded(funding: Decimal, constants: Constants) -> Cause:
    """CI-UNR-07: relief for each full 100 ¤ of the round (CI-OP-17)."""
    return Cause(
        "domestic funding", constants.unrest_per_funding_unit * (funding // constants.funding_unit), "CI-UNR-07"
    )


def failed(before: Decimal, after: Decimal, constants: Constants) -> Cause:
    """CI-UNR-03: economic failure, when a balance of 0 or more falls below 0 (CI-OP-16)."""
    has_failed = before >= 0 > after
    return Cause("economic failure", constants.economic_failure if has_failed else ZERO, "CI-UNR-03")


def stir(game: Game, player: Player, causes: Sequence[Cause] = ()) -> Player:
    """Change a player's unrest: the sum of all causes first, then not below 0, then the test of CI-UNR-08 (CI-OP-18).

    Args:
        game: Is changed.
        player: Whose unrest.
        causes: Everything in the order that changes it; without any it is only tested.
    """
    before = exact(player.unrest)
    after = before + sum((it.change for it in causes), ZERO)
    note = "not below 0" if after < 0 else ""
    after = max(after, ZERO)
    if causes:
        acting = [it for it in causes if it.change]
        made = f" ({', '.join(f'{it.name} {signed(it.change)}' for it in acting)})" if acting else ""
        text = f"{printed(before)} → {printed(after)}{made}"
        game.say(player.name, "Unrest", text, acting[0].id if len(acting) == 1 else "CI-OP-18", "unrest", after)
        terms = [Term("before", "", float(before)), *(Term(it.name, it.id, float(it.change)) for it in causes)]
        name = f"Unrest, {player.name}"
        game.explained.append(Explained(name, "CI-OP-18", float(after), tuple(terms), "sum", note=note))
        player = game.change(player, unrest=after)
    if player.status == PLAYING and after >= game.constants.overthrown_at:
        return _overthrown(game, player)
    return player


def _overthrown(game: Game, player: Player) -> Player:
    text = f"{OVERTHROWN} overthrown: unrest reached {printed(game.constants.overthrown_at)}; choose 2a, 2b or 2c"
    game.say(player.name, "Lost", text, OVERTHROWN, "loss")
    return game.change(player, status=LOST, loss=OVERTHROWN)
