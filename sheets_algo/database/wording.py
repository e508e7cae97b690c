"""Wording of counts and cell values in sentences."""

from __future__ import annotations

from sheets_algo.database.cells import shown
from sheets_algo.workbook.base import Plain


def count(number: int, what: str) -> str:
    """Return a count with its noun: `1 request`, `1,000 requests`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def value_text(value: Plain) -> str:
    """Return a cell's value as text, `blank` for an empty one."""
    return shown(value) or "blank"
