"""Checks that the workbook, its tabs and cells may be written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.cell_limits import TYPE_VALUE, UNMERGE
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.xlsx.edit.book import XlsxBook, XlsxTab
from sheets_algo.workbook.xlsx.file.areas import MAX_COLUMN, MAX_ROW
from sheets_algo.workbook.xlsx.file.package import Package

_FINAL = re.compile(rb"""\sname\s*=\s*["']_MarkAsFinal["'][^>]*>\s*<[^>]*>\s*(?:true|1)\s*<""")


def check_workbook(book: XlsxBook) -> None:
    """Check that the workbook may be changed: that it is neither signed nor marked as final.

    Raises:
        RefusedChange: It is, and the change is not forced.
    """
    for state, remedy in _seals(book.package):
        if not book.is_forced:
            raise RefusedChange(
                f"{book.package.name}: the workbook is {state}: {remedy}, or pass --force; nothing was written."
            )
        book.remarks.append(f"{book.package.name}: the workbook is {state}; it was changed all the same, as asked.")


def _seals(package: Package) -> Iterator[tuple[str, str]]:
    """Yield state and remedy for each mark that asks to leave the workbook unchanged."""
    links = package.relationships("")
    if any("/digital-signature/" in link.type for link in links):
        yield "signed, and a change makes the signature invalid", "remove the signature"
    properties = (link.target for link in links if link.kind == "custom-properties" and link.target in package)
    if any(_FINAL.search(package.part(part)) for part in properties):
        yield "marked as final", "lift that mark (in Excel: Edit Anyway, then save)"


def check_tab(book: XlsxBook, tab: XlsxTab, row: int = 0, column: int = 0) -> None:
    """Check that the tab's cells may be written at all: one cell of it, or row 0, whatever is added to it.

    Raises:
        RefusedChange: The tab is protected and the change is not forced.
    """
    if not tab.xml.is_protected:
        return
    if not book.is_forced:
        error = tab.refused(row, column, "the tab is protected", "unprotect it")
        raise error if row else RefusedChange(str(error))  # nothing can be planned around a whole tab
    remark = f"{tab.name}: the tab is protected and was written to all the same, as asked."
    if remark not in book.remarks:
        book.remarks.append(remark)


def check_cell(tab: XlsxTab, row: int, column: int) -> None:
    """Check that a cell may get a value.

    Raises:
        RefusedChange: The cell lies outside the sheet, is inside merged cells other than their first, or inside a
            pivot table, holds a formula, or shows a part of another formula's result.
    """
    if not (1 <= row <= MAX_ROW and 1 <= column <= MAX_COLUMN):
        raise RefusedChange(
            f"{tab.name}: row {row}, column {column} lies outside the sheet ({MAX_ROW:,} rows, {MAX_COLUMN:,} "
            f"columns); nothing was written."
        )
    for region in tab.merged_at(row, column):
        if (row, column) != (region.top, region.left):
            raise tab.refused(row, column, f"the cell is inside the merged cells {region}", UNMERGE)
    if formula := tab.formula_cells.get((row, column)):
        kind = {"normal": "a formula", "dataTable": "a data table"}.get(formula.kind, f"a formula ({formula.kind})")
        raise tab.refused(row, column, f"the cell holds {kind}", TYPE_VALUE)
    for region in tab.pivots:
        if region.holds(row, column):
            raise tab.refused(row, column, f"the cell is inside the pivot table {region}, which Excel fills")
    for formula in tab.results.at(row, column):
        anchor = a1(formula.row, formula.column)
        raise tab.refused(row, column, f"the cell shows a part of the result of the formula in {anchor}")
