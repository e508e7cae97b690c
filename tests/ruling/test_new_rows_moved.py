"""New rows in tabs that wait for them with boxes, and new rows under which people moved rows and columns."""

import pytest

from scripts.support.workbooks import NOW
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.repair.reconcile import reconcile
from sheets_algo.workbook.changes import AppendRow, SetCell
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.tabs import key
from tests.helpers.village_ruleset import barns, building, forms, grids, pass_context, read, run, workbook
from tests.ruling.test_reconcile import delete_first, insert_above, insert_column, sort_by_name, swap_columns

TYPES = [type(form) for form in forms()]
OLD = [["Old Barn", 35, True, "oak"], ["Mill", 1, False, "by the river"], ["Byre", 2]]
BOXES = [[None, None, False], [None, None, False]]


def planned(cells):
    snapshot = read(MemoryWorkbook(cells))
    return snapshot, plan_pass(snapshot, pass_context(), NOW).writes.changes


def blind(cells, changes):
    """What Google does: cells by coordinates, whatever stands there, rows below the last."""
    book = MemoryWorkbook(cells)
    for cell in changes.cells:
        book.type_in(cell.tab.name, cell.row, cell.column, cell.value)
    for row in changes.rows:
        if row.tab.name == "Barns":
            last = read(book).sheet(key("Barns")).last_row
            for column, value in enumerate(row.values, start=1):
                book.type_in("Barns", last + 1, column, value)
    return book


def by_name(book):
    """Barn to header and cell, wherever the columns stand; unticked boxes are no content."""
    sheet = read(book).sheet(key("Barns"))
    heads = list(sheet.rows[1])
    rows = [dict(zip(heads, row, strict=False)) for number, row in sheet.rows.items() if number > 1]
    named = {row.get("Barn"): row for row in rows}
    cells = {name: {head: value for head, value in row.items() if head and value} for name, row in named.items()}
    return {name: row for name, row in cells.items() if row}


def test_waiting_rows_with_boxes_are_filled_before_rows_are_added():
    asked = [building("B-1", "Old Barn", "Long Barn", "Hut"), building("B-2", "Old Barn", "Shed")]
    book = workbook([*OLD, *BOXES], (), asked)

    made = run(book)

    assert [cell for cell in made.writes.changes.cells if cell.tab.name == "Barns" and cell.row > 4] == [
        SetCell(key("Barns"), 5, 1, "Long Barn"),
        SetCell(key("Barns"), 5, 2, 5.0),
        SetCell(key("Barns"), 6, 1, "Hut"),
        SetCell(key("Barns"), 6, 2, 5.0),
    ]
    assert [row for row in made.writes.changes.rows if row.tab.name == "Barns"] == [
        AppendRow(key("Barns"), ("Shed", 5.0))
    ]
    assert list(barns(book)) == ["Old Barn", "Mill", "Byre", "Long Barn", "Hut", "Shed"]
    assert not run(book).writes.changes


def test_cells_below_the_table_stay_unchanged():
    cells = grids(OLD, (), [building("B-1", "Old Barn", "Long Barn")])
    cells["Barns"] += [[], [None, None, None, None, "Sum", 38]]
    book = MemoryWorkbook(cells)

    run(book)

    rows = read(book).sheet(key("Barns")).rows
    assert rows[5][:2] == ("Long Barn", 5)
    assert rows[6] == (None, None, None, None, "Sum", 38)


@pytest.mark.parametrize("waiting", [[], BOXES], ids=["appended", "in waiting rows"])
@pytest.mark.parametrize("move", [sort_by_name, insert_above, delete_first, swap_columns, insert_column])
def test_a_tab_rearranged_under_a_new_row_ends_as_if_rearranged_later(move, waiting):
    cells = grids([["Elder", 3], *OLD, *waiting], (), [building("B-1", "Old Barn", "Long Barn")])
    before, changes = planned(cells)
    quiet = blind(cells, changes)

    moved = blind({**cells, "Barns": move(cells["Barns"])}, changes)
    mended = reconcile(before, changes, read(moved), TYPES).changes
    moved.commit(read(moved), mended)

    expected = by_name(quiet)
    if move is delete_first:
        del expected["Elder"]
    assert by_name(moved) == expected
    assert not reconcile(before, changes, read(moved), TYPES).changes  # and nothing is healed twice


def test_a_new_row_at_its_intended_place_is_left_alone():
    for waiting in ([], BOXES):
        cells = grids([*OLD, *waiting], (), [building("B-1", "Old Barn", "Long Barn")])
        before, changes = planned(cells)

        assert not reconcile(before, changes, read(blind(cells, changes)), TYPES).changes
