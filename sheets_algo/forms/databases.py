"""The forms of each ruleset, the request tabs, the database that they share, and the optional columns of a season."""

from __future__ import annotations

import functools
import operator
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.battle_map import Rgb
from engine.columns import Field, loosely, tab_of
from engine.suggest import nearest
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.headers import missing_title, misspelt_title, titled_like
from sheets_algo.database.problems import CellRef, Problem, Severity, quoted
from sheets_algo.database.records import Database, Vocabulary
from sheets_algo.database.tables import Table
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import PictureForm
from sheets_algo.forms.rulesets import form_entries
from sheets_algo.workbook.snapshot import Snapshot


def by_ruleset(forms: Iterable[Form[Any]]) -> list[tuple[Form[Any], ...]]:
    """Group forms by ruleset, in the order of each ruleset's first form."""
    groups: dict[str, tuple[Form[Any], ...]] = {}
    for form in forms:
        groups[form.ruleset_key] = (*groups.get(form.ruleset_key, ()), form)
    return list(groups.values())


def open_database(snapshot: Snapshot, forms: Sequence[Form[Any]], ruled: Collection[str] = ()) -> Database:
    """Return a database that is shared by the forms of one ruleset; `ruled` as of `Database`."""
    records = dict.fromkeys(record for form in forms for record in form.records())
    return Database(snapshot, records, vocabulary_of(forms), ruled)


def vocabulary_of(forms: Sequence[Form[Any]]) -> Vocabulary:
    """Return the union of the vocabularies of one ruleset's forms."""
    return functools.reduce(operator.or_, (form.vocabulary for form in forms))


def request_tables(snapshot: Snapshot, forms: Iterable[Form[Any]]) -> Mapping[str, Table]:
    """Return the request tab of each form, by the form's key."""
    return {form.key: Table.of(snapshot, form.request) for form in forms}


def missing_request_tabs(
    snapshot: Snapshot, had: Collection[str] = (), ruled: Collection[str] = ()
) -> Iterator[Problem]:
    """Yield a problem for each missing request tab, whose requests would stay unruled (DB-04, REQ-11).

    A tab is missing if another tab has a similar title, or if the season had it.

    Args:
        had: The names of tabs that the season had.
        ruled: The keys of forms that have ruled in the season.
    """
    for form in form_entries():
        name = form.request_tab.name
        if snapshot.sheet(form.request_tab) is not None:
            continue
        if lookalike := titled_like(name, snapshot.others):
            yield misspelt_title(lookalike, name)
        elif name in had or any(key.startswith(form.ruleset_key) and key == form.load().key for key in ruled):
            yield missing_title(name, (*snapshot.others, *snapshot.foreign.values()))


def orphan_problems(form: Form[Any], database: Database) -> Iterator[Problem]:
    """Yield a problem for the first row of each request that does not exist, and for the first without a request."""
    known = {loosely(id) for id in database.table(form.request).texts("request")}
    for record in form.parts:
        table = database.table(record)
        lost = [rows[0] for id, rows in table.by_request.items() if id not in known]
        for row in (*lost, *[row for row in table if row.is_blank("request")][:1]):
            cell = row.cell("request")
            yield from (problem for problem in database.read(row, record).problems if problem.cell == cell)


def colours_of(form: Form[Any] | None, snapshot: Snapshot) -> Mapping[str, Rgb]:
    """Return the colours of the sides in a form's pictures."""
    return form.colours(open_database(snapshot, [form])) if isinstance(form, PictureForm) else {}


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
