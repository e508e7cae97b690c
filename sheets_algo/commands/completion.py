"""Completion of arguments in a shell."""

from __future__ import annotations

from sheets_algo.commands.opening import new_session
from sheets_algo.forms.databases import request_tables
from sheets_algo.forms.request_columns import request_id
from sheets_algo.runtime.session.session import opened
from sheets_algo.workbook.store import WorkbookAddress


def request_ids(workbook: WorkbookAddress, *, is_ruled: bool) -> list[str]:
    """Return the ids of the requests that are filled in, or of those that are ruled, in the order of the workbook."""
    book = opened(new_session(workbook=workbook))
    if is_ruled:
        return list(dict.fromkeys(receipt.request for receipt in book.receipts.rulings))
    tables = request_tables(book.snapshot, book.forms).values()
    return [id for table in tables for row in table if (id := request_id(row))]
