"""Civil unrest: its causes, and overthrow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from engine.ciais.game import Game
from engine.ciais.records import LOST, PLAYING, Player
from engine.ciais.tables import CiaisConstants
from engine.decimals import ZERO, exact, printed, signed
from engine.rule import Label, TracedNumber, named, rule

OVERTHROWN = "CI-LOSE-2"
OVERTHROWN_TEXT = "overthrown"


@dataclass(frozen=True, slots=True)
class Cause:
    """One change of unrest."""

    name: str  # The name: `tax 20 %`
    change: Decimal  # The change, with its sign
    id: str  # The rule id: `CI-UNR-01`

    @property
    def named(self) -> TracedNumber:
        """Return the change under the name and the rule id."""
        return named(self.change, Label(self.name, spell=lambda _: self.id))


@rule("CI-OP-18", "Unrest", before="before")
def changed(before: Decimal, changes: Sequence[Decimal]) -> Decimal:
    """Return unrest after all its changes, not below 0 (CI-OP-18)."""
    return max(before + sum(changes, ZERO), ZERO)


def taxed(rate: Decimal, constants: CiaisConstants) -> Cause:
    """Return the effect of a round's tax rate (CI-TAX-03): high (CI-EQ-02), low (CI-EQ-03) or neutral (CI-EQ-04).

    The two formulas are interpreted as in CI-OP-02 and CI-OP-03.
    """
    name = f"tax {printed(rate)} %"
    if rate > constants.high_tax:
        return Cause(name, constants.unrest_per_percent_above * (rate - constants.high_tax), "CI-UNR-01")
    if rate < constants.low_tax:
        return Cause(name, constants.unrest_per_percent_below * (constants.low_tax - rate), "CI-UNR-04")
    return Cause(name, ZERO, "CI-EQ-04")


def funded(funding: Decimal, constants: CiaisConstants) -> Cause:
    """Return the relief for each full 100 ¤ of the round's funding (CI-UNR-07, CI-OP-17)."""
    return Cause(
        "domestic funding", constants.unrest_per_funding_unit * (funding // constants.funding_unit), "CI-UNR-07"
    )


def failed(before: Decimal, after: Decimal, constants: CiaisConstants) -> Cause:
    """Return the effect of economic failure: a balance of 0 or more falls below 0 (CI-UNR-03, CI-OP-16)."""
    has_failed = before >= 0 > after
    return Cause("economic failure", constants.economic_failure if has_failed else ZERO, "CI-UNR-03")


def change_unrest(game: Game, player: Player, causes: Sequence[Cause] = ()) -> Player:
    """Change a player's unrest: add all causes, limit it to 0 from below, then test CI-UNR-08 (CI-OP-18).

    Args:
        causes: All changes by the order; without any, the unrest is only tested.
    """
    before = exact(player.unrest)
    after = changed(before, [cause.change for cause in causes])
    if causes:
        acting = [cause for cause in causes if cause.change]
        parts = f" ({', '.join(f'{cause.name} {signed(cause.change)}' for cause in acting)})" if acting else ""
        text = f"{printed(before)} → {printed(after)}{parts}"
        game.say(player.name, "Unrest", text, acting[0].id if len(acting) == 1 else "CI-OP-18", "unrest", after)
        game.explain(changed, before, [cause.named for cause in causes], name=f"Unrest, {player.name}")
        player = game.change(player, unrest=after)
    if player.status == PLAYING and after >= game.constants.overthrown_at:
        return _overthrown(game, player)
    return player


def _overthrown(game: Game, player: Player) -> Player:
    text = (
        f"{OVERTHROWN} {OVERTHROWN_TEXT}: unrest reached {printed(game.constants.overthrown_at)}; choose 2a, 2b or 2c"
    )
    game.say(player.name, "Lost", text, OVERTHROWN, "loss")
    return game.change(player, status=LOST, loss=OVERTHROWN)
