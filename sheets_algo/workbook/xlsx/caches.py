"""Removal of stored results that a change made wrong, and the request to recalculate when the file is opened."""

from __future__ import annotations

from sheets_algo.workbook.xlsx.book import XlsxBook, XlsxTab
from sheets_algo.workbook.xlsx.formulas import Formula, stale_formulas
from sheets_algo.workbook.xlsx.markup import Markup, MarkupEdits
from sheets_algo.workbook.xlsx.sheetxml import FormulaCell

# Elements that may precede calcPr in a workbook part, in the order of the format.
_BEFORE_CALC = (b"sheets", b"functionGroups", b"externalReferences", b"definedNames")


def drop_stale_results(book: XlsxBook) -> None:
    """Note the removal of every stored result that depends on a written cell; everything else stays."""
    changed = [(tab.number, *position) for tab in book.opened() for position in tab.writings]
    if not changed:
        return
    tabs = {tab.number: tab for tab in book.worksheets()}
    formulas = [Formula(number, cell) for number, tab in tabs.items() for cell in tab.formulas]
    has_dropped = False
    for formula in stale_formulas(formulas, book.names(), changed) if formulas else ():
        has_dropped |= _drop_result(tabs[formula.sheet], formula.cell)
    if has_dropped:
        _calculate_on_load(book)


def _drop_result(tab: XlsxTab, formula: FormulaCell) -> bool:
    """Remove a formula's result and the attributes that describe it; return True if there was one.

    The results of an array or a data table in other cells stay: only its first cell states that it has to be
    calculated.
    """
    span = formula.cell
    values = [(tag, local) for local in (b"v", b"is") if (tag := tab.xml.first(local, span.tag.end, span.content_end))]
    for tag, local in values:
        tab.edits.replace(tag.start, tab.xml.after(tag, local), b"")
    if values:
        tab.edits.replace(span.tag.start, span.tag.end, span.tag.without(b"t", b"vm").text)
    return bool(values)


def _calculate_on_load(book: XlsxBook) -> None:
    part = book.package.workbook_part
    markup = Markup(book.parts.read(part))
    edits = MarkupEdits()
    if tag := markup.first(b"calcPr"):
        if tag.get(b"fullCalcOnLoad") in ("1", "true"):
            return
        edits.replace(tag.start, tag.end, tag.with_attribute(b"fullCalcOnLoad", "1").text)
    else:
        at = max(markup.after(tag, local) for local in _BEFORE_CALC if (tag := markup.first(local)))
        edits.insert(at, b"<" + markup.name(b"calcPr") + b' fullCalcOnLoad="1"/>')
    book.parts.write(part, edits.apply(markup.data))
