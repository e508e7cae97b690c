"""The global rating of players after a finished game (RL-RAT)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext

from engine.realm.constants import Constants
from engine.realm.records import Realm

DIGITS = 28
"""Of the power of ten that the expectation is made of: the same on every machine."""


@dataclass(frozen=True, slots=True)
class Rated:
    """One player after the game.

    Args:
        name: The realm.
        before: Rating before the game.
        wins: Opponents ranked below (RL-RAT-03).
        changes: Opponent to change, in the order of the standing.
    """

    name: str
    before: int
    wins: int
    changes: tuple[tuple[str, int], ...]

    @property
    def change(self) -> int:
        """All of them."""
        return sum(points for _, points in self.changes)

    @property
    def after(self) -> int:
        """The new rating."""
        return self.before + self.change

    @property
    def losses(self) -> int:
        """Opponents ranked above (RL-RAT-03)."""
        return len(self.changes) - self.wins


def rate(standing: Sequence[Realm], it: Constants) -> tuple[Rated, ...]:
    """RL-RAT-03, RL-RAT-04: everyone beat those below and lost to those above, all with the ratings from before.

    Args:
        standing: The best first.
        it: Numbers.
    """
    return tuple(
        Rated(
            own.name,
            own.rating,
            len(standing) - 1 - place,
            tuple(
                (other.name, stake(own, other, it) if place < other_place else -stake(other, own, it))
                for other_place, other in enumerate(standing)
                if other_place != place
            ),
        )
        for place, own in enumerate(standing)
    )


def stake(winner: Realm, loser: Realm, it: Constants) -> int:
    """What a winner gains and the loser loses: rounded, at least 1 (RL-RAT-05, RL-OP-33)."""
    exactly = raw_stake(winner.rating, loser.rating, it).quantize(Decimal(1), rounding=ROUND_HALF_UP)
    return max(math.trunc(it.rating_least), int(exactly))


def raw_stake(winner: int, loser: int, it: Constants) -> Decimal:
    """RL-RAT-04 for the winner: 32 × (1 − 1 ÷ (10^((loser − winner) ÷ 400) + 1)).

    Args:
        winner: Rating before the game.
        loser: Rating before the game.
        it: Numbers.
    """
    with localcontext() as context:
        context.prec = DIGITS
        scale = Decimal(it.rating_scale.numerator) / it.rating_scale.denominator
        factor = Decimal(it.rating_factor.numerator) / it.rating_factor.denominator
        expected = 1 / (Decimal(10) ** ((loser - winner) / scale) + 1)
        return factor * (1 - expected)
