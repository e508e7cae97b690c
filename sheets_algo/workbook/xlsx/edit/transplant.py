"""Tabs of a new workbook put into another one, with their widths, styles, notes, rules and rows.

The tabs are made as `init` makes a new file. Their styles are appended to those of the workbook, whose own keep their
numbers; the numbers in the tabs are shifted accordingly.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from functools import partial

from sheets_algo.workbook.template_spec import TabSpec, Template
from sheets_algo.workbook.xlsx.edit.book import Origin, XlsxBook
from sheets_algo.workbook.xlsx.file.markup import Markup, MarkupEdits, Tag
from sheets_algo.workbook.xlsx.file.package import Package, SheetEntry
from sheets_algo.workbook.xlsx.file.text import attribute

_LISTS = (b"numFmts", b"fonts", b"fills", b"borders", b"cellXfs", b"dxfs")
_BEFORE_DXFS = (b"cellStyleXfs", b"cellStyles")
_FIRST_FORMAT = 164
"""Minimum number of a format that is not built in."""
_OF_XF = {b"fontId": b"fonts", b"fillId": b"fills", b"borderId": b"borders"}
_FOLDERS = {"comments": "comments{}.xml", "vmlDrawing": "drawings/vmlDrawing{}.vml"}

_STYLED = (
    (re.compile(rb'(<c (?:[^>]* )?s=")(\d+)'), b"cellXfs"),
    (re.compile(rb'(<col (?:[^>]* )?style=")(\d+)'), b"cellXfs"),
    (re.compile(rb'(<cfRule (?:[^>]* )?dxfId=")(\d+)'), b"dxfs"),
)
"""Attributes in which a tab names a style by its number, each with the list it counts in."""


class Transplant:
    """The tabs of a template, ready to be put into a workbook.

    Args:
        book: The workbook, whose styles are extended at once.
        tabs: Descriptions of the tabs.
    """

    def __init__(self, book: XlsxBook, tabs: Sequence[TabSpec]) -> None:
        from sheets_algo.workbook.xlsx.edit.new import content_of  # only here, since it loads openpyxl

        self._book = book
        self._source = Package(content_of(Template(tabs, opens_with=tabs[0].key)), "the new tabs")
        self._offsets = _append_styles(book, self._source)

    @staticmethod
    def is_possible(book: XlsxBook) -> bool:
        """Return True if the workbook has styles that can be extended; strict ones have another namespace."""
        part = book.package.related("styles")
        if not part or b"purl.oclc.org" in book.parts.namespace("main"):
            return False
        styles = Markup(book.parts.read(part))
        return all(styles.first(name) for name in _LISTS[1:5])

    def content(self, name: str, part: str) -> bytes:
        """Return the content of a tab's part, with numbers of styles as in the workbook, and add the tab's notes.

        Args:
            part: Name of the part in the workbook, to which the notes are related.
        """
        parts, content = self._book.parts, self._read_unselected(self._entry(name))
        for pattern, name_of_list in _STYLED:
            content = pattern.sub(partial(_shift, self._offsets[name_of_list]), content)
        folder = posixpath.dirname(self._book.package.workbook_part)
        for link in self._source.relationships(self._entry(name).part):
            target = parts.free_name(posixpath.join(folder, _FOLDERS[link.kind]))
            parts.write(target, self._source.part(link.target))
            if link.kind == "comments":
                parts.declare(target, link.kind)
            else:
                parts.declare_extension("vml", link.kind)
            id = parts.relate(part, link.kind, target)
            content = content.replace(b'r:id="%b"' % link.id.encode(), b'r:id="%b"' % id.encode())
        return content

    def origin(self, name: str) -> Origin:
        """Return the source of a copied tab, for the check of the copy."""
        entry, source = self._entry(name), self._source
        notes = {link.kind: (link.id, source.part(link.target)) for link in source.relationships(entry.part)}
        styles = source.part(source.related("styles"))
        return Origin(self._read_unselected(entry), entry.state, styles, notes, self._names(entry))

    def _names(self, entry: SheetEntry) -> list[tuple[bytes, bytes]]:
        """Return the names of a tab, which hold its printed area and repeated rows, with their texts as XML."""
        book, number = Markup(self._source.part(self._source.workbook_part)), str(self._source.sheets.index(entry))
        tags = [tag for tag in book.tags(b"definedName") if tag.get(b"localSheetId") == number]
        return [
            (attribute(tag.get(b"name") or ""), book.data[tag.end : book.close(b"definedName", tag.end)[0]])
            for tag in tags
        ]

    def _read_unselected(self, entry: SheetEntry) -> bytes:
        return self._source.part(entry.part).replace(b' tabSelected="1"', b"")

    def _entry(self, name: str) -> SheetEntry:
        return next(entry for entry in self._source.sheets if entry.name == name)


def _shift(offset: int, match: re.Match[bytes]) -> bytes:
    return match[1] + b"%d" % (int(match[2]) + offset)


def _append_styles(book: XlsxBook, source: Package) -> dict[bytes, int]:
    """Append the styles of new tabs to those of the workbook; return by how much the numbers of each list shift."""
    part = book.package.related("styles")
    old, new = Markup(book.parts.read(part)), Markup(source.part(source.related("styles")))
    edits = MarkupEdits()
    offsets = {name: len(_children(old, name)) for name in _LISTS}
    taken = [int(number) for tag in old.tags(b"numFmt") if (number := tag.get(b"numFmtId") or "").isdecimal()]
    shift = max([_FIRST_FORMAT - 1, *taken]) + 1 - _FIRST_FORMAT

    def shifted(match: re.Match[bytes]) -> bytes:
        name, number = match[1], int(match[2])
        if name == b"numFmtId":
            return b' numFmtId="%d"' % (number + shift if number >= _FIRST_FORMAT else number)
        return b' %b="%d"' % (name, number + offsets[_OF_XF[name]])

    for name in _LISTS:
        added = _items(new, name)
        items = b"".join(added)
        if name in (b"numFmts", b"cellXfs"):
            items = re.sub(rb' (numFmtId|fontId|fillId|borderId)="(\d+)"', shifted, items)
        items = re.sub(rb"<(/?)(?=\w)", rb"<\1" + old.prefix, items)
        count = str(offsets[name] + len(added))
        tag = old.first(name)
        if not items:
            continue
        if tag is None:
            element = b'<%b count="%b">%b</%b>' % (old.name(name), count.encode(), items, old.name(name))
            edits.insert(old.root.end if name == b"numFmts" else old.after_last(*_LISTS[1:5], *_BEFORE_DXFS), element)
        elif tag.is_empty:
            start_tag = tag.start_tag().with_attribute(b"count", count).text
            edits.replace(tag.start, tag.end, start_tag + items + b"</" + old.name(name) + b">")
        else:
            edits.replace(tag.start, tag.end, tag.with_attribute(b"count", count).text)
            edits.insert(old.close(name, tag.end)[0], items)
    book.parts.write(part, edits.apply(old.data))
    return offsets


def _children(styles: Markup, name: bytes) -> list[tuple[bytes, Tag]]:
    """Return local name and start tag of each element of a list; none if the list is absent or empty."""
    tag = styles.first(name)
    return [] if tag is None or tag.is_empty else [*styles.children(tag.end)]


def _items(styles: Markup, name: bytes) -> list[bytes]:
    return [styles.data[child.start : styles.after(child, local)] for local, child in _children(styles, name)]
