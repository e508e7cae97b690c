"""The rules on the tabs of a template, as requests: only those that a tab does not have yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any
from zlib import crc32

from sheets_algo.workbook.google.commit.requests import (
    Request,
    condition_of,
    digits,
    mark_tab,
    one_of,
    update_cells,
    validation,
)
from sheets_algo.workbook.google.init.current_template import CurrentSpreadsheet, CurrentTab
from sheets_algo.workbook.google.init.styles import colour
from sheets_algo.workbook.google.init.template_places import Places
from sheets_algo.workbook.google.read.titles import holds, mark_of
from sheets_algo.workbook.tab_key import folded
from sheets_algo.workbook.template_spec import AreaSpec, CellCheck, ColumnSpec, FormulaSpec, TabSpec, Template, Tint

PREFIX = "sheets-algo: "
"""The start of the descriptions of protected ranges, by which the program finds them again."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one workbook."""

    template: Template  # The template, with the rules that should exist
    spreadsheet: CurrentSpreadsheet  # The spreadsheet, with the rules that exist
    places: Places  # The places of all tabs and columns, the planned ones included

    def missing(self, tab: TabSpec) -> Iterator[Request]:
        """Yield requests for all that one tab lacks: mark, notes, drop-downs and check marks, protections, colours."""
        current = self.places.tabs[tab.key]
        if not current.is_marked:
            yield mark_tab(current.id, mark_of(tab.key, current.title))
        for place, column in enumerate(tab.columns, start=1):
            number = current.places.get(place)
            if number is None:
                continue
            if column.note and number not in current.noted and not current.is_blank:
                cells = [[{"note": column.note}]]
                yield update_cells(current.id, current.header_row - 1, number - 1, cells, "note")
            if number not in current.checked:
                yield from self._validations(current, number, column)
            for tint in column.tints:
                if not _is_tinted(current, number, tint):
                    yield _tint(current, number, tint)
        yield from self._protections(tab, current)

    def _validations(self, tab: CurrentTab, number: int, column: ColumnSpec) -> Iterator[Request]:
        shift = max(tab.header_row, 1) - 1
        for check in column.checks:
            first, end = check.rows[0] - 1 + shift, check.rows[1] + shift
            condition = None if check.is_open or first >= tab.rows else self._condition(check)
            if condition is None:
                continue
            yield validation(_column(tab, number, first, end), condition, check)

    def _condition(self, check: CellCheck) -> dict[str, Any] | None:
        """Return the condition of a check; None if a drop-down's values are nowhere in the spreadsheet."""
        if check.is_box:
            return {"type": "BOOLEAN"}
        if isinstance(check.source, AreaSpec):
            tab = next(tab for tab in self.template.tabs if tab.key == check.source.tab)
            if words := _constants(tab, check.source):
                return one_of(words)
            address = self.places.address(check.source, is_open=tab.is_needed)  # open, since people add rows
            return None if address is None else condition_of("ONE_OF_RANGE", f"={address}")
        if check.source is not None:
            return one_of(check.source)
        if check.high is None:
            return condition_of("NUMBER_GREATER_THAN_EQ", digits(check.low))
        if check.low is None:
            return condition_of("NUMBER_LESS_THAN_EQ", digits(check.high))
        return condition_of("NUMBER_BETWEEN", digits(check.low), digits(check.high))

    def _protections(self, tab: TabSpec, current: CurrentTab) -> Iterator[Request]:
        """Yield requests for a warning before a person edits one of the program's tabs or columns."""
        if tab.is_programs:
            yield from self._protection(current, tab.name, {"sheetId": current.id})
            return
        for place, column in enumerate(tab.columns, start=1):
            if column.is_programs and place in current.places:
                area = _column(current, current.places[place], max(current.header_row, 1))
                yield from self._protection(current, f"{tab.name}, {column.header}", area)

    def _protection(self, tab: CurrentTab, name: str, area: Mapping[str, Any]) -> Iterator[Request]:
        description = f"{PREFIX}{name}"
        if description not in tab.protected:
            protected_range = {
                "protectedRangeId": free_id(f"{tab.id} {description}", self.spreadsheet.protected_ids),
                "range": area,
                "description": description,
                "warningOnly": True,
            }
            yield {"addProtectedRange": {"protectedRange": protected_range}}


def free_id(words: str, taken: frozenset[int]) -> int:
    """Return an unused id that follows from the words.

    A request that is repeated gets the same id, so it is refused and adds nothing twice.
    """
    return next(id for number in count() if (id := crc32(f"{words} {number}".encode()) >> 1) not in taken and id)


def _column(tab: CurrentTab, number: int, first: int, end: int | None = None) -> dict[str, int]:
    """Return a range of a column's rows, counted from 0, without an end that lies beyond the grid."""
    area = {"sheetId": tab.id, "startRowIndex": first, "startColumnIndex": number - 1, "endColumnIndex": number}
    return area if end is None or end >= tab.rows else area | {"endRowIndex": end}


def _constants(tab: TabSpec, area: AreaSpec) -> tuple[str, ...]:
    """Return the values of a fixed list, which needs no editable range."""
    (top, left), (bottom, _) = area.first, area.last
    cells = [row[left - 1].value for row in tab.rows[top - 2 : bottom - 1]]
    if tab.is_needed or any(isinstance(value, FormulaSpec) or value is None for value in cells):
        return ()
    return tuple(map(str, cells))


def _is_tinted(tab: CurrentTab, number: int, tint: Tint) -> bool:
    below = max(tab.header_row, 1) + 1
    return any(folded(word) == folded(tint.word) and holds(area, below, number) for area, word in tab.tinted)


def _tint(tab: CurrentTab, number: int, tint: Tint) -> Request:
    format = {
        "backgroundColor": colour(tint.fill),
        "textFormat": {"foregroundColor": colour(tint.ink), "bold": True},
    }
    rule = {
        "ranges": [_column(tab, number, max(tab.header_row, 1))],
        "booleanRule": {"condition": condition_of("TEXT_EQ", tint.word), "format": format},
    }
    return {"addConditionalFormatRule": {"rule": rule, "index": 0}}
