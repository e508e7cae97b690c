"""Typed counts of a side's flanks: blank, men or ships, or shares of the army's (STRAT-02, R-58, R-124)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.autoalgo.inputs import Count, FlankOrder
from engine.autoalgo.setup.army import apportion, split_evenly
from engine.share import UNITS, WHOLE, Share

COLUMNS = ("infantry", "cavalry", "artillery", "ships")
"""Attributes of the counts of an order, in the order of `TYPES`."""
ROUNDED = UNITS
"""Units by which rounded shares may fall short of the whole: 33 % three times is a third each (R-124)."""
EXCESS = 100
"""Units that rounding in a spreadsheet may add: one in 10,000 of a per cent."""


def typed_counts(orders: Sequence[FlankOrder], totals: Sequence[int]) -> list[list[int]]:
    """Return the men of each slot, and the ships, of each flank, shape (types, flanks).

    A column that is blank on every flank is divided evenly, the ships always (R-58), men unless the side has numbers.

    Args:
        orders: The flanks of the side, at least one.
        totals: The men of each slot of the army, and its ships.
    """
    typed = [[getattr(order, name) for order in orders] for name in COLUMNS]
    has_numbers = any(isinstance(cell, int) for cells in typed for cell in cells)
    return [
        [0] * len(cells) if has_numbers and name != "ships" and _is_blank(cells) else column_counts(cells, total)
        for name, cells, total in zip(COLUMNS, typed, totals, strict=True)
    ]


def column_counts(cells: Sequence[Count], total: int) -> list[int]:
    """Return the numbers meant by the cells of one column: shares by largest remainder, a blank among others 0 (R-124).

    Shares that sum to the whole use exactly the total; equal shares count like blank cells.

    Args:
        cells: One cell of each flank of a side.
        total: The men of that slot of the army, or its ships.
    """
    if _is_blank(cells):
        return split_evenly(total, len(cells))
    units = [cell.units if isinstance(cell, Share) else 0 for cell in cells]
    shared = total if is_whole(units) else int(total * sum(units) / WHOLE + 0.5)
    parts = apportion(shared, units)
    return [part if isinstance(cell, Share) else cell or 0 for cell, part in zip(cells, parts, strict=True)]


def is_whole(units: Sequence[int]) -> bool:
    """Return True if shares sum to the whole, apart from rounding."""
    return WHOLE - ROUNDED <= sum(units) <= WHOLE + EXCESS


def share_sum(cells: Sequence[Count]) -> float:
    """Return the sum of the shares of a column in per cent."""
    return sum(cell.units for cell in cells if isinstance(cell, Share)) / UNITS


def shares_fit(cells: Sequence[Count]) -> bool:
    """Return True if a column has no shares, or shares that sum to the whole and no numbers beside them (R-124)."""
    shares = [cell for cell in cells if isinstance(cell, Share)]
    has_numbers = any(isinstance(cell, int) and cell for cell in cells)
    return not shares or (is_whole([share.units for share in shares]) and not has_numbers)


def _is_blank(cells: Sequence[Any]) -> bool:
    return all(cell is None for cell in cells)
