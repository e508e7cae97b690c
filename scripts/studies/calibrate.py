#!/usr/bin/env python3
"""Search for numbers of the tables and the adapter that come closer to history.

A few dozen factors (scripts/studies/plausibility/parameters.json) scale groups of numbers; none touches a single
battle. With --folds the search is repeated on all parts of the rows but one, and what it found is measured on the part
it never saw: the honest estimate for other battles. Stricter still is --from the checkout of a commit before the
numbers had seen any row. Nothing is written without --write.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plausibility.evaluation import Bench
    from plausibility.parameters import Space
    from plausibility.search import Fit

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "config" / "schema" / "autoalgo"
FARTHEST, FAR_STEP = 30.0, 0.3
"""Largest factor on the numbers of another checkout, and the first step of a search there."""


def main() -> int:
    """Run the command; return its exit status."""
    args = arguments()
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "studies")]
    from plausibility.cases import BadFile

    from sheets_algo.config.loader import ConfigError

    try:
        return run(args)
    except (BadFile, ConfigError, ValueError) as error:
        print(f"calibrate.py: {error}", file=sys.stderr)
        return 2


def arguments() -> argparse.Namespace:
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("battles", type=Path, nargs="?", metavar="BATTLES.csv", help="the battles")
    parser.add_argument("--scenarios", type=Path, metavar="FILE", help="the scenarios, fitted too")
    parser.add_argument("--plain", type=Path, metavar="FILE", help="scenarios typed as a moderator types, fitted too")
    parser.add_argument("--minutes", type=float, default=10.0, help="of each search (10)")
    parser.add_argument("--folds", type=int, default=0, metavar="N", help="cross-validate over N parts of the rows")
    parser.add_argument("--runs", type=int, default=50, help="battles of each row in the search (50)")
    parser.add_argument("--seed", type=int, default=0, help="another seed is other luck (0)")
    parser.add_argument("--only", action="append", metavar="NAME", help="parameters that begin so; may be repeated")
    parser.add_argument(
        "--from", dest="origin", type=Path, metavar="FOLDER", help="start from the numbers of another checkout"
    )
    parser.add_argument("--write", action="store_true", help="write what was found into the tables and the adapter")
    args = parser.parse_args()
    if not (args.battles or args.scenarios or args.plain):
        parser.error("name a file of battles, or --scenarios or --plain")
    if args.folds == 1 or args.folds < 0 or args.runs < 1 or args.seed < 0 or not args.minutes >= 0:
        parser.error("--folds is 2 or more, --runs 1 or more, --seed and --minutes are not below 0")
    if args.write and (args.folds or args.origin):
        parser.error("--folds and --from measure and write nothing; search once more without them")
    return args


def run(args: argparse.Namespace) -> int:
    """Search as the options say, print the result and write it if asked; return 0."""
    from plausibility.adapter import ADAPTER, adapter_numbers
    from plausibility.cases import read_battles, read_scenarios
    from plausibility.evaluation import Bench
    from plausibility.fights import Arena, machine
    from plausibility.parameters import TABLES, Space, numbers_of, parameters
    from plausibility.plain import plain_rows
    from plausibility.rewriting import rewrite
    from plausibility.targets import table

    from sheets_algo.forecasts.machine_code import MANY

    battles = read_battles(args.battles) if args.battles else []
    scenarios = read_scenarios(args.scenarios) if args.scenarios else []
    kernel = machine(MANY)
    plain = args.plain and Bench(scenarios=read_scenarios(args.plain), arena=Arena(kernel=kernel, typed=plain_rows))
    bench = Bench(battles, scenarios, Arena(kernel=kernel), plain)
    raw, numbers = bench.arena.library.raw("autoalgo"), adapter_numbers()
    schemas = {path.name.split(".")[0]: json.loads(path.read_text(encoding="utf-8")) for path in SCHEMAS.glob("*.json")}
    if args.origin:
        raw, numbers = numbers_of(args.origin, raw, numbers)
    names = tuple(args.only or [""])
    chosen = [parameter for parameter in parameters(raw, numbers) if parameter.name.startswith(names)]
    if not chosen:
        raise ValueError(f"--only {args.only[0]}: no parameter begins so.")
    if args.origin:  # the bounds are set around today's numbers
        chosen = [replace(parameter, least=1 / FARTHEST, most=FARTHEST) for parameter in chosen]
    space = Space(raw, numbers, schemas, tuple(chosen))
    if args.folds:
        cross_validate(bench, space, args)
        return 0
    found = searched(bench, space, args)
    show(space, found.factors)
    print(f"\ncost {found.cost[0]:.2f} -> {found.cost[1]:.2f} after {found.generations} generations\n")
    print(table(bench.evaluate(*space.candidate(found.factors), runs=4 * args.runs, seed=args.seed + 99).metrics))
    if args.write:
        tables, adapter = space.scaled(found.factors)
        for file in sorted({place.split("/")[0] for place in tables}):
            own = {place.split("/", 1)[1]: number for place, number in tables.items() if place.split("/")[0] == file}
            rewrite(ROOT / TABLES / f"{file}.json", own)
        rewrite(ADAPTER, adapter)
    return 0


def searched(bench: Bench, space: Space, args: argparse.Namespace) -> Fit:
    """Search with the options of the command line."""
    from plausibility.search import STEP, fit

    step = FAR_STEP if args.origin else STEP
    return fit(bench, space, minutes=args.minutes, runs=args.runs, seed=args.seed, step=step, tell=progress)


def cross_validate(bench: Bench, space: Space, args: argparse.Namespace) -> None:
    """Fit without each fold, fight the fold, and print the metrics of all folds beside those of today's numbers."""
    from plausibility.evaluation import Evaluation, merged
    from plausibility.targets import aligned, table

    left_out: list[tuple[Bench, Evaluation]] = []
    factors = []
    for fold in range(args.folds):
        rest, own = bench.without(fold, args.folds), bench.only(fold, args.folds)
        progress(f"fold {fold + 1} of {args.folds}: {len(rest.battles)} battles, {len(rest.scenarios)} cases")
        found = searched(rest, space, args)
        fought = own.evaluate(
            *space.candidate(found.factors), runs=4 * args.runs, seed=args.seed + 99, with_curve=False
        )
        left_out.append((own, fought))
        factors.append(found.factors)
    start = bench.evaluate(space.raw, space.numbers, runs=4 * args.runs, seed=args.seed + 99, with_curve=False)
    rows = [("parameter", *(f"fold {fold + 1}" for fold in range(args.folds)))]
    rows += [
        (parameter.name, *(f"x{own[place]:.2f}" for own in factors)) for place, parameter in enumerate(space.parameters)
    ]
    print(aligned(rows))
    print(f"\nThe numbers as they stand:\n\n{table(start.metrics)}")
    print(f"\nFitted without the rows they are measured on, {args.folds} folds:\n\n{table(merged(left_out))}")


def show(space: Space, factors: Sequence[float]) -> None:
    """Print the changed numbers, before and after."""
    from plausibility.targets import aligned

    changes, at_1 = space.scaled(factors), space.scaled([1.0] * len(factors))
    rows = [("parameter", "factor", "first number", "from", "to", "numbers")]
    for parameter, factor in zip(space.parameters, factors, strict=True):
        first, count = parameter.places[0], len(parameter.places)
        was, becomes = (numbers[parameter.in_adapter][first] for numbers in (at_1, changes))
        rows.append((parameter.name, f"{factor:.3f}", first, f"{was:g}", f"{becomes:g}", str(count)))
    print(aligned(rows))


def progress(line: str) -> None:
    """Print a line of progress on stderr."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
