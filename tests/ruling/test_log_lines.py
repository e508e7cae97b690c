"""Messages and lines of the log that people rewrite after a ruling (RCP-34)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from openpyxl.utils import get_column_letter

from scripts.support.smallest_war import war_form, war_rows
from scripts.support.workbooks import SECRET, pass_context, run, workbook
from sheets_algo import __version__
from sheets_algo.database.headers import key_of
from sheets_algo.forms.rulesets import form_entries
from sheets_algo.replays.log_lines import rows_by_receipt
from sheets_algo.replays.replay import Verdict, verify
from sheets_algo.replays.shown_results import shown_otherwise
from sheets_algo.ruling.promises.promises import Promises
from sheets_algo.ruling.receipts.receipt_rows import LogRow
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.steps import tabs_to_read
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.snapshot import Snapshot


def whole(book: MemoryWorkbook) -> Snapshot:
    return book.read([*tabs_to_read(form_entries()), key_of(LogRow)])


def ruled() -> MemoryWorkbook:
    book = workbook(war_rows())
    run(book)
    return book


def cell(book: MemoryWorkbook, tab: str, header: str) -> int:
    return list(book.rows(tab)[0]).index(header) + 1


def verdict(book: MemoryWorkbook) -> Verdict:
    snapshot = whole(book)
    known = read_receipts(snapshot)
    ruling = known.rulings[0]
    fingerprint, log = pass_context().fingerprints["autoalgo"], rows_by_receipt(snapshot)[str(ruling.seq)]
    return verify(ruling, war_form(), fingerprint, SECRET, known.options, Promises(known), log)


def shown(book: MemoryWorkbook) -> Sequence[str]:
    snapshot = whole(book)
    return [str(problem) for problem in shown_otherwise(snapshot, [war_form()], read_receipts(snapshot))]


def test_rcp_34_unchanged_lines_are_equal_in_any_order() -> None:
    book = ruled()
    rows = book.rows("Log")
    assert verdict(book).is_equal
    for number, row in enumerate(reversed(rows[1:]), start=2):
        for column, value in enumerate(row, start=1):
            book.type_in("Log", number, column, value)
    assert verdict(book).is_equal


@pytest.mark.parametrize(
    ("header", "value"), [("Text", "Left flees"), ("Amount", 123), ("Hour", 99), ("Side", "Nobody")]
)
def test_rcp_34_a_rewritten_line_is_reported_with_its_cell(header: str, value: object) -> None:
    book = ruled()
    book.type_in("Log", 4, cell(book, "Log", header), value)
    differences = verdict(book).differences
    assert len(differences) == 1
    assert differences[0].startswith("Log!I4: the log says ")
    assert differences[0].endswith(", the ruling has no such line")


def test_rcp_34_a_lost_line_is_reported_but_a_cleared_log_is_not() -> None:
    book = ruled()
    rows = len(book.rows("Log"))
    for column in range(1, 10):
        book.type_in("Log", 4, column, None)
    assert " lines" in verdict(book).differences[0]
    for number in range(2, rows + 1):
        for column in range(1, 10):
            book.type_in("Log", number, column, None)
    snapshot = whole(book)
    assert rows_by_receipt(snapshot) == {}


@pytest.mark.parametrize("text", ["Right won the battle", "Left won, and Right has no army any more"])
def test_rcp_34_a_rewritten_message_is_reported(text: str) -> None:
    book = ruled()
    assert shown(book) == []
    column = cell(book, "War Requests", "Message")
    book.type_in("War Requests", 2, column, text)
    place = f"'War Requests'!{get_column_letter(column)}2 (W-1, Message)"
    assert [line.partition(":")[0] for line in shown(book)] == [place]


def test_rcp_34_a_blank_message_is_not_a_rewritten_one() -> None:
    book = ruled()
    book.type_in("War Requests", 2, cell(book, "War Requests", "Message"), None)
    assert shown(book) == []


def reworded(book: MemoryWorkbook, release: str, **cells: object) -> Verdict:
    """Return what is computed of the receipt with other words than this release has, and with other cells."""
    snapshot = whole(book)
    known = read_receipts(snapshot)
    ruling = known.rulings[0]
    figures = replace(ruling.figures, release=release, message="Left takes the Heath. " + ruling.figures.message)
    other = replace(ruling, wiki=ruling.wiki.replace("Heath", "the Heath"), figures=figures)
    log = rows_by_receipt(snapshot).get(str(ruling.seq), ())
    fingerprint = pass_context().fingerprints["autoalgo"]
    return verify(replace(other, **cells), war_form(), fingerprint, SECRET, known.options, None, log)  # type: ignore[arg-type]


@pytest.mark.parametrize("release", ["0.1.9", "9.0.0"])
def test_rcp_34_other_words_do_not_make_the_receipts_of_another_release_different(release: str) -> None:
    book = ruled()
    other = reworded(book, release)
    assert other.is_equal
    assert other.remarks == (f"its words are those of sheets-algo {release}, and only what they say of is compared",)
    assert reworded(book, release, winner="Nobody").is_different
    assert all(reworded(book, here).is_different for here in (__version__, ""))


def test_rcp_34_a_rewritten_log_of_an_older_release_is_still_named() -> None:
    book = ruled()
    book.type_in("Log", 4, cell(book, "Log", "Text"), "Left flees")
    assert [text.partition(": ")[0] for text in reworded(book, "0.1.9").differences] == ["Log!I2"]


def test_rcp_34_a_receipt_without_a_release_and_digests_is_compared_as_ever() -> None:
    book = ruled()
    known = read_receipts(whole(book))
    older = replace(known.rulings[0], figures=replace(known.rulings[0].figures, release="", log=""))
    log = rows_by_receipt(whole(book))[str(older.seq)]
    fingerprint = pass_context().fingerprints["autoalgo"]
    assert verify(older, war_form(), fingerprint, SECRET, known.options, Promises(known), log).is_equal
