"""Chance of a military leader to survive a battle (LEAD-10, R-08, R-126), computed from plain numbers."""

from __future__ import annotations

from engine.autoalgo.constants import R126, Lead10
from engine.calculation import WHOLE
from engine.rule import Label, part, rule


@part(danger="danger", martial="Martial", training="Tactical Training", age="age")
def personal(danger: float, martial: float, training: float, age: float, numbers: Lead10) -> float:
    """Return the points of a leader's own qualities in his survival (LEAD-10); arguments as of `survival_chance`."""
    return danger - martial * numbers.martial_factor + training / numbers.training_divisor + age / numbers.age_divisor


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
        martial: The leader's skill, 0 to 1; a bold leader fights in front, so it counts against him.
        training: Mean Tactical Training of his military, 0 to 10.
        age: Years (LEAD-08).
        left: Men neither killed, dead nor captured.
    """
    share = left / men if men > 0 else 0.0
    return min(1.0, max(0.0, personal(danger, martial, training, age, numbers) / numbers.divisor + share))


@rule(
    "R-126",
    "chance to survive",
    danger="danger",
    martial="Martial",
    training="Tactical Training",
    age="age",
    killed=Label("killed", WHOLE),
    men=Label("men", WHOLE),
)
def shared_danger(
    danger: float,
    martial: float,
    training: float,
    age: float,
    killed: float,
    men: float,
    numbers: Lead10,
    sharing: R126,
) -> float:
    """Return the chance to survive of a commander who shares the danger of his men, 0 to 1 (R-126).

    Args:
        danger: As in `survival_chance`, likewise `martial`, `training` and `age`.
        killed: Number of his men killed in action.
    """
    exposure = 1.0 - personal(danger, martial, training, age, numbers) / sharing.divisor
    return 1.0 - min(1.0, max(0.0, exposure * killed / max(men, 1.0)))


def survives(chance: float, draw: float) -> bool:
    """Return True if the draw, in [0, 1), is below the leader's chance to survive (LEAD-10)."""
    return draw < chance
