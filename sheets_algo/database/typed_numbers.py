"""Numbers as people type them: `7,000`, `0,35`, `12 %`, `12k`, `12,000 men`."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

from engine.columns import Field
from sheets_algo.database.cell_text import ReadError, as_text, trimmed
from sheets_algo.database.problems import quoted
from sheets_algo.workbook.values import PerCent, Plain, Value

MINUS = str.maketrans(dict.fromkeys("−–‒‐‑﹣－", "-"))
"""Minus signs of keyboards and spreadsheets; a long dash may stand for two."""
NEARLY = 1e-9
"""Maximum relative rounding error of a number from a formula."""
MEN = ("men", "people", "soldiers", "troops", "inhabitants", "mann", "hommes", "hombres", "uomini", "homens")
MONEY = ("dollars", "us dollars", "usd", "us$", "$")
COUNTED = {"people": MEN, "men": MEN, "ships": ("ships",), "US dollars": MONEY, "gold": ("gold",)}
"""Words that people type after a number, by the unit of the column, in which thousands and millions may be counted."""
THOUSANDS = {"k": 1_000, "K": 1_000, " thousand": 1_000, "M": 1_000_000, " million": 1_000_000}
"""Unambiguous signs for thousands and millions after a number; m may be metres, or men."""
NUMBER = re.compile(r"[+-]?(\d+|\d*[.]\d+|\d+[.])(e[+-]?\d{1,3})?", re.IGNORECASE)
MARKS = [(grouping, decimal) for grouping in ",.' " for decimal in ".," if grouping != decimal]
ZERO_SHORT = re.compile(r"[+-]?(?!0)\d{1,3}[.,]00")
"""A whole number with two decimals, or thousands with a zero missing."""
GROUPS = {grouping: re.compile(rf"[+-]?(?!0)\d{{1,3}}({re.escape(grouping)}\d{{3}})+") for grouping, _ in MARKS}


def number_of(
    value: Value, *, is_whole: bool = False, is_in_per_cent: bool = False, unit: str = ""
) -> float | int | None:
    """Return the number that a cell shows, whatever its kind and format (NUM-01); None if it shows none.

    Args:
        is_whole: True for a whole number. It has no decimals, so both 7.000 and 7,000 are seven thousand, 7,00 is
            ambiguous (NUM-02), and rounding errors of formulas are removed.
        is_in_per_cent: True if numbers count per cent, so that 12 % means 12 and not 0.12 (NUM-03).
        unit: The unit of the column, which accepts 12,000 men, 12k and $12,000,000 (NUM-04).

    Raises:
        ReadError: The text is ambiguous (NUM-02).
    """
    if isinstance(value, PerCent):
        return hundredfold(value) if is_in_per_cent else float(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _unrounded(value) if is_whole else value
    text, times = trimmed(value) if isinstance(value, str) else "", 1
    readings = readings_of(text, is_in_per_cent=is_in_per_cent)
    if not readings and unit in COUNTED:
        text, times = _without_unit(text, unit)
        readings = readings_of(text)
    if is_whole and times == 1 and any(float(number).is_integer() for number in readings):
        readings = [int(readings[0]), int(readings[0]) * 1_000] if ZERO_SHORT.fullmatch(text) else readings[-1:]
    if times > 1:
        readings = [_exact(f"{Fraction(str(number)) * times}", is_share=False) for number in readings]
    if len(readings) > 1:
        sign = " %" if is_in_per_cent and is_share(value) else ""
        either = " or, with a zero missing, " if ZERO_SHORT.fullmatch(text) else " or "
        texts = [*map(as_text, readings)]
        clear = [(text if len(readings_of(text)) == 1 else f"{text}0") + sign for text in texts]
        says = f"{quoted(trimmed(str(value)))} could mean {either.join(text + sign for text in texts)}"
        raise ReadError(says, f"Type {' or '.join(clear[:1] if sign else clear)}")  # thousands are no share
    return readings[0] if readings else None


def _unrounded(number: float) -> float:
    """Return the whole number within the rounding error of a formula, otherwise the number itself."""
    if isinstance(number, int) or not math.isfinite(number):
        return number
    near = float(round(number))
    return near if abs(number - near) <= min(NEARLY * abs(near), 0.0001) else number


def _without_unit(text: str, unit: str) -> tuple[str, int]:
    """Return a number without the unit of its column, as `readings_of` expects it, and its factor."""
    folded = text.casefold()
    word = max((word for word in COUNTED[unit] if folded.endswith(word)), key=len, default="")
    text = text[: len(text) - len(word)].rstrip() if word else text
    money = next((sign for sign in ("US$", "$") if unit == "US dollars" and text.startswith(sign)), "")
    text = text.removeprefix(money).lstrip() if money and not word else text
    sign = next((sign for sign in THOUSANDS if text.endswith(sign)), "")
    bare = text.removesuffix(sign)
    is_plain = "%" not in bare and not (sign == "M" and bare.endswith(" "))  # 500 M may be men
    return (bare, THOUSANDS.get(sign, 1)) if is_plain else ("", 1)


def is_share(value: Value) -> bool:
    """Return True if a cell shows a per cent sign after its content."""
    return isinstance(value, PerCent) or (isinstance(value, str) and trimmed(value).endswith("%"))


def per_cent(number: float) -> str:
    """Return `30 %` for the number 30, or for a cell that holds 0.3 in the format of per cent."""
    return f"{as_text(hundredfold(number) if isinstance(number, PerCent) else number)} %"


def as_shown(value: Value) -> str:
    """Return a cell as displayed text, in the format of per cent too."""
    return per_cent(value) if isinstance(value, PerCent) else as_text(value)


def certain(column: Field, value: Plain) -> Plain:
    """Return a value of the program as an unambiguous cell: 0.5 per cent is 0.5 %, not 50 % (NUM-03)."""
    if column.shares and isinstance(value, int | float) and 0 < value < 1:
        return PerCent(f"{value / 100:.15g}")
    return value


def hundredfold(share: float) -> float:
    """Return 7 for 0.07, to the 15 digits that spreadsheets keep."""
    return float(f"{share * 100:.15g}")


def readings_of(typed: str, *, is_in_per_cent: bool = False) -> list[float | int]:
    """Return every reading of a text, nearest to 0 first: `7.000` is 7 and 7000, `1,5` is 1.5, `12 %` is 0.12.

    Args:
        typed: The text of the cell, which may have spaces, thousands separators, a decimal point or comma, and a per
            cent sign.
        is_in_per_cent: True if `12 %` is 12.
    """
    text = trimmed(typed).translate(MINUS).replace("’", "'").replace("_", "'")
    is_share = text.endswith("%") and not is_in_per_cent
    text = text.removesuffix("%").rstrip()
    if len(text) > 64:
        return []
    candidates = {text.replace(mark, ".") for mark in ".," if text.count(mark) <= 1}
    for grouping, decimal in MARKS:
        head, point, tail = text.partition(decimal)
        if GROUPS[grouping].fullmatch(head) and (not point or tail.isdecimal()):
            candidates.add(head.replace(grouping, "") + ("." + tail if tail else ""))
    return sorted({_exact(candidate, is_share) for candidate in candidates if NUMBER.fullmatch(candidate)}, key=abs)


def _exact(text: str, is_share: bool) -> float | int:
    if re.fullmatch(r"[+-]?\d+", text) and not is_share:
        return int(text)
    exact = Fraction(text.rstrip(".")) / (100 if is_share else 1)
    return float(exact) if abs(exact) < 1e300 else math.inf


def typed_text(column: Field, value: Any) -> str:
    """Return a value as a person would type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "; ".join(map(as_text, value))
    return per_cent(value) if column.is_in_per_cent and value is not None else as_text(value)
