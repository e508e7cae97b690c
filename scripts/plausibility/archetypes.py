"""Which unit of the catalogue an archetype of a row is: the one of its name, else the likest of its slot and time.

Files of others name troops that our catalogue lacks. The likest is the one that shares most words with it; of those
the one whose era is nearest to the year of the battle. The catalogue tells slot and era in a remark (`Slot, era`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SLOTS = ("inf", "cav", "art", "ship")
WORDS = re.compile(r"[a-z]{3,}")
EMPTY_WORDS = frozenset(("and", "the", "with"))
STEM = 4
YEAR = re.compile(r"(\d+)( BC)?")


@dataclass(frozen=True, slots=True)
class Archetype:
    """One unit of the catalogue.

    Args:
        name: Of the unit.
        slot: One of `SLOTS`; others fit every slot.
        first: Year; BC is negative.
        last: Year.
    """

    name: str
    slot: str
    first: int
    last: int

    def years_from(self, year: int) -> int:
        """How far a year lies outside its time."""
        return max(self.first - year, year - self.last, 0)


def catalogue(units: Mapping[str, Any]) -> tuple[Archetype, ...]:
    """The armed units of `units.json` that name their slot."""
    found = []
    for unit in units["units"]:
        slot, era = _parts(unit.get("Slot, era", ""))
        if slot in SLOTS and any(unit.get("Power", ())):
            found.append(Archetype(unit["Name"], slot, *_era(era)))
    return tuple(found)


def likest(name: str, slot: str, year: int, known: Iterable[Archetype]) -> str:
    """The unit that a name which the catalogue lacks stands for.

    Args:
        name: As the row has it.
        slot: One of `SLOTS`.
        year: Of the battle.
        known: The catalogue.
    """
    wanted = _words(name)
    fitting = [it for it in known if it.slot == slot]
    return min(fitting, key=lambda it: (-len(wanted & _words(it.name)), it.years_from(year), it.last - it.first)).name


def _parts(remark: str) -> tuple[str, str]:
    """Slot and era of `ship (also galleon), 1588–1850`."""
    place, _, era = remark.rpartition(", ")
    return place.split(" ")[0], era


def _words(name: str) -> frozenset[str]:
    """Their first letters, so that `archers` and `archer`, `longbow` and `longbowman` are one word."""
    return frozenset(word[:STEM] for word in WORDS.findall(name.lower()) if word not in EMPTY_WORDS)


def _era(text: str) -> tuple[int, int]:
    years: Sequence[int] = [-int(year) if bc else int(year) for year, bc in YEAR.findall(text)]
    return (min(years), max(years)) if years else (-3500, 2020)
