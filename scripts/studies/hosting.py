#!/usr/bin/env python3
"""Measure what watching many spreadsheets costs, and compute what breaks first as their number grows.

Spreadsheets lie on the local Sheets and Drive server. Their watchers are those of the program and send real requests;
only the time is not real: it goes from look to look, and Drive reports as late as is said.
"""

from __future__ import annotations

import argparse
import heapq
import math
import random
import statistics
import sys
import tempfile
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "servers")]
PAGE = ROOT / "docs" / "hosting.md"
BEGIN, END = "<!-- figures: scripts/studies/hosting.py --write -->", "<!-- end of figures -->"
INTERVAL_S, REQUESTS, SETTLES_S = 15, 45, 300
ACCOUNT, PROJECT, ROUND_S, EDITED_S = 60, 300, 600, 180
"""Google's reads a minute of an account and of a project; the slow round; the looks after a report."""
HOT = 60 / INTERVAL_S


def main() -> int:
    """Measure, compute and print; return 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, nargs="*", default=[20, 200], metavar="N", help="(default: 20 200)")
    parser.add_argument("--active", type=int, default=10, metavar="N", help="of them edited (default: 10)")
    parser.add_argument("--minutes", type=int, default=20, metavar="N", help="to be watched, over five (default: 20)")
    parser.add_argument("--late", type=int, nargs="*", default=[180], metavar="S", help="of Drive (default: 180)")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/hosting.md")
    args = parser.parse_args()
    rows = [
        measured(games, args.active, args.minutes, late) for games in args.games if games >= args.active
        for late in args.late
    ]  # fmt: skip
    heads = ("Games", "Drive late", "Reads a minute", "Writes", "Drive", "Tick to receipt", "95th", "CPU s an hour")
    tables = [table(heads, rows), table(COMPUTED, [computed(games) for games in (1, 10, 100, 1000)])]
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


COMPUTED = ("Games", "Active", "Reads a minute", "Accounts", "Projects", "First look at all, min")


def computed(games: int) -> tuple[str, ...]:
    """Return what the quotas mean for a number of games, a tenth of them active.

    An active game is looked at every 15 seconds and read whole three times a minute at most; each other one is a read
    in the slow round. A start reads each twice.
    """
    active = math.ceil(games / 10)
    reads = games * HOT if games * HOT <= REQUESTS else active * HOT + (games - active) * 60 / ROUND_S
    accounts = math.ceil(reads / REQUESTS)
    projects = math.ceil(accounts * ACCOUNT / PROJECT)
    first = games * 2 / (accounts * REQUESTS)
    return tuple(f"{figure:,.0f}" for figure in (games, active, reads, accounts, projects, math.ceil(first)))


def measured(games: int, active: int, minutes: int, late: int) -> tuple[str, ...]:
    """Return what watching so many games costs, some of which are edited each minute and ticked once."""
    from scripts.support.sheets_server import LocalSheets
    from scripts.support.smallest_war import war_rows
    from scripts.support.workbooks import SECRET, grids, library
    from sheets_algo.runtime import season_secret
    from sheets_algo.runtime.locate import WorkbookRef
    from sheets_algo.runtime.session import Session
    from sheets_algo.runtime.watcher import Watcher
    from sheets_algo.workbook.google import GoogleWorkbook
    from sheets_algo.workbook.google.changes import AccountChanges
    from sheets_algo.workbook.google.http.access import find
    from sheets_algo.workbook.google.http.api import Api
    from sheets_algo.workbook.google.http.backoff import Pace
    from sheets_algo.workbook.google.http.budget import RequestBudget
    from sheets_algo.workbook.google.http.errors import DRIVE, SHEETS

    generator = random.Random(1066)
    with tempfile.TemporaryDirectory() as name, LocalSheets(process=True) as server:
        folder, moment = Path(name), [time.time()]
        server.control("clock", {"stop": True, "set": moment[0]})
        server.control("changes", {"late_s": late})
        tabs = grids(war_rows(Ready=False))
        heads = tabs["War Requests"][0]
        ready = f"'War Requests'!{chr(ord('A') + heads.index('Ready'))}2"
        people = f"'Nations'!{chr(ord('A') + tabs['Nations'][0].index('Population'))}2"
        ids = [server.make(f"Game {number}", tabs) for number in range(games)]
        key = server.key_file(folder)

        def now() -> float:
            return moment[0]

        pace = Pace(now=now, wait=lambda seconds, stop: None, chance=generator.random)
        accesses = {service: find(key, service=service) for service in (SHEETS, DRIVE)}

        def api(id: str, service: str) -> Api:
            return Api(id, accesses[service], RequestBudget(10**6, pace=pace), url=server.url, pace=pace)

        drive, watchers, timed = api("", DRIVE), {}, {"clock": now, "now": now}
        changes = AccountChanges(
            lambda: drive,
            folder / "changes.json",
            interval=INTERVAL_S,
            requests=REQUESTS,
            chance=generator.random,
            **timed,
        )
        for id in ids:
            season_secret.keep(folder / id, SECRET)
            session = Session(
                workbook=GoogleWorkbook(
                    api(id, SHEETS),
                    folder=folder / id,
                    changes=changes,
                    clock=lambda: datetime.fromtimestamp(now(), UTC),
                ),
                folder=folder / id,
                library=library(),
                draws_pictures=False,
                clock=lambda: datetime.fromtimestamp(now(), UTC),
            )
            watchers[id] = Watcher(
                WorkbookRef(id, session), INTERVAL_S, threading.Event(), chance=generator.random, **timed
            )

        start = moment[0] + EDITED_S + SETTLES_S
        looks = [(moment[0] + generator.random() * INTERVAL_S, id) for id in ids]
        ticks = {id: start + generator.random() * (minutes - 5) * 60 for id in ids[:active]}
        edits = [(start + generator.random() * 60 + 60 * minute, id) for id in ticks for minute in range(minutes)]
        deeds = sorted([*edits, *((moment_, f"tick {id}") for id, moment_ in ticks.items())])
        waited: dict[str, float] = {}
        heapq.heapify(looks)
        is_counted, began, told = False, 0.0, 0.0
        while looks[0][0] < start + minutes * 60:
            when, id = heapq.heappop(looks)
            if when >= start and not is_counted:
                server.reset_counters()
                is_counted, began = True, time.process_time()
            while deeds and deeds[0][0] <= when:
                at, what = deeds.pop(0)
                server.control("clock", {"set": at})
                tick = what.startswith("tick ")
                server.type(what.split()[-1], ready if tick else people, [[True if tick else int(at) % 10**6 + 10**6]])
            moment[0] = when
            if when - told >= 1:  # the server's clock may be a second behind
                server.control("clock", {"set": when})
                told = when
            pause = watchers[id].look()
            if id in ticks and id not in waited and watchers[id].tally.rulings:
                waited[id] = when - ticks[id]
            heapq.heappush(looks, (when + pause, id))
        seconds = (time.process_time() - began) * 60 / minutes
        counted = server.counters()["kinds"]
    if len(waited) < active:
        raise SystemExit(f"{active - len(waited)} ticks were not ruled: watch for more minutes")
    spans = sorted(waited.values())
    rates = [f"{counted.get(kind, 0) / minutes:.1f}" for kind in ("read", "write", "drive")]
    longest = spans[math.ceil(len(spans) * 0.95) - 1]
    row = f"{games}", f"{late} s", *rates, f"{statistics.median(spans):.0f} s", f"{longest:.0f} s", f"{seconds:.0f}"
    print(row, file=sys.stderr, flush=True)
    return row


if __name__ == "__main__":
    sys.exit(main())
