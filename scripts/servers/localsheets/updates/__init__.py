"""`batchUpdate`: one function for each kind of request, a module for each family of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from localsheets import answers
from localsheets.book import Book
from localsheets.errors import ApiError, invalid, violations
from localsheets.sheet import Record
from localsheets.updates import cells, columns, editing, filters, metadata, pasting, ranges, rules, sheets

MAX_REQUESTS = 100_000

Handler = Callable[[Book, Record, str], dict[str, Any] | None]
HANDLERS: dict[str, Handler] = {
    **sheets.HANDLERS,
    **cells.HANDLERS,
    **columns.HANDLERS,
    **editing.HANDLERS,
    **pasting.HANDLERS,
    **ranges.HANDLERS,
    **rules.HANDLERS,
    **filters.HANDLERS,
    **metadata.HANDLERS,
}


def apply(book: Book, requests: Sequence[Record], caller: str) -> list[dict[str, Any]]:
    """Carry out the requests in order.

    Returns:
        One reply for each, `{}` for an empty one.

    Raises:
        ApiError: 400 that names the first bad request; the book is inconsistent then and must be discarded.
    """
    if not requests:
        raise invalid("Must specify at least one request.")
    if len(requests) > MAX_REQUESTS:
        raise invalid(f"Cannot exceed {MAX_REQUESTS} requests in a single batch.")
    _check_kinds(requests)
    return [_one(book, request, number, caller) for number, request in enumerate(requests)]


def create(wanted: Record, owner: str) -> Book:
    """Return the book of a Spreadsheet message: its properties, tabs, cells and named ranges."""
    given = wanted.get("properties", {})
    properties = answers.new_properties(given.get("title") or "Untitled spreadsheet", "en_US", "Etc/GMT")
    book = Book({**properties, **given}, owner)
    for found in wanted.get("sheets") or [{}]:
        sheet = sheets.add(book, found.get("properties", {}))
        for data in found.get("data", ()):
            place = {
                "sheetId": sheet.id,
                "rowIndex": data.get("startRow", 0),
                "columnIndex": data.get("startColumn", 0),
            }
            cells.update_cells(book, {"start": place, "rows": data.get("rowData", []), "fields": "*"}, "")
    for found in wanted.get("namedRanges", ()):
        ranges.add_named_range(book, {"namedRange": found}, "")
    return book


def _one(book: Book, request: Record, number: int, caller: str) -> dict[str, Any]:
    kind, body = next(iter(request.items()))
    handler = HANDLERS.get(kind)
    if handler is None:
        raise ApiError(
            501, "UNIMPLEMENTED", f"Invalid requests[{number}].{kind}: the local Sheets server has no {kind}."
        )
    try:
        reply = handler(book, body, caller)
    except ApiError as error:
        message = f"Invalid requests[{number}].{kind}: {error.message}"
        raise ApiError(error.code, error.status, message, error.details) from error
    book.changed()
    return {} if reply is None else {kind: reply}


def _check_kinds(requests: Sequence[Record]) -> None:
    """Refuse a request that is not of exactly one kind."""
    for number, request in enumerate(requests):
        if not request:
            raise invalid(f"Invalid requests[{number}]: No request set.")
        if len(request) > 1:
            second = list(request)[1]
            path = f"requests[{number}]"
            description = f"Invalid value at '{path}' (oneof), oneof field 'kind' is already set. Cannot set '{second}'"
            raise violations((path, description))
