"""Lookup of requests and rulings named on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.columns import loosely
from engine.errors import ExpectedError
from engine.suggest import nearest
from sheets_algo.database.records import Database
from sheets_algo.forms.base import Form
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.workbook.snapshot import Snapshot


class NotFound(ExpectedError):
    """A request or ruling that does not exist or cannot be returned."""

    exit_code = 1


def ruling_of(receipts: Receipts, request: str) -> StoredReceipt:
    """Return the ruling of a request.

    Raises:
        NotFound: The request has no ruling.
    """
    ruling = receipts.ruling_of(request)
    if ruling is None:
        ruled = [receipt.request for receipt in receipts.rulings]
        near = nearest(request, ruled)
        hint = f' Did you mean "{near}"?' if near else "" if ruled else " Nothing has been ruled yet."
        raise NotFound(f'No ruling of "{request}" found.{hint}')
    return ruling


def row_of(snapshot: Snapshot, forms: Iterable[Form[Any]], request: str) -> tuple[Form[Any], Database, Any]:
    """Return the form, the database and the row of a request.

    Raises:
        NotFound: There is no such request.
    """
    ids: list[str] = []
    for form in forms:
        database = Database(snapshot, form.records(), form.vocabulary)
        by_request = database.table(form.request).by_request
        if loosely(request) in by_request:
            return form, database, by_request[loosely(request)][0]
        ids += [rows[0].name for rows in by_request.values()]
    near = nearest(request, ids)
    hint = f'Did you mean "{near}"?' if near else f"Name one by its id, as {ids[0]}." if ids else "There are none."
    raise NotFound(f'No request "{request}" found. {hint}')
