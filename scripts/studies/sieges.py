#!/usr/bin/env python3
"""How close sieges come to history: odds, days and losses of sieges of all ages, typed as plainly as a moderator does.

Each row of tests/data/history/sieges.csv becomes a war of a new season: units of the catalogue, no row of Flanks. Exit
status: 0; 2 when the file cannot be used.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plausibility.cases import Band, Scenario
    from plausibility.fights import Prediction

ROOT = Path(__file__).resolve().parents[2]
SIEGES = ROOT / "tests" / "data" / "history" / "sieges.csv"
HOURS_A_DAY = 12


def main() -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=SIEGES, metavar="FILE", help="other sieges")
    parser.add_argument("--runs", type=int, default=100, help="sieges of each row (100)")
    parser.add_argument("--seed", type=int, default=0, help="another seed is other luck (0)")
    args = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "studies")]
    from plausibility.cases import BadFile, read_scenarios
    from plausibility.fights import Arena, machine
    from plausibility.plain import plain_rows
    from plausibility.targets import aligned

    try:
        sieges = read_scenarios(args.file)
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
    days = f"{fought.hours / HOURS_A_DAY:.0f}"
    return siege.case.name, siege.winner, f"{odds_of(siege, fought):.2f}", days, shown(siege.days), *losses


def shown(band: Band | None) -> str:
    """Return the two ends of a band, a dash for an unknown one."""
    return "-" if band is None else f"{band[0]:g} to {band[1]:g}"


def odds_of(siege: Scenario, fought: Prediction) -> float:
    """Return the chance of the side that won in history."""
    return fought.p_attacker if siege.winner == "attacker" else 1.0 - fought.p_attacker


def summary(sieges: list[tuple[Scenario, Prediction]]) -> list[str]:
    """Return the shares of sieges with the winner favoured, days and losses within a factor of 2, as lines."""
    odds = [odds_of(siege, fought) for siege, fought in sieges]
    days = [ratio(fought.hours / HOURS_A_DAY, siege.days) for siege, fought in sieges if siege.days]
    losses = [
        ratio(lost, band)
        for siege, fought in sieges
        for lost, band in zip(fought.losses, siege.losses, strict=True)
        if band
    ]
    return [
        f"favoured {sum(chance > 0.5 for chance in odds) / len(odds):.2f} of {len(odds)},"
        f" mean odds {sum(odds) / len(odds):.2f}",
        f"days within a factor of 2: {within(days)}",
        f"losses within a factor of 2: {within(losses)}",
    ]


def ratio(value: float, band: Band) -> float:
    """Return a value over the middle of a band, as a factor of 1 or more."""
    middle = math.sqrt(max(band[0], 0.001) * max(band[1], 0.001))
    return math.exp(abs(math.log(max(value, 0.001) / middle)))


def within(ratios: list[float]) -> str:
    """Return the share of ratios of at most 2, of how many, and their median."""
    middle = sorted(ratios)[len(ratios) // 2]
    return f"{sum(found <= 2 for found in ratios) / len(ratios):.2f} of {len(ratios)}, median factor {middle:.2f}"


if __name__ == "__main__":
    sys.exit(main())
