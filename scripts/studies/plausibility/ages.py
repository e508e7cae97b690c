"""Arms by age: units of the catalogue against those of other ages, in equal numbers and for equal nations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import fmean

from plausibility.adapter import Numbers
from plausibility.cases import Army
from plausibility.curve import LINE, even
from plausibility.fights import Arena, Raw

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
    slots = {unit["Name"]: str(unit["Slot, era"]).split(",")[0] for unit in raw["units"]["units"]}

    def army(name: str, unit: str) -> Army:
        on_horse = slots[unit] == "cav"
        types, shares = (("", unit, ""), (0.0, 1.0, 0.0)) if on_horse else ((unit, "", ""), (1.0, 0.0, 0.0))
        return replace(LINE, name=name, size=MEN, types=types, shares=shares)

    both = dict.fromkeys(pair for first, second in wanted for pair in ((first, second), (second, first)))
    cases = [
        even(f"{first} against {second}", attacker=army("Red", first), defender=army("Blue", second))
        for first, second in both
    ]
    found = arena.predict(raw, numbers, cases, max(runs // 2, 1), seed)
    attacking = {pair: prediction.p_attacker for pair, prediction in zip(both, found, strict=True)}
    return {(a, b): (attacking[a, b] + 1 - attacking[b, a]) / 2 for a, b in wanted}


def neighbours(ages: Mapping[str, Sequence[str]]) -> Iterator[Duel]:
    """Yield the units of each age against those of the age before."""
    for before, after in pairwise(ages.values()):
        yield from ((later, earlier) for later in after for earlier in before)


def table(arena: Arena, raw: Raw, numbers: Numbers, runs: int, seed: int) -> Mapping[Duel, float]:
    """Return the odds of each age's foot against each other age's, the mean of their units."""
    wanted = [(a, b) for one in FOOT.values() for a in one for other in FOOT.values() for b in other if one != other]
    odds = duels(arena, raw, numbers, wanted, runs, seed)
    return {
        (one, other): fmean(odds[a, b] for a in FOOT[one] for b in FOOT[other])
        for one in FOOT
        for other in FOOT
        if one != other
    }
