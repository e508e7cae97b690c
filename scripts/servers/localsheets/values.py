"""The values endpoints: reading values of cells, and writing lists of lists into them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from localsheets.a1 import Area, Box, letters
from localsheets.book import Book
from localsheets.cells import MAX_CHARACTERS, Cell, Fault, Scalar
from localsheets.dimensions import grow, insert
from localsheets.display import is_moment, shown
from localsheets.errors import invalid
from localsheets.formulas import value_of
from localsheets.guarding import check
from localsheets.proto import whole
from localsheets.sheet import Sheet
from localsheets.typed import typed

Rows = list[list[Any]]
Options = Mapping[str, Any]
"""The options majorDimension, valueRenderOption, dateTimeRenderOption; a missing one has Google's default."""


def read(book: Book, sheet: Sheet, area: Area, options: Options) -> dict[str, Any]:
    """Return a ValueRange: trailing empty cells dropped, inner ones kept.

    Raises:
        ApiError: 400 if the range starts outside the grid.
    """
    check_start(sheet, area)
    box = area.within(sheet.rows, sheet.columns)
    major = options.get("majorDimension") or "ROWS"
    rows: Rows = []
    for row, column, cell in sheet.inside(box):
        value = rendered(book, sheet, row, column, cell, options)
        if value == "":
            continue
        line, place = row - box.top, column - box.left
        if major == "COLUMNS":
            line, place = place, line
        rows.extend([] for _ in range(line + 1 - len(rows)))
        rows[line].extend([""] * (place + 1 - len(rows[line])))
        rows[line][place] = value
    found: dict[str, Any] = {"range": sheet.address(box), "majorDimension": major}
    return found | {"values": rows} if rows else found


def rendered(book: Book, sheet: Sheet, row: int, column: int, cell: Cell, options: Options) -> Any:
    """Return one cell as the options want it; an empty cell is an empty text."""
    render = options.get("valueRenderOption") or "FORMATTED_VALUE"
    if render == "FORMULA" and cell.formula is not None:
        return cell.formula
    value: Scalar = value_of(book, sheet, row, column)
    if value is None:
        return ""
    if render == "FORMATTED_VALUE":
        return shown(value, cell.pattern, book.properties["locale"])
    if isinstance(value, Fault):
        return value.text
    if options.get("dateTimeRenderOption") == "FORMATTED_STRING" and is_moment(value, cell.pattern):
        return shown(value, cell.pattern, book.properties["locale"])
    return whole(value)


@dataclass(frozen=True, slots=True)
class Written:
    """The result of writing values.

    Attributes:
        cells: The (row, column) of each written cell; null writes nothing.
    """

    sheet: Sheet
    box: Box
    cells: tuple[tuple[int, int], ...]

    def answer(self) -> dict[str, Any]:
        """Return the UpdateValuesResponse, without the spreadsheet's id."""
        return {"updatedRange": self.sheet.address(self.box), **counts("updated", [self])}


def counts(prefix: str, all_written: Sequence[Written]) -> dict[str, int]:
    """Return the numbers of rows, columns and cells that were written, each once; zeros are left out."""
    places = [(written.sheet.id, row, column) for written in all_written for row, column in written.cells]
    counters = {
        f"{prefix}Rows": len({(tab, row) for tab, row, _ in places}),
        f"{prefix}Columns": len({(tab, column) for tab, _, column in places}),
        f"{prefix}Cells": len(places),
    }
    return {name: number for name, number in counters.items() if number}


def write(book: Book, sheet: Sheet, area: Area, values: Rows, major: str | None, how: str, caller: str) -> Written:
    """Write lists of lists; null leaves a cell alone.

    Raises:
        ApiError: 400 if they leave the range or the grid, or a cell is protected or no value; nothing was written then.
    """
    rows = check_shapes(values)
    if major == "COLUMNS":
        rows = transposed(rows)
    width = max(map(len, rows), default=0)
    target = Box(area.top, area.left, area.top + max(len(rows), 1), area.left + max(width, 1))
    _check_fits(sheet, area, rows)
    if target.bottom > sheet.rows or target.right > sheet.columns:
        raise exceeds(sheet, target)
    check(book, sheet, target, caller)
    cells = []
    for row, line in enumerate(rows, target.top):
        for column, value in enumerate(line, target.left):
            if value is not None:
                sheet.put(row, column, entered(book, sheet.cell(row, column), value, how))
                cells.append((row, column))
    book.changed()
    return Written(sheet, target, tuple(cells))


def entered(book: Book, cell: Cell, value: Any, how: str) -> Cell:
    """Return a cell after a value was written into it, as it is or as if typed."""
    if not isinstance(value, str) or how == "RAW":
        return cell.holding(None if value == "" else value)
    found = typed(value, cell.pattern, book.properties["locale"])
    return cell.holding(found.value, found.formula).formatted(found.number_format)


def append(
    book: Book, sheet: Sheet, area: Area, values: Rows, major: str | None, how: str, insertion: str | None, caller: str
) -> tuple[str | None, Written]:
    """Write below the table that the range touches, or at the range itself if it touches none.

    Returns:
        The table's address or None, and the written cells.
    """
    check_start(sheet, area)
    rows = check_shapes(values)
    if major == "COLUMNS":
        rows = transposed(rows)
    found = table(sheet, area.within(sheet.rows, sheet.columns))
    top, left = (found.bottom, found.left) if found else (area.top, area.left)
    if found and insertion == "INSERT_ROWS" and top < sheet.rows:
        check(book, sheet, Box(top, 0, top + 1, sheet.columns), caller)
        insert(book, sheet, "ROWS", top, len(rows), inherit_from_before=True)
    grow(book, sheet, "ROWS", top + len(rows))
    grow(book, sheet, "COLUMNS", left + max(map(len, rows), default=0))
    address = sheet.address(found) if found else None
    return address, write(book, sheet, Area(top, left, top + 1, left + 1), rows, "ROWS", how, caller)


def table(sheet: Sheet, box: Box) -> Box | None:
    """Return the block of touching filled cells that the last filled cell of a range belongs to."""
    last = max(((row, column) for row, column, cell in sheet.inside(box) if not cell.is_empty), default=None)
    if last is None:
        return None
    top, left, bottom, right = last[0], last[1], last[0] + 1, last[1] + 1

    def has(first_row: int, first_column: int, end_row: int, end_column: int) -> bool:
        rows, columns = range(max(first_row, 0), end_row), range(max(first_column, 0), end_column)
        return any(not sheet.cell(row, column).is_empty for row in rows for column in columns)

    while True:
        before = top, left, bottom, right
        while has(bottom, left - 1, bottom + 1, right + 1):
            bottom += 1
        while has(top - 1, left - 1, top, right + 1):
            top -= 1
        while has(top - 1, right, bottom + 1, right + 1):
            right += 1
        while has(top - 1, left - 1, bottom + 1, left):
            left -= 1
        if before == (top, left, bottom, right):
            return Box(top, left, bottom, right)


def clear(book: Book, sheet: Sheet, area: Area, caller: str) -> str:
    """Empty the cells; formats, notes and rules stay.

    Returns:
        The address of the emptied cells.
    """
    check_start(sheet, area)
    box = area.within(sheet.rows, sheet.columns)
    check(book, sheet, box, caller)
    for row, column, cell in list(sheet.inside(box)):
        sheet.put(row, column, cell.holding(None))
    book.changed()
    return sheet.address(box)


def check_start(sheet: Sheet, area: Area) -> None:
    """Refuse a range that starts outside the grid."""
    if area.top >= sheet.rows or area.left >= sheet.columns:
        bottom = area.top + 1 if area.bottom is None else area.bottom
        right = area.left + 1 if area.right is None else area.right
        raise exceeds(sheet, Box(area.top, area.left, bottom, right))


def exceeds(sheet: Sheet, box: Box) -> Exception:
    """Return the 400 for cells outside the grid."""
    return invalid(
        f"Range ({sheet.address(box)}) exceeds grid limits. Max rows: {sheet.rows}, max columns: {sheet.columns}"
    )


def check_shapes(values: Rows) -> Rows:
    """Refuse values other than text, number, boolean and null."""
    for down, line in enumerate(values):
        for right, value in enumerate(line):
            if isinstance(value, dict | list):
                name = "struct_value" if isinstance(value, dict) else "list_value"
                raise invalid(f"Invalid values[{down}][{right}]: {name} {{\n{_listed(value, 1)}}}\n")
            if isinstance(value, str) and len(value) > MAX_CHARACTERS:
                raise invalid("Your input contains more than the maximum of 50000 characters in a single cell.")
    return values


def transposed(rows: Sequence[Sequence[Any]]) -> Rows:
    """Return columns as rows; holes become null."""
    height = max(map(len, rows), default=0)
    return [[line[place] if place < len(line) else None for line in rows] for place in range(height)]


def _check_fits(sheet: Sheet, area: Area, rows: Rows) -> None:
    """Refuse rows outside a range of several cells; a range of one cell is only the start."""
    if area.is_cell or (area.bottom is None and area.right is None):
        return
    box = area.within(max(sheet.rows, area.bottom or 0), max(sheet.columns, area.right or 0))
    for down, line in enumerate(rows):
        past = f"row [{area.top + down + 1}]" if area.top + down >= box.bottom else ""
        if not past and len(line) > box.width:
            past = f"column [{letters(box.right)}]"
        if past:
            raise invalid(f"Requested writing within range [{sheet.address(box)}], but tried writing to {past}")


def _listed(value: Any, depth: int) -> str:
    """Return a value as protobuf prints it, indented."""
    pad = "  " * depth
    if isinstance(value, dict):
        return "".join(
            f'{pad}fields {{\n{pad}  key: "{key}"\n{pad}  value {{\n{_wrapped(item, depth + 2)}{pad}  }}\n{pad}}}\n'
            for key, item in value.items()
        )
    if isinstance(value, list):
        return "".join(f"{pad}values {{\n{_wrapped(item, depth + 1)}{pad}}}\n" for item in value)
    if value is None:
        return f"{pad}null_value: NULL_VALUE\n"
    if isinstance(value, bool):
        return f"{pad}bool_value: {str(value).lower()}\n"
    return f'{pad}string_value: "{value}"\n' if isinstance(value, str) else f"{pad}number_value: {value}\n"


def _wrapped(item: Any, depth: int) -> str:
    if not isinstance(item, dict | list):
        return _listed(item, depth)
    pad = "  " * depth
    name = "struct_value" if isinstance(item, dict) else "list_value"
    return f"{pad}{name} {{\n{_listed(item, depth + 1)}{pad}}}\n"
