"""Removing the cached results that a change made wrong, and asking for a calculation when the file is opened."""

from __future__ import annotations

from sheets_algo.workbook.xlsx.book import Book, Tab
from sheets_algo.workbook.xlsx.formulas import Formula, stale
from sheets_algo.workbook.xlsx.markup import Edits, Markup
from sheets_algo.workbook.xlsx.sheetxml import FormulaCell

# What may stand before calcPr in a workbook part, in the order of the format.
_BEFORE_CALC = (b"sheets", b"functionGroups", b"externalReferences", b"definedNames")


def drop_stale_results(book: Book) -> None:
    """Note the removal of every result that depends on a written cell; formulas stay, and so do all other results."""
    changed = [(tab.number, *where) for tab in book.opened() for where in tab.writings]
    if not changed:
        return
    tabs = {tab.number: tab for tab in book.worksheets()}
    formulas = [Formula(number, cell) for number, tab in tabs.items() for cell in tab.formulas]
    dropped = False
    for formula in stale(formulas, book.names(), changed) if formulas else ():
        dropped |= _drop(tabs[formula.sheet], formula.cell)
    if dropped:
        _calculate_on_load(book)


def _drop(tab: Tab, formula: FormulaCell) -> bool:
    """Remove a formula's result and what its cell says about it; whether there was one.

    What an array or a data table shows in other cells stays: only its first cell tells that it has to be calculated.
    """
    span = formula.cell
    values = [(tag, local) for local in (b"v", b"is") if (tag := tab.xml.first(local, span.tag.end, span.content_end))]
    for tag, local in values:
        tab.edits.replace(tag.start, tab.xml.after(tag, local), b"")
    if values:
        tab.edits.replace(span.tag.start, span.tag.end, span.tag.without(b"t", b"vm").text)
    return bool(values)


def _calculate_on_load(book: Book) -> None:
    part = book.package.workbook_part
    markup = Markup(book.parts.read(part))
    edits = Edits()
    if tag := markup.first(b"calcPr"):
        if tag.get(b"fullCalcOnLoad") in ("1", "true"):
            return
        edits.replace(tag.start, tag.end, tag.with_attribute(b"fullCalcOnLoad", "1").text)
    else:
        at = max(markup.after(tag, local) for local in _BEFORE_CALC if (tag := markup.first(local)))
        edits.insert(at, b"<" + markup.name(b"calcPr") + b' fullCalcOnLoad="1"/>')
    book.parts.write(part, edits.apply(markup.data))
