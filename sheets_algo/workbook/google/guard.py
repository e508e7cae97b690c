"""The guard of a commit: slots of developer metadata, one made of the receipt's number, one of the write's.

An id that is taken makes Google refuse the request, and with it the whole batch: of two commits with one number,
however late, only one is carried out. It is the only compare-and-set that the API has.

A receipt's slot lets each ruling through once. A write without a receipt (statuses, ids of new requests) goes by
coordinates too, and one that arrives late would hit whatever stands there by then; so each write also takes its turn,
the one after the last that the look saw, and the next write makes every earlier one impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

KEY = "sheets-algo"
"""Key of every slot."""

FIRST_ID = 1_066_000_000
"""A slot's id is this plus the receipt's number; far from the small ids that people choose."""

DIGITS = 16
"""Of the digest of the season secret, hexadecimal, that stand in a receipt's slot: too many to find a secret for."""

KEPT = 300
"""So many of the last slots stay, whatever their age."""

KEPT_FOR = timedelta(hours=24)
"""A commit that is later than this is taken for dead: Google gives up a request after minutes."""

WORTHWHILE = 50
"""Fewer slots than this are not worth a write."""

MOST_AT_ONCE = 1_000
"""Slots removed by one request."""

TURN_KEY = "sheets-algo-write"
"""Key of every turn."""

FIRST_TURN_ID = 1_067_000_000
"""A turn's id is this plus its number."""

TURNS_KEPT = 20
"""So many of the last turns stay, whatever their age: the next one is counted from them."""

TURNS_KEPT_FOR = timedelta(minutes=10)
"""A write that is later than this is taken for dead; Google carries out none after three minutes."""

RESTORE = "somebody deleted its row; bring it back from File, Version history, and take a ruling back by undo alone"
"""What to do about a receipt that has its slot and is not there: as long as it is gone, its number stays used."""

OTHER_SEASON = (
    "receipt {} was written under another season secret than the one whose digest stands in the Season row of Receipts"
    " ({}...): somebody changed that row; bring it back from File, Version history, and use the secret that the season"
    " began with"
)
"""What to do about a slot that has the digits of another season."""

Slots = Mapping[int, str]
"""The id of each slot and its value: when it was taken, in whole Unix seconds, a space and, of a receipt's slot, the
season's digits, of a turn who took it. Slots of older versions hold the seconds alone.
"""


def slot_id(receipt: int) -> int:
    """The id of a receipt's slot."""
    return FIRST_ID + receipt


def request(receipt: int, now: datetime, season: str) -> dict[str, Any]:
    """The first request of a guarded batch; `season` is the digest of the season secret, or blank."""
    return _taken(slot_id(receipt), KEY, now, season[:DIGITS])


def turn_request(turn: int, now: datetime, owner: str) -> dict[str, Any]:
    """The request of a batch that makes it the one of its turn.

    Args:
        turn: An id.
        now: UTC, aware.
        owner: A word that no other batch has, by which its sender knows it again.
    """
    return _taken(turn, TURN_KEY, now, owner)


def owner_of(turns: Slots, turn: int) -> str:
    """Whose batch has taken a turn; blank if nobody's."""
    return turns.get(turn, "").partition(" ")[2]


def _taken(id: int, key: str, now: datetime, more: str) -> dict[str, Any]:
    slot = {
        "metadataId": id,
        "metadataKey": key,
        "metadataValue": f"{int(now.timestamp())} {more}".strip(),
        "location": {"spreadsheet": True},
        "visibility": "DOCUMENT",
    }
    return {"createDeveloperMetadata": {"developerMetadata": slot}}


def slots(metadata: Iterable[Mapping[str, Any]]) -> Slots:
    """The receipts' slots among a spreadsheet's developer metadata."""
    return _of(metadata, KEY, FIRST_ID)


def turns(metadata: Iterable[Mapping[str, Any]]) -> Slots:
    """The turns among a spreadsheet's developer metadata."""
    return _of(metadata, TURN_KEY, FIRST_TURN_ID)


def _of(metadata: Iterable[Mapping[str, Any]], key: str, first: int) -> Slots:
    return {
        item["metadataId"]: item.get("metadataValue", "")
        for item in metadata
        if item.get("metadataKey") == key and item.get("metadataId", 0) > first
    }


def other_season(slots: Slots, season: str) -> int | None:
    """Return the number of the first receipt whose slot has the digits of another season than `season`'s digest."""
    for id, value in sorted(slots.items()):
        digits = value.partition(" ")[2]
        if digits and season and digits != season[:DIGITS]:
            return id - FIRST_ID
    return None


def next_turn(turns: Slots) -> int:
    """The id of the turn after the last."""
    return max(turns, default=FIRST_TURN_ID) + 1


def outworn(slots: Slots, now: datetime) -> tuple[int, ...]:
    """Ids of receipts' slots that may go: neither among the last ones nor written lately; none if they are too few."""
    return _old(slots, KEPT, now - KEPT_FOR)


def outworn_turns(turns: Slots, now: datetime) -> tuple[int, ...]:
    """Ids of turns that may go, likewise."""
    return _old(turns, TURNS_KEPT, now - TURNS_KEPT_FOR)


def _old(slots: Slots, kept: int, before: datetime) -> tuple[int, ...]:
    times = {id: slots[id].partition(" ")[0] for id in sorted(slots)[:-kept]}
    old = [id for id, time in times.items() if time.isdecimal() and int(time) < before.timestamp()]
    return tuple(old[:MOST_AT_ONCE]) if len(old) >= WORTHWHILE else ()


def removal(ids: Sequence[int]) -> dict[str, Any]:
    """The batch that removes slots."""
    return {
        "requests": [
            {"deleteDeveloperMetadata": {"dataFilter": {"developerMetadataLookup": {"metadataId": id}}}} for id in ids
        ]
    }
