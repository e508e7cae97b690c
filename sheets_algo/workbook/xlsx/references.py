"""What a formula refers to: addresses, ranges, names, tables, on its own tab and on others.

Only what decides which cells a formula reads is understood. What cannot be known from the text (OFFSET, INDIRECT, a
range between two expressions, a name that nobody defined) is reported as reading anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
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


def references(formula: str) -> References:
    """What a formula refers to.

    Args:
        formula: Its text as it stands in a file, without `=`.
    """
    places: list[Place] = []
    names: list[NameUse] = []
    tables: list[TableUse] = []
    calls: set[str] = set()
    is_opaque = False
    at = 0
    while match := _TOKEN.match(formula, at):
        at = match.end()
        kind = match.lastgroup
        sheets = _sheets(match["sheet"]) if match["sheet"] else None
        if kind == "range" or kind == "rest":
            # A lone colon joins two expressions, as in A1:INDEX(...): where that leads is not in the text.
            is_opaque = is_opaque or match[0] == ":"
            if match[0] == "[":
                at = _bracket_end(formula, at)
                if formula[at : at + 1] == "!":
                    at = _skip_name(formula, at + 1)
                else:
                    tables.append(_table_use("", formula[match.end() : at - 1]))
        elif sheets == _EXTERNAL:
            continue
        elif kind in ("area", "columns", "rows"):
            places.append(_place(match, kind, sheets))
        elif kind == "name":
            follower = formula[at : at + 1]
            if follower == "(":
                calls.add(match["name"].casefold())
            elif follower == "[":
                end = _bracket_end(formula, at + 1)
                tables.append(_table_use(match["name"], formula[at + 1 : end - 1]))
                at = end
            elif match["name"].upper() not in ("TRUE", "FALSE") and not match["name"].startswith(_LOCAL_NAMES):
                names.append(NameUse(sheets[0] if sheets else None, match["name"]))
    is_opaque = is_opaque or not calls.isdisjoint(_OPAQUE)
    return References(tuple(places), tuple(names), tuple(tables), frozenset(calls), is_opaque)


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
    | (?P<range>:)
    | (?P<rest>.)
    """,
    re.VERBOSE | re.DOTALL,
)
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


def _bracket_end(formula: str, at: int) -> int:
    """Offset after the bracket that closes the one before `at`; an apostrophe escapes what follows it."""
    depth = 1
    while depth and at < len(formula):
        if formula[at] == "'":
            at += 1
        elif formula[at] == "[":
            depth += 1
        elif formula[at] == "]":
            depth -= 1
        at += 1
    return at


def _skip_name(formula: str, at: int) -> int:
    while at < len(formula) and (formula[at].isalnum() or formula[at] in "_.\\?"):
        at += 1
    return at


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
