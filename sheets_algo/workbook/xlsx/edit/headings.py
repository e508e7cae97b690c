"""Header cells of tables: their texts are repeated in the table's part, and Excel repairs a file if the two differ."""

from __future__ import annotations

from collections.abc import Iterator

from sheets_algo.workbook.xlsx.edit.book import XlsxBook, XlsxTab
from sheets_algo.workbook.xlsx.file.markup import Markup
from sheets_algo.workbook.xlsx.formulas.references import references
from sheets_algo.workbook.xlsx.read.tables import XlsxTable, rename_columns, resize_table


def update_tables(book: XlsxBook, tab: XlsxTab) -> None:
    """Rewrite the parts of a tab's tables whose size or headers are changed by planned cells.

    Raises:
        RefusedChange: A header would be empty, a number or a duplicate, a formula uses the column's old name, or the
            cell is a label among the totals, which the table's part repeats.
    """
    for table in tab.tables:
        content = book.parts.read(table.part)
        _check_totals(tab, table, Markup(content))
        new_content = resize_table(content, table)
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
