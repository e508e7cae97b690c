"""Filling a spreadsheet's tabs with rows of plain values, for tests and folders of CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from localsheets.spreadsheet import Spreadsheet


def fill(spreadsheet: Spreadsheet, tabs: Mapping[str, Sequence[Sequence[Any]]], *, is_typed: bool = False) -> None:
    """Replace all tabs by these.

    Args:
        spreadsheet: The spreadsheet to fill.
        tabs: The rows of each tab by title; a tab gets 1000 rows and 26 columns, or as many as it needs.
        is_typed: Read text as if a person typed it; otherwise text stays text.
    """
    old = [sheet["properties"]["sheetId"] for sheet in spreadsheet.get(fields="sheets.properties")["sheets"]]
    requests: list[dict[str, Any]] = [
        {"updateSheetProperties": {"properties": {"sheetId": id, "title": f"old {id}"}, "fields": "title"}}
        for id in old
    ]
    for number, (title, rows) in enumerate(tabs.items()):
        size = {"rowCount": max(1000, len(rows)), "columnCount": max([26, *map(len, rows)])}
        requests.append({"addSheet": {"properties": {"title": title, "index": number, "gridProperties": size}}})
    requests += [{"deleteSheet": {"sheetId": id}} for id in old]
    spreadsheet.batch_update({"requests": requests})
    data = [
        {"range": "'" + title.replace("'", "''") + "'!A1", "values": [list(row) for row in rows]}
        for title, rows in tabs.items()
        if rows
    ]
    option = "USER_ENTERED" if is_typed else "RAW"
    if data:
        spreadsheet.values_batch_update({"valueInputOption": option, "data": data})
