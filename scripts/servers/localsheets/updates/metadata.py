"""Developer metadata. It is also the only compare-and-set that the API has, since an id can be taken only once."""

from __future__ import annotations

from typing import Any

from localsheets import metadata
from localsheets.book import Book
from localsheets.errors import invalid
from localsheets.mask import for_update
from localsheets.sheet import Record


def create(book: Book, request: Record, caller: str) -> dict[str, Any]:
    """Apply `createDeveloperMetadata`."""
    created = metadata.create(book, request.get("developerMetadata", {}))
    return {"developerMetadata": metadata.written(created)}


def update(book: Book, request: Record, caller: str) -> dict[str, Any]:
    """Apply `updateDeveloperMetadata` to all that a filter finds."""
    filters = request.get("dataFilters", [])
    if not filters:
        raise invalid("Must specify at least one data filter.")
    mask = for_update(request.get("fields"), "DeveloperMetadata")
    found = metadata.update(book, filters, request.get("developerMetadata", {}), mask)
    return {"developerMetadata": found} if found else {}


def delete(book: Book, request: Record, caller: str) -> dict[str, Any]:
    """Apply `deleteDeveloperMetadata` to all that the filter finds."""
    if "dataFilter" not in request:
        raise invalid("Must specify a data filter.")
    removed = metadata.delete(book, request["dataFilter"])
    return {"deletedDeveloperMetadata": removed} if removed else {}


HANDLERS = {
    "createDeveloperMetadata": create,
    "updateDeveloperMetadata": update,
    "deleteDeveloperMetadata": delete,
}
