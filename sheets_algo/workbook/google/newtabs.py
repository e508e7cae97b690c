"""A tab of a template as requests: the tab itself, its looks, its cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sheets_algo.template.parts import Cell, Column, Formula, Style, Tab
from sheets_algo.workbook.base import Plain
from sheets_algo.workbook.google.batch import Request, entered, grown, sized, written
from sheets_algo.workbook.google.places import Places, in_every_locale
from sheets_algo.workbook.google.standing import Standing
from sheets_algo.workbook.google.styles import cell_format, colour, pixels_high, pixels_wide

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

    All values come last, in one request: until then the tab is blank, and is made anew if something breaks off.

    Args:
        tab: What it should be.
        it: What it is going to be.
        places: Where everything stands.
        stood: What it was; None if it is new.
    """
    if stood is not None:
        yield from grown(it.id, it.rows - stood.rows, it.columns - stood.columns)
    if it.is_blank:
        if stood is not None:
            properties = {"sheetId": it.id, **_properties(tab)}
            fields = ",".join(["tabColor", *(f"gridProperties.{name}" for name in properties["gridProperties"])])
            yield {"updateSheetProperties": {"properties": properties, "fields": fields}}
        yield from _looks(tab, it)
        yield from _filled(tab, it, places, [*range(1, len(tab.columns) + 1)])
    elif added := [place for place in it.places if stood and place not in stood.places]:
        yield from _filled(tab, it, places, added)


def appended(tab: Tab, it: Standing, places: Places) -> Iterator[Request]:
    """The template's rows below the header of a tab that has no row yet, each cell in its column."""
    for number, row in enumerate(tab.rows):
        for place, cell in enumerate(row, start=1):
            if place in it.places and (content := _content(cell.value, places)):
                yield _written(it, it.header_row + number, it.places[place] - 1, [[content]])


def _properties(tab: Tab) -> dict[str, Any]:
    """Colour, and what stays in view when one scrolls."""
    if tab.has_header:
        grid: dict[str, Any] = {"frozenRowCount": 1, "frozenColumnCount": tab.kept_columns}
    else:
        grid = {"hideGridlines": True}
    return {"gridProperties": grid, **({"tabColor": colour(tab.colour)} if tab.colour else {})}


def _looks(tab: Tab, it: Standing) -> Iterator[Request]:
    for number, column in enumerate(tab.columns):
        yield sized(it.id, "COLUMNS", number, number + 1, pixels_wide(column.width))
        look = cell_format(column.style)
        if tab.has_header and look != cell_format(Style()):
            area = {"sheetId": it.id, "startRowIndex": 1, "startColumnIndex": number, "endColumnIndex": number + 1}
            yield {"repeatCell": {"range": area, "cell": {"userEnteredFormat": look}, "fields": "userEnteredFormat"}}
    first = int(tab.has_header)
    if tab.has_header:
        yield sized(it.id, "ROWS", 0, 1, pixels_high(HEADER_HEIGHT))
    if tab.sized_rows:
        yield sized(it.id, "ROWS", first, first + tab.sized_rows, pixels_high(tab.row_height))


def _filled(tab: Tab, it: Standing, places: Places, chosen: Sequence[int]) -> Iterator[Request]:
    """Some columns, which stand side by side: how single cells look, then everything in them."""
    columns = [tab.columns[place - 1] for place in chosen]
    rows = [[row[place - 1] if place <= len(row) else Cell() for place in chosen] for row in tab.rows]
    styles = [[cell.style or column.style for cell, column in zip(row, columns, strict=True)] for row in rows]
    values = [[_content(cell.value, places) for cell in row] for row in rows]
    if not any(cell.style for row in rows for cell in row):
        styles = []  # the columns' own
    if tab.has_header:
        styles.insert(0, [column.heading for column in columns])
        values.insert(0, [_header(column) for column in columns])
    left = it.places[chosen[0]] - 1
    if styles:
        yield _written(it, 0, left, [[{"userEnteredFormat": cell_format(it)} for it in row] for row in styles])
    yield _written(it, 0, left, values)


def _written(it: Standing, row: int, column: int, rows: Sequence[Sequence[Mapping[str, Any]]]) -> Request:
    """Cells from one on; what none of them has is left alone."""
    fields = dict.fromkeys(name for cells in rows for cell in cells for name in cell)
    return written(it.id, row, column, rows, ",".join(fields))


def _header(column: Column) -> dict[str, Any]:
    return {"userEnteredValue": entered(column.header)} | ({"note": column.note} if column.note else {})


def _content(value: Plain | Formula, places: Places) -> dict[str, Any]:
    """A value as what it is: only a template's formula is one, a text that begins with an equals sign stays text."""
    if isinstance(value, Formula):
        formula = places.formula(value.text)
        if formula is None:
            return {}
        return {"userEnteredValue": {"formulaValue": f"=ARRAYFORMULA({in_every_locale(formula)})"}}
    return {} if value in (None, "") else {"userEnteredValue": entered(value)}
