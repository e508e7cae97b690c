"""Losses of a unit by one fire (HX-LOS, HX-FOR-1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.hexcombat.combat.odds import CombatOdds
from engine.hexcombat.setup.conditions import CombatScene
from engine.hexcombat.setup.fighter import Fighter
from engine.hexcombat.setup.lines import LineChange, apply
from engine.hexcombat.setup.numbers import div, within
from engine.hexcombat.setup.tables import HexTables
from engine.rule import rule

FACES = 20
"""Faces of a shot's die (HX-LOS-4)."""
FLAT_TO = 4
"""Difference above which further points count less (HX-LOS-2)."""
CHANCES = (1, 19)
"""Minimum and maximum number of killing faces of the die (HX-FOR-1)."""


@dataclass(frozen=True, slots=True)
class Aim:
    """Numbers by which one fire is rolled."""

    shots: int  # The number of dice
    difference: int  # The number added to each die
    suppress: int  # The lowest result that suppresses
    kill: int  # The lowest result that kills
    converted: int = 0  # The suppressed points that are killed instead (HX-LOS-5)
    steps: tuple[LineChange, ...] = ()  # The lines that computed these numbers


@dataclass(frozen=True, slots=True)
class HexLosses:
    """Losses by one fire (HX-LOS-6)."""

    killed: int
    suppressed: int


def aim(a: Fighter, p: Fighter, odds: CombatOdds, scene: CombatScene, tables: HexTables) -> Aim:
    """Compute the numbers by which A fires at P (HX-LOS-1 ... HX-LOS-3)."""
    difference = flattened(lead(odds.own_attack, odds.enemy_defence))
    scene.numbers = {"shots": 0, "difference": difference, "suppress": 0, "kill": 0, "converted": 0}
    steps = tuple(apply(tables.losses, a, p, scene))
    numbers = scene.numbers
    shots, difference = numbers["shots"], numbers["difference"]
    return Aim(shots, difference, numbers["suppress"], numbers["kill"], numbers["converted"], steps)


@rule("HX-LOS-2", "difference", attack="attack", defence="defence")
def lead(attack: int, defence: int) -> int:
    """Return the excess of an attack over a defence (HX-LOS-2)."""
    return attack - defence


def flattened(difference: int) -> int:
    """Return the difference, with two fifths of the part above 4 (HX-LOS-2)."""
    return difference if difference <= FLAT_TO else FLAT_TO + div(2 * difference - 2 * FLAT_TO, 5)


def suffered(dice: Sequence[int], aim: Aim, p: Fighter) -> HexLosses:
    """Return P's losses by the dice (HX-LOS-4, HX-LOS-5)."""
    kills, halves = hits(dice, aim)
    return _kept(kills, suppression(halves), aim, p)


def hits(dice: Sequence[int], aim: Aim) -> tuple[int, int]:
    """Return kills and half suppressions of all shots (HX-LOS-4)."""
    shots = [hit(die, aim) for die in dice]
    return sum(kills for kills, _ in shots), sum(halves for _, halves in shots)


def suppression(halves: int) -> int:
    """Return suppressed points of half suppressions (HX-LOS-5)."""
    return div(halves, 2)


def hit(die: int, aim: Aim) -> tuple[int, int]:
    """Return kills and half suppressions of one shot; a natural 1 misses, a natural 20 kills (HX-LOS-4)."""
    if die == 1:
        return 0, 0
    result = modified(die, aim.difference)
    if die == FACES or result >= aim.kill:
        return 1, 1
    return (0, 2) if result >= aim.suppress else (0, 0)


@rule("HX-LOS-4", "result", die="die", difference="difference")
def modified(die: int, difference: int) -> int:
    """Return the result of a shot's die (HX-LOS-4)."""
    return die + difference


def _kept(kills: int, suppressions: int, aim: Aim, p: Fighter) -> HexLosses:
    """Limit losses to P's strength; Overwhelming Attack kills a suppressed point instead (HX-LOS-5, HX-OP-17)."""
    killed = min(kills, p.strength)
    suppressed = min(suppressions, p.strength - killed)
    converted = min(aim.converted, suppressed)  # so that kills stay within P's strength (HX-OP-41)
    return HexLosses(killed + converted, suppressed - converted)


def expected(aim: Aim, p: Fighter) -> HexLosses:
    """Return the kills by formula; suppression is not expected (HX-FOR-1, HX-OP-23)."""
    faces = within(aim.difference + FACES + 1 - aim.kill, *CHANCES)
    kills = min(div(5 * faces * aim.shots + 50, 100), p.strength)
    return HexLosses(min(kills + aim.converted, p.strength) if aim.shots else 0, 0)
