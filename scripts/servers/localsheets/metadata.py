"""Developer metadata of a spreadsheet and its tabs, and data filters, which find it by id or key."""

from __future__ import annotations

from typing import Any

from localsheets.book import Book
from localsheets.errors import invalid
from localsheets.mask import Mask, merged
from localsheets.messages import SCHEMA
from localsheets.sheet import Record

MAX_CHARACTERS = 30_000


def create(book: Book, record: Record) -> Record:
    """Add metadata, with the id it brings or a new one.

    Raises:
        ApiError: 400 for an id in use, a missing key, location or visibility, an unknown location, or no room.
    """
    if not record.get("metadataKey"):
        raise invalid("developerMetadata.metadataKey must be specified")
    if "visibility" not in record:
        raise invalid("developerMetadata.visibility must be specified")
    id = record.get("metadataId") or book.fresh_id()
    if any(existing["metadataId"] == id for existing in book.developer_metadata):
        raise invalid(f"Developer metadata with ID {id} already exists.")
    found = {"metadataId": id, "metadataKey": record["metadataKey"], "metadataValue": record.get("metadataValue", "")}
    location = _located(book, record.get("location", {}))
    created = {**found, "location": location, "visibility": record["visibility"]}
    book.developer_metadata.append(created)
    _check_room(book, created)
    return created


def _located(book: Book, location: Record) -> Record:
    """Return a location with its type."""
    places = [name for name in ("spreadsheet", "sheetId") if name in location]
    if len(places) != 1:
        raise invalid("developerMetadata.location must specify exactly one of spreadsheet and sheetId")
    if places == ["spreadsheet"]:
        return {"locationType": "SPREADSHEET", "spreadsheet": True}
    return {"locationType": "SHEET", "sheetId": book.sheet(location["sheetId"]).id}


def update(book: Book, filters: list[Record], record: Record, mask: Mask) -> list[dict[str, Any]]:
    """Change the masked fields of all metadata that a filter finds."""
    changed = []
    for place, found in enumerate(book.developer_metadata):
        if any(is_match(found, filter) for filter in filters):
            new = merged(found, {"metadataValue": "", **record}, mask)
            new |= {"metadataId": found["metadataId"], "location": found["location"]}
            book.developer_metadata[place] = new
            _check_room(book, new)
            changed.append(written(new))
    return changed


def delete(book: Book, filter: Record) -> list[dict[str, Any]]:
    """Remove all metadata that the filter finds."""
    removed = [record for record in book.developer_metadata if is_match(record, filter)]
    book.developer_metadata = [record for record in book.developer_metadata if record not in removed]
    return [written(record) for record in removed]


def written(record: Record) -> dict[str, Any]:
    """Return metadata in the form of an answer."""
    return SCHEMA.write("DeveloperMetadata", record)


def is_match(record: Record, filter: Record) -> bool:
    """Return True if a DataFilter finds a piece of metadata."""
    lookup = filter.get("developerMetadataLookup")
    if lookup is None:
        raise invalid("Must specify a filter criterion in the data filter.")
    return all(record[name] == wanted for name, wanted in lookup.items())


def _check_room(book: Book, record: Record) -> None:
    """Refuse metadata that exceeds the limit of keys and values at its location."""
    place = record["location"].get("sheetId")
    neighbours = [other for other in book.developer_metadata if other["location"].get("sheetId") == place]
    if sum(len(other["metadataKey"]) + len(other["metadataValue"]) for other in neighbours) > MAX_CHARACTERS:
        raise invalid(f"Developer metadata cannot exceed {MAX_CHARACTERS} characters in one sheet or spreadsheet.")
