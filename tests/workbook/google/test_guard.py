"""The slots that let each receipt number through once, and how old ones go."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from sheets_algo.workbook.base import AppendRow, ChangeSet, RefusedChange
from sheets_algo.workbook.google import guard
from tests.workbook.google.season import TABS, Season, Spent, sheets

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LONG_AGO = str(int((NOW - timedelta(hours=24, seconds=1)).timestamp()))
LATELY = str(int((NOW - timedelta(hours=24)).timestamp()))


def ids(first: int, last: int) -> range:
    return range(1_066_000_000 + first, 1_066_000_000 + last + 1)


def test_a_slot_is_a_number_of_its_own() -> None:
    made = guard.request(12, NOW)["createDeveloperMetadata"]["developerMetadata"]

    assert made["metadataId"] == 1_066_000_012
    assert made["metadataValue"] == str(int(NOW.timestamp()))


@pytest.mark.parametrize(
    ("old", "young", "goes"),
    [
        (350, 0, ids(1, 50)),  # the last 300 stay
        (349, 0, range(0)),  # 49 are not worth a write
        (100, 300, ids(1, 100)),
        (100, 400, ids(1, 100)),  # never those of the last day
        (0, 1000, range(0)),
        (60, 200, range(0)),  # 60 are old, but all are among the last 300
        (2000, 0, ids(1, 1000)),  # the rest goes next time
    ],
)
def test_slots_go_when_they_are_old_and_not_among_the_last_300(old: int, young: int, goes: range) -> None:
    slots = dict.fromkeys(ids(1, old), LONG_AGO) | dict.fromkeys(ids(old + 1, old + young), LATELY)

    assert guard.outworn(slots, NOW) == tuple(goes)


def test_what_is_no_slot_of_ours_stays() -> None:
    metadata = [
        {"metadataId": 5, "metadataKey": "sheets-algo", "metadataValue": LONG_AGO},
        {"metadataId": 1_066_000_005, "metadataKey": "somebody else's", "metadataValue": LONG_AGO},
        {"metadataId": 1_066_000_006, "metadataKey": "sheets-algo", "metadataValue": LONG_AGO},
    ]

    assert guard.slots(metadata) == {1_066_000_006: LONG_AGO}
    assert guard.outworn(dict.fromkeys(ids(1, 400), "once upon a time"), NOW) == ()


@pytest.fixture
def season() -> Season:
    """400 receipts; the first 100 slots are old."""
    season = Season.begun()
    ages = dict.fromkeys(ids(1, 100), LONG_AGO) | dict.fromkeys(ids(101, 400), LATELY)
    season.person(*(slot(id, written) for id, written in ages.items()))
    return season


def slot(id: int, written: str) -> dict[str, Any]:
    made = {"metadataId": id, "metadataKey": "sheets-algo", "metadataValue": written, "visibility": "DOCUMENT"}
    return {"createDeveloperMetadata": {"developerMetadata": {**made, "location": {"spreadsheet": True}}}}


def slots_of(season: Season) -> list[int]:
    found = sheets().show(season.id, fields="developerMetadata(metadataId)")["developerMetadata"]
    return sorted(item["metadataId"] for item in found)


RULING = ChangeSet(rows=(AppendRow("Receipts", (401, "W-0401")),), guard=401)


def test_old_slots_are_removed_after_a_ruling_in_a_write_of_its_own(season: Season) -> None:
    workbook = season.workbook(lambda: NOW)
    snapshot = workbook.read(list(TABS))
    spent = Spent()

    assert workbook.commit(snapshot, RULING).remarks == ()

    assert (spent.reads, spent.writes) == (1, 2)
    assert slots_of(season) == list(ids(101, 401))


def test_a_commit_without_a_receipt_removes_none(season: Season) -> None:
    workbook = season.workbook(lambda: NOW)

    workbook.commit(workbook.read(list(TABS)), ChangeSet(rows=(AppendRow("Nations", ("Wales",)),)))

    assert len(slots_of(season)) == 400


def test_a_removal_that_fails_is_remarked_on_and_the_ruling_stands(season: Season) -> None:
    workbook = season.workbook(lambda: NOW)
    snapshot = workbook.read(list(TABS))
    sheets().fault("500", match="write", at=2)

    done = workbook.commit(snapshot, RULING)

    assert len(done.remarks) == 1
    assert done.remarks[0].startswith("100 old guards could not be removed: ")
    assert season.tab("Receipts")[-1] == [401, "W-0401"]
    assert len(slots_of(season)) == 401


def test_slots_that_fill_the_spreadsheets_metadata_make_room_for_the_next_commit() -> None:
    """Keys and values take 21 characters a slot, and a spreadsheet keeps 30,000."""
    season = Season.begun()
    season.person(*(slot(id, LONG_AGO) for id in ids(1, 1428)))
    workbook = season.workbook(lambda: NOW)
    ruling = ChangeSet(rows=(AppendRow("Receipts", (1429, "W-1429")),), guard=1429)

    with pytest.raises(RefusedChange, match="Our season: Google refused what was to be written: "):
        workbook.commit(workbook.read(list(TABS)), ruling)
    workbook.commit(workbook.read(list(TABS)), ruling)

    assert season.tab("Receipts")[-1] == [1429, "W-1429"]
