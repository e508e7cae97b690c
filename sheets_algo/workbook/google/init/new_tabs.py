"""Requests that make a tab of a template: the tab itself, its formats, its cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sheets_algo.workbook.google.commit.requests import Request, append_dimensions, extended_value, resize, update_cells
from sheets_algo.workbook.google.init.current_template import CurrentTab
from sheets_algo.workbook.google.init.styles import cell_format, colour, pixels_high, pixels_wide
from sheets_algo.workbook.google.init.template_places import Places, in_every_locale
from sheets_algo.workbook.template_spec import CellSpec, ColumnSpec, FormulaSpec, Style, TabSpec
from sheets_algo.workbook.values import Plain

ROWS = 1000
"""Rows of a new tab that people fill, as of Google's own."""
PAGE = 8
"""Minimum number of columns of a page of text."""
HEADER_HEIGHT = 32.0
"""The height of the header row, in points."""


def size(tab: TabSpec) -> tuple[int, int]:
    """Return the rows and columns of a new tab."""
    rows = len(tab.rows) + tab.has_header
    return max(ROWS, rows) if tab.is_needed else rows, len(tab.columns) if tab.has_header else PAGE


def new_tab(tab: TabSpec, current: CurrentTab) -> Request:
    """Return the request that adds the tab, to the right of all others."""
    properties = {"sheetId": current.id, "title": current.title, **_properties(tab)}
    properties["gridProperties"] |= {"rowCount": current.rows, "columnCount": current.columns}
    if tab.is_hidden:
        properties["hidden"] = True
    return {"addSheet": {"properties": properties}}


def cells(tab: TabSpec, current: CurrentTab, places: Places, before: CurrentTab | None) -> Iterator[Request]:
    """Yield the requests that format and fill a blank tab, or add the missing columns to an existing one.

    All values come last, in one request: until then the tab counts as blank, and is filled again after an interruption.

    Args:
        tab: The tab as the template has it.
        before: The previous tab; None if it is new.
    """
    if before is not None:
        yield from append_dimensions(current.id, current.rows - before.rows, current.columns - before.columns)
    if current.is_blank:
        if before is not None:
            properties = {"sheetId": current.id, **_properties(tab)}
            fields = ",".join(["tabColor", *(f"gridProperties.{name}" for name in properties["gridProperties"])])
            yield {"updateSheetProperties": {"properties": properties, "fields": fields}}
        yield from _formats(tab, current)
        yield from _groups(tab, current)
        yield from _fill(tab, current, places, [*range(1, len(tab.columns) + 1)])
    elif added := [place for place in current.places if before and place not in before.places]:
        yield from _fill(tab, current, places, added)


def append_rows(tab: TabSpec, current: CurrentTab, places: Places) -> Iterator[Request]:
    """Yield requests that write the template's rows below the header of a tab without rows, each cell in its column."""
    for number, row in enumerate(tab.rows):
        for place, cell in enumerate(row, start=1):
            if place in current.places and (content := _content(cell.value, places)):
                yield _write_cells(current, current.header_row + number, current.places[place] - 1, [[content]])


def _properties(tab: TabSpec) -> dict[str, Any]:
    """Return a tab's colour and its frozen rows and columns."""
    if tab.has_header:
        grid: dict[str, Any] = {"frozenRowCount": 1, "frozenColumnCount": tab.kept_columns}
    else:
        grid = {"hideGridlines": True}
    return {"gridProperties": grid, **({"tabColor": colour(tab.colour)} if tab.colour else {})}


def _formats(tab: TabSpec, current: CurrentTab) -> Iterator[Request]:
    for number, column in enumerate(tab.columns):
        yield resize(current.id, "COLUMNS", number, number + 1, pixels_wide(column.width))
        format = cell_format(column.style)
        if tab.has_header and format != cell_format(Style()):
            area = {"sheetId": current.id, "startRowIndex": 1, "startColumnIndex": number, "endColumnIndex": number + 1}
            yield {"repeatCell": {"range": area, "cell": {"userEnteredFormat": format}, "fields": "userEnteredFormat"}}
    first = int(tab.has_header)
    if tab.has_header:
        yield resize(current.id, "ROWS", 0, 1, pixels_high(HEADER_HEIGHT))
    if tab.sized_rows:
        yield resize(current.id, "ROWS", first, first + tab.sized_rows, pixels_high(tab.row_height))


def _groups(tab: TabSpec, current: CurrentTab) -> Iterator[Request]:
    """Yield requests that group columns, closed unless the tab is open; none for a tab that has groups of a person.

    A group of an interrupted attempt is not repeated, since it would lie inside the first.
    """
    places = {(group.start, group.stop - 1, 1): group for group in tab.groups}
    if not current.groups <= places.keys():
        return
    for place, group in places.items():
        ends = {"startIndex": group.start - 1, "endIndex": group.stop - 1}
        span = {"sheetId": current.id, "dimension": "COLUMNS", **ends}
        if place not in current.groups:
            yield {"addDimensionGroup": {"range": span}}
        if not tab.is_open:
            closed = {"range": span, "depth": 1, "collapsed": True}
            yield {"updateDimensionGroup": {"dimensionGroup": closed, "fields": "collapsed"}}


def _fill(tab: TabSpec, current: CurrentTab, places: Places, numbers: Sequence[int]) -> Iterator[Request]:
    """Yield requests that write adjacent columns: the styles of single cells, then all content."""
    columns = [tab.columns[place - 1] for place in numbers]
    rows = [[row[place - 1] if place <= len(row) else CellSpec() for place in numbers] for row in tab.rows]
    styles = [[cell.style or column.style for cell, column in zip(row, columns, strict=True)] for row in rows]
    values = [[_content(cell.value, places) for cell in row] for row in rows]
    if not any(cell.style for row in rows for cell in row):
        styles = []  # the columns' own
    if tab.has_header:
        styles.insert(0, [column.heading for column in columns])
        values.insert(0, [_header(column) for column in columns])
    left = current.places[numbers[0]] - 1
    if styles:
        formats = [[{"userEnteredFormat": cell_format(style)} for style in row] for row in styles]
        yield _write_cells(current, 0, left, formats)
    yield _write_cells(current, 0, left, values)


def _write_cells(tab: CurrentTab, row: int, column: int, rows: Sequence[Sequence[Mapping[str, Any]]]) -> Request:
    """Return a request that writes cells from one on; fields that none of them has are left alone."""
    fields = dict.fromkeys(name for cells in rows for cell in cells for name in cell)
    return update_cells(tab.id, row, column, rows, ",".join(fields))


def _header(column: ColumnSpec) -> dict[str, Any]:
    return {"userEnteredValue": extended_value(column.header)} | ({"note": column.note} if column.note else {})


def _content(value: Plain | FormulaSpec, places: Places) -> dict[str, Any]:
    """Return the cell data of a value; only a template's formula is one, any other text with an equals sign is text."""
    if isinstance(value, FormulaSpec):
        formula = places.formula(value.text)
        if formula is None:
            return {}
        return {"userEnteredValue": {"formulaValue": f"=ARRAYFORMULA({in_every_locale(formula)})"}}
    return {} if value in (None, "") else {"userEnteredValue": extended_value(value)}
