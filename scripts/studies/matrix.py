#!/usr/bin/env python3
"""Every unit of the catalogue against every later one of its arm: where the later one loses.

A pair counts if the later unit came at least 50 years after the earlier one had gone, by the eras that `units.json`
remarks. Both armies are 10,000 men alike (ships: 50 of each, guns with foot), and each attacks in half of the battles.
Prints how many pairs there are, how many the later unit wins in less than 45 %, and the worst of them. `--csv`
writes all pairs.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
APART, BELOW = 50, 0.45
ARMS = ("inf", "cav", "art", "ship")
CHUNK = 500
"""Pairs that are fought at once."""


@dataclass(frozen=True, slots=True)
class Era:
    """The years in which a unit fought, of its arm; BC is negative."""

    unit: str
    arm: str
    first: int
    last: int


def main() -> int:
    """Fight and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arm", choices=ARMS, action="append", help="an arm; all without it")
    parser.add_argument("--unit", action="append", default=[], help="pairs of this unit only; may be repeated")
    parser.add_argument("--battles", type=int, default=100, help="battles of each pair (100)")
    parser.add_argument("--worst", type=int, default=30, help="pairs that are printed of each arm (30)")
    parser.add_argument("--csv", type=Path, help="write every pair into this file")
    args = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "studies")]
    from plausibility.adapter import adapter_numbers
    from plausibility.ages import duels
    from plausibility.fights import Arena, machine

    arena = Arena(kernel=machine())
    raw, numbers = arena.library.raw("autoalgo"), adapter_numbers()
    found: dict[tuple[str, str], float] = {}
    for arm in args.arm or ARMS:
        wanted = [pair for pair in pairs(raw, arm) if not args.unit or {*args.unit} & {*pair}]
        odds: dict[tuple[str, str], float] = {}
        for start in range(0, len(wanted), CHUNK):
            odds |= duels(arena, raw, numbers, wanted[start : start + CHUNK], args.battles, 0)
        lost = sorted((p, pair) for pair, p in odds.items() if p < BELOW)
        print(f"\n{arm}: {len(wanted):,} pairs, in {len(lost):,} the later one wins less than {BELOW}", flush=True)
        for p, (later, earlier) in lost[: args.worst]:
            print(f"{p:5.2f}  {later} against {earlier}")
        for place, kind in ((1, "who beat later ones"), (0, "who lost to earlier ones")):
            print(
                f"{kind}: " + ", ".join(f"{unit} {number}" for unit, number in most([pair[place] for _, pair in lost]))
            )
        found |= odds
    if args.csv:
        with args.csv.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(("later", "earlier", "later_wins"))
            writer.writerows((*pair, f"{p:.3f}") for pair, p in found.items())
    return 0


def eras(raw: Mapping[str, Any]) -> Iterator[Era]:
    """Yield the era of each unit that has one."""
    from plausibility.archetypes import slot_of

    from sheets_algo.forms.autoalgo.periods import periods_of

    units = raw["units"]["units"]
    periods = periods_of(units)
    yield from (Era(unit["Name"], slot_of(unit), *periods[unit["Name"]]) for unit in units if unit["Name"] in periods)


def pairs(raw: Mapping[str, Any], arm: str) -> list[tuple[str, str]]:
    """Return the units of an arm, each with every earlier one that was gone long before."""
    own = [era for era in eras(raw) if era.arm == arm]
    return [(later.unit, old.unit) for later in own for old in own if later.first - old.last >= APART]


def most(units: Sequence[str], number: int = 12) -> list[tuple[str, int]]:
    """Return the units that stand in the sequence most often, with how often."""
    return sorted(((unit, units.count(unit)) for unit in {*units}), key=lambda found: (-found[1], found[0]))[:number]


if __name__ == "__main__":
    sys.exit(main())
