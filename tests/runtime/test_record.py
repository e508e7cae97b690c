"""The record of a season beside its workbook: what is added to it, and what of it is believed (RCP-19, PST-15)."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.support.season_records import age, records
from scripts.support.workbooks import SECRET, library, read
from sheets_algo.ruling.receipts.chain import NotedHead
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.runtime.session import record as records_
from sheets_algo.runtime.session.record import (
    COMPLETE,
    HEAD,
    PLACE,
    POST,
    PUT_BACK,
    SETTLED,
    RecordEntry,
    SeasonRecord,
    begin_commit,
    note_complete,
    note_head,
    note_seen,
    noted_heads,
)
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.spoilt_workbooks import example_grids

SEASON = SECRET.digest
LAST = 6
"""The number of the last receipt of the ruled workbook."""


def session(folder: Path, name: str = "season.xlsx") -> Session:
    return Session(workbook=MemoryWorkbook({}, name), folder=folder, library=library())


def receipts(without: tuple[int, ...] = ()) -> Receipts:
    """The receipts of the example, without some rows."""
    grids = example_grids("1066", is_ruled=True)
    kept = [row for number, row in enumerate(grids["Receipts"]) if number not in without]
    return read_receipts(read(MemoryWorkbook({**grids, "Receipts": kept})))


def noted(place: Session, season: str = SEASON) -> list[str]:
    heads = noted_heads(place, season, asks=True)
    assert {head.place for head in heads} <= {PLACE}
    return [str(head.head) for head in heads]


def test_the_last_receipt_is_noted_by_workbook_and_season(tmp_path: Path) -> None:
    place, head = session(tmp_path), receipts().head
    assert noted(place) == []

    note_seen(place, receipts())

    assert noted_heads(place, SEASON, asks=False) == (NotedHead(head, PLACE),)
    line = json.loads(records(place.folder)[0].read_text())
    assert (line["kind"], line["head"]) == ("head", f"{LAST}-{head.digest}")
    assert noted(place, "f" * 64) == []
    assert noted(session(tmp_path, "other.xlsx")) == []
    # without a Season row nobody knows which season it is
    assert noted(place, "") == [str(head)]
    assert noted(session(tmp_path, "other.xlsx"), "") == []


def test_the_record_never_goes_back(tmp_path: Path) -> None:
    place = session(tmp_path)
    note_head(place, SEASON, Head(9, "9" * 32))

    note_head(place, SEASON, Head(8, "8" * 32))
    note_head(place, SEASON, Head(9, "a" * 32))
    assert noted(place) == [f"9-{'9' * 32}"]

    note_head(place, SEASON, Head(10, "b" * 32))
    assert noted(place) == [f"10-{'b' * 32}"]


@pytest.mark.parametrize("gone", [(3,), (1,), (2, 4, 5), (1, 2, 3, 4, 5, 6)])
def test_a_workbook_without_receipts_is_not_noted(tmp_path: Path, gone: tuple[int, ...]) -> None:
    """Else what is gone would be forgotten as soon as somebody had looked."""
    note_seen(session(tmp_path), receipts(without=gone))

    assert noted(session(tmp_path), "") == []


def test_an_older_workbook_changes_no_record(tmp_path: Path) -> None:
    place = session(tmp_path)
    note_seen(place, receipts())
    before = records(place.folder)[0].read_bytes()

    note_seen(place, receipts(without=(5, 6)))

    assert records(place.folder)[0].read_bytes() == before


HOSTILE = [
    "",
    "{",
    "null",
    "[]",
    "7",
    '"season.xlsx"',
    "[" * 100_000,
    '{"kind": "head"}',
    '{"kind": 7, "head": "6"}',
    *(
        json.dumps({"kind": "head", "head": head})
        for head in ("", "x", "-1", "1e9", "0x10", "6-xyz", "1000000", "9" * 15, "9" * 5000, 7.5, None, [], {"6": "a"})
    ),
    '{"kind": "complete", "what": "6"}',
    '{"kind": "head", "head": ' + "9" * 5000 + "}",
]


@pytest.mark.parametrize("content", [text.encode() for text in HOSTILE] + [b"\xff\xfe\x00", b"\0" * 1000])
def test_a_line_that_cannot_be_right_is_not_believed_and_the_head_is_noted_anew(tmp_path: Path, content: bytes) -> None:
    place = session(tmp_path)
    note_seen(place, receipts())
    records(place.folder)[0].write_bytes(content)

    assert noted(place) == []
    assert noted(place, "") == []

    note_seen(place, receipts())
    assert noted(place) == [str(receipts().head)]


def test_a_read_only_folder_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / ".sheets-algo").write_text("a file where the folder should be")

    note_seen(session(tmp_path), receipts())

    assert noted(session(tmp_path)) == []
    assert noted(session(tmp_path), "") == []


def test_a_workbook_with_an_odd_name_has_a_record_too(tmp_path: Path) -> None:
    for name in ("a/b\\c:\ud800.xlsx", "x" * 5000):
        place = session(tmp_path, name)
        note_seen(place, receipts())
        assert noted(place) == [str(receipts().head)]


def kinds(place: Session) -> list[str]:
    return [entry.kind for entry in SeasonRecord.of(place, SEASON).entries()]


@pytest.mark.parametrize("cut", range(1, 100, 13))
def test_a_line_that_was_cut_off_spoils_no_other_and_says_so(tmp_path: Path, cut: int) -> None:
    place = session(tmp_path)
    note_head(place, SEASON, Head(8, "8" * 32))
    whole = records(tmp_path)[0].read_bytes()
    records(tmp_path)[0].write_bytes(whole + whole[:cut])

    note_head(place, SEASON, Head(9, "9" * 32))

    assert noted(place) == [f"9-{'9' * 32}"]
    assert kinds(place) == [HEAD, PUT_BACK, HEAD]


def test_a_restored_record_is_reported_until_it_is_settled(tmp_path: Path) -> None:
    place = session(tmp_path)
    record = SeasonRecord.of(place, SEASON)
    note_head(place, SEASON, Head(8, "8" * 32))
    assert not record.is_put_back
    age(tmp_path)
    assert record.is_put_back

    note_head(place, SEASON, Head(9, "9" * 32))
    assert record.is_put_back
    assert kinds(place) == [HEAD, PUT_BACK, HEAD]

    record.append(RecordEntry(SETTLED))
    assert not record.is_put_back


def test_a_long_record_is_compacted_to_the_lines_that_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_, "LONGEST", 1000)
    place = session(tmp_path)
    record = SeasonRecord.of(place, SEASON)
    post = {"seq": 2, "request": "W-0001", "odds": "", "channel": "wars", "state": "Waiting"}
    for number in range(1, 20):
        record.append(
            RecordEntry(COMPLETE, what=number - 1),
            RecordEntry(HEAD, str(Head(number, "a" * 32))),
            RecordEntry(POST, what=post | {"attempts": number}),
        )

    record.compact()

    assert (len(record.entries(COMPLETE)), record.complete) == (1, 18)
    assert noted(place) == [f"19-{'a' * 32}"]
    assert [entry.what["attempts"] for entry in record.entries(POST)] == [19]
    assert not record.is_put_back
    age(tmp_path)
    record.compact()
    assert record.is_put_back


def test_lines_added_during_a_compaction_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_, "LONGEST", 10)
    place = session(tmp_path)
    record = SeasonRecord.of(place, SEASON)
    note_head(place, SEASON, Head(8, "8" * 32))
    compacted = records_._compacted

    def meanwhile(entries: Iterator[RecordEntry]) -> list[RecordEntry]:
        kept = compacted(entries)
        record.append(RecordEntry(SETTLED))
        return kept

    monkeypatch.setattr(records_, "_compacted", meanwhile)
    record.compact()

    assert kinds(place) == [HEAD, "compacted", SETTLED]


def test_lines_of_several_processes_are_all_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_, "LONGEST", 2_000)
    record = SeasonRecord.of(session(tmp_path), SEASON)

    def add(name: int) -> None:
        for number in range(50):
            record.append(RecordEntry(POST, what={"seq": 1 + name * 50 + number}))
            record.compact()

    threads = [threading.Thread(target=add, args=(name,)) for name in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {entry.what["seq"] for entry in record.entries(POST)} == set(range(1, 151))


def test_files_are_complete_up_to_the_last_receipt_without_a_gap(tmp_path: Path) -> None:
    place, record = session(tmp_path), SeasonRecord.of(session(tmp_path), SEASON)
    assert record.complete is None

    begin_commit(place, receipts(), ChangeSet(guard=LAST + 1))
    assert record.complete == LAST  # what was there before is another computer's, or was deleted with the record

    note_complete(place, SEASON, LAST + 3, LAST + 4)  # another computer has ruled meanwhile
    assert record.complete == LAST

    note_complete(place, SEASON, LAST + 1, LAST + 4)
    begin_commit(place, receipts(), ChangeSet(guard=LAST + 5))
    assert record.complete == LAST + 4
