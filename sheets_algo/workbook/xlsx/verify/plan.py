"""Expected result of a change set in a workbook: cells, styles, tables and pictures, found without the code that edits.

Only the changes and the workbook as read are looked at. An appended row comes below the last row with a value.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import merge
from itertools import islice
from typing import NamedTuple
from xml.etree.ElementTree import Element

from sheets_algo.workbook.cell_limits import fit
from sheets_algo.workbook.changes import ChangeSet, Picture
from sheets_algo.workbook.tab_key import TabKey, meant
from sheets_algo.workbook.values import Plain
from sheets_algo.workbook.xlsx.file.areas import Area, cell
from sheets_algo.workbook.xlsx.read.tables import XlsxTable
from sheets_algo.workbook.xlsx.verify.sheet_rows import SheetRows
from sheets_algo.workbook.xlsx.verify.trees import children, local


class PlannedCell(NamedTuple):
    """A planned cell."""

    value: Plain  # Value that the cell holds, None for an empty one
    style: str | None = None  # Style of the cell above, which a cell takes that the file lacks


@dataclass(slots=True)
class TabPlan:
    """The planned content of one tab."""

    cells: dict[int, dict[int, PlannedCell]] = field(default_factory=lambda: defaultdict(dict))  # By row and column
    tables: tuple[XlsxTable, ...] = ()  # Its tables, as high as they become
    pictures: tuple[Picture, ...] = ()  # Its pictures; blank if those that it shows stay


def titles_meant(changes: ChangeSet, titles: Sequence[str]) -> Mapping[TabKey, str]:
    """Return the title of each tab that changes name, new ones included; a tab that is missing has none."""
    new = [tab.tab.name for tab in changes.tabs]
    keys = [item.tab for items in (changes.cells, changes.rows, changes.pictures) for item in items]
    every = [*titles, *(title for title in new if title not in titles)]
    named = {key: next(iter(meant(key, every, str)), "") for key in dict.fromkeys(keys)}
    return named | {tab.tab: tab.tab.name for tab in changes.tabs}


def plan_tab(
    keys: Sequence[TabKey], changes: ChangeSet, old: SheetRows, tables: tuple[XlsxTable, ...], kinds: Sequence[str]
) -> TabPlan:
    """Return the result of changes on a tab.

    Args:
        keys: The keys by which the changes name the tab.
        old: The tab before the changes, or as in its template.
        tables: Its tables before the changes.
        kinds: Kind of value that each cell style shows, from `dates.format_kinds`.
    """
    plan, remarks = TabPlan(tables=tables), list[str]()
    for header in (new.header for new in changes.tabs if new.tab in keys):
        for column, text in enumerate(header, start=1):
            if (fitted := fit("", 1, column, text, remarks)) is not None:
                plan.cells[1][column] = PlannedCell(fitted)
    for change in changes.cells:
        if change.tab in keys:
            fitted = fit("", change.row, change.column, change.value, remarks)
            plan.cells[change.row][change.column] = PlannedCell(fitted)
    rows = [[fit("", 1, 1, value, remarks) for value in row.values] for row in changes.rows if row.tab in keys]
    if any(value is not None for row in rows for value in row):
        _append(plan, old, rows, kinds)
    pictures = tuple(picture for picture in changes.pictures if picture.tab in keys)
    if pictures and (changes.forced or not _is_protected(old.frame())):
        plan.pictures = pictures
    return plan


def _append(plan: TabPlan, old: SheetRows, rows: Sequence[Sequence[Plain]], kinds: Sequence[str]) -> None:
    """Plan rows below the last one with a value, in the styles of that one unless it is a header."""
    last, previous = [*islice(_valued_rows(plan, old), 2), 0, 0][:2]
    above: Mapping[int, str | None] = {}
    if previous and not any(table.header_rows and table.area.top == last for table in plan.tables):
        above = {column: element.get("s") for column, element in cells_of(old.parsed(last))}
    merged = [region for region in old.merged() if region.bottom > last]
    number = last + 1
    for values in rows:
        filled = {column: value for column, value in enumerate(values, start=1) if value is not None}
        if not filled:
            continue
        while covering := [region for region in merged if _covers(region, number, filled)]:
            number = max(region.bottom for region in covering) + 1
        for column, value in filled.items():
            style = above.get(column)
            is_shown_otherwise = not isinstance(value, bool | str) and bool(_item(kinds, style))
            plan.cells[number][column] = PlannedCell(value, None if is_shown_otherwise else style)
        plan.tables = tuple(_grown(table, number, filled, plan.tables) for table in plan.tables)
        number += 1


def _valued_rows(plan: TabPlan, old: SheetRows) -> Iterator[int]:
    """Yield the number of each row that holds a value once the planned cells are written, from the last one up."""
    written = {row for row, cells in plan.cells.items() if any(planned.value is not None for planned in cells.values())}
    kept = (number for number in old.valued_from_last() if number not in written and _keeps_value(plan, old, number))
    return merge(sorted(written, reverse=True), kept, reverse=True)


def _keeps_value(plan: TabPlan, old: SheetRows, number: int) -> bool:
    if number not in plan.cells:
        return True
    others = (element for column, element in cells_of(old.parsed(number)) if column not in plan.cells[number])
    return any(
        local(child) == "f" or (local(child) in ("v", "t") and bool(child.text))
        for cell in others
        for child in cell.iter()
    )


def cells_of(row: Element | None) -> Iterator[tuple[int, Element]]:
    """Yield column and element of each cell of a row; one without an address follows the previous one."""
    column = 0
    for child in children(row, "c"):
        column = (cell(child.get("r", "")) or (0, column + 1))[1]
        yield column, child


def _covers(region: Area, row: int, filled: Mapping[int, Plain]) -> bool:
    return any(region.holds(row, column) and (row, column) != (region.top, region.left) for column in filled)


def _grown(table: XlsxTable, row: int, filled: Mapping[int, Plain], tables: Sequence[XlsxTable]) -> XlsxTable:
    """Return a table with a row that is appended directly below it, unless it has totals or another one is there."""
    is_below = row == table.area.bottom + 1 and any(table.area.left <= column <= table.area.right for column in filled)
    grown = table.with_added_row()
    is_free = not any(other.area.overlaps(grown.area) for other in tables if other is not table)
    return grown if is_below and is_free and not table.totals_rows else table


def _is_protected(frame: Element) -> bool:
    marks = (element.get("sheet", "0").strip().lower() for element in children(frame, "sheetProtection"))
    return next(marks, "0") in ("1", "true", "on")


def _item(items: Sequence[str], number: str | None) -> str:
    return items[int(number)] if number and number.isdecimal() and int(number) < len(items) else ""
