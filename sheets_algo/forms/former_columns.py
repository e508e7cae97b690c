"""Lost optional tabs and columns of a season, in whose place defaults would count (REQ-11).

The Season row lists the tabs and columns when `init` began the season; a receipt of kind Columns updates the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.columns import Field, tab_of
from engine.suggest import nearest
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.problems import CellRef, Problem, Severity, quoted
from sheets_algo.database.tables import Table
from sheets_algo.forms.base import Form
from sheets_algo.workbook.snapshot import Snapshot

OptionalColumns = Mapping[str, tuple[str, ...]]
"""The headers of the optional columns of each tab of people, by the tab's declared name."""


def optional_columns(forms: Iterable[Form[Any]], snapshot: Snapshot, *, is_completed: bool = False) -> OptionalColumns:
    """Return the optional columns that a workbook has.

    Args:
        is_completed: True if missing tabs are about to be added, with all columns.
    """
    headers = {}
    for record in dict.fromkeys(record for form in forms for record in form.records()):
        table = Table.of(snapshot, record)
        if table.header_row or is_completed:
            headers[tab_of(record).name] = tuple(
                column.header
                for attribute, column in table.optional
                if attribute in table.places or not table.header_row
            )
    return headers


def gone(form: Form[Any], snapshot: Snapshot, had: OptionalColumns) -> Iterator[Problem]:
    """Yield a warning for each lost optional tab and column of a form in this season (REQ-11)."""
    for record in form.records():
        tab, table = tab_of(record), Table.of(snapshot, record)
        if tab.name not in had:
            continue
        if table.header_row:
            for attribute, column in table.absent:
                if column.header in had[tab.name] and column.header not in table.lookalikes.values():
                    says = f"the column {quoted(column.header)} is gone, so every row counts as {_default(column)}"
                    near = table.own_headers.get(table.renamed(attribute), "")
                    yield _warning(CellRef(table.title, table.header_row), says, near)
        elif tab.optional and not table.lookalike:
            near = nearest(tab.name, snapshot.others)
            yield _warning(CellRef(tab.name), "the tab is gone, so nothing of it counts", near)


def lacking(forms: Iterable[Form[Any]], snapshot: Snapshot) -> Iterator[str]:
    """Yield a line for each tab that lacks optional columns, for instance those of a later version (REQ-11).

    Tabs of people's own have the columns of their mapping (DB-17).
    """
    for record in dict.fromkeys(record for form in forms for record in form.records()):
        table = Table.of(snapshot, record)
        if table.header_row and table.absent and not (table.sheet and table.sheet.own):
            headers = ", ".join(column.header for _, column in table.absent)
            yield f"{table.title} may have more columns: {headers}. To use one, type its header behind the last one."


def _default(column: Field) -> str:
    parts = column.default if isinstance(column.default, tuple) else (column.default,)
    text = "; ".join(map(as_text, parts))
    return quoted(text) if text else "blank"


def _warning(cell: CellRef, says: str, near: str) -> Problem:
    rename = f", rename {quoted(near)}" if near else ""
    allowed = f"Bring it back{rename}, or accept that with run --accept-columns"
    return Problem(cell=cell, says=says, allowed=allowed, id="REQ-11", severity=Severity.WARNING)
