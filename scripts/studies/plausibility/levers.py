"""Levers of strategy: what each is worth to the side that pulls it, against an army that is its equal otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from plausibility.adapter import Numbers
from plausibility.cases import Army, Case
from plausibility.curve import LINE, even
from plausibility.evaluation import changed
from plausibility.fights import Arena, Raw

EVEN = even("even")
RIDERS = replace(LINE, name="Riders", types=("", "Mongol horse archer", ""), shares=(0.0, 1.0, 0.0))
FOOT = replace(LINE, name="Foot", types=("Crusader foot", "", ""), shares=(1.0, 0.0, 0.0))
STEPPE = even("steppe", attacker=RIDERS, defender=FOOT, year=1240)
HILL = {"grounds/land/Hill": {"map": "Hill", "at": [122, 200], "gap_km": 3.0}}
RIVER = {"grounds/land/Hill": {"map": "Normal River", "at": [200, 200], "gap_km": 3.0}}
PLAIN = {"grounds/land/Hill": {"map": "Plain", "at": [200, 200], "gap_km": 3.0}}


@dataclass(frozen=True, slots=True)
class Lever:
    """One lever: two cases that differ in nothing else.

    Args:
        kind: What it is a lever of.
        says: What is done.
        case: The case with it.
        by_attacker: True if the attacker pulls it.
        numbers: Numbers of the adapter with it, by path.
        without: The case without it.
        numbers_without: Numbers of the adapter without it, by path.
    """

    kind: str
    says: str
    case: Case
    by_attacker: bool = True
    numbers: Mapping[str, Any] = field(default_factory=dict)
    without: Case = EVEN
    numbers_without: Mapping[str, Any] = field(default_factory=dict)


def attacker(**fields: Any) -> Case:
    """Return the even case with another attacker."""
    return replace(EVEN, attacker=replace(EVEN.attacker, **fields))


def foot(unit: str) -> tuple[str, str, str]:
    """Return the arms of the average army with another foot."""
    return (unit, LINE.types[1], LINE.types[2])


def order(side: str, maneuver: str) -> Mapping[str, Any]:
    """Return the adapter's order of all flanks of a side that meets a hasty defence."""
    return {"maneuvers/attacker" if side == "attacker" else "maneuvers/defender/HD": maneuver}


def narrow(army: Army) -> Army:
    """Return the army on the narrowest front, so that all of it stands on the ground in question."""
    return replace(army, front_km=0.1)


NARROW = replace(EVEN, id="narrow", attacker=narrow(EVEN.attacker), defender=narrow(EVEN.defender), posture="PD")
STANDS = {"maneuvers/defender/PD": "Position"}

LEVERS: Sequence[Lever] = (
    Lever("Numbers", "three men against two", even("3:2", 1.5)),
    Lever("Numbers", "two against one", even("2:1", 2.0)),
    Lever("Numbers", "three against one", even("3:1", 3.0)),
    Lever("Training", "a rating of 6 against 5", attacker(training=6)),
    Lever("Training", "a rating of 7 against 5", attacker(training=7)),
    Lever("Leader", "a commander of 8 against 5", attacker(skill=8)),
    Lever("Leader", "a commander of 10 against 5", attacker(skill=10)),
    Lever("Arms", "rifle-muskets against flintlocks", attacker(types=foot("Rifle-musket infantry"))),
    Lever("Arms", "breech-loaders against flintlocks", attacker(types=foot("Breech-loader infantry"))),
    Lever("Arms", "guns with 15 % of the men instead of 5 %", attacker(shares=(0.67, 0.18, 0.15))),
    Lever("Arms", "cavalry with 40 % of the men instead of 18 %", attacker(shares=(0.55, 0.40, 0.05))),
    Lever("Surprise", "one step: the enemy in column", replace(EVEN, surprise=1.0)),
    Lever("Surprise", "three steps", replace(EVEN, surprise=3.0)),
    Lever("Ground", "the defender on a hill", NARROW, False, HILL | STANDS, NARROW, PLAIN | STANDS),
    Lever("Ground", "the defender behind a river", NARROW, False, RIVER | STANDS, NARROW, PLAIN | STANDS),
    Lever("Works", "earthworks", replace(EVEN, posture="PD", mobile_defences="Earthenworks"), False),
    Lever("Works", "gabions", replace(EVEN, posture="FD", mobile_defences="Gabions"), False),
    Lever("Works", "a star fort", replace(EVEN, posture="FD", fortifications="Star Fort"), False),
    Lever("Maneuver", "the defender on Position", EVEN, False, order("defender", "Position")),
    Lever("Maneuver", "the attacker feigns a retreat", EVEN, True, order("attacker", "Feigned Retreat")),
    Lever("Maneuver", "horse archers hit and run against foot", STEPPE, True, order("attacker", "Hit and run"), STEPPE),
)


@dataclass(frozen=True, slots=True)
class Worth:
    """Effect of a lever: the odds of the side that pulls it and its median losses, without and with it."""

    lever: Lever
    odds: tuple[float, float]
    lost: tuple[float, float]


def worth(arena: Arena, raw: Raw, numbers: Numbers, runs: int, seed: int) -> Iterator[Worth]:
    """Yield what each lever is worth.

    Args:
        arena: The place where they are fought.
        raw: The tables.
        numbers: The numbers of the adapter.
        runs: The battles without each lever and with it.
        seed: The seed.
    """
    for lever in LEVERS:
        side = 0 if lever.by_attacker else 1
        both = [
            arena.predict(raw, changed(numbers, paths), [case], runs, seed)[0]
            for case, paths in ((lever.without, lever.numbers_without), (lever.case, lever.numbers))
        ]
        odds = [found.p_attacker if lever.by_attacker else 1 - found.p_attacker for found in both]
        lost = [found.losses[side] for found in both]
        yield Worth(lever, (odds[0], odds[1]), (lost[0], lost[1]))
