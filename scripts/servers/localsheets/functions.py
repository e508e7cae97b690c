"""The functions of formulas: those that the program's templates and its tests use."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from localsheets.cells import Fault, Scalar
from localsheets.display import general
from localsheets.typed import typed


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


def _round(value: Value, places: Value = 0) -> float:
    step = Decimal(1).scaleb(-int(number(places)))
    return float(Decimal(repr(number(value))).quantize(step, ROUND_HALF_UP))


def _find(needle: Value, haystack: Value, start: Value = 1) -> int:
    a, b = text(needle), text(haystack)
    if (place := b.find(a, int(number(start)) - 1)) < 0:
        raise Raised(Fault("VALUE", f"'{a}' is not in '{b}'."))
    return place + 1


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


def _if(test: Thunk, then: Thunk, other: Thunk = lambda: False) -> Value:
    return then() if boolean(test()) else other()


def _if_error(value: Thunk, other: Thunk = lambda: None) -> Value:
    try:
        return scalar(value())
    except (Raised, ArithmeticError, ValueError):
        return other()


def _small(values: Value, which: Value) -> float:
    found, at = sorted(numbers(values)), int(number(which))
    if not 0 < at <= len(found):
        raise Raised(Fault("NUM", "Function parameter 2 is out of range."))
    return found[at - 1]


LAZY: dict[str, Callable[..., Value]] = {"IF": _if, "IFERROR": _if_error}
"""Functions that do not evaluate every argument."""

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "SUM": lambda *values: math.fsum(numbers(*values)),
    "AVERAGE": _average,
    "MIN": lambda *values: min(numbers(*values), default=0),
    "MAX": lambda *values: max(numbers(*values), default=0),
    "COUNTIF": lambda cells, criterion: sum(fits(value, criterion) for value in flat(cells)),
    "SMALL": _small,
    "ROUND": _round,
    "LOWER": lambda value: text(value).lower(),
    "TRIM": lambda value: " ".join(text(value).split()),
    "FIND": _find,
    "SUBSTITUTE": lambda value, old, new: text(value).replace(text(old), text(new)) if text(old) else text(value),
    "CHAR": lambda value: chr(int(number(value))),
    "ISNUMBER": lambda value: isinstance(scalar(value), int | float) and not isinstance(scalar(value), bool),
    "HYPERLINK": lambda link, label=None: scalar(link) if label is None else scalar(label),
    "MATCH": _match,
    "INDEX": _index,
    "VLOOKUP": _v_lookup,
    "COLUMN": lambda cells: cells.left + 1,
}
"""The functions of the program's templates and of its tests."""
