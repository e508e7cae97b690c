#!/usr/bin/env python3
"""How close sieges come to history: odds, days and losses of sieges of all ages, typed as plainly as a moderator does.

Each row of tests/data/history/sieges.csv becomes a war of a new season: units of the catalogue, no row of Flanks.
Numbers are tuned on `training` and judged on `test` and `fresh`. Exit status: 0; 2 when the file cannot be used.
"""

from __future__ import annotations

import argparse
import csv
import math
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plausibility.cases import Band, Scenario
    from plausibility.fights import Prediction

ROOT = Path(__file__).resolve().parents[2]
SIEGES = ROOT / "tests" / "data" / "history" / "sieges.csv"
HOURS_A_DAY = 12
PARTS = ("training", "test", "fresh", "all")
CERTAIN = 0.01
"""Odds below this, or above 1 less this, are certain."""
RESAMPLES, TAIL = 2_000, 0.05
"""Resamples of the sieges, and the share of them beyond each end of a 90 % interval."""


def main() -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=SIEGES, metavar="FILE", help="other sieges")
    parser.add_argument("--half", choices=PARTS, default="all", help="the rows of the column half (all)")
    parser.add_argument("--runs", type=int, default=100, help="sieges of each row (100)")
    parser.add_argument("--seed", type=int, default=0, help="another seed is other luck (0)")
    args = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "studies")]
    from plausibility.cases import BadFile, read_scenarios
    from plausibility.fights import Arena, machine
    from plausibility.plain import plain_rows
    from plausibility.targets import aligned

    try:
        sieges = [
            siege for siege in read_scenarios(args.file) if args.half in ("all", halves(args.file)[siege.case.id])
        ]
    except BadFile as error:
        print(f"sieges.py: {error}", file=sys.stderr)
        return 2
    arena = Arena(kernel=machine(args.runs * len(sieges)), typed=plain_rows)
    found = arena.predict(arena.library.raw("autoalgo"), {}, [siege.case for siege in sieges], args.runs, args.seed)
    rows: list[tuple[str, ...]] = [("siege", "winner", "odds", "days", "of", "lost", "of", "lost", "of")]
    rows += [row(siege, fought) for siege, fought in zip(sieges, found, strict=True)]
    print(aligned(rows))
    for line in summary(list(zip(sieges, found, strict=True))):
        print(line)
    return 0


def row(siege: Scenario, fought: Prediction) -> tuple[str, ...]:
    """Return the line of a siege: odds of who won, days and losses of both sides, each beside history's."""
    losses = [
        text for lost, band in zip(fought.losses, siege.losses, strict=True) for text in (f"{lost:.2f}", shown(band))
    ]
    days = f"{days_of(fought):.0f}"
    return siege.case.name, siege.winner, f"{odds_of(siege, fought):.2f}", days, shown(siege.days), *losses


def shown(band: Band | None) -> str:
    """Return the two ends of a band, a dash for an unknown one."""
    return "-" if band is None else f"{band[0]:g} to {band[1]:g}"


def odds_of(siege: Scenario, fought: Prediction) -> float:
    """Return the chance of the side that won in history."""
    return fought.p_attacker if siege.winner == "attacker" else 1.0 - fought.p_attacker


def halves(file: Path) -> dict[str, str]:
    """Return the half of each row of a file by its id; blank where the file has no such column."""
    with file.open(encoding="utf-8-sig", newline="") as lines:
        return {line["scenario_id"]: line.get("half") or "" for line in csv.DictReader(lines)}


def summary(sieges: Sequence[tuple[Scenario, Prediction]]) -> list[str]:
    """Return the measures of sieges as lines: value, 90 % interval, number of sieges."""
    held = [pair for pair in sieges if pair[0].winner == "defender"]
    fell = [pair for pair in sieges if pair[0].winner == "attacker"]
    lines = [
        measure("Brier score", [(1.0 - odds_of(*pair)) ** 2 for pair in sieges]),
        measure("favoured right, of those that fell", [odds_of(*pair) > 0.5 for pair in fell]),
        measure("favoured right, of those that held", [odds_of(*pair) > 0.5 for pair in held]),
        measure(
            "days within a factor of 2", [is_near(days_of(each), siege.days) for siege, each in sieges if siege.days]
        ),
    ]
    for side, name in enumerate(("besieger", "garrison")):
        known = [is_near(each.losses[side], band) for siege, each in sieges if (band := siege.losses[side])]
        lines.append(measure(f"losses of the {name} within a factor of 2", known))
    certain = [not CERTAIN <= odds_of(*pair) <= 1.0 - CERTAIN for pair in sieges]
    return [*lines, measure("certain outcomes", certain)]


def measure(name: str, values: Sequence[float]) -> str:
    """Return the mean of values with its 90 % interval, from resampling them, as a line."""
    if not values:
        return f"{name}: - of 0"
    chance = random.Random(0)
    means = sorted(math.fsum(chance.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLES))
    low, high = means[int(TAIL * RESAMPLES)], means[int((1.0 - TAIL) * RESAMPLES)]
    return f"{name}: {math.fsum(values) / len(values):.2f} ({low:.2f} to {high:.2f}) of {len(values)}"


def days_of(fought: Prediction) -> float:
    """Return the median of the days that a siege lasted."""
    return fought.hours / HOURS_A_DAY


def is_near(value: float, band: Band) -> bool:
    """Return True if a value is at most twice and at least half of the geometric middle of a band."""
    middle = math.sqrt(max(band[0], 0.001) * max(band[1], 0.001))
    return abs(math.log(max(value, 0.001) / middle)) <= math.log(2.0)


if __name__ == "__main__":
    sys.exit(main())
