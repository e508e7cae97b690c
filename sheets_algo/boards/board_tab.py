"""The tab Boards: data of each unruled request for a strategy board inside the spreadsheet (RCP-50).

The board's script in the spreadsheet reads it, and reads and writes the rows of flanks itself. The tab does not repeat
those rows, so it changes only with a war, a military or a table.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.columns import Kind, TabDeclaration, columns, result
from sheets_algo.boards.board_rows import open_boards
from sheets_algo.database.headers import key_of
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import BoardForm
from sheets_algo.forms.request_columns import request_id
from sheets_algo.ruling.forecast.forecast_rows import war_of
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.workbook.changes import ChangeSet, Note
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.values import Plain

CELL_MOST = 45_000
"""Maximum number of characters of the data in one cell; one of Google's holds 50,000."""

TAB_MOST = 4_000_000
"""Most characters of data in the tab, so that one request can write it; requests further down have no board in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardDataRow:
    """One row of the Boards tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Boards",
        about="What strategy boards inside Google Sheets need to know. Only the program writes here.",
        program_only=True,
    )

    request: str = result("Request", "RCP-50", "A request that is not ruled.")
    war: str = result("War", "RCP-51", "Its name.")
    part: int = result("Part", "RCP-52", "1; data longer than a cell go on in part 2.", kind=Kind.WHOLE)
    data: str = result("Data", "RCP-53", "The map, the militaries and the limits of both sides, as JSON.")


HEADER = tuple(column.header for _, column in columns(BoardDataRow))
BOARDS = key_of(BoardDataRow)


def kept_boards(snapshot: Snapshot, forms: Sequence[Form[Any]], receipts: Receipts, before: Snapshot) -> ChangeSet:
    """Return the changes that bring the tab Boards up to date: the boards of all unruled requests.

    Args:
        before: A snapshot with the tab Boards, if there is one.
    """
    rows: list[tuple[Plain, ...]] = [HEADER]
    room = TAB_MOST
    for form, database, row, board in open_boards(snapshot, forms, receipts):
        content = {**board.data(is_blank=True, has_other_maps=False), "tabs": _tabs(form, row, database)}
        data = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        room -= len(data)
        if room < 0:
            break
        parts = [data[start : start + CELL_MOST] for start in range(0, len(data), CELL_MOST)]
        rows += ((request_id(row), war_of(form, row), number, part) for number, part in enumerate(parts, start=1))
    sheet = before.sheet(BOARDS)
    current = [tuple(sheet.rows.get(number, ())) for number in range(1, sheet.last_row + 1)] if sheet else []
    if current == rows or (sheet is None and len(rows) == 1):
        return ChangeSet()
    return ChangeSet(note=Note(before.key(BOARDS), tuple(rows), tuple(rows)))


def _tabs(form: BoardForm[Any], row: Row, database: Database) -> dict[str, Any]:
    """Return the places of a request's state and rows for the script, in this workbook's tabs and headers."""
    table = database.table(form.board_rows.record)
    return {
        "requests": row.table.title,
        "request": row.table.header("request"),
        "status": row.table.header("status"),
        "ruled": "Done",
        "rows": table.title,
        "names": row.own_names,
        "columns": [table.header(name) for name in form.board_rows.columns],
        "army": [table.header(form.board_rows.army)] * bool(form.board_rows.army),
        "others": [table.header(name) for name in form.board_rows.others],
        "kept": [table.header(name) for name in form.board_rows.kept],
        "shares": [table.header(name) for name, column in columns(table.record) if column.kind is Kind.COUNT],
        "results": [table.header(name) for name, column in columns(table.record) if column.place.is_programs],
    }
