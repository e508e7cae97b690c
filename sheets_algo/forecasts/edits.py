"""What if: cells of a workbook as read get other values and are read by its form, with every check (FC-02).

An edit is typed as `Militaries!Harold's Host!Size=9000`: tab, name of the row, header, value. Where rows have no name,
or several have one, `row 7` stands for it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.fields import Field, Kind, Place, columns, loosely, tab_of
from engine.words import nearest
from sheets_algo.book import Book, Read
from sheets_algo.forms.base import Form
from sheets_algo.problems import quoted
from sheets_algo.tables import Row
from sheets_algo.workbook.base import Plain, Sheet, Snapshot, tab_key

SHAPE = "Type it as Tab!Row!Column=value"
POINTS_MOST = 200
"""Of a sweep."""


class BadEdit(Exception):
    """An edit that cannot be made; one sentence says which, what was found, what to do."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One cell with another value.

    Args:
        row: Where.
        attribute: Of which column.
        value: The new one; None empties the cell.
    """

    row: Row
    attribute: str
    value: Plain

    @property
    def column(self) -> Field:
        """The column that declares the cell."""
        return dict(self.row.table.columns)[self.attribute]

    @property
    def name(self) -> str:
        """`Militaries!Harold's Host!Size`."""
        tab = tab_of(self.row.table.record)
        row = self.row.name if tab.key else f"row {self.row.number}"
        return f"{self.row.table.name}!{row}!{self.column.header}"


@dataclass(frozen=True, slots=True)
class Sweep:
    """One number over a range.

    Args:
        edit: The cell; its value does not count.
        values: Its numbers, one a point.
    """

    edit: Edit
    values: tuple[float, ...]


def edited(snapshot: Snapshot, edits: Iterable[Edit]) -> Snapshot:
    """The snapshot with some cells changed; a column that its tab lacks is added at the right end."""
    cells: dict[str, dict[tuple[int, int], Plain]] = {}
    added: dict[tuple[str, str], int] = {}
    for edit in edits:
        table = edit.row.table
        key = tab_key(table.name)
        its = cells.setdefault(key, {})
        place = table.places.get(edit.attribute) or added.get((key, edit.attribute))
        if place is None:
            place = added[key, edit.attribute] = table.width + 1 + sum(tab == key for tab, _ in added)
            its[table.header_row, place] = edit.column.header
        its[edit.row.number, place] = edit.value
    return replace(snapshot, sheets={key: _with(sheet, cells.get(key, {})) for key, sheet in snapshot.sheets.items()})


def _with(sheet: Sheet, cells: Mapping[tuple[int, int], Plain]) -> Sheet:
    if not cells:
        return sheet
    rows = {number: list(values) for number, values in sheet.rows.items()}
    for (number, column), value in cells.items():
        row = rows.setdefault(number, [])
        row.extend([None] * (column - len(row)))
        row[column - 1] = value
    return replace(sheet, rows=rows)


def edit_of(typed: str, form: Form[Any], book: Book, request: str) -> Edit:
    """What somebody typed as an edit.

    Args:
        typed: `Militaries!Harold's Host!Size=9000`.
        form: Whose tabs count.
        book: As read.
        request: Whose rows count where a tab has rows of many requests.

    Raises:
        BadEdit: There is no such tab, row or column, or people do not write there.
    """
    cell, value = _cell(typed, form, book, request)
    return replace(cell, value=_plain(value))


def sweep_of(typed: str, form: Form[Any], book: Book, request: str) -> Sweep:
    """What somebody typed as a sweep: `Militaries!Harold's Host!Size=5000:12000:8`, from, to, number of points.

    Raises:
        BadEdit: As `edit_of`, or the column holds no numbers, or there are no points.
    """
    cell, words = _cell(typed, form, book, request)
    column = cell.column
    if column.kind not in (Kind.NUMBER, Kind.WHOLE) and not column.numeric:
        raise BadEdit(f"{quoted(typed)}: {column.header} is not a number, so there is no range of it; use --set.")
    parts = [part.strip() for part in words.split(":")]
    numbers = [_number(part) for part in parts]
    if len(parts) != 3 or None in numbers:
        raise BadEdit(f"{quoted(typed)}: {quoted(words)} is not a range. Type it as 5000:12000:8: from, to, points.")
    low, high, points = (number for number in numbers if number is not None)
    if points != int(points) or not 1 <= points <= POINTS_MOST:
        raise BadEdit(
            f"{quoted(typed)}: {parts[2]} is not a number of points. Use a whole number from 1 to {POINTS_MOST}."
        )
    steps = int(points) - 1
    values = [low + (high - low) * step / steps for step in range(steps + 1)] if steps else [low]
    if column.kind is Kind.WHOLE:
        values = [float(round(value)) for value in values]
    return Sweep(cell, tuple(dict.fromkeys(values)))


def _cell(typed: str, form: Form[Any], book: Book, request: str) -> tuple[Edit, str]:
    """The cell that is meant, and what follows the equals sign."""
    tab, mark, rest = typed.partition("!")
    if not mark or "!" not in rest or "=" not in rest:
        raise BadEdit(f"{quoted(typed)} names no cell. {SHAPE}.")
    record = _record(typed, tab, form, book)
    name, attribute, value = _split(typed, rest, record)
    column = dict(columns(record))[attribute]
    if column.place is not Place.PERSON:
        whose = "the program's own" if column.place.is_programs else "no input of what is ruled"
        raise BadEdit(f"{quoted(typed)}: {column.header} is {whose}; change another column.")
    return Edit(_row(typed, name.strip(), record, form, book, request), attribute, None), value


def _record(typed: str, tab: str, form: Form[Any], book: Book) -> type:
    for record in form.records():
        if tab_key(tab) in (tab_key(tab_of(record).name), tab_key(book.table(record).name)):
            return record
    tabs = [tab_of(record).name for record in form.records()]
    near = nearest(tab, tabs)
    hint = f'Did you mean "{near}"?' if near else f"There are {', '.join(tabs)}."
    raise BadEdit(f"{quoted(typed)}: this request has no tab {quoted(tab)}. {hint}")


def _split(typed: str, rest: str, record: type) -> tuple[str, str, str]:
    """Row, attribute and value. Names and values may hold `!` and `=`, so the first header that fits decides."""
    headers = {loosely(head): name for name, it in columns(record) for head in (*it.aliases, it.header)}
    candidates = list(re.finditer(r"!(?=([^!=]*)=)", rest))
    for found in candidates:
        attribute = headers.get(loosely(found[1]))
        if attribute is not None:
            return rest[: found.start()], attribute, rest[found.end() + len(found[1]) + 1 :]
    if not candidates:
        raise BadEdit(f"{quoted(typed)} names no cell. {SHAPE}.")
    typed_header = candidates[0][1].strip()
    near = nearest(typed_header, [it.header for _, it in columns(record) if it.place is Place.PERSON])
    hint = f'Did you mean "{near}"?' if near else "The command schema lists its columns."
    raise BadEdit(f"{quoted(typed)}: {tab_of(record).name} has no column {quoted(typed_header)}. {hint}")


def _row(typed: str, name: str, record: type, form: Form[Any], book: Book, request: str) -> Row:
    table = book.table(record)
    numbered = re.fullmatch(r"row (\d+)", loosely(name))
    if numbered:
        found = [row for row in table if row.number == int(numbered[1])]
    elif record is form.request:
        found = list(table.by_request.get(loosely(name), ()))
    elif tab_of(record).key:
        found = list(book.find(record, name))
    else:
        raise BadEdit(f"{quoted(typed)}: rows of {table.name} have no names; type row 7 for the one in line 7.")
    if "request" in dict(columns(record)) and len(found) > 1:
        found = [row for row in found if row in table.by_request.get(loosely(request), ())]
    if len(found) == 1:
        return found[0]
    if found:
        lines = ", ".join(str(row.number) for row in found)
        raise BadEdit(f"{quoted(typed)}: {quoted(name)} stands in the lines {lines}; type row {found[0].number}.")
    near = nearest(name, table.names)
    if book.builtin(record, name) is not None:
        hint = f"It comes from the tables; add it to the tab {tab_of(record).name} to change it."
    else:
        hint = f'Did you mean "{near}"?' if near else "Names are those of the sheet."
    raise BadEdit(f"{quoted(typed)}: {tab_of(record).name} has no row {quoted(name)}. {hint}")


def _plain(words: str) -> Plain:
    """What a cell holds when somebody types that."""
    words = words.strip()
    number = _number(words)
    if number is None:
        return words or None
    return int(number) if number == int(number) and re.fullmatch(r"[+-]?\d+", words) else number


def _number(words: str) -> float | None:
    try:
        number = float(words)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def refused(typed: str, problems: Sequence[object]) -> BadEdit:
    """An edit that the form does not take: its first problem."""
    return BadEdit(f"{quoted(typed)}: {problems[0]}")


def levers(rows: Iterable[tuple[type, Row]], form: Form[Any], book: Book) -> Iterator[tuple[list[Edit], Plain]]:
    """What a sensitivity moves: each number of the rows by a tenth, each ranked word by a step, each yes or no.

    Args:
        rows: Record class and row of the request, of its other rows and of what it names.
        form: Whose ranks count.
        book: As read.

    Yields:
        The edits to try until the form takes one, up before down, and what stands there now.
    """
    for record, row in rows:
        read: Read[Any] = book.read(row, record)
        for attribute, column in columns(record):
            if column.place is not Place.PERSON or attribute == tab_of(record).key:
                continue
            now = read.values.get(attribute, column.default)
            edits = [Edit(row, attribute, value) for value in _moved(column, now, form.ranks.get(column.choices, ()))]
            if edits:
                yield edits, _listed(now) if column.kind is Kind.NUMBERS else now


def _moved(column: Field, now: Any, worst_to_best: Sequence[str]) -> Iterator[Plain]:
    """Up by a tenth or a step, then down; nothing for what has neither."""
    if column.kind is Kind.YES_NO and isinstance(now, bool):
        yield not now
    elif isinstance(now, str) and now in worst_to_best:
        place = worst_to_best.index(now)
        yield from worst_to_best[place + 1 : place + 2]
        yield from worst_to_best[max(0, place - 1) : place]
    elif column.kind is Kind.NUMBERS and isinstance(now, tuple):
        steps = [_step(column, it) for it in now]
        for sign in (1, -1):
            its = [it + sign * step for it, step in zip(now, steps, strict=True)]
            if any(steps) and all(_is_within(column, it) for it in its):
                yield _listed(its)
    elif isinstance(now, int | float) and not isinstance(now, bool) and column.unit != "year":
        step = _step(column, now)  # a tenth of a year of birth would say nothing
        yield from (it for it in (now + step, now - step) if step and _is_within(column, it))


def _step(column: Field, now: float) -> float:
    """A tenth of a number; of the range where a share is 0."""
    if now == 0 and column.low is not None and column.high is not None and column.high <= 1:
        return (column.high - column.low) / 10
    step = abs(now) / 10
    return max(1, round(step)) if column.kind is Kind.WHOLE else step


def _is_within(column: Field, number: float) -> bool:
    return (column.low is None or column.low <= number) and (column.high is None or number <= column.high)


def _listed(them: Sequence[float]) -> str:
    """Numbers for one cell, in digits that nobody reads as thousands."""
    return "; ".join(f"{it:.4f}" for it in them)
