"""Messages in waiting rows about a cell that changes at every reading, so that nothing can be written (RCP-35)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sheets_algo.database.tables import Row
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import request_tables
from sheets_algo.forms.request_columns import is_ready, request_id
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.workbook.changes import ChangeSet, ComparedCells, SetCell
from sheets_algo.workbook.snapshot import Snapshot

BEGINNING = "Not ruled yet: "
CHANGING = BEGINNING + "{} shows something else at every look. Put a value there that stays"


def name_changing_cell(snapshot: Snapshot, forms: Iterable[Form[Any]], receipts: Receipts, cell: str) -> ChangeSet:
    """Return the changes that name a cell in the Message of each waiting row; only the rows' ids are compared."""
    rows = [row for row in _waiting(snapshot, forms, receipts) if "message" in row.table.places]
    text = CHANGING.format(cell)
    return ChangeSet(
        cells=tuple(
            SetCell(row.table.key, row.number, row.table.places["message"], text, row.value("message"))
            for row in rows
            if row.value("message") != text
        ),
        compared={
            row.table.key: ComparedCells(row.table.header_row, frozenset({row.table.places["request"]})) for row in rows
        },
    )


def changing_cells(snapshot: Snapshot, forms: Iterable[Form[Any]], receipts: Receipts) -> tuple[str, ...]:
    """Return the waiting rows' sentences on cells that change at every reading, each once."""
    messages = (str(row.value("message") or "") for row in _waiting(snapshot, forms, receipts))
    return tuple(dict.fromkeys(text for text in messages if text.startswith(BEGINNING)))


def _waiting(snapshot: Snapshot, forms: Iterable[Form[Any]], receipts: Receipts) -> Iterator[Row]:
    for table in request_tables(snapshot, forms).values():
        for row in table:
            if is_ready(row) is True and not receipts.is_settled(request_id(row)):
                yield row
