"""Tabs of the program's own that a workbook lacks: part, relationship, content type and line in the workbook."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from sheets_algo.workbook.base import RefusedChange, a1, tab_key
from sheets_algo.workbook.xlsx import xml
from sheets_algo.workbook.xlsx.book import Book, Tab
from sheets_algo.workbook.xlsx.markup import Edits, Markup
from sheets_algo.workbook.xlsx.parts import DECLARATION
from sheets_algo.workbook.xlsx.text import attribute, cell_xml

_WORKSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"
_LONGEST_NAME = 31
_BAD_NAME = re.compile(r"[\x00-\x1f\ud800-\udfff\ufffe\uffff\[\]:*?/\\]|^'|'$")


def add_tab(book: Book, name: str, header: Sequence[str], *, forced: bool) -> Tab:
    """Add a tab after the last one, its first row frozen and, where the workbook has such a style, bold.

    Args:
        book: The workbook.
        name: The tab's name.
        header: Its header texts, fit for cells.
        forced: Also where the workbook's structure is protected.

    Raises:
        RefusedChange: The name is taken or not allowed, or the workbook's structure is protected.
    """
    _check_name(book, name)
    workbook = Markup(book.parts.read(book.package.workbook_part))
    _check_structure(workbook, name, forced=forced)
    folder = posixpath.join(posixpath.dirname(book.package.workbook_part), "worksheets")
    part = book.parts.free_name(posixpath.join(folder, "sheet{}.xml"))
    content = _worksheet(book, header)
    book.parts.write(part, content)
    book.parts.declare(part, _WORKSHEET)
    _list(book, workbook, name, book.parts.relate(book.package.workbook_part, "worksheet", part))
    tab = Tab(name, len(book.tab_names), part, content)
    book.add(tab)
    return tab


def _check_name(book: Book, name: str) -> None:
    if tab_key(name) in map(tab_key, book.tab_names):
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


def _check_structure(workbook: Markup, name: str, *, forced: bool) -> None:
    lock = workbook.first(b"workbookProtection")
    if lock and not forced and (lock.get(b"lockStructure") or "0") in ("1", "true"):
        raise RefusedChange(
            f"{name}: the workbook's structure is protected, so no tab can be added: unprotect it; nothing was written."
        )


def _list(book: Book, workbook: Markup, name: str, relationship_id: str) -> None:
    """Add the tab to the workbook's list."""
    numbers = [int(number) for tag in workbook.tags(b"sheet") if (number := tag.get(b"sheetId") or "").isdecimal()]
    prefix, declared = book.parts.relation_prefix(workbook)
    facts = (
        workbook.name(b"sheet"),
        declared,
        attribute(name),
        max(numbers, default=0) + 1,
        prefix,
        relationship_id.encode(),
    )
    edits = Edits()
    sheets = workbook.first(b"sheets")
    if sheets is None:
        raise RefusedChange(f"{name}: the workbook's list of tabs was not found; nothing was written.")
    edits.insert(workbook.close(b"sheets", sheets.end)[0], b'<%b%b name="%b" sheetId="%d" %bid="%b"/>' % facts)
    book.parts.write(book.package.workbook_part, edits.apply(workbook.data))


def _worksheet(book: Book, header: Sequence[str]) -> bytes:
    style = bold_style(book)
    styled = b' s="%d"' % style if style is not None else b""
    cells = b"".join(
        b'<c r="%b"%b t="inlineStr"><is><t xml:space="preserve">%b</t></is></c>'
        % (a1(1, column).encode(), styled, cell_xml(text))
        for column, text in enumerate(header, start=1)
        if text
    )
    last = a1(1, max(len(header), 1)).encode()
    row = b'<row r="1">%b</row>' % cells if cells else b""
    return (
        DECLARATION
        + b'<worksheet xmlns="%b">' % book.parts.namespace("main")
        + b'<dimension ref="A1%b"/>' % (b":" + last if last != b"A1" else b"")
        + b'<sheetViews><sheetView workbookViewId="0">'
        + b'<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
        + b'<selection pane="bottomLeft"/></sheetView></sheetViews>'
        + b'<sheetFormatPr defaultRowHeight="15"/>'
        + b"<sheetData>%b</sheetData>" % row
        + b'<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/></worksheet>'
    )


def bold_style(book: Book) -> int | None:
    """A style of the workbook that is bold and nothing else, None if it has none: the styles stay as they are."""
    styles = book.package.related("styles")
    if not styles:
        return None
    bold_fonts: set[str] = set()
    fonts, formats, inside = -1, -1, ""
    for space, local, facts in xml.elements(book.package.part(styles)):
        if space not in xml.SHEET_NAMESPACES:
            continue
        if local in ("fonts", "fills", "cellStyleXfs", "cellXfs", "dxfs"):
            inside = local
        elif inside == "fonts" and local == "font":
            fonts += 1
        elif inside == "fonts" and local == "b" and facts.get("val", "1") in ("1", "true"):
            bold_fonts.add(str(fonts))
        elif inside == "cellXfs" and local == "xf":
            formats += 1
            plain = all(facts.get(key, "0") == "0" for key in ("fillId", "borderId", "numFmtId"))
            if plain and facts.get("fontId") in bold_fonts:
                return formats
    return None
