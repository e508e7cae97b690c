"""Chance that a military leader survives a battle (LEAD-10, R-08), computed from plain numbers."""

from __future__ import annotations

from typing import NamedTuple

from engine.autoalgo.setup.constants import Constants
from engine.calculation import WHOLE
from engine.rule import Named, rule


class SurvivalRates(NamedTuple):
    """The numbers of LEAD-10 that moderators may tune.

    Args:
        luck_most: 10 of rand(0, 10).
        martial_weight: 10, on a skill of 0 to 1 (R-07).
        training_divisor: 2.
        age_divisor: 10.
        divisor: 100, under the whole personal part.
    """

    luck_most: float
    martial_weight: float
    training_divisor: float
    age_divisor: float
    divisor: float


def rates_of(constants: Constants) -> SurvivalRates:
    """From the tables."""
    return SurvivalRates(
        luck_most=constants.of("LEAD-10", "luck_most"),
        martial_weight=constants.of("LEAD-10", "martial_factor"),
        training_divisor=constants.of("LEAD-10", "training_divisor"),
        age_divisor=constants.of("LEAD-10", "age_divisor"),
        divisor=constants.of("LEAD-10", "divisor"),
    )


@rule(
    "LEAD-10",
    "chance to survive",
    danger="danger",
    martial="Martial",
    training="Tactical Training",
    age="age",
    left=Named("men left", WHOLE),
    men=Named("men", WHOLE),
)
def survival_chance(
    danger: float, martial: float, training: float, age: float, left: float, men: float, rates: SurvivalRates
) -> float:
    """Return P of LEAD-10, the chance to survive (R-08), 0 to 1.

    Args:
        danger: Points, 0 to `rates.luck_most`.
        martial: The leader's skill, 0 to 1; a bold leader stands in front, so it counts against him.
        training: Mean Tactical Training of his military, 0 to 10.
        age: Years (LEAD-08).
        left: Men neither killed, dead nor captured.
        men: Men at the start.
        rates: The tunables.
    """
    person = danger - martial * rates.martial_weight + training / rates.training_divisor + age / rates.age_divisor
    share = left / men if men > 0 else 0.0
    return min(1.0, max(0.0, person / rates.divisor + share))


def survives(chance: float, draw: float) -> bool:
    """Return True if the draw, in [0, 1), is below the leader's chance to survive (LEAD-10)."""
    return draw < chance
