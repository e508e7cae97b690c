"""Chance that a military leader survives a battle (LEAD-10, R-08), computed from plain numbers."""

from __future__ import annotations

from engine.autoalgo.constants import Lead10
from engine.calculation import WHOLE
from engine.rule import Label, rule


@rule(
    "LEAD-10",
    "chance to survive",
    danger="danger",
    martial="Martial",
    training="Tactical Training",
    age="age",
    left=Label("men left", WHOLE),
    men=Label("men", WHOLE),
)
def survival_chance(
    danger: float, martial: float, training: float, age: float, left: float, men: float, numbers: Lead10
) -> float:
    """Return P of LEAD-10, the chance to survive (R-08), 0 to 1.

    Args:
        danger: Points, 0 to `numbers.luck_most`.
        martial: The leader's skill, 0 to 1; a bold leader stands in front, so it counts against him.
        training: Mean Tactical Training of his military, 0 to 10.
        age: Years (LEAD-08).
        left: Men neither killed, dead nor captured.
    """
    person = danger - martial * numbers.martial_factor + training / numbers.training_divisor + age / numbers.age_divisor
    share = left / men if men > 0 else 0.0
    return min(1.0, max(0.0, person / numbers.divisor + share))


def survives(chance: float, draw: float) -> bool:
    """Return True if the draw, in [0, 1), is below the leader's chance to survive (LEAD-10)."""
    return draw < chance
