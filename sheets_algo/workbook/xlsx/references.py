"""What a formula refers to: addresses, ranges, names, tables, on its own tab and on others.

Only what decides which cells a formula reads is understood. What cannot be known from the text (OFFSET, INDIRECT, a
range between two expressions, a name that nobody defined) is reported as reading anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from sheets_algo.workbook.xlsx.areas import MAX_COLUMN, MAX_ROW, Area, column_number


class Place(NamedTuple):
    """A reference as it is written: an area whose ends may move with the formula.

    Args:
        sheets: First and last tab it names, None for the formula's own.
        area: The rectangle, its ends as written: those of `B2:$A$1` are put in order by `shifted`.
        moves: Whether its top, left, bottom and right are relative.
    """

    sheets: tuple[str, str] | None
    area: Area
    moves: tuple[bool, bool, bool, bool]

    def shifted(self, rows: int, columns: int) -> Area:
        """The area for a formula that stands so many rows and columns away; it wraps around at the sheet's end."""
        top, left, bottom, right = self.area
        if rows or columns:
            top, bottom = (
                (end - 1 + rows) % MAX_ROW + 1 if moves else end
                for end, moves in ((top, self.moves[0]), (bottom, self.moves[2]))
            )
            left, right = (
                (end - 1 + columns) % MAX_COLUMN + 1 if moves else end
                for end, moves in ((left, self.moves[1]), (right, self.moves[3]))
            )
        if top <= bottom and left <= right:
            return Area(top, left, bottom, right)
        return Area(min(top, bottom), min(left, right), max(top, bottom), max(left, right))


class NameUse(NamedTuple):
    """A defined name, or a table by its bare name; with the tab it is looked up on, if one is written."""

    sheet: str | None
    name: str


class TableUse(NamedTuple):
    """A structured reference.

    Args:
        table: The table's name, blank for the one that the formula stands in.
        items: `#all`, `#data`, `#headers`, `#totals`, `#this row`.
        columns: First and last column, None for all.
    """

    table: str
    items: tuple[str, ...]
    columns: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class References:
    """All that a formula refers to.

    Args:
        places: References by address.
        names: References by name.
        tables: Structured references.
        calls: Case-folded names of functions.
        is_opaque: Whether it may read any cell.
    """

    places: tuple[Place, ...] = ()
    names: tuple[NameUse, ...] = ()
    tables: tuple[TableUse, ...] = ()
    calls: frozenset[str] = frozenset()
    is_opaque: bool = False


@lru_cache(maxsize=2048)
def references(formula: str) -> References:
    """What a formula refers to.

    Args:
        formula: Its text as it stands in a file, without `=`.
    """
    reader = _Reader(formula)
    reader.read()
    is_opaque = reader.is_opaque or not reader.calls.isdisjoint(_OPAQUE)
    return References(
        tuple(reader.places), tuple(reader.names), tuple(reader.tables), frozenset(reader.calls), is_opaque
    )


class _Reader:
    """Goes through a formula token by token and notes what it refers to."""

    def __init__(self, formula: str) -> None:
        self.places: list[Place] = []
        self.names: list[NameUse] = []
        self.tables: list[TableUse] = []
        self.calls: set[str] = set()
        self.is_opaque = False
        self._formula = formula
        self._at = 0
        self._open: list[_Call] = [_Call("")]

    def read(self) -> None:
        while match := _TOKEN.match(self._formula, self._at):
            self._at = match.end()
            kind = match.lastgroup
            sheets = _sheets(match["sheet"]) if match["sheet"] else None
            if kind == "rest":
                self._sign(match[0])
            elif sheets == _EXTERNAL:
                continue
            elif kind in ("area", "columns", "rows"):
                self._place(match[kind], _place(match, kind, sheets))
            elif kind == "name":
                self._name(match["name"], sheets)

    def _place(self, text: str, place: Place) -> None:
        if _is_on_a_sheet(place.area):
            self.places.append(self._open[-1].widened(place))
        elif ":" in text or "$" in text:
            self.is_opaque = True
        else:  # ZOO1 lies beyond the last column, so it can be a name
            self._name(text, place.sheets)

    def _sign(self, sign: str) -> None:
        if sign == ":":
            # Between two expressions, as in A1:INDEX(...): where that leads is not in the text.
            self.is_opaque = True
        elif sign == "[":
            inside = self._bracket()
            if self._formula.startswith("!", self._at):  # a name of another workbook
                match = _WORD.match(self._formula, self._at + 1)
                self._at = match.end() if match else self._at
            else:
                self.tables.append(_table_use("", inside))
        elif sign in "({":
            self._open.append(_Call(""))
        elif sign in ")}" and len(self._open) > 1:
            self._open.pop()
        elif sign == ",":
            self._open[-1].argument += 1

    def _name(self, name: str, sheets: tuple[str, str] | None) -> None:
        follower = self._formula[self._at : self._at + 1]
        if follower in ("(", "["):
            self._at += 1
        if follower == "(":
            self.calls.add(name.casefold())
            self._open.append(_Call(name.casefold()))
        elif follower == "[":
            self.tables.append(_table_use(name, self._bracket()))
        elif name.upper() not in ("TRUE", "FALSE") and not name.startswith(_LOCAL_NAMES):
            self.names.append(NameUse(sheets[0] if sheets else None, name))

    def _bracket(self) -> str:
        """What stands up to the bracket that closes the one just read; an apostrophe escapes what follows it."""
        start, depth = self._at, 1
        while depth and self._at < len(self._formula):
            sign = self._formula[self._at]
            self._at += 2 if sign == "'" else 1
            depth += (sign == "[") - (sign == "]")
        return self._formula[start : self._at - 1]


@dataclass(slots=True)
class _Call:
    """An open bracket of a formula, with the function it belongs to.

    Args:
        function: Case-folded name, blank for a bracket that groups.
        argument: Which argument is being read, from 0.
        first: The area given as the first argument.
    """

    function: str
    argument: int = 0
    first: Area | None = None

    def widened(self, place: Place) -> Place:
        """The place as it is read here: SUMIF sums as many cells as it tests, however few are written."""
        if self.function not in ("sumif", "averageif"):
            return place
        if self.argument == 0:
            self.first = place.area
        if self.argument != 2 or self.first is None:
            return place
        top, left, bottom, right = place.area
        height, width = self.first.bottom - self.first.top, self.first.right - self.first.left
        area = Area(top, left, min(max(bottom, top + height), MAX_ROW), min(max(right, left + width), MAX_COLUMN))
        return place._replace(area=area)


_OPAQUE = frozenset({"offset", "indirect", "cell", "info", "evaluate", "get.cell"})
_LOCAL_NAMES = ("_xlpm.", "_xleta.")  # parameters of LET and LAMBDA; functions handed on by name
_EXTERNAL = ("", "")

_TOKEN = re.compile(
    r"""
    "(?:[^"]|"")*+"?                                          # a text
    | \#[A-Za-z][A-Za-z/0_]*+[!?]?                            # an error
    | (?P<sheet>'(?:[^']|'')++'!|(?:\[[^\[\]]*+\])?[\w.\\]++(?::[\w.\\]++)?!)?+
      (?: (?P<area>(?P<xl>\$?)(?P<l>[A-Za-z]{1,3})(?P<xt>\$?)(?P<t>[0-9]{1,7})
          (?::(?P<xr>\$?)(?P<r>[A-Za-z]{1,3})(?P<xb>\$?)(?P<b>[0-9]{1,7}))?(?![\w.(\[!\\?]))
        | (?P<columns>\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}(?![\w.(\[!\\?]))
        | (?P<rows>\$?[0-9]{1,7}:\$?[0-9]{1,7}(?![\w.]))
        | (?P<name>[^\W\d][\w.\\?]*+|\\[\w.\\?]*+)
        | (?<=!)\#REF!
      )
    | (?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[Ee][+-]?[0-9]++)?+   # a number
    | (?P<rest>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_WORD = re.compile(r"[\w.\\?]+")
_COLUMN = re.compile(r"\[((?:'.|[^\[\]'])*)\]")
_ESCAPED = re.compile(r"'(.)")


def _sheets(written: str) -> tuple[str, str]:
    """First and last tab of a prefix such as `'Jan 1:Dec'!`; blank for another workbook's."""
    name = written[:-1]
    if name.startswith("'"):
        name = name[1:-1].replace("''", "'")
    if "[" in name:
        return _EXTERNAL
    first, _, last = name.partition(":")
    return first, last or first


def _place(match: re.Match[str], kind: str, sheets: tuple[str, str] | None) -> Place:
    if kind == "area":
        fixed_left, left, fixed_top, top = match.group("xl", "l", "xt", "t")
        if match["b"] is None:
            moves = not fixed_top, not fixed_left
            row, column = int(top), column_number(left)
            return Place(sheets, Area(row, column, row, column), moves * 2)
        fixed_right, right, fixed_bottom, bottom = match.group("xr", "r", "xb", "b")
        return Place(
            sheets,
            Area(int(top), column_number(left), int(bottom), column_number(right)),
            (not fixed_top, not fixed_left, not fixed_bottom, not fixed_right),
        )
    first, _, last = match[kind].partition(":")
    moves = not first.startswith("$"), not last.startswith("$")
    first, last = first.lstrip("$"), last.lstrip("$")
    if kind == "rows":
        return Place(sheets, Area(int(first), 1, int(last), MAX_COLUMN), (moves[0], False, moves[1], False))
    columns = column_number(first), column_number(last)
    return Place(sheets, Area(1, columns[0], MAX_ROW, columns[1]), (False, moves[0], False, moves[1]))


def _is_on_a_sheet(area: Area) -> bool:
    rows, columns = (area.top, area.bottom), (area.left, area.right)
    return min(rows) >= 1 and max(rows) <= MAX_ROW and max(columns) <= MAX_COLUMN


def _table_use(table: str, inside: str) -> TableUse:
    """Read what stands between the outer brackets: `Col`, `@Col`, `#All`, `[#This Row],[A]:[B]`."""
    items: list[str] = []
    columns: list[str] = []
    inside = inside.strip()
    if inside.startswith("@"):
        items.append("#this row")
        inside = inside[1:].strip()
    parts = [match[1] for match in _COLUMN.finditer(inside)] if inside.startswith("[") else [inside] if inside else []
    for part in parts:
        if part.startswith("#"):
            items.append(part.casefold())
        else:
            columns.append(_ESCAPED.sub(r"\1", part))
    return TableUse(table, tuple(items), (columns[0], columns[-1]) if columns else None)
