#!/usr/bin/env python3
"""Play schedules of faults, people, crashes and lost answers, as many as asked; exit 1 if one breaks a rule.

  seasons  Wars are ruled over real HTTP against the local Sheets server, and only waiting takes no time; the rules are
           those of docs/proof.md. Places: `random`, `promises` with beacon luck, `pairs` of any two faults at any two
           requests, and `watchers`, two real processes. What is violated is printed with the shortest schedule that
           shows it, which --schedule plays again.
  posts    Posters are killed as by `kill -9` at a request to the workbook or to the channel; every next one begins with
           the workbook alone, as on a new machine, or on one computer where backups come back (docs/posting.md).
  orders   Players send orders late, twice, edited and deleted, while two watchers whose clocks differ end the rounds,
           on a file or on the local Sheets server; their processes end and answers are lost (docs/turns.md).
  cluster  Seasons are watched on a Dask cluster. Workers are killed, or stopped and let go on later; workers and
           watchers cannot reach the scheduler or the spreadsheet for a time; scheduler and watchers are killed. Some
           are played at a time, and what happens to the cluster hits them all.

What was played stands in a file of results, so that a run that was stopped goes on where it was; what is printed in the
end is all of it. It exits with 1 too if no schedule ran.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "servers")]
AT_A_TIME, WORKERS, WARS = 16, 8, 20
Play = Callable[[str, int], Any]


@dataclass
class Played:
    """The result of a schedule: its faults, a sentence each, and the number of each deed."""

    faults: list[str]
    deeds: Counter[str] = field(default_factory=Counter)


@contextmanager
def seasons() -> Iterator[tuple[Sequence[str], Play, int]]:
    """Yield the kinds of seasons, and a function that plays a schedule of one."""
    from scripts.support.live.processes import two_watchers
    from scripts.support.live.runner import clean_run, play_schedule, shrink
    from scripts.support.live.schedules import pairs, random_schedule

    def schedule(place: str, seed: int) -> Any:
        if place == "pairs":
            every = pairs(clean_run().sent)
            return random.Random(1066).sample(every, len(every))[seed % len(every)]
        return random_schedule(seed, 40, is_promised=True) if place == "promises" else random_schedule(seed)

    def play(place: str, seed: int) -> Played:
        if place == "watchers":
            return Played([*two_watchers(WARS, seed, patience_s=600).violations])
        chosen = schedule(place, seed)
        faults = play_schedule(chosen)
        if faults:
            faults = [*faults, f"scripts/soak.py seasons --schedule '{shrink(chosen)}'"]
        return Played(faults, Counter(chosen.deeds))

    yield ("random", "promises", "pairs", "watchers"), play, 1


@contextmanager
def posts() -> Iterator[tuple[Sequence[str], Play, int]]:
    """Yield the channels, and a function that plays a schedule of one."""
    from scripts.support.post_schedules import KINDS, play
    from scripts.support.workbooks import SECRET

    os.environ["SHEETS_ALGO_SECRET"] = SECRET.key.decode()  # of the season that posters post from
    yield list(KINDS), play, 1


@contextmanager
def orders() -> Iterator[tuple[Sequence[str], Play, int]]:
    """Yield the stores, and a function that plays a schedule in one."""
    from scripts.support.order_schedules import STORES, play

    def play_in_folder(store: str, seed: int) -> Any:
        with TemporaryDirectory() as folder:
            return play(store, seed, Path(folder))

    yield list(STORES), play_in_folder, 1


@contextmanager
def cluster() -> Iterator[tuple[Sequence[str], Play, int]]:
    """Yield a function that plays a schedule on a cluster, some at a time."""
    from scripts.support.cluster_schedules import host, play
    from scripts.support.warm_start import CONTEXT

    imports = ("scripts.support.warm_start_imports", "distributed.cli.dask_scheduler", "distributed.cli.dask_worker")
    CONTEXT.set_forkserver_preload([*imports])
    with TemporaryDirectory() as folder, host(Path(folder), WORKERS) as hosted:
        yield ["cluster"], lambda _, seed: play(hosted, Path(folder), seed), AT_A_TIME


def main() -> int:
    """Play schedules; return 0 when nothing was violated, else 1."""
    from scripts.support.results_file import ResultsFile
    from scripts.support.schedule_options import parse, schedule_parser

    kinds = {made.__name__: made for made in (seasons, posts, orders, cluster)}
    parser = schedule_parser(__doc__, 200, " of each place")
    parser.add_argument("kind", choices=kinds)
    parser.add_argument("--only", metavar="NAME", help="one place alone: a channel, a store, a kind of season")
    parser.add_argument("--results", type=Path, metavar="FILE", help="keep what was played, and go on from there")
    parser.add_argument("--schedule", metavar="JSON", help="instead: this one, of seasons")
    args = parse(parser)
    if args.schedule:
        try:
            return replay(args.schedule)
        except ValueError as error:
            parser.error(f"--schedule: {error}")
    results = ResultsFile(args.results)
    parts = results.read()
    known = {(part["place"], part["seed"]) for part in parts}
    with kinds[args.kind]() as (places, play, at_a_time):
        if args.only and args.only not in places:
            parser.error(f"--only is {args.only}; use {', '.join(places)}")
        places = [args.only] if args.only else places

        def play_one(place: str, seed: int) -> None:
            if time.monotonic() > args.end or (place, seed) in known:
                return
            played = play(place, seed)
            parts.append({"place": place, "seed": seed, "faults": played.faults, "deeds": played.deeds})
            results.add(parts[-1])
            for fault in played.faults:
                print(f"{args.kind} --only {place} --schedules 1 --seed {seed}: {fault}", flush=True)

        with ThreadPoolExecutor(at_a_time) as pool:
            turns = [partial(play_one, place, seed) for seed in args.seeds for place in places]
            list(pool.map(lambda turn: turn(), turns))
    return summary(places, parts)


def replay(text: str) -> int:
    """Play a given schedule of a season; return 1 if it breaks a rule, else 0."""
    from scripts.support.live.runner import play_schedule
    from scripts.support.live.schedules import Schedule

    broken = play_schedule(Schedule.of(text))
    print(*broken, f"{len(broken)} violations", sep="\n")
    return 1 if broken else 0


def summary(places: Sequence[str], parts: Sequence[dict[str, Any]]) -> int:
    """Print what came of all schedules; return 0 if some of each place ran and no rule was broken, else 1."""
    broken = sum(bool(part["faults"]) for part in parts)
    empty = [place for place in places if place not in {part["place"] for part in parts}]
    for place in places:
        of_place = [part for part in parts if part["place"] == place]
        deeds = sum((Counter[str](part["deeds"]) for part in of_place), Counter[str]())
        listed = ", ".join(f"{deed} {times:,}" for deed, times in sorted(deeds.items()))
        print(f"{place}: {len(of_place):,} schedules ({listed}).", flush=True)
    if empty:
        print(f"No schedule ran of {', '.join(empty)}, so nothing is known of that: give more --minutes.")
    if broken or not empty:
        print(f"{broken} broke a rule." if broken else "No schedule broke a rule.")
    return 1 if broken or empty else 0


if __name__ == "__main__":
    raise SystemExit(main())
