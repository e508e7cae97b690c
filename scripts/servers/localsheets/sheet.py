"""One tab: its cells and everything on them.

Records and rows of cells are replaced, never changed, so that copies may share them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from localsheets.a1 import Box, box_of, grid_range, quoted
from localsheets.cells import EMPTY, Cell

Record = Mapping[str, Any]
PIXELS: Mapping[str, int] = {"ROWS": 21, "COLUMNS": 100}
"""The height of a new row, the width of a new column."""
SIZES: Mapping[str, str] = {"ROWS": "rowCount", "COLUMNS": "columnCount"}
ENDS: Mapping[str, tuple[str, str]] = {
    "ROWS": ("startRowIndex", "endRowIndex"),
    "COLUMNS": ("startColumnIndex", "endColumnIndex"),
}
ROWS, COLUMNS = 1000, 26
"""The size of a new tab."""


@dataclass(slots=True)
class Sheet:
    """One tab.

    Attributes:
        properties: The SheetProperties; the index is the tab's place in the book.
        cells: The cells by row, then column, from 0; empty ones are missing.
        dimensions: Unusual properties of rows and columns: pixelSize, hiddenByUser, hiddenByFilter.
        merges: The GridRanges of merged cells.
        groups: The DimensionGroups of rows and of columns.
    """

    properties: Record
    cells: dict[int, dict[int, Cell]] = field(default_factory=dict)
    dimensions: dict[str, dict[int, Record]] = field(default_factory=lambda: {"ROWS": {}, "COLUMNS": {}})
    merges: list[Record] = field(default_factory=list)
    conditional_formats: list[Record] = field(default_factory=list)
    protected_ranges: list[Record] = field(default_factory=list)
    basic_filter: Record | None = None
    groups: dict[str, list[Record]] = field(default_factory=lambda: {"ROWS": [], "COLUMNS": []})

    @property
    def id(self) -> int:
        """Return Google's sheetId."""
        return int(self.properties["sheetId"])

    @property
    def title(self) -> str:
        """Return the tab's title."""
        return str(self.properties["title"])

    @property
    def grid(self) -> Record:
        """Return the tab's GridProperties."""
        found: Record = self.properties["gridProperties"]
        return found

    @property
    def rows(self) -> int:
        """Return the number of rows."""
        return int(self.grid["rowCount"])

    @property
    def columns(self) -> int:
        """Return the number of columns."""
        return int(self.grid["columnCount"])

    @property
    def all(self) -> Box:
        """Return the whole grid."""
        return Box(0, 0, self.rows, self.columns)

    def size(self, dimension: str) -> int:
        """Return the number of rows or columns."""
        return int(self.grid[SIZES[dimension]])

    def resize(self, dimension: str, size: int) -> None:
        """Set the number of rows or columns; the caller has to drop what no longer fits."""
        self.properties = {**self.properties, "gridProperties": {**self.grid, SIZES[dimension]: size}}

    def cell(self, row: int, column: int) -> Cell:
        """Return the cell there, empty or not."""
        found = self.cells.get(row)
        return EMPTY if found is None else found.get(column, EMPTY)

    def put(self, row: int, column: int, cell: Cell) -> None:
        """Replace a cell."""
        self.put_row(row, {column: cell})

    def put_row(self, row: int, cells: Mapping[int, Cell]) -> None:
        """Replace cells of a row by column, in a new row, since copies of the tab share the old one."""
        line = {**self.cells.get(row, {}), **cells}
        if any(cell.is_bare for cell in cells.values()):
            line = {column: cell for column, cell in line.items() if not cell.is_bare}
        if line:
            self.cells[row] = line
        else:
            self.cells.pop(row, None)

    def inside(self, box: Box) -> Iterator[tuple[int, int, Cell]]:
        """Yield the cells there that hold anything, by row, then column."""
        if box.height < len(self.cells):
            rows = [row for row in range(box.top, box.bottom) if row in self.cells]
        else:
            rows = sorted(row for row in self.cells if box.top <= row < box.bottom)
        for row in rows:
            line = self.cells[row]
            if box.width < len(line):
                columns = [column for column in range(box.left, box.right) if column in line]
            else:
                columns = sorted(column for column in line if box.left <= column < box.right)
            for column in columns:
                yield row, column, line[column]

    def box(self, found: Record) -> Box:
        """Return a GridRange's cells, within the grid."""
        return box_of(dict(found), self.rows, self.columns)

    def range(self, box: Box) -> Record:
        """Return cells as a GridRange."""
        return grid_range(self.id, box)

    def address(self, box: Box) -> str:
        """Return cells in A1 notation: `'War Requests'!A1:K5`."""
        return f"{quoted(self.title)}!{box.text()}"

    def dimension(self, dimension: str, index: int) -> Record:
        """Return a row's or column's DimensionProperties."""
        return {"pixelSize": PIXELS[dimension], **self.dimensions[dimension].get(index, {})}

    def copy(self) -> Sheet:
        """Return a copy that can be changed without this tab changing."""
        twin = Sheet(**{field.name: getattr(self, field.name) for field in fields(self)})
        twin.cells = dict(self.cells)
        twin.dimensions = {name: dict(found) for name, found in self.dimensions.items()}
        twin.groups = {name: list(found) for name, found in self.groups.items()}
        for name in ("merges", "conditional_formats", "protected_ranges"):
            setattr(twin, name, list(getattr(self, name)))
        return twin


def new_properties(id: int, title: str, rows: int = ROWS, columns: int = COLUMNS) -> Record:
    """Return the SheetProperties of a new tab."""
    return {
        "sheetId": id,
        "title": title,
        "sheetType": "GRID",
        "gridProperties": {"rowCount": rows, "columnCount": columns},
    }
