"""Cells of the hex tabs that hold more than one value, and checks of single rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.hexcombat.hexes import Hex
from engine.hexcombat.records import Facility, Unit
from sheets_algo.problems import Problem, quoted
from sheets_algo.tables import Row, Table
from sheets_algo.values import Trouble, readings_of, shown, split_names, trimmed
from sheets_algo.workbook.base import Value

FARTHEST = 20
"""Hexes that a request may speak of."""
MOST_COLUMN = 10_000
DICE = (1, 1_000)
"""Least and greatest number of any die of these rules."""
HEX = re.compile(r"[(\[]?\s*(\d{1,5})\s*[,;:/ ]\s*(\d{1,5})\s*[)\]]?")
HEX_WANTED = "Enter column and row as text: 12,7"


@dataclass(frozen=True, slots=True)
class Listed:
    """A name in a list of units.

    Args:
        name: As typed.
        distance: Hexes to what it fires at, the number behind the @; None where there is none.
    """

    name: str
    distance: int | None = None


def hex_of(value: Value) -> Hex | None:
    """The hex that a cell names; None for a blank one.

    Raises:
        Trouble: It names none, or a spreadsheet has made a number of it.
    """
    words = shown(value)
    if not words:
        return None
    if isinstance(value, float) and not value.is_integer():
        pair = words.replace(".", ",")
        raise Trouble(f"{words} is a number, so nobody can tell {pair} from {pair}0", HEX_WANTED)
    found = HEX.fullmatch(words)
    if found is None or max(map(int, found.groups())) > MOST_COLUMN:
        raise Trouble(f"{quoted(words)} is not a hex", HEX_WANTED)
    return Hex(int(found[1]), int(found[2]))


def listed(value: Value) -> Iterator[Listed | Trouble]:
    """`Stuka@3; Flak` as names with distances, or what is wrong with each."""
    words = value if isinstance(value, str) else shown(value)
    parts = split_names(words)
    if not parts and trimmed(words):
        yield Trouble(f"{quoted(words)} holds no name", "Enter names from Hex Units, separated by semicolons")
    yield from map(_listed, parts)


def _listed(part: str) -> Listed | Trouble:
    name, at, distance = part.rpartition("@")
    if not at:
        return Listed(part)
    if "," in distance:
        return Trouble(
            f"{quoted(part)}: a comma cannot separate names", "Separate the names with a semicolon", id="DB-05"
        )
    allowed = f"Write Unit or Unit@3: the number is its distance in hexes, from 0 to {FARTHEST}"
    if not name.strip():
        return Trouble(f"{quoted(part)} has no name before the @", allowed)
    found = [number for number in readings_of(distance) if float(number).is_integer() and 0 <= number <= FARTHEST]
    if len(found) != 1:
        return Trouble(f"{quoted(part)}: {quoted(trimmed(distance))} is not a distance", allowed)
    return Listed(name.strip(), int(found[0]))


def comma(part: str) -> Trouble:
    """DB-05: names may hold commas, so none separates them."""
    return Trouble(f"{quoted(part)}: a comma cannot separate names", "Separate the names with a semicolon", id="DB-05")


def dice(value: Value) -> tuple[int, ...]:
    """`20, 7, 13` as rolls in drawing order.

    Raises:
        Trouble: Something else stands among them.
    """
    words = shown(value)
    rolls: list[int] = []
    for part in filter(None, re.split(r"[\s,;/|]+", words)):
        if not part.isdecimal() or not DICE[0] <= int(part) <= DICE[1]:
            says = f"{quoted(part)} is not a roll" if part != words else f"{quoted(words)} is not a list of rolls"
            raise Trouble(
                says, f"Enter whole numbers from {DICE[0]} to {DICE[1]:,} in the order of the dice: 20, 7, 13"
            )
        rolls.append(int(part))
    return tuple(rolls)


def hex_or_none(value: Value) -> Hex | None:
    """The hex that a cell names; None for any other, whose trouble is told where its tab is checked."""
    try:
        return hex_of(value)
    except Trouble:
        return None


def by_hex(table: Table) -> Mapping[Hex, int]:
    """The rows of Hex Facilities, by number, of the hex that each names; the first of several."""
    found: dict[Hex, int] = {}
    for row in table:
        at = hex_or_none(row.value("hex"))
        if at is not None:
            found.setdefault(at, row.number)
    return found


def hex_fits(row: Row, it: Unit | Facility) -> Iterator[Problem]:
    """HX-DEF-03: a hex is column and row."""
    try:
        hex_of(row.value("hex"))
    except Trouble as trouble:
        yield row.problem("hex", "HX-DEF-03", trouble.says, allowed=trouble.allowed)


def suppressed_within_strength(row: Row, it: Unit) -> Iterator[Problem]:
    """HX-DEF-07: no more strength points are suppressed than there are."""
    if it.suppressed > it.strength:
        says = f"{it.suppressed} of {it.strength} strength points are suppressed"
        yield row.problem("suppressed", "HX-DEF-07", says, allowed="Enter at most as many as Strength")


def mounted_on_something(row: Row, it: Unit) -> Iterator[Problem]:
    """HX-OP-32: who is mounted has a transport, whose values count."""
    if it.mounted and not it.transport:
        says = "the unit is mounted, but its Transport type is empty"
        yield row.problem("transport", "HX-OP-32", says, allowed="Enter a type from Hex Unit Types, or Mounted no")
