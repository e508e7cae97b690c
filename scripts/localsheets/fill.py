"""Rows of plain values into a spreadsheet's tabs, as tests and folders of CSV give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from localsheets.spreadsheet import Spreadsheet


def fill(spreadsheet: Spreadsheet, tabs: Mapping[str, Sequence[Sequence[Any]]], *, is_typed: bool = False) -> None:
    """Make these tabs the only ones.

    Args:
        spreadsheet: Whose tabs.
        tabs: Title to rows; each tab gets 1000 rows and 26 columns, or as many as it needs.
        is_typed: Read text as if a person typed it; otherwise text stays text.
    """
    old = [it["properties"]["sheetId"] for it in spreadsheet.get(fields="sheets.properties")["sheets"]]
    requests: list[dict[str, Any]] = [
        {"updateSheetProperties": {"properties": {"sheetId": it, "title": f"old {it}"}, "fields": "title"}}
        for it in old
    ]
    for number, (title, rows) in enumerate(tabs.items()):
        size = {"rowCount": max(1000, len(rows)), "columnCount": max([26, *map(len, rows)])}
        requests.append({"addSheet": {"properties": {"title": title, "index": number, "gridProperties": size}}})
    requests += [{"deleteSheet": {"sheetId": it}} for it in old]
    spreadsheet.batch_update({"requests": requests})
    data = [
        {"range": "'" + title.replace("'", "''") + "'!A1", "values": [list(row) for row in rows]}
        for title, rows in tabs.items()
        if rows
    ]
    option = "USER_ENTERED" if is_typed else "RAW"
    if data:
        spreadsheet.values_batch_update({"valueInputOption": option, "data": data})
