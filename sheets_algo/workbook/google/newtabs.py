"""A tab of a template as requests: the tab itself, its looks, its cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sheets_algo.template.parts import Cell, Column, Formula, Style, Tab
from sheets_algo.workbook.base import Plain
from sheets_algo.workbook.google.looks import cell_format, colour, pixels_high, pixels_wide
from sheets_algo.workbook.google.places import Places
from sheets_algo.workbook.google.rules import Request
from sheets_algo.workbook.google.standing import Standing

ROWS = 1000
"""Rows of a tab that fills, as Google's own have."""
PAGE = 8
"""Columns that a page of text has at least."""
HEADER_HEIGHT = 32.0
"""Points."""


def size(tab: Tab) -> tuple[int, int]:
    """Rows and columns of a new tab."""
    rows = len(tab.rows) + tab.has_header
    return max(ROWS, rows) if tab.is_needed else rows, len(tab.columns) if tab.has_header else PAGE


def new_tab(tab: Tab, it: Standing) -> Request:
    """The tab itself, to the right of all others."""
    properties = {"sheetId": it.id, "title": it.title, **_properties(tab)}
    properties["gridProperties"] |= {"rowCount": it.rows, "columnCount": it.columns}
    if tab.is_hidden:
        properties["hidden"] = True
    return {"addSheet": {"properties": properties}}


def cells(tab: Tab, it: Standing, places: Places, stood: Standing | None) -> Iterator[Request]:
    """Looks and cells of a blank tab; of a tab that stands there only the columns that are added to it.

    Args:
        tab: What it should be.
        it: What it is going to be.
        places: Where everything stands.
        stood: What it was; None if it is new.
    """
    if stood is not None:
        yield from _grown(it, stood)
    if not it.is_blank:
        added = [place for place in it.places if stood and place not in stood.places]
        if added:
            yield from _added(tab, it, places, min(added))
        return
    if stood is not None:
        properties = {"sheetId": it.id, **_properties(tab)}
        fields = ",".join(["tabColor", *(f"gridProperties.{name}" for name in properties["gridProperties"])])
        yield {"updateSheetProperties": {"properties": properties, "fields": fields}}
    yield from _looks(tab, it)
    if tab.has_header:
        yield _written(
            it, 0, 0, [[_header(column) for column in tab.columns]], "userEnteredValue,userEnteredFormat,note"
        )
    if tab.rows:
        is_styled = any(cell.style for row in tab.rows for cell in row)
        fields = "userEnteredValue,userEnteredFormat" if is_styled else "userEnteredValue"
        rows = [
            [
                _cell(cell, places, column.style if is_styled else None)
                for cell, column in zip(row, tab.columns, strict=False)
            ]
            for row in tab.rows
        ]
        yield _written(it, int(tab.has_header), 0, rows, fields)


def appended(tab: Tab, it: Standing) -> Iterator[Request]:
    """The template's rows below the header of a tab that has no row yet, each cell in its column."""
    for number, row in enumerate(tab.rows):
        for place, cell in enumerate(row, start=1):
            if place in it.places and cell.value is not None:
                value = [[{"userEnteredValue": _value(cell.value)}]]
                yield _written(it, it.header_row + number, it.places[place] - 1, value, "userEnteredValue")


def _properties(tab: Tab) -> dict[str, Any]:
    """Colour, and what stays in view when one scrolls."""
    if tab.has_header:
        grid: dict[str, Any] = {"frozenRowCount": 1, "frozenColumnCount": tab.kept_columns}
    else:
        grid = {"hideGridlines": True}
    return {"gridProperties": grid, **({"tabColor": colour(tab.colour)} if tab.colour else {})}


def _grown(it: Standing, stood: Standing) -> Iterator[Request]:
    for dimension, more in (("ROWS", it.rows - stood.rows), ("COLUMNS", it.columns - stood.columns)):
        if more > 0:
            yield {"appendDimension": {"sheetId": it.id, "dimension": dimension, "length": more}}


def _looks(tab: Tab, it: Standing) -> Iterator[Request]:
    for number, column in enumerate(tab.columns):
        yield _sized(it, "COLUMNS", number, number + 1, pixels_wide(column.width))
        look = cell_format(column.style)
        if tab.has_header and look != cell_format(Style()):
            area = {"sheetId": it.id, "startRowIndex": 1, "startColumnIndex": number, "endColumnIndex": number + 1}
            yield {"repeatCell": {"range": area, "cell": {"userEnteredFormat": look}, "fields": "userEnteredFormat"}}
    first = int(tab.has_header)
    if tab.has_header:
        yield _sized(it, "ROWS", 0, 1, pixels_high(HEADER_HEIGHT))
    if tab.sized_rows:
        yield _sized(it, "ROWS", first, first + tab.sized_rows, pixels_high(tab.row_height))


def _sized(it: Standing, dimension: str, first: int, end: int, pixels: int) -> Request:
    place = {"sheetId": it.id, "dimension": dimension, "startIndex": first, "endIndex": end}
    return {"updateDimensionProperties": {"range": place, "properties": {"pixelSize": pixels}, "fields": "pixelSize"}}


def _added(tab: Tab, it: Standing, places: Places, first: int) -> Iterator[Request]:
    """Columns of a tab of formulas, all to the right of those it has."""
    chosen = [place for place in sorted(it.places) if it.places[place] >= it.places[first]]
    heads = [_header(tab.columns[place - 1]) for place in chosen]
    rows = [[_cell(row[place - 1], places) for place in chosen] for row in tab.rows]
    left = it.places[first] - 1
    yield _written(it, it.header_row - 1, left, [heads], "userEnteredValue,userEnteredFormat,note")
    yield _written(it, it.header_row, left, rows, "userEnteredValue")


def _written(it: Standing, row: int, column: int, rows: Sequence[Sequence[Any]], fields: str) -> Request:
    start = {"sheetId": it.id, "rowIndex": row, "columnIndex": column}
    return {"updateCells": {"start": start, "rows": [{"values": cells} for cells in rows], "fields": fields}}


def _header(column: Column) -> dict[str, Any]:
    made: dict[str, Any] = {"userEnteredFormat": cell_format(column.heading)}
    if column.header:
        made["userEnteredValue"] = {"stringValue": column.header}
    if column.note:
        made["note"] = column.note
    return made


def _cell(cell: Cell, places: Places, style: Style | None = None) -> dict[str, Any]:
    """A value as what it is: only a template's formula is one, a text that begins with an equals sign stays text."""
    made: dict[str, Any] = {}
    if isinstance(cell.value, Formula):
        formula = places.formula(cell.value.text)
        if formula is not None:
            made["userEnteredValue"] = {"formulaValue": f"=ARRAYFORMULA({formula})"}
    elif cell.value is not None:
        made["userEnteredValue"] = _value(cell.value)
    if look := cell.style or style:
        made["userEnteredFormat"] = cell_format(look)
    return made


def _value(value: Plain | Formula) -> dict[str, Any]:
    match value:
        case bool():
            return {"boolValue": value}
        case int() | float():
            return {"numberValue": value}
        case _:
            return {"stringValue": str(value)}
