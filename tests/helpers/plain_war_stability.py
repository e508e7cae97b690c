"""What a war does to the Stability of both nations (R-110), in wars as moderators type them, each fought many times."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.autoalgo.fight.battlefield import Battlefield
from scripts.support.plain_wars import plain_wars
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.config.maps import MapFolder

SMALL, STABLE, WEAK = 0.001, 150, 50
"""Share of the maximum military below which a war is small; Stability of stable and of weak nations."""


def outcomes(tables: Any, kernel: Any, wars: int, battles: int, secret: int) -> Any:
    """Return what came of all battles, a column a name, those of winner and loser with a prefix."""
    found = [row for war in fought(tables, kernel, wars, battles, secret) for row in war]
    return {name: np.array([row[name] for row in found], float) for name in found[0]}


def fought(tables: Any, kernel: Any, wars: int, battles: int, secret: int) -> Iterator[Iterator[dict[str, float]]]:
    """Yield the rows of each war's battles."""
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
