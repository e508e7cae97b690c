"""The contract of `sheets_algo.workbook.store`, kept alike by every backend; a backend joins by a line in BACKENDS."""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sheets_algo.workbook.changes import AppendRow, ChangeSet, CommitResult, NewTab, Picture, SetCell
from sheets_algo.workbook.errors import RefusedChange, StaleWorkbook, WorkbookError
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.staleness import cell_of, is_same_value
from sheets_algo.workbook.store import Workbook
from sheets_algo.workbook.values import Value
from sheets_algo.workbook.xlsx import XlsxWorkbook
from tests.helpers.example_budget import BUDGET
from tests.helpers.pages import module
from tests.helpers.rows import each
from tests.helpers.tabs import key, keys
from tests.workbook.google.season import Season

TABS: dict[str, list[list[Value]]] = {
    "War Requests": [
        ["Request", "War", "Ready", "Status"],
        ["W-0001", "Hastings", True],
        [],
        ["W-0002", "Manzikert", False, "Waiting"],
    ],
    "Nations": [["Nation", "Stability", "Population"], ["England", 100, 1_500_000], ["Normandy", 87.5, 700_000]],
    "Numbers": [[row] for row in range(1, 31)],
    "Receipts": [["Seq", "Request"], [1, "W-0000"]],
    "Locked": [["Name"], ["as it was"]],
    "Blank": [],
}

HAZARDS = [
    "== Battle of Sedan ==",
    "=France",
    '=HYPERLINK("http://example.org","click")',
    '{| class="wikitable"\n! Side !! Losses\n|}',
    "'''bold'''",
    "'quoted",
    "* item",
    "+5",
    "-5",
    "@everyone",
    "007",
    "3-4",
    "1/2",
    "12:30",
    "50%",
    "TRUE",
    "#N/A",
    "#REF!",
    "_x000D_",
    "_x0041_ and _x005F_x0041_",
    " spaces around ",
    "two\nlines\n",
    "\ttab",
    "<b>&amp; \"quotes\" 'too' ]]>",
    "Μαντζικέρτ ملاذكرد 曼齐刻尔特 🏰",
    "e\u0301 is not \u00e9",
    "\u00a0non-breaking\u00a0",
    "x" * 32_767,
    "🏰" * 16_383,
]

NUMBERS = [0, 1, -5, 2**53, -(2**53), 0.1 + 0.2, 1 / 3, -87.5, 1e-300, 1.7e308, 5e-324, 1e21]


PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c494441"
    "5478da63f8cfc0000003010100f70341430000000049454e44ae426082"
)
"""One red pixel."""


@dataclass(frozen=True)
class Bench:
    """A workbook that holds TABS, and what a person does to it behind the program's back.

    Where `can_force` is False, nobody but its owner writes into a protected tab; where `can_protect` is, there is none.
    """

    workbook: Workbook
    type_in: Callable[[str, int, int, Value], None]
    can_force: bool = True
    can_protect: bool = True


def memory(folder: Path) -> Bench:
    workbook = MemoryWorkbook(TABS, protected=["Locked"])
    return Bench(workbook, workbook.type_in)


def xlsx(folder: Path) -> Bench:
    path = folder / "war.xlsx"
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in TABS.items():
        sheet = book.create_sheet(name)
        for number, row in enumerate(rows, start=1):
            for column, value in enumerate(row, start=1):
                sheet.cell(number, column).value = value
    book["Locked"].protection.sheet = True
    book.save(path)

    def type_in(tab: str, row: int, column: int, value: Value) -> None:
        book = openpyxl.load_workbook(path)
        book[tab].cell(row, column).value = value  # type: ignore[assignment]
        book.save(path)

    return Bench(XlsxWorkbook(path), type_in)


def google(folder: Path) -> Bench:
    season = Season.begun(TABS)
    locked = {"range": {"sheetId": season.sheet_id("Locked")}, "editors": {"users": []}}
    season.person({"addProtectedRange": {"protectedRange": locked}})
    return Bench(season.workbook(), season.type_in, can_force=False)


def csv_folder(folder: Path) -> Bench:
    """The store that docs/new-store.md builds."""
    page = module("new-store.md")
    path = Path(mkdtemp(suffix=".csvs", dir=folder))
    (path / "1").mkdir()
    (path / "now").symlink_to("1")

    def save(tab: str, rows: list[list[Value]]) -> None:
        with (path / "now" / f"{tab}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([page._text(value) for value in row] for row in rows)

    def type_in(tab: str, row: int, column: int, value: Value) -> None:
        rows = [list(cells) for cells in page._table((path / "now" / f"{tab}.csv").read_bytes())]
        rows[row - 1][column - 1] = value
        save(tab, rows)

    for tab, rows in TABS.items():
        save(tab, rows)
    return Bench(page.CsvWorkbook(path), type_in, can_protect=False)


BACKENDS = {"memory": memory, "xlsx": xlsx, "google": google, "csv": csv_folder}


@pytest.fixture(params=BACKENDS)
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Bench:
    return BACKENDS[request.param](tmp_path)


def commit(workbook: Workbook, changes: ChangeSet) -> CommitResult:
    """Read and write at once, as a pass does."""
    return workbook.commit(workbook.read(keys(*TABS)), changes)


def shown(workbook: Workbook, tab: str, row: int, column: int) -> Value:
    return cell_of(workbook.read(keys(tab)).sheet(key(tab)), row, column)


def everything(workbook: Workbook, *more: str) -> dict[tuple[str, int, int], Value]:
    """Every cell that is not blank."""
    return {
        (sheet.title, row, column): value
        for sheet in workbook.read(keys(*TABS, *more)).sheets.values()
        for row, values in sheet.rows.items()
        for column, value in enumerate(values, start=1)
        if not is_same_value(value, None)
    }


def test_a_workbook_reads_its_current_content(bench: Bench) -> None:
    expected = {
        (tab, row, column): value
        for tab, rows in TABS.items()
        for row, values in enumerate(rows, start=1)
        for column, value in enumerate(values, start=1)
    }

    assert everything(bench.workbook) == expected
    assert bench.workbook.read(keys("War Requests")).sheets[key("war requests")].last_row == 4
    assert bench.workbook.name


def test_the_program_s_tab_beside_people_s_own_has_the_ending(bench: Bench) -> None:
    """What is written under the key with the ending never reaches the tab with the plain title (DB-04)."""
    theirs, own = key("Nations"), key("Nations").beside
    snapshot = bench.workbook.read(keys(*TABS)).without({theirs: "Nations"})
    assert theirs not in snapshot.sheets
    assert snapshot.title(theirs) == "Nations (algo)"

    bench.workbook.commit(snapshot, ChangeSet(tabs=(NewTab(own, ("Name",)),), rows=(AppendRow(own, ("Aland",)),)))
    commit(bench.workbook, ChangeSet(cells=(SetCell(theirs, 2, 1, "Borland", "Aland"),)))

    again = bench.workbook.read(keys(*TABS))
    assert again.sheets[theirs].title == "Nations (algo)"
    assert [tuple(row) for row in again.sheets[theirs].rows.values()] == [("Name",), ("Borland",)]
    assert "Nations" in again.others
    with pytest.raises(RefusedChange, match=r"of th(is|at) name already"):
        commit(bench.workbook, ChangeSet(tabs=(NewTab(own, ("Name",)),)))


def test_a_key_with_the_ending_never_matches_the_plain_title(bench: Bench) -> None:
    before = everything(bench.workbook)

    assert key("Nations (ALGO)") == key("Nations")
    assert not bench.workbook.read([key("Nations").beside]).sheets
    for changes in (
        ChangeSet(cells=(SetCell(key("Nations").beside, 2, 1, "Aland", "England"),)),
        ChangeSet(rows=(AppendRow(key("Nations").beside, ("Aland",)),)),
    ):
        with pytest.raises(WorkbookError):
            commit(bench.workbook, changes)
    assert everything(bench.workbook) == before


def test_tabs_are_found_despite_capitals_and_spaces(bench: Bench) -> None:
    snapshot = bench.workbook.read(keys("  war   REQUESTS "))

    assert list(snapshot.sheets) == keys("war requests")
    assert snapshot.sheets[key("war requests")].title == "War Requests"

    bench.workbook.commit(snapshot, ChangeSet(cells=(SetCell(key("WAR requests "), 2, 4, "Done"),)))
    assert shown(bench.workbook, "War Requests", 2, 4) == "Done"


def test_tabs_that_do_not_exist_are_absent(bench: Bench) -> None:
    assert list(bench.workbook.read(keys("Nations", "Flanks"), keys("Log")).sheets) == keys("Nations")


def test_the_titles_of_other_tabs_are_listed(bench: Bench) -> None:
    """So a tab whose title is misspelt can be named."""
    asked = list(TABS)[:1]
    found = bench.workbook.read(keys(*asked), keys(*list(TABS)[1:2]))

    assert sorted(found.others) == sorted([*TABS][2:])


def test_a_tab_read_for_its_headers_has_its_first_rows(bench: Bench) -> None:
    snapshot = bench.workbook.read(keys("Nations"), headers_only=keys("Numbers", "Blank"))
    rows = snapshot.sheets[key("numbers")].rows

    assert [tuple(rows[number]) for number in range(1, 11)] == [(number,) for number in range(1, 11)]
    assert snapshot.sheets[key("numbers")].last_row < 30 <= snapshot.sheets[key("numbers")].height
    assert snapshot.sheets[key("nations")].last_row == 3


def test_a_tab_requested_both_ways_is_read_as_a_whole(bench: Bench) -> None:
    assert bench.workbook.read(keys("Numbers"), headers_only=keys("Numbers")).sheets[key("numbers")].last_row == 30


def test_texts_read_back_as_texts(bench: Bench) -> None:
    over_numbers = tuple(SetCell(key("Numbers"), row, 1, text, before=row) for row, text in enumerate(HAZARDS, start=1))
    appended = tuple(AppendRow(key("Receipts"), (number, text)) for number, text in enumerate(HAZARDS, start=2))
    commit(bench.workbook, ChangeSet(cells=over_numbers, rows=appended))

    read = everything(bench.workbook)
    assert [read["Numbers", row, 1] for row, _ in enumerate(HAZARDS, start=1)] == HAZARDS
    assert [read["Receipts", row, 2] for row, _ in enumerate(HAZARDS, start=3)] == HAZARDS


def test_numbers_read_back_exactly(bench: Bench) -> None:
    over_numbers = tuple(SetCell(key("Numbers"), row, 1, number, row) for row, number in enumerate(NUMBERS, start=1))
    appended = tuple(AppendRow(key("Numbers"), (number,)) for number in NUMBERS)
    commit(bench.workbook, ChangeSet(cells=over_numbers, rows=appended))

    rows = bench.workbook.read(keys("Numbers")).sheets[key("numbers")].rows
    for first in (1, 31):
        read = [rows[row][0] for row, _ in enumerate(NUMBERS, start=first)]
        assert read == NUMBERS
        assert {type(value) for value in read} <= {int, float}


@each("mark", [True, False])
def test_tick_marks_read_back_as_tick_marks(bench: Bench, mark: bool) -> None:
    commit(bench.workbook, ChangeSet(cells=(SetCell(key("War Requests"), 2, 3, mark, True),)))

    assert shown(bench.workbook, "War Requests", 2, 3) is mark


def test_none_clears_a_cell(bench: Bench) -> None:
    before = everything(bench.workbook)

    commit(bench.workbook, ChangeSet(cells=(SetCell(key("War Requests"), 4, 4, None, "Waiting"),)))

    del before["War Requests", 4, 4]
    assert everything(bench.workbook) == before


def test_a_text_may_replace_a_number_and_a_tick_mark(bench: Bench) -> None:
    cells = (SetCell(key("Nations"), 3, 2, "n/a", 87.5), SetCell(key("War Requests"), 2, 3, "yes", True))

    commit(bench.workbook, ChangeSet(cells=cells))

    assert shown(bench.workbook, "Nations", 3, 2) == "n/a"
    assert shown(bench.workbook, "War Requests", 2, 3) == "yes"


def test_line_ends_become_line_feeds(bench: Bench) -> None:
    commit(bench.workbook, ChangeSet(cells=(SetCell(key("Nations"), 5, 1, "one\r\ntwo\rthree"),)))

    assert shown(bench.workbook, "Nations", 5, 1) == "one\ntwo\nthree"


def test_invalid_characters_are_replaced_visibly_with_a_remark(bench: Bench) -> None:
    text = "a\x00b\x0bc\ud800d\ufffee"

    done = commit(bench.workbook, ChangeSet(cells=(SetCell(key("Nations"), 5, 1, text),)))

    read = shown(bench.workbook, "Nations", 5, 1)
    assert isinstance(read, str)
    assert [letter for letter in read if letter in "abcde"] == list("abcde")
    assert len(read) == len(text)
    assert read.isprintable()
    assert any("Nations!A5" in remark for remark in done.remarks)


@each(
    "value",
    ["x" * 60_000, float("nan"), float("inf"), float("-inf"), 2**53 + 1, -(10**20)],
    ids=["60,000 characters", "NaN", "inf", "-inf", "2^53+1", "-10^20"],
)
def test_unstorable_values_are_refused_and_nothing_is_written(bench: Bench, value: str | float) -> None:
    before = everything(bench.workbook)
    cells = (SetCell(key("War Requests"), 2, 4, "Done"), SetCell(key("Nations"), 7, 1, value))

    with pytest.raises(RefusedChange, match="Nations!A7"):
        commit(bench.workbook, ChangeSet(cells=cells))
    assert everything(bench.workbook) == before


def test_two_values_for_one_cell_are_refused(bench: Bench) -> None:
    before = everything(bench.workbook)
    cells = (SetCell(key("Nations"), 2, 2, 90, 100), SetCell(key("nations"), 2, 2, 80, 100))

    with pytest.raises(RefusedChange, match="B2"):
        commit(bench.workbook, ChangeSet(cells=cells))
    assert everything(bench.workbook) == before


def test_rows_are_appended_in_order_below_the_last_row(bench: Bench) -> None:
    rows = (
        AppendRow(key("War Requests"), ("W-0003", None, False)),
        AppendRow(key("Blank"), ("first",)),
        AppendRow(key("War Requests"), ("W-0004", "=France")),
    )

    commit(bench.workbook, ChangeSet(rows=rows))

    assert [shown(bench.workbook, "War Requests", 5, column) for column in (1, 2, 3)] == ["W-0003", None, False]
    assert [shown(bench.workbook, "War Requests", 6, column) for column in (1, 2, 3)] == ["W-0004", "=France", None]
    assert shown(bench.workbook, "Blank", 1, 1) == "first"


def test_rows_are_added_after_cells_are_set(bench: Bench) -> None:
    changes = ChangeSet(
        cells=(SetCell(key("Nations"), 9, 1, "Wales"),), rows=(AppendRow(key("Nations"), ("Scotland", 100)),)
    )

    commit(bench.workbook, changes)

    assert shown(bench.workbook, "Nations", 9, 1) == "Wales"
    assert shown(bench.workbook, "Nations", 10, 1) == "Scotland"


def test_a_new_tab_has_its_header_and_accepts_rows_and_cells_at_once(bench: Bench) -> None:
    changes = ChangeSet(
        tabs=(NewTab(key("Log"), ("Seq", "Text")), NewTab(key("Forecasts"), ("Request", "Odds"))),
        cells=(SetCell(key("Forecasts"), 2, 2, 0.5),),
        rows=(AppendRow(key("Log"), (1, "The battle begins.")), AppendRow(key("log"), (1, "It ends."))),
    )
    before = everything(bench.workbook)

    commit(bench.workbook, changes)

    assert everything(bench.workbook, "Log", "Forecasts") == before | {
        ("Log", 1, 1): "Seq",
        ("Log", 1, 2): "Text",
        ("Log", 2, 1): 1,
        ("Log", 2, 2): "The battle begins.",
        ("Log", 3, 1): 1,
        ("Log", 3, 2): "It ends.",
        ("Forecasts", 1, 1): "Request",
        ("Forecasts", 1, 2): "Odds",
        ("Forecasts", 2, 2): 0.5,
    }
    commit(bench.workbook, ChangeSet(rows=(AppendRow(key("Log"), (2, "later")),)))
    assert shown(bench.workbook, "Log", 4, 2) == "later"


@each("name", ["Nations", " nations"])
def test_a_new_tab_never_takes_the_name_of_another(bench: Bench, name: str) -> None:
    before = everything(bench.workbook)

    with pytest.raises(WorkbookError):
        commit(bench.workbook, ChangeSet(tabs=(NewTab(key(name), ("Nation",)),)))
    assert everything(bench.workbook) == before


def test_only_planned_cells_change(bench: Bench) -> None:
    before = everything(bench.workbook)
    cells = (SetCell(key("Nations"), 3, 2, 88, 87.5), SetCell(key("War Requests"), 3, 2, "in the gap"))

    commit(bench.workbook, ChangeSet(cells=cells, rows=(AppendRow(key("Receipts"), (2, "W-0001")),), guard=2))

    assert everything(bench.workbook) == before | {
        ("Nations", 3, 2): 88,
        ("War Requests", 3, 2): "in the gap",
        ("Receipts", 3, 1): 2,
        ("Receipts", 3, 2): "W-0001",
    }


def test_a_picture_lands_beside_the_cells(bench: Bench) -> None:
    """The second one, too, which takes the place of the first."""
    before = everything(bench.workbook)
    commit(
        bench.workbook, ChangeSet(tabs=(NewTab(key("Battle Map"), ()),), pictures=(Picture(key("Battle Map"), PNG),))
    )
    commit(bench.workbook, ChangeSet(pictures=(Picture(key("battle map"), PNG, 2, 3),)))

    assert everything(bench.workbook, "Battle Map") == before
    with pytest.raises(RefusedChange):
        commit(
            bench.workbook,
            ChangeSet(cells=(SetCell(key("Nations"), 2, 2, 90, 100),), pictures=(Picture(key("No Tab"), PNG),)),
        )
    assert everything(bench.workbook, "Battle Map") == before


def test_an_empty_change_set_changes_nothing(bench: Bench) -> None:
    snapshot = bench.workbook.read(keys("Nations"))

    assert bench.workbook.commit(snapshot, ChangeSet()) == CommitResult()
    assert bench.workbook.read(keys("Nations")) == snapshot


@each("before", [99, "100", None, True])
def test_a_cell_with_another_value_is_stale(bench: Bench, before: Value) -> None:
    unchanged = everything(bench.workbook)
    cells = (SetCell(key("War Requests"), 2, 4, "Done"), SetCell(key("Nations"), 2, 2, 90, before))

    with pytest.raises(StaleWorkbook, match="Nations!B2"):
        commit(bench.workbook, ChangeSet(cells=cells))
    assert everything(bench.workbook) == unchanged


def test_a_cell_changed_after_the_read_is_stale(bench: Bench) -> None:
    snapshot = bench.workbook.read(keys(*TABS))
    bench.type_in("Nations", 2, 2, 95)

    with pytest.raises(StaleWorkbook):
        bench.workbook.commit(snapshot, ChangeSet(cells=(SetCell(key("Nations"), 2, 2, 90, 100),)))
    assert shown(bench.workbook, "Nations", 2, 2) == 95

    commit(bench.workbook, ChangeSet(cells=(SetCell(key("Nations"), 2, 2, 90, 95),)))
    assert shown(bench.workbook, "Nations", 2, 2) == 90


def test_a_snapshot_serves_one_commit(bench: Bench) -> None:
    snapshot = bench.workbook.read(keys(*TABS))
    changes = ChangeSet(
        cells=(SetCell(key("Nations"), 2, 2, 90, 100),), rows=(AppendRow(key("Receipts"), (2, "W-1")),), guard=2
    )
    bench.workbook.commit(snapshot, changes)
    after = everything(bench.workbook)

    with pytest.raises(StaleWorkbook):
        bench.workbook.commit(snapshot, changes)
    assert everything(bench.workbook) == after


@pytest.mark.parametrize("read", [["Receipts"], []], ids=["receipts read", "receipts not read"])
def test_a_receipt_number_is_accepted_once(bench: Bench, read: list[str]) -> None:
    """Also for a plan that was made on a fresh read, and one that did not look at the receipts."""
    changes = ChangeSet(rows=(AppendRow(key("Receipts"), (2, "W-0001")),), guard=2)
    bench.workbook.commit(bench.workbook.read(keys(*read)), changes)
    after = everything(bench.workbook)

    with pytest.raises(StaleWorkbook):
        bench.workbook.commit(bench.workbook.read(keys(*read)), changes)
    assert everything(bench.workbook) == after

    bench.workbook.commit(
        bench.workbook.read(keys(*read)), ChangeSet(rows=(AppendRow(key("Receipts"), (3, "W-0002")),), guard=3)
    )
    assert shown(bench.workbook, "Receipts", 4, 1) == 3


def test_a_guard_works_in_a_workbook_without_receipts(bench: Bench) -> None:
    changes = ChangeSet(tabs=(NewTab(key("Log"), ("Seq",)),), rows=(AppendRow(key("Log"), (50,)),), guard=50)

    commit(bench.workbook, changes)

    assert shown(bench.workbook, "Log", 2, 1) == 50


@pytest.mark.parametrize(
    "bad",
    [
        ChangeSet(cells=(SetCell(key("Flanks"), 2, 1, "x"),)),
        ChangeSet(rows=(AppendRow(key("Flanks"), ("x",)),)),
        ChangeSet(cells=(SetCell(key("Locked"), 2, 1, "x", "as it was"),)),
        ChangeSet(rows=(AppendRow(key("Locked"), ("x",)),)),
    ],
    ids=["cell of a missing tab", "row of a missing tab", "cell of a protected tab", "row of a protected tab"],
)
def test_one_refused_change_refuses_all(bench: Bench, bad: ChangeSet) -> None:
    if not bench.can_protect and key("Locked") in bad.tabs_written:
        pytest.skip("it has no protected tabs")
    before = everything(bench.workbook)
    changes = ChangeSet(
        tabs=(NewTab(key("Log"), ("Seq",)),),
        cells=(SetCell(key("War Requests"), 2, 4, "Done"), *bad.cells),
        rows=(AppendRow(key("Receipts"), (2, "W-0001")), *bad.rows),
        guard=2,
    )

    with pytest.raises(RefusedChange):
        commit(bench.workbook, changes)
    assert everything(bench.workbook, "Log") == before


def test_forced_changes_reach_a_protected_tab(bench: Bench) -> None:
    changes = ChangeSet(
        cells=(SetCell(key("Locked"), 2, 1, "new", "as it was"),), rows=(AppendRow(key("Locked"), ("x",)),), forced=True
    )
    before = everything(bench.workbook)

    if not bench.can_force:
        with pytest.raises(RefusedChange, match="Locked!A2: the tab is protected"):
            commit(bench.workbook, changes)
        assert everything(bench.workbook) == before
        return
    commit(bench.workbook, changes)

    assert [shown(bench.workbook, "Locked", row, 1) for row in (1, 2, 3)] == ["Name", "new", "x"]


plain = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53), 2**53),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(), max_size=30),  # surrogates and control characters too
)
tabs = st.sampled_from(["War Requests", "Nations", "Blank"])


@st.composite
def passes(draw: st.DrawFn) -> list[tuple[dict[tuple[str, int, int], object], list[AppendRow]]]:
    """A few passes, each some cells and some rows."""
    cells = st.dictionaries(st.tuples(tabs, st.integers(1, 12), st.integers(1, 30)), plain, max_size=5)
    rows = st.lists(st.builds(AppendRow, tabs.map(key), st.lists(plain, min_size=1, max_size=6).map(tuple)), max_size=3)
    return draw(st.lists(st.tuples(cells, rows), min_size=1, max_size=4))


@pytest.mark.parametrize("backend", [name for name in BACKENDS if name != "memory"])
@settings(
    max_examples=round(15 * BUDGET),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(plan=passes())
def test_every_backend_ends_in_the_same_state_as_memory(
    backend: str, plan: list[tuple[dict[tuple[str, int, int], object], list[AppendRow]]], tmp_path: Path
) -> None:
    """Any run of passes leaves the same cells in every backend."""
    model, workbook = memory(tmp_path).workbook, BACKENDS[backend](tmp_path).workbook
    for cells, rows in plan:
        now = everything(model)
        planned = tuple(
            SetCell(key(tab), row, column, value, now.get((tab, row, column)))  # type: ignore[arg-type]
            for (tab, row, column), value in cells.items()
        )
        changes = ChangeSet(cells=planned, rows=tuple(rows))
        commit(model, changes)
        commit(workbook, changes)

        assert everything(workbook) == everything(model)
