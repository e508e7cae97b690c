"""Interpretation of text that a person types into a cell (USER_ENTERED)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from localsheets.cells import Scalar
from localsheets.locales import Locale, locale_of
from localsheets.proto import whole

EPOCH = date(1899, 12, 30)
"""Day 0 of a date."""
MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)


@dataclass(frozen=True, slots=True)
class Typed:
    """The interpretation of a typed text.

    Attributes:
        number_format: The NumberFormat that comes with it, or None to leave the cell's own.
    """

    value: Scalar = None
    formula: str | None = None
    number_format: Mapping[str, Any] | None = None


def typed(text: str, pattern: Mapping[str, Any], locale: str) -> Typed:
    """Interpret a text as if typed into a cell.

    Args:
        text: The typed text.
        pattern: The cell's NumberFormat: a cell formatted as text takes everything as text.
        locale: The spreadsheet's locale, "en_US".
    """
    if text == "":
        return Typed()
    if text.startswith("'"):
        return Typed(text[1:] or None)
    if pattern.get("type") == "TEXT":
        return Typed(text)
    if text.startswith("=") and len(text) > 1:
        return Typed(formula=text)
    stripped, country = text.strip(), locale_of(locale)
    if stripped.upper() in ("TRUE", "FALSE"):
        return Typed(stripped.upper() == "TRUE")
    found = _number(stripped, country) or _moment(stripped, country)
    if found is None:
        return Typed(text)
    old_type = pattern.get("type") if found.number_format else None
    is_same = old_type is not None and found.number_format is not None and old_type == found.number_format["type"]
    return Typed(whole(found.value), None, None if is_same else found.number_format)


_NUMBER = re.compile(r"(?:(\d{1,3}(?:,\d{3})+|\d+)(\.\d*)?|(\.\d+))(?:[eE]([+-]?\d{1,3}))?")


def _number(text: str, country: Locale) -> Typed | None:
    """Read a number: `42`, `-1,5`, `2,000,000.01`, `$20.50`, `(5)`, `50%`, `1e5`."""
    sign = 1
    body = text
    if body.startswith("(") and body.endswith(")"):
        sign, body = -1, body[1:-1].strip()
    body, sign = _unsigned(body, sign)
    currency = next((mark for mark in (country.currency, "$", "€", "£", "¥") if body.startswith(mark)), "")
    if not currency and body.endswith(country.currency):
        body, currency = body[: -len(country.currency)].strip(), country.currency
    elif currency:
        body, sign = _unsigned(body[len(currency) :].strip(), sign)
    is_percent = body.endswith("%")
    if is_percent:
        body = body[:-1].strip()
    if country.decimal != ".":
        if "." in body and country.group != ".":
            return None
        for group in {country.group, "\xa0" if country.group == "\u202f" else country.group}:
            body = body.replace(group, "\0")
        body = body.replace(country.decimal, ".").replace("\0", ",")
    found = _NUMBER.fullmatch(body)
    if not found:
        return None
    value = sign * float(body.replace(",", ""))
    if value in (float("inf"), float("-inf")):
        return None
    integer = found[1] or ""
    decimals = len(found[2] or found[3] or "") > 1
    if is_percent:
        return Typed(value / 100, None, {"type": "PERCENT", "pattern": "0.00%" if decimals else "0%"})
    if currency:
        places = ".00" if decimals else ""
        return Typed(value, None, {"type": "CURRENCY", "pattern": f'"{currency}"#,##0{places}'})
    if found[4]:
        return Typed(value, None, {"type": "SCIENTIFIC", "pattern": "0.00E+00"})
    if "," in integer:
        return Typed(value, None, {"type": "NUMBER", "pattern": "#,##0.00" if decimals else "#,##0"})
    return Typed(value)


def _unsigned(text: str, sign: int) -> tuple[str, int]:
    if text[:1] in ("-", "+"):
        return text[1:].strip(), -sign if text[0] == "-" else sign
    return text, sign


_TIME = re.compile(
    r"(\d{1,2}):(\d{2})(?::(\d{2})(\.\d{1,3})?)?(?:\s*([AaPp])\.?[Mm]\.?)?|(\d{1,2})\s*([AaPp])\.?[Mm]\.?"
)
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
_SHORT = re.compile(r"(\d{1,2})([-/.])(\d{1,2})(?:\2(\d{4}|\d{2}))?")
_MONTH_FIRST = re.compile(r"([A-Za-z]{3,9})\.?([ -])(\d{1,2})(?:(,? |-)(\d{4}))?")
_DAY_FIRST = re.compile(r"(\d{1,2})([ -])([A-Za-z]{3,9})\.?(?:(,? |-)(\d{4}|\d{2}))?")


def _moment(text: str, country: Locale) -> Typed | None:
    """Read a date, a time, or both."""
    day_text, _, time_text = text.partition("T") if re.fullmatch(r"\d{4}-\d\d-\d\dT\d.*", text) else (text, "", "")
    if not time_text:
        clock = re.search(r"\s+(\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[AaPp]\.?[Mm]\.?)?)$", text)
        if clock:
            day_text, time_text = text[: clock.start()], clock[1]
    if not time_text and (time := _time(day_text)):
        return Typed(time[0], None, {"type": "TIME", "pattern": time[1]})
    day = _day(day_text.strip(), country)
    if day is None:
        return None
    if not time_text:
        return Typed(day[0], None, {"type": "DATE", "pattern": day[1]})
    time = _time(time_text)
    if time is None:
        return None
    return Typed(day[0] + time[0], None, {"type": "DATE_TIME", "pattern": f"{day[1]} {time[1]}"})


def _time(text: str) -> tuple[float, str] | None:
    """Return (share of a day, pattern) of a time."""
    found = _TIME.fullmatch(text)
    if not found:
        return None
    hour = int(found[1] or found[6])
    minute, second = int(found[2] or 0), float((found[3] or "0") + (found[4] or ""))
    half = (found[5] or found[7] or "").lower()
    if minute > 59 or second >= 60 or (half and not 1 <= hour <= 12):
        return None
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    pattern = "h:mm:ss" if found[3] else "h:mm"
    if found[4]:
        pattern += ".000"
    return (hour * 3600 + minute * 60 + second) / 86400, pattern + (" am/pm" if half else "")


def _day(text: str, country: Locale) -> tuple[int, str] | None:
    """Return (serial day, pattern) of a date."""
    if found := _YEAR_FIRST.fullmatch(text):
        mark = found[2]
        return _serial(
            int(found[1]),
            int(found[3]),
            int(found[4]),
            mark.join(("yyyy", _width("m", found[3]), _width("d", found[4]))),
        )
    if (found := _SHORT.fullmatch(text)) and (found[2] != "." or (country.separator == "." and found[4])):
        month, day = (found[1], found[3]) if country.is_month_first else (found[3], found[1])
        parts = [_width("m", month), _width("d", day)]
        ordered = parts if country.is_month_first else parts[::-1]
        year = _year(found[4])
        if found[4]:
            ordered.append("y" * len(found[4]))
        return _serial(year, int(month), int(day), found[2].join(ordered))
    if (found := _MONTH_FIRST.fullmatch(text)) and (month_ := _month(found[1])):
        tail = f"{found[4]}yyyy" if found[5] else ""
        name = "mmm" if len(found[1]) == 3 else "mmmm"
        return _serial(_year(found[5]), month_, int(found[3]), f"{name}{found[2]}{_width('d', found[3])}{tail}")
    if (found := _DAY_FIRST.fullmatch(text)) and (month_ := _month(found[3])):
        tail = f"{found[4]}{'y' * len(found[5])}" if found[5] else ""
        name = "mmm" if len(found[3]) == 3 else "mmmm"
        return _serial(_year(found[5]), month_, int(found[1]), f"{_width('d', found[1])}{found[2]}{name}{tail}")
    return None


def _serial(year: int, month: int, day: int, pattern: str) -> tuple[int, str] | None:
    try:
        return (date(year, month, day) - EPOCH).days, pattern
    except ValueError:
        return None


def _width(letter: str, digits: str) -> str:
    return letter * (2 if digits.startswith("0") and len(digits) == 2 else 1)


def _year(text: str | None) -> int:
    """Return a year: two digits are of this century up to 29; a missing one is the current year."""
    if text is None:
        return date.today().year
    return int(text) if len(text) == 4 else int(text) + (2000 if int(text) < 30 else 1900)


def _month(name: str) -> int | None:
    lower = name.lower()
    for number, month in enumerate(MONTHS, 1):
        if lower in (month, month[:3]) or (lower == "sept" and number == 9):
            return number
    return None
