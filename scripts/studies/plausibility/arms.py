"""Worth of range, speed and Defense, of each maneuver and of walls, where they are made for it (R-67 to R-89).

The armies are of equal nations. Units are those of the catalogue with a column changed, so that nothing else differs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plausibility.adapter import Numbers
from plausibility.cases import POSTURES, Army, Case
from plausibility.curve import LINE, even
from plausibility.fights import Arena, Prediction, Raw

MEN = 10_000
MANEUVERS = ("Normal", "Position", "Feigned Retreat", "Hit and run", "Pillaging")
ATTACKER, DEFENDER = 0, 1


@dataclass(frozen=True, slots=True)
class Situation:
    """A battle in which one side tries every maneuver, while its enemy fights as Normal.

    Args:
        name: What it is, in a few words.
        best: The maneuver that should be the best of the five.
        case: The battle.
        side: The side that tries, 0 or 1.
    """

    name: str
    best: str
    case: Case
    side: int = ATTACKER


def force(name: str, size: int = MEN, *, foot: str = "", horse: str = "", riders: float = 0.0) -> Army:
    """Return an average army of foot, of horse, or with a share of riders beside the foot."""
    shares = (1.0 - riders, riders, 0.0) if foot and horse else (1.0 if foot else 0.0, 1.0 if horse else 0.0, 0.0)
    return replace(LINE, name=name, size=size, types=(foot, horse, ""), shares=shares)


def duel(id: str, attacker: Army, defender: Army, **changes: object) -> Case:
    """Return a battle of two armies on rolling ground, with other fields of the case changed."""
    armies = {"attacker": replace(attacker, name="Red"), "defender": replace(defender, name="Blue")}
    return replace(even(id), **armies, **changes)  # type: ignore[arg-type]  # the fields' own types


MONGOLS = force("Mongols", horse="Mongol horse archer")
KNIGHTS_AND_FOOT = force("Knights and foot", 12_000, foot="Crusader foot", horse="French knight", riders=0.3)
MUSKETS = force("Muskets", foot="Line infantry (flintlock)")
SITUATIONS = (
    Situation("muskets against muskets in the open", "Normal", duel("open", MUSKETS, MUSKETS)),
    Situation(
        "a garrison in a castle, stormed by twice its men",
        "Position",
        even("castle", 2.0, fortifications="Castle"),
        DEFENDER,
    ),
    Situation(
        "horse archers against legionaries", "Hit and run", duel("foot", MONGOLS, force("Foot", foot="Legionary"))
    ),
    Situation(
        "horse archers against spearmen, two for one",
        "Hit and run",
        duel("spears", replace(MONGOLS, size=5_000), force("Spears", foot="Hoplite")),
    ),
    Situation(
        "horse archers against knights and foot, six for five",
        "Feigned Retreat",
        duel("knights", MONGOLS, KNIGHTS_AND_FOOT),
    ),
)
"""Purpose of each maneuver, as the rules say it."""


def tried(
    arena: Arena, raw: Raw, numbers: Numbers, situation: Situation, runs: int, seed: int
) -> Mapping[str, Prediction]:
    """Return the prediction of a situation by the maneuver of all flanks of the side that tries."""
    found = {}
    for maneuver in MANEUVERS:
        orders = [maneuver, "Normal"] if situation.side == ATTACKER else ["Normal", maneuver]
        standing = {"attacker": orders[0], "defender": dict.fromkeys(POSTURES, orders[1]), "tactics": {}}
        ordered = {**numbers, "maneuvers": {**numbers["maneuvers"], **standing}}
        (found[maneuver],) = arena.predict(raw, ordered, [situation.case], runs, seed)
    return found


def won(prediction: Prediction, side: int) -> float:
    """Return the odds of a side."""
    return prediction.p_attacker if side == ATTACKER else 1.0 - prediction.p_attacker


def storm(
    arena: Arena, raw: Raw, numbers: Numbers, walls: str, ratio: float, maneuver: str, runs: int, seed: int
) -> Prediction:
    """Return the prediction of a storm of walls by so many men for each defender, who all have a maneuver."""
    orders = {"attacker": "Storm", "defender": dict.fromkeys(POSTURES, maneuver)}
    ordered = {**numbers, "maneuvers": {**numbers["maneuvers"], **orders}}
    (found,) = arena.predict(raw, ordered, [even(f"storm {ratio}", ratio, fortifications=walls)], runs, seed)
    return found


LADDERS: Mapping[str, Sequence[float]] = {
    "range": (3, 30, 100, 230, 500),
    "speed": (1, 4, 12, 35, 500),
    "Defense": (0.0, 0.2, 0.4, 0.6, 0.85),
}
"""Values from the lowest to the highest of the catalogue."""
MADE_FOR = {
    "range": "foot with one weapon against foot that strikes at 3 m, in the open",
    "speed": "knights in pursuit of horse archers who hit and run",
    "Defense": "spearmen who storm a hillfort, ten for seven",
}
FLAT = {"Power": [1.0, 1.0, 1.0]}


def worth(arena: Arena, raw: Raw, numbers: Numbers, runs: int, seed: int) -> Mapping[str, Sequence[float]]:
    """Return the odds by range, speed and Defense along their ladders, each in the situation that it is made for."""
    odds: dict[str, Sequence[float]] = {}
    bases = {"range": "Line infantry (flintlock)", "speed": "Norman Knight", "Defense": "Tribal spearmen"}
    for what, ladder in LADDERS.items():
        units = [
            changed_unit(raw, bases[what], f"{what} step {step}", what, value) for step, value in enumerate(ladder)
        ]
        names = [unit["Name"] for unit in units]
        more = {**raw, "units": {**raw["units"], "units": [*raw["units"]["units"], *units]}}
        if what == "range":
            cases = [duel(name, force("Own", foot=name), force("Enemy", foot=names[0])) for name in names]
        elif what == "speed":
            tactics = {"tactics": "defender hit and run"}
            cases = [duel(name, force("Own", horse=name), MONGOLS, **tactics) for name in names]
        else:
            storm = {"fortifications": "Hillfort", "posture": "FD"}
            enemy = force("Enemy", 7_000, foot="Tribal spearmen")
            cases = [duel(name, force("Own", foot=name), enemy, **storm) for name in names]
        odds[what] = [found.p_attacker for found in arena.predict(more, numbers, cases, runs, seed)]
    return odds


def changed_unit(raw: Raw, base: str, name: str, what: str, value: float) -> dict[str, Any]:
    """Return a unit of the catalogue under another name, with one column changed; with one weapon where it is range."""
    unit = next(unit for unit in raw["units"]["units"] if unit["Name"] == base)
    if what == "range":
        ranges = dict.fromkeys(("Long Range", "Medium Range", "Short Range"), value)
        return {**unit, "Name": name, **ranges, **FLAT}
    return {**unit, "Name": name, what.capitalize(): value}
