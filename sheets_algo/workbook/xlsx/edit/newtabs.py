"""New tabs of the program in a workbook that lacks them: part, relationship, content type and entry in the workbook."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.tab_key import folded
from sheets_algo.workbook.xlsx.edit.book import Origin, XlsxBook, XlsxTab
from sheets_algo.workbook.xlsx.edit.cellxml import Writing
from sheets_algo.workbook.xlsx.edit.transplant import Transplant
from sheets_algo.workbook.xlsx.file.markup import Markup, MarkupEdits
from sheets_algo.workbook.xlsx.file.parts import DECLARATION
from sheets_algo.workbook.xlsx.file.text import attribute

_LONGEST_NAME = 31
_BAD_NAME = re.compile(r"[\x00-\x1f\ud800-\udfff\ufffe\uffff\[\]:*?/\\]|^'|'$")


def add_tab(book: XlsxBook, name: str, header: Sequence[str], transplant: Transplant | None = None) -> XlsxTab:
    """Add a tab after the last one, with its first row frozen.

    Args:
        header: Header texts that cells can store.
        transplant: Source of the tab, if it is to look as in a new workbook.

    Raises:
        RefusedChange: The name is taken or not allowed, or the workbook's structure is protected.
    """
    _check_name(book, name)
    workbook = Markup(book.parts.read(book.package.workbook_part))
    if not book.is_forced:
        _check_structure(workbook, name)
    folder = posixpath.join(posixpath.dirname(book.package.workbook_part), "worksheets")
    part = book.parts.free_name(posixpath.join(folder, "sheet{}.xml"))
    content = transplant.content(name, part) if transplant else _worksheet(book)
    book.parts.write(part, content)
    book.parts.declare(part, "worksheet")
    origin = transplant.origin(name) if transplant else Origin(content)
    relationship_id = book.parts.relate(book.package.workbook_part, "worksheet", part)
    _add_to_list(book, workbook, name, relationship_id, origin)
    tab = XlsxTab(name, len(book.tab_names), part, content)
    if not transplant:
        tab.writings = {(1, column): Writing(text) for column, text in enumerate(header, start=1) if text}
    book.add(tab, origin)
    return tab


def _check_name(book: XlsxBook, name: str) -> None:
    if folded(name) in map(folded, book.tab_names):
        raise RefusedChange(f"{name}: the workbook has a tab of that name already; nothing was written.")
    if (
        not name.strip()
        or len(name.encode("utf-16-le", "surrogatepass")) // 2 > _LONGEST_NAME
        or _BAD_NAME.search(name)
    ):
        raise RefusedChange(
            f"{name}: a tab's name has 1 to {_LONGEST_NAME} characters, none of []:*?/\\ and no apostrophe at its "
            f"ends; nothing was written."
        )


def _check_structure(workbook: Markup, name: str) -> None:
    lock = workbook.first(b"workbookProtection")
    if lock and (lock.get(b"lockStructure") or "0") in ("1", "true"):
        raise RefusedChange(
            f"{name}: the workbook's structure is protected, so no tab can be added: unprotect it; nothing was written."
        )


def _add_to_list(book: XlsxBook, workbook: Markup, name: str, relationship_id: str, origin: Origin) -> None:
    numbers = [int(number) for tag in workbook.tags(b"sheet") if (number := tag.get(b"sheetId") or "").isdecimal()]
    prefix, declaration = book.parts.relation_prefix(workbook)
    values = (
        workbook.name(b"sheet"),
        declaration,
        attribute(name),
        max(numbers, default=0) + 1,
        b'state="hidden" ' if origin.state == "hidden" else b"",
        prefix,
        relationship_id.encode(),
    )
    edits = MarkupEdits()
    sheets = workbook.first(b"sheets")
    if sheets is None:
        raise RefusedChange(f"{name}: the workbook's list of tabs was not found; nothing was written.")
    edits.insert(workbook.close(b"sheets", sheets.end)[0], b'<%b%b name="%b" sheetId="%d" %b%bid="%b"/>' % values)
    if origin.names:
        _define(workbook, len(book.tab_names), origin.names, edits)
    book.parts.write(book.package.workbook_part, edits.apply(workbook.data))


def _define(workbook: Markup, number: int, names: Sequence[tuple[bytes, bytes]], edits: MarkupEdits) -> None:
    """Define the names of the tab at a position among the tabs, from 0."""
    element, holder = workbook.name(b"definedName"), workbook.name(b"definedNames")
    new = b"".join(
        b'<%b name="%b" localSheetId="%d">%b</%b>' % (element, name, number, text, element) for name, text in names
    )
    tag = workbook.first(b"definedNames")
    if tag and not tag.is_empty:
        edits.insert(workbook.close(b"definedNames", tag.end)[0], new)
    else:
        at = tag.start if tag else workbook.after_last(b"sheets", b"functionGroups", b"externalReferences")
        edits.replace(at, tag.end if tag else at, b"<%b>%b</%b>" % (holder, new, holder))


def _worksheet(book: XlsxBook) -> bytes:
    """Return a tab without cells whose first row is frozen."""
    return (
        DECLARATION
        + b'<worksheet xmlns="%b">' % book.parts.namespace("main")
        + b'<dimension ref="A1"/><sheetViews><sheetView workbookViewId="0">'
        + b'<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
        + b'<selection pane="bottomLeft"/></sheetView></sheetViews>'
        + b'<sheetFormatPr defaultRowHeight="15"/><sheetData/>'
        + b'<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/></worksheet>'
    )
