"""Rows as records: references followed, names that stand twice, what a pass changed, read on demand."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.autoalgo.records import Leader
from engine.columns import columns
from scripts.support.workbooks import Rows, check, example, forms, library, pass_context, read, run, workbook
from sheets_algo.database.records import Database
from sheets_algo.forms import databases
from sheets_algo.forms.autoalgo.columns import LocationRow, MilitaryRow, NationRow, UnitRow
from sheets_algo.template import examples_of
from sheets_algo.workbook.snapshot import Sheet, Snapshot
from sheets_algo.workbook.values import CellError, Uncalculated, Value
from tests.helpers.example_budget import LAW
from tests.helpers.tabs import key


def open_database(rows: Rows, **headers: list[str]) -> Database:
    form = forms()[0]
    return Database(read(workbook(rows, headers)), form.records(), form.vocabulary)


def record(book: Database, kind: type[Any], name: str) -> Any:
    [row] = book.find(kind, name)
    return book.read(row, kind).record


def lines(book: Database, kind: type[Any], name: str) -> list[str]:
    return [str(problem) for row in book.find(kind, name) for problem in book.read(row, kind).problems]


def spoilt(tab: str, name: str, **cells: Value) -> Database:
    rows = example("1066")
    next(row for row in rows[tab] if row["Name"] == name).update(
        {header.replace("_", " "): value for header, value in cells.items()}
    )
    return open_database(rows)


@pytest.mark.parametrize("typed", ["Harold Godwinson", " harold  GODWINSON ", "Harold\u00a0Godwinson\u200b"])
def test_db_06_a_reference_takes_its_row_s_spelling(typed: str) -> None:
    book = spoilt("Nations", "England", Leader=typed)

    assert record(book, NationRow, "england").leader == "Harold Godwinson"


def test_db_05_every_name_of_a_list_is_resolved() -> None:
    book = spoilt("Militaries", "Harold's Host", Nation="england / NORWAY")

    assert record(book, MilitaryRow, "Harold's Host").nation == ("England", "Norway")


def test_db_05_unresolved_names_of_a_list_are_reported() -> None:
    cases = [
        (
            "England; Narnia",
            'Militaries!A2 (Harold\'s Host, Nation): nation not found: "Narnia". Enter names from Nations, separated by'
            " semicolons. [MIL-01]",
        ),
        (
            "England; Norwy",
            'Militaries!A2 (Harold\'s Host, Nation): nation not found: "Norwy". Did you mean "Norway"? [MIL-01]',
        ),
        (
            "England, Norway",
            'Militaries!A2 (Harold\'s Host, Nation): "England, Norway": a comma cannot separate names. Did you mean'
            ' "England; Norway"? Separate the names with a semicolon. [DB-05]',
        ),
        (
            " ; ",
            'Militaries!A2 (Harold\'s Host, Nation): ";" holds no name. Enter names from Nations, separated by'
            " semicolons. [MIL-01]",
        ),
    ]
    assert [
        (typed, line, lines(spoilt("Militaries", "Harold's Host", Nation=typed), MilitaryRow, "Harold's Host"), [line])
        for typed, line in cases
        if lines(spoilt("Militaries", "Harold's Host", Nation=typed), MilitaryRow, "Harold's Host") != [line]
    ] == []


def test_db_07_unit_names_match_loosely_and_one_has_an_alias() -> None:
    book = open_database(example("1066"))

    assert book.builtin(UnitRow, "Huscarl") is not None
    assert book.builtin(UnitRow, "huscarl") == book.builtin(UnitRow, "Huscarl")
    assert book.builtin(UnitRow, "huscarll") is None
    assert book.builtin(UnitRow, "Barge") == book.builtin(UnitRow, "Barges")


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (CellError("#REF!"), "shows the error #REF!. Repair the formula or type a value. [NAT-07]"),
        (Uncalculated("=B2"), "is a formula that has not been calculated."),
        ("x" * 2001, '..." is 2,001 characters long. Use at most 2,000 characters.'),
        ("x" * 1000, '..."'),
    ],
)
def test_db_08_an_unresolved_reference_is_reported(value: Value, says: str) -> None:
    [line] = lines(spoilt("Nations", "England", Leader=value), NationRow, "England")

    assert line.startswith("Nations!G2 (England, Leader): ")
    assert says in line
    assert len(line) < 300


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (date(2026, 3, 1), "warning: is the date 2026-03-01, which spreadsheets make of names like 1-Mar."),
        (
            46082,
            "warning: is the number 46082, by which Google Sheets keeps the date 2026-03-01",
        ),
    ],
)
def test_a_name_turned_into_a_date_is_reported(typed: Value, says: str) -> None:
    """By `check` of the whole tab too, and where it is referred to."""
    book = spoilt("Nations", "England", Name=typed)
    found = [str(problem) for record in (NationRow, MilitaryRow) for problem in book.problems_of(record)]

    assert any(line.startswith("Nations!A2 ") and says in line for line in found)
    assert not any("Nations!A2" in line and says not in line for line in found)
    assert sum("warning: is " in line for line in found) == 1, "a text that refers to it is no date"


@pytest.mark.parametrize("typed", [1066, 3.0, "46082", True])
def test_a_number_may_be_a_name(typed: Value) -> None:
    book = spoilt("Nations", "England", Name=typed)

    assert not [problem for problem in book.problems_of(NationRow) if "1-Mar" in problem.says]


def test_frequent_names_are_counted() -> None:
    rows = example("1066")
    rows["Nations"] += [rows["Nations"][0]] * 1000
    book = open_database(rows)
    row = book.find(NationRow, "England")[0]

    assert 'Nations!A8 (England, Name): "England" is also in rows 2, 9, 10, 11, 12 and 995 more.' in str(
        book.read(row, NationRow).problems[-1]
    )


def test_a_missing_tab_is_reported_by_references_to_it() -> None:
    """So it is one problem, however many cells refer to it."""
    rows = example("1066")
    del rows["Leaders"]

    assert lines(open_database(rows), NationRow, "England") == [
        "Leaders: the tab is missing. If it has another title, rename it; else run init, which makes it. [DB-03]"
    ]


def test_references_to_an_empty_tab_are_reported() -> None:
    rows = example("1066")
    rows["Leaders"] = []

    assert lines(open_database(rows), NationRow, "England") == [
        'Nations!G2 (England, Leader): leader not found: "Harold Godwinson". Add it to the tab Leaders. [NAT-07]'
    ]


@pytest.mark.parametrize("spelled", ["nations", " NATIONS ", "Nations"])
def test_tab_names_ignore_case_but_keep_their_spelling(spelled: str) -> None:
    rows = example("1066")
    sheets = dict(read(workbook(rows)).sheets)
    sheets[key("nations")] = Sheet(spelled, sheets[key("nations")].rows)
    form = forms()[0]
    book = Database(Snapshot(sheets), form.records(), form.vocabulary)

    assert record(book, NationRow, "England").population == 2_000_000
    assert book.table(NationRow).title == spelled


def test_only_cells_changed_by_a_ruling_are_read_again() -> None:
    book = open_database(example("1066"))
    england, norway = (book.find(NationRow, name)[0] for name in ("England", "Norway"))
    before = book.read(norway, NationRow)
    book.write(england, "stability", 12.5)

    assert book.read(england, NationRow).values["stability"] == 12.5
    assert england.value("stability") == 12.5
    assert book.read(norway, NationRow) is before


def test_db_01_blank_cells_and_missing_columns_take_the_default() -> None:
    rows = example("1066")
    heads = ["Name", "Population", "Year Founded", "Year Crisis"]
    rows["Locations"] = [{"Name": "Hastings", "Climate": " "}]
    rows["Nations"] = [row for row in rows["Nations"] if row["Name"] == "England"]
    book = open_database(rows, Nations=heads)

    assert record(book, NationRow, "England").stability == 100
    assert record(book, LocationRow, "Hastings").climate == "Temperate"


def test_an_unknown_name_finds_no_row() -> None:
    cases = ["Nobody", "", " "]
    assert [
        (name, list(open_database(example("1066")).find(Leader, name)))
        for name in cases
        if list(open_database(example("1066")).find(Leader, name)) != []
    ] == []


def test_correct_tabs_report_nothing() -> None:
    for group in databases.by_ruleset(pass_context().forms):
        book = databases.open_database(read(workbook(examples_of(group, library()))), group)

        assert [str(problem) for form in group for problem in form.check(book) if problem.is_error] == []


def test_db_07_an_unknown_unit_gets_no_suggestion() -> None:
    book = spoilt("Militaries", "Harold's Host", Cavalry_Type="494")

    assert lines(book, MilitaryRow, "Harold's Host") == [
        'Militaries!G2 (Harold\'s Host, Cavalry Type): unit type not found: "494". Enter a name from Units. [MIL-07]'
    ]


def test_a_pass_reads_only_the_rows_that_its_requests_name() -> None:
    """What is wrong in other rows is for the command check: one war on 100,000 rows costs what one war costs."""
    rows = example("1066")
    rows["War Requests"] = [row for row in rows["War Requests"] if row["War"] == "Manzikert"]
    england = rows["Nations"][0] | {"Population": "many", "Leader": "Nobody"}
    rows["Nations"] = [england, *rows["Nations"][1:], *(england | {"Name": f"Land {number}"} for number in range(50))]
    made = run(workbook(rows))

    assert [(answer.cells.status, answer.problems) for answer in made.findings.answers] == [("Done", ())]
    assert len(check(read(workbook(rows)), forms())) >= 51 * 2


CELLS = [
    *(None, "", " ", 1, 1.0, True, 0, False, -5, "1", "England", "Nowhere", "default", "x" * 3_000),
    *(CellError("#REF!"), Uncalculated("=A1"), 7.5, 1e300, "Monarchy", "12 %", "#N/A"),
]
"""Cells of every kind, some of which Python takes for equal."""
HEADERS = [column.header for _, column in columns(NationRow)]


@LAW
@given(
    changes=st.lists(
        st.tuples(st.integers(0, 5), st.sampled_from(HEADERS), st.sampled_from(CELLS)),
        max_size=8,
    )
)
def test_checks_by_column_and_by_row_agree(changes: list[tuple[int, str, Value]]) -> None:
    rows = example("1066")
    for number, header, cell in changes:
        rows["Nations"][number][header] = cell
    by_rows = open_database(rows)

    expected = [problem for row in by_rows.table(NationRow) for problem in by_rows.read(row, NationRow).problems]

    assert list(dict.fromkeys(open_database(rows).problems_of(NationRow))) == list(dict.fromkeys(expected))


def test_only_rows_with_a_wrong_cell_are_read_as_records() -> None:
    rows = example("1066")
    rows["Nations"] += [rows["Nations"][0] | {"Name": f"N{number}", "Population": number + 1} for number in range(500)]
    rows["Nations"][300]["Ideology"] = "Wrong"
    book = open_database(rows)

    [problem] = book.problems_of(NationRow)

    assert "Wrong" in str(problem)
    assert [(kind, row.number) for kind, row in book.rows_read] == [(NationRow, 302)]
