"""What the program's columns show: computed from the truth on every pass, written where it differs, never read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.fields import Place, columns, loosely, tab_of
from engine.outcome import Plain
from sheets_algo.book import Book
from sheets_algo.changes import Changes
from sheets_algo.forms.base import Form
from sheets_algo.problems import Problem
from sheets_algo.receipts import Figures, Receipt, cell_text
from sheets_algo.tables import Row
from sheets_algo.values import shown


@dataclass(frozen=True, slots=True)
class Shown:
    """What one request row is to show.

    Args:
        row: The row.
        request: Its id.
        status: Waiting, Invalid, Done, Undone, Failed or blank.
        message: Problems, or the result in one line.
        ruled: The ruling behind it; its figures and those of the request's other rows are shown while it stands.
    """

    row: Row
    request: str
    status: str
    message: str
    ruled: Receipt | None = None

    @property
    def figures(self) -> Figures | None:
        """The ruling's figures, while it stands."""
        return self.ruled.figures if self.ruled and self.status == "Done" else None


def project(changes: Changes, book: Book, form: Form[Any], it: Shown) -> None:
    """Make the request's row and its other rows show what is true."""
    figures = it.figures
    time = it.ruled.time if it.ruled and figures else ""
    own: dict[str, Plain] = {"status": it.status, "message": it.message, "ruled_at": time}
    values = figures.values if figures else {}
    for attribute, column in columns(form.request):
        if column.place.is_programs:
            _show(changes, it.row, attribute, own.get(attribute, values.get(column.header)))
    is_shared = it.status == "Invalid" and it.ruled is not None
    if it.request and not is_shared:  # of two rows with a ruling's id neither may touch what the ruling shows
        _project_parts(changes, book, form, it)


def _project_parts(changes: Changes, book: Book, form: Form[Any], it: Shown) -> None:
    for record in form.parts:
        parts = [part for part in it.figures.parts if part.tab == tab_of(record).name] if it.figures else []
        for row in book.table(record).by_request.get(loosely(it.request), ()):
            digest = row_digest(row)
            part = next((part for part in parts if part.digest == digest), None)
            if part is not None:
                parts.remove(part)
            elif it.figures:
                continue  # a person changed the row since: what it shows belongs to the row that was ruled
            for attribute, column in columns(record):
                if column.place.is_programs:
                    _show(changes, row, attribute, part.values.get(column.header) if part else None)


def _show(changes: Changes, row: Row, attribute: str, value: Plain) -> None:
    if value not in (None, "") or attribute in row.table.places:
        changes.set(row, attribute, value)


def row_digest(row: Row) -> str:
    """Of a row's own cells: finds it again wherever it moves."""
    cells = [shown(row.value(name)) for name, column in row.table.columns if not column.place.is_programs]
    return hashlib.sha256("\x1f".join(cells).encode()).hexdigest()[:16]


def typed_digest(row: Row, parts: Iterable[Row]) -> str:
    """Of what people typed into a request and its other rows, wherever they stand; its id does not count."""
    cells = [
        shown(row.value(name)) for name, column in row.table.columns if column.place in (Place.PERSON, Place.CONTROL)
    ]
    return hashlib.sha256("\x1f".join((*cells, *sorted(map(row_digest, parts)))).encode()).hexdigest()[:16]


def war_digest(row: Row) -> str:
    """Of what people say about a war in its row, whatever its id and whatever is asked of it (REQ-08)."""
    cells = [shown(row.value(name)) for name, column in row.table.columns if column.place is Place.PERSON]
    return hashlib.sha256("\x1f".join(cells).encode()).hexdigest()[:16]


def message(problems: Sequence[Problem], first: str = "", remarks: Sequence[str] = ()) -> str:
    """A request's Message: the result or nothing, remarks, then each problem in a line."""
    lines = [line for line in (first, *remarks) if line] + [str(problem) for problem in dict.fromkeys(problems)]
    return cell_text(lines, "... and {} more; the command check shows all")


UNDONE = "Undone by receipt {}. To have it ruled anew, give the row a new Request id"
WAITING = "Seen; it is ruled at the next look, unless somebody changes it until then"
