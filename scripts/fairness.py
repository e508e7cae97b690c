#!/usr/bin/env python3
"""Play each strategy of a dishonest moderator in many seasons, and print the table of docs/fair-play.md.

It plays some seasons of each strategy, then the next ones. What was measured stands in a file of results, so that a
run that was stopped goes on where it was, and --wars 0 prints what is known. Exit code 1 if a strategy turned a war and
nothing shows it.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scripts.support.fairness.strategies import Strategy

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "fair-play.md"
HEADER = "| The moderator ... | Turned | What everybody sees |\n|---|--:|---|\n"
BEGIN = "<!-- measured -->"
COUNTED = ("flipped", "silent")
SEASONS = re.compile(r"(?<=, in )\d+ seasons for each strategy")
PART = 13
"""Seasons that are played of one strategy before the next one."""


def main() -> int:
    """Play the strategies; return 0 if each war that was turned leaves a trace, else 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wars", type=int, default=26, metavar="N", help="wars a strategy, in thirteens (default: 26)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes that play at once (default: 1)")
    parser.add_argument("--strategy", default="", metavar="TEXT", help="only those whose names contain it")
    parser.add_argument("--results", type=Path, metavar="FILE", help="keep what was measured, and go on from there")
    parser.add_argument("--docs", action="store_true", help="write the table into docs/fair-play.md")
    args = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "servers")]
    from scripts.support.schedule_options import use_venv

    use_venv(parser)

    from scripts.support.fairness.further import ALL
    from scripts.support.results_file import ResultsFile

    results = ResultsFile(args.results)
    chosen = [strategy for strategy in ALL if args.strategy in strategy.name]
    if args.docs and len(chosen) < len(ALL):
        parser.error("--docs writes the whole table: leave out --strategy")
    known = {(entry["name"], entry["first"]): entry for entry in results.read()}
    starts = range(0, args.wars, PART)
    wanted = [(strategy.name, first) for first in starts for strategy in chosen]
    with ProcessPoolExecutor(args.jobs) as pool:
        for entry in pool.map(_measured, [key for key in wanted if key not in known]):
            known[entry["name"], entry["first"]] = entry
            print(_words(entry), file=sys.stderr, flush=True)
            results.add(entry)
    parts = 0
    while all((strategy.name, parts * PART) in known for strategy in chosen):
        parts += 1

    def share(strategy: Strategy) -> str:
        counted = [known[strategy.name, part * PART] for part in range(parts)]
        turned, silent = (f"{sum(len(part[what]) for part in counted) / (PART * parts):.0%}" for what in COUNTED)
        return f"{turned}{f', {silent} silent' if silent != '0%' else ''}".replace("%", " %")

    wars = [strategy for strategy in chosen if not strategy.game]
    games = {strategy.game: {} for strategy in chosen if strategy.game}
    for strategy in chosen:
        if strategy.game:
            games[strategy.game][strategy.name.partition(": ")[2]] = share(strategy)
    table = HEADER + "".join(f"| {strategy.name} | {share(strategy)} | {strategy.seen} |\n" for strategy in wars)
    if games:
        table += f"\n| The moderator ... | {' | '.join(games)} |\n|---|{'--:|' * len(games)}\n"
        shares = {name: [of_game[name] for of_game in games.values()] for name in next(iter(games.values()))}
        table += "".join(f"| {name} | {' | '.join(of)} |\n" for name, of in shares.items())
    print(table, end="")
    if args.docs:
        _write(table, parts * PART)
    return 1 if any(entry["silent"] for entry in known.values()) else 0


def _measured(key: tuple[str, int]) -> dict[str, Any]:
    """Measure a strategy in some seasons."""
    from scripts.support.fairness.further import ALL
    from scripts.support.fairness.measure import measure

    name, first = key
    strategy = next(strategy for strategy in ALL if strategy.name == name)
    begun = time.process_time()
    found = measure(strategy, range(first, first + PART))
    seconds = time.process_time() - begun
    entry: dict[str, Any] = {"name": name, "first": first, "traces": dict(found.traces), "seconds": seconds}
    return entry | {"flipped": found.flipped, "silent": found.silent}


def _words(entry: dict[str, Any]) -> str:
    """Return what was measured as a line for who waits."""
    turned, silent = len(entry["flipped"]), len(entry["silent"])
    seconds = f"{entry['seconds']:.0f} s"
    return f"from {entry['first']}: {entry['name']}: {turned} of {PART} turned, {silent} without a trace, {seconds}"


def _write(table: str, wars: int) -> None:
    """Replace the table of the page and the number of seasons above it."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    next_ = rest[rest.index("\n## ") :]
    text = f"{before}{BEGIN}\n\n{table}{next_}"
    PAGE.write_text(SEASONS.sub(f"{wars} seasons for each strategy", text), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
