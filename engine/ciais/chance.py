"""Random numbers of an order, drawn before it is carried out."""

from __future__ import annotations

from dataclasses import dataclass

from engine.ciais.inputs import BATTLE, OVERTHROW_CHOICE, RANDOM, CiaisInputs, opponents
from engine.ciais.records import CITY
from engine.rng import Rng

BATTLE_ROLL, HEIR_OF_CITIES = 0, 1
"""Purposes of the draws (CI-BASE-02, CI-LOSE-2b). A number is never changed or reused, for replays."""
FACES = (1, 100)
"""Lowest and highest number of a battle's roll (CI-BASE-02)."""


@dataclass(frozen=True, slots=True)
class CiaisRolls:
    """Numbers given or drawn; None where an order needs none."""

    battle: int | None = None  # The roll of a battle, 1 to 100
    opponent: int | None = None  # The number of the drawn opponent, from 1
    typed: int | None = None  # The roll of a battle if the moderator typed it (LUCK-12)

    @property
    def is_drawn(self) -> bool:
        """Return True if any of them was drawn."""
        return self.opponent is not None or (self.battle is not None and self.typed is None)


def roll(inputs: CiaisInputs, rng: Rng) -> CiaisRolls:
    """Return the numbers of one ruling."""
    order = inputs.order
    if order.kind == BATTLE:
        drawn = rng.whole(BATTLE_ROLL, *FACES) if order.roll is None else order.roll
        return CiaisRolls(battle=drawn, typed=order.roll)
    count = drawn_among(inputs)
    return CiaisRolls(opponent=rng.whole(HEIR_OF_CITIES, 1, count)) if count else CiaisRolls()


def drawn_among(inputs: CiaisInputs) -> int:
    """Return the number of opponents from whom the new owner of the cities is drawn (CI-OP-21); 0 for no draw."""
    order = inputs.order
    has_cities = any(site.kind == CITY and site.owner == order.player for site in inputs.sites)
    is_drawn = order.kind == OVERTHROW_CHOICE and order.choice == RANDOM and has_cities
    return len(opponents(order.player, inputs.players)) if is_drawn else 0
