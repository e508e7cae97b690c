#!/usr/bin/env python3
"""Play each strategy of a dishonest moderator in many seasons, and print the table of docs/fair-play.md.

Exit code 1 if a strategy turned a war and nothing shows it.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".venv" / "bin" / "python"


def main() -> int:
    """Play the strategies; return 0 if each war that was turned leaves a trace, else 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wars", type=int, default=20, metavar="N", help="wars a strategy (default: 20)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes that play at once (default: 1)")
    parser.add_argument("--strategy", default="", metavar="TEXT", help="only those whose names contain it")
    args = parser.parse_args()
    if Path(sys.prefix) != PYTHON.parent.parent:  # run by the Python that has the packages
        if not PYTHON.exists():
            parser.error("there is no .venv yet; scripts/setup-venv makes it")
        os.execv(PYTHON, [str(PYTHON), *sys.argv])
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "servers")]

    from tests.fairness.strategies import STRATEGIES

    places = [place for place, strategy in enumerate(STRATEGIES) if args.strategy in strategy.name]
    silent = 0
    print("| The moderator ... | Before | Now | Without a trace | What everybody sees |\n|---|--:|--:|--:|---|")
    with ProcessPoolExecutor(args.jobs) as pool:
        for line, missed in pool.map(_line, places, [args.wars] * len(places)):
            print(line, flush=True)
            silent += missed
    return 1 if silent else 0


def _line(place: int, wars: int) -> tuple[str, int]:
    """Return the line of a strategy, and the number of wars that it turned now without a trace."""
    from tests.fairness.measure import measure
    from tests.fairness.strategies import STRATEGIES

    strategy = STRATEGIES[place]
    before, now = (measure(strategy, range(wars), promises) for promises in (1, 2))
    shares = (f"{len(found) / wars:.0%}".replace("%", " %") for found in (before.silent, now.flipped, now.silent))
    return f"| {strategy.name} | {' | '.join(shares)} | {strategy.seen} |", len(now.silent)


if __name__ == "__main__":
    sys.exit(main())
