"""Checks that a planned change set still fits the workbook: unchanged cells, an unused receipt number.

The receipts tab is the record of all rulings, so the guard of a change set is looked up there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isnan

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.changes import SetCell
from sheets_algo.workbook.errors import StaleWorkbook
from sheets_algo.workbook.snapshot import Sheet, Snapshot
from sheets_algo.workbook.tab_key import TabKey, folded
from sheets_algo.workbook.values import BlankFormula, CellError, Uncalculated, Value

RECEIPTS_TAB = TabKey.named("Receipts")
"""The append-only tab whose rows are the rulings."""

SEQ_COLUMN = "Seq"
"""Header of its column of receipt numbers."""

HEADER_ROWS = 10
"""Number of rows searched for a header, and read from a tab of which only the header is needed."""


def cell_of(sheet: Sheet | None, row: int, column: int) -> Value:
    """Return the value at a row and column (from 1): None beyond the sheet's end, and for a tab that is absent."""
    cells = sheet.rows.get(row, ()) if sheet else ()
    return cells[column - 1] if column <= len(cells) else None


def is_same_value(one: Value, other: Value) -> bool:
    """Return True if two cells show the same value.

    An empty text, and a formula without a visible value, equal an empty cell; a check mark (bool) does not equal the
    number 1; 2 equals 2.0.
    """
    if all(value in (None, "") or isinstance(value, BlankFormula) for value in (one, other)):
        return True
    if isinstance(one, float) and isinstance(other, float) and isnan(one):
        return isnan(other)  # NaN does not even equal itself
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def refuse_changed_cells(
    snapshot: Snapshot, cells: Iterable[SetCell], current_value: Callable[[SetCell], Value]
) -> None:
    """Check that every planned cell still has the value it had when it was read.

    Args:
        snapshot: The snapshot, for the titles of tabs.
        current_value: Function that returns the current value of a planned cell.

    Raises:
        StaleWorkbook: A cell differs; the message names the first one.
    """
    for cell in cells:
        value = current_value(cell)
        if not is_same_value(value, cell.before):
            place = f"{snapshot.title(cell.tab)}!{a1(cell.row, cell.column)}"
            raise StaleWorkbook(
                f"{place}: shows {_quoted(value)}, but showed {_quoted(cell.before)} "
                f"when it was read; nothing was written: read again.",
                place,
            )


def refuse_used_guard(guard: int | None, receipts: Sheet | None) -> None:
    """Check that a receipt number has not been used yet.

    Args:
        guard: First receipt number of a change set, None if it writes no receipt.
        receipts: The receipts tab, read completely; None if the workbook has none yet.

    Raises:
        StaleWorkbook: The number is in the tab already, so its ruling has been written.
    """
    if guard is None or receipts is None:
        return
    for number, row in sorted(receipts.rows.items())[:HEADER_ROWS]:
        for column, value in enumerate(row, start=1):
            if isinstance(value, str) and folded(value) == folded(SEQ_COLUMN):
                _refuse_number(guard, receipts, number, column)
                return


def _refuse_number(guard: int, receipts: Sheet, header_row: int, column: int) -> None:
    for row in receipts.rows:
        if row > header_row and _is_number(cell_of(receipts, row, column), guard):
            raise StaleWorkbook(
                f"{receipts.title}!{a1(row, column)}: receipt {guard} has been written already; nothing was written: "
                f"read again."
            )


def _is_number(value: Value, number: int) -> bool:
    """Return True if a cell holds that number, as a number or as text."""
    if isinstance(value, str):
        return value.strip() == str(number)
    return isinstance(value, int | float) and not isinstance(value, bool) and value == number


def _quoted(value: Value) -> str:
    match value:
        case None | "" | BlankFormula():
            return "nothing"
        case CellError(code):
            return code
        case Uncalculated():
            return "a formula without a value"
        case str():
            return f'"{value}"' if len(value) <= 60 else f'"{value[:60]}…"'
        case _:
            return str(value)
