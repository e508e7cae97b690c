#!/usr/bin/env python3
"""Play schedules of faults, people, crashes and rival watchers, as many as asked; exit 1 if one breaks a rule.

Each is played by the program as it is, over real HTTP, against the local Sheets server; only waiting takes no time.
The rules are those of docs/proof.md: one receipt per war, numbers without holes, the database as the receipts
say, every status right, every cell of a person untouched.
"""

from __future__ import annotations

import logging
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "servers")]


def main() -> int:
    """Play schedules; return 0 when nothing was violated, else 1."""
    from scripts.support.schedule_options import parse, schedule_parser

    parser = schedule_parser(__doc__, 200)
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes that play at once (default: 1)")
    parser.add_argument("--pairs", action="store_true", help="instead of random ones: two faults at any two requests")
    parser.add_argument("--promises", action="store_true", help="seasons with beacon luck, whose beacon fails too")
    parser.add_argument("--deeds", action="store_true", help="print in how many schedules each deed happened, too")
    parser.add_argument("--wars", type=int, metavar="N", help="instead: two real watchers, and so many requests")
    parser.add_argument("--careless", action="store_true", help="instead: programs without a safeguard")
    parser.add_argument("--schedule", metavar="JSON", help="instead: this one")
    args = parse(parser)
    if args.jobs < 1:
        parser.error(f"--jobs is {args.jobs}; give 1 or more")

    if args.wars:
        return watch(args.wars, args.seed)
    if args.careless:
        return careless()
    if args.schedule:
        try:
            return replay(args.schedule)
        except ValueError as error:
            parser.error(f"--schedule: {error}")
    return soak(
        args.seeds,
        args.end,
        args.pairs,
        args.jobs,
        is_promised=args.promises,
        counts=args.deeds,
    )


def soak(
    seeds: range, end: float, is_pairs: bool, jobs: int, *, is_promised: bool = False, counts: bool = False
) -> int:
    """Play the schedules of some seeds until the time is over; return 1 if one is violated, else 0."""
    from scripts.support.live.runner import clean_run, shrink
    from scripts.support.live.schedules import pairs

    if is_pairs:
        seeds = seeds[: len(pairs(clean_run().sent))]
    count = violations = 0
    played: Counter[str] = Counter()
    for seed, schedule, found in played_by(jobs, seeds, end, is_pairs, is_promised):
        count += 1
        violations += bool(found)
        played.update(schedule.deeds)
        if found:
            report(f"\nseed {seed}:", *(f"  {line}" for line in found), f"  scripts/soak.py --schedule '{schedule}'")
            if time.monotonic() < end:
                report("the same again, without what it can do without:")
                report(f"  scripts/soak.py --schedule '{shrink(schedule)}'")
        if count % 10 == 0:
            print(f"\r{count} schedules, {violations} violations", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    if counts:
        print(*(f"{times:6,}  {deed}" for deed, times in sorted(played.items())), sep="\n")
    print(f"{count} schedule{'s' if count != 1 else ''}, {violations} violations")
    return 1 if violations else 0


def played_by(
    jobs: int, seeds: range, end: float, is_pairs: bool, is_promised: bool
) -> Iterator[tuple[int, Any, list[str]]]:
    """Yield each seed with its schedule and violations, in no particular order if several processes play."""
    play = partial(played_one, end=end, is_pairs=is_pairs, is_promised=is_promised)
    if jobs == 1:
        yield from filter(None, map(play, seeds))
        return
    with multiprocessing.get_context("spawn").Pool(jobs, disable_logging) as pool:
        yield from filter(None, pool.imap_unordered(play, seeds, chunksize=4))


def disable_logging() -> None:
    """Disable the logging of a process that plays."""
    logging.disable(logging.CRITICAL)


def played_one(seed: int, end: float, is_pairs: bool, is_promised: bool) -> tuple[int, Any, list[str]] | None:
    """Play one schedule; return None if the time is over."""
    from scripts.support.live.runner import clean_run, play_schedule
    from scripts.support.live.schedules import pairs, random_schedule

    if time.monotonic() > end:
        return None
    schedule = random_schedule(seed, 40, is_promised=True) if is_promised else random_schedule(seed)
    if is_pairs:
        every = pairs(clean_run().sent)
        schedule = random.Random(1066).sample(every, len(every))[seed % len(every)]
    return seed, schedule, play_schedule(schedule)


def replay(text: str) -> int:
    """Play a given schedule; return 1 if it is violated, else 0."""
    from scripts.support.live.runner import play_schedule
    from scripts.support.live.schedules import Schedule

    found = play_schedule(Schedule.of(text))
    report(*found)
    print(f"1 schedule, {1 if found else 0} violations")
    return 1 if found else 0


def careless() -> int:
    """Play programs that lack a safeguard; return 1 if a defect goes unnoticed, else 0."""
    from scripts.support.live.mutants import MUTANTS, detect

    unnoticed = 0
    for name, mutant in MUTANTS.items():
        found = detect(mutant)
        unnoticed += not found
        print(f"{name}: {'noticed' if found else 'NOT NOTICED'} by {len(found)} of {len(mutant.schedules)} schedules")
        for schedule, broken in found.items():
            print(f"  {schedule}\n    {broken[0]}" + (f" (and {len(broken) - 1} more)" if broken[1:] else ""))
    return 1 if unnoticed else 0


def watch(wars: int, seed: int) -> int:
    """Let two processes watch one spreadsheet with many faults; return 1 if a rule is violated, else 0."""
    from scripts.support.live.processes import two_watchers

    outcome = two_watchers(wars, seed, patience_s=600)
    report(*outcome.violations)
    print(f"2 watchers, {wars} requests in {outcome.seconds:.0f} seconds, {len(outcome.violations)} violations")
    return 1 if outcome.violations else 0


def report(*lines: str) -> None:
    """Print each line on stderr."""
    for line in lines:
        print(line, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
