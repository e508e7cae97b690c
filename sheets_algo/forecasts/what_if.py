"""What-if questions: a number over a range, and the levers of a request (FC-02)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.columns import ColumnPlace, Field, Kind, columns, tab_of
from sheets_algo.database.problems import quoted
from sheets_algo.database.records import Database, ReadRow
from sheets_algo.database.tables import Edit, Row
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import WarForm
from sheets_algo.forms.edits import BadEdit, cell_of, number_of
from sheets_algo.workbook.values import Plain

POINTS_MOST = 200
"""Maximum number of points of a sweep."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """One number over a range."""

    edit: Edit  # The cell; its value is ignored
    values: tuple[float, ...]  # The numbers, one per point


def parse_sweep(typed: str, form: Form[Any], database: Database, request: str) -> Sweep:
    """Return a typed sweep: `Militaries!Harold's Host!Size=5000:12000:8` (from, to, number of points).

    Raises:
        BadEdit: The cell is invalid as in `parse_edit`, or the column holds no numbers, or there are no points.
    """
    cell, text = cell_of(typed, form, database, request)
    column = cell.column
    if not (column.kind is Kind.NUMBER or column.is_whole or column.numeric):
        raise BadEdit(f"{quoted(typed)}: {column.header} is not a number, so it has no range; use --set.")
    parts = [part.strip() for part in text.split(":")]
    numbers = [number_of(part) for part in parts]
    if len(parts) != 3 or None in numbers:
        raise BadEdit(f"{quoted(typed)}: {quoted(text)} is not a range. Type it as 5000:12000:8: from, to, points.")
    low, high, points = (number for number in numbers if number is not None)
    if points != int(points) or not 1 <= points <= POINTS_MOST:
        raise BadEdit(
            f"{quoted(typed)}: {parts[2]} is not a number of points. Use a whole number from 1 to {POINTS_MOST}."
        )
    steps = int(points) - 1
    values = [low + (high - low) * step / steps for step in range(steps + 1)] if steps else [low]
    if column.is_whole:
        values = [float(round(value)) for value in values]
    return Sweep(cell, tuple(dict.fromkeys(values)))


def refusal(typed: str, problems: Sequence[object]) -> BadEdit:
    """Return the error for a refused edit, with its first problem."""
    return BadEdit(f"{quoted(typed)}: {problems[0]}")


def levers(rows: Iterable[tuple[type, Row]], form: Form[Any], database: Database) -> Iterator[tuple[list[Edit], Plain]]:
    """Yield the edits of a sensitivity: each number by a tenth, each ranked word by a step, each yes or no.

    Args:
        rows: The record class and row of the request, of its other rows and of the rows that it names.

    Yields:
        The edits to try until the form accepts one, up before down, and the current value.
    """
    ranks = form.ranks if isinstance(form, WarForm) else {}
    for record, row in rows:
        read: ReadRow[Any] = database.read(row, record)
        for attribute, column in columns(record):
            if column.place is not ColumnPlace.PERSON or attribute == tab_of(record).key:
                continue
            now = read.values.get(attribute, column.default)
            edits = [Edit(row, attribute, value) for value in _moves(column, now, ranks.get(column.choices, ()))]
            if edits:
                yield edits, _listed(now) if column.kind is Kind.NUMBERS else now


def _moves(column: Field, now: Any, worst_to_best: Sequence[str]) -> Iterator[Plain]:
    """Yield a value increased by a tenth or a step, then decreased; nothing for other kinds of values."""
    if column.kind is Kind.YES_NO and isinstance(now, bool):
        yield not now
    elif isinstance(now, str) and now in worst_to_best:
        place = worst_to_best.index(now)
        yield from worst_to_best[place + 1 : place + 2]
        yield from worst_to_best[max(0, place - 1) : place]
    elif column.kind is Kind.NUMBERS and isinstance(now, tuple):
        steps = [_step(column, number) for number in now]
        for sign in (1, -1):
            moved = [number + sign * step for number, step in zip(now, steps, strict=True)]
            if any(steps) and all(_is_within(column, number) for number in moved):
                yield _listed(moved)
    elif isinstance(now, int | float) and not isinstance(now, bool) and column.unit != "year":
        step = _step(column, now)  # a tenth of a year of birth is meaningless
        yield from (number for number in (now + step, now - step) if step and _is_within(column, number))


def _step(column: Field, now: float) -> float:
    """Return a tenth of a number, or of its range where a share is 0."""
    if now == 0 and column.low is not None and column.high is not None and column.high <= 1:
        return (column.high - column.low) / 10
    step = abs(now) / 10
    return max(1, round(step)) if column.is_whole else step


def _is_within(column: Field, number: float) -> bool:
    return (column.low is None or column.low <= number) and (column.high is None or number <= column.high)


def _listed(numbers: Sequence[float]) -> str:
    """Return numbers as the text of one cell, with digits that cannot be read as thousands."""
    return "; ".join(f"{number:.4f}" for number in numbers)
