"""Cells of the database that make an order impossible; if a ruling wrote them, the order lapses (REQ-18)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.columns import column, tab_of

CellName = tuple[str, str, str]
"""A cell of the database by tab, name of the row and header."""


@dataclass(frozen=True, slots=True)
class LapseCause:
    """The cells that make an order impossible."""

    cells: tuple[CellName, ...]
    lasts: bool = False  # True if it counts whenever a ruling wrote them; False if only in the turn of the order
    # True if an order used something up whatever its luck, so that `check` reports it in advance.
    is_used_up: bool = False
    # The value at the beginning of the turn under which the order was possible; None for any.
    least: float | None = None


@dataclass(frozen=True, slots=True)
class CauseKind:
    """A kind of cause, which a ruleset declares once."""

    record: type  # The record class of the database tab
    attributes: Sequence[str]  # The attributes of the cells
    lasts: bool = False  # As in `LapseCause`
    is_used_up: bool = False  # As in `LapseCause`
    # Returns the reason why the record of the row is out of the game, a clause; blank if it is not. None: it never is.
    gone: Callable[[Any], str] | None = None

    def of(self, name: str, least: float | None = None) -> LapseCause:
        """Return the cause in the row with a name."""
        tab = tab_of(self.record).name
        headers = (column(self.record, attribute).header for attribute in self.attributes)
        return LapseCause(tuple((tab, name, header) for header in headers), self.lasts, self.is_used_up, least)
