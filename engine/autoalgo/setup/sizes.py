"""Estimated sizes of armies, by words, people and civilization, and garrisons of places (R-132)."""

from __future__ import annotations

import re

from engine.autoalgo.records import SIZE_MOST, Location, Nation
from engine.autoalgo.setup.tables import Tables
from engine.columns import loosely

GARRISON, NOBODY = "garrison", "nobody"
"""Words for the garrison of a place without an army."""
ABOUT = re.compile(r"~\s*([0-9][0-9,.' ]*)\s*(k?)", re.IGNORECASE)
"""A size typed as an estimate: `~5000`, `~12k`."""


def is_size(text: str, tables: Tables) -> bool:
    """Return True if a text is a size: a word of the tables, or `~5000`."""
    return loosely(text) in (*tables.army_sizes.words, GARRISON, NOBODY) or ABOUT.fullmatch(text) is not None


def estimated_size(text: str, nation: Nation, place: Location, tables: Tables) -> int:
    """Return the estimated number of men for a size, at least one unless the population is 0 (R-132).

    Args:
        text: A text accepted by `is_size`.
    """
    if loosely(text) == NOBODY:
        return 0
    if about := ABOUT.fullmatch(text):
        men = float(re.sub(r"[,' ]", "", about[1]).rstrip(".")) * (1_000 if about[2] else 1)
        return max(1, min(round(men), SIZE_MOST))
    group = tables.max_military.groups[nation.civilization_type]
    if loosely(text) == GARRISON:
        people = tables.climate.local_population(place, 0.0) or 0
        return max(1, round(people * tables.army_sizes.garrison[group]))
    return max(1, _rounded(nation.population * tables.army_sizes.words[loosely(text)][group]))


def _rounded(men: float) -> int:
    """Return an estimate of men, rounded to two digits."""
    return int(round(men, 2 - len(str(int(men))))) if men >= 100 else round(men)
