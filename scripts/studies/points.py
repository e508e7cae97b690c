#!/usr/bin/env python3
"""Measure the points of a man of each unit, of a gunner and of a ship (R-117).

Each unit meets the foot of its age, each ship the ship of the line of its age, in numbers that a bisection changes
until both win as often. The foot of an age is measured against that of the age before. Guns stand with four times as
many of the foot. A hoplite counts 1, a galley 100. Prints the points of all units; `--write` puts them into
config/tables/autoalgo/points.json.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "config" / "tables" / "autoalgo" / "points.json"
LAND = (
    (500, "Hoplite"),
    (1300, "Huscarl"),
    (1500, "Dismounted man-at-arms"),
    (1560, "Arquebus infantry"),
    (1690, "Matchlock infantry"),
    (1840, "Line infantry (flintlock)"),
    (1868, "Rifle-musket infantry"),
    (1885, "Breech-loader infantry"),
    (3000, "Magazine-rifle infantry"),
)
"""The last year of each age, and its foot."""
SEA = (
    (1500, "Galley"),
    (1650, "Galleon"),
    (1850, "Ship of the Line"),
    (1890, "Steam Ironclad"),
    (1906, "Pre-dreadnought battleship"),
    (3000, "Dreadnought"),
)
"""Likewise its ship of the line."""
FIRST = {"Hoplite": 1.0, "Galley": 100.0}
"""The points from which all others follow."""
STEPS, DOUBLINGS = 7, 4.0
"""Steps of the bisection; how many times one side may be the other, in doublings."""


@dataclass(frozen=True)
class Match:
    """A unit and the one that it is measured against."""

    unit: str
    other: str
    slot: str


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--battles", type=int, default=100, help="battles of each step (100)")
    parser.add_argument("--write", action="store_true", help="write the points into points.json")
    args = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "studies")]
    from plausibility.fights import Arena, machine

    arena = Arena(kernel=machine())
    raw = arena.library.raw("autoalgo")
    ratios = measured(arena, raw, [*matches(raw)], args.battles)
    found = points(raw, ratios)
    if args.write:
        written = {"$schema": "../../schema/autoalgo/points.schema.json", "about": ABOUT, "points": found}
        FILE.write_text(json.dumps(written, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    for name, value in found.items():
        print(f"{value:8.2f}  {name}")
    return 0


ABOUT = (
    "Points of a man of each unit, and of a ship, by how many of them fight the foot or the ship of their age evenly "
    "(R-117); written by scripts/studies/points.py."
)


def matches(raw: Mapping[str, Any]) -> Sequence[Match]:
    """Return what is fought: each unit against that of its age, and that of each age against the one before."""
    from plausibility.ages import eras

    found = []
    for era in eras(raw):
        ages = SEA if era.arm == "ship" else LAND
        reference = next(name for last, name in ages if (era.first + era.last) / 2 <= last)
        if era.unit != reference:
            found.append(Match(era.unit, reference, era.arm))
    for ages, slot in ((LAND, "inf"), (SEA, "ship")):
        found += [Match(later, earlier, slot) for (_, earlier), (_, later) in pairwise(ages)]
    return found


def measured(arena: Any, raw: Any, wanted: Sequence[Match], battles: int) -> dict[Match, float]:
    """Return how many of the other fight one of each unit evenly."""
    from plausibility.adapter import adapter_numbers
    from plausibility.ages import AT_SEA, FLEET, MEN, army
    from plausibility.curve import even

    numbers = adapter_numbers()
    bounds = dict.fromkeys(wanted, (-DOUBLINGS, DOUBLINGS))
    for step in range(STEPS):
        cases = []
        for place, (match, (low, high)) in enumerate(bounds.items()):
            half = 2.0 ** ((low + high) / 4)
            own, other = (
                army(name, unit, slot, round(MEN * size), max(round(FLEET * size), 1))
                for name, unit, slot, size in (
                    ("Red", match.unit, match.slot, 1 / half),
                    ("Blue", match.other, "inf" if match.slot == "art" else match.slot, half),
                )
            )
            if match.slot == "art":
                own = guns_with(own, match.other)
            more = AT_SEA if match.slot == "ship" else {}
            cases += [
                even(f"{step} {place} {says}", attacker=first, defender=second, **more)
                for says, first, second in (("attacks", own, other), ("defends", other, own))
            ]
        odds = [prediction.p_attacker for prediction in arena.predict(raw, numbers, cases, battles // 2, step)]
        for place, (match, (low, high)) in enumerate([*bounds.items()]):
            wins = (odds[2 * place] + 1 - odds[2 * place + 1]) / 2
            middle = (low + high) / 2
            bounds[match] = (middle, high) if wins >= 0.5 else (low, middle)
    return {match: 2.0 ** ((low + high) / 2) for match, (low, high) in bounds.items()}


def guns_with(own: Any, foot: str) -> Any:
    """Return an army of guns with the foot of their age."""
    from dataclasses import replace

    return replace(own, types=(foot, *own.types[1:]))


def points(raw: Mapping[str, Any], ratios: Mapping[Match, float]) -> dict[str, float]:
    """Return the points of each unit, in the order of the catalogue."""
    from plausibility.ages import GUN_SHARE

    found = dict(FIRST)
    for ages in (LAND, SEA):
        for (_, earlier), (_, later) in pairwise(ages):
            found[later] = found[earlier] * next(
                ratio for match, ratio in ratios.items() if (match.unit, match.other) == (later, earlier)
            )
    for match, ratio in ratios.items():
        if match.unit not in found:
            share = (ratio - (1 - GUN_SHARE)) / GUN_SHARE if match.slot == "art" else ratio
            found[match.unit] = max(share, 0.0) * found[match.other]
    return {unit["Name"]: round(found[unit["Name"]], 2) for unit in raw["units"]["units"] if unit["Name"] in found}


if __name__ == "__main__":
    sys.exit(main())
