"""Receipts as they stand in the workbook: in parts where they are long, named where they are damaged."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from openpyxl.utils import get_column_letter

from engine.columns import columns
from scripts.support.workbooks import (
    NOW,
    OPTIONS,
    SECRET,
    column,
    example,
    forms,
    grids,
    messages,
    pass_context,
    read,
    rechained,
    run,
    undo,
    workbook,
)
from sheets_algo.database.problems import CELL_MOST, cell_text
from sheets_algo.replays.replay import ReplayNeeds, Verdict, replay_as_ruled, verify
from sheets_algo.ruling.corrections import CannotUndo
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.receipts.lookup import NotFound
from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Change, Figures, ReceiptDamaged, Receipts, StoredReceipt
from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.values import CellError, Uncalculated, Value
from tests.helpers.spoilt_workbooks import example_grids

HEADERS = [field.header for _, field in columns(ReceiptRow)]
HASTINGS = 4
"""Row of the second war's receipt: the header, the season, Stamford Bridge, Hastings."""
JUNK: list[Value] = [None, "junk", "{}", "[]", "null", "\ud800", -1, 0.5, 10**40, True, CellError("#REF!")]
JUNK += [Uncalculated("=A1"), '[{"tab": "Nowhere", "row": "x", "field": "y", "before": null, "after": 1}]']


def ruled() -> MemoryWorkbook:
    return MemoryWorkbook(example_grids("1066", is_ruled=True))


def receipts(book: MemoryWorkbook) -> Receipts:
    return read_receipts(read(book))


def checked(receipt: StoredReceipt) -> Verdict:
    form = next(form for form in forms() if form.key == receipt.ruleset)
    return verify(receipt, form, pass_context().fingerprints[form.ruleset_key], SECRET, OPTIONS)


def long_war(**cells: Any) -> MemoryWorkbook:
    """A war of 99 flanks a side, which fills more than one cell with its inputs and its figures."""
    rows = example("1066")
    rows["War Requests"] = [rows["War Requests"][1] | cells]
    rows["Flanks"] = [
        {"Request": "W-0002", "Side": side, "Flank": f"{side} {number}", "X": 20 + 3 * number, "Y": 80 + 3 * number}
        for side in ("Attacker", "Defender")
        for number in range(99)
    ]
    return workbook(rows)


CROWNS = "\U0001f451" * 10_000
"""A name as long as may be: a spreadsheet counts each crown as two characters."""


def test_rcp_02_a_receipt_longer_than_a_cell_survives_a_round_trip_in_parts() -> None:
    book = long_war(War=CROWNS)
    receipt = kept_whole(book, CROWNS)

    parts = column(book, "Receipts", "Part")
    assert parts == [1, *range(1, len(parts))]
    assert len(parts) > 2
    assert checked(receipt).is_equal


@pytest.mark.parametrize("name", ["W" * 20_000, "战" * 20_000])
def test_war_01_a_name_of_20_000_characters_is_kept(name: str) -> None:
    rows = example("1066")
    assert checked(
        kept_whole(workbook(rows | {"War Requests": [rows["War Requests"][1] | {"War": name}]}), name)
    ).is_equal


def kept_whole(book: MemoryWorkbook, name: str) -> StoredReceipt:
    """Rule the only war; return its receipt as the workbook keeps it."""
    made = run(book)
    receipt = receipts(book).ruling_of("W-0002")

    assert messages(made)[0][1] == "Done"
    assert receipt == made.rulings[0].receipt
    assert name in receipt.wiki
    assert not run(book).writes.changes
    return receipt


def test_war_01_a_longer_name_is_refused() -> None:
    made = run(long_war(War=CROWNS + CROWNS[0]))

    assert messages(made)[0][1] == "Invalid"
    assert '..." is 20,002 characters long. Use at most 20,000 characters. [WAR-01]' in messages(made)[0][2]


def test_a_receipt_of_any_length_is_assembled_from_its_rows() -> None:
    whole = StoredReceipt(
        seq=7,
        kind="Ruling",
        request="W-0007",
        war="w" * (CELL_MOST + 1),
        ruleset="autoalgo",
        wiki=" \n" * CELL_MOST,
        changes=tuple(Change("Nations", f"n{number}", "Stability", None, 1.5) for number in range(1000)),
        inputs="x" * (3 * CELL_MOST),
        figures=Figures("only a message", {}),
        time=NOW,
    )
    attributes = [attribute for attribute, _ in columns(ReceiptRow)]
    rows = [[cells.get(attribute) for attribute in attributes] for cells in whole.rows()]
    book = MemoryWorkbook({"Receipts": [HEADERS, *reversed(rows)]})

    assert [row[1] for row in rows] == list(range(1, len(rows) + 1))
    assert receipts(book).by_seq == {7: whole}


@pytest.mark.parametrize("header", HEADERS)
def test_a_damaged_receipt_is_reported_or_detected_by_verify(header: str) -> None:
    """Whatever stands in a cell of it: no war is ruled a second time unnoticed, and nothing crashes."""
    sound = receipts(ruled())
    for junk in JUNK:
        book = ruled()
        book.type_in("Receipts", HASTINGS, HEADERS.index(header) + 1, junk)
        if is_held(book):
            continue
        assert not plan_pass(read(book), pass_context(), NOW).findings.failures
        changed = [receipt for receipt in receipts(book).rulings if receipt != sound.by_seq[receipt.seq]]
        assert header in UNCHECKED or not any(map(is_sound, changed)), junk
        for request in ("W-0002", "junk"):
            may_be_undone(book, request)


UNCHECKED = ("Time",)
"""What no inputs give: a receipt in which only these differ verifies."""


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("war", "war: the receipt says The Massacre of Jerusalem, 1073, it comes to Siege of Jerusalem, 1073"),
        ("message", "message: the receipt says The Fatimids hold out, it comes to "),
        ("start", "Stability: the receipt starts from 500, it comes to "),
        ("text start", "Stability: the receipt starts from '5,000', it comes to "),
        ("part", "Flanks, row 2 of the request: the receipt shows {"),
        ("no part", "the receipt shows no results for 1 of the request's other rows"),
    ],
)
def test_every_statement_of_a_receipt_about_its_ruling_is_compared(what: str, says: str) -> None:
    """The last receipt has no digest behind it: `undo` would write back a Stability that never was."""
    receipt = next(receipt for receipt in receipts(ruled()).rulings if receipt.figures.parts)
    assert checked(receipt).is_equal
    parts, start = [*receipt.figures.parts], next(one for one in receipt.changes if one.field == "Stability")
    if what == "war":
        forged = replace(receipt, war="The Massacre of Jerusalem, 1073")
    elif what == "message":
        forged = replace(receipt, figures=replace(receipt.figures, message="The Fatimids hold out"))
    elif "start" in what:
        other = replace(start, before=500 if what == "start" else "5,000")
        forged = replace(receipt, changes=tuple(other if one is start else one for one in receipt.changes))
    else:
        other_part = replace(parts[1], values={**parts[1].values, "End Infantry": 1})
        parts = parts[:-1] if what == "no part" else [parts[0], other_part, *parts[2:]]
        forged = replace(receipt, figures=replace(receipt.figures, parts=tuple(parts)))

    [difference] = checked(forged).differences

    assert says in difference


@pytest.mark.parametrize("joins", [(), (0,), (0, 0), (0, 99), (-1, 3)])
def test_strat_13_a_row_that_two_armies_share_shows_and_verifies_the_flanks_of_both(joins: tuple[int, ...]) -> None:
    """Three rows without Military give each of two armies three flanks; a receipt of other flanks is not equal."""
    rows = example("1066")
    both = {"Defender": "Fatimid Caliphate + Byzantium", "Defender Military": "Jerusalem Garrison + Field Army"}
    receipt = run(workbook(rows | {"War Requests": [rows["War Requests"][4] | both]})).rulings[0].receipt
    parts = receipt.figures.parts

    assert [part.joins for part in parts] == [(0, 3), (1, 4), (2, 5)]
    assert str(parts[0].values["End Status"]).startswith("2 ")
    assert checked(receipt).is_equal
    forged = (replace(parts[0], joins=joins), *parts[1:])
    assert not checked(replace(receipt, figures=replace(receipt.figures, parts=forged))).is_equal


def test_rcp_11_under_other_tables_only_a_ruling_with_the_same_text_is_played_again() -> None:
    """Tables of today may tell numbers that the receipt lacks, such as what a relief lost."""
    receipt = receipts(ruled()).rulings[0]
    form = next(form for form in forms() if form.key == receipt.ruleset)
    fingerprint = pass_context().fingerprints[form.ruleset_key]
    edited = replace(receipt, wiki=receipt.wiki.replace("* ", "* Nearly: ", 1))
    for replayed, of_tables in ((receipt, fingerprint), (receipt, "0" * 64), (edited, fingerprint)):
        assert replay_as_ruled(replayed, form, of_tables, OPTIONS).winner == receipt.winner
    with pytest.raises(ReplayNeeds, match="the tables here are not those"):
        replay_as_ruled(edited, form, "0" * 64, OPTIONS)


def is_held(book: MemoryWorkbook) -> bool:
    """Whether a pass rules nothing because of the receipts, and names the cell or the receipt."""
    plan = plan_pass(read(book), pass_context(), NOW)
    said = str(plan.findings.held) if plan.findings.held else ""
    assert re.match(r"Receipts: (Receipts!|receipts? \d|The Season row|the season)", said) or not said, said
    assert not (said and plan.rulings)
    return bool(said)


def is_sound(receipt: StoredReceipt) -> bool:
    """Whether verify has nothing to say, neither differences nor remarks."""
    form = next((form for form in forms() if form.key == receipt.ruleset), None)
    if form is None:
        return False
    verdict = checked(receipt)
    return verdict.is_equal and not verdict.remarks


def may_be_undone(book: MemoryWorkbook, request: str) -> None:
    """Undo answers: with what to write, or with reasons."""
    with suppress(CannotUndo, NotFound, WorkbookUnavailable, ReceiptDamaged):
        undo(read(book), forms(), request, NOW)


def test_a_receipt_of_unavailable_rules_cannot_be_computed() -> None:
    book = ruled()
    book.type_in("Receipts", HASTINGS, HEADERS.index("Ruleset") + 1, "checkers")
    rechained(book)

    with pytest.raises(CannotUndo, match=r"^W-0002 was ruled by checkers, whose request tab is missing\.$"):
        undo(read(book), forms(), "W-0002", NOW)


@pytest.mark.parametrize("header", ["Seq", "Kind", "Request"])
def test_a_receipts_tab_without_an_essential_header_is_refused(header: str) -> None:
    """Otherwise every war would look unruled, and be ruled again."""
    book = ruled()
    book.type_in("Receipts", 1, HEADERS.index(header) + 1, "renamed")

    plan = plan_pass(read(book), pass_context(), NOW)

    assert f"Receipts!1:1: no column {header} found, so nobody can tell" in str(plan.findings.held)
    assert not plan.rulings
    assert not plan.writes.changes


def test_a_misspelt_or_cleared_header_of_receipts_is_named() -> None:
    """Otherwise sound receipts looked as if people had changed them."""
    book = ruled()
    for number, header in enumerate(HEADERS, start=1):
        for typed in (f"{header}x", None):
            book.type_in("Receipts", 1, number, typed)
            plan = plan_pass(read(book), pass_context(), NOW)

            says = f'says "{typed}", and' if typed else "is empty, and"
            at = f"Receipts!{get_column_letter(number)}1: {says} no column {header} is left; restore the header."
            assert at in str(plan.findings.held)
            assert not plan.rulings
        book.type_in("Receipts", 1, number, header)
    book.type_in("Receipts", 1, len(HEADERS) + 2, "Notes")
    assert not plan_pass(read(book), pass_context(), NOW).findings.held


@pytest.mark.parametrize("headers", [["my notes"], ["Time", None, "Kinds"]])
def test_a_foreign_receipts_tab_is_refused(headers: list[str | None]) -> None:
    rows = example("1066")
    book = MemoryWorkbook(grids(rows) | {"Receipts": [headers, ["bread", "2 shillings", "good"]]})

    made = run(book)

    assert "rename a tab Receipts that is not the program's" in str(made.findings.held)
    assert not made.rulings
    assert messages(made)[0][1] == "Waiting"
    assert messages(made)[0][2].startswith("Nothing is ruled now. Receipts: Receipts")


def test_the_program_adds_its_own_log_beside_people_s_own_one() -> None:
    notes = [("my notes",), ("bread, 2 shillings",)]
    book = MemoryWorkbook(grids(example("1066")) | {"Log": notes})
    run(book)

    assert book.rows("Log") == notes
    assert len(column(book, "Log (algo)", "Text")) > 100
    assert not run(book).writes.changes


def test_empty_tabs_made_in_advance_get_their_headers() -> None:
    book = MemoryWorkbook(grids(example("1066")) | {"log": []})
    run(book)

    assert len(column(book, "Log", "Text")) > 100
    assert not run(book).writes.changes


def test_people_s_rows_in_the_receipts_tab_are_skipped() -> None:
    book = ruled()
    below = len(column(book, "Receipts", "Seq")) + 3
    book.type_in("Receipts", below, HEADERS.index("Receipt") + 1, "posted on the wiki on Sunday")

    assert not run(book).writes.changes
    assert [receipt.seq for receipt in receipts(book).rulings] == [2, 3, 4, 5, 6]


def test_a_duplicate_receipt_is_refused_unless_both_are_equal() -> None:
    book = ruled()
    for number, header in enumerate(HEADERS, start=1):
        book.type_in("Receipts", 20, number, column(book, "Receipts", header)[HASTINGS - 2])
    assert not run(book).writes.changes

    book.type_in("Receipts", 20, HEADERS.index("Winner") + 1, "Nobody")
    plan = plan_pass(read(book), pass_context(), NOW)
    assert "Receipts!B20: part 1 of receipt 3 is where part 2 should be;" in str(plan.findings.held)


def test_a_message_for_one_cell_counts_omitted_lines() -> None:
    lines = ["x" * 999] * 20

    said = cell_text(lines, "... and {} more").splitlines()

    assert len("\n".join(said)) <= CELL_MOST
    assert said[-1] == f"... and {20 - len(said) + 1} more"
    assert cell_text(lines[:3], "... and {} more").splitlines() == lines[:3]


def take_back(book: MemoryWorkbook, request: str) -> StoredReceipt:
    snapshot = read(book)
    receipt, changes = undo(snapshot, forms(), request, NOW)
    book.commit(snapshot, changes)
    return receipt


def test_rulings_are_undone_from_the_last_to_the_first() -> None:
    """England's stability was written by three wars: an earlier one can go only when the later ones are gone."""
    book = ruled()
    with pytest.raises(CannotUndo, match=r"Nations!B2 \(England, Stability\): the ruling wrote .*; undo W-0003 first"):
        take_back(book, "W-0001")
    for number in range(5, 0, -1):
        take_back(book, f"W-000{number}")

    assert column(book, "Nations", "Stability") == [row["Stability"] for row in example("1066")["Nations"]]
    assert not any(column(book, "Leaders", "Status"))
    assert column(book, "War Requests", "Status") == ["Undone"] * 5
    assert not run(book).writes.changes


def test_a_ruling_with_a_lost_database_row_cannot_be_undone() -> None:
    book = ruled()
    stability = column(book, "Nations", "Stability")
    book.type_in("Nations", 6, 1, "Seljuk Empire")

    with pytest.raises(CannotUndo, match=r"^Nations: the row Seljuk Sultanate is gone, so its Stability cannot be put"):
        take_back(book, "W-0005")
    assert column(book, "Nations", "Stability") == stability


def test_a_ruling_with_a_lost_request_row_can_be_undone() -> None:
    book = ruled()
    for place in range(1, 30):
        book.type_in("War Requests", 6, place, None)
    receipt = take_back(book, "W-0005")

    assert (receipt.kind, receipt.request) == ("Undo", "W-0005")
    assert column(book, "Nations", "Stability")[4] == receipt.changes[0].after
