"""Header cells of tables: their texts stand in the table's part too, and Excel repairs a file in which they differ."""

from __future__ import annotations

from collections.abc import Iterator

from sheets_algo.workbook.fitting import refused
from sheets_algo.workbook.xlsx.book import Book, Tab
from sheets_algo.workbook.xlsx.markup import Markup
from sheets_algo.workbook.xlsx.references import TableUse, references
from sheets_algo.workbook.xlsx.tables import Table, grown, renamed


def update_tables(book: Book, tab: Tab) -> None:
    """Write the table parts of a tab anew whose size or headers are changed by its planned cells.

    Raises:
        RefusedChange: A header would be empty, a number or a double, a formula calls the column by its old name, or the
            cell is a label among the totals, which the table's part repeats.
    """
    for table in tab.tables:
        content = book.parts.read(table.part)
        _check_totals(tab, table, Markup(content))
        new = grown(content, table)
        if names := dict(_new_names(book, tab, table)):
            new = renamed(new, names)
        if new != content:
            book.parts.write(table.part, new)


def _check_totals(tab: Tab, table: Table, markup: Markup) -> None:
    if table.totals_rows:
        for number, tag in enumerate(markup.tags(b"tableColumn")):
            row, column = table.area.bottom, table.area.left + number
            if (row, column) in tab.writings and tag.get(b"totalsRowLabel") is not None:
                raise refused(tab.name, row, column, f"the cell is a label in the totals of the table {table.name}")


def _new_names(book: Book, tab: Tab, table: Table) -> Iterator[tuple[int, str]]:
    """Number (from 0) and new name of the columns whose header cell is written."""
    written = {
        column - table.area.left: writing.value
        for (row, column), writing in tab.writings.items()
        if table.is_header(row, column)
    }
    names = list(table.columns)
    for number, value in written.items():
        row, column = table.area.top, table.area.left + number
        if not isinstance(value, str):
            raise refused(tab.name, row, column, f"the header of a column of the table {table.name} has to be a text")
        if number >= len(names) or value == names[number]:
            continue
        others = {name.casefold() for at, name in enumerate(names) if at != number}
        if value.casefold() in others:
            raise refused(tab.name, row, column, f'the table {table.name} has a column "{value}" already')
        if value.casefold() != names[number].casefold() and _is_called(book, table, names[number].casefold()):
            raise refused(tab.name, row, column, f"a formula calls this column of the table {table.name} by its name")
        names[number] = value
        yield number, value


def _is_called(book: Book, table: Table, column: str) -> bool:
    """Whether a formula anywhere names the column."""
    texts = [formula.text for tab in book.worksheets() for formula in tab.formulas]
    texts += book.names().defined.values()
    markup = Markup(book.parts.read(table.part))
    for local in (b"calculatedColumnFormula", b"totalsRowFormula"):
        texts += (markup.content(tag, local) for tag in markup.tags(local))
    uses = (use for text in set(texts) if "[" in text for use in references(text).tables)
    return any(_names(use, table, column) for use in uses)


def _names(use: TableUse, table: Table, column: str) -> bool:
    if use.table and use.table.casefold() != table.name.casefold():
        return False
    if use.columns is None:
        return False
    return column in (name.casefold() for name in use.columns)
