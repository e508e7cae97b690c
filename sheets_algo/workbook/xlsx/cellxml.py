"""Writing values into a worksheet's bytes: the touched cells, new ones in their order, nothing around them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from sheets_algo.workbook.base import Plain, a1
from sheets_algo.workbook.xlsx.areas import area
from sheets_algo.workbook.xlsx.markup import Edits, Tag
from sheets_algo.workbook.xlsx.sheetxml import CellSpan, RowSpan, SheetXml
from sheets_algo.workbook.xlsx.text import attribute, cell_xml


@dataclass(frozen=True, slots=True)
class Writing:
    """What one cell becomes.

    Args:
        value: Fit for a cell (`fitting.cell_text`, finite, exact); None empties it.
        style: Style index for a cell that the file lacks; None: that of its row or column.
    """

    value: Plain
    style: str | None = None


def write_cells(
    sheet: SheetXml, writings: Mapping[tuple[int, int], Writing], edits: Edits
) -> dict[tuple[int, int], str | None]:
    """Note the edits that put values into cells; a cell that is there keeps its style.

    Args:
        sheet: The worksheet.
        writings: Row and column to what is written there.
        edits: Where the edits are noted.

    Returns:
        Row and column to the style index that the cell has then.

    Raises:
        Unscannable: The rows or cells of the sheet are not in a state to be edited.
    """
    styles: dict[tuple[int, int], str | None] = {}
    for number, group in groupby(sorted(writings.items(), key=itemgetter(0)), key=lambda item: item[0][0]):
        row = sheet.row(number)
        spans = {span.column: span for span in sheet.cells(row)} if row else {}
        columns: dict[int, Writing] = {}
        for (_, column), writing in group:
            style = (
                existing_style(spans[column]) if column in spans else writing.style or default_style(sheet, row, column)
            )
            styles[number, column] = style
            columns[column] = Writing(writing.value, style)
        if row is None:
            _new_row(sheet, number, columns, edits)
        else:
            _change_row(sheet, row, spans, columns, edits)
    _widen_dimension(sheet, writings, edits)
    return styles


def existing_style(span: CellSpan | None) -> str | None:
    """Style index of a cell, None if it states none or is not there."""
    return span.tag.get(b"s") if span else None


def default_style(sheet: SheetXml, row: RowSpan | None, column: int) -> str | None:
    """Style index that a new cell takes from its row, else from its column."""
    if row and (row.tag.get(b"customFormat") or "0") in ("1", "true"):
        return row.tag.get(b"s")
    return next((style for first, last, style in sheet.column_styles if first <= column <= last), None)


def cell_element(sheet: SheetXml, tag: Tag, value: Plain) -> bytes:
    """A whole cell.

    Args:
        sheet: Whose prefix is used.
        tag: The cell's start tag without a type.
        value: What it holds.
    """
    if value is None:
        return tag.closed().text
    return tag.opened().text[:-1].rstrip() + _filled(sheet, value)


def _filled(sheet: SheetXml, value: str | bool | int | float) -> bytes:
    """What follows the attributes of a cell's start tag."""
    end = b"</%b>" % sheet.name(b"c")
    if isinstance(value, str):
        holder, text = sheet.name(b"is"), sheet.name(b"t")
        inside = b'<%b><%b xml:space="preserve">%b</%b></%b>' % (holder, text, cell_xml(value), text, holder)
        return b' t="inlineStr">' + inside + end
    typed = b' t="b">' if isinstance(value, bool) else b">"
    held = sheet.name(b"v")
    return typed + b"<%b>%b</%b>" % (held, number_text(value).encode(), held) + end


def number_text(value: float) -> str:
    """The shortest digits that read back as the same number; of a float or an int, whatever its subclass."""
    return int.__repr__(value) if isinstance(value, int) else float.__repr__(value)


def _change_row(
    sheet: SheetXml, row: RowSpan, spans: Mapping[int, CellSpan], columns: Mapping[int, Writing], edits: Edits
) -> None:
    new: list[tuple[int, bytes]] = []
    for column, writing in columns.items():
        span = spans.get(column)
        if span:
            edits.replace(span.tag.start, span.end, _changed_cell(sheet, span, writing.value))
        elif writing.value is not None:
            later = min((other.tag.start for other in spans.values() if other.column > column), default=row.content_end)
            new.append((later, _new_cell(sheet, row.number, column, writing.value, writing.style)))
    if row.tag.is_empty:
        if new:
            edits.replace(row.tag.start, row.end, _row_element(sheet, row.tag.without(b"spans"), new))
        return
    if row.tag.get(b"spans") is not None:
        edits.replace(row.tag.start, row.tag.end, row.tag.without(b"spans").text)
    for at, cell in new:
        edits.insert(at, cell)


def _new_row(sheet: SheetXml, number: int, columns: Mapping[int, Writing], edits: Edits) -> None:
    cells = [
        (0, _new_cell(sheet, number, column, writing.value, writing.style))
        for column, writing in columns.items()
        if writing.value is not None
    ]
    if cells:
        tag = Tag(0, 0, b'<%b r="%d">' % (sheet.name(b"row"), number))
        edits.insert(sheet.place_for(number), _row_element(sheet, tag, cells))


def _row_element(sheet: SheetXml, tag: Tag, cells: Iterable[tuple[int, bytes]]) -> bytes:
    return tag.opened().text + b"".join(cell for _, cell in cells) + b"</%b>" % sheet.name(b"row")


def _new_cell(sheet: SheetXml, row: int, column: int, value: str | bool | int | float, style: str | None) -> bytes:
    styled = b' s="%b"' % attribute(style) if style else b""
    return b'<%b r="%b"%b' % (sheet.name(b"c"), a1(row, column).encode(), styled) + _filled(sheet, value)


def _changed_cell(sheet: SheetXml, span: CellSpan, value: Plain) -> bytes:
    """The cell with another value; what else its tag says stays, but for marks that belong to the old value."""
    tag = span.tag.without(b"t", b"cm", b"vm")
    if tag.get(b"r") is None:
        tag = tag.with_attribute(b"r", a1(span.row, span.column))
    return cell_element(sheet, tag, value)


def _widen_dimension(sheet: SheetXml, writings: Mapping[tuple[int, int], Writing], edits: Edits) -> None:
    tag = sheet.first(b"dimension", sheet.root.end, sheet.body)
    where = area(tag.get(b"ref") or "") if tag else None
    if tag is None or where is None:
        return
    wider = where
    for (row, column), writing in writings.items():
        if writing.value is not None:
            wider = wider.including(row, column)
    if wider != where:
        edits.replace(tag.start, tag.end, tag.with_attribute(b"ref", str(wider)).text)
