"""Conversion of spreadsheet cells to the values of their declared columns.

People type `7,000` and `0,35`; spreadsheets turn ids into `7.0` and years into dates. A cell is either read
unambiguously or rejected with a `ReadError`; values are neither guessed nor silently replaced (DB-09).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from typing import Any

from engine.battle_map import Rgb
from engine.columns import Field, Kind, ValueList, loosely
from engine.share import Share
from engine.suggest import misspelt, nearest
from sheets_algo.database.cell_text import (
    WHOLE_MOST,
    NotYetKnown,
    OutOfRange,
    ReadError,
    as_text,
    is_answer,
    is_yes,
    trimmed,
)
from sheets_algo.database.colours import NAMES, colour_of
from sheets_algo.database.problems import one_of, quoted, shortened
from sheets_algo.database.typed_numbers import NEARLY, as_shown, is_share, number_of, per_cent, typed_text
from sheets_algo.workbook.values import (
    FIRST_DAY,
    LINKED,
    BlankFormula,
    CellError,
    PerCent,
    Uncalculated,
    Value,
    serial_of,
)

LINKED_ERRORS = frozenset({"#FIELD!", "#BLOCKED!", "#CONNECT!", "#UNKNOWN!", "#BUSY!", "#GETTING_DATA"})
"""Error values of formulas on linked data types (Geography)."""
ERRORS = LINKED_ERRORS | {
    "#ERROR!",
    "#NULL!",
    "#DIV/0!",
    "#VALUE!",
    "#REF!",
    "#NAME?",
    "#NUM!",
    "#N/A",
    "#CALC!",
    "#SPILL!",
}
"""Error values; Google Sheets returns them as text, indistinguishable from typed text."""
LOADING = "Loading..."
"""Text that Google Sheets returns for a formula whose value is still being fetched."""
FIRST_SURE_DATE = date(1905, 10, 1)
"""First date read as such; the day number of an earlier one is more likely a year in a cell formatted as date."""
IsName = Callable[[str], bool]
"""Function that returns True for the name of a row to which a cell may refer."""


def is_no_name(text: str) -> bool:
    """Return False: no rows are known to which a cell may refer."""
    return False


def read_value(column: Field, value: Value, lists: Mapping[str, ValueList], is_name: IsName = is_no_name) -> Any:
    """Convert one cell that is not blank to the value of its record field.

    Returns:
        The text, number, canonical list value, tuple ... of the record's field.

    Raises:
        ReadError: The cell does not hold a value that the column allows.
    """
    if value == LINKED:
        says = "is a picture or a linked data type such as Geography, of which the file has no value"
        raise ReadError(says, "Type the value, or convert the cell to text")
    if (value.code if isinstance(value, CellError) else value) in LINKED_ERRORS:
        raise ReadError(f"shows the error {as_text(value)} of a linked data type", "Type the value")
    if isinstance(value, CellError) or value in ERRORS:
        raise ReadError(f"shows the error {as_text(value)}", "Repair the formula or type a value")
    if value == LOADING:
        raise NotYetKnown("is a formula whose value is still being fetched", "Wait for it or type a value")
    if isinstance(value, BlankFormula):
        says = f"is not blank, but holds a formula that shows nothing: {shortened(value.formula)}"
        default = typed_text(column, column.default)
        way = f"Let it show {quoted(default)}, the default, or another value" if default else "Let it show a value"
        raise NotYetKnown(says, f"{way}, or clear the cell", id="DB-01")
    if isinstance(value, Uncalculated):
        raise NotYetKnown(
            "is a formula that has not been calculated",
            "Open and save the file in Excel or LibreOffice, or pass --recalc",
            id="DB-01",
        )
    if column.zero_means_none and as_text(value) == "0":
        return "0"
    if column.kind is Kind.REFERENCES:
        return _references(column, value, lists, is_name)
    return READERS[column.kind](column, value, lists)


def date_instead_of_name(value: Value) -> str:
    """Return a note on a suspicious name: a spreadsheet turns 1-Mar into a date."""
    if isinstance(value, date):
        return f"is the date {as_text(value)}, which spreadsheets make of names like 1-Mar"
    if not isinstance(value, int | float) or isinstance(value, bool | PerCent):
        return ""
    if RECENT_DAYS[0] <= value < RECENT_DAYS[1]:
        day = FIRST_DAY + timedelta(days=int(value))
        keeps = f"by which Google Sheets keeps the date {day}"
        return f"is the number {as_text(value)}, {keeps}; it makes dates of names like 1-Mar"
    return ""


OLD_DAYS = serial_of(date(1800, 1, 1))
"""A number below is a date of a war's time."""
RECENT_DAYS = serial_of(date(2015, 1, 1)), serial_of(date(2040, 1, 1))
"""Numbers of days that a date typed without a year may have."""


def allowed_values(column: Field, lists: Mapping[str, ValueList]) -> str:
    """Return an instruction with the values that a column accepts: `Enter a year from -3500 to 2020`."""
    match column.kind:
        case Kind.NUMBER | Kind.WHOLE | Kind.COUNT:
            return _range(column)
        case Kind.CHOICE:
            allowed = lists[column.choices]
            low, high = (_bound(column, bound) for bound in (column.low, column.high))
            numbers = f", or a number from {low} to {high}" if column.numeric else ""
            return "; ".join(filter(None, (one_of(allowed.values), allowed.source))) + numbers
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
        case Kind.COLOUR:
            return "Enter #rrggbb or a common name such as red, navy or gold"
        case Kind.NUMBERS:
            return f"Enter {column.count} numbers, e.g. {'; '.join(f'{part:g}' for part in column.default)}"
        case Kind.TEXT:
            return "Enter a text"


def _text(column: Field, value: Value, lists: Mapping[str, ValueList]) -> str:
    text = as_text(value)
    if column.reserved and loosely(text) in column.reserved:
        raise ReadError(f'"{text}" is reserved for the generic entry', "Use another name", id="DB-10")
    if len(text) * 2 > column.longest and not column.place.is_programs:
        length = len(text.encode("utf-16-le")) // 2
        if length > column.longest:
            says = f"{quoted(text)} is {length:,} characters long"
            raise ReadError(says, f"Use at most {column.longest:,} characters")
    return text


def _count(column: Field, value: Value, lists: Mapping[str, ValueList]) -> Share | float | int:
    if not is_share(value):
        return _number(column, value, lists)
    number = number_of(value, is_in_per_cent=True)
    if number is None or not 0 <= number <= 100:
        raise ReadError(f"{quoted(as_shown(value))} is not a share from 0 % to 100 %", _range(column), id="R-124")
    return Share(float(number))


def _number(column: Field, value: Value, lists: Mapping[str, ValueList]) -> float | int:
    if isinstance(value, date):
        return _year(column, value)
    is_whole = column.is_whole
    number = number_of(value, is_whole=is_whole, is_in_per_cent=column.is_in_per_cent, unit=column.unit)
    if isinstance(value, str) and number is None:
        _refuse_words(column, value)
    if number is None or (isinstance(number, float) and not math.isfinite(number)):
        raise ReadError(f"{quoted(as_text(value))} is not a number", _range(column))
    if number and is_share(value) and not column.has_shares:
        raise ReadError(f"{as_shown(value)} is in per cent, which this column is not", _range(column), id="NUM-03")
    if not isinstance(value, str) and not _in_range(column, number):
        bounds = (bound for bound in (column.low, column.high) if bound is not None)
        number = next((bound for bound in bounds if abs(number - bound) <= NEARLY * abs(bound)), number)
    if column.shares and 0 < number < 1 and not isinstance(value, PerCent | str):
        meant, other = per_cent(number), per_cent(PerCent(number))
        raise ReadError(f"{as_text(number)} could mean {meant} or {other}", f"Type {meant} or {other}", id="NUM-03")
    typed = shortened(per_cent(value) if isinstance(value, PerCent) else as_text(value))
    if is_whole and number != int(number):
        raise ReadError(f"{typed} is not a whole number", _range(column))
    if not _in_range(column, number) or abs(number) > 1e300:
        refusal = ReadError if column.low is not None and number < column.low else OutOfRange
        raise refusal(f"{typed} is out of range{_as_date(column, value, number)}", _range(column))
    if is_whole and not isinstance(value, str) and abs(number) >= WHOLE_MOST:
        raise ReadError(
            f"{as_text(value)} has more digits than a spreadsheet keeps, so it may not be what was typed",
            "Type it as a text: with an apostrophe before it",
        )
    return int(number) if is_whole else float(number)


def _as_date(column: Field, value: Value, number: float) -> str:
    """Return a note with the date of a day number, as Google Sheets gives for a date typed into a cell."""
    is_day = not isinstance(value, str) and (number < OLD_DAYS or RECENT_DAYS[0] <= number < RECENT_DAYS[1])
    if column.unit != "year" and not is_day:
        return ""
    try:
        return f"; as a date it is {FIRST_DAY + timedelta(days=int(number))}"
    except OverflowError:
        return ""


def _refuse_words(column: Field, typed: str) -> None:
    """Refuse a number with words, and name the number to type: c. 1200, 50 BC in a year."""
    text = trimmed(typed)
    bare = ABOUT.sub("", text)
    era = ERA.fullmatch(bare) if column.unit == "year" else None
    if era:
        is_before = era["before"] or era["earlier_year"]
        bare = ("-" if is_before else "") + (era["year"] or era["later_year"] or era["earlier_year"])
    elif bare == text:
        return
    try:
        number = number_of(bare, is_whole=column.is_whole, unit=column.unit)
    except ReadError:
        return
    if number is not None:
        raise ReadError(f"{quoted(text)} is not a number", f"Type {as_text(number)}")


ABOUT = re.compile(r"^(c\.|ca\.?|circa|about|around|approx\.?|approximately|~|≈)\s*(?=[\d$])", re.IGNORECASE)
"""Words before an approximate number."""
ERA = re.compile(
    r"(?P<year>\d{1,4})\s*("
    r"(?P<before>b\.?\s?c\.?(\s?e\.?)?|v\.?\s?chr\.?|v\.?\s?u\.?\s?z\.?|av\.?\s?j\.?-?\s?c\.?|(?-i:a\.\s?C\.)"
    r"|p\.?\s?n\.?\s?e\.?|f\.?\s?kr\.?|до\s?н\.?\s?э\.?)"
    r"|a\.?d\.?|c\.?\s?e\.?|n\.?\s?chr\.?|n\.?\s?u\.?\s?z\.?|ap\.?\s?j\.?-?\s?c\.?|(?-i:d\.\s?C\.)|e\.?\s?kr\.?|н\.?\s?э\.?"
    r")|a\.?d\.?\s*(?P<later_year>\d{1,4})|(b\.?\s?c\.?(\s?e\.?)?|[-−–]\s)\s*(?P<earlier_year>\d{1,4})",
    re.IGNORECASE,
)
"""A year with its era in languages of Europe: 50 BC, 50 v. Chr., 1066 CE, AD 1066; BC 50 and - 50 too."""


def _year(column: Field, value: date) -> int:
    day = value.date() if isinstance(value, datetime) else value
    if column.unit != "year":
        raise ReadError(
            f"is a date ({as_text(value)}), not a number", f"{_range(column)}, and format the cell as a number"
        )
    serial = serial_of(day)
    if day < FIRST_SURE_DATE or _in_range(column, serial):
        meant = f", which may stand for the year {serial}" if _in_range(column, serial) else ""
        says = f"is formatted as a date, {as_text(value)}{meant}"
        raise ReadError(says, "Format the cell as a number and type the year")
    if not _in_range(column, day.year):
        raise ReadError(f"{day.year} is out of range", _range(column))
    return day.year


def _in_range(column: Field, number: float) -> bool:
    if column.or_zero and number == 0:
        return True
    return (column.low is None or number >= column.low) and (column.high is None or number <= column.high)


def _range(column: Field) -> str:
    kind = "year" if column.unit == "year" else Kind.WHOLE.value if column.is_whole else "number"
    low, high = (_bound(column, bound) for bound in (column.low, column.high))
    bounds = f" from {low} to {high}" if low and high else f" of at least {low}" if low else ""
    return f"Enter a {kind}{bounds}{', or a share such as 40 %' if column.kind is Kind.COUNT else ''}"


def _bound(column: Field, bound: float | None) -> str:
    if bound is None:
        return ""
    if column.unit == "year":
        return as_text(bound)
    return f"{int(bound):,}" if bound == int(bound) else f"{bound:,}"


def _choice(column: Field, value: Value, lists: Mapping[str, ValueList]) -> Any:
    allowed = lists[column.choices]
    if isinstance(value, bool) and allowed.canonical(as_text(value)) is None:
        value = "Yes" if value else "No"
    if column.numeric and isinstance(value, date):
        return _number(column, value, lists)  # refused: a spreadsheet made it of 7.5
    text = as_text(value)
    canonical = allowed.canonical(text)
    if canonical is not None:
        return canonical
    if column.numeric and number_of(value) is not None:
        with suppress(ReadError):
            return _number(column, value, lists)
    near = "" if column.lenient else nearest(text, allowed.values)
    near = near or misspelt(text, (*allowed.values, *allowed.aliases))
    note = _as_date(column, value, value) if isinstance(value, int | float) else ""
    raise ReadError(
        f"{quoted(as_shown(value))} is not allowed{note}",
        allowed_values(column, lists),
        allowed.aliases.get(near, near),
    )


def _choices(column: Field, value: Value, lists: Mapping[str, ValueList]) -> tuple[str, ...]:
    """Read several values of a list; they contain no commas, so a comma separates them as a semicolon does."""
    text = value if isinstance(value, str) else as_text(value)
    allowed = lists[column.choices]
    chosen: list[str] = []
    for part in (part for piece in split_names(text) for part in map(trimmed, piece.split(",")) if part):
        canonical = allowed.canonical(part)
        if canonical is None:
            near = nearest(part, (*allowed.values, *allowed.aliases))
            raise ReadError(
                f"{quoted(part)} is not allowed", allowed_values(column, lists), allowed.aliases.get(near, near)
            )
        if canonical in chosen:
            raise ReadError(f"{quoted(canonical)} is there twice", "Keep one of them")
        chosen.append(canonical)
    if not chosen:
        raise ReadError(f"{quoted(text)} holds no value", allowed_values(column, lists))
    if column.count and len(chosen) > column.count:
        raise ReadError(f"{quoted(text)} has {len(chosen)} values", f"Keep at most {column.count} of them")
    return tuple(chosen)


def split_names(text: str, is_name: IsName = is_no_name, separators: Sequence[str] = ("\n", ";|", "/")) -> list[str]:
    """Return the names listed in one cell; a known name stays whole, whatever signs it contains (DB-05)."""
    whole = trimmed(text)
    if not separators or ("\n" not in text and is_name(whole)):
        return [whole] if whole else []
    parts = re.split(f"[{separators[0]}]", text)
    return [name for part in parts for name in split_names(part, is_name, separators[1:])]


def _references(column: Field, value: Value, lists: Mapping[str, ValueList], is_name: IsName) -> tuple[str, ...]:
    text = value if isinstance(value, str) else as_text(value)
    parts = tuple(split_names(text, is_name))
    if not parts:
        raise ReadError(f"{quoted(text)} holds no name", allowed_values(column, lists))
    pieces = [[*map(trimmed, part.split(","))] for part in parts if "," in part and not is_name(part)]
    if any(is_name(name) for names in pieces for name in names):
        listed = [trimmed(name) for part in parts for name in ([part] if is_name(part) else part.split(","))]
        raise comma_error(text, listed if all(map(is_name, listed)) else ())
    return parts


def comma_error(text: str, names: Sequence[str] = ()) -> ReadError:
    """Return the error of a comma between names, of which it may be a part (DB-05).

    Args:
        names: The names that are meant, if all are known.
    """
    says, allowed = f"{quoted(text)}: a comma cannot separate names", "Separate the names with a semicolon"
    return ReadError(says, allowed, "; ".join(names), "DB-05")


def _numbers(column: Field, value: Value, lists: Mapping[str, ValueList]) -> tuple[float, ...]:
    if not isinstance(value, str):
        raise ReadError(
            f"{quoted(as_text(value))} is not a list of {column.count} numbers", allowed_values(column, lists)
        )
    text = trimmed(value.replace("\n", ";"))
    separator = next((mark for mark in ";/|" if mark in text), "," if "," in text else " ")
    parts = [trimmed(part) for part in text.split(separator)]
    if len(parts) != column.count or not all(parts):
        raise ReadError(f"{quoted(text)} is not a list of {column.count} numbers", allowed_values(column, lists))
    return tuple(_number(column, part, lists) for part in parts)


def _yes_no(column: Field, value: Value, lists: Mapping[str, ValueList]) -> bool:
    if is_answer(value):
        return is_yes(value)
    raise ReadError(f"{quoted(as_text(value))} is neither yes nor no", allowed_values(column, lists))


def _time(column: Field, value: Value, lists: Mapping[str, ValueList]) -> str:
    if isinstance(value, datetime):
        value = value.time()
    if isinstance(value, time):
        return f"{value.hour:02}:{value.minute:02}"
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1:
        minutes = min(math.floor(value * 1440 + 1e-6), 1439)
        return f"{minutes // 60:02}:{minutes % 60:02}"
    text = as_text(value)
    match = re.fullmatch(r"(\d{1,2})[:.h](\d{2})([:.]\d{2})?( ?UTC| ?Z)?", text, re.IGNORECASE)
    if match and int(match[1]) < 24 and int(match[2]) < 60:
        return f"{int(match[1]):02}:{int(match[2]):02}"
    raise ReadError(f"{quoted(text)} is not a time of day", allowed_values(column, lists))


def _colour(column: Field, value: Value, lists: Mapping[str, ValueList]) -> Rgb:
    text = as_text(value)
    colour = colour_of(text)
    if colour is None:
        raise ReadError(f"{quoted(text)} is not a colour", allowed_values(column, lists), nearest(text, NAMES))
    return colour


READERS: Mapping[Kind, Callable[[Field, Value, Mapping[str, ValueList]], Any]] = {
    Kind.TEXT: _text,
    Kind.NUMBER: _number,
    Kind.WHOLE: _number,
    Kind.COUNT: _count,
    Kind.CHOICE: _choice,
    Kind.CHOICES: _choices,
    Kind.REFERENCE: _text,
    Kind.NUMBERS: _numbers,
    Kind.YES_NO: _yes_no,
    Kind.TIME: _time,
    Kind.COLOUR: _colour,
}
