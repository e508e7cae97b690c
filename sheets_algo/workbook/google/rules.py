"""The rules on the tabs of a template, as requests: only those that a tab does not have yet, so none is doubled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any
from zlib import crc32

from sheets_algo.template.parts import Area, Check, Column, Formula, Tab, Template, Tint
from sheets_algo.workbook.base import tab_key
from sheets_algo.workbook.google.batch import Request, marked, written
from sheets_algo.workbook.google.places import Places
from sheets_algo.workbook.google.standing import Seen, Standing
from sheets_algo.workbook.google.styles import colour
from sheets_algo.workbook.google.titles import holds

OURS = "sheets-algo: "
"""Descriptions of protected ranges begin like this; by them they are known again."""
LONGEST_HINT = 400
"""Characters of what a cell says while somebody fills it in."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one workbook.

    Args:
        template: Says which there should be.
        seen: Says which there are.
        places: Where everything stands, the tabs to be made included.
    """

    template: Template
    seen: Seen
    places: Places

    def missing(self, tab: Tab) -> Iterator[Request]:
        """What one tab lacks: its mark, notes, drop-downs and check marks, protections, conditional colours."""
        it = self.places.tabs[tab.name]
        if not it.is_marked:
            yield marked(it.id, tab.name)
        for place, column in enumerate(tab.columns, start=1):
            at = it.places.get(place)
            if at is None:
                continue
            if column.note and at not in it.noted and not it.is_blank:
                yield _note(it, at, column.note)
            if at not in it.checked:
                yield from self._validations(it, at, column)
            for tint in column.tints:
                if not _is_tinted(it, at, tint):
                    yield _tint(it, at, tint)
        yield from self._protections(tab, it)

    def _validations(self, it: Standing, at: int, column: Column) -> Iterator[Request]:
        shift = max(it.header_row, 1) - 1
        for check in column.checks:
            first, end = check.rows[0] - 1 + shift, check.rows[1] + shift
            condition = None if check.is_open or first >= it.rows else self._condition(check)
            if condition is None:
                continue
            rule = {"condition": condition, "strict": False, "showCustomUi": True}
            if check.hint or check.says:
                rule["inputMessage"] = (check.hint or check.says)[:LONGEST_HINT]
            yield {"setDataValidation": {"range": _column(it, at, first, end), "rule": rule}}

    def _condition(self, check: Check) -> dict[str, Any] | None:
        """What the cells take; None if a drop-down's values stand nowhere."""
        if check.is_box:
            return {"type": "BOOLEAN"}
        if isinstance(check.source, Area):
            tab = next(tab for tab in self.template.tabs if tab.name == check.source.tab)
            if words := _constants(tab, check.source):
                return _one_of(words)
            address = self.places.address(check.source, is_open=tab.is_needed)  # people add rows
            return None if address is None else _values("ONE_OF_RANGE", f"={address}")
        if check.source is not None:
            return _one_of(check.source)
        if check.high is None:
            return _values("NUMBER_GREATER_THAN_EQ", _digits(check.low))
        if check.low is None:
            return _values("NUMBER_LESS_THAN_EQ", _digits(check.high))
        return _values("NUMBER_BETWEEN", _digits(check.low), _digits(check.high))

    def _protections(self, tab: Tab, it: Standing) -> Iterator[Request]:
        """A warning before anybody edits a tab of the program's, or one of its columns."""
        if tab.is_programs:
            yield from self._protection(it, tab.name, {"sheetId": it.id})
            return
        for place, column in enumerate(tab.columns, start=1):
            if column.is_programs and place in it.places:
                area = _column(it, it.places[place], max(it.header_row, 1))
                yield from self._protection(it, f"{tab.name}, {column.header}", area)

    def _protection(self, it: Standing, name: str, area: Mapping[str, Any]) -> Iterator[Request]:
        description = f"{OURS}{name}"
        if description not in it.protected:
            made = {
                "protectedRangeId": free_id(f"{it.id} {description}", self.seen.protected_ids),
                "range": area,
                "description": description,
                "warningOnly": True,
            }
            yield {"addProtectedRange": {"protectedRange": made}}


def free_id(words: str, taken: frozenset[int]) -> int:
    """An id that the words alone choose, unless it is taken: made a second time it is refused, and nothing doubles."""
    return next(id for number in count() if (id := crc32(f"{words} {number}".encode()) >> 1) not in taken and id)


def _column(it: Standing, at: int, first: int, end: int | None = None) -> dict[str, int]:
    """Rows of a column, counted from 0; those that the grid has not are left out."""
    area = {"sheetId": it.id, "startRowIndex": first, "startColumnIndex": at - 1, "endColumnIndex": at}
    return area if end is None or end >= it.rows else area | {"endRowIndex": end}


def _constants(tab: Tab, area: Area) -> tuple[str, ...]:
    """The words of a list that neither people nor formulas fill: they need no range, which could be edited."""
    (top, left), (bottom, _) = area.first, area.last
    cells = [row[left - 1].value for row in tab.rows[top - 2 : bottom - 1]]
    if tab.is_needed or any(isinstance(value, Formula) or value is None for value in cells):
        return ()
    return tuple(map(str, cells))


def _note(it: Standing, at: int, note: str) -> Request:
    return written(it.id, it.header_row - 1, at - 1, [[{"note": note}]], "note")


def _is_tinted(it: Standing, at: int, tint: Tint) -> bool:
    below = max(it.header_row, 1) + 1
    return any(tab_key(word) == tab_key(tint.word) and holds(area, below, at) for area, word in it.tinted)


def _tint(it: Standing, at: int, tint: Tint) -> Request:
    look = {
        "backgroundColor": colour(tint.fill),
        "textFormat": {"foregroundColor": colour(tint.ink), "bold": True},
    }
    rule = {
        "ranges": [_column(it, at, max(it.header_row, 1))],
        "booleanRule": {"condition": _values("TEXT_EQ", tint.word), "format": look},
    }
    return {"addConditionalFormatRule": {"rule": rule, "index": 0}}


def _one_of(words: tuple[str, ...]) -> dict[str, Any]:
    return _values("ONE_OF_LIST", *words)


def _values(type: str, *values: str) -> dict[str, Any]:
    return {"type": type, "values": [{"userEnteredValue": value} for value in values]}


def _digits(number: float | None) -> str:
    """A number as every country types it: a fraction is a formula, for some write a comma where others a point."""
    exact = Fraction(str(number))
    return str(exact.numerator) if exact.denominator == 1 else f"={exact.numerator}/{exact.denominator}"
