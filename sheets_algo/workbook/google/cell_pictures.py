"""Pictures made of coloured cells, as the requests of one `spreadsheets.batchUpdate`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sheets_algo.workbook.base import Mosaic, Picture
from sheets_algo.workbook.google.batch import Request, extended_value, resize, update_cells
from sheets_algo.workbook.google.styles import colour, ink_on

CELL, LINE, TITLE_LINE = 9, 21, 36
"""Pixels of a map's square cell, of a line of text, and of the title's line."""
TITLE, HEADING, TEXT, LABEL = 14, 11, 10, 7
"""Font sizes in points."""
INK = "1C1E22"
LINE_AROUND = {"style": "SOLID", "color": colour("8A8F98")}
"""The border of a map, and of a colour in the legend."""
GAP = 6
"""Cells between the maps and at the right edge, into which labels may extend."""
SWATCH = 3
"""The width of a colour in the legend, in cells."""
MAPS_FROM = 2
"""Rows above the maps: the title, and the titles of the maps."""
LINES_OF_LEGEND = 8
"""Lines of a column of the legend."""
LEGEND_COLUMN = 32
"""Cells from one column of the legend to the next."""


def requests(sheet_id: int, rows: int, columns: int, picture: Picture) -> list[Request]:
    """Return the requests that make a tab show this picture and nothing else.

    Args:
        sheet_id: The tab's id.
        rows: The number of the grid's rows now.
        columns: The number of the grid's columns now.
        picture: The picture, with at least one mosaic.
    """
    page = _Page(sheet_id, picture)
    return [
        {"unmergeCells": {"range": {"sheetId": sheet_id}}},
        _resize_grid(sheet_id, (rows, columns), (page.rows, page.columns)),
        {"updateCells": {"range": {"sheetId": sheet_id}, "fields": "userEnteredValue,userEnteredFormat,note"}},
        *page.dimensions(),
        *page.texts(),
        *page.maps(),
        *page.legend(),
    ]


def _resize_grid(sheet_id: int, now: tuple[int, int], size: tuple[int, int]) -> Request:
    """Return a request that makes the grid as large as the picture, without frozen rows and grid lines."""
    grid: dict[str, Any] = {"frozenRowCount": 0, "frozenColumnCount": 0, "hideGridlines": True}
    if now != size:
        grid |= {"rowCount": size[0], "columnCount": size[1]}
    fields = ",".join(f"gridProperties.{name}" for name in grid)
    return {"updateSheetProperties": {"properties": {"sheetId": sheet_id, "gridProperties": grid}, "fields": fields}}


@dataclass(frozen=True, slots=True)
class _Page:
    """The layout of a picture: title, maps side by side, legend below."""

    sheet_id: int
    picture: Picture

    @property
    def rows(self) -> int:
        return self._legend_from + max(1, min(len(self.picture.legend), LINES_OF_LEGEND))

    @property
    def columns(self) -> int:
        legend_width = -(-len(self.picture.legend) // LINES_OF_LEGEND) * LEGEND_COLUMN
        return max(legend_width, sum(len(mosaic.colours[0]) + GAP for mosaic in self.picture.mosaics))

    @property
    def _tallest(self) -> int:
        return max(len(mosaic.colours) for mosaic in self.picture.mosaics)

    @property
    def _legend_from(self) -> int:
        """Return the legend's first row, below a blank line."""
        return MAPS_FROM + self._tallest + 1

    def _with_columns(self) -> Iterator[tuple[int, Mosaic]]:
        """Yield each map with its first column."""
        left = 0
        for mosaic in self.picture.mosaics:
            yield left, mosaic
            left += len(mosaic.colours[0]) + GAP

    def dimensions(self) -> Iterator[Request]:
        """Yield requests for small square cells at the maps and lines of text elsewhere."""
        yield resize(self.sheet_id, "COLUMNS", 0, self.columns, CELL)
        yield resize(self.sheet_id, "ROWS", 0, 1, TITLE_LINE)
        yield resize(self.sheet_id, "ROWS", 1, MAPS_FROM, LINE)
        yield resize(self.sheet_id, "ROWS", MAPS_FROM, MAPS_FROM + self._tallest, CELL)
        yield resize(self.sheet_id, "ROWS", MAPS_FROM + self._tallest, self.rows, LINE)

    def texts(self) -> Iterator[Request]:
        """Yield requests for the title and the maps' titles."""
        yield self._write_text(0, 0, self.picture.title, TITLE, bold=True)
        for left, mosaic in self._with_columns():
            yield self._write_text(1, left, mosaic.title, HEADING, bold=True)

    def maps(self) -> Iterator[Request]:
        """Yield requests for the maps: colours first, then the frame and the labels."""
        for left, mosaic in self._with_columns():
            yield from _shorter(list(self._as_rectangles(mosaic.colours, left)), [self._as_rows(mosaic.colours, left)])
            yield from self._frame(left, mosaic)
            for (row, column), label in mosaic.marks.items():
                ink = ink_on(mosaic.colours[row][column])
                yield self._write_text(MAPS_FROM + row, left + column, label, LABEL, ink=ink, bold=True)

    def _as_rectangles(self, colours: Sequence[Sequence[str]], left: int) -> Iterator[Request]:
        for top, bottom, start, end, rgb in rectangles(colours):
            rows, columns = (MAPS_FROM + top, MAPS_FROM + bottom), (left + start, left + end)
            yield self._format_cells(*rows, *columns, {"backgroundColor": colour(rgb)})

    def _as_rows(self, colours: Sequence[Sequence[str]], left: int) -> Request:
        cells = [[{"userEnteredFormat": {"backgroundColor": colour(rgb)}} for rgb in row] for row in colours]
        return update_cells(self.sheet_id, MAPS_FROM, left, cells, "userEnteredFormat.backgroundColor")

    def legend(self) -> Iterator[Request]:
        """Yield requests for the legend: each colour as a short bar, with its text to the right."""
        for number, (rgb, words) in enumerate(self.picture.legend):
            across, down = divmod(number, LINES_OF_LEGEND)
            row, left = self._legend_from + down, across * LEGEND_COLUMN
            sides = dict.fromkeys(("top", "bottom", "left", "right"), LINE_AROUND)
            yield self._format_cells(
                row, row + 1, left, left + SWATCH, {"backgroundColor": colour(rgb), "borders": sides}
            )
            yield self._write_text(row, left + SWATCH + 1, words, TEXT)

    def _frame(self, left: int, mosaic: Mosaic) -> Iterator[Request]:
        """Yield requests for the border of a map, which may be as white as the page."""
        top, bottom, right = MAPS_FROM, MAPS_FROM + len(mosaic.colours), left + len(mosaic.colours[0])
        edges = {
            "top": (top, top + 1, left, right),
            "bottom": (bottom - 1, bottom, left, right),
            "left": (top, bottom, left, left + 1),
            "right": (top, bottom, right - 1, right),
        }
        for side, edge in edges.items():
            yield self._format_cells(*edge, {"borders": {side: LINE_AROUND}}, f"borders.{side}")

    def _format_cells(
        self, top: int, bottom: int, left: int, right: int, formats: Mapping[str, Any], *fields: str
    ) -> Request:
        """Return a request that formats an area; `fields` are all of `formats` if none are named."""
        area = {
            "sheetId": self.sheet_id,
            "startRowIndex": top,
            "endRowIndex": bottom,
            "startColumnIndex": left,
            "endColumnIndex": right,
        }
        mask = ",".join(f"userEnteredFormat.{name}" for name in fields or formats)
        return {"repeatCell": {"range": area, "cell": {"userEnteredFormat": formats}, "fields": mask}}

    def _write_text(
        self, row: int, column: int, words: str, size: int, *, ink: str = INK, bold: bool = False
    ) -> Request:
        """Return a request for one cell of text, never a formula, that may overflow to blank cells; its fill stays."""
        letters = {"fontSize": size, "bold": bold, "foregroundColor": colour(ink)}
        formats = {"textFormat": letters, "wrapStrategy": "OVERFLOW_CELL", "verticalAlignment": "MIDDLE"}
        cell = {"userEnteredValue": extended_value(words or None), "userEnteredFormat": formats}
        fields = ",".join(["userEnteredValue", *(f"userEnteredFormat.{name}" for name in formats)])
        return update_cells(self.sheet_id, row, column, [[cell]], fields)


def rectangles(colours: Sequence[Sequence[str]]) -> list[tuple[int, int, int, int, str]]:
    """Return a map as rectangles of one colour, joining equal runs in successive rows.

    Returns:
        The first row and the one after the last, likewise the columns, all from 0; the colour.
    """
    finished: list[tuple[int, int, int, int, str]] = []
    starts: Mapping[tuple[int, int, str], int] = {}
    for row in range(len(colours) + 1):
        runs = set(_runs(colours[row])) if row < len(colours) else set()
        finished += [
            (top, row, start, end, rgb) for (start, end, rgb), top in starts.items() if (start, end, rgb) not in runs
        ]
        starts = {run: starts.get(run, row) for run in sorted(runs)}
    return finished


def _runs(colours: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    start = 0
    for rgb, cells in groupby(colours):
        end = start + len(list(cells))
        yield start, end, rgb
        start = end


def _shorter(one: list[Request], other: list[Request]) -> list[Request]:
    """Return the requests that take fewer characters."""
    return min(one, other, key=lambda requests: len(json.dumps(requests)))
