#!/usr/bin/env python3
"""How close the engine comes to history: battles fought many times over, measured against what happened.

Reads any file with the columns of tests/data/history/ (outcomes may be missing), types each row into a workbook as the
adapter says (scripts/plausibility/adapter.json), fights it and prints every metric beside its bars. Units and words
that the engine lacks are taken for the likest ones; standard error says which. Exit status: 0; 1 when an ordering does
not hold; 2 when a file or a number cannot be used.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plausibility.orderings import Check

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Read, fight, measure, print."""
    asked = arguments()
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]
    from plausibility.cases import BadFile

    from engine.entry import Slip
    from sheets_algo.library import ConfigError

    try:
        return run(asked)
    except (BadFile, ConfigError, Slip, ValueError) as error:
        print(f"history.py: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 0  # who reads has read enough
    except OSError as error:
        print(f"history.py: {error.filename}: the file cannot be written: {error.strerror}.", file=sys.stderr)
        return 2


def arguments() -> argparse.Namespace:
    """What was typed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("battles", nargs="?", type=Path, metavar="BATTLES.csv", help="the battles")
    parser.add_argument("--scenarios", type=Path, metavar="FILE", help="the scenarios, with or without battles")
    parser.add_argument("--track", choices="ABC", help="one track only; all three without it")
    parser.add_argument("--runs", type=counted, default=200, help="battles of each row (200)")
    parser.add_argument("--seed", type=seed, default=0, help="another seed is other luck (0)")
    parser.add_argument(
        "--folds", type=counted, metavar="N", help="also the metrics of N parts of the rows, by their ids"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="predictions as CSV: of the battles, else of the scenarios"
    )
    parser.add_argument("--scenarios-out", type=Path, metavar="FILE", help="predictions of the scenarios as CSV")
    parser.add_argument(
        "--curve", nargs="?", const="-", metavar="FILE", help="the equal-quality curve as CSV; alone: printed"
    )
    parser.add_argument("--orderings", action="store_true", help="the ordering checks, which need no rows")
    parser.add_argument("--json", action="store_true", help="print JSON")
    asked = parser.parse_args()
    if not (asked.battles or asked.scenarios or asked.curve or asked.orderings):
        parser.error("name a file of battles, or --scenarios, --curve or --orderings")
    return asked


def counted(text: str) -> int:
    """A whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f'"{text}" is not a whole number from 1 upwards')
    return int(text)


def seed(text: str) -> int:
    """A whole number from 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f'"{text}" is not a whole number from 0 upwards')
    return int(text)


def run(asked: argparse.Namespace) -> int:
    """Do what was asked; 0, or 1 when an ordering does not hold."""
    from plausibility import evaluation as evaluations
    from plausibility.adapter import adapter_numbers
    from plausibility.cases import TRACKS, read_battles, read_scenarios
    from plausibility.evaluation import Bench, save
    from plausibility.fights import Arena, machine

    from engine.autoalgo.haste import WORTH_COMPILING

    began = time.monotonic()
    battles = read_battles(asked.battles) if asked.battles else []
    scenarios = read_scenarios(asked.scenarios) if asked.scenarios else []
    many = WORTH_COMPILING if asked.orderings else 0
    kernel = machine(many + asked.runs * (len(battles) * len(asked.track or TRACKS) + len(scenarios)))
    bench = Bench(battles, scenarios, Arena(kernel=kernel))
    if kernel.why_not:
        print(f"Python fights the battles: {kernel.why_not}.", file=sys.stderr)
    for line in bench.notes:
        print(line, file=sys.stderr)
    raw, numbers = bench.arena.library.raw("autoalgo"), adapter_numbers()
    tracks = asked.track or TRACKS
    measures = bool(asked.battles or asked.scenarios)
    found = bench.evaluate(
        raw, numbers, runs=asked.runs, seed=asked.seed, tracks=tracks, with_curve=measures or bool(asked.curve)
    )
    scenarios_out = asked.scenarios_out or (None if asked.battles else asked.out)
    if asked.out and asked.battles:
        save(asked.out, evaluations.write_battles, found.tracks)
    if scenarios_out and asked.scenarios:
        save(scenarios_out, evaluations.write_scenarios, bench.scenarios, found.scenarios)
    if asked.scenarios and not (asked.battles or scenarios_out or asked.json):
        evaluations.write_scenarios(sys.stdout, bench.scenarios, found.scenarios)
        print()
    if asked.curve and asked.curve != "-":
        save(Path(asked.curve), evaluations.write_curve, found.curve)
    told: dict[str, Any] = {"metrics": found.metrics} if measures else {}
    if asked.folds:
        parts = [bench.fold_metrics(found, fold, asked.folds) for fold in range(asked.folds)]
        told["folds"] = {
            key: {"each": values, "mean": fmean(values), "spread": pstdev(values)}
            for key in found.metrics
            if (values := [part[key] for part in parts if key in part])
        }
    if asked.curve == "-":
        told["curve"] = {
            posture: {f"{ratio:.4g}": p for ratio, p in odds.items()} for posture, odds in found.curve.items()
        }
    checks: list[Check] = []
    if asked.orderings:
        from plausibility.orderings import checked

        checks = checked(bench.arena, raw, numbers, asked.seed)
        told["orderings"] = [{"check": it.name, "holds": it.holds, "found": it.found} for it in checks]
    if asked.json:
        print(json.dumps(told, indent=2))
    else:
        show(told)
        print(f"\n{asked.runs} runs a row, seed {asked.seed}, {time.monotonic() - began:.1f} s", file=sys.stderr)
    return 0 if all(it.holds for it in checks) else 1


def show(told: dict[str, Any]) -> None:
    """Print what was found as tables."""
    from plausibility.targets import aligned, table

    parts = []
    if metrics := told.get("metrics"):
        parts.append(table(metrics))
    if folds := told.get("folds"):
        rows: list[tuple[str, ...]] = [("metric", "mean", "spread", "each fold")]
        for key, it in folds.items():
            each = " ".join(f"{value:.3f}" for value in it["each"])
            rows.append((key, f"{it['mean']:.3f}", f"{it['spread']:.3f}", each))
        parts.append(aligned(rows))
    if curve := told.get("curve"):
        ratios = list(next(iter(curve.values())))
        rows = [
            ("posture", *ratios),
            *((posture, *(f"{odds[it]:.2f}" for it in ratios)) for posture, odds in curve.items()),
        ]
        parts.append(aligned(rows))
    if orderings := told.get("orderings"):
        rows = [("ordering", "holds", "found")]
        rows += [(it["check"], "yes" if it["holds"] else "NO", it["found"]) for it in orderings]
        parts.append(aligned(rows))
    print("\n\n".join(parts))


if __name__ == "__main__":
    sys.exit(main())
