"""Distances between places, in steps from neighbour to neighbour (RL-OP-24)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from engine.realm.setup.records import RealmPlace

Item = TypeVar("Item")

Tiers = tuple[tuple[str, ...], ...]
"""Names in groups of equal distance, the nearest group first; luck decides within a group."""


class Distances:
    """Steps between places; without neighbours each place is near only to itself.

    Args:
        places: The rows of the Realm Places tab; neighbours count in both directions.
    """

    def __init__(self, places: Iterable[RealmPlace]) -> None:
        self._neighbours: dict[str, set[str]] = {}
        for place in places:
            for other in place.neighbours:
                self._neighbours.setdefault(place.name, set()).add(other)
                self._neighbours.setdefault(other, set()).add(place.name)
        self._found: dict[str, Mapping[str, int]] = {}

    def steps(self, start: str, end: str) -> float:
        """Return the fewest steps from one place to another; infinite if there is no way or a place is blank."""
        if not start or not end:
            return math.inf
        if start not in self._found:
            self._found[start] = self._steps_from(start)
        return self._found[start].get(end, math.inf)

    def tiers(self, start: str, items: Iterable[Item], name: Callable[[Item], str], at: Callable[[Item], str]) -> Tiers:
        """Return the names of items by their distance from a place.

        Args:
            start: The place; blank if unknown.
            items: The items; a name may occur several times, and then the nearest counts.
        """
        nearest: dict[str, float] = {}
        for item in items:
            steps = self.steps(start, at(item))
            nearest[name(item)] = min(steps, nearest.get(name(item), math.inf))
        return tuple(
            tuple(item_name for item_name, steps in nearest.items() if steps == least)
            for least in sorted({*nearest.values()})
        )

    def _steps_from(self, start: str) -> Mapping[str, int]:
        distances = {start: 0}
        edge = [start]
        while edge:
            reached = {other for place in edge for other in self._neighbours.get(place, ())}
            edge = [place for place in reached if place not in distances]
            distances |= dict.fromkeys(edge, max(distances.values()) + 1)
        return distances
