"""Receipts that people delete, restore or change: nothing is ruled twice, and everybody is told (RCP-19)."""

from __future__ import annotations

import shutil

import openpyxl
import pytest

from scripts.support.moderator import BOOK, SECRET, only, season, write
from scripts.support.moderator import shown as shown_rows
from scripts.support.season_records import forget, records
from sheets_algo.runtime.session.record import HEAD, SeasonRecord

RECEIPTS = "Receipts"
GONE = "receipt 3 is gone"


def delete_rows(online, id, tab, first, count=1):
    """A person deletes rows of a tab."""
    rows = {"sheetId": online.server.tabs(id)[tab], "dimension": "ROWS", "startIndex": first - 1}
    online.server.user(id, [{"deleteDimension": {"range": rows | {"endIndex": first - 1 + count}}}])


def shown(online, id, header):
    """What the requests show below a header, by id."""
    return dict(zip(online.column(id, "Request"), online.column(id, header), strict=True))


@pytest.fixture
def two_wars(online):
    """A spreadsheet in which one run has ruled two wars: receipts 2 and 3 under one guard."""
    id = online.make(only(season(), "W-0001", "W-0004"))
    said = online.types("run", id)
    assert said.code == 0, said
    assert online.rulings(id) == ["W-0001", "W-0004"]
    return id


def test_a_deleted_last_receipt_is_not_ruled_again(online, two_wars):
    """Another computer, which has no record, is told by the guard."""
    before = online.column(two_wars, "Stability", "Nations")
    forget(online.moderator.folder / "state" / two_wars)
    delete_rows(online, two_wars, RECEIPTS, 4)

    dry, run = online.types("run", two_wars, "--dry-run"), online.types("run", two_wars)

    assert (dry.code, run.code) == (3, 3)
    for said in (dry, run):
        assert f"Receipts: {GONE}; the guard in the spreadsheet says 3-" in said.out
    assert "accept that with sheets-algo restore WORKBOOK --accept" in run.out
    assert online.rulings(two_wars) == ["W-0001"]
    assert online.column(two_wars, "Stability", "Nations") == before
    message = shown(online, two_wars, "Message")["W-0004"]
    assert "and there is no receipt of it, so nothing is ruled here" in message
    assert "Receipts are gone, or not as they were written; doctor and restore say which." in message
    for command in ("check", "verify", "doctor"):
        said = online.types(command, two_wars)
        assert GONE in said.out, said
        assert said.code in (1, 3)
    assert GONE in online.types("undo", two_wars, "W-0001").err


def test_a_war_after_a_lost_receipt_gets_the_reason_to_wait(online):
    id = online.make(only(season(), "W-0001", "W-0004"))
    online.tick(id, "W-0004", ready=False)
    assert online.types("run", id).code == 0
    delete_rows(online, id, RECEIPTS, 3)
    delete_rows(online, id, "War Requests", 2)
    online.tick(id, "W-0004")

    run = online.types("run", id)

    assert run.code == 3
    assert online.rulings(id) == []
    message = shown(online, id, "Message")["W-0004"]
    assert message.startswith(
        "Nothing is ruled now. Receipts are gone, or not as they were written; doctor and restore"
    )


def test_a_receipt_accepts_the_loss_and_the_season_continues(online, two_wars):
    delete_rows(online, two_wars, RECEIPTS, 4)

    told = online.types("restore", two_wars)
    accepted = online.types("restore", two_wars, "--accept")
    again = online.types("run", two_wars)

    assert told.code == 1
    assert "receipt 3 ruled W-0004" in told.out
    assert accepted.code == 0, accepted
    assert "Accepted by receipt 4" in accepted.out
    assert online.column(two_wars, "Kind", RECEIPTS) == ["Season", "Ruling", "Restore"]
    assert again.code == 1
    assert "W-0004   Invalid" in again.out
    assert online.rulings(two_wars) == ["W-0001"]
    verified = online.types("verify", two_wars)
    assert verified.code == 0, verified
    assert "Receipt 4: A moderator has accepted that receipt 3 is gone" in verified.out


def test_a_season_without_its_season_row_is_not_accepted(online, two_wars):
    """Else the receipt of kind Restore would stand alone, and nothing could ever be ruled or brought back."""
    delete_rows(online, two_wars, RECEIPTS, 2, 3)

    accepted = online.types("restore", two_wars, "--accept")

    assert accepted.code == 3
    assert "receipts 1 to 3 are gone" in accepted.err
    assert "and among them the row of Kind Season" in accepted.err
    assert online.column(two_wars, "Kind", RECEIPTS) == []


def test_a_restored_row_counts_as_never_lost(online, two_wars):
    copied = online.server.tabs(two_wars)[RECEIPTS]
    online.server.user(two_wars, [{"duplicateSheet": {"sourceSheetId": copied, "newSheetName": "Kept"}}])
    delete_rows(online, two_wars, RECEIPTS, 4)
    assert online.types("run", two_wars).code == 3
    row = {"startRowIndex": 3, "endRowIndex": 4, "startColumnIndex": 0, "endColumnIndex": 30}
    tabs = online.server.tabs(two_wars)
    source, place = row | {"sheetId": tabs["Kept"]}, row | {"sheetId": tabs[RECEIPTS]}
    online.server.user(two_wars, [{"copyPaste": {"source": source, "destination": place}}])

    assert online.types("run", two_wars).code == 0
    assert [shown(online, two_wars, "Status")[war] for war in ("W-0001", "W-0004")] == ["Done", "Done"]
    assert online.types("verify", two_wars).code == 0


def test_an_older_copy_of_a_file_is_held_by_the_record_beside_it(moderator):
    write(moderator.book, only(season(), "W-0001", "W-0004"))
    shutil.copy(moderator.book, moderator.folder / "before.xlsx")
    assert moderator.types("run", BOOK).code == 0
    shutil.copy(moderator.folder / "before.xlsx", moderator.book)

    run = moderator.types("run", BOOK)

    assert run.code == 3, run
    assert "receipts 2 to 3 are gone; the record on this computer says 3-" in run.out
    assert "receipts 2 to 3 are gone" in moderator.types("verify", BOOK).out


def test_the_season_row_of_a_file_testifies_without_a_record(moderator):
    write(moderator.book, only(season(), "W-0001", "W-0004"))
    assert moderator.types("run", BOOK).code == 0
    book = openpyxl.load_workbook(moderator.book)
    book[RECEIPTS].delete_rows(4)
    book.save(moderator.book)
    forget(moderator.folder)

    run = moderator.types("run", BOOK)

    assert run.code == 1
    assert "and there is no receipt of it, so nothing is ruled here" in run.out
    assert "0 requests ruled" in run.out


def test_every_command_reports_a_changed_receipt(moderator):
    write(moderator.book, only(season(), "W-0001", "W-0004"))
    assert moderator.types("run", BOOK).code == 0
    head = moderator.types("verify", BOOK, "--json").data["chain"].split()[6].rstrip(";")
    book = openpyxl.load_workbook(moderator.book)
    place = [cell.value for cell in book[RECEIPTS][1]].index("Request") + 1
    book[RECEIPTS].cell(3, place).value = "W-0099"
    book.save(moderator.book)

    verified = moderator.types("verify", BOOK, "--head", head)

    assert verified.code == 1
    assert "receipt 2 is not as it was written" in verified.out
    assert moderator.types("run", BOOK).code == 3
    assert moderator.types("check", BOOK).code == 1


def test_a_head_from_before_an_accepted_loss_proves_nothing(moderator):
    """It said that all receipts before it were those of then, while one was gone and a Restore had been emptied."""
    write(moderator.book, only(season(), "W-0001", "W-0004"))
    assert moderator.types("run", BOOK).code == 0
    head = moderator.types("verify", BOOK, "--json").data["chain"].split()[6].rstrip(";")
    book = openpyxl.load_workbook(moderator.book)
    book[RECEIPTS].delete_rows(3)
    book.save(moderator.book)
    assert moderator.types("restore", BOOK, "--accept").code == 0
    book = openpyxl.load_workbook(moderator.book)
    place = [cell.value for cell in book[RECEIPTS][1]].index("Receipt") + 1
    book[RECEIPTS].cell(4, place).value = "Release notes."
    book.save(moderator.book)
    forget(moderator.folder)

    verified = moderator.types("verify", BOOK, "--head", head, "--html", "page.html")

    assert verified.code == 1
    gone = "Receipt 3 has the head that you noted, but what it vouches for is no longer there: receipt 2 is gone."
    assert gone in verified.out
    page = (moderator.folder / "page.html").read_text("utf-8")
    accepted = "A moderator has accepted that receipt 2 is gone"
    for text in (verified.out, page):
        assert accepted in text
        assert "Release notes" not in text
    assert page.index(accepted) < page.index("The one result comes out again")


def test_a_head_noted_by_a_player_is_compared(moderator):
    write(moderator.book, only(season(), "W-0001", "W-0004"))
    assert moderator.types("run", BOOK).code == 0
    head = moderator.types("verify", BOOK, "--json").data["chain"].split()[6].rstrip(";")

    same = moderator.types("verify", BOOK, "--head", head)
    other = moderator.types("verify", BOOK, "--head", "3-0123456789abcdef")

    assert same.code == 0
    assert "Receipt 3 has the head that you noted" in same.out
    assert other.code == 1
    assert "No receipt has the head 3-0123456789abcdef" in other.out
    assert other.out.splitlines()[-1] == "Each receipt for itself: 2 of 2 receipts equal."
    moderator.types("verify", BOOK, "--head", "3-0123456789abcdef", "--html", "page.html")
    page = (moderator.folder / "page.html").read_text("utf-8")
    assert 0 < page.index("No receipt has the head") < page.index("2 of 2 receipts equal")


def test_no_second_season_begins_after_the_deletion_of_receipts(moderator):
    write(moderator.book, only(season(), "W-0001", "W-0004"))
    assert moderator.types("run", BOOK).code == 0
    book = openpyxl.load_workbook(moderator.book)
    del book[RECEIPTS]
    book.save(moderator.book)

    init, run = moderator.types("init", BOOK), moderator.types("run", BOOK)

    assert (init.code, run.code) == (3, 3)
    assert "receipts 1 to 3 are gone; the record on this computer says 3-" in init.err
    assert "receipts 1 to 3 are gone" in run.out
    doctor, restored = moderator.types("doctor", BOOK), moderator.types("restore", BOOK, "--accept")
    for said in (init.err, run.out, doctor.out, restored.err):
        assert "or play on in a new spreadsheet, or in a file of another name" in said
        assert "accept that with" not in said


@pytest.mark.parametrize("is_noted", [True, False])
def test_rcp_19_renamed_receipts_must_get_their_name_back(moderator, is_noted):
    write(moderator.book, only(season(), "W-0001"))
    assert moderator.types("run", BOOK).code == 0
    rename(moderator.book, RECEIPTS, "Belege")
    if not is_noted:
        forget(moderator.folder)

    init, run, doctor = (moderator.types(command, BOOK) for command in ("init", "run", "doctor"))

    for said in (init.err, run.out, doctor.out):
        assert 'The tab "Belege" looks like it: name it Receipts again' in said
    assert ("receipts 1 to 2 are gone" in run.out) == is_noted
    if is_noted:
        assert "name it Receipts again" in moderator.types("restore", BOOK, "--accept").err
    assert "no digest of a secret yet" not in doctor.out
    rename(moderator.book, "Belege", RECEIPTS)
    assert moderator.types("verify", BOOK).code == 0


def rename(path, tab, title):
    book = openpyxl.load_workbook(path)
    book[tab].title = title
    book.save(path)


def test_no_second_season_begins_after_the_deletion_of_the_season_row(moderator):
    assert moderator.types("init", BOOK).code == 0
    book = openpyxl.load_workbook(moderator.book)
    book[RECEIPTS].delete_rows(2)
    book.save(moderator.book)

    run = moderator.types("run", BOOK)

    assert run.code == 3
    assert "Receipts: receipt 1 is gone; the record on this computer says 1-" in run.out
    assert "Done" not in [row["Status"] for row in shown_rows(moderator.book, "War Requests")]


def test_no_second_season_begins_in_a_spreadsheet_without_its_first_row(online):
    """Another computer, which has no record, is told by the guard that init took."""
    id = online.make({}, begins=False)
    assert online.types("init", id).code == 0
    forget(online.moderator.folder / "state" / id)
    delete_rows(online, id, RECEIPTS, 2)

    run = online.types("run", id)

    assert run.code == 3, run
    assert "Receipts: receipt 1 is gone; the guard in the spreadsheet says 1-" in run.out
    assert online.rulings(id) == []


def recorded(moderator):
    """The heads in the records of the folder."""
    entries = [SeasonRecord(file).entries(HEAD)[-1] for file in records(moderator.folder)]
    return [entry.head.partition("-")[0] for entry in entries]


@pytest.mark.parametrize("secret", [SECRET, ""], ids=["the same secret", "a secret of its own"])
@pytest.mark.parametrize("former", ["ruled", "begun with a beacon"])
def test_a_recreated_file_begins_its_record_again(moderator, former, secret):
    season_of = {"SHEETS_ALGO_SECRET": secret}
    luck = ("--luck", "secret" if former == "ruled" else "beacon")
    assert moderator.types("init", BOOK, "--ruleset", "jousts", *luck, **season_of).code == 0
    if former == "ruled":
        assert moderator.types("run", BOOK, **season_of).code == 0
    moderator.book.unlink()

    assert moderator.types("init", BOOK, "--ruleset", "jousts", **season_of).code == 0

    assert recorded(moderator) == ["1"]
    run = moderator.types("run", BOOK, **season_of)
    assert run.code == 0, run
    assert recorded(moderator) == ["4"]


def test_a_beacon_season_begins_in_place_of_a_deleted_file(moderator):
    season_of = {"SHEETS_ALGO_SECRET": SECRET}
    assert moderator.types("init", BOOK, "--ruleset", "jousts", **season_of).code == 0
    assert moderator.types("run", BOOK, **season_of).code == 0
    moderator.book.unlink()

    assert moderator.types("init", BOOK, "--ruleset", "jousts", "--luck", "beacon", **season_of).code == 0

    verified = moderator.types("verify", BOOK, **season_of)
    assert (verified.code, recorded(moderator)) == (0, ["1"]), verified


def test_init_on_an_existing_workbook_keeps_its_receipts(moderator):
    season_of = {"SHEETS_ALGO_SECRET": SECRET}
    assert moderator.types("init", BOOK, "--ruleset", "jousts", **season_of).code == 0
    before = moderator.book.read_bytes()
    assert moderator.types("run", BOOK, **season_of).code == 0
    assert moderator.types("init", BOOK, "--overrides", **season_of).code == 0
    assert recorded(moderator) == ["4"]

    moderator.book.write_bytes(before)

    assert moderator.types("init", BOOK, "--overrides", **season_of).code == 3
    assert moderator.types("run", BOOK, **season_of).code == 3
    assert recorded(moderator) == ["4"]


def test_a_spreadsheet_of_the_same_title_is_separate(online):
    season_of = {"SHEETS_ALGO_SECRET": SECRET}
    first, second = (online.make({}, begins=False) for _ in range(2))
    for id in (first, second):
        assert online.types("init", id, "--ruleset", "jousts", **season_of).code == 0
        assert online.types("run", id, **season_of).code == 0

    assert len(online.column(second, "Kind", "Receipts")) == 4
