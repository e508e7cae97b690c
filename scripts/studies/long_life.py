#!/usr/bin/env python3
"""Measure what a long season costs, in a file and in a spreadsheet on the local server, for wars and for turns.

A season is one ruling, and copies of its request and receipt, chained and seeded like real ones; the tab Log is as long
as it gets. Each figure is of a fresh process: seconds of its processor, kilobytes that it reads, its peak memory.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
POLLS, RULING_LOOKS = 5, 5
HEADS = ("Game", "Receipts", "Where", "What", "CPU s", "kB read", "Reads", "Peak MB")
Rows = dict[str, list[dict[str, Any]]]
Tabs = dict[str, list[list[Any]]]


def main() -> None:
    """Measure and print a table; in a child process, one part of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=[*GAMES], help=f"of {', '.join(GAMES)}")
    parser.add_argument("--receipts", nargs="+", type=int, default=[100, 2_000, 5_000], metavar="N")
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    args = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "servers")]
    from scripts.support.schedule_options import use_venv

    use_venv(parser)
    if args.child:
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
        for line in CHILDREN[args.child[0]](*args.child[1:]):
            print(json.dumps(line))
        return
    print("| " + " | ".join(HEADS) + " |\n|---|--:|---|---|" + "--:|" * 4)
    for game in args.games:
        for receipts in args.receipts:
            for line in measured(*long_season(*GAMES[game](), receipts)):
                print("| " + " | ".join((game, f"{receipts:,}", *line)) + " |", flush=True)


def wars() -> tuple[Rows, str]:
    """Return a season of 1066 with one war, and the name of its request tab."""
    from scripts.support.workbooks import example

    rows = example("1066")
    (war,) = (row for row in rows["War Requests"] if row["Request"] == "W-0004")
    war |= {"Request": "W-10000", "Commit Stability": False}
    return rows | {"War Requests": [war], "Flanks": []}, "War Requests"


def turns() -> tuple[Rows, str]:
    """Return a game of realms with one turn of a realm, and the name of its request tab."""
    from scripts.support.workbooks import example

    turn = {"Request": "T-10000", "Realm": "Rome", "Order": "Process turn", "Action": "Rule", "Ready": True}
    examples = (example(file.stem) for file in sorted((ROOT / "config" / "examples").glob("*.json")))
    rows = next(rows for rows in examples if "Rating Requests" in rows)  # a game that a copy of the core lacks
    return rows | {"Turn Requests": [turn], "Rating Requests": []}, "Turn Requests"


GAMES: dict[str, Callable[[], tuple[Rows, str]]] = {"wars": wars, "turns": turns}


def long_season(rows: Rows, requests: str, receipts: int) -> tuple[Tabs, str]:
    """Return a season with so many receipts, and the name of its request tab, whose last row is not Ready."""
    from engine.columns import columns
    from scripts.support.workbooks import SECRET, read, run, workbook
    from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
    from sheets_algo.ruling.receipts.receipt_tab import LOG_MOST, read_receipts

    book = workbook(rows)
    run(book)
    tabs: Tabs = {title: [[*cells] for cells in book.rows(title)] for title in book.tabs}
    *_, last = read_receipts(read(book)).by_seq.values()
    heads, ruled, line = tabs["Receipts"][0], tabs[requests][1], tabs["Log"][1:]
    place = tabs[requests][0].index("Request")
    for seq in range(last.seq + 1, receipts + 1):
        request = f"{last.request.partition('-')[0]}-{10_000 + seq}"
        last = replace(last, seq=seq, request=request, seed=str(SECRET.seed(request, last.inputs))).chained(last.digest)
        (cells,) = last.rows()
        named = {column.header: cells.get(attribute) for attribute, column in columns(ReceiptRow)}
        tabs["Receipts"].append([named.get(head) for head in heads])
        tabs[requests].append([*ruled[:place], request, *ruled[place + 1 :]])
    tabs["Log"] += (line * receipts)[: LOG_MOST - len(line)]
    programs = {"Status", "Message", "Result", "Ruled At", "Ready"}
    new = dict(zip(tabs[requests][0], ruled, strict=False)) | dict.fromkeys(programs) | {"Request": "X-1"}
    tabs[requests].append([new[head] for head in tabs[requests][0]])
    return tabs, requests


def measured(tabs: Tabs, requests: str) -> Iterator[tuple[str, ...]]:
    """Yield the lines of the table for one season: place, what is done, and the figures."""
    from scripts.support.moderator import write_grids
    from scripts.support.sheets_server import LocalSheets

    row, ready = len(tabs[requests]), tabs[requests][0].index("Ready")
    with tempfile.TemporaryDirectory() as name, LocalSheets(process=True) as server:
        folder = Path(name)
        id = server.make("A long season", tabs)
        key = server.key_file(folder)
        yield from child("google", server.url, id, str(key), name, f"'{requests}'!R{row}C{ready + 1}")
        path = str(write_grids(folder / "season.xlsx", tabs))
        for _ in child("file", path, "what was made"):
            pass  # it may write statuses
        yield from child("file", path, "nothing to do")
        for _ in child("tick", path, requests, f"{row}", f"{ready + 1}"):
            pass
        yield from child("file", path, "one ruling")


def child(*words: str) -> Iterator[tuple[str, ...]]:
    """Yield the lines that a fresh process measures, which begins small."""
    from scripts.support.workbooks import SECRET

    command = [sys.executable, str(Path(__file__).resolve()), "--child", *words]
    environment = os.environ | {"SHEETS_ALGO_SECRET": SECRET.key.decode()}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    yield from (tuple(json.loads(line)) for line in done.stdout.splitlines())


def google(url: str, id: str, key: str, folder: str, cell: str) -> Iterator[tuple[str, ...]]:
    """Measure polls of a watcher, a look at everything, and one tick until nothing is left to do."""
    from sheets_algo.config.settings import Settings
    from sheets_algo.runtime.locate import open_workbooks
    from sheets_algo.runtime.run import run_pass
    from sheets_algo.runtime.watch.watcher import Watcher
    from sheets_algo.workbook.google.http.api import URL_VARIABLE
    from sheets_algo.workbook.stores import find

    os.environ[URL_VARIABLE] = url
    chosen = Settings(credentials=Path(key), folder=Path(folder) / "state", pictures=False)
    (ref,) = open_workbooks([find(id)], chosen)
    watcher, counts = Watcher(ref, 15, threading.Event()), ref.session.workbook.requests
    assert counts is not None

    def line(what: str, work: Callable[[], object], times: int = 1) -> tuple[str, ...]:
        start, read, reads = time.process_time(), counts.bytes, counts.reads
        for _ in range(times):
            work()
        figures = (time.process_time() - start, (counts.bytes - read) / 1000, counts.reads - reads)
        cpu_s, kilobytes, number = (figure / times for figure in figures)
        return "Google", what, f"{cpu_s:.2f}", f"{kilobytes:,.0f}", f"{number:g}", f"{peak():.0f}"

    yield line("first look", watcher.look)
    watcher.look()
    idle = watcher.tally.idle
    yield line("idle poll", watcher.look, POLLS)
    assert watcher.tally.idle == idle + POLLS
    yield line("look at everything", lambda: run_pass.run_pass(ref.session, state=watcher.state))
    from scripts.support.sheets_server import LocalSheets  # it takes memory that the program does not

    server = LocalSheets()
    server.url = url
    tab, _, place = cell.partition("!")
    number, column = (int(part) for part in place[1:].split("C"))
    server.user(id, [{"updateCells": box(server.tabs(id)[tab.strip("'")], number, column)}])
    yield line("a tick, until the next idle poll", lambda: [watcher.look() for _ in range(RULING_LOOKS)])
    assert watcher.tally.rulings == 1
    assert not watcher.tally.trouble


def box(sheet: int, row: int, column: int) -> dict[str, Any]:
    """Return the change of a spreadsheet that ticks a cell, counted from 1."""
    start = {"sheetId": sheet, "rowIndex": row - 1, "columnIndex": column - 1}
    values = [{"userEnteredValue": {"boolValue": True}}]
    return {"start": start, "rows": [{"values": values}], "fields": "userEnteredValue"}


def tick(path: str, tab: str, row: str, column: str) -> Iterator[tuple[str, ...]]:
    """Tick a cell of a file as a person does."""
    from sheets_algo.workbook.changes import ChangeSet, SetCell
    from sheets_algo.workbook.tab_key import TabKey
    from sheets_algo.workbook.xlsx import XlsxWorkbook

    workbook, key = XlsxWorkbook(Path(path)), TabKey.named(tab)
    workbook.commit(workbook.read([key]), ChangeSet(cells=(SetCell(key, int(row), int(column), True),)))
    yield from ()


def file(path: str, what: str) -> Iterator[tuple[str, ...]]:
    """Measure `run` of a file, imports included."""
    from contextlib import redirect_stdout, suppress

    from sheets_algo.cli import main as program

    with redirect_stdout(sys.stderr), suppress(SystemExit):
        program(["run", path, "--quiet"], standalone_mode=False)
    size = Path(path).stat().st_size / 1000
    yield "file", f"run, {what}", f"{time.process_time():.2f}", f"{size:,.0f}", "", f"{peak():.0f}"


def peak() -> float:
    """Return the peak memory of this process in megabytes, without that of the process it was forked from."""
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1e3


CHILDREN: dict[str, Callable[..., Iterator[tuple[str, ...]]]] = {"google": google, "file": file, "tick": tick}

if __name__ == "__main__":
    main()
