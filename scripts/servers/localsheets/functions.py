"""The common functions of formulas."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_UP, ROUND_UP, Decimal
from typing import Any

from localsheets.cells import Fault, Scalar
from localsheets.display import general, shown
from localsheets.typed import EPOCH, typed


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of a range.

    Attributes:
        top: The index of the first row.
        left: The index of the first column.
    """

    rows: list[list[Scalar]]
    top: int = 0
    left: int = 0


Value = Scalar | Grid
Thunk = Callable[[], Value]


class Raised(Exception):
    """An error that a formula evaluates to."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


def scalar(value: Value) -> Scalar:
    """Return one value; of a range its first."""
    if isinstance(value, Grid):
        value = value.rows[0][0] if value.rows and value.rows[0] else None
    if isinstance(value, Fault):
        raise Raised(value)
    return value


def number(value: Value) -> float:
    """Return a value as a number; text is read as a number, an empty cell is 0."""
    found = scalar(value)
    if isinstance(found, str):
        read = typed(found, {}, "en_US").value if found else None
        if isinstance(read, str) or read is None:
            raise Raised(Fault("VALUE", f"'{found}' is a text and cannot be coerced to a number."))
        found = read
    if isinstance(found, Fault):
        raise Raised(found)
    return found or 0


def text(value: Value) -> str:
    """Return a value as text; numbers in the automatic format."""
    found = scalar(value)
    if isinstance(found, bool):
        return "TRUE" if found else "FALSE"
    return found if isinstance(found, str) else "" if found is None else general(float(number(found)))


def boolean(value: Value) -> bool:
    """Return a value as a boolean; a number is true unless it is 0."""
    found = scalar(value)
    if isinstance(found, str):
        if found.upper() not in ("TRUE", "FALSE", ""):
            raise Raised(Fault("VALUE", f"'{found}' is a text and cannot be coerced to a boolean."))
        return found.upper() == "TRUE"
    return bool(found)


def flat(*values: Value) -> Iterator[Scalar]:
    """Yield every value, and each cell of ranges."""
    for value in values:
        if isinstance(value, Grid):
            yield from (cell for row in value.rows for cell in row)
        else:
            yield value


def numbers(*values: Value) -> list[float]:
    """Return the numbers among arguments; text and booleans count only outside ranges."""
    found: list[float] = []
    for value in values:
        if not isinstance(value, Grid):
            found.append(number(value))
            continue
        for cell in flat(value):
            if isinstance(cell, Fault):
                raise Raised(cell)
            if isinstance(cell, int | float) and not isinstance(cell, bool):
                found.append(cell)
    return found


def fits(value: Scalar, criterion: Value) -> bool:
    """Return True if a cell meets a criterion as of COUNTIF: `5`, `">5"`, `"<>x"`, `"a*"`."""
    criterion_value = scalar(criterion)
    if not isinstance(criterion_value, str):
        return value == criterion_value and isinstance(value, bool) == isinstance(criterion_value, bool)
    sign = next((mark for mark in ("<>", "<=", ">=", "<", ">", "=") if criterion_value.startswith(mark)), "")
    word = criterion_value[len(sign) :]
    target = typed(word, {}, "en_US").value
    if isinstance(target, int | float) and not isinstance(target, bool):
        if isinstance(value, bool) or not isinstance(value, int | float):
            return sign == "<>"
        tests = {"<": value < target, ">": value > target, "<=": value <= target, ">=": value >= target}
        return tests.get(sign, (value == target) == (sign != "<>"))
    if sign in ("", "=", "<>"):
        shape = re.escape(word).replace(r"\*", ".*").replace(r"\?", ".")
        is_same = re.fullmatch(shape, text(value) if not isinstance(value, Fault) else "", re.IGNORECASE | re.DOTALL)
        return bool(is_same) == (sign != "<>")
    if not isinstance(value, str):
        return False
    a, b = value.casefold(), word.casefold()
    return {"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[sign]


def _average(*values: Value) -> float:
    if not (found := numbers(*values)):
        raise Raised(Fault("DIVIDE_BY_ZERO", "Evaluation of function AVERAGE caused a divide by zero error."))
    return math.fsum(found) / len(found)


def _round_function(rounding: str) -> Callable[..., float]:
    def round_value(value: Value, places: Value = 0) -> float:
        amount, digits = number(value), int(number(places))
        return float(Decimal(repr(amount)).quantize(Decimal(1).scaleb(-digits), rounding))

    return round_value


def _multiple_function(rounding: str) -> Callable[..., float]:
    def round_value(value: Value, factor: Value = 1) -> float:
        step = Decimal(repr(number(factor)))
        return float((Decimal(repr(number(value))) / step).quantize(Decimal(1), rounding) * step) if step else 0

    return round_value


def _mod(value: Value, divisor: Value) -> float:
    if number(divisor) == 0:
        raise Raised(Fault("DIVIDE_BY_ZERO", "Function MOD parameter 2 cannot be zero."))
    return number(value) % number(divisor)


def _paired(cells: Value, criterion: Value, summed: Value = None) -> list[float]:
    """Return the numbers beside the cells that meet a criterion."""
    others = list(flat(cells if summed is None else summed))
    hits = [place for place, cell in enumerate(flat(cells)) if fits(cell, criterion) and place < len(others)]
    return [other for place in hits if isinstance(other := others[place], int | float) and not isinstance(other, bool)]


def _count_ifs(*pairs: Value) -> int:
    columns = [list(flat(cells)) for cells in pairs[::2]]
    return sum(
        all(fits(value, criterion) for value, criterion in zip(line, pairs[1::2], strict=True))
        for line in zip(*columns, strict=True)
    )


def _sum_ifs(summed: Value, *pairs: Value) -> float:
    columns = [list(flat(cells)) for cells in pairs[::2]]
    total = 0.0
    for value, *line in zip(flat(summed), *columns, strict=True):
        is_hit = all(fits(cell, criterion) for cell, criterion in zip(line, pairs[1::2], strict=True))
        if is_hit and isinstance(value, int | float) and not isinstance(value, bool):
            total += value
    return total


def _find(needle: Value, haystack: Value, start: Value = 1, *, is_exact: bool = True) -> int:
    a, b = text(needle), text(haystack)
    place = b.find(a, int(number(start)) - 1) if is_exact else b.casefold().find(a.casefold(), int(number(start)) - 1)
    if place < 0:
        raise Raised(Fault("VALUE", f"'{a}' is not in '{b}'."))
    return place + 1


def _substitute(value: Value, old: Value, new: Value, which: Value = None) -> str:
    whole, former, latter = text(value), text(old), text(new)
    if which is None or not former:
        return whole.replace(former, latter) if former else whole
    parts = whole.split(former)
    at = int(number(which))
    if not 0 < at < len(parts):
        return whole
    return former.join(parts[:at]) + latter + former.join(parts[at:])


def _match(sought: Value, cells: Value, match_type: Value = 1) -> int:
    key, order = scalar(sought), int(number(match_type))
    best = 0
    for place, value in enumerate(flat(cells), 1):
        if order == 0:
            is_text = isinstance(key, str) and isinstance(value, str)
            if fits(value, f"={key}") if is_text else (value == key and type(value) is not bool):
                return place
        elif isinstance(value, int | float) and isinstance(key, int | float):
            if (value <= key) if order > 0 else (value >= key):
                best = place
        elif isinstance(value, str) and isinstance(key, str) and value.casefold() <= key.casefold():
            best = place
    if not best:
        raise Raised(Fault("N_A", "Did not find the value in MATCH evaluation."))
    return best


def _index(cells: Value, row: Value = 1, column: Value = None) -> Value:
    grid = cells if isinstance(cells, Grid) else Grid([[cells]])
    down, right = int(number(row)), None if column is None else int(number(column))
    if right is None:
        down, right = (1, down) if len(grid.rows) == 1 else (down, 1)
    if not (0 <= down <= len(grid.rows) and 0 <= right <= len(grid.rows[0])):
        raise Raised(Fault("REF", "Index is out of the range."))
    rows = grid.rows if down == 0 else [grid.rows[down - 1]]
    return Grid(rows if right == 0 else [[line[right - 1]] for line in rows], grid.top, grid.left)


def _v_lookup(sought: Value, cells: Value, column: Value, is_sorted: Value = True) -> Scalar:
    grid = cells if isinstance(cells, Grid) else Grid([[cells]])
    keys = Grid([[line[0]] for line in grid.rows])
    at = _match(sought, keys, 1 if boolean(is_sorted) else 0)
    return scalar(_index(grid, at, column))


def _h_lookup(sought: Value, cells: Value, row: Value, is_sorted: Value = True) -> Scalar:
    grid = cells if isinstance(cells, Grid) else Grid([[cells]])
    return _v_lookup(sought, Grid([list(line) for line in zip(*grid.rows, strict=True)]), row, is_sorted)


def _text(value: Value, pattern: Value) -> str:
    found = scalar(value)
    return found if isinstance(found, str) else shown(number(value), {"pattern": text(pattern)}, "en_US")


def _value(value: Value) -> float:
    return number(value)


def _day(value: Value) -> date:
    return EPOCH + timedelta(days=int(number(value)))


def _date(year: Value, month: Value, day: Value) -> int:
    months = int(number(year)) * 12 + int(number(month)) - 1
    return (date(months // 12, months % 12 + 1, 1) - EPOCH).days + int(number(day)) - 1


def _join(mark: Value, *values: Value) -> str:
    return text(mark).join(text(item) for item in flat(*values))


def _text_join(mark: Value, skips: Value, *values: Value) -> str:
    return text(mark).join(item for value in flat(*values) if (item := text(value)) or not boolean(skips))


def _if(test: Thunk, then: Thunk, other: Thunk = lambda: False) -> Value:
    return then() if boolean(test()) else other()


def _ifs(*parts: Thunk) -> Value:
    for test, then in zip(parts[::2], parts[1::2], strict=True):
        if boolean(test()):
            return then()
    raise Raised(Fault("N_A", "No match."))


def _switch(value: Thunk, *parts: Thunk) -> Value:
    found = scalar(value())
    for case, then in zip(parts[::2], parts[1::2], strict=False):
        if scalar(case()) == found:
            return then()
    if len(parts) % 2:
        return parts[-1]()
    raise Raised(Fault("N_A", "No match."))


def _if_error(value: Thunk, other: Thunk = lambda: None) -> Value:
    try:
        return scalar(value())
    except (Raised, ArithmeticError, ValueError):
        return other()


def _if_na(value: Thunk, other: Thunk = lambda: None) -> Value:
    try:
        return scalar(value())
    except Raised as raised:
        if raised.fault.kind != "N_A":
            raise
        return other()


def _is_error(value: Thunk) -> bool:
    try:
        scalar(value())
    except (Raised, ArithmeticError, ValueError):
        return True
    return False


def _is_na(value: Thunk) -> bool:
    try:
        scalar(value())
    except Raised as raised:
        return raised.fault.kind == "N_A"
    return False


def _na() -> Scalar:
    raise Raised(Fault("N_A"))


def _size_function(name: str) -> Callable[[Value], int]:
    def size(value: Value) -> int:
        grid = value if isinstance(value, Grid) else Grid([[value]])
        sizes = {"ROWS": len(grid.rows), "COLUMNS": len(grid.rows[0]), "ROW": grid.top + 1, "COLUMN": grid.left + 1}
        return sizes[name]

    return size


def _sorted(values: Value, which: Value, is_descending: bool) -> float:
    found, at = sorted(numbers(values), reverse=is_descending), int(number(which))
    if not 0 < at <= len(found):
        raise Raised(Fault("NUM", "Function parameter 2 is out of range."))
    return found[at - 1]


LAZY: dict[str, Callable[..., Value]] = {
    "IF": _if,
    "IFS": _ifs,
    "SWITCH": _switch,
    "IFERROR": _if_error,
    "IFNA": _if_na,
    "ISERROR": _is_error,
    "ISNA": _is_na,
}
"""Functions that do not evaluate every argument."""

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "SUM": lambda *values: math.fsum(numbers(*values)),
    "AVERAGE": _average,
    "MIN": lambda *values: min(numbers(*values), default=0),
    "MAX": lambda *values: max(numbers(*values), default=0),
    "MEDIAN": lambda *values: statistics.median(numbers(*values)),
    "PRODUCT": lambda *values: math.prod(numbers(*values)),
    "COUNT": lambda *values: sum(
        isinstance(value, int | float) and not isinstance(value, bool) for value in flat(*values)
    ),
    "COUNTA": lambda *values: sum(value is not None for value in flat(*values)),
    "COUNTBLANK": lambda cells: sum(value is None or value == "" for value in flat(cells)),
    "COUNTIF": lambda cells, criterion: sum(fits(value, criterion) for value in flat(cells)),
    "COUNTIFS": _count_ifs,
    "SUMIF": lambda cells, criterion, summed=None: math.fsum(_paired(cells, criterion, summed)),
    "SUMIFS": _sum_ifs,
    "AVERAGEIF": lambda cells, criterion, summed=None: _average(Grid([list(_paired(cells, criterion, summed))])),
    "SUMPRODUCT": lambda *cells: math.fsum(
        math.prod(number(value) for value in line) for line in zip(*(list(flat(grid)) for grid in cells), strict=True)
    ),
    "LARGE": lambda cells, which: _sorted(cells, which, True),
    "SMALL": lambda cells, which: _sorted(cells, which, False),
    "ABS": lambda value: abs(number(value)),
    "SIGN": lambda value: (number(value) > 0) - (number(value) < 0),
    "SQRT": lambda value: math.sqrt(number(value)),
    "POWER": lambda value, power: number(value) ** number(power),
    "EXP": lambda value: math.exp(number(value)),
    "LN": lambda value: math.log(number(value)),
    "LOG": lambda value, base=10: math.log(number(value)) / math.log(number(base)),
    "LOG10": lambda value: math.log10(number(value)),
    "PI": lambda: math.pi,
    "INT": lambda value: math.floor(number(value)),
    "MOD": _mod,
    "ROUND": _round_function(ROUND_HALF_UP),
    "ROUNDUP": _round_function(ROUND_UP),
    "ROUNDDOWN": _round_function(ROUND_DOWN),
    "TRUNC": _round_function(ROUND_DOWN),
    "CEILING": _multiple_function(ROUND_CEILING),
    "FLOOR": _multiple_function(ROUND_FLOOR),
    "AND": lambda *values: all(boolean(value) for value in flat(*values) if value is not None),
    "OR": lambda *values: any(boolean(value) for value in flat(*values) if value is not None),
    "XOR": lambda *values: sum(boolean(value) for value in flat(*values) if value is not None) % 2 == 1,
    "NOT": lambda value: not boolean(value),
    "TRUE": lambda: True,
    "FALSE": lambda: False,
    "NA": _na,
    "CONCATENATE": lambda *values: "".join(text(value) for value in flat(*values)),
    "CONCAT": lambda first, second: text(first) + text(second),
    "JOIN": _join,
    "TEXTJOIN": _text_join,
    "LEN": lambda value: len(text(value)),
    "UPPER": lambda value: text(value).upper(),
    "LOWER": lambda value: text(value).lower(),
    "PROPER": lambda value: text(value).title(),
    "TRIM": lambda value: " ".join(text(value).split()),
    "LEFT": lambda value, count=1: text(value)[: int(number(count))],
    "RIGHT": lambda value, count=1: text(value)[-int(number(count)) :] if number(count) else "",
    "MID": lambda value, start, count: text(value)[int(number(start)) - 1 :][: int(number(count))],
    "FIND": _find,
    "SEARCH": lambda needle, hay, start=1: _find(needle, hay, start, is_exact=False),
    "SUBSTITUTE": _substitute,
    "REPT": lambda value, count: text(value) * int(number(count)),
    "EXACT": lambda first, second: text(first) == text(second),
    "CHAR": lambda value: chr(int(number(value))),
    "CODE": lambda value: ord(text(value)[0]),
    "TEXT": _text,
    "VALUE": _value,
    "N": lambda value: number(value) if not isinstance(scalar(value), str) else 0,
    "T": lambda value: found if isinstance(found := scalar(value), str) else "",
    "ISBLANK": lambda value: scalar(value) is None,
    "ISNUMBER": lambda value: isinstance(scalar(value), int | float) and not isinstance(scalar(value), bool),
    "ISTEXT": lambda value: isinstance(scalar(value), str),
    "ISLOGICAL": lambda value: isinstance(scalar(value), bool),
    "HYPERLINK": lambda link, label=None: scalar(link) if label is None else scalar(label),
    "MATCH": _match,
    "INDEX": _index,
    "VLOOKUP": _v_lookup,
    "HLOOKUP": _h_lookup,
    "ROW": _size_function("ROW"),
    "COLUMN": _size_function("COLUMN"),
    "ROWS": _size_function("ROWS"),
    "COLUMNS": _size_function("COLUMNS"),
    "DATE": _date,
    "YEAR": lambda value: _day(value).year,
    "MONTH": lambda value: _day(value).month,
    "DAY": lambda value: _day(value).day,
}
