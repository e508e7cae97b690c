"""Global rating of players after a finished game (RL-RAT)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext

from engine.realm.setup.constants import RealmConstants
from engine.realm.setup.records import Realm
from engine.rule import rule

DIGITS = 28
"""Precision of the power of ten in the expectation, so that every machine gets the same result."""


@dataclass(frozen=True, slots=True)
class RatingChange:
    """One player's rating after the game."""

    name: str  # The realm's name
    before: int  # The rating before the game
    wins: int  # The number of opponents ranked below (RL-RAT-03)
    changes: tuple[tuple[str, int], ...]  # The changes by opponent, in the order of the standing

    @property
    def change(self) -> int:
        """Return the sum of all changes."""
        return sum(points for _, points in self.changes)

    @property
    def after(self) -> int:
        """Return the new rating."""
        return new_rating(self.before, [points for _, points in self.changes])

    @property
    def losses(self) -> int:
        """Return the number of opponents ranked above (RL-RAT-03)."""
        return len(self.changes) - self.wins


@rule("RL-RAT-04", "Rating", before="before")
def new_rating(before: int, changes: Sequence[int]) -> int:
    """Return the rating after a game, from the changes by each opponent (RL-RAT-04)."""
    return before + sum(changes)


def rate(standing: Sequence[Realm], constants: RealmConstants) -> tuple[RatingChange, ...]:
    """Rate a game: each player beat those below and lost to those above, by the old ratings (RL-RAT-03, RL-RAT-04).

    Args:
        standing: The realms, the best first.
    """
    return tuple(
        RatingChange(
            realm.name,
            realm.rating,
            len(standing) - 1 - place,
            tuple(
                (other.name, stake(realm, other, constants) if place < other_place else -stake(other, realm, constants))
                for other_place, other in enumerate(standing)
                if other_place != place
            ),
        )
        for place, realm in enumerate(standing)
    )


def stake(winner: Realm, loser: Realm, constants: RealmConstants) -> int:
    """Return the points that the winner gains and the loser loses, rounded, at least 1 (RL-RAT-05, RL-OP-33)."""
    rounded = raw_stake(winner.rating, loser.rating, constants).quantize(Decimal(1), rounding=ROUND_HALF_UP)
    return max(math.trunc(constants.rating_least), int(rounded))


def raw_stake(winner: int, loser: int, constants: RealmConstants) -> Decimal:
    """Return the winner's points before rounding, 32 × (1 − 1 ÷ (10^((loser − winner) ÷ 400) + 1)) (RL-RAT-04)."""
    with localcontext() as context:
        context.prec = DIGITS
        scale = Decimal(constants.rating_scale.numerator) / constants.rating_scale.denominator
        factor = Decimal(constants.rating_factor.numerator) / constants.rating_factor.denominator
        expected = 1 / (Decimal(10) ** ((loser - winner) / scale) + 1)
        return factor * (1 - expected)
