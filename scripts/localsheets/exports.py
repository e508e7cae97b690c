"""A spreadsheet as a file of another kind, and a CSV file into a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

from localsheets.spreadsheet import Spreadsheet
from openpyxl import Workbook


def as_csv(spreadsheet: Spreadsheet, delimiter: str = ",") -> bytes:
    """The first tab as it is displayed, rows as wide as the widest, no line end after the last."""
    rows = _rows(spreadsheet, _titles(spreadsheet)[0], "FORMATTED_VALUE")
    width = max(map(len, rows), default=0)
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\r\n").writerows(
        [*row, *[""] * (width - len(row))] for row in rows
    )
    return text.getvalue().removesuffix("\r\n").encode()


def as_tsv(spreadsheet: Spreadsheet) -> bytes:
    """The first tab, cells between tabulators; what would break the line is a space."""
    rows = _rows(spreadsheet, _titles(spreadsheet)[0], "FORMATTED_VALUE")
    width = max(map(len, rows), default=0)
    plain = [[" ".join(str(cell).split()) for cell in [*row, *[""] * (width - len(row))]] for row in rows]
    return "\r\n".join("\t".join(row) for row in plain).encode()


def as_xlsx(spreadsheet: Spreadsheet) -> bytes:
    """Every tab, with formulas and without formats."""
    book = Workbook()
    book.remove(book.active)
    for title in _titles(spreadsheet):
        tab = book.create_sheet(title[:31])
        for row in _rows(spreadsheet, title, "FORMULA"):
            tab.append(row)
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


EXPORTS: dict[str, Callable[[Spreadsheet], bytes]] = {
    "text/csv": as_csv,
    "text/tab-separated-values": as_tsv,
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": as_xlsx,
}
"""What each kind of file is made by."""


def import_csv(spreadsheet: Spreadsheet, text: str) -> None:
    """Replace everything: one tab stays, large enough, with the cells typed into it."""
    rows = list(csv.reader(io.StringIO(text)))
    tabs = [it["properties"] for it in spreadsheet.get(fields="sheets.properties")["sheets"]]
    first = tabs[0]["sheetId"]
    size = {"rowCount": max(len(rows), 1000), "columnCount": max([26, *map(len, rows)])}
    requests: list[dict[str, Any]] = [{"deleteSheet": {"sheetId": it["sheetId"]}} for it in tabs[1:]]
    properties = {"sheetId": first, "gridProperties": size}
    fields = "gridProperties.rowCount,gridProperties.columnCount"
    requests.append({"updateSheetProperties": {"properties": properties, "fields": fields}})
    requests.append({"updateCells": {"range": {"sheetId": first}, "fields": "*"}})
    start = {"sheetId": first, "rowIndex": 0, "columnIndex": 0}
    requests.append({"pasteData": {"coordinate": start, "data": text, "type": "PASTE_NORMAL", "delimiter": ","}})
    spreadsheet.batch_update({"requests": requests}, caller=None)


def _titles(spreadsheet: Spreadsheet) -> list[str]:
    tabs = spreadsheet.get(fields="sheets.properties")["sheets"]
    return [it["properties"]["title"] for it in tabs]


def _rows(spreadsheet: Spreadsheet, title: str, render: str) -> list[list[Any]]:
    range = "'" + title.replace("'", "''") + "'"
    found = spreadsheet.values_get(
        range, major_dimension="ROWS", value_render=render, date_time_render="FORMATTED_STRING"
    )
    return list(found.get("values", ()))
