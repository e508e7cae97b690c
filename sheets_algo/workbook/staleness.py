"""What makes a planned change set stale: a cell that shows something else by now, a receipt number already given out.

The receipts tab is the truth about what has been ruled, so the guard of a change set is looked up there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isnan

from sheets_algo.workbook.base import CellError, SetCell, Sheet, StaleWorkbook, Uncalculated, Value, a1, tab_key

RECEIPTS_TAB = "Receipts"
"""The append-only tab whose rows are the rulings."""

SEQ_COLUMN = "Seq"
"""Its column of receipt numbers."""

HEADER_ROWS = 10
"""Rows in which a header is looked for, and the rows that a tab read for its headers only yields."""


def cell_of(sheet: Sheet | None, row: int, column: int) -> Value:
    """What a sheet shows at a row and column (from 1): None where it ends, and everywhere on a tab that is absent."""
    cells = sheet.rows.get(row, ()) if sheet else ()
    return cells[column - 1] if column <= len(cells) else None


def same(one: Value, other: Value) -> bool:
    """Whether two cells show the same.

    An empty text looks like an empty cell and is one here; a tick mark (bool) is not the number 1, 2 is 2.0.
    """
    if one in (None, "") and other in (None, ""):
        return True
    if isinstance(one, float) and isinstance(other, float) and isnan(one):
        return isnan(other)  # which equals nothing, itself included
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def refuse_changed_cells(cells: Iterable[SetCell], shown: Callable[[SetCell], Value]) -> None:
    """Compare what every planned cell showed when it was read with what it shows now.

    Args:
        cells: The planned cells.
        shown: What the workbook shows now where such a cell stands.

    Raises:
        StaleWorkbook: One of them differs; the first is named.
    """
    for cell in cells:
        now = shown(cell)
        if not same(now, cell.before):
            raise StaleWorkbook(
                f"{cell.tab}!{a1(cell.row, cell.column)}: shows {_said(now)}, but showed {_said(cell.before)} "
                f"when it was read; nothing was written: read again."
            )


def refuse_used_guard(guard: int | None, receipts: Sheet | None) -> None:
    """Let each receipt number through once.

    Args:
        guard: The first receipt number of a change set, or None when it writes no receipt.
        receipts: The receipts tab, whole, or None when the workbook has none yet.

    Raises:
        StaleWorkbook: The number stands in the tab already: the ruling it belongs to has been written.
    """
    if guard is None or receipts is None:
        return
    for number, row in sorted(receipts.rows.items())[:HEADER_ROWS]:
        for column, value in enumerate(row, start=1):
            if isinstance(value, str) and tab_key(value) == tab_key(SEQ_COLUMN):
                _refuse_number(guard, receipts, number, column)
                return


def _refuse_number(guard: int, receipts: Sheet, header_row: int, column: int) -> None:
    for row in receipts.rows:
        if row > header_row and _is_number(cell_of(receipts, row, column), guard):
            raise StaleWorkbook(
                f"{receipts.name}!{a1(row, column)}: receipt {guard} has been written already; nothing was written: "
                f"read again."
            )


def _is_number(value: Value, number: int) -> bool:
    """Whether a cell holds that number, typed as a number or as text."""
    if isinstance(value, str):
        return value.strip() == str(number)
    return isinstance(value, int | float) and not isinstance(value, bool) and value == number


def _said(value: Value) -> str:
    """A cell's value as a sentence can quote it."""
    match value:
        case None | "":
            return "nothing"
        case CellError(code):
            return code
        case Uncalculated():
            return "a formula without a value"
        case str():
            return f'"{value}"' if len(value) <= 60 else f'"{value[:60]}…"'
        case _:
            return str(value)
