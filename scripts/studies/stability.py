#!/usr/bin/env python3
"""What a war does to the Stability of both nations, by the rules of history and of source (R-110).

Wars as moderators type them (`scripts/support/plain_wars.py`), each fought under several secrets. Printed is how often
the loser loses more, how his change goes with what he lost and with what the winner holds, and what small wars,
victories of stable nations and lost capitals cost. Needs machine code.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
SMALL, STABLE, WEAK = 0.001, 150, 50
"""Share of the maximum military below which a war is small; Stability of stable and of weak nations."""


def main() -> int:
    """Fight and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wars", type=int, default=200, help="wars (200)")
    parser.add_argument("--battles", type=int, default=60, help="battles of each war, each with luck of its own (60)")
    parser.add_argument("--secrets", type=int, default=3, help="sets of wars, each of a secret of its own (3)")
    args = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    from engine.autoalgo.setup.source import RULE_SETS, RULES
    from engine.settings import Setting
    from scripts.support.pinned_tables import shipped_tables
    from scripts.support.small_battles import machine_code

    print("| Rules | Secret | " + " | ".join(FIGURES) + " |")
    print("|---|--:|" + "--:|" * len(FIGURES))
    with machine_code() as kernel:
        for rules in RULE_SETS:
            tables = shipped_tables().having((Setting(name=RULES, value=rules),))
            for secret in range(1, args.secrets + 1):
                found = outcomes(tables, kernel, args.wars, args.battles, secret)
                figures = " | ".join(f"{figure(found):.2f}" for figure in FIGURES.values())
                print(f"| {rules} | {secret} | {figures} |", flush=True)
    return 0


def outcomes(tables: Any, kernel: Any, wars: int, battles: int, secret: int) -> Any:
    """Return what came of all battles, a column a name, those of winner and loser with a prefix."""
    found = [row for war in fought(tables, kernel, wars, battles, secret) for row in war]
    return {name: np.array([row[name] for row in found], float) for name in found[0]}


def fought(tables: Any, kernel: Any, wars: int, battles: int, secret: int) -> Iterator[Iterator[dict[str, float]]]:
    """Yield the rows of each war's battles."""
    from engine.autoalgo.fight.battlefield import Battlefield
    from scripts.support.plain_wars import plain_wars
    from sheets_algo.config.loader import ConfigLoader
    from sheets_algo.config.maps import MapFolder

    folder = MapFolder(ConfigLoader().maps_folder, tables.terrain)
    maps = {name: folder.load(name) for name in folder.names if name != "Sea"}
    for inputs in plain_wars(wars, tables, maps, secret):
        battlefield = Battlefield.of(inputs, tables, seed=secret)
        yield rows(battlefield.fight(0, battles, kernel), battlefield.aftermath)


def rows(results: Any, inputs: Any) -> Iterator[dict[str, float]]:
    """Yield a row for each battle of a war."""
    ends, then = results
    for battle, winner in enumerate(ends.winner):
        row = {"occupation": then.result[battle]}
        for name, side in (("winner", winner), ("loser", 1 - winner)):
            own = (inputs.attacker, inputs.defender)[side]
            lost = own.men - ends.left[battle, side]
            row |= {
                f"{name} before": own.home.stability,
                f"{name} change": round(then.stability[battle, side], 1) - own.home.stability,
                f"{name} lost": lost,
                f"{name} share": lost / own.men,
                f"{name} stake": own.men / own.home.maximum_military,
                f"{name} capital": own.home.is_capital,
            }
        yield row


def correlation(found: Any, name: str) -> float:
    """Return how the loser's change goes with another column."""
    return float(np.corrcoef(found["loser change"], found[name])[0, 1])


def mean(found: Any, name: str, where: Any) -> float:
    """Return the mean of a column of some battles."""
    return float(found[name][where].mean()) if where.any() else float("nan")


FIGURES = {
    "Loser loses more": lambda found: float((found["loser change"] < found["winner change"]).mean()),
    "Loser": lambda found: mean(found, "loser change", found["winner share"] >= 0),
    "Winner": lambda found: mean(found, "winner change", found["winner share"] >= 0),
    "By share lost": lambda found: correlation(found, "loser share"),
    "By men lost": lambda found: correlation(found, "loser lost"),
    "By occupation": lambda found: correlation(found, "occupation"),
    "Loser, small war": lambda found: mean(found, "loser change", found["loser stake"] < SMALL),
    "Winner from 150": lambda found: mean(found, "winner change", found["winner before"] > STABLE),
    "Winner below 50": lambda found: mean(found, "winner change", found["winner before"] < WEAK),
    "Capital lost": lambda found: mean(found, "loser change", found["loser capital"] > 0),
}
"""Name and function of each figure."""


if __name__ == "__main__":
    sys.exit(main())
