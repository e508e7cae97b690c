"""What people do to a workbook beside typing wars, in a file and in a spreadsheet alike."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

import openpyxl
from openpyxl.utils import get_column_letter as letters
from openpyxl.worksheet.filters import CustomFilter, CustomFilters, FilterColumn

from scripts.support.sheets_server import LocalSheets

MARK = 917_000_000
"""Typed first for the value of a formula in a file, since openpyxl writes formulas without values."""

DEEP = 15
"""Rows of a part of a tab that is looked at in a spreadsheet, less one."""
TRAITS = (
    "sheets(properties(title,hidden),merges,basicFilter,protectedRanges,data(startRow,rowMetadata(hiddenByUser),"
    "columnMetadata(hiddenByUser),rowData.values(userEnteredValue,userEnteredFormat)))"
)

Cells = list[list[Any]]
Traits = dict[str, Any]


class Hands(Protocol):
    """A person at one workbook. Rows and columns count from 1; tabs are named as the program names them."""

    titles: dict[str, str]
    """The titles of tabs that have others than their names."""

    def cells(self, tab: str) -> Cells:
        """Return the values of a tab."""

    def put(self, tab: str, row: int, column: int, value: Any) -> None:
        """Type a value."""

    def formula(self, tab: str, row: int, column: int, formula: str, value: Any) -> None:
        """Type a formula that shows a value."""

    def insert(self, tab: str, before: int, count: int, *, rows: bool) -> None:
        """Insert rows or columns."""

    def merge(self, tab: str, top: int, left: int, bottom: int, right: int) -> None:
        """Merge cells."""

    def hide(self, tab: str, first: int, last: int, *, rows: bool) -> None:
        """Hide rows or columns."""

    def hide_tab(self, tab: str) -> None:
        """Hide a tab."""

    def filter(self, tab: str, header: int, column: int) -> None:
        """Filter the rows below a header: only those whose cell in a column says `Nobody` stay in view."""

    def protect(self, tab: str) -> None:
        """Protect a tab against all others."""

    def rename(self, tab: str, title: str) -> None:
        """Give a tab another title."""

    def traits(self) -> Traits:
        """Return what else people see: by tab and place, styles, merges, filters, protections, what is hidden."""


def column_of(hands: Hands, tab: str, header: str) -> tuple[int, int]:
    """Return the row and the number of the column with a header."""
    for number, cells in enumerate(hands.cells(tab)[:10], start=1):
        if header in cells:
            return number, cells.index(header) + 1
    raise KeyError(f"{tab}: {header}")


def records(hands: Hands, tab: str, first: str) -> list[dict[str, Any]]:
    """Return the filled rows of a tab by header, the headers being in the row that has this one."""
    row, _ = column_of(hands, tab, first)
    heads, *rows = hands.cells(tab)[row - 1 :]
    return [dict(zip(map(str, heads), [*cells, *[None] * len(heads)], strict=False)) for cells in rows if any(cells)]


@lru_cache(maxsize=4)
def _opened(content: bytes, *, data_only: bool) -> openpyxl.Workbook:
    """Return a file to be read only, which the next look may find unchanged."""
    return openpyxl.load_workbook(BytesIO(content), data_only=data_only)


@dataclass(slots=True)
class FileHands:
    """A person with a spreadsheet program that saves files as openpyxl does."""

    path: Path
    titles: dict[str, str] = field(default_factory=dict)
    book: openpyxl.Workbook = field(init=False)
    _formulas: dict[int, tuple[str, Any]] = field(default_factory=dict)

    @contextmanager
    def editing(self) -> Iterator[None]:
        """Open the file, and save it."""
        self.book = openpyxl.load_workbook(self.path)
        yield
        self.book.save(self.path)
        self._calculate()

    def cells(self, tab: str) -> Cells:
        return [list(row) for row in self._tab(tab).iter_rows(values_only=True)]

    def look(self) -> None:
        """Open the file to read it."""
        self.book = _opened(self.path.read_bytes(), data_only=True)

    def put(self, tab: str, row: int, column: int, value: Any) -> None:
        self._tab(tab).cell(row, column).value = value

    def formula(self, tab: str, row: int, column: int, formula: str, value: Any) -> None:
        mark = MARK + len(self._formulas)
        self._formulas[mark] = formula, value
        self.put(tab, row, column, mark)

    def insert(self, tab: str, before: int, count: int, *, rows: bool) -> None:
        (self._tab(tab).insert_rows if rows else self._tab(tab).insert_cols)(before, count)

    def merge(self, tab: str, top: int, left: int, bottom: int, right: int) -> None:
        self._tab(tab).merge_cells(start_row=top, start_column=left, end_row=bottom, end_column=right)

    def hide(self, tab: str, first: int, last: int, *, rows: bool) -> None:
        sheet = self._tab(tab)
        for number in range(first, last + 1):
            if rows:
                sheet.row_dimensions[number].hidden = True
            else:
                sheet.column_dimensions[letters(number)].hidden = True

    def hide_tab(self, tab: str) -> None:
        self._tab(tab).sheet_state = "hidden"

    def filter(self, tab: str, header: int, column: int) -> None:
        sheet = self._tab(tab)
        sheet.auto_filter.ref = f"A{header}:{letters(sheet.max_column)}{sheet.max_row}"
        only = CustomFilters(customFilter=[CustomFilter(operator="equal", val="Nobody")])
        sheet.auto_filter.filterColumn.append(FilterColumn(colId=column - 1, customFilters=only))
        self.hide(tab, header + 1, sheet.max_row, rows=True)

    def protect(self, tab: str) -> None:
        self._tab(tab).protection.sheet = True

    def rename(self, tab: str, title: str) -> None:
        sheet = self._tab(tab)
        sheet.title = "Between"  # else openpyxl numbers a title that differs in capitals only
        sheet.title = title
        self.titles[tab] = title

    def traits(self) -> Traits:
        self.book = _opened(self.path.read_bytes(), data_only=False)
        traits: Traits = {}
        for sheet in self.book:
            title = sheet.title
            traits[title, "state"] = sheet.sheet_state
            traits[title, "merged"] = sorted(map(str, sheet.merged_cells.ranges))
            traits[title, "filter"] = (sheet.auto_filter.ref, [str(each) for each in sheet.auto_filter.filterColumn])
            traits[title, "protected"] = sheet.protection.sheet
            traits[title, "hidden"] = [
                [name for name, each in kind.items() if each.hidden]
                for kind in (sheet.row_dimensions, sheet.column_dimensions)
            ]
            for row in sheet.iter_rows():
                for cell in row:
                    if cell.has_style:
                        traits[title, cell.coordinate, "style"] = cell.style_id
                    if cell.value is not None:
                        traits[title, cell.coordinate] = getattr(
                            cell.value, "text", cell.value
                        )  # of a formula of several cells
        return traits

    def _tab(self, tab: str) -> Any:
        return self.book[self.titles.get(tab, tab)]

    def _calculate(self) -> None:
        if not self._formulas:
            return
        with zipfile.ZipFile(self.path) as package:
            parts = {name: package.read(name) for name in package.namelist()}
        for name, data in parts.items():
            if "worksheets/sheet" in name:
                for mark, (formula, value) in self._formulas.items():
                    kind = "n" if isinstance(value, int) else "str"
                    new = f't="{kind}"><f>{escape(formula.removeprefix("="))}</f><v>{value}</v>'
                    data = re.sub(rf't="n">\s*<v>{mark}</v>'.encode(), new.encode(), data)
                parts[name] = data
        with zipfile.ZipFile(self.path, "w", zipfile.ZIP_DEFLATED) as package:
            for name, data in parts.items():
                package.writestr(name, data)
        self._formulas.clear()


@dataclass(slots=True)
class SheetsHands:
    """A person with a spreadsheet in the browser."""

    server: LocalSheets
    id: str
    titles: dict[str, str] = field(default_factory=dict)

    @contextmanager
    def editing(self) -> Iterator[None]:
        yield

    def look(self) -> None:
        """Nothing: what is read is what is there."""

    def cells(self, tab: str) -> Cells:
        return [
            [None if value == "" else value for value in row]
            for row in self.server.tab(self.id, self.titles.get(tab, tab))
        ]

    def put(self, tab: str, row: int, column: int, value: Any) -> None:
        grid = self._properties(tab)["gridProperties"]
        if (more := column - grid["columnCount"]) > 0:
            self._do("appendDimension", sheetId=self._sheet(tab), dimension="COLUMNS", length=more)
        self.server.type(self.id, f"'{self.titles.get(tab, tab)}'!{letters(column)}{row}", [[value]])

    def formula(self, tab: str, row: int, column: int, formula: str, value: Any) -> None:
        self.put(tab, row, column, formula)

    def insert(self, tab: str, before: int, count: int, *, rows: bool) -> None:
        self._do(
            "insertDimension", range=self._span(tab, before, before + count - 1, rows=rows), inheritFromBefore=False
        )

    def merge(self, tab: str, top: int, left: int, bottom: int, right: int) -> None:
        area = {"startRowIndex": top - 1, "endRowIndex": bottom, "startColumnIndex": left - 1, "endColumnIndex": right}
        self._do("mergeCells", range={"sheetId": self._sheet(tab), **area}, mergeType="MERGE_ALL")

    def hide(self, tab: str, first: int, last: int, *, rows: bool) -> None:
        self._do(
            "updateDimensionProperties",
            range=self._span(tab, first, last, rows=rows),
            properties={"hiddenByUser": True},
            fields="hiddenByUser",
        )

    def hide_tab(self, tab: str) -> None:
        self._tab(tab, "hidden", True)

    def filter(self, tab: str, header: int, column: int) -> None:
        condition = {"type": "TEXT_EQ", "values": [{"userEnteredValue": "Nobody"}]}
        area = {"sheetId": self._sheet(tab), "startRowIndex": header - 1, "startColumnIndex": 0}
        spec = {"columnIndex": column - 1, "filterCriteria": {"condition": condition}}
        self._do("setBasicFilter", filter={"range": area, "filterSpecs": [spec]})

    def protect(self, tab: str) -> None:
        self._do("addProtectedRange", protectedRange={"range": {"sheetId": self._sheet(tab)}, "description": "Mine"})

    def rename(self, tab: str, title: str) -> None:
        self._tab(tab, "title", title)
        self.titles[tab] = title

    def traits(self) -> Traits:
        ranges = [f"'{tab}'!A{top}:AH{top + DEEP}" for tab in self._peoples for top in self._tops(tab)]
        traits: Traits = {}
        for sheet in self.server.show(self.id, include_grid_data=True, ranges=ranges, fields=TRAITS)["sheets"]:
            title = sheet["properties"]["title"]
            traits |= {(title, name): sheet.get(name) for name in ("merges", "basicFilter", "protectedRanges")}
            traits[title, "state"] = sheet["properties"].get("hidden", False)
            for data in sheet.get("data", ()):
                top = data.get("startRow", 0) + 1
                for kind in ("rowMetadata", "columnMetadata"):
                    hidden = [number for number, each in enumerate(data.get(kind, ())) if each.get("hiddenByUser")]
                    traits[title, kind, top] = hidden
                for number, row in enumerate(data.get("rowData", ()), start=top):
                    for column, cell in enumerate(row.get("values", ()), start=1):
                        place = f"{letters(column)}{number}"
                        traits[title, place, "style"] = cell.get("userEnteredFormat")
                        traits[title, place] = cell.get("userEnteredValue")
        return traits

    @property
    def _peoples(self) -> list[str]:
        """The tabs that people fill, and those that rulings are written into."""
        return [tab for tab in self.server.tabs(self.id) if tab not in ("Guide", "Lists", "Choices")]

    def _tops(self, tab: str) -> Iterator[int]:
        """Yield the first rows of the parts of a tab that have content: the wars, and what stands below 200 of them."""
        last = max((number for number, row in enumerate(self.cells(tab), start=1) if any(row)), default=1)
        yield from sorted({1, max(1, last - DEEP)})

    def _do(self, kind: str, **request: Any) -> None:
        self.server.user(self.id, [{kind: request}])

    def _properties(self, tab: str) -> dict[str, Any]:
        sheets = self.server.show(self.id, fields="sheets.properties")["sheets"]
        return next(
            sheet["properties"] for sheet in sheets if sheet["properties"]["title"] == self.titles.get(tab, tab)
        )

    def _sheet(self, tab: str) -> int:
        return self.server.tabs(self.id)[self.titles.get(tab, tab)]

    def _span(self, tab: str, first: int, last: int, *, rows: bool) -> Mapping[str, Any]:
        dimension = "ROWS" if rows else "COLUMNS"
        return {"sheetId": self._sheet(tab), "dimension": dimension, "startIndex": first - 1, "endIndex": last}

    def _tab(self, tab: str, name: str, value: Any) -> None:
        self._do("updateSheetProperties", properties={"sheetId": self._sheet(tab), name: value}, fields=name)
