"""The positions of rows and cells in a worksheet's bytes, without building a tree.

Rows are located once, cells only in the rows that are asked for; 100,000 rows take a fraction of a second. Rows and
cells without an address (`r`) follow the previous one, as the format specifies.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from io import BytesIO
from itertools import islice, pairwise
from operator import lt
from typing import NamedTuple

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.xlsx.file.areas import MAX_COLUMN, MAX_ROW, Area, area, cell
from sheets_algo.workbook.xlsx.file.guard import Limits
from sheets_algo.workbook.xlsx.file.markup import (
    Markup,
    Tag,
    Unscannable,
    any_tag,
    opening,
    without_extensions,
)
from sheets_algo.workbook.xlsx.file.package import Package

_DESCRIBED = re.compile(rb"\s(?:t|vm)\s*=")
_MOST_UNORDERED = Limits().unordered
"""Maximum number of rows of a tab whose rows are not in their order, which is compared as a tree."""
_LARGE = _LONGEST = 8_000_000
"""Least bytes of a worksheet that is not taken whole, and most bytes of one of its rows."""
_PLAIN = re.compile(rb"\s*(?:<\?xml[^>]*\?>\s*)?<worksheet[\s>]")
_ROW_BOUND = re.compile(rb"<row[\s/>]|</sheetData")
_ANY_ROW = re.compile(rb"<row(?:\s[^>]*?)??(?:\sr\s*=\s*[\"'](\d+)[\"'][^>]*)?>")
_ANY_VALUE = re.compile(rb"<[vt](?:\s[^>]*)?(?<!/)>[^<]")


class RowSpan(NamedTuple):
    """A `<row>`: its number, its tag, and the ends of its content and of itself (equal for `<row/>`)."""

    number: int
    tag: Tag
    content_end: int
    end: int


class CellSpan(NamedTuple):
    """A `<c>`: its address, its tag, and the ends of its content and of itself (equal for `<c/>`)."""

    row: int
    column: int
    tag: Tag
    content_end: int
    end: int


class FormulaCell(NamedTuple):
    """A cell with a formula."""

    row: int  # Row of the cell
    column: int  # Column of the cell
    start: int  # Offset of the cell's start tag
    tag_end: int  # Offset after it
    kind: str  # `normal`, `shared`, `array` or `dataTable`
    text: str  # Text of the formula, blank for a shared one whose text is in another cell
    reach: Area | None  # Cells that show its result or share it, None if not stated
    attributes: Mapping[str, str]  # Attributes of the `<f>`
    results: Sequence[int]  # Start and end of the element that holds its result, of each if there are several
    is_described: bool = True  # True if the cell's tag says of what kind its result is


class SheetXml(Markup):
    """A worksheet part for editing.

    Args:
        content: Content of the part as stored.

    Raises:
        Unscannable: The part is not a worksheet with a `sheetData` element.
    """

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        if self.root_name != "worksheet":
            raise Unscannable(f"it is a {self.root_name}, not a worksheet")
        self.view = without_extensions(self.view, self.name(b"extLst"))
        body_tag = self.first(b"sheetData", self.root.end)
        if body_tag is None:
            raise Unscannable("it has no sheetData element")
        if body_tag.is_empty:
            self._expand_body(body_tag)
            body_tag = next(self.tags(b"sheetData", self.root.end))
        self.body = body_tag.end
        """Offset where the rows start."""
        self.body_end, self.tail = self.close(b"sheetData", body_tag.end)
        """Offsets where the rows end, and where the elements after `sheetData` start."""

    def row(self, number: int) -> RowSpan | None:
        """Return the row of that number, None if the file has none.

        Raises:
            Unscannable: A row number occurs twice.
        """
        numbers, starts = self._ordered
        at = bisect_left(numbers, number)
        return self._row_span(number, starts[at]) if numbers[at : at + 1] == array("q", [number]) else None

    def valued_rows_from_last(self) -> Iterator[RowSpan]:
        """Yield every row that holds a value, from the highest number down."""
        numbers, starts = self._ordered
        spans = map(self._row_span, reversed(numbers), reversed(starts))
        return filter(self.holds_value, spans)

    def insertion_offset(self, number: int) -> int:
        """Return the offset at which to insert a row of that number, which the file lacks."""
        numbers, starts = self._ordered
        at = bisect_right(numbers, number)
        return starts[at] if at < len(starts) else self.body_end

    def cells(self, row: RowSpan) -> list[CellSpan]:
        """Return the cells of a row in file order.

        Raises:
            Unscannable: A cell's address is invalid, that of another row, or there twice.
        """
        if row.tag.is_empty:
            return []
        spans, column, columns = [], 0, set[int]()
        for tag in self.tags(b"c", row.tag.end, row.content_end):
            ref = tag.get(b"r")
            address = (row.number, column + 1) if ref is None else cell(ref)
            if address is None or address[0] != row.number:
                raise Unscannable(f'row {row.number} has a cell with the address "{ref}"')
            column = address[1]
            if column in columns:
                raise Unscannable(f"its cell {a1(row.number, column)} is there twice")
            columns.add(column)
            content_end, end = (tag.end, tag.end) if tag.is_empty else self.close(b"c", tag.end)
            spans.append(CellSpan(row.number, column, tag, content_end, end))
        return spans

    def holds_value(self, span: RowSpan | CellSpan) -> bool:
        """Return True if a row or cell has a value or a formula, not merely a style."""
        return self._value.search(self.view, span.tag.end, span.content_end) is not None

    def formulas(self) -> Iterator[FormulaCell]:
        """Yield every cell with a formula, in file order."""
        opener = b"<" + self.name(b"c")
        for formula in self.tags(b"f", self.body, self.body_end):
            cell = self.view.rfind(opener, self.body, formula.start)
            while cell >= 0 and self.view[cell + len(opener)] not in _NAME_ENDS:
                cell = self.view.rfind(opener, self.body, cell)
            if cell >= 0:
                yield self._formula(self._tag(b"c", cell), formula)

    @cached_property
    def merged(self) -> tuple[Area, ...]:
        """Ranges of merged cells."""
        refs = (tag.get(b"ref") or "" for tag in self.tags(b"mergeCell", self.tail))
        return tuple(region for region in map(area, refs) if region)

    @cached_property
    def is_protected(self) -> bool:
        """True if the tab's cells are protected."""
        tag = self.first(b"sheetProtection", self.tail)
        return tag is not None and (tag.get(b"sheet") or "0").strip().lower() in ("1", "true", "on")

    @cached_property
    def column_styles(self) -> tuple[tuple[int, int, str], ...]:
        """First column, last column and style index of columns that have a style."""
        styles = []
        count = sum(1 for _ in any_tag(self.name(b"col")).finditer(self.view, self.root.end, self.body))
        if count > MAX_COLUMN:
            raise Unscannable(f"it describes {count:,} columns, and a tab has {MAX_COLUMN:,}")
        for tag in self.tags(b"col", self.root.end, self.body):
            style, first, last = tag.get(b"style"), tag.get(b"min"), tag.get(b"max")
            if style and first and last and first.isdecimal() and last.isdecimal():
                styles.append((int(first), int(last), style))
        return tuple(styles)

    @cached_property
    def _value(self) -> re.Pattern[bytes]:
        names = [re.escape(self.name(local)) for local in (b"f", b"v", b"t")]
        return re.compile(rb"<%b[\s/>]|<(?:%b|%b)(?:\s[^>]*)?(?<!/)>[^<]" % tuple(names))

    @cached_property
    def _rows(self) -> tuple[array[int], array[int]]:
        """Number and offset of every row, in file order."""
        numbers, starts, number = array("q"), array("q"), 0
        row = re.compile(rb'<%b(?: r="([0-9]{1,7})"|(?=[\s/>]))' % re.escape(self.name(b"row")))
        for match in row.finditer(self.view, self.body, self.body_end):
            number = int(match[1]) if match[1] else self._stated_number(match.start(), number + 1)
            if not 1 <= number <= MAX_ROW:
                raise Unscannable(f"it has a row {number}")
            starts.append(match.start())
            numbers.append(number)
        return numbers, starts

    @cached_property
    def _ordered(self) -> tuple[array[int], array[int]]:
        """Number and offset of every row, in the order of the numbers."""
        numbers, starts = self._rows
        if all(map(lt, numbers, islice(numbers, 1, None))):
            return numbers, starts
        if len(numbers) > _MOST_UNORDERED:
            trouble = f"its {len(numbers):,} rows are not in their order, and {_MOST_UNORDERED:,} is the limit for that"
            raise Unscannable(f"{trouble}; save the workbook once in Excel or LibreOffice, which sorts them")
        pairs = sorted(zip(numbers, starts, strict=True))
        if any(one[0] == other[0] for one, other in pairwise(pairs)):
            raise Unscannable("one of its row numbers is there twice")
        return array("q", [number for number, _ in pairs]), array("q", [start for _, start in pairs])

    def _stated_number(self, start: int, otherwise: int) -> int:
        ref = self._tag(b"row", start).get(b"r")
        if ref is None:
            return otherwise
        if not ref.isdecimal():
            raise Unscannable(f'it has a row "{ref}"')
        return int(ref)

    def _tag(self, local: bytes, start: int) -> Tag:
        if match := opening(self.name(local)).match(self.view, start):
            return self._tag_at(start, match.end())
        raise Unscannable(f"one of its tags {local.decode()} does not end")

    def _row_span(self, number: int, start: int) -> RowSpan:
        tag = self._tag(b"row", start)
        if tag.is_empty:
            return RowSpan(number, tag, tag.end, tag.end)
        return RowSpan(number, tag, *self.close(b"row", tag.end))

    def _formula(self, tag: Tag, formula: Tag) -> FormulaCell:
        span = self._cell_span(tag)
        attributes = formula.attributes()
        ref = attributes.get("ref")
        return FormulaCell(
            row=span.row,
            column=span.column,
            start=tag.start,
            tag_end=tag.end,
            kind=attributes.get("t", "normal"),
            text=self.content(formula, b"f"),
            reach=area(ref) if ref else None,
            attributes=attributes,
            results=tuple(
                offset
                for local in (b"v", b"is")
                if (element := self.first(local, tag.end, span.content_end))
                for offset in (element.start, self.after(element, local))
            ),
            is_described=_DESCRIBED.search(tag.text) is not None,
        )

    def _cell_span(self, tag: Tag) -> CellSpan:
        """Return the cell that a tag opens; its position is counted if it has no address."""
        address = cell(tag.get(b"r") or "")
        if address is None:
            numbers, starts = self._rows
            at = bisect_right(starts, tag.start) - 1
            row = self._row_span(numbers[at], starts[at])
            return next(span for span in self.cells(row) if span.tag.start == tag.start)
        return CellSpan(*address, tag, *self.close(b"c", tag.end))

    def _expand_body(self, tag: Tag) -> None:
        """Replace `<sheetData/>` by an element with an end tag, so that rows can be inserted."""
        element = tag.start_tag().text + b"</" + self.name(b"sheetData") + b">"
        self.data = self.data[: tag.start] + element + self.data[tag.end :]
        self.view = self.view[: tag.start] + element + self.view[tag.end :]


_NAME_ENDS = b" \t\r\n/>"


def outline(package: Package, part: str, rows: Collection[int]) -> bytes:
    """Return a worksheet with one cell in place of those of each row, but for some rows and those with formulas.

    One that is small, or not spelled plainly, is returned whole.

    Raises:
        WorkbookUnavailable: The part cannot be read.
    """
    if package.size(part) < _LARGE:
        return package.part(part)
    file, rest, number, is_behind = BytesIO(), b"", 0, False
    for chunk in package.chunks(part):
        text = rest + chunk
        is_plain = file.tell() or _PLAIN.match(text)
        if not is_plain or b"<!" in text or text.find(b"<?", 2) >= 0 or len(rest) > _LONGEST:
            return package.part(part)
        bounds = [] if is_behind else [match.start() for match in _ROW_BOUND.finditer(text)]
        for start, end in pairwise([0, *bounds]):
            piece = text[start:end]
            if row := _ANY_ROW.match(piece):
                number = int(row[1] or number + 1)
                if b"extLst" in piece:
                    return package.part(part)
                if number not in rows and b"<f" not in piece:
                    cell = b"<c><v>0</v></c>" if _ANY_VALUE.search(piece) else b""
                    piece = b'<row r="%d">%b</row>' % (number, cell)
            file.write(piece)
        rest = text[bounds[-1] :] if bounds else text
        if is_behind or rest.startswith(b"</sheetData"):
            file.write(rest)
            rest, is_behind = b"", True
    return file.getvalue() if is_behind else package.part(part)
