"""States of request rows: as ruled, changed, or a copy of another row (REQ-16, REQ-17)."""

from __future__ import annotations

from scripts.support.workbooks import (
    column,
    example,
    read,
    ruled_example,
    run,
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


ROWS = [Row(None, number) for number in (2, 3, 4)]  # type: ignore[arg-type]
RULING = StoredReceipt(seq=2, kind="Ruling", request="W-1", figures=Figures("", {}, cells={"Year": "1066"}))
SAME, OTHER = {"Year": "1066"}, {"Year": "1071"}


TABLE = [
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
]


def test_the_table_of_states():
    found = []
    for ruling, is_undone, by_row, states in TABLE:
        rows = ROWS[: len(states)]
        known = {row.number: cells for row, cells in zip(rows, by_row, strict=False)}
        found.append([state.kind for state in row_states(rows, ruling, known, is_undone=is_undone)])
    assert found == [states for *_, states in TABLE]


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


def test_an_edited_ruled_row_is_reported_in_other_rulesets():
    a_reused_row_is_changed("jousts", "Joust Requests", {"Challenged": "another"})
    a_reused_row_is_changed("rounds", "Round Requests", {"Order": "Close the game"})


def test_an_equal_copy_is_reported_in_the_word_of_its_ruleset():
    """A copied order was "for another war"."""
    an_equal_copy_is_for_another("jousts", "Joust Requests", "joust")
    an_equal_copy_is_for_another("rounds", "Round Requests", "order")


def test_a_receipt_contains_the_deciding_cells():
    """The cells that decided are in the receipt, as typed or as the default that a blank one stands for."""
    book = ruled()
    (receipt,) = read_receipts(read(book)).rulings
    assert receipt.figures.cells["Attacker"] == "England"
    assert receipt.figures.cells["Commit Stability"] == "yes"
    assert receipt.figures.cells["Seed"] == ""
    assert "War" not in receipt.figures.cells
