#!/usr/bin/env python3
"""Play schedules of kills, lost and late answers and busy channels against posters; exit 1 if one breaks a rule.

Each poster is a process of its own that is killed as by `kill -9` at a request to the workbook or to the channel; every
next one begins with nothing but the workbook, as on a new machine, or on one computer where backups come
back. The rules are those of docs/posting.md: nothing twice, nothing lost, and what nobody can know is Unsure, with a
Message that asks a person to look. It exits with 1 too if no schedule ran.

It plays some schedules of each channel, then the next ones. What was played stands in a file of results, so that a run
that was stopped goes on where it was; what is printed in the end is all of it.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "servers")]
PART = 10
"""Schedules that are played of one channel before the next one."""


def main() -> int:
    """Play schedules; return 0 when nothing was violated, else 1."""
    from scripts.support.schedule_options import parse, schedule_parser

    parser = schedule_parser(__doc__, 200, " of each")
    parser.add_argument("--channel", metavar="NAME", help="one channel alone, such as wiki (default: each)")
    parser.add_argument("--results", type=Path, metavar="FILE", help="keep what was played, and go on from there")
    args = parse(parser)

    from scripts.support.post_schedules import KINDS
    from scripts.support.results_file import ResultsFile
    from scripts.support.workbooks import SECRET

    os.environ["SHEETS_ALGO_SECRET"] = SECRET.key.decode()  # of the season that posters post from
    if args.channel and args.channel not in KINDS:
        parser.error(f"--channel is {args.channel}; use {', '.join(KINDS)}")
    kinds = [args.channel] if args.channel else list(KINDS)
    results = ResultsFile(args.results)
    parts = results.read()
    known = {(part["kind"], seed) for part in parts for seed in part["seeds"]}
    for first in args.seeds[::PART]:
        for kind in kinds:
            seeds = [seed for seed in args.seeds if first <= seed < first + PART and (kind, seed) not in known]
            if seeds and time.monotonic() < args.end:
                parts.append(_played(kind, seeds, args.end))
                results.add(parts[-1])
    return _summary(kinds, parts)


def _played(kind: str, seeds: Sequence[int], end: float) -> dict[str, Any]:
    """Play schedules of a channel until a time, at least one; return what came of them."""
    from scripts.support.post_schedules import play

    deeds, faults, done = Counter[str](), {}, []
    for seed in seeds:
        played = play(kind, seed)
        done.append(seed)
        deeds += played.deeds
        if played.faults:
            faults[seed] = played.faults
        for fault in played.faults:
            print(f"{kind}, --seed {seed}: {fault}", flush=True)
        if time.monotonic() > end:
            break
    return {"kind": kind, "seeds": done, "deeds": deeds, "faults": faults}


def _summary(kinds: Sequence[str], parts: Sequence[dict[str, Any]]) -> int:
    """Print what came of all schedules; return 0 if some of each channel ran and no rule was broken, else 1."""
    empty, broken = [], 0
    for kind in kinds:
        of_kind = [part for part in parts if part["kind"] == kind]
        deeds = sum((Counter[str](part["deeds"]) for part in of_kind), Counter[str]())
        number = sum(len(part["seeds"]) for part in of_kind)
        broken += sum(len(part["faults"]) for part in of_kind)
        empty += [] if number else [kind]
        listed = ", ".join(f"{deed} {times:,}" for deed, times in sorted(deeds.items()))
        print(f"{kind}: {number:,} schedules ({listed}).", flush=True)
    if empty:
        print(f"No schedule ran of {', '.join(empty)}, so nothing is known of that: give more --minutes.")
    if broken or not empty:
        print(f"{broken} broke a rule." if broken else "No schedule broke a rule.")
    return 1 if broken or empty else 0


if __name__ == "__main__":
    raise SystemExit(main())
