"""Tabs as people lay them out: headers wherever they stand, rows with gaps, names however they are spelled."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.autoalgo.records import Leader, Location, Nation, Unit
from engine.columns import columns
from sheets_algo.database.tables import Table
from sheets_algo.forms.autoalgo.columns import FlankRow, MilitaryRow, WarRequest
from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
from sheets_algo.workbook.snapshot import Sheet
from sheets_algo.workbook.values import CellError, Uncalculated, Value

Grid = Sequence[Sequence[Value]]
Merged = Sequence[tuple[int, int, int, int]]


def table(record: type, *grid: Sequence[Value], name: str = "Tab", merged: Merged = ()) -> Table:
    """A table of rows from row 1; an empty row is left out, as a snapshot does."""
    return Table(record, Sheet(name, {number: cells for number, cells in enumerate(grid, start=1) if cells}, merged))


def problems(found: Table) -> list[tuple[str, str]]:
    return [(str(problem.cell), problem.says) for problem in found.header_problems]


REQUIRED = ("Name", "Population", "Year Founded", "Year Crisis")


@pytest.mark.parametrize(
    "heads",
    [
        REQUIRED,
        tuple(reversed(REQUIRED)),
        ("notes", "Year Crisis", None, "name", "YEAR FOUNDED", "  population "),
        ("Name", "Population", "Founded Year", "Crisis Year"),
        ("Name", "Population", "founded  year", "crisis\nyear"),
        ("\ufeffName", "Population\u00a0", "Year\u00a0Founded", "Year Crisis\u200b"),
        (7, True, CellError("#REF!"), Uncalculated("=A1"), *REQUIRED),
    ],
)
def test_db_03_columns_are_found_by_header(heads: Sequence[Value]) -> None:
    """In any order, with the moderator's own between them, in other capitals and with other spaces (inputs 1.6)."""
    found = table(Nation, heads, [f"cell {number}" for number in range(len(heads))])

    assert problems(found) == []
    [row] = found.rows
    places = {attribute: found.places[attribute] for attribute in ("name", "population", "year_founded", "year_crisis")}
    assert {attribute: row.value(attribute) for attribute in places} == {
        attribute: f"cell {place - 1}" for attribute, place in places.items()
    }
    assert row.value("stability") is None


def test_db_04_cells_in_extra_columns_make_no_row() -> None:
    found = table(Nation, (*REQUIRED, "mine"), ["England"], [None, None, None, None, "a note"], ["Norway"])

    assert [row.name for row in found] == ["England", "Norway"]


@pytest.mark.parametrize("titles", [1, 2, 9])
def test_headers_may_be_below_a_title(titles: int) -> None:
    found = table(Nation, *[["The nations of", "1066"]] * titles, REQUIRED, ["England"])

    assert (found.header_row, [row.number for row in found]) == (titles + 1, [titles + 2])


def test_headers_are_within_the_first_ten_rows() -> None:
    found = table(Nation, *[["words"]] * 10, REQUIRED, ["England"])

    assert not found.rows
    assert problems(found) == [("Tab", "no header row found")]


def test_a_data_row_may_contain_header_words() -> None:
    found = table(Nation, REQUIRED, ["Name", 1, "Population", 2], ["England"])

    assert [row.name for row in found] == ["Name", "England"]


def test_vertically_merged_headers_are_read() -> None:
    """Name stands beside a heading over two columns, whose own headers stand in the second row."""
    first = ("Name", "Numbers", None, "Year Crisis")
    second = (None, "Population", "Year Founded")
    merged = [(1, 1, 2, 1), (1, 2, 1, 3), (1, 4, 2, 4)]
    found = table(Nation, first, second, ["England", 2_000_000, 927, 1016], merged=merged)

    assert problems(found) == []
    [england] = found.rows
    assert [england.value(name) for name in ("name", "population", "year_founded", "year_crisis")] == [
        "England",
        2_000_000,
        927,
        1016,
    ]
    assert str(england.cell("year_crisis")) == "Tab!D3"


def test_a_header_over_two_columns_names_the_first() -> None:
    found = table(
        Nation, ("Name", None, *REQUIRED[1:]), ["England", "(Anglia)", 2_000_000, 927, 1016], merged=[(1, 1, 1, 2)]
    )

    assert [(row.name, row.value("population")) for row in found] == [("England", 2_000_000)]


def test_a_request_id_merged_over_its_flanks_belongs_to_each() -> None:
    heads = ("Request", "Side", "Flank")
    merged_over: Grid = [["W-0001", "Attacker", "left"], [None, "Attacker", "right"], [None, "Defender"]]
    rows: Grid = [*merged_over, ["W-0002", "Attacker"]]
    found = table(FlankRow, heads, *rows, merged=[(2, 1, 4, 1)])

    assert {id: [row.number for row in listed] for id, listed in found.by_request.items()} == {
        "w-0001": [2, 3, 4],
        "w-0002": [5],
    }
    assert found.value(3, 1) is None  # what is compared before a write is the cell itself


def test_cells_filled_only_by_a_merge_make_no_row() -> None:
    found = table(Nation, REQUIRED, ["England"], [None, None, None, None, "mine"], merged=[(2, 1, 3, 1)])

    assert [row.number for row in found] == [2]


def test_db_03_a_duplicate_header_is_reported() -> None:
    found = table(Nation, (*REQUIRED, "Founded Year", "name"))

    assert problems(found) == [
        ("Tab!E1", 'a second column "Founded Year"; the first is Tab!C1'),
        ("Tab!F1", 'a second column "name"; the first is Tab!A1'),
    ]
    assert [(problem.id, problem.allowed) for problem in found.header_problems] == [("DB-03", "Keep one of them")] * 2


def test_missing_and_misspelled_required_columns_are_reported() -> None:
    found = table(Nation, ("Name", "Popluation", "Year Founded", "Year Crisis"))
    [problem] = found.header_problems

    assert str(problem) == (
        'Tab!B1: says "Popluation". Did you mean "Population"? Rename the header, or add a column "Population".'
        " [NAT-03]"
    )


WITH_PEOPLE = 'Tab!B1: says "People". Did you mean "Population"? Rename the header, or add a column "Population".'
WITHOUT = 'Tab!1:1: no column "Population" found. Add it.'


@pytest.mark.parametrize(
    ("heads", "says"),
    [
        (("Name", "People", "Year Founded", "Year Crisis"), WITH_PEOPLE),
        (("Name", "Year Founded", "Year Crisis", "People"), WITHOUT),
        (("Name", "Flag", "People", "Year Founded", "Year Crisis"), WITHOUT),
        (("Name", "", "Year Founded", "Year Crisis"), WITHOUT),
        (("Year Founded", "People", "Name", "Year Crisis"), WITHOUT),
    ],
)
def test_a_renamed_required_column_is_recognized_by_its_place(heads: Sequence[str], says: str) -> None:
    [problem] = table(Nation, heads).header_problems

    assert str(problem) == f"{says} [NAT-03]"


def test_adjacent_renamed_headers_are_recognized_in_order() -> None:
    heads = [column.header for _, column in columns(WarRequest)]
    places = {header: number for number, header in enumerate(heads, start=1)}
    renamed = {"Attacker": "Agressor", "Attacker Military": "Host A", "Defender": "Victim", "Motive": "Cause"}
    found = table(WarRequest, [renamed.get(header, header) for header in heads])

    assert {renamed[column.header]: found.renamed(attribute) for attribute, column in columns(WarRequest)
            if column.header in renamed} == {new: places[header] for header, new in renamed.items()}  # fmt: skip


def test_db_04_a_misspelt_optional_header_is_reported() -> None:
    found = table(Location, ("Name", "Remarks", "fortification "), ["York", "a fortress", "Castle"])
    [problem] = found.header_problems

    assert str(problem) == (
        'Tab!C1: the header "fortification" looks like "Fortifications", which is missing. Rename it to'
        ' "Fortifications"; if it is a column of your own, give it a name less alike. [DB-04]'
    )


@pytest.mark.parametrize(
    ("typed", "meant"), [("Motif", "Motive"), ("Motives", "Motive"), ("Terain Map", "Terrain Map"), ("motiv", "Motive")]
)
def test_db_04_a_similar_header_is_reported_with_the_right_one(typed: str, meant: str) -> None:
    heads = ("Request", "War", "Year", "Attacker", "Defender", "Location", "Ready", typed)
    [problem] = table(WarRequest, heads, ["W-1", "Hastings"]).header_problems
    assert f'the header "{typed}" looks like "{meant}", which is missing' in str(problem)


@pytest.mark.parametrize("record", [WarRequest, FlankRow, Nation, MilitaryRow, Location, Leader, Unit])
def test_db_04_own_columns_are_never_mistakes(record: type) -> None:
    needed = [column.header for _, column in columns(record) if column.required or column.column_required]
    own = ("Notes", "Comment", "Player", "Active", "Owner", "Link", "Flag", "Colour", "Timezone", "Mod Notes", "Rank")
    heads = (*dict.fromkeys(("Request", "Ready", *needed)), *own)
    assert table(record, heads, ["x"]).header_problems == ()


def test_db_04_an_own_column_may_resemble_a_present_one() -> None:
    assert table(Location, ("Name", "Fortification", "Fortifications")).header_problems == ()


def test_a_missing_tab_has_no_rows() -> None:
    assert [problem.says for problem in Table(Nation, None).header_problems] == ["the tab is missing"]
    assert Table(Unit, None).header_problems == ()  # optional
    assert Table(ReceiptRow, None).header_problems == ()  # the program makes it
    assert not Table(Nation, None).rows


def test_blank_and_ragged_rows_are_read() -> None:
    found = table(Nation, REQUIRED, ["England", 1], [], [None, " "], ["Norway"], [], [], ["Wales", 1, 2, 3, 4, 5])

    assert [(row.number, row.name, row.value("year_crisis")) for row in found] == [
        (2, "England", None),
        (5, "Norway", None),
        (8, "Wales", 3),
    ]


def test_rows_of_a_snapshot_are_read_in_sheet_order() -> None:
    found = Table(Nation, Sheet("Nations", {5: ["Norway"], 1: REQUIRED, 3: ["England"]}))

    assert [row.number for row in found] == [3, 5]


@pytest.mark.parametrize(
    ("cells", "is_row"),
    [
        ({"Request": "W-0200"}, False),
        ({"Request": "W-0200", "Ready": False}, False),
        ({"Status": "Done", "Message": "old"}, False),
        ({"Ready": True}, True),
        ({"Ready": "no"}, True),
        ({"War": "Hastings"}, True),
        ({"War": " \u200b"}, False),
        ({"Motive": "Conquest", "Commit Stability": True, "Action": "Rule"}, False),
        ({"Attacker Military": " Default", "Motive": "Conquest"}, False),
        ({"Motive": "Conquest", "Ready": True}, True),
        ({"Attacker": "England", "Motive": "Conquest"}, True),
        ({"Motive": "Conquest", "Seed": 0}, True),
        ({"Year": 0}, True),
        ({"Year": CellError("#N/A")}, True),
    ],
)
def test_filled_cells_make_a_request(cells: dict[str, Value], is_row: bool) -> None:
    """Neither ids and drop-downs filled in advance, nor an unticked checkbox, nor what the program wrote."""
    heads = ("Request", "War", "Year", "Ready", "Status", "Message")
    heads += ("Attacker", "Attacker Military", "Motive", "Action", "Commit Stability", "Seed")
    found = table(WarRequest, heads, [cells.get(head) for head in heads])

    assert bool(found.rows) is is_row


def test_db_07_names_are_compared_loosely() -> None:
    nations = table(Nation, REQUIRED, ["England"], ["  ENGLAND\u00a0"], [1066.0])
    units = table(Unit, ("Name",), ["Huscarl"], ["huscarl"])

    assert {name: len(rows) for name, rows in nations.by_name.items()} == {"england": 2, "1066": 1}
    assert {name: len(rows) for name, rows in units.by_name.items()} == {"huscarl": 2}


def test_db_05_a_row_is_listed_under_every_name_of_its_cell() -> None:
    found = table(
        MilitaryRow,
        ("Nation", "Name", "Size"),
        ["England; Norway", "Both"],
        ["norway/ENGLAND | Norway", "Again"],
        [1812.0, "Number"],
        [None, "Nobody's"],
    )

    assert [row.name for row in found.rows_listing("nation", "England")] == ["Both", "Again"]
    assert [row.name for row in found.rows_listing("nation", " NORWAY ")] == ["Both", "Again"]
    assert [row.name for row in found.rows_listing("nation", "1812")] == ["Number"]
    assert list(found.rows_listing("nation", "Wales")) == []


def test_addresses_paste_into_the_name_box() -> None:
    found = table(Leader, ("Nation", "Name"), ["England", "Harold"], name="Leaders of '66")
    [row] = found.rows

    assert str(row.cell("name")) == "'Leaders of ''66'!B2"
    assert str(row.cell("birth_year")) == "'Leaders of ''66'!2:2"
    assert str(row.cell()) == "'Leaders of ''66'!2:2"


def test_an_added_column_has_an_address_at_once() -> None:
    found = table(WarRequest, ("Request", "War", "Ready"), ["W-0001", "Hastings", True, "a note beside"])
    [row] = found.rows

    assert [found.add_column(attribute) for attribute in ("status", "message")] == [5, 6]
    assert str(row.cell("message")) == "Tab!F2"
    assert (found.header("message"), row.value("message")) == ("Message", None)


def test_a_row_added_in_memory_is_found_by_each_name_until_it_is_dropped() -> None:
    """Its label and its namesake outlived it."""
    found = table(MilitaryRow, ("Nation", "Name", "Size"), ["England", "Guard"])

    def names() -> tuple[list[str], list[str], bool, list[int]]:
        listed = [row.number for row in found.rows_listing("nation", "Norway")]
        return [*found.by_label], [*found.names], found.has_namesakes, listed

    before = names()
    added = found.add_row({"nation": "Norway", "name": "Guard", "size": 5})
    assert names() == (["guard (england)", "guard (norway)"], ["Guard"], True, [3])
    found.drop_row(added)
    assert names() == before
