"""Edits of single cells: a request with another value in a cell, read with every check of its form (FC-02).

An edit is typed as `Militaries!Harold's Host!Size=9000`: tab, name of the row, header, value. `row 7` identifies a row
that has no name or no unique one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from engine.columns import ColumnPlace, columns, loosely, tab_of
from engine.errors import ExpectedError
from engine.suggest import nearest
from sheets_algo.database.headers import key_of
from sheets_algo.database.problems import quoted
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Edit, Row
from sheets_algo.database.typed_numbers import readings_of
from sheets_algo.forms.base import Form
from sheets_algo.workbook.snapshot import Sheet, Snapshot
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.values import Plain

SHAPE = "Type it as Tab!Row!Column=value"


class BadEdit(ExpectedError):
    """An impossible edit; one sentence names it, the value found and the remedy."""

    exit_code = 2


def apply_edits(snapshot: Snapshot, edits: Iterable[Edit]) -> Snapshot:
    """Return the snapshot with some cells changed; a missing column is added at the right end of its tab."""
    cells: dict[TabKey, dict[tuple[int, int], Plain]] = {}
    added: dict[tuple[TabKey, str], int] = {}
    for edit in edits:
        table = edit.row.table
        tab_cells = cells.setdefault(table.key, {})
        place = table.places.get(edit.attribute) or added.get((table.key, edit.attribute))
        if place is None:
            place = added[table.key, edit.attribute] = table.width + 1 + sum(tab == table.key for tab, _ in added)
            tab_cells[table.header_row, place] = edit.column.header
        tab_cells[edit.row.number, place] = edit.value
    return replace(snapshot, sheets={key: _patch(sheet, cells.get(key, {})) for key, sheet in snapshot.sheets.items()})


def _patch(sheet: Sheet, cells: Mapping[tuple[int, int], Plain]) -> Sheet:
    if not cells:
        return sheet
    rows = {number: list(values) for number, values in sheet.rows.items()}
    for (number, column), value in cells.items():
        row = rows.setdefault(number, [])
        row.extend([None] * (column - len(row)))
        row[column - 1] = value
    return replace(sheet, rows=rows)


def parse_edit(typed: str, form: Form[Any], database: Database, request: str) -> Edit:
    """Return a typed edit.

    Args:
        typed: The text: `Militaries!Harold's Host!Size=9000`.
        request: The id of the request, which selects rows in tabs with rows of many requests.

    Raises:
        BadEdit: There is no such tab, row or column, or people do not fill it.
    """
    cell, value = cell_of(typed, form, database, request)
    return replace(cell, value=_cell_value(value))


def cell_of(typed: str, form: Form[Any], database: Database, request: str) -> tuple[Edit, str]:
    """Return the cell of an edit, and the text after its equals sign.

    Args:
        typed: As in `parse_edit`, as are all others.

    Raises:
        BadEdit: As in `parse_edit`.
    """
    tab, separator, rest = typed.partition("!")
    if not separator or "!" not in rest or "=" not in rest:
        raise BadEdit(f"{quoted(typed)} names no cell. {SHAPE}.")
    record = _record(typed, tab, form, database)
    name, attribute, value = _split(typed, rest, record)
    column = dict(columns(record))[attribute]
    if column.place is not ColumnPlace.PERSON:
        owner = "the program's own" if column.place.is_programs else "no input of what is ruled"
        raise BadEdit(f"{quoted(typed)}: {column.header} is {owner}; change another column.")
    return Edit(_row(typed, name.strip(), record, form, database, request), attribute, None), value


def _record(typed: str, tab: str, form: Form[Any], database: Database) -> type:
    for record in form.records():
        if TabKey.named(tab) in (key_of(record), TabKey.named(database.table(record).title)):
            return record
    tabs = [tab_of(record).name for record in form.records()]
    near = nearest(tab, tabs)
    hint = f'Did you mean "{near}"?' if near else f"There are {', '.join(tabs)}."
    raise BadEdit(f"{quoted(typed)}: this request has no tab {quoted(tab)}. {hint}")


def _split(typed: str, rest: str, record: type) -> tuple[str, str, str]:
    """Return row, attribute and value. Names and values may contain `!` and `=`, so the first known header decides."""
    headers = {loosely(head): name for name, column in columns(record) for head in (*column.aliases, column.header)}
    candidates = list(re.finditer(r"!(?=([^!=]*)=)", rest))
    for match in candidates:
        attribute = headers.get(loosely(match[1]))
        if attribute is not None:
            return rest[: match.start()], attribute, rest[match.end() + len(match[1]) + 1 :]
    if not candidates:
        raise BadEdit(f"{quoted(typed)} names no cell. {SHAPE}.")
    typed_header = candidates[0][1].strip()
    near = nearest(typed_header, [column.header for _, column in columns(record) if column.place is ColumnPlace.PERSON])
    hint = f'Did you mean "{near}"?' if near else "The command schema lists its columns."
    raise BadEdit(f"{quoted(typed)}: {tab_of(record).name} has no column {quoted(typed_header)}. {hint}")


def _row(typed: str, name: str, record: type, form: Form[Any], database: Database, request: str) -> Row:
    table = database.table(record)
    numbered = re.fullmatch(r"row (\d+)", loosely(name))
    if numbered:
        rows = [row for row in table if row.number == int(numbered[1])]
    elif record is form.request:
        rows = list(table.by_request.get(loosely(name), ()))
    elif tab_of(record).key:
        rows = list(database.find(record, name))
    else:
        raise BadEdit(f"{quoted(typed)}: rows of {table.title} have no names; type row 7 for the one in line 7.")
    if "request" in dict(columns(record)) and len(rows) > 1:
        requests = database.table(form.request).by_request.get(loosely(request), ())
        own = requests if record is form.request else [part for row in requests for part in table.rows_of(row)]
        rows = [row for row in rows if row in own]
    if len(rows) == 1:
        return rows[0]
    if rows:
        lines = ", ".join(str(row.number) for row in rows)
        raise BadEdit(f"{quoted(typed)}: {quoted(name)} is in the lines {lines}; type row {rows[0].number}.")
    near = nearest(name, table.names)
    if database.builtin(record, name) is not None:
        hint = f"It is built in; to change it, add it to the tab {tab_of(record).name}."
    else:
        key = tab_of(record).key
        named = f"what a row has in {dict(columns(record))[key].header}, or " if key else ""
        hint = f'Did you mean "{near}"?' if near else f"Use {named}row 7 for the one in line 7."
    raise BadEdit(f"{quoted(typed)}: {tab_of(record).name} has no row {quoted(name)}. {hint}")


def _cell_value(text: str) -> Plain:
    """Return the value of a cell into which a text is typed."""
    text = text.strip()
    number = number_of(text)
    if number is None:
        return text or None
    return int(number) if number == int(number) and re.fullmatch(r"[+-]?\d+", text) else number


def number_of(text: str) -> float | None:
    """Return the finite number that a text shows, None for another text and for one of two meanings (NUM-02)."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and len(readings_of(text)) == 1 else None
