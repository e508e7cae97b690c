"""Appending rows: where they go, which style their cells take, which tables grow with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from sheets_algo.workbook.base import Plain, RefusedChange
from sheets_algo.workbook.fitting import fit
from sheets_algo.workbook.xlsx.areas import MAX_ROW
from sheets_algo.workbook.xlsx.book import Book, Tab
from sheets_algo.workbook.xlsx.cellxml import Writing, existing_style
from sheets_algo.workbook.xlsx.checks import check_cell


def append_rows(book: Book, tab: Tab, rows: Sequence[Sequence[Plain]], remarks: list[str]) -> None:
    """Plan rows below the last one that holds a value, not merely a style; rows without any value are left out.

    A new cell takes the style of the cell above it, unless that is a header or would show a number as a date. A
    table that ends directly above grows, unless a row of totals closes it: then the row stands below the table, with
    a remark.

    Args:
        book: The workbook.
        tab: The tab, with the cells that are planned already.
        rows: The values from column A; None leaves a cell as it is.
        remarks: Takes what was done differently.

    Raises:
        RefusedChange: A value fits no cell, or there is no room below.
    """
    valued = list(islice(_valued_rows(tab), 2))
    last = valued[0] if valued else 0
    styles = _styles(tab, last) if len(valued) == 2 and not _is_heading(tab, last) else {}
    number = last + 1
    for values in rows:
        filled = {column: value for column, value in enumerate(values, start=1) if value not in (None, "")}
        if not filled:
            continue
        number = _below_merged(tab, number, filled)
        if number > MAX_ROW:
            raise RefusedChange(f"{tab.name}: the tab is full ({MAX_ROW:,} rows); nothing was written.")
        for column, value in filled.items():
            check_cell(tab, number, column)
            fitting = fit(tab.name, number, column, value, remarks)
            style = styles.get(column)
            tab.writings[number, column] = Writing(fitting, None if _misleads(book, style, fitting) else style)
        _grow_tables(tab, number, filled, remarks)
        number += 1


def _valued_rows(tab: Tab) -> Iterator[int]:
    """Numbers of the rows that hold a value once the planned cells are written, from the last one upwards."""
    planned: defaultdict[int, dict[int, Writing]] = defaultdict(dict)
    for (row, column), writing in tab.writings.items():
        planned[row][column] = writing
    ahead = sorted((row for row, cells in planned.items() if _has_value(cells)), reverse=True)
    for span in tab.xml.rows_upwards():
        while ahead and ahead[0] > span.number:
            yield ahead.pop(0)
        if ahead and ahead[0] == span.number:
            yield ahead.pop(0)
        elif tab.xml.holds_value(span):
            cells = planned.get(span.number, {})
            if not cells or any(tab.xml.holds_value(cell) for cell in tab.xml.cells(span) if cell.column not in cells):
                yield span.number
    yield from ahead


def _has_value(cells: Mapping[int, Writing]) -> bool:
    return any(writing.value is not None for writing in cells.values())


def _styles(tab: Tab, row: int) -> dict[int, str | None]:
    """Style of each cell of a row."""
    span = tab.xml.row(row)
    return {cell.column: existing_style(cell) for cell in tab.xml.cells(span)} if span else {}


def _is_heading(tab: Tab, row: int) -> bool:
    return any(table.header_rows and table.area.top == row for table in tab.tables)


def _below_merged(tab: Tab, row: int, filled: Mapping[int, Plain]) -> int:
    """The first row from `row` on in which no cell to be filled is covered by merged cells that start elsewhere."""
    while covering := [
        where for column in filled for where in tab.merged.at(row, column) if (where.top, where.left) != (row, column)
    ]:
        row = max(where.bottom for where in covering) + 1
    return row


def _misleads(book: Book, style: str | None, value: Plain) -> bool:
    """Whether a style would show a number as a date."""
    if style is None or isinstance(value, bool | str) or not style.isdecimal():
        return False
    kinds = book.meaning.kinds
    return int(style) < len(kinds) and bool(kinds[int(style)])


def _grow_tables(tab: Tab, row: int, filled: Mapping[int, Plain], remarks: list[str]) -> None:
    for index, table in enumerate(tab.tables):
        if table.area.bottom != row - 1 or not any(table.area.left <= column <= table.area.right for column in filled):
            continue
        taller = table.taller()
        if table.totals_rows:
            remarks.append(f"{tab.name}: row {row} stands below the totals of the table {table.name}, outside of it.")
        elif not any(other.area.overlaps(taller.area) for other in tab.tables if other is not table):
            tab.tables[index] = taller
