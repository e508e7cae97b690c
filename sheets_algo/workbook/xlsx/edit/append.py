"""Appending of rows: their position, the styles of their cells, and the tables that grow with them.

The texts of a table's headers are repeated in its part, and Excel repairs a file if the two differ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from sheets_algo.workbook.cell_limits import fit
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.values import Plain
from sheets_algo.workbook.xlsx.edit.book import XlsxBook, XlsxTab
from sheets_algo.workbook.xlsx.edit.cellxml import Writing, existing_style
from sheets_algo.workbook.xlsx.edit.checks import check_cell
from sheets_algo.workbook.xlsx.file.areas import MAX_ROW
from sheets_algo.workbook.xlsx.file.markup import Markup
from sheets_algo.workbook.xlsx.formulas.references import references
from sheets_algo.workbook.xlsx.read.tables import XlsxTable, rename_columns, resize_table


def append_rows(book: XlsxBook, tab: XlsxTab, rows: Sequence[Sequence[Plain]]) -> None:
    """Plan rows below the last row that holds a value, not merely a style; rows without any value are left out.

    A new cell takes the style of the cell above it, unless that is a header or its style would show a number as a date.
    A table that ends directly above grows; if a row of totals closes it, the row is put below the table, with a remark.

    Args:
        tab: The tab, with the cells already planned.
        rows: Values of each row from column A; None leaves a cell unchanged.

    Raises:
        RefusedChange: A value fits no cell, or the tab is full.
    """
    last_valued = list(islice(_rows_with_values(tab), 2))
    last = last_valued[0] if last_valued else 0
    styles = _styles(tab, last) if len(last_valued) == 2 and not _is_heading(tab, last) else {}
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
            fitted = fit(tab.name, number, column, value, book.remarks)
            style = styles.get(column)
            tab.writings[number, column] = Writing(fitted, None if _shows_otherwise(book, style, fitted) else style)
        _grow_tables(tab, number, filled, book.remarks)
        number += 1


def _rows_with_values(tab: XlsxTab) -> Iterator[int]:
    """Yield the numbers of the rows that hold a value once the planned cells are written, from the last one up."""
    planned: defaultdict[int, dict[int, Writing]] = defaultdict(dict)
    for (row, column), writing in tab.writings.items():
        planned[row][column] = writing
    valued = {row for (row, _), writing in tab.writings.items() if writing.value is not None}
    pending = sorted(valued, reverse=True)
    for span in tab.xml.valued_rows_from_last():
        while pending and pending[0] > span.number:
            yield pending.pop(0)
        if pending and pending[0] == span.number:
            yield pending.pop(0)
        else:
            cells = planned.get(span.number, {})
            if not cells or any(tab.xml.holds_value(cell) for cell in tab.xml.cells(span) if cell.column not in cells):
                yield span.number
    yield from pending


def _styles(tab: XlsxTab, row: int) -> dict[int, str | None]:
    """Return the style of each cell of a row, by column."""
    span = tab.xml.row(row)
    return {cell.column: existing_style(cell) for cell in tab.xml.cells(span)} if span else {}


def _is_heading(tab: XlsxTab, row: int) -> bool:
    return any(table.header_rows and table.area.top == row for table in tab.tables)


def _below_merged(tab: XlsxTab, row: int, filled: Mapping[int, Plain]) -> int:
    """Return the first row from `row` on where no cell to fill lies in merged cells other than as their first one."""
    while covering := [
        area for column in filled for area in tab.merged_at(row, column) if (area.top, area.left) != (row, column)
    ]:
        row = max(area.bottom for area in covering) + 1
    return row


def _shows_otherwise(book: XlsxBook, style: str | None, value: Plain) -> bool:
    """Return True if a style would show a number as a date or as per cent."""
    if style is None or isinstance(value, bool | str) or not style.isdecimal():
        return False
    return int(style) < len(book.format_kinds) and bool(book.format_kinds[int(style)])


def _grow_tables(tab: XlsxTab, row: int, filled: Mapping[int, Plain], remarks: list[str]) -> None:
    for index, table in enumerate(tab.tables):
        if table.area.bottom != row - 1 or not any(table.area.left <= column <= table.area.right for column in filled):
            continue
        grown = table.with_added_row()
        if table.totals_rows:
            remarks.append(f"{tab.name}: row {row} is below the totals of the table {table.name}, outside of it.")
        elif not any(other.area.overlaps(grown.area) for other in tab.tables if other is not table):
            tab.tables[index] = grown


def update_tables(book: XlsxBook, tab: XlsxTab) -> None:
    """Rewrite the parts of a tab's tables whose size or headers are changed by planned cells.

    Raises:
        RefusedChange: A header would be empty, a number or a duplicate, a formula uses the column's old name, or the
            cell is a label among the totals, which the table's part repeats.
    """
    for table in tab.tables:
        content = book.parts.read(table.part)
        _check_totals(tab, table, Markup(content))
        new_content = resize_table(content, table, tab.writings)
        if names := dict(_new_names(book, tab, table)):
            new_content = rename_columns(new_content, names)
        if new_content != content:
            book.parts.write(table.part, new_content)


def _check_totals(tab: XlsxTab, table: XlsxTable, markup: Markup) -> None:
    if table.totals_rows:
        for number, tag in enumerate(markup.tags(b"tableColumn")):
            row, column = table.area.bottom, table.area.left + number
            if (row, column) in tab.writings and tag.get(b"totalsRowLabel") is not None:
                raise tab.refused(row, column, f"the cell is a label in the totals of the table {table.name}")


def _new_names(book: XlsxBook, tab: XlsxTab, table: XlsxTable) -> Iterator[tuple[int, str]]:
    """Yield number (from 0) and new name of the columns whose header cell is written."""
    written = {
        column - table.area.left: writing.value
        for (row, column), writing in tab.writings.items()
        if table.is_header(row, column)
    }
    names = list(table.columns)
    for number, value in written.items():
        row, column = table.area.top, table.area.left + number
        if not isinstance(value, str):
            raise tab.refused(row, column, f"the header of a column of the table {table.name} has to be a text")
        if number >= len(names) or value == names[number]:
            continue
        others = {name.casefold() for index, name in enumerate(names) if index != number}
        if value.casefold() in others:
            raise tab.refused(row, column, f'the table {table.name} has a column "{value}" already')
        if value.casefold() != names[number].casefold() and _is_used_by_formula(book, table, names[number].casefold()):
            raise tab.refused(row, column, f"a formula calls this column of the table {table.name} by its name")
        names[number] = value
        yield number, value


def _is_used_by_formula(book: XlsxBook, table: XlsxTable, column: str) -> bool:
    texts = [formula.text for tab in book.tabs_with_formulas() for formula in tab.formulas]
    texts += book.names().defined.values()
    markup = Markup(book.parts.read(table.part))
    for local in (b"calculatedColumnFormula", b"totalsRowFormula"):
        texts += (markup.content(tag, local) for tag in markup.tags(local))
    uses = (use for text in set(texts) if "[" in text for use in references(text).tables)
    of_table = (use for use in uses if not use.table or use.table.casefold() == table.name.casefold())
    return any(column in map(str.casefold, use.columns or ()) for use in of_table)
