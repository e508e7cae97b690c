"""The guard of a commit: entries of developer metadata whose ids are derived from receipt and write numbers.

An id that is taken makes Google refuse the request, and with it the whole batch: of two commits with one number,
however late, only one is carried out. It is the only compare-and-set that the API has.

A receipt's slot lets each ruling through once. It holds the head of the chain after the batch, so that the highest slot
shows which receipts the tab must hold, whatever people delete or restore there.

A write without a receipt (statuses, ids of new requests) goes by
coordinates too, and would hit other rows if it arrived late; so each write also takes a turn, the one after the last at
the reading, and the next write makes every earlier one impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sheets_algo.workbook.google.commit.requests import create_metadata
from sheets_algo.workbook.head import Head

FIELDS = "developerMetadata(metadataId,metadataKey,metadataValue)"
"""The mask of the entries that the functions here read."""

KEY = "sheets-algo"
"""The key of every receipt's slot."""

FIRST_ID = 1_066_000_000
"""Added to a receipt's number for the slot's id; far from the small ids that people choose."""

DIGITS = 16
"""Hexadecimal digits of the season secret's digest in a receipt's slot: too many to search for a matching secret."""

KEPT = 200
"""The number of last slots that are kept, whatever their age: they take about half of the room that Google gives."""

KEPT_FOR = timedelta(minutes=10)
"""The age after which a write cannot arrive any more; Google carries out none after three minutes."""

WORTHWHILE = 50
"""Minimum number of slots that are removed: fewer are not worth a write."""

MOST_AT_ONCE = 1_000
"""The maximum number of slots that one request removes."""

MOST_RECEIPTS = 10_000
"""More receipts than one batch has room for."""

TURN_KEY = "sheets-algo-write"
"""The key of every turn."""

FIRST_TURN_ID = 1_067_000_000
"""Added to a turn's number for its id."""

POSTS_ID = 1_068_000_000
"""The id of the note of posts; its key is `POSTS_KEY`."""

POSTS_KEY = "sheets-algo-posts"

TURNS_KEPT = 20
"""The number of last turns that are kept, whatever their age: the next one is counted from them."""

OTHER_SEASON = (
    "receipt {} was written under another season secret than the one whose digest is in the Season row of Receipts"
    " ({}...): somebody changed that row; bring it back from File, Version history, and use the secret that the season"
    " began with"
)
"""The message about a slot that has the digits of another season."""

Slots = Mapping[int, str]
"""The id and value of each slot. The value is the time when it was taken, in whole Unix seconds, a space, and the owner
(of a turn), or the season's digits, a space and the head (of a receipt's slot).
"""

PLACE = "the guard in the spreadsheet"
"""The place of a slot's head, in messages."""


def slot_id(receipt: int) -> int:
    """Return the id of a receipt's slot."""
    return FIRST_ID + receipt


def request(receipt: int, now: datetime, season: str, head: Head) -> dict[str, Any]:
    """Return the first request of a guarded batch.

    Args:
        now: The time, UTC and aware.
        season: The digest of the season secret.
        head: The end of the chain after the batch.
    """
    return create_metadata(KEY, _timed(now, f"{season[:DIGITS]} {head}"), slot_id(receipt))


def turn_request(turn: int, now: datetime, owner: str) -> dict[str, Any]:
    """Return the request by which a batch takes its turn.

    Args:
        turn: The turn's id.
        now: The time, UTC and aware.
        owner: A unique word that identifies the batch for its sender.
    """
    return create_metadata(TURN_KEY, _timed(now, owner), turn)


def owner_of(turns: Slots, turn: int) -> str:
    """Return the owner of the batch that has taken a turn; blank if none has."""
    return turns.get(turn, "").partition(" ")[2]


def _timed(now: datetime, payload: str) -> str:
    return f"{int(now.timestamp())} {payload}".strip()


def posts_request(text: str, *, is_new: bool) -> dict[str, Any]:
    """Return the request that notes posts in their single entry."""
    if is_new:
        return create_metadata(POSTS_KEY, text, POSTS_ID)
    lookup = {"developerMetadataLookup": {"metadataId": POSTS_ID}}
    change = {"dataFilters": [lookup], "developerMetadata": {"metadataValue": text}, "fields": "metadataValue"}
    return {"updateDeveloperMetadata": change}


def noted_posts(metadata: Iterable[Mapping[str, Any]]) -> str | None:
    """Return the note of posts among a spreadsheet's developer metadata; None if there is none."""
    return next((str(item.get("metadataValue", "")) for item in metadata if item.get("metadataKey") == POSTS_KEY), None)


def slots(metadata: Iterable[Mapping[str, Any]]) -> Slots:
    """Return the receipts' slots among a spreadsheet's developer metadata."""
    return _with_key(metadata, KEY, FIRST_ID)


def turns(metadata: Iterable[Mapping[str, Any]]) -> Slots:
    """Return the turns among a spreadsheet's developer metadata."""
    return _with_key(metadata, TURN_KEY, FIRST_TURN_ID)


def _with_key(metadata: Iterable[Mapping[str, Any]], key: str, first: int) -> Slots:
    return {
        item["metadataId"]: item.get("metadataValue", "")
        for item in metadata
        if item.get("metadataKey") == key and item.get("metadataId", 0) > first
    }


def other_season(slots: Slots, season: str) -> int | None:
    """Return the number of the first receipt whose slot has the digits of another season than `season`'s digest."""
    for id, value in sorted(slots.items()):
        digits = _words(value)[1]
        if digits and season and digits != season[:DIGITS]:
            return id - FIRST_ID
    return None


def heads(slots: Slots) -> tuple[Head, ...]:
    """Return the head of the chain that each slot notes, in order.

    A number that the slot's batch cannot have written is ignored; then only that of its first receipt is known.
    """
    noted = []
    for id, value in sorted(slots.items()):
        first, head = id - FIRST_ID, Head.parse(_words(value)[2])
        noted.append(head if head and first <= head.seq < first + MOST_RECEIPTS else Head(first))
    return tuple(noted)


def _words(value: str) -> tuple[str, str, str]:
    """Return time, digits of the season and head of a slot's value, blank where they are missing."""
    time, season, head, *_ = (*value.split(" "), "", "", "")
    return time, season, head


def next_turn(turns: Slots) -> int:
    """Return the id of the turn after the last."""
    return max(turns, default=FIRST_TURN_ID) + 1


def expired(slots: Slots, now: datetime) -> tuple[int, ...]:
    """Return the ids of receipts' slots to remove: not among the last ones, and old; none if they are too few."""
    return _expired(slots, KEPT, now - KEPT_FOR)


def expired_turns(turns: Slots, now: datetime) -> tuple[int, ...]:
    """Return the ids of turns to remove, by the same rules."""
    return _expired(turns, TURNS_KEPT, now - KEPT_FOR)


def _expired(slots: Slots, kept: int, before: datetime) -> tuple[int, ...]:
    times = {id: slots[id].partition(" ")[0] for id in sorted(slots)[:-kept]}
    old = [id for id, time in times.items() if time.isdecimal() and int(time) < before.timestamp()]
    return tuple(old[:MOST_AT_ONCE]) if len(old) >= WORTHWHILE else ()


def removal(ids: Sequence[int]) -> dict[str, Any]:
    """Return the batch that removes slots."""
    return {
        "requests": [
            {"deleteDeveloperMetadata": {"dataFilter": {"developerMetadataLookup": {"metadataId": id}}}} for id in ids
        ]
    }
