"""Cells as Google holds them: content, shown value, and whether a number is a date."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from sheets_algo.workbook.values import FIRST_DAY, Value

CELL_FIELDS = (
    "data(startRow,startColumn,rowData(values(userEnteredValue,effectiveValue,effectiveFormat(numberFormat(type))))))"
)
"""The mask of the fields of a `LiveCell`."""

DATE_FIELDS = f"sheets(properties(sheetId),{CELL_FIELDS}"
"""The mask for reading cells that were dates."""

FORMULA_FIELDS = (
    "sheets(properties(sheetId),data(startRow,startColumn,rowData(values(userEnteredValue,effectiveValue))))"
)
"""The mask for reading formulas."""

_ERRORS = {
    "ERROR": "#ERROR!",
    "NULL_VALUE": "#NULL!",
    "DIVIDE_BY_ZERO": "#DIV/0!",
    "VALUE": "#VALUE!",
    "REF": "#REF!",
    "NAME": "#NAME?",
    "NUM": "#NUM!",
    "N_A": "#N/A",
    "LOADING": "Loading...",
}
"""The text that a cell shows for each type of error."""

YEARS = range(-9_999, 10_000)
"""Numbers that may be years: as dates, those from 1872 to 1927."""

Place = tuple[int, int]
"""Row and column of a cell, from 1."""


@dataclass(frozen=True, slots=True)
class LiveCell:
    """One cell as Google holds it: its content and the value that it shows."""

    entered: Mapping[str, Any] = field(default_factory=dict)  # `userEnteredValue` of the API
    effective: Mapping[str, Any] = field(default_factory=dict)  # `effectiveValue` of the API
    number_type: str = ""  # The type of its number format, e.g. `DATE`; may be blank.

    @property
    def formula(self) -> str:
        """Return the cell's formula, blank if it has none."""
        text: str = self.entered.get("formulaValue", "")
        return text

    @property
    def is_result(self) -> bool:
        """Return True if the cell shows a part of the result of a formula in another cell."""
        return bool(self.effective) and not self.entered

    @property
    def is_fleeting(self) -> bool:
        """Return True if the cell shows a number or an error that a formula made.

        Such a value may change at every reading, as of a clock or a feed, so it does not identify the row.
        """
        return (bool(self.formula) or self.is_result) and bool({"numberValue", "errorValue"} & set(self.effective))

    @property
    def day(self) -> date | None:
        """Return the date in the cell, if its number may be mistaken for a year: a poll reads only the number."""
        number = self.effective.get("numberValue")
        if number is None or not self.number_type.startswith("DATE") or number not in YEARS:
            return None
        return FIRST_DAY + timedelta(days=int(number))

    @property
    def value(self) -> Value:
        """Return the value that a poll reads of the cell."""
        if day := self.day:
            return day
        for kind, effective in self.effective.items():
            if kind == "errorValue":
                return _ERRORS.get(effective.get("type", "ERROR"), "#ERROR!")
            return None if effective == "" else effective
        return None


Cells = Mapping[Place, LiveCell]
"""The cells by row and column, from 1; blank ones are absent."""

BLANK = LiveCell()


def live_cells(grids: Iterable[Mapping[str, Any]]) -> Iterator[tuple[tuple[int, int], LiveCell]]:
    """Yield the cells of a tab's `data` with content or a value."""
    for place, cell in grid_cells(grids):
        entered, effective = cell.get("userEnteredValue"), cell.get("effectiveValue")
        if entered or effective:
            number_type = cell.get("effectiveFormat", {}).get("numberFormat", {}).get("type", "")
            yield place, LiveCell(entered or {}, effective or {}, number_type)


def grid_cells(grids: Iterable[Mapping[str, Any]]) -> Iterator[tuple[tuple[int, int], Mapping[str, Any]]]:
    """Yield row and column, from 1, and `CellData` of each cell of a tab's `data`, one grid per range."""
    for grid in grids:
        top, left = grid.get("startRow", 0) + 1, grid.get("startColumn", 0) + 1
        for row, data in enumerate(grid.get("rowData", ()), start=top):
            for column, cell in enumerate(data.get("values", ()), start=left):
                yield (row, column), cell


def cells_by_tab(sheets: Iterable[Mapping[str, Any]]) -> dict[int, Cells]:
    """Return the cells of each tab by the tab's id."""
    return {tab_id(sheet): dict(live_cells(sheet.get("data", ()))) for sheet in sheets}


def dates_by_tab(cells: Mapping[int, Cells]) -> dict[int, dict[Place, date]]:
    """Return the dates of each tab that might be taken for years, by the tab's id and the cell."""
    return {id: {place: day for place, cell in tab.items() if (day := cell.day)} for id, tab in cells.items()}


def tab_id(sheet: Mapping[str, Any]) -> int:
    """Return the id of a tab of an answer."""
    id: int = sheet["properties"].get("sheetId", 0)
    return id
