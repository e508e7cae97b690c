"""A spreadsheet as a file of another kind."""

from __future__ import annotations

import io
from collections.abc import Callable

from localsheets.spreadsheet import Spreadsheet
from openpyxl import Workbook


def as_xlsx(spreadsheet: Spreadsheet) -> bytes:
    """Every tab with its formulas, without formats."""
    book = Workbook(write_only=True)
    for title, _ in spreadsheet.sheets():
        tab = book.create_sheet(title[:31])
        quoted = "'" + title.replace("'", "''") + "'"
        for row in spreadsheet.values_get(quoted, value_render="FORMULA").get("values", ()):
            tab.append(row)
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


EXPORTS: dict[str, Callable[[Spreadsheet], bytes]] = {
    "text/csv": lambda it: it.export(",").encode(),
    "text/tab-separated-values": lambda it: it.export("\t").encode(),
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": as_xlsx,
}
"""What each kind of file is made by."""
