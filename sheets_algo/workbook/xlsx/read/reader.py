"""Reading of the cells of one tab in one pass over its XML, without trusting the sizes that the file states.

The handlers are called for every element that the parser reads, so they only collect; each row is decoded as a whole
when the next one begins.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import overload

from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.snapshot import Sheet
from sheets_algo.workbook.values import LINKED, SPILLS, BlankFormula, CellError, Uncalculated, Value
from sheets_algo.workbook.xlsx.file import areas, xml
from sheets_algo.workbook.xlsx.file.cells import CellDecoder, clip
from sheets_algo.workbook.xlsx.file.guard import Limits, refusal
from sheets_algo.workbook.xlsx.file.package import Package, SheetEntry

Rows = dict[int, Sequence[Value]]

_WIDE, _BLANK_ENOUGH = 64, 8  # a wide row with fewer than one cell in eight filled is stored sparsely
# Keys of a cell's content, which is stored with its attributes; no attribute name contains a space.
_TEXT, _FORMULA, _SHARED, _REACH = " v", " f", " si", " ref"
_MOST_SHARED = 50_000  # values of cells that are kept, for cells that are alike
_NEVER = "\0"  # cannot occur in an XML file
_DIMENSION = re.compile(rb"<(?:[\w.-]+:)?dimension\s[^>]*?ref\s*=\s*[\"'][A-Z]+\d+:[A-Z]+(\d{1,7})[\"']")
_PREFIX = re.compile(rb"<([A-Za-z_][\w.-]*:)worksheet[\s>]")


def read_sheet(package: Package, entry: SheetEntry, max_rows: int | None = None) -> Sheet:
    """Read the values of one tab.

    Args:
        entry: The tab, one of `package.sheets`.
        max_rows: Last row to read; merged ranges, which follow the rows in the file, are not read then. None reads all.

    Raises:
        WorkbookUnavailable: The tab has no cells, is not well-formed, or exceeds the limits.
    """
    if not entry.part:
        raise package.without_part(entry)
    if not entry.is_worksheet:
        raise _refusal(package, entry, "it is a chart or another kind of tab without cells")
    try:
        if max_rows is None:
            _check_cells(package, entry)
        rows, merged = _scan(package.chunks(entry.part), package.decoder, package.limits, max_rows)
    except xml.Refused as refused:
        raise _refusal(package, entry, str(refused)) from refused
    return Sheet(entry.name, rows, merged, height=_stated_rows(package, entry) if max_rows else 0)


def _stated_rows(package: Package, entry: SheetEntry) -> int:
    """Return the number of the last row by the tab's own statement; 0 without one, which follows before the rows."""
    stated = _DIMENSION.search(next(iter(package.chunks(entry.part)), b""))
    return int(stated[1]) if stated else 0


def _check_cells(package: Package, entry: SheetEntry) -> None:
    """Refuse a tab with too many cells before it is parsed, since counting bytes is much faster.

    A tab is counted only if it is long enough to hold that many cells.
    """
    most, shortest = package.limits.cells, len(b"<c/>")
    if package.size(entry.part) < most * shortest:
        return
    count, cell = 0, b"<c"
    for index, piece in enumerate(package.chunks(entry.part)):
        chunk = piece.replace(b"\0", b"") if b"\0" in piece[:16] else piece  # UTF-16
        if index == 0 and (prefix := _PREFIX.search(chunk)):
            cell = b"<" + prefix[1] + b"c"
        count += chunk.count(cell)
        if count > most:
            raise xml.Refused(f"it has more than {most:,} cells, the limit")


def _refusal(package: Package, entry: SheetEntry, reason: str) -> WorkbookUnavailable:
    return refusal(package.name, f"its tab {entry.name} cannot be read: {reason}")


def _scan(
    chunks: Iterable[bytes], decoder: CellDecoder, limits: Limits, max_rows: int | None
) -> tuple[Rows, Sequence[areas.Area]]:
    """Return the cells of each row, from column A, by row number, and the merged ranges.

    Args:
        chunks: Worksheet part in pieces.
        max_rows: Last row to read, None for all.

    Raises:
        xml.Refused: The part is not a worksheet, not well-formed, or exceeds a limit.
    """
    scanner = _Scanner(decoder, limits, max_rows)
    with suppress(_Stop):
        xml.feed(scanner.parser, scanner.bounded(chunks))
    return scanner.finish(), tuple(scanner.merged)


class SparseRow(Sequence[Value]):
    """A row in which only few cells hold anything, stored without the blank ones."""

    __slots__ = ("_cells", "_length")

    def __init__(self, cells: Mapping[int, Value]) -> None:
        self._cells = cells  # by column, from 1
        self._length = max(cells)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Value: ...
    @overload
    def __getitem__(self, index: slice) -> list[Value]: ...
    def __getitem__(self, index: int | slice) -> Value | list[Value]:
        if isinstance(index, slice):
            return [self._cells.get(column) for column in range(1, self._length + 1)[index]]
        return self._cells.get(range(1, self._length + 1)[index])

    def __iter__(self) -> Iterator[Value]:
        return (self._cells.get(column) for column in range(1, self._length + 1))

    def filled(self) -> Mapping[int, Value]:
        """Return the cells that hold anything, by column from 1."""
        return self._cells


class _Stop(Exception):
    """The signal that enough rows have been read."""


class _Scanner:
    """Collector of the elements of a worksheet as expat reports them."""

    def __init__(self, decoder: CellDecoder, limits: Limits, max_rows: int | None) -> None:
        self.merged: list[areas.Area] = []
        self.parser = xml.new_parser()
        self.parser.StartElementHandler = self._start_root
        self._decoder = decoder
        self._limits = limits
        self._max_rows = limits.rows if max_rows is None else max_rows
        self._rows: Rows = {}
        self._misplaced: dict[int, list[tuple[int, Value]]] = {}
        self._columns: dict[str, int] = {}
        self._formulas: dict[str, str] = {}
        self._values: dict[tuple[str | None, str | None, str], Value] = {}
        self._uncalculated: list[tuple[areas.Area, Uncalculated]] = []
        self._spills: list[tuple[areas.Area, BlankFormula]] = []
        self._text: list[str] = []
        self._cells: list[dict[str, str]] = []
        self._cell: dict[str, str] = {}
        self._row = 0
        self._unordered = 0
        self._cell_count = 0
        self._bad_row = "no row"
        self._is_phonetic = False

    def bounded(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the pieces unchanged, while checking that no text and no row grows beyond its limit."""
        for chunk in chunks:
            yield chunk
            if len(self._text) > 1 and sum(map(len, self._text)) > self._limits.text:
                raise xml.Refused(f"a text in it is longer than {self._limits.text:,} characters, the limit")
            if len(self._cells) > self._limits.columns:
                self._close_row()

    def finish(self) -> Rows:
        """Return the rows in order, once everything is read."""
        self._close_row()
        for number, misplaced in self._misplaced.items():
            cells = _filled_cells(self._rows.get(number, ()))
            for column, value in misplaced:
                # The position of an error may be a guess, so it must not hide another cell.
                if column not in cells or not isinstance(value, CellError):
                    cells[column] = value
            self._rows[number] = _make_row(cells)
        for area, formula in self._uncalculated:
            self._mark_uncalculated(area, formula)
        self._mark_spills()
        return dict(sorted(self._rows.items()))

    def _start_root(self, name: str, _attributes: dict[str, str]) -> None:
        space, _, local = name.rpartition(" ")
        if local != "worksheet" or space not in xml.SHEET_NAMESPACES:
            raise xml.Refused(f"it holds a {local} of {space or 'no namespace'}, not a worksheet of Office")
        tags = (f"{space} {tag}" for tag in ("c", "v", "f", "t", "row", "rPh", "mergeCell", "extLst"))
        self._c, self._v, self._f, self._t, self._row_tag, self._phonetic, self._merge, self._extensions = tags
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text.append

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._text.clear()
        if name == self._c:
            self._cell = attributes
            self._cells.append(attributes)
        elif name == self._row_tag:
            self._close_row()
            self._open_row(attributes.get("r"))
        elif name == self._f:
            kind = attributes.get("t")
            if kind == "shared":
                self._cell[_SHARED] = attributes.get("si", "")
            elif kind in ("array", "dataTable"):
                self._cell[_REACH] = attributes.get("ref", "")
        elif name == self._phonetic:
            self._is_phonetic = True
        elif name == self._merge:
            self._note_merged(attributes.get("ref", ""))
        elif name == self._extensions:
            self._skip_element()

    def _skip_element(self) -> None:
        """Ignore everything up to the end of the element that has just begun."""
        depth = 1

        def start(_name: str, _attributes: dict[str, str]) -> None:
            nonlocal depth
            depth += 1

        def end(_name: str) -> None:
            nonlocal depth
            depth -= 1
            if depth == 0:
                self.parser.StartElementHandler, self.parser.EndElementHandler = self._start, self._end
                self._text.clear()

        self.parser.StartElementHandler, self.parser.EndElementHandler = start, end

    def _end(self, name: str) -> None:
        if name == self._v:
            text = self._text
            self._cell[_TEXT] = text[0] if len(text) == 1 else "".join(text)
        elif name == self._t:
            if not self._is_phonetic:
                self._cell[_TEXT] = self._cell.get(_TEXT, "") + "".join(self._text)
        elif name == self._f:
            formula = "".join(self._text)
            if shared := self._cell.get(_SHARED):
                # Only one cell of a shared formula has its text, usually the first.
                formula = formula or self._formulas.get(shared, "")
                self._formulas[shared] = formula
            self._cell[_FORMULA] = formula
        elif name == self._phonetic:
            self._is_phonetic = False

    def _open_row(self, text: str | None) -> None:
        """Begin the row that a row element names; without a number, it follows the previous row."""
        number = int(text) if text and text.isdecimal() and len(text) < 10 else 0
        is_bad = text is not None and not 1 <= number <= self._limits.rows
        self._bad_row = f"row {text}" if is_bad else ""
        if not is_bad and text is not None and number < self._row:
            self._unordered += 1
            if self._unordered > self._limits.unordered:
                trouble = f"more than {self._limits.unordered:,} of its rows are not in their order, the limit"
                raise xml.Refused(f"{trouble}; save the workbook once in Excel or LibreOffice, which sorts them")
        self._row = self._row + 1 if text is None or is_bad else number
        if self._row > self._limits.rows:
            raise xml.Refused(f"it has more than {self._limits.rows:,} rows, the limit")
        if self._row > self._max_rows:
            raise _Stop

    def _close_row(self) -> None:
        if len(self._cells) > self._limits.columns:
            raise xml.Refused(f"its row {self._row} has more than {self._limits.columns:,} cells, the limit")
        self._cell_count += len(self._cells)
        if self._cell_count > self._limits.cells:
            raise xml.Refused(f"it has more than {self._limits.cells:,} cells, the limit")
        is_first = not self._bad_row and self._row not in self._rows
        suffix = str(self._row) if is_first else _NEVER
        columns = self._columns
        row: list[Value] = []
        far_cells: dict[int, Value] = {}
        column = 0
        for cell in self._cells:
            address = cell.get("r")
            if address is not None and address.endswith(suffix) and (number := columns.get(address[: -len(suffix)])):
                column = number
            elif address is None and is_first:
                column += 1
            else:
                column = self._locate(cell, address, column, is_first)
            if (_TEXT in cell or _FORMULA in cell) and (value := self._value(cell)) is not None:
                if column == len(row) + 1:
                    row.append(value)
                elif column <= len(row) + _WIDE:
                    row.extend([None] * (column - len(row)))
                    row[column - 1] = value
                else:
                    far_cells[column] = value
        self._cells.clear()
        if far_cells:
            self._rows[self._row] = _make_row(_filled_cells(row) | far_cells)
        elif row:
            self._rows[self._row] = tuple(row)

    def _locate(self, cell: dict[str, str], address: str | None, column: int, is_first: bool) -> int:
        """Return the column of a cell whose address is not simply the next one in its row.

        A cell of another row, of a row in two pieces, or without a usable address is stored separately and loses its
        content.
        """
        position = areas.cell(address or "")
        if position and address and position[0] == self._row and is_first:
            self._columns[address.removesuffix(str(self._row))] = position[1]
            return position[1]
        value = self._value(cell) if _TEXT in cell or _FORMULA in cell else None
        cell.pop(_TEXT, None)
        cell.pop(_FORMULA, None)
        if position is None and (self._bad_row or address is not None):
            if value is not None:
                value = CellError(f"bad address {clip(address or self._bad_row)}")
            row, column = max(self._row, 1), column + 1
        else:
            row, column = position or (self._row, column + 1)
        if value is not None and row <= self._max_rows:
            self._misplaced.setdefault(row, []).append((column, value))
        return column

    def _value(self, cell: dict[str, str]) -> Value:
        text, kind = cell.get(_TEXT), cell.get("t")
        if not text and _FORMULA in cell and (text is None or kind != "str"):
            formula = Uncalculated(f"={cell[_FORMULA]}")
            if area := areas.area(cell.get(_REACH, "")):
                self._uncalculated.append((area, formula))
            return formula
        if kind == "e" and "vm" in cell and _FORMULA not in cell:
            return LINKED
        value = None if text is None else self._decoded(kind, cell.get("s"), text)
        return self._formula_value(cell, value) if _FORMULA in cell else value

    def _decoded(self, kind: str | None, style: str | None, text: str) -> Value:
        """Decode a cell; cells that are alike share one value, which takes half the memory in a large tab."""
        key = kind, style, text
        if key not in self._values:
            if len(self._values) > _MOST_SHARED:
                self._values.clear()
            self._values[key] = self._decoder.value(kind, style, text)
        return self._values[key]

    def _formula_value(self, cell: dict[str, str], value: Value) -> Value:
        """Return the value of a cell with a formula; note the cells that the formula may leave blank too."""
        blank = BlankFormula(f"={cell[_FORMULA]}")
        is_blank = value is None or (isinstance(value, str) and not value.strip())
        if area := areas.area(cell.get(_REACH, "")):
            self._spills.append((area, blank))
        elif is_blank and SPILLS.search(blank.formula) and (place := areas.cell(cell.get("r", ""))):
            self._spills.append((areas.Area(*place, self._limits.rows, place[1]), blank))
        return blank if is_blank else value

    def _mark_uncalculated(self, area: areas.Area, formula: Uncalculated) -> None:
        """Mark all cells of an array formula without a result: their stored values are outdated."""
        top, left, bottom, right = area
        for number in [number for number in self._rows if top <= number <= bottom]:
            cells = _filled_cells(self._rows[number])
            uncalculated = [column for column in cells if left <= column <= right]
            if uncalculated:
                self._rows[number] = _make_row(cells | dict.fromkeys(uncalculated, formula))

    def _mark_spills(self) -> None:
        """Mark the blank cells that a formula in another cell may fill; one that has no area ends at the next content.

        Raises:
            xml.Refused: These formulas cover more cells than a tab may have.
        """
        numbers, looked_at = sorted(self._rows), 0
        for area, formula in self._spills:
            columns = range(area.left, min(area.right, area.left + _WIDE - 1) + 1)
            for number in numbers[bisect_left(numbers, area.top) : bisect_right(numbers, area.bottom)]:
                looked_at += len(columns)
                if looked_at > self._limits.cells:
                    raise xml.Refused(f"its array formulas cover more than {self._limits.cells:,} cells, the limit")
                cells = _filled_cells(self._rows[number])
                blank = [column for column in columns if column not in cells]
                self._rows[number] = _make_row(cells | dict.fromkeys(blank, formula)) if blank else self._rows[number]
                if not blank and area.bottom == self._limits.rows and number > area.top:
                    break

    def _note_merged(self, reference: str) -> None:
        area = areas.area(reference)
        if area:
            if len(self.merged) >= self._limits.merged:
                raise xml.Refused(f"it has more than {self._limits.merged:,} merged ranges, the limit")
            self.merged.append(area)


def _filled_cells(row: Sequence[Value]) -> dict[int, Value]:
    """Return the cells of a row that hold anything, by column from 1."""
    if isinstance(row, SparseRow):
        return dict(row.filled())
    return {column: value for column, value in enumerate(row, 1) if value is not None}


def _make_row(cells: dict[int, Value]) -> Sequence[Value]:
    """Return a row of these cells, stored sparsely if it is long and mostly blank."""
    last = max(cells)
    if last > _WIDE and len(cells) * _BLANK_ENOUGH < last:
        return SparseRow(cells)
    return tuple(cells.get(column) for column in range(1, last + 1))
