#!/usr/bin/env python3
"""How close the engine comes to history: battles fought many times over, measured against what happened.

Reads any file with the columns of tests/data/history/ (outcomes may be missing), types each row into a workbook as the
adapter says (scripts/studies/plausibility/adapter.json), fights it and prints every metric beside its bars. Units and
words that the engine lacks are taken for the likest ones; standard error says which. Exit status: 0; 1 when an ordering
does not hold; 2 when a file or a number cannot be used.
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

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Run the command; return its exit status."""
    args = arguments()
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "studies")]
    from plausibility.cases import BadFile

    from engine.config_value import TableError
    from sheets_algo.config.loader import ConfigError

    try:
        return run(args)
    except (BadFile, ConfigError, TableError, ValueError) as error:
        print(f"history.py: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 0  # the reader of the pipe has enough
    except OSError as error:
        print(f"history.py: {error.filename}: the file cannot be written: {error.strerror}.", file=sys.stderr)
        return 2


def arguments() -> argparse.Namespace:
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("battles", nargs="?", type=Path, metavar="BATTLES.csv", help="the battles")
    parser.add_argument("--scenarios", type=Path, metavar="FILE", help="the scenarios, with or without battles")
    parser.add_argument(
        "--plain", action="store_true", help="type only what a moderator types: default flanks, units of the catalogue"
    )
    parser.add_argument(
        "--rated",
        action="store_true",
        help="with --plain: type training, Soldier Type and skills as the rows rate armies",
    )
    parser.add_argument("--half", choices=("training", "test"), help="only scenarios whose column half says so")
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
    args = parser.parse_args()
    if not (args.battles or args.scenarios or args.curve or args.orderings):
        parser.error("name a file of battles, or --scenarios, --curve or --orderings")
    if args.rated and not args.plain:
        parser.error("--rated needs --plain")
    return args


def counted(text: str) -> int:
    """Parse a whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f'"{text}" is not a whole number from 1 upwards')
    return int(text)


def seed(text: str) -> int:
    """Parse a whole number from 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f'"{text}" is not a whole number from 0 upwards')
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Fight and measure as the options say; return 0, or 1 when an ordering does not hold."""
    from plausibility import evaluation as evaluations
    from plausibility.adapter import adapter_numbers
    from plausibility.cases import TRACKS, read_battles, read_scenarios
    from plausibility.evaluation import Bench, save
    from plausibility.fights import Arena, machine
    from plausibility.plain import plain_rows, rated_rows

    from sheets_algo.forecasts.machine_code import MANY

    start = time.monotonic()
    battles = read_battles(args.battles) if args.battles else []
    scenarios = read_scenarios(args.scenarios, args.half) if args.scenarios else []
    ordering_battles = MANY if args.orderings else 0
    kernel = machine(ordering_battles + args.runs * (len(battles) * len(args.track or TRACKS) + len(scenarios)))
    typed = rated_rows if args.rated else plain_rows
    bench = Bench(battles, scenarios, Arena(kernel=kernel, typed=typed if args.plain else None))
    if kernel.why_not:
        print(f"Python fights the battles: {kernel.why_not}.", file=sys.stderr)
    for line in bench.notes:
        print(line, file=sys.stderr)
    raw, numbers = bench.arena.library.raw("autoalgo"), adapter_numbers()
    tracks = args.track or TRACKS
    measures = bool(args.battles or args.scenarios)
    found = bench.evaluate(
        raw,
        numbers,
        runs=args.runs,
        seed=args.seed,
        tracks=tracks,
        with_curve=bool(args.curve) or (measures and not args.plain),
    )
    scenarios_out = args.scenarios_out or (None if args.battles else args.out)
    if args.out and args.battles:
        save(args.out, evaluations.write_battles, found.tracks)
    if scenarios_out and args.scenarios:
        save(scenarios_out, evaluations.write_scenarios, bench.scenarios, found.scenarios)
    if args.scenarios and not (args.battles or scenarios_out or args.json):
        evaluations.write_scenarios(sys.stdout, bench.scenarios, found.scenarios)
        print()
    if args.curve and args.curve != "-":
        save(Path(args.curve), evaluations.write_curve, found.curve)
    results: dict[str, Any] = {"metrics": found.metrics} if measures else {}
    if args.folds:
        parts = [bench.fold_metrics(found, fold, args.folds) for fold in range(args.folds)]
        results["folds"] = {
            key: {"each": values, "mean": fmean(values), "spread": pstdev(values)}
            for key in found.metrics
            if (values := [part[key] for part in parts if key in part])
        }
    if args.curve == "-":
        results["curve"] = {
            posture: {f"{ratio:.4g}": p for ratio, p in odds.items()} for posture, odds in found.curve.items()
        }
    checks: list[Check] = []
    if args.orderings:
        from plausibility.orderings import checked

        checks = checked(bench.arena, raw, numbers, args.seed)
        results["orderings"] = [{"check": check.name, "holds": check.holds, "found": check.found} for check in checks]
    if args.json:
        print(json.dumps(results, indent=2))
    else:
        show(results)
        print(f"\n{args.runs} runs a row, seed {args.seed}, {time.monotonic() - start:.1f} s", file=sys.stderr)
    return 0 if all(check.holds for check in checks) else 1


def show(results: dict[str, Any]) -> None:
    """Print the results as tables."""
    from plausibility.targets import aligned, table

    parts = []
    if metrics := results.get("metrics"):
        parts.append(table(metrics))
    if folds := results.get("folds"):
        rows: list[tuple[str, ...]] = [("metric", "mean", "spread", "each fold")]
        for key, values in folds.items():
            each = " ".join(f"{value:.3f}" for value in values["each"])
            rows.append((key, f"{values['mean']:.3f}", f"{values['spread']:.3f}", each))
        parts.append(aligned(rows))
    if curve := results.get("curve"):
        ratios = list(next(iter(curve.values())))
        rows = [
            ("posture", *ratios),
            *((posture, *(f"{odds[ratio]:.2f}" for ratio in ratios)) for posture, odds in curve.items()),
        ]
        parts.append(aligned(rows))
    if orderings := results.get("orderings"):
        rows = [("ordering", "holds", "found")]
        rows += [(check["check"], "yes" if check["holds"] else "NO", check["found"]) for check in orderings]
        parts.append(aligned(rows))
    print("\n\n".join(parts))


if __name__ == "__main__":
    sys.exit(main())
