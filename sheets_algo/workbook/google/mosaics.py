"""A picture as coloured cells: what one `spreadsheets.batchUpdate` holds to make a tab show it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sheets_algo.workbook.base import Mosaic, Picture
from sheets_algo.workbook.google.batch import Request, entered, sized, written
from sheets_algo.workbook.google.styles import colour, ink_on

CELL, LINE, TITLE_LINE = 9, 21, 36
"""Pixels: a cell of a map, square; the height of a line of text; that of the title."""
TITLE, HEADING, TEXT, LABEL = 14, 11, 10, 7
"""Points of the letters."""
INK = "1C1E22"
LINE_AROUND = {"style": "SOLID", "color": colour("8A8F98")}
"""Of a map, and of a colour in the legend."""
GAP = 6
"""Cells between the maps and at the right edge, where labels may run out."""
SWATCH = 3
"""Cells that a colour of the legend is wide."""
MAPS_FROM = 2
"""Rows above the maps: the title, and what each map shows."""
LINES_OF_LEGEND = 8
"""Lines of the legend before it goes on beside them."""
LEGEND_COLUMN = 32
"""Cells to the next column of the legend."""


def requests(sheet_id: int, rows: int, columns: int, picture: Picture) -> list[Request]:
    """What makes a tab show this picture and nothing else, whatever it showed before.

    Args:
        sheet_id: The tab.
        rows: Rows of its grid now.
        columns: Columns of its grid now.
        picture: With at least one mosaic.
    """
    page = _Page(sheet_id, picture)
    return [
        {"unmergeCells": {"range": {"sheetId": sheet_id}}},
        _fitted(sheet_id, (rows, columns), (page.rows, page.columns)),
        {"updateCells": {"range": {"sheetId": sheet_id}, "fields": "userEnteredValue,userEnteredFormat,note"}},
        *page.dimensions(),
        *page.texts(),
        *page.maps(),
        *page.legend(),
    ]


def _fitted(sheet_id: int, now: tuple[int, int], wanted: tuple[int, int]) -> Request:
    """The grid as large as the picture; nothing stays in view when one scrolls, and the grid's lines are hidden."""
    grid: dict[str, Any] = {"frozenRowCount": 0, "frozenColumnCount": 0, "hideGridlines": True}
    if now != wanted:
        grid |= {"rowCount": wanted[0], "columnCount": wanted[1]}
    fields = ",".join(f"gridProperties.{name}" for name in grid)
    return {"updateSheetProperties": {"properties": {"sheetId": sheet_id, "gridProperties": grid}, "fields": fields}}


@dataclass(frozen=True, slots=True)
class _Page:
    """Where everything stands: title, maps side by side, legend below."""

    sheet_id: int
    picture: Picture

    @property
    def rows(self) -> int:
        return self._legend_from + max(1, min(len(self.picture.legend), LINES_OF_LEGEND))

    @property
    def columns(self) -> int:
        of_legend = -(-len(self.picture.legend) // LINES_OF_LEGEND) * LEGEND_COLUMN
        return max(of_legend, sum(len(it.colours[0]) + GAP for it in self.picture.mosaics))

    @property
    def _tallest(self) -> int:
        return max(len(it.colours) for it in self.picture.mosaics)

    @property
    def _legend_from(self) -> int:
        """A blank line stands between."""
        return MAPS_FROM + self._tallest + 1

    def _placed(self) -> Iterator[tuple[int, Mosaic]]:
        """Each map with its first column."""
        left = 0
        for mosaic in self.picture.mosaics:
            yield left, mosaic
            left += len(mosaic.colours[0]) + GAP

    def dimensions(self) -> Iterator[Request]:
        """Small square cells where the maps stand, lines of text elsewhere."""
        yield sized(self.sheet_id, "COLUMNS", 0, self.columns, CELL)
        yield sized(self.sheet_id, "ROWS", 0, 1, TITLE_LINE)
        yield sized(self.sheet_id, "ROWS", 1, MAPS_FROM, LINE)
        yield sized(self.sheet_id, "ROWS", MAPS_FROM, MAPS_FROM + self._tallest, CELL)
        yield sized(self.sheet_id, "ROWS", MAPS_FROM + self._tallest, self.rows, LINE)

    def texts(self) -> Iterator[Request]:
        """The title, and each map's own."""
        yield self._text(0, 0, self.picture.title, TITLE, bold=True)
        for left, mosaic in self._placed():
            yield self._text(1, left, mosaic.title, HEADING, bold=True)

    def maps(self) -> Iterator[Request]:
        """Colours first, then the frame and the labels."""
        for left, mosaic in self._placed():
            yield from _shorter(list(self._as_rectangles(mosaic.colours, left)), [self._as_rows(mosaic.colours, left)])
            yield from self._framed(left, mosaic)
            for (row, column), label in mosaic.marks.items():
                ink = ink_on(mosaic.colours[row][column])
                yield self._text(MAPS_FROM + row, left + column, label, LABEL, ink=ink, bold=True)

    def _as_rectangles(self, colours: Sequence[Sequence[str]], left: int) -> Iterator[Request]:
        for top, bottom, start, end, rgb in rectangles(colours):
            rows, columns = (MAPS_FROM + top, MAPS_FROM + bottom), (left + start, left + end)
            yield self._filled(*rows, *columns, {"backgroundColor": colour(rgb)})

    def _as_rows(self, colours: Sequence[Sequence[str]], left: int) -> Request:
        cells = [[{"userEnteredFormat": {"backgroundColor": colour(rgb)}} for rgb in row] for row in colours]
        return written(self.sheet_id, MAPS_FROM, left, cells, "userEnteredFormat.backgroundColor")

    def legend(self) -> Iterator[Request]:
        """Each colour as a short bar, its words to the right."""
        for number, (rgb, words) in enumerate(self.picture.legend):
            across, down = divmod(number, LINES_OF_LEGEND)
            row, left = self._legend_from + down, across * LEGEND_COLUMN
            sides = dict.fromkeys(("top", "bottom", "left", "right"), LINE_AROUND)
            yield self._filled(row, row + 1, left, left + SWATCH, {"backgroundColor": colour(rgb), "borders": sides})
            yield self._text(row, left + SWATCH + 1, words, TEXT)

    def _framed(self, left: int, mosaic: Mosaic) -> Iterator[Request]:
        """A line around a map: its ground may be as white as the page."""
        top, bottom, right = MAPS_FROM, MAPS_FROM + len(mosaic.colours), left + len(mosaic.colours[0])
        edges = {
            "top": (top, top + 1, left, right),
            "bottom": (bottom - 1, bottom, left, right),
            "left": (top, bottom, left, left + 1),
            "right": (top, bottom, right - 1, right),
        }
        for side, edge in edges.items():
            yield self._filled(*edge, {"borders": {side: LINE_AROUND}}, f"borders.{side}")

    def _filled(self, top: int, bottom: int, left: int, right: int, looks: Mapping[str, Any], *fields: str) -> Request:
        """Cells that look alike; `fields` are all of `looks` if none are named."""
        area = {
            "sheetId": self.sheet_id,
            "startRowIndex": top,
            "endRowIndex": bottom,
            "startColumnIndex": left,
            "endColumnIndex": right,
        }
        mask = ",".join(f"userEnteredFormat.{name}" for name in fields or looks)
        return {"repeatCell": {"range": area, "cell": {"userEnteredFormat": looks}, "fields": mask}}

    def _text(self, row: int, column: int, words: str, size: int, *, ink: str = INK, bold: bool = False) -> Request:
        """One cell with a text, never a formula, that runs on over the blank cells beside it; its colour stays."""
        letters = {"fontSize": size, "bold": bold, "foregroundColor": colour(ink)}
        looks = {"textFormat": letters, "wrapStrategy": "OVERFLOW_CELL", "verticalAlignment": "MIDDLE"}
        cell = {"userEnteredValue": entered(words or None), "userEnteredFormat": looks}
        fields = ",".join(["userEnteredValue", *(f"userEnteredFormat.{name}" for name in looks)])
        return written(self.sheet_id, row, column, [[cell]], fields)


def rectangles(colours: Sequence[Sequence[str]]) -> list[tuple[int, int, int, int, str]]:
    """A map as rectangles of one colour: equal runs in rows that follow one another are one.

    Returns:
        First row and the one after the last, likewise columns, all from 0; the colour.
    """
    done: list[tuple[int, int, int, int, str]] = []
    begun: Mapping[tuple[int, int, str], int] = {}
    for row in range(len(colours) + 1):
        runs = set(_runs(colours[row])) if row < len(colours) else set()
        done += [
            (top, row, start, end, rgb) for (start, end, rgb), top in begun.items() if (start, end, rgb) not in runs
        ]
        begun = {run: begun.get(run, row) for run in sorted(runs)}
    return done


def _runs(colours: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    start = 0
    for rgb, cells in groupby(colours):
        end = start + len(list(cells))
        yield start, end, rgb
        start = end


def _shorter(one: list[Request], other: list[Request]) -> list[Request]:
    return min(one, other, key=lambda requests: len(json.dumps(requests)))
