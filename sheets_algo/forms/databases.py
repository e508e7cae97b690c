"""The forms of each ruleset, the request tabs, and the database that they share."""

from __future__ import annotations

import functools
import operator
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.battle_map import Rgb
from engine.columns import loosely
from sheets_algo.database.headers import missing_title, misspelt_title, titled_like
from sheets_algo.database.problems import Problem
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
