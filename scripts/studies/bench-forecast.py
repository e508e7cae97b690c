#!/usr/bin/env python3
"""How fast battles are fought many times over: by Python, as machine code, by two threads; what the first one costs.

Figures are battles a second of processor time unless they say otherwise; other programs on the
machine disturb those of two threads most.
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
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv" / "bin" / "python"
CHUNK_SECONDS = 0.02
HAS_COUNTER = ("x86_64", "amd64")
"""Processors with a counter of ticks that any program may read."""
PHASES = ("besiege", "decide", "move", "attack", "cut_sides", "natural_attrition", "disease", "judge")


def main() -> int:
    """Measure and print; in a child process, time the first battle."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flanks", type=whole_numbers, default=[3, 10, 30, 99], help="flanks a side: 3,10,30,99")
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time spent on each figure")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--first", metavar="CACHE", help=argparse.SUPPRESS)
    args = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "studies")]
    if args.first:
        print(json.dumps(first_battle(args.first)))
        return 0
    if not PYTHON.exists():
        parser.error("there is no .venv yet; scripts/setup-venv makes it")
    with tempfile.TemporaryDirectory() as cache:
        figures: dict[str, Any] = {
            "machine": f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
            "first call": {"without cache": in_a_child(cache), "with cache": in_a_child(cache)},
        }
        figures["battles"] = measured(args.flanks, args.seconds, cache)
    print(json.dumps(figures, indent=2) if args.json else table(figures))
    return 0


def in_a_child(cache: str) -> dict[str, float]:
    """Return what a fresh process needs from its start to the end of its first battle."""
    command = (str(PYTHON), str(Path(__file__).resolve()), "--first", cache)
    start = time.perf_counter()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures | {"wall seconds": time.perf_counter() - start}


def first_battle(cache: str) -> dict[str, float]:
    """Fight one battle of Hastings as machine code and return the figures of this process."""
    import resource

    from engine.autoalgo.series.compile import compiled_kernel
    from sheets_algo.forecasts.machine_code import numba_compiler

    hastings().fight(0, 1, compiled_kernel(numba_compiler(cache)))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
    return {"processor seconds": time.process_time(), "memory MB": memory}


def measured(flanks: list[int], seconds: float, cache: str) -> list[dict[str, Any]]:
    """Measure Hastings, then lines of archers with each number of flanks."""
    from kernel_phases import Clocked

    from engine.autoalgo.fight.kernel import PLAIN
    from engine.autoalgo.series.compile import compiled_kernel
    from sheets_algo.forecasts.machine_code import numba_compiler

    fast = compiled_kernel(numba_compiler(cache))
    if fast.why_not:
        sys.exit(f"no machine code here: {fast.why_not}")
    clocked = Clocked() if platform.machine().lower() in HAS_COUNTER else None
    found: list[dict[str, Any]] = []
    battles = [("Hastings", 3, hastings()), *((f"{count} archers", count, archers(count)) for count in flanks)]
    for name, count, field in battles:
        field.fight(0, 1, fast)
        ends, _ = field.fight(0, 50, fast)
        compiled = a_second(lambda first, many, battlefield=field: battlefield.fight(first, many, fast), seconds)
        found.append(
            {
                "war": name,
                "flanks a side": count,
                "hours": float(ends.hours.mean()),
                "compiled": compiled,
                "uncompiled": a_second(
                    lambda first, many, battlefield=field: battlefield.fight(first, many, PLAIN), seconds
                ),
                "two threads": two_threads(
                    lambda first, many, battlefield=field: battlefield.fight(first, many, fast), compiled, seconds
                ),
                "shares in Python": shares(field, seconds),
            }
        )
        if clocked:
            found[-1]["shares in machine code"] = clocked.shares(field, seconds)
    return found


def a_second(fight: Callable[[int, int], object], seconds: float) -> float:
    """Return the battles per second of processor time, measured on a chunk that is long enough."""
    count, first = 1, 0
    while True:
        start = time.process_time()
        fight(first, count)
        elapsed = time.process_time() - start
        if elapsed >= seconds / 2:
            return count / elapsed
        first, count = first + count, count * 2


def two_threads(fight: Callable[[int, int], object], one_thread: float, seconds: float) -> dict[str, float]:
    """Return the battles per second of two threads, by wall and processor time, in chunks of about 20 ms."""
    chunk = max(1, round(one_thread * CHUNK_SECONDS))
    chunks = max(4, round(2 * seconds / CHUNK_SECONDS))
    with ThreadPoolExecutor(2) as pool:
        start, spent = time.perf_counter(), time.process_time()
        list(pool.map(lambda place: fight(place * chunk, chunk), range(chunks)))
        wall, processor = time.perf_counter() - start, time.process_time() - spent
    return {"a second": chunks * chunk / wall, "a processor second": chunks * chunk / processor, "chunk": chunk}


def shares(field: Any, seconds: float) -> dict[str, float]:
    """Return the share of each phase in the time that Python needs, with timers around the phases."""
    from engine.autoalgo.battle import hour
    from engine.autoalgo.fight import kernel

    seconds_of: dict[str, float] = {}
    originals: list[tuple[Any, str, Any]] = []

    def add_timer(owner: Any, name: str) -> None:
        function = getattr(owner, name)
        originals.append((owner, name, function))

        def timed(*arguments: Any) -> Any:
            start = time.perf_counter()
            try:
                return function(*arguments)
            finally:
                seconds_of[name] = seconds_of.get(name, 0.0) + time.perf_counter() - start

        setattr(owner, name, timed)

    for phase in PHASES:
        add_timer(hour, phase)
    for phase in ("fill", "note_end", "note_consequences"):
        add_timer(kernel, phase)
    try:
        start, first = time.perf_counter(), 0
        while time.perf_counter() - start < seconds:
            field.fight(first, 1)
            first += 1
        total = time.perf_counter() - start
    finally:
        for owner, name, function in originals:
            setattr(owner, name, function)
    result = {name: seconds_of.get(name, 0.0) / total for name in ("fill", *PHASES, "note_end", "note_consequences")}
    return result | {"all else": 1.0 - sum(result.values())}


def hastings() -> Any:
    """Return the battle of the example workbook, 3 flanks against 3."""
    from engine.autoalgo.fight.battlefield import Battlefield
    from scripts.support.workbooks import example, forms, read, workbook
    from sheets_algo.database.records import Database

    form = forms()[0]
    book = Database(read(workbook(example("1066"))), form.records(), form.vocabulary)
    [row] = book.find(form.request, "W-0002")
    return Battlefield.of(form.read(row, book).inputs, form.tables, seed=1066)


def archers(flanks: int) -> Any:
    """Return a battle of two lines of flanks from edge to edge, 3,000 archers each."""
    from engine.autoalgo.fight.battlefield import Battlefield
    from engine.autoalgo.inputs import FlankOrder
    from scripts.support.pinned_tables import shipped_tables
    from scripts.support.small_battles import ARCHER, army, war

    def line(y: float) -> tuple[FlankOrder, ...]:
        return tuple(FlankOrder(x=20 + 360 * place / max(flanks - 1, 1), y=y) for place in range(flanks))

    sides = (
        army(name, 3_000 * flanks, types=(ARCHER, None, None), flanks=line(y)) for name, y in (("A", 182), ("B", 218))
    )
    return Battlefield.of(war(*sides), shipped_tables(), seed=7)


def table(figures: dict[str, Any]) -> str:
    """Return the figures as a table."""
    lines = [figures["machine"], ""]
    for name, values in figures["first call"].items():
        lines.append(
            f"first battle of a process, {name}: {values['wall seconds']:.2f} s by the clock, "
            f"{values['processor seconds']:.2f} s of processor time, {values['memory MB']:.0f} MB"
        )
    lines += ["", "Battles a second of processor time; of two threads also by the clock"]
    heads = ("hours", "compiled", "uncompiled", "times", "two threads", "by the clock")
    lines.append(f"{'':>12}" + "".join(f"{head:>14}" for head in heads))
    for values in figures["battles"]:
        lines.append(
            f"{values['war']:>12}{values['hours']:>14.1f}{values['compiled']:>14,.0f}{values['uncompiled']:>14,.1f}"
            f"{values['compiled'] / values['uncompiled']:>14.0f}{values['two threads']['a processor second']:>14,.0f}"
            f"{values['two threads']['a second']:>14,.0f}"
        )
    for where in ("Python", "machine code"):
        lines += shares_table(figures["battles"], where)
    return "\n".join(lines)


def shares_table(battles: list[dict[str, Any]], place: str) -> list[str]:
    """Return the shares of the phases as a table; nothing where they were not measured."""
    if f"shares in {place}" not in battles[0]:
        return []
    names = battles[0][f"shares in {place}"]
    lines = ["", f"Share of each phase in {place}"]
    lines.append(f"{'':>12}" + "".join(f"{name.removeprefix('natural_'):>19}" for name in names))
    for values in battles:
        lines.append(f"{values['war']:>12}" + "".join(f"{values[f'shares in {place}'][name]:>19.1%}" for name in names))
    return lines


def whole_numbers(text: str) -> list[int]:
    """Parse `3,10` as numbers."""
    return [int(word) for word in text.split(",")]


if __name__ == "__main__":
    sys.exit(main())
