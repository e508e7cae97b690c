#!/usr/bin/env python3
"""Play schedules of players who send orders late, twice, edited and deleted; exit 1 if one breaks a rule.

Two watchers whose clocks differ end the rounds, on a real file or on the local Sheets server; their processes end
before or after a commit, and answers are lost. The rules are those of docs/turns.md: each order that the tab held at
the look that closed a round is copied once, for whoever sent it, and no other is. It exits with 1 too if none ran.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "servers")]


def main() -> int:
    """Play schedules; return 0 when nothing was violated, else 1."""
    from scripts.support.schedule_options import parse, schedule_parser

    parser = schedule_parser(__doc__, 100, " of each")
    parser.add_argument("--store", metavar="NAME", help="file or sheets alone (default: both)")
    args = parse(parser)

    from scripts.support.order_schedules import STORES, play

    if args.store and args.store not in STORES:
        parser.error(f"--store is {args.store}; use {' or '.join(STORES)}")
    deeds, played, broken = Counter[str](), 0, 0
    for seed in args.seeds:
        for store in [args.store] if args.store else STORES:
            if time.monotonic() >= args.end:
                continue
            with tempfile.TemporaryDirectory() as folder:
                found = play(store, seed, Path(folder))
            played, deeds = played + 1, deeds + found.deeds
            broken += bool(found.faults)
            for fault in found.faults:
                print(f"--store {store} --schedules 1 --seed {seed}: {fault}")
    told = ", ".join(f"{times} {deed}" for deed, times in deeds.most_common())
    print(f"{played} schedule{'' if played == 1 else 's'}, {broken} broken; {told}")
    return 0 if played and not broken else 1


if __name__ == "__main__":
    sys.exit(main())
