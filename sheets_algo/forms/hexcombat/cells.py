"""Parsers of hex cells that hold several values, and checks of single rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.columns import loosely
from engine.hexcombat.setup.hexes import Hex, hex_of
from engine.hexcombat.setup.records import Facility, HexUnit
from sheets_algo.database.cell_text import ReadError, as_text, trimmed
from sheets_algo.database.cells import IsName, comma_error, split_names
from sheets_algo.database.problems import Problem, quoted
from sheets_algo.database.tables import Row, Table
from sheets_algo.database.typed_numbers import number_of
from sheets_algo.workbook.values import Value

FARTHEST = 20
"""Maximum distance, in hexes, that a request may name."""
DICE = (1, 1_000)
"""Minimum and maximum number of a die of these rules."""
NOBODY = "none"
"""Word for an intentionally empty list of units, which the map does not fill (HX-OP-53)."""
HEX_ALLOWED = "Enter column and row as text: 12,7"


@dataclass(frozen=True, slots=True)
class ListedUnit:
    """A name in a list of units."""

    name: str  # The name as typed
    # The distance to the unit's target in hexes, the number behind the @; None if not given.
    distance: int | None = None


def parse_hex(value: Value) -> Hex | None:
    """Return the hex that a cell names, or None for a blank cell.

    Raises:
        ReadError: The cell is not a hex, or a spreadsheet has converted it to a number.
    """
    text = as_text(value)
    if not text:
        return None
    if isinstance(value, float) and not value.is_integer():
        pair = text.replace(".", ",")
        raise ReadError(f"{text} is a number, which could mean {pair} or {pair}0", HEX_ALLOWED)
    place = hex_of(text)
    if place is None:
        raise ReadError(f"{quoted(text)} is not a hex", HEX_ALLOWED)
    return place


def parse_unit_list(value: Value, is_name: IsName) -> Iterator[ListedUnit | ReadError]:
    """Yield the names with distances of `Stuka@3; Flak`, or the error of each part; nothing for `none`.

    Args:
        is_name: Whether a text is the name of a unit, which stays whole (DB-05).
    """
    text = value if isinstance(value, str) else as_text(value)
    if loosely(text) == NOBODY:
        return
    parts = split_names(text, lambda part: is_name(re.sub(r"@[^;|/@]*$", "", part)))
    if not parts and trimmed(text):
        yield ReadError(f"{quoted(text)} holds no name", "Enter names from Hex Units, separated by semicolons")
    for part in parts:
        yield ListedUnit(part) if is_name(part) else _parse_unit(part)


def _parse_unit(part: str) -> ListedUnit | ReadError:
    name, sign, distance = part.rpartition("@")
    if not sign:
        return ListedUnit(part)
    if "," in distance:
        return comma_error(part)
    allowed = f"Write Unit or Unit@3: the number is its distance in hexes, from 0 to {FARTHEST}"
    if not name.strip():
        return ReadError(f"{quoted(part)} has no name before the @", allowed)
    try:
        number = number_of(distance, is_whole=True)
    except ReadError as error:
        return error
    if number is None or number != int(number) or not 0 <= number <= FARTHEST:
        return ReadError(f"{quoted(part)}: {quoted(trimmed(distance))} is not a distance", allowed)
    return ListedUnit(name.strip(), int(number))


def parse_dice(value: Value) -> tuple[int, ...]:
    """Return the rolls of `20, 7, 13` in drawing order.

    Raises:
        ReadError: A part of the cell is not a roll.
    """
    text = as_text(value)
    rolls: list[int] = []
    for part in filter(None, re.split(r"[\s,;/|]+", text)):
        if not part.isdecimal() or not DICE[0] <= int(part) <= DICE[1]:
            says = f"{quoted(part)} is not a roll" if part != text else f"{quoted(text)} is not a list of rolls"
            raise ReadError(
                says, f"Enter whole numbers from {DICE[0]} to {DICE[1]:,} in the order of the dice: 20, 7, 13"
            )
        rolls.append(int(part))
    return tuple(rolls)


def parse_hex_or_none(value: Value) -> Hex | None:
    """Return the hex that a cell names, or None if it is invalid, which the check of its own tab reports."""
    try:
        return parse_hex(value)
    except ReadError:
        return None


def rows_by_hex(table: Table) -> Mapping[Hex | None, Sequence[int]]:
    """Return the row numbers of Hex Units or Hex Facilities by hex, in sheet order; by None where it is unreadable."""
    rows: dict[Hex | None, list[int]] = {}
    for row in table:
        if not row.is_blank("hex"):
            rows.setdefault(parse_hex_or_none(row.value("hex")), []).append(row.number)
    return rows


def check_hex(row: Row, piece: HexUnit | Facility) -> Iterator[Problem]:
    """Check that a hex consists of column and row (HX-DEF-03)."""
    try:
        parse_hex(row.value("hex"))
    except ReadError as error:
        yield row.problem("hex", "HX-DEF-03", error.says, allowed=error.allowed)


def check_suppressed(row: Row, unit: HexUnit) -> Iterator[Problem]:
    """Check that a unit has no more suppressed strength points than strength points (HX-DEF-07)."""
    if unit.suppressed > unit.strength:
        says = f"{unit.suppressed} of {unit.strength} strength points are suppressed"
        yield row.problem("suppressed", "HX-DEF-07", says, allowed="Enter at most as many as Strength")


def check_mounted(row: Row, unit: HexUnit) -> Iterator[Problem]:
    """Check that a mounted unit has a transport type, whose values count (HX-OP-32)."""
    if unit.mounted and not unit.transport:
        says = "the unit is mounted, but its Transport type is empty"
        yield row.problem("transport", "HX-OP-32", says, allowed="Enter a type from Hex Unit Types, or Mounted no")
