"""HX-LOS and HX-FOR-1: what one fire does to the unit it is aimed at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.hexcombat.conditions import Scene
from engine.hexcombat.fighter import Fighter
from engine.hexcombat.lines import Step, apply
from engine.hexcombat.numbers import div, within
from engine.hexcombat.odds import Odds
from engine.hexcombat.tables import Tables

FACES = 20
"""Of a shot's die (HX-LOS-4)."""
FLAT_TO = 4
"""HX-LOS-2: a greater difference is flattened."""
CHANCES = (1, 19)
"""HX-FOR-1: least and most of the die's faces that kill."""


@dataclass(frozen=True, slots=True)
class Aim:
    """How one fire is rolled.

    Args:
        shots: Dice.
        difference: Added to each.
        suppress: From here on a shot suppresses.
        kill: From here on it kills.
        converted: Suppressed points that are killed instead (HX-LOS-5).
        steps: The lines that made these numbers.
    """

    shots: int
    difference: int
    suppress: int
    kill: int
    converted: int = 0
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Losses:
    """HX-LOS-6: what one fire did."""

    killed: int
    suppressed: int


def aim(a: Fighter, p: Fighter, odds: Odds, scene: Scene, tables: Tables) -> Aim:
    """HX-LOS-1 ... HX-LOS-3: how A fires at P.

    Args:
        a: Active unit.
        p: Passive unit.
        odds: Of A firing at P.
        scene: What is around them.
        tables: Of the ruleset.
    """
    difference = flattened(odds.own_attack - odds.enemy_defence)
    scene.numbers = {"shots": 0, "difference": difference, "suppress": 0, "kill": 0, "converted": 0}
    steps = tuple(apply(tables.losses, a, p, scene))
    numbers = scene.numbers
    shots, difference = numbers["shots"], numbers["difference"]
    return Aim(shots, difference, numbers["suppress"], numbers["kill"], numbers["converted"], steps)


def flattened(difference: int) -> int:
    """HX-LOS-2: above 4 only two fifths count."""
    return difference if difference <= FLAT_TO else FLAT_TO + div(2 * difference - 2 * FLAT_TO, 5)


def suffered(dice: Sequence[int], aim: Aim, p: Fighter) -> Losses:
    """HX-LOS-4 and HX-LOS-5: what the dice do to P."""
    kills = suppressions = 0
    for die in dice:
        killed, suppressed = hit(die, aim)
        kills += killed
        suppressions += suppressed
    return _kept(kills, div(suppressions, 2), aim, p)


def hit(die: int, aim: Aim) -> tuple[int, int]:
    """HX-LOS-4: kills and half suppressions of one shot; a natural 1 misses, a natural 20 kills."""
    if die == 1:
        return 0, 0
    if die == FACES or die + aim.difference >= aim.kill:
        return 1, 1
    return (0, 2) if die + aim.difference >= aim.suppress else (0, 0)


def _kept(kills: int, suppressions: int, aim: Aim, p: Fighter) -> Losses:
    """HX-LOS-5: within P's strength; Overwhelming Attack turns a suppressed point into a killed one (HX-OP-17)."""
    killed = min(kills, p.strength)
    suppressed = min(suppressions, p.strength - killed)
    converted = min(aim.converted, suppressed)  # so that kills stay within P's strength (HX-OP-41)
    return Losses(killed + converted, suppressed - converted)


def expected(aim: Aim, p: Fighter) -> Losses:
    """HX-FOR-1: kills by formula; suppression counts as none (HX-OP-23)."""
    faces = within(aim.difference + FACES + 1 - aim.kill, *CHANCES)
    kills = min(div(5 * faces * aim.shots + 50, 100), p.strength)
    return Losses(min(kills + aim.converted, p.strength) if aim.shots else 0, 0)
