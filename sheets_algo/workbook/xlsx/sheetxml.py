"""A worksheet's bytes: where its rows and cells stand, without a tree of them.

Rows are located once, cells only in the rows that are asked for; 100,000 rows cost a fraction of a second. Rows and
cells without an address (`r`) count on from the one before, as the format says.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from sheets_algo.workbook.xlsx.areas import MAX_ROW, Area, area, cell
from sheets_algo.workbook.xlsx.markup import Markup, Tag, Unscannable, opening


@dataclass(frozen=True, slots=True)
class RowSpan:
    """One `<row>`: its number, its tag, and where its content and itself end (alike for `<row/>`)."""

    number: int
    tag: Tag
    content_end: int
    end: int


@dataclass(frozen=True, slots=True)
class CellSpan:
    """One `<c>`: its address, its tag, and where its content and itself end (alike for `<c/>`)."""

    row: int
    column: int
    tag: Tag
    content_end: int
    end: int


@dataclass(frozen=True, slots=True)
class FormulaCell:
    """A cell with a formula.

    Args:
        cell: Where it stands.
        kind: `normal`, `shared`, `array` or `dataTable`.
        text: The formula, blank where a shared one is stated elsewhere.
        reach: The cells that show its result or share it, if stated.
        attributes: Of the `<f>`.
    """

    cell: CellSpan
    kind: str
    text: str
    reach: Area | None
    attributes: dict[str, str]


class SheetXml(Markup):
    """A worksheet part for editing.

    Args:
        content: The part as it is stored.

    Raises:
        Unscannable: It is not a worksheet with a `sheetData` element.
    """

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        if self.root_name != "worksheet":
            raise Unscannable(f"it is a {self.root_name}, not a worksheet")
        found = self.first(b"sheetData", self.root.end)
        if found is None:
            raise Unscannable("it has no sheetData element")
        if found.is_empty:
            self._open(found)
            found = next(self.tags(b"sheetData", self.root.end))
        self.body = found.end
        """Where the rows start."""
        self.body_end, self.tail = self.close(b"sheetData", found.end)
        """Where the rows end, and where what follows them starts."""

    def row(self, number: int) -> RowSpan | None:
        """The row of that number, None if the file has none.

        Raises:
            Unscannable: The number stands there twice.
        """
        at = self._places.get(number)
        return None if at is None else self._span(at)

    def rows_upwards(self) -> Iterator[RowSpan]:
        """Every row, the one with the highest number first."""
        for number in sorted(self._places, reverse=True):
            yield self._span(self._places[number])

    def place_for(self, number: int) -> int:
        """Offset where a row of that number, which the file lacks, belongs."""
        later = bisect_right(self._sorted, number)
        return self._starts[self._places[self._sorted[later]]] if later < len(self._sorted) else self.body_end

    def cells(self, row: RowSpan) -> list[CellSpan]:
        """The cells of a row in file order.

        Raises:
            Unscannable: A cell's address is none, or that of another row.
        """
        if row.tag.is_empty:
            return []
        found, column = [], 0
        for tag in self.tags(b"c", row.tag.end, row.content_end):
            ref = tag.get(b"r")
            address = (row.number, column + 1) if ref is None else cell(ref)
            if address is None or address[0] != row.number:
                raise Unscannable(f'row {row.number} has a cell with the address "{ref}"')
            column = address[1]
            content_end, end = (tag.end, tag.end) if tag.is_empty else self.close(b"c", tag.end)
            found.append(CellSpan(row.number, column, tag, content_end, end))
        return found

    def holds_value(self, span: RowSpan | CellSpan) -> bool:
        """Whether a row or cell has a value or a formula, not merely a style."""
        return self._value.search(self.view, span.tag.end, span.content_end) is not None

    def formulas(self) -> Iterator[FormulaCell]:
        """Every cell with a formula, in file order."""
        marker, opener = b"<" + self.name(b"f"), b"<" + self.name(b"c")
        at = self.view.find(marker, self.body, self.body_end)
        while at >= 0:
            if self.view[at + len(marker)] in _NAME_ENDS:
                start = self.view.rfind(opener, self.body, at)
                while start >= 0 and self.view[start + len(opener)] not in _NAME_ENDS:
                    start = self.view.rfind(opener, self.body, start)
                if start >= 0:
                    yield self._formula(start, at)
            at = self.view.find(marker, at + len(marker), self.body_end)

    @cached_property
    def merged(self) -> tuple[Area, ...]:
        """Ranges of merged cells."""
        refs = (tag.get(b"ref") or "" for tag in self.tags(b"mergeCell", self.tail))
        return tuple(found for found in map(area, refs) if found)

    @cached_property
    def is_protected(self) -> bool:
        """Whether the tab's cells are protected."""
        tag = self.first(b"sheetProtection", self.tail)
        return tag is not None and (tag.get(b"sheet") or "0").strip().lower() in ("1", "true", "on")

    @cached_property
    def column_styles(self) -> tuple[tuple[int, int, str], ...]:
        """First column, last column and style index of columns that have a style of their own."""
        found = []
        for tag in self.tags(b"col", self.root.end, self.body):
            style, first, last = tag.get(b"style"), tag.get(b"min"), tag.get(b"max")
            if style and first and last and first.isdecimal() and last.isdecimal():
                found.append((int(first), int(last), style))
        return tuple(found)

    @cached_property
    def _value(self) -> re.Pattern[bytes]:
        names = [re.escape(self.name(local)) for local in (b"f", b"v", b"t")]
        return re.compile(rb"<%b[\s/>]|<(?:%b|%b)(?:\s[^>]*)?(?<!/)>[^<]" % tuple(names))

    @cached_property
    def _starts(self) -> array[int]:
        return self._scan[0]

    @cached_property
    def _numbers(self) -> array[int]:
        return self._scan[1]

    @cached_property
    def _scan(self) -> tuple[array[int], array[int]]:
        """Offset and number of every row, in file order."""
        starts, numbers, number = array("q"), array("q"), 0
        row = re.compile(rb'<%b(?: r="([0-9]{1,7})"|(?=[\s/>]))' % re.escape(self.name(b"row")))
        for match in row.finditer(self.view, self.body, self.body_end):
            number = int(match[1]) if match[1] else self._stated(match.start(), number + 1)
            if not 1 <= number <= MAX_ROW:
                raise Unscannable(f"it has a row {number}")
            starts.append(match.start())
            numbers.append(number)
        return starts, numbers

    @cached_property
    def _places(self) -> dict[int, int]:
        """Row number to index in file order."""
        places = {number: index for index, number in enumerate(self._numbers)}
        if len(places) < len(self._numbers):
            raise Unscannable("one of its row numbers stands there twice")
        return places

    @cached_property
    def _sorted(self) -> list[int]:
        return sorted(self._places)

    def _stated(self, start: int, otherwise: int) -> int:
        ref = self._tag(b"row", start).get(b"r")
        if ref is None:
            return otherwise
        if not ref.isdecimal():
            raise Unscannable(f'it has a row "{ref}"')
        return int(ref)

    def _tag(self, local: bytes, start: int) -> Tag:
        match = opening(self.name(local)).match(self.view, start)
        if match is None:
            raise Unscannable(f"one of its tags {local.decode()} does not end")
        return Tag(start, match.end(), self.data[start : match.end()])

    def _span(self, index: int) -> RowSpan:
        tag = self._tag(b"row", self._starts[index])
        if tag.is_empty:
            return RowSpan(self._numbers[index], tag, tag.end, tag.end)
        return RowSpan(self._numbers[index], tag, *self.close(b"row", tag.end))

    def _formula(self, start: int, at: int) -> FormulaCell:
        tag = self._tag(b"c", start)
        span = self._cell(tag)
        formula = self._tag(b"f", at)
        attributes = formula.attributes()
        ref = attributes.get("ref")
        return FormulaCell(
            cell=span,
            kind=attributes.get("t", "normal"),
            text=self.content(formula, b"f"),
            reach=area(ref) if ref else None,
            attributes=attributes,
        )

    def _cell(self, tag: Tag) -> CellSpan:
        """The cell that a tag opens; counted out when it states no address."""
        address = cell(tag.get(b"r") or "")
        if address is None:
            row = self._span(bisect_right(self._starts, tag.start) - 1)
            return next(span for span in self.cells(row) if span.tag.start == tag.start)
        return CellSpan(*address, tag, *self.close(b"c", tag.end))

    def _open(self, found: Tag) -> None:
        """Make `<sheetData/>` an element with an end tag, so that rows have a place."""
        opened = found.opened().text + b"</" + self.name(b"sheetData") + b">"
        self.data = self.data[: found.start] + opened + self.data[found.end :]
        self.view = self.view[: found.start] + opened + self.view[found.end :]


_NAME_ENDS = b" \t\r\n/>"
