"""Cells as spreadsheets really hold them, read as what their column means.

People type `7,000` and `0,35`, spreadsheets turn ids into `7.0` and years into dates. Every reading here is either
certain or a `Trouble` in one sentence; nothing is guessed and nothing is silently replaced (DB-09).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from typing import Any

from engine.fields import Field, Kind, ValueList
from engine.words import nearest
from sheets_algo.problems import one_of, quoted, shortened
from sheets_algo.workbook.base import CellError, Uncalculated, Value

YES = frozenset({"true", "yes", "y", "x", "1", "on", "✓", "✔", "☑", "wahr", "ja", "oui", "vrai", "si", "sí"})
NO = frozenset({"false", "no", "n", "0", "off", "-", "☐", "falsch", "nein", "non", "faux"})
UNSEEN = (0xFEFF, 0x200B, 0x2060, 0x00AD, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Signs that nobody sees and that come along when text is copied: byte order marks, writing directions ..."""
JOINERS = "\u200c\u200d"
"""Unseen too, but inside a word they are its spelling (Persian, emoji)."""
UNHOLDABLE = (*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F, 0xFFFE, 0xFFFF)
"""Characters that no cell holds."""
CLEANED = dict.fromkeys((*UNSEEN, *UNHOLDABLE)) | dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)
ERRORS = frozenset({"#ERROR!", "#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A"})
"""What Google gives for a cell that shows an error: the same as for a text of these signs, which nobody means."""
LOADING = "Loading..."
"""What Google gives for a formula that fetches its value from elsewhere."""
WHOLE_MOST = 10**15
"""Spreadsheets keep 15 digits of a number."""
FIRST_SURE_DATE = date(1905, 7, 13)
"""An earlier date has a day number of a year from 1 to 2020: more likely a year in a cell formatted as date."""


@dataclass
class Trouble(Exception):
    """Why a cell cannot be read: the parts of a `Problem` that the cell itself knows."""

    says: str
    allowed: str = ""
    nearest: str = ""
    id: str = ""


def is_blank(value: Value) -> bool:
    """Whether a cell holds nothing a person could see."""
    # Most texts begin with a letter, which settles it.
    return value is None or (isinstance(value, str) and not value[:1].isalnum() and not trimmed(value))


def trimmed(words: str) -> str:
    """Without outer spaces, of whatever kind (no-break, zero-width ...), inner ones made plain and single."""
    if words.isascii() and words.isprintable() and "  " not in words:
        return words.strip(" ")
    return " ".join(" ".join(words.split()).translate(CLEANED).split()).strip(" " + JOINERS)


def shown(value: Value) -> str:
    """A cell as a person sees it, for messages and for columns of text: an id 7.0 is `7`."""
    match value:
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case float() if value.is_integer() and abs(value) < WHOLE_MOST:
            return str(int(value))
        case float():
            return f"{value:.15g}"
        case datetime():
            return value.isoformat(sep=" ", timespec="minutes") if value.time() != time() else value.date().isoformat()
        case date() | time():
            return value.isoformat()
        case CellError():
            return value.code
        case Uncalculated():
            return value.formula
        case _:
            return trimmed(str(value))


def read_value(column: Field, value: Value, lists: Mapping[str, ValueList]) -> Any:
    """The meaning of one cell that is not blank.

    Args:
        column: What may stand there.
        value: The cell.
        lists: The tables' value lists.

    Returns:
        What the record's field holds: text, number, canonical list value, tuple ...

    Raises:
        Trouble: It cannot be read so.
    """
    if isinstance(value, CellError) or value in ERRORS:
        raise Trouble(f"shows the error {shown(value)}", "Repair the formula or type a value")
    if value == LOADING:
        raise Trouble("is a formula whose value is still being fetched", "Wait for it or type a value")
    if isinstance(value, Uncalculated):
        raise Trouble(
            "is a formula that has not been calculated",
            "Open and save the file in Excel or LibreOffice, or pass --recalc",
            id="DB-01",
        )
    if column.zero_means_none and shown(value) == "0":
        return "0"
    return READERS[column.kind](column, value, lists)


def wanted(column: Field, lists: Mapping[str, ValueList]) -> str:
    """What a column accepts, as an order: `Enter a year from -3500 to 2020`."""
    match column.kind:
        case Kind.NUMBER | Kind.WHOLE:
            return _range(column)
        case Kind.CHOICE:
            return one_of(lists[column.choices].values)
        case Kind.CHOICES:
            most = f"; at most {column.count}" if column.count else ""
            return f"{one_of(lists[column.choices].values, most=32)}, separated by semicolons{most}"
        case Kind.REFERENCE:
            return f"Enter a name from {column.to}" + "".join(f' or "{word}"' for word in column.also)
        case Kind.REFERENCES:
            return f"Enter names from {column.to}, separated by semicolons"
        case Kind.YES_NO:
            return "Use yes or no, or a checkbox"
        case Kind.TIME:
            return "Enter a UTC time from 00:00 to 23:59"
        case Kind.NUMBERS:
            return f"Enter {column.count} numbers, e.g. {'; '.join(f'{part:g}' for part in column.default)}"
        case Kind.TEXT:
            return "Enter a text"


def _text(column: Field, value: Value, lists: Mapping[str, ValueList]) -> str:
    words = shown(value)
    if len(words) * 2 > column.longest and not column.place.is_programs:
        length = len(words.encode("utf-16-le")) // 2
        if length > column.longest:
            says = f"{quoted(words)} is {length:,} characters long"
            raise Trouble(says, f"Use at most {column.longest:,} characters")
    return words


def _number(column: Field, value: Value, lists: Mapping[str, ValueList]) -> float | int:
    is_whole = column.kind is Kind.WHOLE
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        number = value
    elif isinstance(value, str):
        number = _typed_number(column, value)
    elif isinstance(value, date):
        return _year(column, value)
    else:
        raise _wrong(column, value)
    if isinstance(number, float) and not math.isfinite(number):
        raise _wrong(column, value)
    if is_whole and number != int(number):
        raise Trouble(f"{shortened(shown(value))} is not a whole number", _range(column))
    if not _in_range(column, number) or abs(number) > 1e300:
        raise Trouble(f"{shortened(shown(value))} is out of range{_as_date(column, number)}", _range(column))
    if is_whole and not isinstance(value, str) and abs(number) >= WHOLE_MOST:
        raise Trouble(
            f"{shown(value)} has more digits than a spreadsheet keeps, so it may not be what was typed",
            "Type it as a text: with an apostrophe before it",
        )
    return int(number) if is_whole else float(number)


def _as_date(column: Field, number: float) -> str:
    """Google gives a date as its day number: -304324 says nothing to who typed 1066-10-14 into a column of years."""
    if column.unit != "year" or abs(number) < 10_000:
        return ""
    try:
        return f"; as a date it is {date(1899, 12, 30) + timedelta(days=int(number))}"
    except OverflowError:
        return ""


def _typed_number(column: Field, typed: str) -> float | int:
    # Where a column counts per cent, 12 % is its 12 and not 0.12 of it.
    readings = readings_of(trimmed(typed).removesuffix("%") if column.unit == "per cent" else typed)
    if column.kind is Kind.WHOLE and any(float(number).is_integer() for number in readings):
        # Nobody types a whole number with decimals: 7.000 and 7,000 are seven thousand there.
        readings = readings[-1:]
    if not readings:
        raise _wrong(column, typed)
    fitting = [number for number in readings if _in_range(column, number)]
    if len(fitting) > 1:
        meanings = " or ".join(shown(number) for number in fitting)
        raise Trouble(f"{quoted(trimmed(typed))} could mean {meanings}", "Type the number without thousands separators")
    return fitting[0] if fitting else readings[0]


NUMBER = re.compile(r"[+-]?(\d+|\d*[.]\d+|\d+[.])(e[+-]?\d{1,3})?", re.IGNORECASE)
MARKS = [(grouping, decimal) for grouping in ",.' " for decimal in ".," if grouping != decimal]
GROUPS = {grouping: re.compile(rf"[+-]?[1-9]\d{{0,2}}({re.escape(grouping)}\d{{3}})+") for grouping, _ in MARKS}


def readings_of(typed: str) -> list[float | int]:
    """Every number a text can mean, the one nearer to 0 first: `7.000` is 7 and 7000, `1,5` is 1.5, `12 %` is 0.12.

    Args:
        typed: As it stands in the cell: any spaces, thousands separators, decimal point or comma, per cent sign.
    """
    words = trimmed(typed).replace("−", "-").replace("’", "'").replace("_", "")
    is_share = words.endswith("%")
    words = words.removesuffix("%").rstrip()
    if len(words) > 64:
        return []
    texts = {words.replace(mark, ".") for mark in ".," if words.count(mark) <= 1}
    for grouping, decimal in MARKS:
        head, point, tail = words.partition(decimal)
        if GROUPS[grouping].fullmatch(head) and (not point or tail.isdecimal()):
            texts.add(head.replace(grouping, "") + ("." + tail if tail else ""))
    return sorted({_exact(text, is_share) for text in texts if NUMBER.fullmatch(text)}, key=abs)


def _exact(text: str, is_share: bool) -> float | int:
    if re.fullmatch(r"[+-]?\d+", text) and not is_share:
        return int(text)
    exact = Fraction(text.rstrip(".")) / (100 if is_share else 1)
    return float(exact) if abs(exact) < 1e300 else math.inf


def _year(column: Field, value: date) -> int:
    day = value.date() if isinstance(value, datetime) else value
    if column.unit != "year":
        raise Trouble(f"is a date ({shown(value)}), not a number", f"{_range(column)}, and format the cell as a number")
    if day < FIRST_SURE_DATE:
        serial = (day - date(1899, 12, 30)).days
        meant = f", which may stand for the year {serial}" if _in_range(column, serial) else ""
        says = f"is formatted as the date {shown(value)}{meant}"
        raise Trouble(says, "Format the cell as a number and type the year")
    if not _in_range(column, day.year):
        raise Trouble(f"{day.year} is out of range", _range(column))
    return day.year


def _in_range(column: Field, number: float) -> bool:
    return (column.low is None or number >= column.low) and (column.high is None or number <= column.high)


def _range(column: Field) -> str:
    kind = "year" if column.unit == "year" else column.kind.value if column.kind is Kind.WHOLE else "number"
    low, high = (_bound(column, bound) for bound in (column.low, column.high))
    if low and high:
        return f"Enter a {kind} from {low} to {high}"
    if low:
        return f"Enter a {kind} of at least {low}"
    return f"Enter a {kind}"


def _bound(column: Field, bound: float | None) -> str:
    if bound is None:
        return ""
    if column.unit == "year":
        return shown(bound)
    return f"{int(bound):,}" if bound == int(bound) else f"{bound:,}"


def _wrong(column: Field, value: Value) -> Trouble:
    return Trouble(f"{quoted(shown(value))} is not a number", _range(column))


def _choice(column: Field, value: Value, lists: Mapping[str, ValueList]) -> Any:
    allowed = lists[column.choices]
    if isinstance(value, bool) and allowed.canonical(shown(value)) is None:
        value = "Yes" if value else "No"
    found = shown(value)
    canonical = allowed.canonical(found)
    if canonical is not None:
        return canonical
    if column.numeric:
        for number in readings_of(found):
            if _in_range(column, number):
                return float(number)
    extra = f", or a number from {shown(column.low)} to {shown(column.high)}" if column.numeric else ""
    near = nearest(found, (*allowed.values, *allowed.aliases))
    raise Trouble(f"{quoted(found)} is not allowed", one_of(allowed.values) + extra, allowed.aliases.get(near, near))


def _choices(column: Field, value: Value, lists: Mapping[str, ValueList]) -> tuple[str, ...]:
    """Values of a list, which hold no comma: here one separates as well as a semicolon does."""
    words = value if isinstance(value, str) else shown(value)
    allowed = lists[column.choices]
    found: list[str] = []
    for part in (part for whole in split_names(words) for part in map(trimmed, whole.split(",")) if part):
        canonical = allowed.canonical(part)
        if canonical is None:
            near = nearest(part, (*allowed.values, *allowed.aliases))
            raise Trouble(f"{quoted(part)} is not allowed", wanted(column, lists), allowed.aliases.get(near, near))
        if canonical in found:
            raise Trouble(f"{quoted(canonical)} stands there twice", "Keep one of them")
        found.append(canonical)
    if not found:
        raise Trouble(f"{quoted(words)} holds no value", wanted(column, lists))
    if column.count and len(found) > column.count:
        raise Trouble(f"{quoted(words)} holds {len(found)} values", f"Keep at most {column.count} of them")
    return tuple(found)


def split_names(words: str) -> list[str]:
    """The names in one cell (DB-05)."""
    return [part for part in (trimmed(part) for part in re.split(r"[;/|\n]", words)) if part]


def _references(column: Field, value: Value, lists: Mapping[str, ValueList]) -> tuple[str, ...]:
    words = value if isinstance(value, str) else shown(value)
    parts = tuple(split_names(words))
    if not parts:
        raise Trouble(f"{quoted(words)} holds no name", wanted(column, lists))
    if any("," in part for part in parts):
        raise Trouble(
            f"{quoted(words)}: a comma cannot separate names",
            "Separate the names with a semicolon",
            nearest="; ".join(trimmed(part) for part in re.split(r"[;/|\n,]", words)),
            id="DB-05",
        )
    return parts


def _numbers(column: Field, value: Value, lists: Mapping[str, ValueList]) -> tuple[float, ...]:
    if not isinstance(value, str):
        raise Trouble(f"{quoted(shown(value))} is not a list of {column.count} numbers", wanted(column, lists))
    words = trimmed(value.replace("\n", ";"))
    marks = next((mark for mark in ";/|" if mark in words), "," if "," in words else " ")
    parts = [trimmed(part) for part in words.split(marks)]
    readings = [[number for number in readings_of(part) if _in_range(column, number)] for part in parts]
    if len(parts) != column.count or not all(len(found) == 1 for found in readings):
        each = f", each from {_bound(column, column.low)} to {_bound(column, column.high)}"
        raise Trouble(f"{quoted(words)} is not a list of {column.count} numbers", wanted(column, lists) + each)
    return tuple(float(found[0]) for found in readings)


def _yes_no(column: Field, value: Value, lists: Mapping[str, ValueList]) -> bool:
    found = shown(value)
    if found.casefold() in YES:
        return True
    if found.casefold() in NO:
        return False
    raise Trouble(f"{quoted(found)} is neither yes nor no", wanted(column, lists))


def _time(column: Field, value: Value, lists: Mapping[str, ValueList]) -> str:
    if isinstance(value, datetime):
        value = value.time()
    if isinstance(value, time):
        return f"{value.hour:02}:{value.minute:02}"
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1:
        minutes = min(math.floor(value * 1440 + 1e-6), 1439)
        return f"{minutes // 60:02}:{minutes % 60:02}"
    found = shown(value)
    typed = re.fullmatch(r"(\d{1,2})[:.h](\d{2})([:.]\d{2})?( ?UTC| ?Z)?", found, re.IGNORECASE)
    if typed and int(typed[1]) < 24 and int(typed[2]) < 60:
        return f"{int(typed[1]):02}:{int(typed[2]):02}"
    raise Trouble(f"{quoted(found)} is not a time of day", wanted(column, lists))


READERS: Mapping[Kind, Callable[[Field, Value, Mapping[str, ValueList]], Any]] = {
    Kind.TEXT: _text,
    Kind.NUMBER: _number,
    Kind.WHOLE: _number,
    Kind.CHOICE: _choice,
    Kind.CHOICES: _choices,
    Kind.REFERENCE: _text,
    Kind.REFERENCES: _references,
    Kind.NUMBERS: _numbers,
    Kind.YES_NO: _yes_no,
    Kind.TIME: _time,
}
