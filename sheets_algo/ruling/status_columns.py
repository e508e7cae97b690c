"""Columns that the program computes from receipts on every pass and writes where they differ."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.columns import ColumnPlace, columns, loosely, tab_of
from engine.ruleset import Plain
from sheets_algo.database.cells import shown
from sheets_algo.database.problems import Problem
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import Form
from sheets_algo.ruling.changes import Changes
from sheets_algo.ruling.receipts import Figures, StoredReceipt, cell_text


@dataclass(frozen=True, slots=True)
class StatusCells:
    """Content of the program's columns in one request row.

    Args:
        row: The row of the request.
        request: The request's id.
        status: The status: Waiting, Invalid, Done, Undone, Failed or blank.
        message: The problems, or the result in one line.
        ruled: The ruling of the request, whose figures are shown while the status is Done.
    """

    row: Row
    request: str
    status: str
    message: str
    ruled: StoredReceipt | None = None

    @property
    def figures(self) -> Figures | None:
        """Return the ruling's figures if the status is Done, else None."""
        return self.ruled.figures if self.ruled and self.status == "Done" else None


def write_status(changes: Changes, database: Database, form: Form[Any], cells: StatusCells) -> None:
    """Write the program's columns of a request's row and of its other rows."""
    figures = cells.figures
    time = cells.ruled.time if cells.ruled and figures else ""
    status_values: dict[str, Plain] = {"status": cells.status, "message": cells.message, "ruled_at": time}
    values = figures.values if figures else {}
    for attribute, column in columns(form.request):
        if column.place.is_programs:
            _set_cell(changes, cells.row, attribute, status_values.get(attribute, values.get(column.header)))
    is_shared = cells.status == "Invalid" and cells.ruled is not None
    if cells.request and not is_shared:  # neither of two rows with a ruling's id may change the ruling's results
        _write_parts(changes, database, form, cells)


def _write_parts(changes: Changes, database: Database, form: Form[Any], cells: StatusCells) -> None:
    for record in form.parts:
        parts = [part for part in cells.figures.parts if part.tab == tab_of(record).name] if cells.figures else []
        for row in database.table(record).by_request.get(loosely(cells.request), ()):
            digest = row_digest(row)
            part = next((part for part in parts if part.digest == digest), None)
            if part is not None:
                parts.remove(part)
            elif cells.figures:
                continue  # a person has changed the row, and its results are those of the ruled row
            for attribute, column in columns(record):
                if column.place.is_programs:
                    _set_cell(changes, row, attribute, part.values.get(column.header) if part else None)


def _set_cell(changes: Changes, row: Row, attribute: str, value: Plain) -> None:
    if value not in (None, "") or attribute in row.table.places:
        changes.set(row, attribute, value)


def row_digest(row: Row) -> str:
    """Return the digest of a row's cells except for the program's, which identifies the row after it is moved."""
    cells = [shown(row.value(name)) for name, column in row.table.columns if not column.place.is_programs]
    return hashlib.sha256("\x1f".join(cells).encode()).hexdigest()[:16]


def typed_digest(row: Row, parts: Iterable[Row]) -> str:
    """Return the digest of the people's cells in a request's rows, without the id and independent of their order."""
    cells = [
        shown(row.value(name))
        for name, column in row.table.columns
        if column.place in (ColumnPlace.PERSON, ColumnPlace.CONTROL)
    ]
    return hashlib.sha256("\x1f".join((*cells, *sorted(map(row_digest, parts)))).encode()).hexdigest()[:16]


def war_digest(row: Row) -> str:
    """Return the digest of the people's cells in a war's row, without id and control columns (REQ-08)."""
    cells = [shown(row.value(name)) for name, column in row.table.columns if column.place is ColumnPlace.PERSON]
    return hashlib.sha256("\x1f".join(cells).encode()).hexdigest()[:16]


def message(problems: Sequence[Problem], first: str = "", remarks: Sequence[str] = ()) -> str:
    """Return a request's Message: the result if any, remarks, and a line for each problem."""
    lines = [line for line in (first, *remarks) if line] + [str(problem) for problem in dict.fromkeys(problems)]
    return cell_text(lines, "... and {} more; the command check shows all")


UNDONE = "Undone by receipt {}. To have it ruled anew, give the row a new Request id"
WAITING = "Seen; it is ruled at the next look, unless somebody changes it until then"
