"""Dates in cells: numbers that a number format shows as dates, in both date systems, and ISO texts.

A number format is judged by its first section: letters for years, days, hours ... outside quotes and brackets make it a
date, a per cent sign makes it per cent. A duration (`[h]:mm`) stays a number of days.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta

from sheets_algo.workbook.number_formats import first_section, is_per_cent
from sheets_algo.workbook.values import FIRST_DAY, SerialDate, serial_of
from sheets_algo.workbook.xlsx.file import xml

PER_CENT = "per cent"
"""Kind of a format that shows 0.3 as 30 %."""

# Formats that files use by number alone; 27 to 36 and 50 to 58 are dates and times in East Asian versions.
_DATES = frozenset((14, 15, 16, 17, *range(27, 32), 36, *range(50, 55), 57, 58))
_TIMES = frozenset((18, 19, 20, 21, *range(32, 36), 45, 47, 55, 56))
_MOMENTS = frozenset((22,))
_PER_CENTS = frozenset((9, 10))

_STYLE_PARTS = ("numFmt", "xf", "cellXfs", "cellStyleXfs", "cellStyles", "dxfs")
_DURATION = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_CLOCK = re.compile(r"[hs]|am/pm|a/p", re.IGNORECASE)
_CALENDAR = re.compile(r"[yd]", re.IGNORECASE)

_EPOCH = datetime.combine(FIRST_DAY, time())
_EPOCH_1904 = datetime(1904, 1, 1)
_FIRST_TRUE_DAY = 60  # the 1900 system counts a 29 February 1900, which did not exist


def format_kind(format_id: int, code: str | None) -> str:
    """Return the kind of value that a number format shows, blank for plain numbers.

    The kinds are `date`, `time`, `moment` (both) and `per cent`.

    Args:
        code: Code that the workbook defines under this number, e.g. `dd/mm/yyyy`; None if it defines none.
    """
    if code is None:
        kinds = (("date", _DATES), ("time", _TIMES), ("moment", _MOMENTS), (PER_CENT, _PER_CENTS))
        return next((kind for kind, numbers in kinds if format_id in numbers), "")
    letters = first_section(code)
    if is_per_cent(code):
        return PER_CENT
    if _DURATION.search(letters) or letters.strip().lower() in ("general", "standard"):
        return ""
    clock, calendar = _CLOCK.search(letters), _CALENDAR.search(letters)
    if clock:
        return "moment" if calendar else "time"
    # Without hours or seconds beside it, m means months.
    return "date" if calendar or "m" in letters.lower() else ""


def format_kinds(styles: bytes) -> list[str]:
    """Return the kind of value (see `format_kind`) that each cell style shows, by the style's number.

    Raises:
        xml.Refused: The styles are not well-formed.
    """
    codes: dict[str, str] = {}
    formats: list[str] = []
    inside = False
    for space, local, attributes in xml.elements(styles, _STYLE_PARTS):
        if space not in xml.SHEET_NAMESPACES:
            continue
        if local == "numFmt" and "formatCode" in attributes:
            codes.setdefault(attributes.get("numFmtId", ""), attributes["formatCode"])
        elif local in ("cellXfs", "cellStyleXfs", "cellStyles", "dxfs"):
            inside = local == "cellXfs"
        elif local == "xf" and inside:
            formats.append(attributes.get("numFmtId", "0"))
    ids = {number: int(number) if number.isdecimal() else 0 for number in formats}
    known = {number: format_kind(id, codes.get(number)) for number, id in ids.items()}
    return [known[number] for number in formats]


def from_serial(days: float, kind: str, uses_1904: bool) -> date | datetime | time:
    """Return the date that a number of days means, to the millisecond.

    Args:
        days: Number of days in the cell; below 0 as Google and LibreOffice count before 1900.
        kind: Kind of date, from `format_kind`.
        uses_1904: True if the workbook counts from 1904.

    Returns:
        A `date` if the format shows no time and there is none, a `time` if it shows only that, else a `datetime`; a
        `SerialDate` for midnight of a day whose number is not the usual one.

    Raises:
        OverflowError: The date is outside the years 1 to 9999.
    """
    whole, fraction = divmod(days, 1)
    if not uses_1904 and 0 < days < _FIRST_TRUE_DAY:
        whole += 1
    moment = (_EPOCH_1904 if uses_1904 else _EPOCH) + timedelta(days=whole, milliseconds=round(fraction * 86_400_000))
    if kind == "time" and 0 <= days < 1:
        return moment.time()
    if moment.time() == time():
        if kind != "time" and serial_of(moment.date()) != round(days):
            return SerialDate.of(moment.date(), round(days))
        return moment.date() if kind == "date" else moment
    return moment


def from_iso(text: str) -> date | datetime | time:
    """Return the date, time or both of an ISO 8601 text; a time zone is dropped, as cells have none.

    Raises:
        ValueError: The text is not in ISO 8601.
    """
    text = text.strip()
    if re.fullmatch(r"T?\d\d:\d\d(:\d\d(\.\d+)?)?Z?", text, re.ASCII):
        return time.fromisoformat(text.removeprefix("T").removesuffix("Z"))
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        return date.fromisoformat(text)
    return datetime.fromisoformat(text).replace(tzinfo=None)
