#!/usr/bin/env python3
"""How close sieges come to history: odds, days and losses of sieges of all ages, typed as plainly as a moderator does.

Each row of tests/data/history/sieges.csv becomes a war of a new season: units of the catalogue, no row of Flanks.
Numbers are tuned on `training` and judged on `test` and `fresh`. Odds say who wins; days and losses are those of the
sieges that end as in history, since a garrison that holds and one that is captured have nothing in common.
`--ceiling` prints how well constants and regressions do in place of the rules. Exit status: 0; 2 when the file cannot
be used.
"""

from __future__ import annotations

import argparse
import csv
import math
import random
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from plausibility.cases import Band, Scenario
    from plausibility.fights import Floats, Prediction

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
    parser.add_argument("--ceiling", action="store_true", help="print what constants and regressions reach")
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
    if args.ceiling:
        print(*ceilings(sieges), sep="\n")
        return 0
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
        text
        for lost, band in zip(losses_of(siege, fought), siege.losses, strict=True)
        for text in (f"{lost:.2f}", shown(band))
    ]
    days = f"{days_of(siege, fought):.0f}"
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
            "days within a factor of 2",
            [is_near(days_of(siege, fought), siege.days) for siege, fought in sieges if siege.days],
        ),
    ]
    for side, name in enumerate(("besieger", "garrison")):
        known = [
            is_near(losses_of(siege, fought)[side], band) for siege, fought in sieges if (band := siege.losses[side])
        ]
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


def days_of(siege: Scenario, fought: Prediction) -> float:
    """Return the median of the days that a siege lasted where it ended as in history."""
    return fought.hours_if[siege.winner != "attacker"] / HOURS_A_DAY


def losses_of(siege: Scenario, fought: Prediction) -> tuple[float, float]:
    """Return the median losses of both sides where a siege ended as in history."""
    return fought.losses_if[siege.winner != "attacker"]


def ceilings(sieges: Sequence[Scenario]) -> list[str]:
    """Return the shares within a factor of 2 that constants and regressions reach, each siege judged by all others."""
    facts = np.array([facts_of(siege) for siege in sieges], float)
    words = [(siege.case.fortifications, siege.case.climate, siege.case.kind) for siege in sieges]
    known = sorted({word for of_siege in words for word in of_siege})
    facts = np.column_stack([facts, [[word in of_siege for word in known] for of_siege in words]])
    facts = (facts - facts.mean(axis=0)) / np.maximum(facts.std(axis=0), 1e-9)
    lines = []
    for name, bands in (
        ("days", [siege.days for siege in sieges]),
        ("losses of the besieger", [siege.losses[0] for siege in sieges]),
        ("losses of the garrison", [siege.losses[1] for siege in sieges]),
    ):
        rows = [row for row, band in enumerate(bands) if band]
        truth = np.array([math.log(middle(band)) for band in bands if band])
        fell = np.array([sieges[row].winner == "attacker" for row in rows])
        medians = [
            [np.median(np.delete(truth, place)) for place in range(len(rows))],
            [np.median(np.delete(truth, place)[np.delete(fell, place) == fell[place]]) for place in range(len(rows))],
        ]
        fits = [ridge(facts[rows], truth, weight) for weight in WEIGHTS]
        errors = [np.abs(np.array(values) - truth) for values in (*medians, min(fits, key=partial(spread, truth)))]
        shares = [float(np.mean(error <= math.log(2.0))) for error in errors]
        left = spread(truth, truth + errors[2]) / float(truth.std())
        lines.append(
            f"{name} within a factor of 2, of {len(rows)}: by one number {shares[0]:.2f}, by one for each outcome"
            f" {shares[1]:.2f}, by a regression on what is typed {shares[2]:.2f}, which leaves {left:.2f} of the spread"
        )
    return lines


def spread(truth: Floats, values: Sequence[float] | Floats) -> float:
    """Return the root of the mean square of what separates values from the truth."""
    return float(np.sqrt(np.mean((np.array(values) - truth) ** 2)))


WEIGHTS = (1.0, 5.0, 20.0, 60.0, 200.0)
"""Weights of the penalty of a regression; the one with the least error is printed."""


def facts_of(siege: Scenario) -> list[float]:
    """Return the numbers that a moderator types for a siege."""
    own, other = siege.case.armies
    return [
        *(math.log(army.size) for army in (own, other)),
        *(army.skill or 0.0 for army in (own, other)),
        *(share for army in (own, other) for share in army.shares[1:]),
        *(math.log(1.0 + army.ships) for army in (own, other)),
        siege.case.year,
        siege.case.year > MODERN,
        bool(siege.case.relief),
    ]


MODERN = 1500
"""Year that divides sieges before guns from those with them."""


def ridge(facts: Floats, truth: Floats, weight: float) -> list[float]:
    """Return the prediction of each value by a regression on all others."""
    found = []
    for place in range(len(truth)):
        others, known = np.delete(facts, place, axis=0), np.delete(truth, place)
        slopes = np.linalg.solve(others.T @ others + weight * np.eye(facts.shape[1]), others.T @ (known - known.mean()))
        found.append(float(known.mean() + facts[place] @ slopes))
    return found


def is_near(value: float, band: Band) -> bool:
    """Return True if a value is at most twice and at least half of the geometric middle of a band."""
    return abs(math.log(max(value, 0.001) / middle(band))) <= math.log(2.0)


def middle(band: Band) -> float:
    """Return the geometric middle of a band."""
    return math.sqrt(max(band[0], 0.001) * max(band[1], 0.001))


if __name__ == "__main__":
    sys.exit(main())
