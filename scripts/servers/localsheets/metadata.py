"""Developer metadata, and data filters, which find cells and metadata by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from localsheets.a1 import Area, Box
from localsheets.book import Book
from localsheets.errors import invalid
from localsheets.mask import Mask, merged
from localsheets.messages import SCHEMA
from localsheets.sheet import Record, Sheet

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
    location = located(book, record.get("location", {}))
    created = {**found, "location": location, "visibility": record["visibility"]}
    book.developer_metadata.append(created)
    _check_room(book, created)
    return created


def located(book: Book, location: Record) -> Record:
    """Return a location with its type.

    Raises:
        ApiError: 400 for no location, two locations, several rows at once, or an unknown tab.
    """
    places = [name for name in ("spreadsheet", "sheetId", "dimensionRange") if name in location]
    if len(places) != 1:
        raise invalid("developerMetadata.location must specify exactly one of spreadsheet, sheetId and dimensionRange")
    if places == ["spreadsheet"]:
        return {"locationType": "SPREADSHEET", "spreadsheet": True}
    if places == ["sheetId"]:
        return {"locationType": "SHEET", "sheetId": book.sheet(location["sheetId"]).id}
    found = location["dimensionRange"]
    sheet = book.sheet(found.get("sheetId", 0))
    start, end, dimension = found.get("startIndex", 0), found.get("endIndex"), found.get("dimension", "ROWS")
    if end != start + 1:
        raise invalid("developerMetadata.location.dimensionRange must represent a single row or column")
    if not 0 <= start < sheet.size(dimension):
        raise invalid(f"dimensionRange.startIndex[{start}] is outside the grid of {sheet.size(dimension)}")
    place = {"sheetId": sheet.id, "dimension": dimension, "startIndex": start, "endIndex": end}
    return {"locationType": dimension.removesuffix("S"), "dimensionRange": place}


def update(book: Book, filters: list[Record], record: Record, mask: Mask) -> list[dict[str, Any]]:
    """Change the masked fields of all metadata that a filter finds."""
    changed = []
    for place, found in enumerate(book.developer_metadata):
        if any(is_match(book, found, filter) for filter in filters):
            new = merged(found, {"metadataValue": "", **record}, mask)
            new["metadataId"] = found["metadataId"]
            if new["location"] != found["location"]:
                new["location"] = located(book, new["location"])
            book.developer_metadata[place] = new
            _check_room(book, new)
            changed.append(written(new))
    return changed


def delete(book: Book, filter: Record) -> list[dict[str, Any]]:
    """Remove all metadata that the filter finds."""
    removed = [record for record in book.developer_metadata if is_match(book, record, filter)]
    book.developer_metadata = [record for record in book.developer_metadata if record not in removed]
    return [written(record) for record in removed]


def written(record: Record) -> dict[str, Any]:
    """Return metadata in the form of an answer."""
    return SCHEMA.write("DeveloperMetadata", record)


def is_match(book: Book, record: Record, filter: Record) -> bool:
    """Return True if a DataFilter finds a piece of metadata."""
    lookup = filter.get("developerMetadataLookup")
    if lookup is None:
        return _touches(book, record["location"], _filter_area(book, filter))
    for name in ("metadataId", "metadataKey", "metadataValue", "visibility"):
        if name in lookup and record[name] != lookup[name]:
            return False
    location = record["location"]
    if "locationType" in lookup and location["locationType"] != lookup["locationType"]:
        return False
    if "metadataLocation" not in lookup:
        return True
    target = located(book, lookup["metadataLocation"])
    if lookup.get("locationMatchingStrategy", "EXACT_LOCATION") == "EXACT_LOCATION":
        return bool(location == target)
    if target["locationType"] == "SPREADSHEET" or location["locationType"] == "SPREADSHEET":
        return True
    return _touches(book, location, _location_area(book, target))


def _filter_area(book: Book, filter: Mapping[str, Any]) -> tuple[Sheet, Area]:
    if "a1Range" in filter:
        return book.locate(filter["a1Range"])
    if "gridRange" in filter:
        found = filter["gridRange"]
        sheet = book.sheet(found.get("sheetId", 0), "grid")
        ends = (found.get("endRowIndex"), found.get("endColumnIndex"))
        return sheet, Area(found.get("startRowIndex", 0), found.get("startColumnIndex", 0), *ends)
    raise invalid("Must specify a filter criterion in the data filter.")


def _location_area(book: Book, location: Record) -> tuple[Sheet, Area]:
    if "sheetId" in location:
        return book.sheet(location["sheetId"]), Area()
    place = location["dimensionRange"]
    sheet, start = book.sheet(place["sheetId"]), place["startIndex"]
    if place["dimension"] == "ROWS":
        return sheet, Box(start, 0, start + 1, sheet.columns)
    return sheet, Box(0, start, sheet.rows, start + 1)


def _touches(book: Book, location: Record, wanted: tuple[Sheet, Area]) -> bool:
    if location["locationType"] == "SPREADSHEET":
        return False
    sheet, area = _location_area(book, location)
    box = area.within(sheet.rows, sheet.columns)
    return sheet is wanted[0] and box.meets(wanted[1].within(sheet.rows, sheet.columns))


def _check_room(book: Book, record: Record) -> None:
    """Refuse metadata that exceeds the limit of keys and values at its location."""

    def sheet_id(entry: Record) -> int | None:
        location = entry["location"]
        id: int | None = location.get("sheetId", location.get("dimensionRange", {}).get("sheetId"))
        return id

    neighbours = [other for other in book.developer_metadata if sheet_id(other) == sheet_id(record)]
    if sum(len(other["metadataKey"]) + len(other["metadataValue"]) for other in neighbours) > MAX_CHARACTERS:
        raise invalid(f"Developer metadata cannot exceed {MAX_CHARACTERS} characters in one sheet or spreadsheet.")
