#!/usr/bin/env python3
"""Watch many spreadsheets for simulated hours; exit 1 if memory, open files or threads grow, or a war stays unruled.

Spreadsheets lie on the local Sheets and Drive server; supervisor, watchers, threads and limits are those of the
program, and each request is sent. A tenth is edited every minute, another tenth each hour, and wars are ticked at any
time.
"""

from __future__ import annotations

import ctypes
import os
import random
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import fmean

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "servers")]
WARS, LATE_S, SETTLED_H = 4, 180, 3
"""The wars of a game; the seconds until Drive reports; the hour from which growth counts."""
MOST = 0.05
"""The growth that is allowed from the mean of one half of the hours after it to the mean of the other.

Memory moves by a tenth from hour to hour, so two hours alone say little. What grows by a tenth evenly, has means that
differ by a twentieth.
"""
LAST_TICK_S = 1200
"""The least time from a tick to the end."""


def main() -> int:
    """Watch; print a line each simulated hour; return 0 when nothing grew and each war was ruled, else 1."""
    from scripts.support.schedule_options import parse, script_parser

    parser = script_parser(__doc__)
    parser.add_argument("--games", type=int, default=100, metavar="N", help="(default: 100)")
    parser.add_argument("--hours", type=int, default=24, metavar="N", help="to simulate, over three (default: 24)")
    parser.add_argument("--accounts", type=int, default=2, metavar="N", help="that share them (default: 2)")
    args = parse(parser)
    if args.hours < SETTLED_H + 2:
        parser.error(f"--hours is {args.hours}; give {SETTLED_H + 2} or more, since growth counts after {SETTLED_H}")

    from scripts.support.many_games import ManyGames
    from scripts.support.sheets_server import LocalSheets

    generator = random.Random(1066)
    hours: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as name, LocalSheets(process=True) as server:
        host = ManyGames(server, Path(name), args.games, wars=WARS, accounts=args.accounts, late_s=LATE_S)
        end = args.hours * 3600
        for hour in range(args.hours):
            for game in generator.sample(range(args.games), max(1, args.games // 10)):
                first = hour * 3600 + generator.random() * 60
                for minute in range(60):
                    host.edit_at(first + 60 * minute, game)
        for game in range(args.games):
            for war in range(1, WARS + 1):
                # From its first ruling on a game keeps a map, about a megabyte: that is before growth counts.
                last = (SETTLED_H * 3600 if war == 1 else end) - LAST_TICK_S
                host.tick_at(generator.random() * last, game, war)

        def note() -> None:
            hours.append(held())
            figures = ", ".join(f"{value:.0f} {what}" for what, value in hours[-1].items())
            spans = [span for span in host.spans(range(args.games)) if span < float("inf")]
            waits = f"longest wait {spans[-1]:.0f} s of {len(spans)}" if spans else "nothing ruled"
            print(f"{time.strftime('%H:%M:%S')} hour {len(hours)}: {figures}, {waits}", flush=True)

        for hour in range(1, args.hours + 1):
            host.at(hour * 3600 - 1, note)
        host.watch(end)
    spans = host.spans(range(args.games))
    middle = (args.hours + SETTLED_H) // 2
    halves = [
        {what: fmean(hour[what] for hour in part) for what in hours[0]}
        for part in (hours[SETTLED_H:middle], hours[middle:])
    ]
    grown = [
        f"{what}: {before:.0f} to {halves[1][what]:.0f}" for what, before in halves[0].items()
        if halves[1][what] > before * (1 + MOST)
    ]  # fmt: skip
    unruled = spans.count(float("inf"))
    print(f"{args.games} games, {args.hours} hours: grown {grown or 'nothing'}, {unruled} of {len(spans)} unruled")
    return 1 if grown or unruled else 0


def held() -> dict[str, float]:
    """Return what this process holds now, without what it has freed and the C library keeps for a hundred threads."""
    ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return {
        "MB": pages * os.sysconf("SC_PAGE_SIZE") / 1e6,
        "files": len(os.listdir("/proc/self/fd")),
        "threads": threading.active_count(),
    }


if __name__ == "__main__":
    sys.exit(main())
