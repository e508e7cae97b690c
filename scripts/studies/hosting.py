#!/usr/bin/env python3
"""Measure what watching many spreadsheets costs, and compute what breaks first as their number grows.

Spreadsheets lie on the local Sheets and Drive server, which allows each account what Google does. Supervisor, watchers,
their threads and the limits of requests are those of the program, and each request is sent. Only the time is not real:
it goes on when all wait, and Drive reports as late as is said.
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "servers")]
PAGE = ROOT / "docs" / "hosting.md"
BEGIN, END = "<!-- figures: scripts/studies/hosting.py --write -->", "<!-- end of figures -->"
INTERVAL_S, REQUESTS, SETTLES_S = 15, 45, 480
PROJECT = 300
"""Google's reads a minute of a project."""
HOT, WHOLE, FIRST_READS = 60 / INTERVAL_S, 1, 2
"""The looks a minute at a game in which people type, its reads as a whole, and the reads of a game at the start."""


def main() -> int:
    """Measure, compute and print; return 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, nargs="*", default=[20, 200], metavar="N", help="(default: 20 200)")
    parser.add_argument("--active", type=int, default=10, metavar="N", help="edited, a fifth at most (default: 10)")
    parser.add_argument("--minutes", type=int, default=20, metavar="N", help="to be watched, over ten (default: 20)")
    parser.add_argument("--late", type=int, nargs="*", default=[180], metavar="S", help="of Drive (default: 180)")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/hosting.md")
    args = parser.parse_args()
    ticked = [tick_row(late) for late in LAGS]
    rows = [
        measured(games, min(args.active, math.ceil(games / 5)), args.minutes, late)
        for games in args.games for late in args.late
    ]  # fmt: skip
    tables = [
        table(TICKED, ticked),
        table(MEASURED, rows),
        table(COMPUTED, [computed(games) for games in (1, 10, 100, 1000)]),
    ]
    text = "\n\n".join(tables)
    print(text)
    if args.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")
    return 0


def table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Return a table of Markdown."""
    lines = [heads, ("--:",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


MEASURED = (
    "Games", "Active", "Accounts", "Drive late", "Reads a minute", "Writes", "Drive", "Tick to receipt", "95th",
    "CPU s an hour", "MB",
)  # fmt: skip
COMPUTED = ("Games", "Active", "Reads a minute", "Accounts", "Projects", "First look at all, min")


TICKED = ("Drive late", "Reads a receipt", "By cause", "Slow round, a minute", "Tick to receipt", "95th")
LAGS: tuple[float | None, ...] = (5, 20, 180, None)
"""Seconds until Drive reports an edit; None for a Drive that reports nothing."""
GAMES, TICKS, TICKED_S = 20, 6, 180


@dataclass(frozen=True, slots=True)
class Ticks:
    """Six rows that were ticked in three minutes, in as many of twenty games that one account watches."""

    spans: list[float]  # Seconds from tick to receipt, in ascending order
    causes: Counter[str]  # Reads until the last receipt and after it, by cause
    minutes: float  # Duration in which they were counted

    @property
    def per_receipt(self) -> float:
        """Return the reads of each receipt, without those of the slow round."""
        return (self.causes.total() - self.causes["round"]) / len(self.spans)

    @property
    def longest(self) -> float:
        """Return the 95th percentile of the spans."""
        return self.spans[math.ceil(len(self.spans) * 0.95) - 1]


def ticks(late: float | None) -> Ticks:
    """Watch games in which a war was ruled before, and tick another one in some of them.

    Args:
        late: Seconds until Drive reports an edit; None if it reports nothing from the first tick on.
    """
    from scripts.support.many_games import ManyGames
    from scripts.support.sheets_server import LocalSheets

    begin_s, lasts_s = SETTLES_S + 2 * GAMES * 60 * FIRST_READS / REQUESTS, TICKED_S + 420
    generator, counted = random.Random(1066), list[Counter[str]]()
    with tempfile.TemporaryDirectory() as name, LocalSheets(process=True) as server:
        host = ManyGames(server, Path(name), GAMES, wars=2, requests=REQUESTS, late_s=late or 0)
        for game in range(TICKS):
            host.tick_at(begin_s - 400 + 20 * game, game, war=2)
            host.tick_at(begin_s + generator.random() * TICKED_S, game)
        if late is None:
            host.at(begin_s, lambda: server.control("changes", {"silent": True}))
        host.at(begin_s, lambda: counted.append(host.causes()))
        host.watch(begin_s + lasts_s)
        spans = sorted(host.ruled.get(war, math.inf) - at for war, at in host.ticked.items() if war[1] == "W-1")
        return Ticks(spans, host.causes() - counted[0], lasts_s / 60)


def tick_row(late: float | None) -> tuple[str, ...]:
    """Return the reads of a receipt by cause, and the time from tick to receipt."""
    found = ticks(late)
    causes = ", ".join(f"{cause} {reads}" for cause, reads in found.causes.most_common() if cause != "round")
    return (
        "never" if late is None else f"{late:.0f} s",
        f"{found.per_receipt:.1f}",
        causes,
        f"{found.causes['round'] / found.minutes:.1f}",
        f"{statistics.median(found.spans):.0f} s",
        f"{found.longest:.0f} s",
    )


def computed(games: int) -> tuple[str, ...]:
    """Return what the quotas mean for a number of games, a tenth of them active."""
    active = math.ceil(games / 10)
    reads, accounts = needed(games, active)
    projects = math.ceil(accounts * REQUESTS / PROJECT)
    first = games * FIRST_READS / (accounts * REQUESTS)
    return tuple(f"{figure:,.0f}" for figure in (games, active, reads, accounts, projects, math.ceil(first)))


def needed(games: int, active: int) -> tuple[float, int]:
    """Return the reads a minute that so many games need, and the accounts for them.

    An active game is looked at every 15 seconds and read whole once a minute; each other one is a read in the slow
    round, which is the faster the fewer games an account has.
    """
    from sheets_algo.workbook.google.changes import ROUND_S, ROUND_SHARE

    if games * HOT <= REQUESTS:
        return games * HOT, 1
    for accounts in itertools.count(1):
        round_s = min(ROUND_S, ROUND_SHARE * games / accounts * 60 / REQUESTS)
        reads = active * (HOT + WHOLE) + (games - active) * 60 / round_s
        if reads <= accounts * REQUESTS:
            break
    return reads, accounts


def measured(games: int, active: int, minutes: int, late: int) -> tuple[str, ...]:
    """Return what watching so many games costs, some of which are edited each minute and ticked once."""
    from scripts.support.many_games import ManyGames
    from scripts.support.sheets_server import LocalSheets

    accounts = needed(games, active)[1]
    begin_s = games / accounts * 60 * FIRST_READS / REQUESTS + SETTLES_S
    generator = random.Random(1066)
    cpu_s: list[float] = []
    with tempfile.TemporaryDirectory() as name, LocalSheets(process=True) as server:
        host = ManyGames(server, Path(name), games, accounts=accounts, requests=REQUESTS, late_s=late)
        for game in range(active):
            first = begin_s + generator.random() * 60
            for minute in range(minutes):
                host.edit_at(first + 60 * minute, game)
            host.tick_at(begin_s + generator.random() * ((minutes - 10) * 60), game)
        host.at(begin_s, server.reset_counters)
        host.at(begin_s, lambda: cpu_s.append(time.process_time()))
        host.watch(begin_s + minutes * 60)
        cpu_s.append(time.process_time())
        counted, statuses = server.counters()["kinds"], server.counters()["statuses"]
    spans = host.spans(range(active))
    if len(spans) < active or math.isinf(spans[-1]) or set(statuses) != {"200"}:
        raise SystemExit(f"{games} games: seconds from tick to receipt {spans}, answers {statuses}")
    rates = [f"{counted.get(kind, 0) / minutes:.1f}" for kind in ("read", "write", "drive")]
    longest = spans[math.ceil(len(spans) * 0.95) - 1]
    hour_s = (cpu_s[1] - cpu_s[0]) * 60 / minutes
    row = (
        f"{games}", f"{active}", f"{accounts}", f"{late} s", *rates, f"{statistics.median(spans):.0f} s",
        f"{longest:.0f} s", f"{hour_s:.0f}", f"{resident_mb():.0f}",
    )  # fmt: skip
    print(row, file=sys.stderr, flush=True)
    return row


def resident_mb() -> float:
    """Return the memory that this process holds now, in megabytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    sys.exit(main())
