"""The slots that let each receipt number through once, and how old ones go."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from scripts.support.shared_sheets import sheets
from sheets_algo.workbook.changes import AppendRow, ChangeSet, SetCell
from sheets_algo.workbook.errors import RefusedChange, SeasonMismatch, StaleWorkbook, UnknownOutcome
from sheets_algo.workbook.google.commit import guard
from sheets_algo.workbook.head import Head
from tests.helpers.rows import each
from tests.helpers.tabs import key, keys
from tests.workbook.google.season import TABS, Season, Spent, commit

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LONG_AGO = str(int((NOW - timedelta(minutes=10, seconds=1)).timestamp()))
LATELY = str(int((NOW - timedelta(minutes=10)).timestamp()))


DIGEST = "0123456789abcdef" * 4
HEAD = Head(14, "0123456789abcdef" * 2)


def ids(first: int, last: int) -> range:
    return range(1_066_000_000 + first, 1_066_000_000 + last + 1)


def test_each_slot_has_its_own_number() -> None:
    made = guard.request(12, NOW, DIGEST, HEAD)["createDeveloperMetadata"]["developerMetadata"]

    assert made["metadataId"] == 1_066_000_012
    assert made["metadataValue"] == f"1772366400 0123456789abcdef 14-{'0123456789abcdef' * 2}"
    assert guard.heads({made["metadataId"]: made["metadataValue"]}) == (HEAD,)


def test_a_slot_without_a_season_still_has_the_head() -> None:
    made = guard.request(12, NOW, "", HEAD)["createDeveloperMetadata"]["developerMetadata"]

    assert guard.heads({made["metadataId"]: made["metadataValue"]}) == (HEAD,)
    assert guard.other_season({made["metadataId"]: made["metadataValue"]}, DIGEST) is None


@each(
    "head", ["", "14", "14-", "14-xyz", "99999999999999999999-ab", "-3", "0", "11", "10012", "1e9", "14 15", "\ud800"]
)
def test_a_head_beyond_its_batch_is_ignored(head: str) -> None:
    """Only numbers from the batch's first receipt on, and no more than a batch has room for."""
    known = 14 if head.split("-")[0].split(" ")[0] == "14" and "xyz" not in head else 12

    assert guard.heads({1_066_000_012: f"1772366400 0123456789abcdef {head}"}) == (Head(known),)


def test_slots_of_another_season_are_detected() -> None:
    slots = {1_066_000_001: LONG_AGO, 1_066_000_007: f"{LATELY} 0123456789abcdef", 1_066_000_009: "1 fedcba9876543210"}

    assert guard.other_season(slots, DIGEST) == 9
    assert guard.other_season(slots, "fedcba9876543210" * 4) == 7
    assert guard.other_season(slots, "") is None
    assert guard.other_season({1_066_000_001: LONG_AGO}, DIGEST) is None


@each("digits", ["", " 0123456789abcdef"])  # as older versions wrote them, and as this one does
@each(
    ("old", "young", "goes"),
    [
        (250, 0, ids(1, 50)),  # the last 200 stay
        (249, 0, range(0)),  # 49 are not worth a write
        (100, 200, ids(1, 100)),
        (100, 300, ids(1, 100)),  # never those of the last ten minutes
        (0, 1000, range(0)),
        (60, 100, range(0)),  # 60 are old, but all are among the last 200
        (2000, 0, ids(1, 1000)),  # the rest goes next time
    ],
)
def test_old_slots_are_removed_except_the_last_200(old: int, young: int, goes: range, digits: str) -> None:
    slots = dict.fromkeys(ids(1, old), f"{LONG_AGO}{digits}") | dict.fromkeys(ids(old + 1, old + young), LATELY)

    assert guard.expired(slots, NOW) == tuple(goes)


def test_foreign_entries_are_kept() -> None:
    metadata = [
        {"metadataId": 5, "metadataKey": "sheets-algo", "metadataValue": LONG_AGO},
        {"metadataId": 1_066_000_005, "metadataKey": "somebody else's", "metadataValue": LONG_AGO},
        {"metadataId": 1_066_000_006, "metadataKey": "sheets-algo", "metadataValue": LONG_AGO},
    ]

    assert guard.slots(metadata) == {1_066_000_006: LONG_AGO}
    assert guard.expired(dict.fromkeys(ids(1, 400), "once upon a time"), NOW) == ()


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
    """Those of receipts."""
    found = sheets().show(season.id, fields="developerMetadata(metadataId)")["developerMetadata"]
    return sorted(item["metadataId"] for item in found if item["metadataId"] < 1_067_000_000)


RULING = ChangeSet(rows=(AppendRow(key("Receipts"), (401, "W-0401")),), guard=401)


def test_old_slots_are_removed_after_a_ruling_in_a_separate_write(season: Season) -> None:
    workbook = season.workbook(lambda: NOW)
    snapshot = workbook.read(keys(*TABS))
    spent = Spent()

    assert workbook.commit(snapshot, RULING).remarks == ()

    assert (spent.reads, spent.writes) == (1, 2)
    assert slots_of(season) == list(ids(101, 401))


def test_a_commit_without_a_receipt_removes_none(season: Season) -> None:
    workbook = season.workbook(lambda: NOW)

    workbook.commit(workbook.read(keys(*TABS)), ChangeSet(rows=(AppendRow(key("Nations"), ("Wales",)),)))

    assert len(slots_of(season)) == 400


def test_a_failed_removal_is_remarked_on_and_the_ruling_stands(season: Season) -> None:
    workbook = season.workbook(lambda: NOW)
    snapshot = workbook.read(keys(*TABS))
    sheets().fault("500", match="write", at=2)

    done = workbook.commit(snapshot, RULING)

    assert len(done.remarks) == 1
    assert done.remarks[0].startswith("100 old guards could not be removed: ")
    assert season.tab("Receipts")[-1] == [401, "W-0401"]
    assert len(slots_of(season)) == 401


def test_slots_make_room_for_the_next_commit_in_full_metadata() -> None:
    """Keys and values take 21 characters a slot, and a spreadsheet keeps 30,000."""
    season = Season.begun()
    season.person(*(slot(id, LONG_AGO) for id in ids(1, 1428)))
    workbook = season.workbook(lambda: NOW)
    ruling = ChangeSet(rows=(AppendRow(key("Receipts"), (1429, "W-1429")),), guard=1429)

    with pytest.raises(RefusedChange, match="Our season: Google refused what was to be written: "):
        workbook.commit(workbook.read(keys(*TABS)), ruling)
    workbook.commit(workbook.read(keys(*TABS)), ruling)

    assert season.tab("Receipts")[-1] == [1429, "W-1429"]


STATUS = ChangeSet(cells=(SetCell(key("War Requests"), 2, 4, "Waiting"),))
FIRST_TURN = 1_067_000_001


def turns_of(season: Season) -> list[int]:
    found = sheets().show(season.id, fields="developerMetadata(metadataId)").get("developerMetadata", ())
    return sorted(item["metadataId"] for item in found if item["metadataId"] >= FIRST_TURN)


def test_each_write_takes_its_turn_and_a_taken_turn_stops_it() -> None:
    season = Season.begun()
    workbook = season.workbook()
    commit(workbook, STATUS)
    assert turns_of(season) == [FIRST_TURN]

    rival = {"metadataId": FIRST_TURN + 1, "metadataKey": "sheets-algo-write", "metadataValue": "1"}
    rival |= {"location": {"spreadsheet": True}, "visibility": "DOCUMENT"}
    season.person({"createDeveloperMetadata": {"developerMetadata": rival}}, before_request=1, match="write")
    ended = ChangeSet(cells=(SetCell(key("War Requests"), 2, 4, "Done", "Waiting"),))
    with pytest.raises(StaleWorkbook, match="another program has written to it meanwhile"):
        commit(workbook, ended)
    assert season.tab("War Requests")[1] == ["W-0001", "Hastings", True, "Waiting"]

    commit(workbook, ended)
    assert turns_of(season) == [FIRST_TURN, FIRST_TURN + 1, FIRST_TURN + 2]


def test_the_next_write_stops_a_late_write_without_a_receipt() -> None:
    """Somebody inserts a row meanwhile; carried out late, the status would stand in another request's row."""
    season = Season.begun()
    workbook = season.workbook()
    sheets().fault("503", match="write", at=1, when="late", after_requests=1_000)
    for at in (2, 3, 4):  # nor can it be withdrawn
        sheets().fault("503", match="write", at=at)
    with pytest.raises(UnknownOutcome):
        commit(workbook, STATUS)
    above = {"sheetId": season.sheet_id("War Requests"), "dimension": "ROWS", "startIndex": 1, "endIndex": 2}
    season.person({"insertDimension": {"range": above}})
    commit(workbook, ChangeSet(cells=(SetCell(key("War Requests"), 3, 4, "Waiting"),)))
    sheets().control("late", {})

    assert season.tab("War Requests")[1:3] == [[], ["W-0001", "Hastings", True, "Waiting"]]


def test_old_turns_are_removed_except_the_last_twenty() -> None:
    old = dict.fromkeys(range(FIRST_TURN, FIRST_TURN + 70), LONG_AGO)
    assert guard.expired_turns(old, NOW) == tuple(range(FIRST_TURN, FIRST_TURN + 50))
    just_now = str(int((NOW - timedelta(minutes=10)).timestamp()))
    assert guard.expired_turns(dict.fromkeys(old, just_now), NOW) == ()
    assert guard.next_turn(guard.turns([])) == FIRST_TURN


def test_a_commit_with_another_season_than_the_guards_is_refused() -> None:
    """Somebody has overwritten the digest in Receipts; it is no question of reading again."""
    season = Season.begun()
    season.person(slot(1_066_000_001, f"{LATELY} 0123456789abcdef"))
    before = season.everything()
    workbook = season.workbook(lambda: NOW)
    ruling = ChangeSet(rows=(AppendRow(key("Receipts"), (2, "W-0002")),), guard=2, season="fedcba9876543210" * 4)
    ruling = replace(ruling, head=HEAD)

    with pytest.raises(SeasonMismatch, match=r"receipt 1 was written under another season secret .* bring it back"):
        commit(workbook, ruling)
    assert season.everything() == before

    commit(workbook, replace(ruling, season=DIGEST))
    assert sheets().show(season.id, fields="developerMetadata")["developerMetadata"][1]["metadataValue"] == (
        f"{int(NOW.timestamp())} 0123456789abcdef {HEAD}"
    )


def test_a_taken_number_is_read_again_whoever_took_it() -> None:
    """Two programs begin a season at once, each with a secret of its own; the second finds the first one's."""
    season = Season.begun()
    season.person(slot(1_066_000_002, f"{LATELY} 0123456789abcdef"))

    with pytest.raises(StaleWorkbook, match="Receipt 2 has been written meanwhile"):
        commit(
            season.workbook(),
            ChangeSet(rows=(AppendRow(key("Receipts"), (2,)),), guard=2, season="fedcba9876543210" * 4),
        )
