"""What luck decides about an order, before it is carried out."""

from __future__ import annotations

from dataclasses import dataclass

from engine.ciais import purposes
from engine.ciais.inputs import BATTLE, OVERTHROW_CHOICE, RANDOM, CiaisInputs, opponents
from engine.ciais.records import CITY
from engine.luck import Luck

FACES = (1, 100)
"""Of a battle's roll (CI-BASE-02)."""


@dataclass(frozen=True, slots=True)
class Rolls:
    """Numbers given or drawn; None where an order needs none.

    Args:
        battle: 1 to 100.
        opponent: Who of the playing opponents, counted from 1.
    """

    battle: int | None = None
    opponent: int | None = None


def roll(inputs: CiaisInputs, luck: Luck) -> Rolls:
    """The numbers of one ruling."""
    order = inputs.order
    if order.kind == BATTLE:
        return Rolls(battle=luck.whole(purposes.BATTLE, *FACES) if order.roll is None else order.roll)
    count = drawn_among(inputs)
    return Rolls(opponent=luck.whole(purposes.HEIR_OF_CITIES, 1, count)) if count else Rolls()


def drawn_among(inputs: CiaisInputs) -> int:
    """Of how many opponents one is drawn for the cities (CI-OP-21); 0 where nothing is to be drawn."""
    order = inputs.order
    has_cities = any(it.kind == CITY and it.owner == order.player for it in inputs.sites)
    is_drawn = order.kind == OVERTHROW_CHOICE and order.choice == RANDOM and has_cities
    return len(opponents(order.player, inputs.players)) if is_drawn else 0
