"""The cells, ranges, names and tables that a formula refers to, on its own tab and on others.

Only what determines which cells a formula reads is parsed. A formula whose cells are not known from its text (OFFSET,
INDIRECT, a range between two expressions, an undefined name) is reported as reading any cell.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from sheets_algo.workbook.addresses import column_number
from sheets_algo.workbook.xlsx.file.areas import MAX_COLUMN, MAX_ROW, Area


class CellReference(NamedTuple):
    """A reference as written: an area whose ends may move with the formula."""

    sheets: tuple[str, str] | None  # First and last tab that it names, None for the formula's own tab
    area: Area  # Rectangle with its ends as written: those of `B2:$A$1` are put in order by `shifted`
    moves: tuple[bool, bool, bool, bool]  # True for each relative one of top, left, bottom and right

    def shifted(self, rows: int, columns: int) -> Area:
        """Return the area for a formula moved by so many rows and columns; it wraps around at the sheet's end."""
        top, left, bottom, right = self.area
        top_moves, left_moves, bottom_moves, right_moves = self.moves
        if rows:
            top = (top - 1 + rows) % MAX_ROW + 1 if top_moves else top
            bottom = (bottom - 1 + rows) % MAX_ROW + 1 if bottom_moves else bottom
        if columns:
            left = (left - 1 + columns) % MAX_COLUMN + 1 if left_moves else left
            right = (right - 1 + columns) % MAX_COLUMN + 1 if right_moves else right
        if top <= bottom and left <= right:
            return Area(top, left, bottom, right)
        return Area(min(top, bottom), min(left, right), max(top, bottom), max(left, right))


class NameUse(NamedTuple):
    """A defined name, or a table by its name alone, with the tab to look it up on, None if none is written."""

    sheet: str | None
    name: str


class TableUse(NamedTuple):
    """A structured reference."""

    table: str  # Name of the table, blank for the one that contains the formula
    items: tuple[str, ...]  # Items of `#all`, `#data`, `#headers`, `#totals`, `#this row`
    columns: tuple[str, str] | None  # First and last column, None for all


class References(NamedTuple):
    """Everything that a formula refers to."""

    places: tuple[CellReference, ...] = ()  # References by address
    names: tuple[NameUse, ...] = ()  # References by name
    tables: tuple[TableUse, ...] = ()  # Structured references
    calls: frozenset[str] = frozenset()  # Case-folded names of functions
    is_opaque: bool = False  # True if the formula may read any cell


@lru_cache(maxsize=2048)
def references(formula: str) -> References:
    """Return everything that a formula refers to.

    Args:
        formula: Text of the formula as in a file, without `=`.
    """
    reader = _Reader(formula)
    reader.read()
    return References(
        tuple(reader.places),
        tuple(reader.names),
        tuple(reader.tables),
        frozenset(reader.calls),
        reader.is_opaque or not reader.calls.isdisjoint(_OPAQUE),
    )


class _Reader:
    """Tokeniser of a formula that collects what it refers to."""

    def __init__(self, formula: str) -> None:
        self.places: list[CellReference] = []
        self.names: list[NameUse] = []
        self.tables: list[TableUse] = []
        self.calls: set[str] = set()
        self.is_opaque = False
        self._formula = formula
        self._at = 0
        self._brackets: list[_Bracket] = [_Bracket("")]

    def read(self) -> None:
        while match := _TOKEN.match(self._formula, self._at):
            self._at = match.end()
            kind = match.lastgroup
            if kind == "rest":
                self._read_symbol(match[0])
                continue
            if kind is None:  # a text, a number, an error
                continue
            sheets = _sheets(match["sheet"]) if match["sheet"] else None
            if sheets == _EXTERNAL:
                continue
            if kind in ("area", "columns", "rows"):
                self._add_place(match[kind], _parse_area(match, kind, sheets))
            elif kind == "name":
                self._add_name(match["name"], sheets)

    def _add_place(self, text: str, reference: CellReference) -> None:
        """Add a reference; a text that is not a reference may be a name."""
        if _is_on_a_sheet(reference.area):
            self.places.append(self._brackets[-1].expanded(reference))
        elif ":" in text or "$" in text:
            self.is_opaque = True
        else:  # ZOO1 is beyond the last column, so it can be a name
            self._add_name(text, reference.sheets)

    def _read_symbol(self, symbol: str) -> None:
        if symbol == ":":
            # A range between two expressions, as in A1:INDEX(...), is not known from the text.
            self.is_opaque = True
        elif symbol == "[":
            content = self._read_bracket()
            if self._formula.startswith("!", self._at):  # a name of another workbook
                match = _WORD.match(self._formula, self._at + 1)
                self._at = match.end() if match else self._at
            else:
                self.tables.append(_table_use("", content))
        elif symbol in "({":
            self._brackets.append(_Bracket(""))
        elif symbol in ")}" and len(self._brackets) > 1:
            self._brackets.pop()
        elif symbol == ",":
            self._brackets[-1].argument += 1

    def _add_name(self, name: str, sheets: tuple[str, str] | None) -> None:
        next_char = self._formula[self._at : self._at + 1]
        if next_char in ("(", "["):
            self._at += 1
        if next_char == "(":
            self.calls.add(name.casefold())
            self._brackets.append(_Bracket(name.casefold()))
        elif next_char == "[":
            self.tables.append(_table_use(name, self._read_bracket()))
        elif name.upper() not in ("TRUE", "FALSE") and not name.startswith(_LOCAL_NAMES):
            self.names.append(NameUse(sheets[0] if sheets else None, name))

    def _read_bracket(self) -> str:
        """Return the text up to the bracket that closes the one just read; an apostrophe escapes the next character."""
        start, depth = self._at, 1
        while depth and self._at < len(self._formula):
            symbol = self._formula[self._at]
            self._at += 2 if symbol == "'" else 1
            depth += (symbol == "[") - (symbol == "]")
        return self._formula[start : self._at - 1]


@dataclass(slots=True)
class _Bracket:
    """An open bracket of a formula, with the function that it belongs to."""

    function: str  # Case-folded name, blank for a bracket that only groups
    argument: int = 0  # Number of the argument that is being read, from 0
    first: Area | None = None  # Area given as the first argument

    def expanded(self, reference: CellReference) -> CellReference:
        """Return the reference with the cells that are really read: SUMIF sums as many cells as it tests."""
        if self.function not in _EXPANDING:
            return reference
        if self.argument == 0:
            self.first = reference.area
        if self.argument != 2 or self.first is None:
            return reference
        top, left, bottom, right = reference.area
        height, width = self.first.bottom - self.first.top, self.first.right - self.first.left
        area = Area(top, left, min(max(bottom, top + height), MAX_ROW), min(max(right, left + width), MAX_COLUMN))
        return reference._replace(area=area)


_EXPANDING = ("sumif", "averageif")  # functions that read more cells than their references name
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


def _sheets(prefix: str) -> tuple[str, str]:
    """Return first and last tab of a prefix such as `'Jan 1:Dec'!`; blank for another workbook."""
    name = prefix[:-1]
    if name.startswith("'"):
        name = name[1:-1].replace("''", "'")
    if "[" in name:
        return _EXTERNAL
    first, _, last = name.partition(":")
    return first, last or first


def _parse_area(match: re.Match[str], kind: str, sheets: tuple[str, str] | None) -> CellReference:
    if kind == "area":
        fixed_left, left, fixed_top, top = match.group("xl", "l", "xt", "t")
        if match["b"] is None:
            moves = not fixed_top, not fixed_left
            row, column = int(top), column_number(left)
            return CellReference(sheets, Area(row, column, row, column), moves * 2)
        fixed_right, right, fixed_bottom, bottom = match.group("xr", "r", "xb", "b")
        return CellReference(
            sheets,
            Area(int(top), column_number(left), int(bottom), column_number(right)),
            (not fixed_top, not fixed_left, not fixed_bottom, not fixed_right),
        )
    first, _, last = match[kind].partition(":")
    moves = not first.startswith("$"), not last.startswith("$")
    first, last = first.lstrip("$"), last.lstrip("$")
    if kind == "rows":
        return CellReference(sheets, Area(int(first), 1, int(last), MAX_COLUMN), (moves[0], False, moves[1], False))
    columns = column_number(first), column_number(last)
    return CellReference(sheets, Area(1, columns[0], MAX_ROW, columns[1]), (False, moves[0], False, moves[1]))


def _is_on_a_sheet(area: Area) -> bool:
    rows, columns = (area.top, area.bottom), (area.left, area.right)
    return min(rows) >= 1 and max(rows) <= MAX_ROW and max(columns) <= MAX_COLUMN


def _table_use(table: str, text: str) -> TableUse:
    """Parse the text between the outer brackets: `Col`, `@Col`, `#All`, `[#This Row],[A]:[B]`."""
    items: list[str] = []
    columns: list[str] = []
    text = text.strip()
    if text.startswith("@"):
        items.append("#this row")
        text = text[1:].strip()
    parts = [match[1] for match in _COLUMN.finditer(text)] if text.startswith("[") else [text] if text else []
    for part in parts:
        if part.startswith("#"):
            items.append(part.casefold())
        else:
            columns.append(_ESCAPED.sub(r"\1", part))
    return TableUse(table, tuple(items), (columns[0], columns[-1]) if columns else None)
