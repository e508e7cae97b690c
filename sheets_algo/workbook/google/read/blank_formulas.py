"""Formulas without a visible value: a poll reads them as blank cells, and a second reading of some areas finds them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sheets_algo.workbook.google.read.live_cells import BLANK, Cells, Place
from sheets_algo.workbook.google.read.titles import Area
from sheets_algo.workbook.snapshot import Sheet
from sheets_algo.workbook.staleness import cell_of
from sheets_algo.workbook.values import SPILLS, BlankFormula, Value


def with_blank_formulas(sheet: Sheet, areas: Iterable[Area], cells: Cells) -> Sheet | None:
    """Return a tab with a `BlankFormula` in each cell of some areas whose formula shows nothing.

    A cell below a formula that may fill it, with no content between them, has that formula.

    Args:
        areas: The areas, with columns 0 for whole rows.
        cells: The current cells of the areas.

    Returns:
        The tab; None if such a cell shows something now.
    """
    formulas: dict[Place, BlankFormula] = {}
    for top, left, bottom, right in areas:
        columns = range(left, right + 1) if left else {column for row, column in cells if top <= row <= bottom}
        for column in columns:
            formulas |= _in_column(sheet, column, range(top, bottom + 1), cells)
    if any(not _is_blank(cells.get(place, BLANK).value) for place in formulas):
        return None
    rows = dict(sheet.rows)
    for (row, column), formula in formulas.items():
        values = [*rows[row], *[None] * (column - len(rows[row]))]
        values[column - 1] = formula
        rows[row] = tuple(values)
    return replace(sheet, rows=rows)


def _in_column(sheet: Sheet, column: int, rows: Iterable[int], cells: Cells) -> dict[Place, BlankFormula]:
    """Return the formulas of a column's cells that were read as blank, by row and column."""
    formulas: dict[Place, BlankFormula] = {}
    spill: BlankFormula | None = None
    for row in rows:
        cell = cells.get((row, column), BLANK)
        if cell.entered:
            formula = BlankFormula(cell.formula) if cell.formula else None
            spill = formula if formula and SPILLS.search(cell.formula) else None
        else:
            formula = spill
        if formula and row in sheet.rows and _is_blank(cell_of(sheet, row, column)):
            formulas[row, column] = formula
    return formulas


def _is_blank(value: Value) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())
