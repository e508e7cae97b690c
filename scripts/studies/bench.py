#!/usr/bin/env python3
"""Time and peak memory of `run`, beside what openpyxl alone needs to load and save the same workbook.

Each cell of the table is a workbook with so many rows in its database tabs and so many ready requests, ruled by a fresh
process. `--write` puts the result into docs/reference/bench.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv" / "bin" / "python"
PAGE = ROOT / "docs" / "reference" / "bench.md"
WAR = "W-0004"
RULED = ".ruled.xlsx"
KEY = ".secret"
"""Ending of the file with the season's secret, behind the workbook's name."""
OTHERS = "## Every ruleset"
"""Heading of the part of the page that scripts/studies/bench-rulesets writes."""
PARTS = ("import", "read", "plan", "battles", "luck", "pictures", "write")
OTHERS_OF_RUN: dict[str, Any] = {
    "wait": False,
    "no_post": True,
    "config": None,
    "maps": None,
    "accept_rules": False,
    "accept_columns": False,
}

HEAD = """\
# What a run costs

All figures are of a season as `init` begins it without options: by the rules of `history`.

Made by `scripts/studies/bench.py --write` on {machine}. The figures are seconds of
processor time, except for **wall**, which is measured by the clock while other programs run. Each figure is the median
of several runs, each in its own process; number of runs: {repeat}.

- **import**: Python and our modules; **read**: the file, guarded, to cells; **plan**: cells to records, checks,
  receipts and what to write; **battles**: the rules themselves, with their log files; **luck**: the battles with which
  rulings are compared, as machine code, which the first run over fifty requests or more compiles; **pictures**:
  drawing the maps, the last 100 of them; **write**: patching the file, checking the patch, backup, replacing it.
- **openpyxl**: starting Python, importing openpyxl, loading the workbook as it was, and saving the workbook with the
  results. This includes no checks and no rulings, and loses what openpyxl does not support.
- **own share**: import, read, plan and write (all except the rules and the drawings) as a multiple of openpyxl's time.
  The aim is below 1.

[Forecasts](../forecasts.md#how-lucky-a-ruling-was) says with how many battles a ruling is compared.

"""
FOOT = """
The aim holds in {held} of {all} cells. It is missed on small files, where our imports (numpy, Pillow, the
rulesets) alone take as long as openpyxl's whole work or longer, and where the hundreds of log lines of each
war are larger than the file itself: they are written and, for safety, read back before the file is replaced. Maps are
drawn when the workbook is already written.
"""


def main() -> int:
    """Measure and print; in a child process, do one task and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=whole_numbers, default=[10, 1_000, 50_000], help="database rows: 10,1000,50000")
    parser.add_argument("--requests", type=whole_numbers, default=[1, 100, 1_000], help="requests: 1,100,1000")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each cell; the median counts")
    parser.add_argument("--write", action="store_true", help="write docs/reference/bench.md")
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        sys.path.insert(0, str(ROOT))
        print(json.dumps(CHILDREN[args.child[0]](*args.child[1:])))
        return 0
    if not PYTHON.exists():
        parser.error("there is no .venv yet; scripts/setup-venv makes it")
    lines = list(table(args.rows, args.requests, args.repeat))
    page = HEAD.format(repeat=args.repeat, machine=machine()) + "".join(f"{line}\n" for line in lines)
    page += FOOT.format(held=sum("holds" in line for line in lines), all=len(lines) - 2)
    if args.write:
        _, heading, after = PAGE.read_text(encoding="utf-8").partition(OTHERS)
        PAGE.write_text(f"{page}\n{heading}{after}" if heading else page, encoding="utf-8")
    return 0


def table(rows: list[int], requests: list[int], repeat: int) -> Iterator[str]:
    """Yield the lines of the table in Markdown and print them at once."""
    titles = ("Rows", "Requests", *(part.capitalize() for part in PARTS), "All", "Wall", "Memory")
    titles += ("openpyxl", "Its memory", "Own share", "Aim")
    lines = ["| " + " | ".join(titles) + " |", "|" + "--:|" * len(titles)]
    for line in lines:
        yield printed(line)
    for row in rows:
        for request in requests:
            yield printed("| " + " | ".join(cells(row, request, repeat)) + " |")


def printed(line: str) -> str:
    """Print a line and return it."""
    print(line, flush=True)
    return line


def cells(rows: int, requests: int, repeat: int) -> Iterator[str]:
    """Yield the cells of one line of the table."""
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "bench.xlsx"
        child("make", str(book), str(rows), str(requests))
        ours = median([child("run", str(book)) for _ in range(repeat)])
        library = median([child("library", str(book)) for _ in range(repeat)])
    own = ours["import"] + ours["read"] + ours["plan"] + ours["write"]
    yield from (f"{rows:,}", f"{requests:,}", *(f"{ours[part]:.2f}" for part in PARTS))
    yield from (f"{sum(ours[part] for part in PARTS):.2f}", f"{ours['wall']:.1f}", f"{ours['memory']:.0f} MB")
    yield from (f"{library['all']:.2f}", f"{library['memory']:.0f} MB")
    yield from (f"{own / library['all']:.2f}", "holds" if own < library["all"] else "missed")


def child(*words: str) -> dict[str, float]:
    """Return the figures of a fresh process. This one stays small: a child's peak memory starts at its parent's."""
    start = time.perf_counter()
    command = (str(PYTHON), str(Path(__file__).resolve()), "--child", *words)
    environment = os.environ | {"XDG_CACHE_HOME": str(Path(words[1]).parent)}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    measured: dict[str, float] = json.loads(done.stdout)
    return measured | {"wall": time.perf_counter() - start}


def median(runs: list[dict[str, float]]) -> dict[str, float]:
    """Return the median of each figure."""
    return {name: sorted(run[name] for run in runs)[len(runs) // 2] for name in runs[0]}


def make(path: str, rows: str, requests: str) -> dict[str, float]:
    """Make a workbook with many copies of the war of Manzikert, and a database of many rows around it."""
    from scripts.support.moderator import write_grids
    from scripts.support.workbooks import SECRET, example, grids

    Path(path + KEY).write_bytes(SECRET.key)
    season = example("1066")
    (war,) = (row for row in season["War Requests"] if row["Request"] == WAR)
    sides = (war["Attacker"], war["Defender"])
    tables: dict[str, list[dict[str, Any]]] = {
        "War Requests": [
            war | {"Request": f"W-{number:04}", "Commit Stability": False} for number in range(1, int(requests) + 1)
        ],  # else a few wars leave the next ones no men
        "Nations": [row | {"Capital": None} for row in season["Nations"] if row["Name"] in sides],
        "Militaries": [row for row in season["Militaries"] if row["Nation"] in sides],
        "Locations": [row for row in season["Locations"] if row["Name"] == war["Location"]],
        "Leaders": [row for row in season["Leaders"] if row["Nation"] in sides],
    }
    tabs, nation = ("Nations", "Militaries", "Locations", "Leaders"), ""
    for number in range(int(rows) - sum(len(tables[tab]) for tab in tabs)):
        tab = tabs[number % len(tabs)]
        row = tables[tab][0] | {"Name": f"{tab} {number}"}
        if tab == "Nations":
            nation = row["Name"]
        elif "Nation" in row:
            row["Nation"] = nation
        tables[tab].append(row)
    write_grids(Path(path), grids(tables), write_only=True)
    return {}


def library(path: str) -> dict[str, float]:
    """Measure openpyxl alone: load the input of `run`, save its output."""
    import openpyxl

    openpyxl.load_workbook(path)
    loaded = time.process_time()
    after = openpyxl.load_workbook(path + RULED)
    start = time.process_time()
    after.save(path + ".copy.xlsx")
    return {"all": loaded + time.process_time() - start, "memory": peak()}


def run(path: str) -> dict[str, float]:
    """Measure `run` on a copy of the workbook, with timers around its parts."""
    import gc
    import shutil

    from engine.autoalgo.resolve import Autoalgo
    from sheets_algo.__main__ import OBJECTS_BETWEEN_SEARCHES
    from sheets_algo.commands.run import run as command
    from sheets_algo.runtime.after_commit import artifacts
    from sheets_algo.runtime.run import pass_context
    from sheets_algo.workbook.stores import find
    from sheets_algo.workbook.xlsx import XlsxWorkbook

    gc.set_threshold(OBJECTS_BETWEEN_SEARCHES)
    os.environ["SHEETS_ALGO_SECRET"] = Path(path + KEY).read_text()
    seconds = {"import": time.process_time(), **dict.fromkeys(PARTS[1:], 0.0)}

    def add_timer(owner: object, name: str, part: str) -> None:
        function = getattr(owner, name)

        def timed(*arguments: Any, **keywords: Any) -> Any:
            start = time.process_time()
            try:
                return function(*arguments, **keywords)
            finally:
                seconds[part] += time.process_time() - start

        setattr(owner, name, timed)

    add_timer(XlsxWorkbook, "read", "read")
    add_timer(Autoalgo, "decided", "battles")
    add_timer(pass_context, "code_of", "luck")
    add_timer(pass_context, "how_lucky", "luck")
    add_timer(artifacts, "draw_map", "pictures")
    add_timer(XlsxWorkbook, "commit", "write")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copy(path, folder))
        start = time.process_time()
        report = command(workbook=find(str(copy)), dry=False, force=False, verbose=False, **OTHERS_OF_RUN)
        total = time.process_time() - start
        shutil.copy(copy, path + RULED)
    if report.code:
        sys.exit("\n".join(report.lines))
    seconds["plan"] = total - sum(seconds[part] for part in PARTS[1:] if part != "plan")
    return seconds | {"memory": peak()}


def peak() -> float:
    """Return the peak memory of this process in MB."""
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1e6 if sys.platform == "darwin" else 1e3)


def machine() -> str:
    """Describe the machine in words."""
    return f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def whole_numbers(text: str) -> list[int]:
    """Parse `10,1000` as numbers."""
    return [int(word) for word in text.split(",")]


CHILDREN: dict[str, Callable[..., dict[str, float]]] = {"make": make, "library": library, "run": run}

if __name__ == "__main__":
    sys.exit(main())
