"""The guard of a commit: a slot of developer metadata whose id is made of the receipt's number.

An id that is taken makes Google refuse the request, and with it the whole batch: of two commits with one number,
however late, only one is carried out. It is the only compare-and-set that the API has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

KEY = "sheets-algo"
"""Key of every slot."""

FIRST_ID = 1_066_000_000
"""A slot's id is this plus the receipt's number; far from the small ids that people choose."""

KEPT = 300
"""So many of the last slots stay, whatever their age."""

KEPT_FOR = timedelta(hours=24)
"""A commit that is later than this is taken for dead: Google gives up a request after minutes."""

WORTHWHILE = 50
"""Fewer slots than this are not worth a write."""

MOST_AT_ONCE = 1_000
"""Slots removed by one request."""

Slots = Mapping[int, str]
"""The id of each slot, and when it was written as its value says: whole Unix seconds."""


def slot_id(receipt: int) -> int:
    """The id of a receipt's slot."""
    return FIRST_ID + receipt


def request(receipt: int, now: datetime) -> dict[str, Any]:
    """The first request of a guarded batch."""
    slot = {
        "metadataId": slot_id(receipt),
        "metadataKey": KEY,
        "metadataValue": str(int(now.timestamp())),
        "location": {"spreadsheet": True},
        "visibility": "DOCUMENT",
    }
    return {"createDeveloperMetadata": {"developerMetadata": slot}}


def slots(metadata: Iterable[Mapping[str, Any]]) -> Slots:
    """The slots among a spreadsheet's developer metadata."""
    return {
        item["metadataId"]: item.get("metadataValue", "")
        for item in metadata
        if item.get("metadataKey") == KEY and item.get("metadataId", 0) > FIRST_ID
    }


def outworn(slots: Slots, now: datetime) -> tuple[int, ...]:
    """Ids of slots that may go: neither among the last ones nor written lately; none if they are too few."""
    before = (now - KEPT_FOR).timestamp()
    old = [id for id in sorted(slots)[:-KEPT] if slots[id].isdecimal() and int(slots[id]) < before]
    return tuple(old[:MOST_AT_ONCE]) if len(old) >= WORTHWHILE else ()


def removal(ids: Sequence[int]) -> dict[str, Any]:
    """The batch that removes slots."""
    return {
        "requests": [
            {"deleteDeveloperMetadata": {"dataFilter": {"developerMetadataLookup": {"metadataId": id}}}} for id in ids
        ]
    }
