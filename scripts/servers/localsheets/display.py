"""Values as a cell shows them: the automatic format, and those that come with typed numbers, shares and dates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from localsheets.cells import Fault, Scalar
from localsheets.typed import EPOCH

DAY = "yyyy-mm-dd"
MOMENTS = ("DATE", "TIME", "DATE_TIME")
_DEFAULTS = {"NUMBER": "#,##0.00", "PERCENT": "0.00%", "DATE": DAY}
_NUMBER = re.compile(r"(#,##)?0(?:\.(0+))?(%?)")


def shown(value: Scalar, pattern: Mapping[str, Any]) -> str:
    """Return a value as text, formatted by a NumberFormat; a format that is not known here counts as automatic."""
    if value is None:
        return ""
    if isinstance(value, Fault):
        return value.text
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return value
    format = pattern.get("pattern") or _DEFAULTS.get(pattern.get("type", ""), "")
    if format == DAY:
        return (EPOCH + timedelta(days=int(value))).isoformat()
    if not (found := _NUMBER.fullmatch(format)):
        return general(value)
    number = Decimal(repr(value)) * (100 if found[3] else 1)
    rounded = number.quantize(Decimal(1).scaleb(-len(found[2] or "")), ROUND_HALF_UP)
    return f"{rounded:{',' if found[1] else ''}f}{found[3]}"


def is_moment(value: Scalar, pattern: Mapping[str, Any]) -> bool:
    """Return True if a cell shows a date or a time."""
    return isinstance(value, int | float) and not isinstance(value, bool) and pattern.get("type") in MOMENTS


def general(value: float) -> str:
    """Return a number in the automatic format: ten digits, whole numbers in full up to fifteen."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    text = f"{value:.10g}"
    if "e" not in text:
        return text
    mantissa, _, exponent = text.partition("e")
    if -6 <= int(exponent) < 0:
        return f"{Decimal(text):f}"
    return f"{mantissa}E{exponent}"
