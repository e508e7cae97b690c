"""States of request rows: as ruled, changed, or a copy of another row (REQ-16, REQ-17)."""

from __future__ import annotations

import pytest

from scripts.support.workbooks import (
    NOW,
    check,
    column,
    example,
    forms,
    messages,
    read,
    ruled_example,
    run,
    undo,
    workbook,
)
from sheets_algo.database.tables import Row
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Figures, StoredReceipt
from sheets_algo.ruling.requests.row_states import TITLE, RowKind, row_states
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.row_states import (
    WARS,
    a_reused_row_is_changed,
    an_equal_copy_is_for_another,
    cells,
    type_in,
)
from tests.ruling.test_lapsed_orders import game as of_rounds

STAMFORD, HASTINGS, MANZIKERT = 2, 3, 4
"""Rows of wars."""
BLANKED = ("Winner", "Occupation", "Attacker Losses", "Defender Losses", "Duration", "Ruled At")


def ruled() -> MemoryWorkbook:
    """Return the season of 1066 with one war ruled."""
    rows = example("1066")
    for row in rows[WARS]:
        row["Ready"] = row["Request"] == "W-0001"
    book = workbook(rows)
    run(book)
    assert column(book, WARS, "Status")[0] == "Done"
    return book


def paste(book: MemoryWorkbook, source: int, onto: int) -> None:
    """Copy a whole row onto another one, as people do."""
    for at, value in enumerate(cells(book, source).values(), start=1):
        book.type_in(WARS, onto, at, value)


def become(book: MemoryWorkbook, row: int, other: int) -> None:
    """Type what another row asks for over a row, but for its id."""
    asked = ("War", "Year", "Attacker", "Attacker Military", "Defender", "Defender Military", "Location", "Motive")
    found = cells(book, other)
    type_in(book, row, **{header.replace(" ", "_"): found[header] for header in asked})


def receipts(book: MemoryWorkbook) -> list[str]:
    return [receipt.request for receipt in read_receipts(read(book)).rulings]


ROWS = [Row(None, number) for number in (2, 3, 4)]  # type: ignore[arg-type]
RULING = StoredReceipt(seq=2, kind="Ruling", request="W-1", figures=Figures("", {}, cells={"Year": "1066"}))
SAME, OTHER = {"Year": "1066"}, {"Year": "1071"}


@pytest.mark.parametrize(
    ("ruling", "is_undone", "by_row", "states"),
    [
        (None, False, {}, [RowKind.OPEN]),
        (None, False, {}, [RowKind.OPEN, RowKind.COPY, RowKind.COPY]),
        (RULING, False, [SAME], [RowKind.AS_RULED]),
        (RULING, False, [OTHER], [RowKind.CHANGED]),
        (RULING, True, [SAME], [RowKind.AS_RULED]),
        (RULING, True, [OTHER], [RowKind.AS_RULED]),
        (RULING, False, [SAME, OTHER], [RowKind.AS_RULED, RowKind.COPY]),
        (RULING, False, [OTHER, SAME], [RowKind.COPY, RowKind.AS_RULED]),
        (RULING, False, [SAME, SAME], [RowKind.AS_RULED, RowKind.EQUAL_COPY]),
        (RULING, False, [OTHER, OTHER], [RowKind.CHANGED, RowKind.COPY]),
        (RULING, False, [OTHER, SAME, SAME], [RowKind.COPY, RowKind.AS_RULED, RowKind.EQUAL_COPY]),
        (RULING, True, [OTHER, SAME], [RowKind.COPY, RowKind.AS_RULED]),
        (RULING, False, [SAME, SAME | {TITLE: "The next war"}], [RowKind.AS_RULED, RowKind.COPY]),
        (RULING, False, [SAME | {TITLE: "Another name"}], [RowKind.AS_RULED]),
    ],
)
def test_the_table_of_states(ruling, is_undone, by_row, states):
    rows = ROWS[: len(states)]
    known = {row.number: cells for row, cells in zip(rows, by_row, strict=False)}
    assert [state.kind for state in row_states(rows, ruling, known, is_undone=is_undone)] == states


def test_another_war_typed_over_a_ruled_row_shows_both_remedies_and_no_result():
    book = ruled()
    before, fought = cells(book, STAMFORD), column(book, "Flanks", "End Status")
    become(book, STAMFORD, HASTINGS)

    made = run(book)

    now = cells(book, STAMFORD)
    assert now["Status"] == "Changed"
    assert now["Message"] == (
        "'War Requests'!A2 (W-0001, Request): W-0001 was ruled as Stamford Bridge, 1066; Attacker, Attacker"
        ' Military, Defender, Defender Military, Location differ. A new war? Choose Action "Rule again". A slip? Type'
        " England,"
        " Harold's Host, Norway, Hardrada's Army, York and the Derwent back. [REQ-16]"
    )
    assert [now[header] for header in BLANKED] == [None] * len(BLANKED)
    assert not any(column(book, "Flanks", "End Status"))
    assert "REQ-16" in [problem.id for problem in made.problems]
    assert "REQ-16" in [problem.id for problem in check(read(book), forms())]
    assert (made.rulings, made.refused) == ((), 1)
    assert not run(book).writes.changes

    asked = ("War", "Attacker", "Attacker Military", "Defender", "Defender Military", "Location", "Motive")
    type_in(book, STAMFORD, **{header.replace(" ", "_"): before[header] for header in asked})
    run(book)
    assert (cells(book, STAMFORD), column(book, "Flanks", "End Status")) == (before, fought)


def replace_all(book, old, new, *tabs):
    """Find and replace a text in some tabs, in every cell and in a part of one."""
    for tab in tabs:
        for number, found in enumerate(book.rows(tab), start=1):
            for place, value in enumerate(found, start=1):
                if isinstance(value, str) and old in value:
                    book.type_in(tab, number, place, value.replace(old, new))


def test_a_nation_renamed_in_all_tabs_is_corrected_by_following_messages():
    """RCP-19, REQ-16: first the receipts get their names back, then the rows of the wars that were ruled."""
    book, _ = ruled_example("1066")
    before = column(book, "War Requests", "Winner")
    replace_all(book, "Normandy", "Normannia", *book.tabs)

    assert "(if a name was replaced in all tabs, replace it back in Receipts)" in str(run(book).findings.held)
    replace_all(book, "Normannia", "Normandy", "Receipts")
    made = run(book)
    assert made.findings.held is None
    said = [cells(book, row)["Message"] for row in (2, 3, 4, 5, 6) if cells(book, row)["Status"] == "Changed"]
    assert len(said) == 2
    assert said[0].endswith(
        'Attacker differs. A new war? Choose Action "Rule again". A slip, or is it Normandy under another name? Type'
        " Normandy back; a ruled row keeps the names of its ruling. [REQ-16]"
    )

    replace_all(book, "Normannia", "Normandy", "War Requests")
    run(book)
    assert set(column(book, "War Requests", "Status")) == {"Done"}
    assert [str(name).replace("Normannia", "Normandy") for name in column(book, "War Requests", "Winner")] == before
    assert "Normannia" in column(book, "Nations", "Name")


def test_a_changed_row_without_its_id_is_ruled_as_another_war():
    book = ruled()
    become(book, STAMFORD, MANZIKERT)
    run(book)
    type_in(book, STAMFORD, Request=None)

    run(book)

    assert receipts(book) == ["W-0001", "W-0006"]
    assert (cells(book, STAMFORD)["Request"], cells(book, STAMFORD)["Status"]) == ("W-0006", "Done")


@pytest.mark.parametrize(
    "typed",
    [
        {"War": "The northern war", "Action": "Forecast", "Ready": False},
        {"Attacker": " england", "Year": "1,066"},
        {"Commit_Stability": True, "Terrain_Map": None},
    ],
)
def test_irrelevant_or_equivalent_edits_leave_a_row_unchanged(typed):
    book = ruled()
    type_in(book, STAMFORD, **typed)

    run(book)

    assert cells(book, STAMFORD)["Status"] == "Done"


@pytest.mark.parametrize("cell", [{"Seed": 7}, {"Commit_Stability": False}, {"Motive": None}, {"Year": None}])
def test_each_deciding_cell_changes_a_row(cell):
    book = ruled()
    if cell == {"Motive": None}:
        type_in(book, STAMFORD, Motive="Slavery")
        cell = {}
    type_in(book, STAMFORD, **cell)

    run(book)

    assert cells(book, STAMFORD)["Status"] == "Changed"


def test_flanks_and_the_database_may_change_after_a_ruling():
    book = ruled()
    names = [row[0] for row in book.rows("Nations")]
    type_in(book, names.index("Norway") + 1, "Nations", Name="Norge", Stability=3)
    type_in(book, 2, "Flanks", X=1)

    run(book)

    assert cells(book, STAMFORD)["Status"] == "Done"


def test_a_copied_row_turned_into_another_war_gets_an_id_and_waits_for_a_tick():
    book = ruled()
    original = cells(book, STAMFORD)
    paste(book, STAMFORD, 9)
    become(book, 9, MANZIKERT)

    run(book)

    says = "Copied from W-0001; its own id is W-0006. Clear Ready until this line is gone, and tick it anew"
    assert cells(book, STAMFORD) == original
    copy = cells(book, 9)
    assert (copy["Request"], copy["Status"], copy["Message"], copy["Ready"]) == ("W-0006", None, says, True)
    assert [copy[header] for header in BLANKED] == [None] * len(BLANKED)
    for _ in range(3):  # the tick that was pasted counts never, in no process
        assert not run(book).writes.changes
    assert receipts(book) == ["W-0001"]

    type_in(book, 9, Ready=False)
    run(book)
    assert cells(book, 9)["Message"] is None
    type_in(book, 9, Ready=True)
    run(book)
    assert receipts(book) == ["W-0001", "W-0006"]
    assert cells(book, STAMFORD) == original


def test_a_copied_row_with_a_typed_id_needs_no_second_tick():
    book = ruled()
    paste(book, STAMFORD, 9)
    become(book, 9, MANZIKERT)
    run(book)
    type_in(book, 9, Request="W-0050")

    run(book)

    assert receipts(book) == ["W-0001", "W-0050"]


def test_an_equal_copy_is_reported_and_not_ruled():
    book = ruled()
    original = cells(book, STAMFORD)
    paste(book, STAMFORD, 9)

    made = run(book)

    copy = cells(book, 9)
    assert cells(book, STAMFORD) == original
    assert (copy["Request"], copy["Status"], copy["Winner"]) == ("W-0001", "Invalid", None)
    assert copy["Message"] == (
        "'War Requests'!A9 (W-0001, Request): a copy of W-0001 in row 2, ruled as Stamford Bridge, 1066;"
        ' the copy is not ruled. Choose Action "Rule again" for another war, or delete the row. [REQ-17]'
    )
    assert not made.rulings
    assert [problem.id for problem in check(read(book), forms())].count("REQ-17") == 1


def test_a_copy_pasted_above_its_original_leaves_the_original_done():
    book = ruled()
    original = cells(book, STAMFORD)
    for at, value in enumerate(original.values(), start=1):
        book.type_in(WARS, 9, at, value)
    become(book, STAMFORD, HASTINGS)

    run(book)

    assert cells(book, 9) == original
    assert (cells(book, STAMFORD)["Request"], cells(book, STAMFORD)["Status"]) == ("W-0006", None)


def test_the_upper_one_of_two_unruled_rows_with_an_id_keeps_it():
    rows = example("1066")
    rows[WARS] = [rows[WARS][0], rows[WARS][2] | {"Request": "w-0001 ", "Ready": True}]
    book = workbook(rows)

    run(book)

    assert receipts(book) == ["W-0001"]
    assert cells(book, 3)["Message"].startswith("Copied from w-0001; its own id is W-0006.")


def test_rows_with_cells_moved_below_their_ids_are_changed_and_not_ruled_again():
    """Ids are typed, all else comes from formulas that a new row shifts."""
    book, _ = ruled_example("1066")
    found = [cells(book, row) for row in range(2, 7)]
    typed = ("Request", "Ready")
    for row in range(6, 1, -1):
        source = found[row - 3] if row > 2 else dict.fromkeys(found[0])
        kept = {head: value for head, value in source.items() if head not in typed}
        for at, header in enumerate(found[0], start=1):
            if header in kept and header not in (*BLANKED, "Status", "Message"):
                book.type_in(WARS, row, at, kept[header])

    made = run(book)

    assert column(book, WARS, "Status") == ["Changed"] * 5
    assert column(book, WARS, "Winner") == [None] * 5
    assert not made.rulings
    says = [str(message).partition("This row is ")[2][:6] for message in column(book, WARS, "Message")]
    assert says == ["", "W-0001", "W-0002", "W-0003", "W-0004"]
    for row in range(2, 7):
        type_in(book, row, Request=f"W-000{row - 2}" if row > 2 else None)
    run(book)
    assert column(book, WARS, "Status")[1:] == ["Done"] * 4


def test_a_row_of_an_undone_ruling_shows_that_despite_edits():
    book = ruled()
    snapshot = read(book)
    book.commit(snapshot, undo(snapshot, forms(), "W-0001", NOW)[1])
    become(book, STAMFORD, HASTINGS)

    assert [status for _, status, _ in messages(run(book))][:1] == ["Undone"]


def test_an_undo_is_shown_by_the_ruled_row_and_not_by_its_copy():
    book = ruled()
    paste(book, STAMFORD, 9)
    run(book)
    snapshot = read(book)

    book.commit(snapshot, undo(snapshot, forms(), "W-0001", NOW)[1])

    assert (cells(book, STAMFORD)["Status"], cells(book, 9)["Status"]) == ("Undone", "Invalid")


def test_an_edited_ruled_row_is_reported_in_other_rulesets():
    a_reused_row_is_changed("jousts", "Joust Requests", {"Challenged": "another"})
    a_reused_row_is_changed("rounds", "Round Requests", {"Order": "Close the game"})


def test_an_equal_copy_is_reported_in_the_word_of_its_ruleset():
    """A copied order was "for another war"."""
    an_equal_copy_is_for_another("jousts", "Joust Requests", "joust")
    an_equal_copy_is_for_another("rounds", "Round Requests", "order")


def test_a_formerly_blank_cell_must_be_cleared_again():
    """People were told to type "nothing back"."""
    book = workbook(of_rounds({"Player": "Anna", "Order": "Set tax", "Tax %": 15}))
    run(book)
    type_in(book, 2, "Round Requests", **{"Gold ¤": 50})
    run(book)

    said = cells(book, 2, "Round Requests")["Message"]

    assert 'Gold ¤ differs. A new order? Choose Action "Rule again". A slip? Empty Gold ¤ again. [REQ-16]' in said


def test_a_receipt_contains_the_deciding_cells():
    """The cells that decided are in the receipt, as typed or as the default that a blank one stands for."""
    book = ruled()
    (receipt,) = read_receipts(read(book)).rulings
    assert receipt.figures.cells["Attacker"] == "England"
    assert receipt.figures.cells["Commit Stability"] == "yes"
    assert receipt.figures.cells["Seed"] == ""
    assert "War" not in receipt.figures.cells
