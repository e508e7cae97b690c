"""Writing of values into a worksheet's bytes: changed cells, and new ones in their order, leave the rest unchanged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.values import Plain
from sheets_algo.workbook.xlsx.file.areas import area
from sheets_algo.workbook.xlsx.file.markup import MarkupEdits, Tag
from sheets_algo.workbook.xlsx.file.text import attribute, cell_xml
from sheets_algo.workbook.xlsx.read.sheetxml import CellSpan, RowSpan, SheetXml


class Writing(NamedTuple):
    """The planned value of one cell."""

    value: Plain  # Value that a cell can store (see `cell_limits`); None empties the cell
    style: str | None = None  # Style index for a cell that the file lacks; None for that of its row or column


def write_cells(
    sheet: SheetXml, writings: Mapping[tuple[int, int], Writing], edits: MarkupEdits, style_count: int
) -> None:
    """Note the edits that put values into cells; an existing cell keeps its style.

    Args:
        writings: Planned values by row and column.
        edits: Edits, to which new ones are added.
        style_count: Number of cell styles that the workbook has; a new cell takes no other from those around it.

    Raises:
        Unscannable: The rows or cells of the sheet cannot be edited.
    """
    by_column: dict[int, str | None] = {}
    for number, group in groupby(sorted(writings.items(), key=itemgetter(0)), key=lambda item: item[0][0]):
        row = sheet.row(number)
        spans = {span.column: span for span in sheet.cells(row)} if row else {}
        columns: dict[int, Writing] = {}
        for (_, column), writing in group:
            if row is None and column not in by_column:
                by_column[column] = default_style(sheet, None, column)
            style = writing.style or (by_column[column] if row is None else default_style(sheet, row, column))
            style = style if style and style.isdecimal() and int(style) < style_count else None
            columns[column] = Writing(writing.value, style)
        if row is None:
            _new_row(sheet, number, columns, edits)
        else:
            _change_row(sheet, row, spans, columns, edits)
    _widen_dimension(sheet, writings, edits)


def existing_style(span: CellSpan | None) -> str | None:
    """Return the style index of a cell; None if it has none or does not exist."""
    return span.tag.get(b"s") if span else None


def default_style(sheet: SheetXml, row: RowSpan | None, column: int) -> str | None:
    """Return the style index that a new cell takes from its row, else from its column."""
    if row and (row.tag.get(b"customFormat") or "0") in ("1", "true"):
        return row.tag.get(b"s")
    return next((style for first, last, style in sheet.column_styles if first <= column <= last), None)


def cell_element(sheet: SheetXml, tag: Tag, value: Plain) -> bytes:
    """Return the XML of a whole cell.

    Args:
        sheet: Worksheet whose namespace prefix is used.
        tag: Start tag of the cell, without a type.
    """
    if value is None:
        return tag.empty_tag().text
    return tag.start_tag().text[:-1].rstrip() + _value_xml(sheet, value)


def _value_xml(sheet: SheetXml, value: str | bool | int | float) -> bytes:
    """Return the XML that follows the attributes of a cell's start tag."""
    end = b"</%b>" % sheet.name(b"c")
    if isinstance(value, str):
        holder, text = sheet.name(b"is"), sheet.name(b"t")
        space = b"" if value == value.strip() else b' xml:space="preserve"'  # of a log of 1,000 wars it is 20 MB
        content = b"<%b><%b%b>%b</%b></%b>" % (holder, text, space, cell_xml(value), text, holder)
        return b' t="inlineStr">' + content + end
    start = b' t="b">' if isinstance(value, bool) else b">"
    element = sheet.name(b"v")
    return start + b"<%b>%b</%b>" % (element, number_text(value).encode(), element) + end


def number_text(value: float) -> str:
    """Return the shortest digits that read back as the same number, also for subclasses of int and float."""
    return int.__repr__(value) if isinstance(value, int) else float.__repr__(value)


def _change_row(
    sheet: SheetXml, row: RowSpan, spans: Mapping[int, CellSpan], columns: Mapping[int, Writing], edits: MarkupEdits
) -> None:
    new: list[tuple[int, bytes]] = []
    for column, writing in columns.items():
        span = spans.get(column)
        if span:
            edits.replace(span.tag.start, span.end, _changed_cell(sheet, span, writing.value))
        elif writing.value is not None:
            start = min((other.tag.start for other in spans.values() if other.column > column), default=row.content_end)
            new.append((start, _new_cell(sheet, row.number, column, writing.value, writing.style)))
    if row.tag.is_empty:
        if new:
            edits.replace(row.tag.start, row.end, _row_element(sheet, row.tag.without(b"spans"), new))
        return
    if row.tag.get(b"spans") is not None:
        edits.replace(row.tag.start, row.tag.end, row.tag.without(b"spans").text)
    for at, cell in new:
        edits.insert(at, cell)


def _new_row(sheet: SheetXml, number: int, columns: Mapping[int, Writing], edits: MarkupEdits) -> None:
    cells = [
        (0, _new_cell(sheet, number, column, writing.value, writing.style))
        for column, writing in columns.items()
        if writing.value is not None
    ]
    if cells:
        tag = Tag(0, 0, b'<%b r="%d">' % (sheet.name(b"row"), number))
        edits.insert(sheet.insertion_offset(number), _row_element(sheet, tag, cells))


def _row_element(sheet: SheetXml, tag: Tag, cells: Iterable[tuple[int, bytes]]) -> bytes:
    return tag.start_tag().text + b"".join(cell for _, cell in cells) + b"</%b>" % sheet.name(b"row")


def _new_cell(sheet: SheetXml, row: int, column: int, value: str | bool | int | float, style: str | None) -> bytes:
    styled = b' s="%b"' % attribute(style) if style else b""
    return b'<%b r="%b"%b' % (sheet.name(b"c"), a1(row, column).encode(), styled) + _value_xml(sheet, value)


def _changed_cell(sheet: SheetXml, span: CellSpan, value: Plain) -> bytes:
    """Return the cell with another value; its attributes stay, except those that describe the old value."""
    tag = span.tag.without(b"t", b"cm", b"vm")
    if tag.get(b"r") is None:
        tag = tag.with_attribute(b"r", a1(span.row, span.column))
    return cell_element(sheet, tag, value)


def _widen_dimension(sheet: SheetXml, writings: Mapping[tuple[int, int], Writing], edits: MarkupEdits) -> None:
    tag = sheet.first(b"dimension", sheet.root.end, sheet.body)
    old_area = area(tag.get(b"ref") or "") if tag else None
    if tag is None or old_area is None:
        return
    new_area = old_area
    if filled := [cell for cell, writing in writings.items() if writing.value is not None]:
        rows, columns = zip(*filled, strict=True)
        new_area = old_area.including(min(rows), min(columns)).including(max(rows), max(columns))
    if new_area != old_area:
        edits.replace(tag.start, tag.end, tag.with_attribute(b"ref", str(new_area)).text)
