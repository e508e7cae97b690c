#!/usr/bin/env python3
"""Play schedules of faults, people, crashes and rival watchers, as many as asked; exit 1 if one breaks a rule.

Each is played by the program as it is, over real HTTP, against the local Sheets server; only waiting takes no time.
The rules are those of docs/proof.md: one receipt per war, numbers without holes, the database as the receipts
say, every status right, every cell of a person untouched.
"""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".venv" / "bin" / "python"


def main() -> int:
    """0 when nothing was violated, 1 when something was."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--schedules", type=int, default=200, metavar="N", help="how many (default: 200)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first one (default: 0)")
    parser.add_argument("--minutes", type=float, metavar="M", help="stop after so long, whatever is left")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes that play at once (default: 1)")
    parser.add_argument("--pairs", action="store_true", help="instead of random ones: two faults at any two requests")
    parser.add_argument("--wars", type=int, metavar="N", help="instead: two real watchers, and so many requests")
    parser.add_argument("--careless", action="store_true", help="instead: programs without a safeguard")
    parser.add_argument("--schedule", metavar="JSON", help="instead: this one")
    asked = parser.parse_args()
    if asked.schedules < 1:
        parser.error(f"--schedules is {asked.schedules}; give 1 or more")
    if asked.jobs < 1:
        parser.error(f"--jobs is {asked.jobs}; give 1 or more")
    if Path(sys.prefix) != PYTHON.parent.parent:  # the packages are there
        if not PYTHON.exists():
            parser.error("there is no .venv yet; scripts/setup-venv makes it")
        os.execv(PYTHON, [str(PYTHON), *sys.argv])
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]
    logging.disable(logging.CRITICAL)

    if asked.wars:
        return watch(asked.wars, asked.seed)
    if asked.careless:
        return careless()
    if asked.schedule:
        try:
            return replay(asked.schedule)
        except ValueError as error:
            parser.error(f"--schedule: {error}")
    end = time.monotonic() + (asked.minutes or float("inf")) * 60
    return soak(range(asked.seed, asked.seed + asked.schedules), end, asked.pairs, asked.jobs)


def soak(seeds: range, end: float, is_pairs: bool, jobs: int) -> int:
    """Play the schedules of these numbers until the time is over, or there are no more."""
    from tests.live.runner import clean, smallest
    from tests.live.schedules import pairs

    if is_pairs:
        seeds = seeds[: len(pairs(clean().sent))]
    count = violations = 0
    for seed, schedule, found in played_by(jobs, seeds, end, is_pairs):
        count += 1
        violations += bool(found)
        if found:
            said(f"\nseed {seed}:", *(f"  {it}" for it in found), f"  scripts/soak.py --schedule '{schedule}'")
            if time.monotonic() < end:
                said("the same again, without what it can do without:")
                said(f"  scripts/soak.py --schedule '{smallest(schedule)}'")
        if count % 10 == 0:
            print(f"\r{count} schedules, {violations} violations", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"{count} schedule{'s' if count != 1 else ''}, {violations} violations")
    return 1 if violations else 0


def played_by(jobs: int, seeds: range, end: float, is_pairs: bool) -> Iterator[tuple[int, Any, list[str]]]:
    """Each seed with its schedule and what is violated in it, in no order if several processes play at once."""
    play = partial(played_one, end=end, is_pairs=is_pairs)
    if jobs == 1:
        yield from filter(None, map(play, seeds))
        return
    with multiprocessing.get_context("spawn").Pool(jobs, silenced) as pool:
        yield from filter(None, pool.imap_unordered(play, seeds, chunksize=4))


def silenced() -> None:
    """The processes that play say nothing themselves."""
    logging.disable(logging.CRITICAL)


def played_one(seed: int, end: float, is_pairs: bool) -> tuple[int, Any, list[str]] | None:
    """Play one; None if the time is over."""
    from tests.live.runner import clean, played
    from tests.live.schedules import drawn, pairs

    if time.monotonic() > end:
        return None
    schedule = drawn(seed)
    if is_pairs:
        all = pairs(clean().sent)
        schedule = random.Random(1066).sample(all, len(all))[seed % len(all)]
    return seed, schedule, played(schedule)


def replay(text: str) -> int:
    """Play one schedule."""
    from tests.live.runner import played
    from tests.live.schedules import Schedule

    found = played(Schedule.of(text))
    said(*found)
    print(f"1 schedule, {1 if found else 0} violations")
    return 1 if found else 0


def careless() -> int:
    """Play what programs without a safeguard do not get through, and tell what they do wrong."""
    from tests.live.mutants import MUTANTS, noticed

    passed = 0
    for name, mutant in MUTANTS.items():
        found = noticed(mutant)
        passed += not found
        print(f"{name}: {'noticed' if found else 'NOT NOTICED'} by {len(found)} of {len(mutant.schedules)} schedules")
        for schedule, what in found.items():
            print(f"  {schedule}\n    {what[0]}" + (f" (and {len(what) - 1} more)" if what[1:] else ""))
    return 1 if passed else 0


def watch(wars: int, seed: int) -> int:
    """Let two processes watch one spreadsheet in bad weather."""
    from tests.live.processes import two_watchers

    outcome = two_watchers(wars, seed, patience_s=600)
    said(*outcome.violations)
    print(f"2 watchers, {wars} requests in {outcome.seconds:.0f} seconds, {len(outcome.violations)} violations")
    return 1 if outcome.violations else 0


def said(*lines: str) -> None:
    """Each on a line of its own."""
    for line in lines:
        print(line, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
