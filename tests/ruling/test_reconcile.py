"""Writes by coordinates under which people moved rows: by name, everything comes where it belongs."""

from dataclasses import replace

import pytest

from scripts.support.workbooks import NOW, column, example, grids, pass_context, read, run, workbook
from sheets_algo.forms.rulesets import load_all
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.repair.reconcile import reconcile, still_wrong
from sheets_algo.workbook.changes import ChangeSet, SetCell
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.values import Value
from tests.helpers.spoilt_workbooks import example_grids
from tests.helpers.tabs import key

Grid = list[list[Value]]


def sort_by_name(grid: Grid) -> Grid:
    return [grid[0], *sorted(grid[1:], key=lambda row: str(row[0]), reverse=True)]


def insert_above(grid: Grid) -> Grid:
    return [grid[0], [], *grid[1:]]


def delete_first(grid: Grid) -> Grid:
    return [grid[0], *grid[2:]]


def swap_columns(grid: Grid) -> Grid:
    """The first column becomes the last."""
    width = max(map(len, grid))
    squared = [[*row, *[None] * (width - len(row))] for row in grid]
    return [[*row[1:], row[0]] for row in squared]


def insert_column(grid: Grid) -> Grid:
    return [[None, *row] for row in grid]


MOVES = [sort_by_name, insert_above, delete_first, swap_columns, insert_column]


def blind_write(grids: dict[str, Grid], changes: ChangeSet) -> MemoryWorkbook:
    """What Google does: cells by coordinates, whatever stands there."""
    book = MemoryWorkbook(grids)
    for cell in changes.cells:
        book.type_in(cell.tab.name, cell.row, cell.column, cell.value)
    return book


def by_name(snapshot: Snapshot, tab: str) -> dict[object, dict[object, object]]:
    """Row name to header to cell, blank ones left out."""
    sheet = snapshot.sheet(key(tab))
    assert sheet is not None
    heads = list(sheet.rows[1])
    place = heads.index("Name")
    rows = [dict(zip(heads, row, strict=False)) for number, row in sheet.rows.items() if number > 1]
    return {
        row.get(heads[place]): {head: value for head, value in row.items() if head and value not in (None, "")}
        for row in rows
    }


def with_a_death(grids: dict[str, Grid]) -> dict[str, Grid]:
    """Return tabs in which the second war has a seed by which both commanders are killed."""
    heads, first, second, *rows = grids["War Requests"]
    place = heads.index("Seed")
    return {**grids, "War Requests": [heads, first, [*second[:place], 2, *second[place + 1 :]], *rows]}


@pytest.mark.parametrize("tab", ["Nations", "Leaders"])
@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.__name__)
def test_a_tab_rearranged_under_a_write_ends_as_if_rearranged_later(tab, move):
    grids = with_a_death(example_grids("1066"))
    before = read(MemoryWorkbook(grids))
    changes = plan_pass(before, pass_context(), NOW).writes.changes
    hit = {cell.row for cell in changes.cells if cell.tab.name == tab}
    assert hit

    quiet = MemoryWorkbook(grids)
    quiet.commit(read(quiet), ChangeSet(cells=changes.cells))
    moved = blind_write({**grids, tab: move(grids[tab])}, changes)
    mended = reconcile(before, changes, read(moved), load_all()).changes
    moved.commit(read(moved), mended)

    expected = by_name(read(quiet), tab)
    if move is delete_first:
        del expected[grids[tab][1][0]]
    found = {name: row for name, row in by_name(read(moved), tab).items() if row}
    assert found == expected
    assert not reconcile(before, changes, read(moved), load_all()).changes  # and nothing is healed twice


def seen(grid: Grid, times: int) -> Grid:
    """Return a tab with columns of people's own that show something else at each time."""
    own = [f"at {times}", f"{times} times"]
    return [[*grid[0], "Seen", "Read"], *([*row, *[None] * (len(grid[0]) - len(row)), *own] for row in grid[1:])]


def test_rows_are_recognised_despite_changed_own_columns_rcp_35():
    rows = example("1066")
    for row in rows["War Requests"][1:]:
        del row["Request"]
    grids_ = grids(rows)
    requests = grids_["War Requests"]
    before = read(MemoryWorkbook({**grids_, "War Requests": seen(requests, 0)}))
    changes = plan_pass(replace(before, revision=""), pass_context(), NOW).writes.changes
    given = {requests[cell.row - 1][requests[0].index("War")]: cell.value for cell in changes.cells}
    assert len(given) == 4
    upside_down = [requests[0], *reversed(requests[1:])]

    moved = blind_write({**grids_, "War Requests": seen(upside_down, 1)}, changes)
    moved.commit(read(moved), reconcile(before, changes, read(moved), load_all()).changes)

    found = dict(zip(column(moved, "War Requests", "War"), column(moved, "War Requests", "Request"), strict=True))
    assert found == {**{row["War"]: row.get("Request") for row in rows["War Requests"]}, **given}


def test_a_write_at_its_intended_place_is_left_alone():
    book = MemoryWorkbook(example_grids("1066"))
    before = read(book)
    made = plan_pass(before, pass_context(), NOW)
    book.commit(before, made.writes.changes)

    assert not reconcile(before, made.writes.changes, read(book), load_all()).changes


def test_a_tick_cleared_by_a_displaced_status_is_restored():
    """Odds are ready: their row's Status is cleared, and a column that comes between leaves Ready in its place."""
    grids = example_grids("1066")
    requests = grids["War Requests"]
    status = requests[0].index("Status") + 1
    before = read(MemoryWorkbook(grids))
    changes = ChangeSet(cells=tuple(SetCell(key("War Requests"), row, status, "", "Waiting") for row in (2, 3)))

    moved = blind_write({**grids, "War Requests": insert_column(requests)}, changes)
    assert column(moved, "War Requests", "Ready")[:3] == ["", "", True]
    moved.commit(read(moved), reconcile(before, changes, read(moved), load_all()).changes)

    assert column(moved, "War Requests", "Ready") == [True] * 5
    later = MemoryWorkbook({**grids, "War Requests": insert_column(requests)})  # inserted after the write
    assert not reconcile(before, changes, read(later), load_all()).changes


def test_a_cell_overwritten_by_a_person_since_is_left_alone():
    grids = example_grids("1066")
    before = read(MemoryWorkbook(grids))
    changes = plan_pass(before, pass_context(), NOW).writes.changes
    book = blind_write({**grids, "Nations": insert_above(grids["Nations"])}, changes)
    place = list(grids["Nations"][0]).index("Stability") + 1
    book.type_in("Nations", 2, place, 12)  # where England's value landed
    book.type_in("Nations", 3, place, 34)  # where it was meant

    mended = reconcile(before, changes, read(book), load_all()).changes
    assert not {(cell.tab.name, cell.row) for cell in mended.cells} & {("Nations", 2), ("Nations", 3)}


def test_rcp_33_a_cell_beyond_repair_is_reported_after_its_row_changed_too():
    """A column was inserted, so that stabilities landed on names; a person typed one of them over another name."""
    grids = example_grids("1066")
    before = read(MemoryWorkbook(grids))
    changes = plan_pass(before, pass_context(), NOW).writes.changes
    book = blind_write({**grids, "Nations": insert_column(grids["Nations"])}, changes)
    ours = read(book).sheet(key("Nations"))
    assert ours is not None
    book.type_in("Nations", 3, 2, ours.rows[2][1])

    found = reconcile(before, changes, read(book), load_all())
    book.commit(read(book), found.changes)

    told = [str(still_wrong(cell, read(book), load_all())) for cell in found.unsure]
    assert [line.split(":")[0] for line in told] == ["Nations!B2", "Nations!B3"]


def test_a_lost_written_column_is_reported_and_nothing_else_is_touched():
    """A person exchanged the titles of two tabs, or changed the header, while rows moved under the write."""
    grids = example_grids("1066")
    before = read(MemoryWorkbook(grids))
    changes = plan_pass(before, pass_context(), NOW).writes.changes
    moved = insert_above(grids["Nations"])
    heads = ["Calm" if head == "Stability" else head for head in moved[0]]
    renamed = blind_write({**grids, "Nations": [heads, *moved[1:]]}, changes)
    whole = blind_write({**grids, "Nations": moved}, changes)

    lost, found = (reconcile(before, changes, read(book), load_all()) for book in (renamed, whole))

    assert [str(problem) for problem in lost.unreachable] == [
        'Nations: has no column "Stability" any more, in which the program has just written. Put back its header, or'
        " the titles of tabs that were exchanged; nothing is ruled until then. [RCP-33]"
    ]
    assert not [cell for cell in lost.changes.cells if cell.tab.name == "Nations"]
    assert [cell for cell in found.changes.cells if cell.tab.name == "Nations"]
    assert not found.unreachable


def test_statuses_beside_the_wrong_rows_are_corrected_by_the_next_pass():
    book = workbook(example("1066"))
    before = read(book)
    changes = plan_pass(before, pass_context(), NOW).writes.changes
    book.commit(before, changes)
    first, second = (read(book).sheet(key("War Requests")).rows[row] for row in (2, 3))  # type: ignore[union-attr]
    heads = read(book).sheet(key("War Requests")).rows[1]  # type: ignore[union-attr]
    for place, (one, other) in enumerate(zip(first, second, strict=True), start=1):
        if heads[place - 1] in ("Winner", "Message", "Status"):
            book.type_in("War Requests", 2, place, other)
            book.type_in("War Requests", 3, place, one)
    run(book)

    assert read(book).sheet(key("War Requests")).rows[2] == first  # type: ignore[union-attr]
    assert column(book, "War Requests", "Status") == ["Done"] * 5
