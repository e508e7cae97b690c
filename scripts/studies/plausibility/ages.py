"""Arms by age: units of the catalogue against those of other ages, in equal numbers and for equal nations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean
from typing import Any

from plausibility.adapter import Numbers
from plausibility.archetypes import slot_of
from plausibility.cases import Army
from plausibility.curve import LINE, even
from plausibility.fights import Arena, Raw
from sheets_algo.forms.autoalgo.shared_form import periods_of

MEN = 10_000

FOOT: Mapping[str, Sequence[str]] = {
    "antiquity": ("Hoplite", "Legionary"),
    "to 1300": ("Huscarl", "Crusader foot"),
    "to 1500": (
        "Longbowman",
        "Genoese Crossbowman",
        "Dismounted man-at-arms",
        "Pikeman",
        "Swiss pike and halberd",
        "Samurai",
    ),
    "arquebus": ("Tercio Arquebusier", "Arquebus infantry"),
    "matchlock": ("Pike and shot", "Matchlock infantry"),
    "flintlock": ("Musketeer Line", "Line infantry (flintlock)"),
    "rifle-musket": ("Rifle-musket infantry", "Rifled Infantry"),
    "breech-loader": ("Breech-loader infantry",),
    "magazine rifle": ("Magazine-rifle infantry",),
}
"""Foot of each age, oldest first."""
COLD_STEEL_AND_BOWS = (
    *(unit for age in ("antiquity", "to 1300", "to 1500") for unit in FOOT[age]),
    *("Aztec Jaguar", "Zulu Impi", "Tribal spearmen", "Tribal swordsmen"),
)
"""Foot without firearms, of any age."""
BREECH_LOADERS = (*FOOT["breech-loader"], *FOOT["magazine rifle"])
HORSE: Mapping[str, Sequence[str]] = {
    "lance": ("Norman Knight", "Gendarme"),
    "pistol": ("Cuirassier and harquebusier",),
    "sabre": ("Sabre cavalry",),
    "carbine": ("Carbine cavalry",),
}
"""Cavalry of each age, oldest first."""
GUNS: Mapping[str, Sequence[str]] = {
    "stones": ("Stone-throwing catapult", "Trebuchet"),
    "first guns": ("Light gun", "Early field gun"),
    "smoothbore": ("Smoothbore field gun", "12-pdr Cannon"),
    "rifled": ("Rifled field gun (muzzle-loader)",),
    "breech-loading": ("Rifled field gun (breech-loader)",),
    "quick-firing": ("Quick-firing field gun",),
}
"""Artillery of the field of each age, oldest first; bombards and mortars are for walls."""
SHIPS: Mapping[str, Sequence[str]] = {
    "galley": ("Trireme", "Galley", "Dromon"),
    "galleon": ("Carrack", "Galleon"),
    "ship of the line": ("Ship of the Line",),
    "ironclad": ("Steam Ironclad",),
    "battleship": ("Pre-dreadnought battleship",),
    "dreadnought": ("Dreadnought",),
}
"""Ships that fought in the line of each age, oldest first; cruisers, boats and merchantmen did not."""
HORSE_AGAINST_FOOT: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "antiquity": (("Companion cavalry", "Cataphract"), FOOT["antiquity"]),
    "to 1300": (("Norman Knight", "Crusader knight"), FOOT["to 1300"]),
    "to 1500": (("French knight", "Gendarme"), FOOT["to 1500"]),
    "matchlock": (HORSE["pistol"], FOOT["matchlock"]),
    "flintlock": (HORSE["sabre"], FOOT["flintlock"]),
    "magazine rifle": (HORSE["carbine"], FOOT["magazine rifle"]),
}
"""Horse and foot that met, by age: pikes, bows and firearms took the field from the lance."""
FLEET, GUN_SHARE = 50, 0.2
"""Ships of a fleet; share of the gunners in an army that shows its guns."""


@dataclass(frozen=True, slots=True)
class Era:
    """The years in which a unit fought, of its arm; BC is negative."""

    unit: str
    arm: str
    first: int
    last: int


def eras(raw: Raw) -> Iterator[Era]:
    """Yield the era of each unit that has one."""
    units = raw["units"]["units"]
    periods = periods_of(units)
    yield from (Era(unit["Name"], slot_of(unit), *periods[unit["Name"]]) for unit in units if unit["Name"] in periods)


Duel = tuple[str, str]
"""Two units: the one whose odds are asked for, and its enemy."""


def duels(arena: Arena, raw: Raw, numbers: Numbers, wanted: Sequence[Duel], runs: int, seed: int) -> dict[Duel, float]:
    """Return the odds of the first unit of each pair, the mean of attacking and defending.

    Args:
        arena: The place where they are fought.
        raw: The tables.
        numbers: The numbers of the adapter.
        wanted: The pairs.
        runs: The battles of each pair, half of them with the first unit attacking.
        seed: The seed.
    """
    slots = {unit["Name"]: slot_of(unit) for unit in raw["units"]["units"]}
    both = dict.fromkeys(pair for first, second in wanted for pair in ((first, second), (second, first)))
    cases = [
        even(
            f"{first} against {second}".replace(",", ""),  # no comma in a name of nations (DB-05)
            attacker=army("Red", first, slots[first]),
            defender=army("Blue", second, slots[second]),
            **(AT_SEA if slots[first] == "ship" else {}),
        )
        for first, second in both
    ]
    found = arena.predict(raw, numbers, cases, max(runs // 2, 1), seed)
    attacking = {pair: prediction.p_attacker for pair, prediction in zip(both, found, strict=True)}
    return {(a, b): (attacking[a, b] + 1 - attacking[b, a]) / 2 for a, b in wanted}


AT_SEA: Mapping[str, Any] = {"kind": "naval", "terrain": "Sea", "climate": "Ocean", "attrition": "At Sea"}


def army(name: str, unit: str, slot: str, men: int = MEN, ships: int = FLEET) -> Army:
    """Return an army of a unit alone; guns stand with four times as many of one foot, ships have one crew."""
    one = replace(LINE, name=name, size=men)
    if slot == "ship":
        return replace(one, types=("Marine", "", ""), shares=(1.0, 0.0, 0.0), ship_type=unit, ships=ships)
    if slot == "art":
        return replace(one, types=(LINE.types[0], "", unit), shares=(1 - GUN_SHARE, 0.0, GUN_SHARE))
    if slot == "cav":
        return replace(one, types=("", unit, ""), shares=(0.0, 1.0, 0.0))
    return replace(one, types=(unit, "", ""), shares=(1.0, 0.0, 0.0))


def neighbours(ages: Mapping[str, Sequence[str]]) -> Iterator[Duel]:
    """Yield the units of each age against those of the age before."""
    for before, after in pairwise(ages.values()):
        yield from ((later, earlier) for later in after for earlier in before)


def table(
    arena: Arena, raw: Raw, numbers: Numbers, arms: Mapping[str, Sequence[str]], runs: int, seed: int
) -> Mapping[Duel, float]:
    """Return the odds of an arm of each age against that of each other age, the mean of their units."""
    wanted = [(a, b) for one in arms.values() for a in one for other in arms.values() for b in other if one != other]
    odds = duels(arena, raw, numbers, wanted, runs, seed)
    return {
        (one, other): fmean(odds[a, b] for a in arms[one] for b in arms[other])
        for one in arms
        for other in arms
        if one != other
    }


def horse_against_foot(arena: Arena, raw: Raw, numbers: Numbers, runs: int, seed: int) -> Mapping[str, float]:
    """Return the odds of horse against the foot of its own age, the mean of their units."""
    wanted = [(a, b) for horse, foot in HORSE_AGAINST_FOOT.values() for a in horse for b in foot]
    odds = duels(arena, raw, numbers, wanted, runs, seed)
    return {age: fmean(odds[a, b] for a in horse for b in foot) for age, (horse, foot) in HORSE_AGAINST_FOOT.items()}
