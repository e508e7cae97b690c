"""Pictures in a tab of the program: media, drawing and anchors; other pictures in the tab are not changed.

The program recognises its own pictures by their names in the drawing, so that later ones replace them.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
import struct
from collections.abc import Sequence

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.changes import Picture
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.xlsx.edit.book import XlsxBook, XlsxTab
from sheets_algo.workbook.xlsx.file.areas import MAX_COLUMN, MAX_ROW
from sheets_algo.workbook.xlsx.file.markup import Markup, MarkupEdits
from sheets_algo.workbook.xlsx.file.parts import DECLARATION, Parts

OWN_NAME = "sheets-algo picture"
"""Start of the names of the program's pictures."""
OWN_MEDIA = "sheets-algo-"
"""Start of the names of their parts."""

_EMU_PER_PIXEL = 9525
_MOST = 1 << 16  # pixels of a side
_PNG = b"\x89PNG\r\n\x1a\n"

# Elements that may follow the drawing in a worksheet, in the order of the format; AlternateContent wraps controls.
AFTER_DRAWING = (
    b"legacyDrawing", b"legacyDrawingHF", b"drawingHF", b"picture", b"oleObjects", b"controls", b"webPublishItems",
    b"AlternateContent", b"tableParts", b"extLst",
)  # fmt: skip
_ANCHORS = (b"oneCellAnchor", b"twoCellAnchor", b"absoluteAnchor")


def place_pictures(book: XlsxBook, tab: XlsxTab, pictures: Sequence[Picture]) -> None:
    """Show pictures in a tab in place of those that the program showed there before.

    Raises:
        RefusedChange: A picture is not a PNG, or is outside the sheet.
    """
    part = _drawing_of(book, tab)
    if part is None:
        part = _new_drawing(book, tab)
    markup = Markup(book.parts.read(part))
    edits = MarkupEdits()
    old_media = _remove_own_pictures(book, part, markup, edits)
    used_ids = (tag.get(b"id") or "" for tag in markup.tags(b"cNvPr"))
    last_id = max((int(value) for value in used_ids if value.isdecimal()), default=0) + 1
    anchors = []
    for number, picture in enumerate(pictures, start=1):
        relationship = book.parts.relate(part, "image", _add_media(book, picture.png))
        anchors.append(anchor_of(book.parts, markup.prefix, number, picture, str(last_id + number), relationship))
    if markup.root.is_empty:
        root_element = markup.root.start_tag().text + b"".join(anchors) + b"</" + markup.name(b"wsDr") + b">"
        edits.replace(markup.root.start, markup.root.end, root_element)
    else:
        edits.insert(markup.close(b"wsDr", markup.root.end)[0], b"".join(anchors))
    book.parts.write(part, edits.apply(markup.data))
    for media in old_media:
        _remove_unused_media(book, media)


def _size(picture: Picture) -> tuple[int, int]:
    if not picture.png.startswith(_PNG) or picture.png[12:16] != b"IHDR" or len(picture.png) < 24:
        raise RefusedChange(
            f"{picture.tab}!{a1(picture.row, picture.column)}: the picture is not a PNG; nothing was written."
        )
    width, height = struct.unpack(">2L", picture.png[16:24])
    if not (
        1 <= picture.row <= MAX_ROW and 1 <= picture.column <= MAX_COLUMN and 0 < width < _MOST and 0 < height < _MOST
    ):
        raise RefusedChange(
            f"{picture.tab}: a picture of {width} x {height} pixels at row {picture.row}, column {picture.column} does "
            f"not fit into a sheet; nothing was written."
        )
    return width, height


def _drawing_of(book: XlsxBook, tab: XlsxTab) -> str | None:
    """Return the name of the part of the tab's drawing, None if it has none."""
    tag = tab.xml.first(b"drawing", tab.xml.tail)
    if tag is None:
        return None
    ids = {value for name, value in tag.attributes().items() if name.rpartition(":")[2] == "id"}
    return next((link.target for link in book.parts.relationships(tab.part) if link.id in ids), None)


def _new_drawing(book: XlsxBook, tab: XlsxTab) -> str:
    folder = posixpath.join(posixpath.dirname(book.package.workbook_part), "drawings")
    part = book.parts.free_name(posixpath.join(folder, "drawing{}.xml"))
    namespaces = (book.parts.namespace("spreadsheetDrawing"), book.parts.namespace("drawing"))
    book.parts.write(part, DECLARATION + b'<xdr:wsDr xmlns:xdr="%b" xmlns:a="%b"></xdr:wsDr>' % namespaces)
    book.parts.declare(part, "drawing")
    relationship = book.parts.relate(tab.part, "drawing", part)
    prefix, declaration = book.parts.relation_prefix(tab.xml)
    element = b'<%b%b %bid="%b"/>' % (tab.xml.name(b"drawing"), declaration, prefix, relationship.encode())
    tab.edits.insert(_drawing_offset(tab), element)
    return part


def _drawing_offset(tab: XlsxTab) -> int:
    """Return the offset in the worksheet where a drawing belongs."""
    for local, tag in tab.xml.children(tab.xml.tail):
        if local in AFTER_DRAWING:
            return tag.start
    return tab.xml.close(b"worksheet", tab.xml.tail)[0]


def _remove_own_pictures(book: XlsxBook, drawing: str, markup: Markup, edits: MarkupEdits) -> list[str]:
    """Remove the program's own pictures from a drawing; return the media that it no longer shows."""
    kept_ids, removed_ids = set[str](), set[str]()
    for local in _ANCHORS:
        for tag in markup.tags(local):
            end = markup.after(tag, local)
            content = markup.view[tag.end : end]
            ids = {value.decode() for value in _EMBEDDED.findall(content)}
            if _OWN.search(content):
                edits.replace(tag.start, end, b"")
                removed_ids |= ids
            else:
                kept_ids |= ids
    media = []
    for relationship in book.parts.relationships(drawing):
        if relationship.id in removed_ids - kept_ids and relationship.kind == "image":
            book.parts.unrelate(drawing, relationship.id)
            media.append(relationship.target)
    return media


def _add_media(book: XlsxBook, png: bytes) -> str:
    """Return the name of a picture's media part, which is named by its content and added if it is missing."""
    folder = posixpath.join(posixpath.dirname(book.package.workbook_part), "media")
    part = posixpath.join(folder, f"{OWN_MEDIA}{hashlib.sha256(png).hexdigest()[:32]}.png")
    if part not in book.package:
        book.parts.write(part, png)
        book.parts.declare_extension("png", "image")
    return part


def _remove_unused_media(book: XlsxBook, media: str) -> None:
    """Remove a media part that no part shows any more."""
    base = posixpath.basename(media).encode()
    lists = {name for name in (*book.package.names, *book.parts.added) if name.endswith(".rels")}
    if media in book.package and not any(base in book.parts.read(name) for name in lists):
        book.parts.remove(media)


def anchor_of(parts: Parts, prefix: bytes, number: int, picture: Picture, id: str, relationship: str) -> bytes:
    """Return the XML of one picture in a drawing, in its own size at 96 dpi, anchored to its cell.

    Args:
        parts: The parts, of which the namespaces are used.
        number: Number of the picture in its tab, from 1.
        relationship: Id of the drawing's relationship to the picture.
    """
    width, height = (pixels * _EMU_PER_PIXEL for pixels in _size(picture))
    return _ANCHOR.format(
        p=prefix.decode(),
        a=parts.namespace("drawing").decode(),
        r=parts.namespace("relationships").decode(),
        column=picture.column - 1,
        row=picture.row - 1,
        width=width,
        height=height,
        id=id,
        name=f"{OWN_NAME} {number}",
        relationship=relationship,
    ).encode()


_OWN = re.compile(rb"""\sname\s*=\s*["']%b \d""" % OWN_NAME.encode())
_EMBEDDED = re.compile(rb"""\s[A-Za-z0-9_.-]+:(?:embed|link|id)\s*=\s*["']([^"']*)["']""")
_ANCHOR = (
    '<{p}oneCellAnchor xmlns:a="{a}" xmlns:r="{r}">'
    "<{p}from><{p}col>{column}</{p}col><{p}colOff>0</{p}colOff><{p}row>{row}</{p}row><{p}rowOff>0</{p}rowOff></{p}from>"
    '<{p}ext cx="{width}" cy="{height}"/>'
    '<{p}pic><{p}nvPicPr><{p}cNvPr id="{id}" name="{name}"/>'
    '<{p}cNvPicPr><a:picLocks noChangeAspect="1"/></{p}cNvPicPr></{p}nvPicPr>'
    '<{p}blipFill><a:blip r:embed="{relationship}"/><a:stretch><a:fillRect/></a:stretch></{p}blipFill>'
    '<{p}spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'
    '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></{p}spPr></{p}pic><{p}clientData/></{p}oneCellAnchor>'
)
