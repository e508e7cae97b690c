"""Interpretation of text that a person types into a cell (USER_ENTERED), in a spreadsheet of the United States.

Of dates only `2026-03-01` is read, and neither times nor amounts of money.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from localsheets.cells import Scalar
from localsheets.proto import whole

EPOCH = date(1899, 12, 30)
"""Day 0 of a date."""


@dataclass(frozen=True, slots=True)
class Typed:
    """The interpretation of a typed text.

    Attributes:
        number_format: The NumberFormat that comes with it, or None to leave the cell's own.
    """

    value: Scalar = None
    formula: str | None = None
    number_format: Mapping[str, Any] | None = None


def typed(text: str, pattern: Mapping[str, Any]) -> Typed:
    """Interpret a text as if typed into a cell.

    Args:
        text: The typed text.
        pattern: The cell's NumberFormat: a cell formatted as text takes everything as text.
    """
    if text == "":
        return Typed()
    if text.startswith("'"):
        return Typed(text[1:] or None)
    if pattern.get("type") == "TEXT":
        return Typed(text)
    if text.startswith("=") and len(text) > 1:
        return Typed(formula=text)
    stripped = text.strip()
    if stripped.upper() in ("TRUE", "FALSE"):
        return Typed(stripped.upper() == "TRUE")
    found = _number(stripped) or _day(stripped)
    if found is None:
        return Typed(text)
    is_same = found.number_format is not None and pattern.get("type") == found.number_format["type"]
    return Typed(whole(found.value), None, None if is_same else found.number_format)


_NUMBER = re.compile(r"[-+]?(?:(\d{1,3}(?:,\d{3})+|\d+)(\.\d*)?|(\.\d+))(%?)")


def _number(text: str) -> Typed | None:
    """Read a number: `42`, `-1.5`, `2,000,000.01`, `50%`."""
    found = _NUMBER.fullmatch(text)
    if not found:
        return None
    integer, decimals, fraction, per_cent = found.groups()
    value = float(text.replace(",", "").removesuffix("%"))
    places = ".00" if len(decimals or fraction or "") > 1 else ""
    if per_cent:
        return Typed(value / 100, None, {"type": "PERCENT", "pattern": f"0{places}%"})
    return Typed(value, None, {"type": "NUMBER", "pattern": f"#,##0{places}"} if "," in (integer or "") else None)


def _day(text: str) -> Typed | None:
    """Read a date."""
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return None
    try:
        days = (date.fromisoformat(text) - EPOCH).days
    except ValueError:
        return None
    return Typed(days, None, {"type": "DATE", "pattern": "yyyy-mm-dd"})
