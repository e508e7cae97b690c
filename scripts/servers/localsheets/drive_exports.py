"""Exports of a spreadsheet to other file formats."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import Any

from localsheets.spreadsheet import Spreadsheet
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE


def as_xlsx(spreadsheet: Spreadsheet) -> bytes:
    """Return every tab with its formulas, without formats; values that Excel cannot hold are left out."""
    book = Workbook(write_only=True)
    for title, values in spreadsheet.sheets():
        tab = book.create_sheet(re.sub(r"[\[\]:*?/\\]", " ", title)[:31])
        quoted = "'" + title.replace("'", "''") + "'"
        formulas = spreadsheet.values_get(quoted, value_render="FORMULA").get("values", [])
        rows: Iterable[tuple[list[Any], list[Any]]] = zip_longest(formulas, values, fillvalue=[])
        for typed, shown in rows:
            tab.append([_cell(tab, *pair) for pair in zip_longest(typed, shown, fillvalue="")])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


EXPORTS: dict[str, Callable[[Spreadsheet], bytes]] = {
    "text/csv": lambda spreadsheet: spreadsheet.export(",").encode(),
    "text/tab-separated-values": lambda spreadsheet: spreadsheet.export("\t").encode(),
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": as_xlsx,
}
"""The function that makes each kind of file."""


def _cell(tab: Any, typed: Any, shown: Any) -> Any:
    """Return a cell; text that begins like a formula and is none stays text."""
    if not isinstance(typed, str):
        return typed
    cell = WriteOnlyCell(tab, ILLEGAL_CHARACTERS_RE.sub("", typed) or None)
    if typed == shown and typed:
        cell.data_type = "s"
    return cell
