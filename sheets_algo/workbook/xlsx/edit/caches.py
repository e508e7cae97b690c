"""Removal of stored results that a change made wrong, and the request to recalculate when the file is opened."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from sheets_algo.workbook.snapshot import Columns
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.xlsx.edit.book import XlsxBook, XlsxTab
from sheets_algo.workbook.xlsx.file.markup import Markup, MarkupEdits, Tag
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.formulas.dependents import Formula, result_area, stale_formulas

_CONSTANT = re.compile(r"(?:(?:TRUE|FALSE)\(\)|[\d\s.+*/()-])+")  # LibreOffice saves a ticked box as =TRUE()


def has_formulas(package: Package, columns: Columns) -> bool:
    """Return True if cells of some columns show results of formulas that are no constants.

    Raises:
        RefusedChange: A tab cannot be scanned.
    """
    book = XlsxBook(package)
    return any(
        area.left <= place <= area.right
        for key, places in columns.items()
        for formula in book.formulas(key)
        if not _CONSTANT.fullmatch(formula.text)
        for area in (result_area(formula),)
        for place in places
    )


def drop_stale_results(book: XlsxBook, tabs_read: Collection[TabKey] | None) -> None:
    """Note the removal of every stored result that depends on a written cell; everything else stays.

    A result that only may depend on one, as that of INDIRECT, is removed where the program would read it, and kept on
    other tabs: Excel recalculates it when it opens the file, and other programs go on showing it.

    Args:
        book: The workbook, with the cells already planned.
        tabs_read: The tabs that the program reads; None for all.
    """
    if not (formulas := book.all_formulas):
        return
    changed = [(tab.number, *position) for tab in book.loaded_tabs() for position in tab.writings]
    tabs = {tab.number: tab for tab in book.loaded_tabs()}
    stale = stale_formulas(formulas, book.names(), changed)
    others = {number for number, tab in tabs.items() if tabs_read is not None and tab.key not in tabs_read}
    dropped = [*stale.surely, *(formula for formula in stale.perhaps if formula.sheet not in others)]
    kept = [formula for formula in stale.perhaps if formula.sheet in others and formula.cell.results]
    has_dropped = [_drop_result(tabs[formula.sheet], formula) for formula in dropped]
    if (kept or any(has_dropped)) and _calculate_on_load(book) and kept:
        counts = Counter(tabs[formula.sheet].name for formula in kept)
        listed = ", ".join(f"{count:,} in {name}" for name, count in counts.items())
        book.remarks.append(
            f"The results of formulas that may read any cell, as with INDIRECT or OFFSET, stay until Excel opens the "
            f"file and calculates them: {listed}."
        )


def _drop_result(tab: XlsxTab, formula: Formula) -> bool:
    """Remove a formula's result and the attributes that describe it; return True if there was one.

    The results of an array or a data table in other cells stay: only its first cell states that it has to be
    calculated.
    """
    cell = formula.cell
    if not cell.results:
        return False
    for at in range(0, len(cell.results), 2):
        tab.edits.replace(cell.results[at], cell.results[at + 1], b"")
    tab.dropped.add((cell.row, cell.column))
    if cell.is_described:
        tag = Tag(cell.start, cell.tag_end, tab.xml.data[cell.start : cell.tag_end])
        changed = tag.without(b"t", b"vm")
        if changed != tag:
            tab.edits.replace(tag.start, tag.end, changed.text)
    return True


def _calculate_on_load(book: XlsxBook) -> bool:
    """Ask for a calculation of everything; return False if the file asks for it already."""
    part = book.package.workbook_part
    markup = Markup(book.parts.read(part))
    edits = MarkupEdits()
    if tag := markup.first(b"calcPr"):
        if tag.get(b"fullCalcOnLoad") in ("1", "true"):
            return False
        edits.replace(tag.start, tag.end, tag.with_attribute(b"fullCalcOnLoad", "1").text)
    else:
        at = markup.after_last(b"sheets", b"functionGroups", b"externalReferences", b"definedNames")
        edits.insert(at, b"<" + markup.name(b"calcPr") + b' fullCalcOnLoad="1"/>')
    book.parts.write(part, edits.apply(markup.data))
    return True
