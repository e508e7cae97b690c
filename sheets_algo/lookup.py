"""What people name on the command line, found in a workbook: a request's row, or its ruling."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.fields import loosely
from engine.words import nearest
from sheets_algo.book import Book
from sheets_algo.forms.base import Form
from sheets_algo.receipts import Receipt, Receipts
from sheets_algo.workbook.base import Snapshot


class NotFound(Exception):
    """What was asked for is not there, or cannot be handed over."""


def ruling_of(receipts: Receipts, request: str) -> Receipt:
    """The ruling of a request.

    Raises:
        NotFound: There is none.
    """
    found = receipts.ruling_of(request)
    if found is None:
        ruled = [receipt.request for receipt in receipts.of_kind("Ruling")]
        near = nearest(request, ruled)
        hint = f' Did you mean "{near}"?' if near else "" if ruled else " Nothing has been ruled yet."
        raise NotFound(f'No ruling of "{request}" found.{hint}')
    return found


def row_of(snapshot: Snapshot, forms: Iterable[Form[Any]], request: str) -> tuple[Form[Any], Book, Any]:
    """Form, book and row of a request.

    Raises:
        NotFound: There is none.
    """
    ids: list[str] = []
    for form in forms:
        book = Book(snapshot, form.records(), form.vocabulary)
        by_request = book.table(form.request).by_request
        if loosely(request) in by_request:
            return form, book, by_request[loosely(request)][0]
        ids += [rows[0].name for rows in by_request.values()]
    near = nearest(request, ids)
    hint = f'Did you mean "{near}"?' if near else f"Name one by its id, as {ids[0]}." if ids else "There are none."
    raise NotFound(f'No request "{request}" found. {hint}')
