"""The forms of each ruleset, and the database that they share."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Sequence
from typing import Any

from sheets_algo.database.records import Database, Vocabulary
from sheets_algo.forms.base import Form
from sheets_algo.workbook.snapshot import Snapshot


def by_ruleset(forms: Iterable[Form[Any]]) -> list[tuple[Form[Any], ...]]:
    """Group forms by ruleset, in the order of each ruleset's first form."""
    groups: dict[str, tuple[Form[Any], ...]] = {}
    for form in forms:
        groups[form.ruleset_key] = (*groups.get(form.ruleset_key, ()), form)
    return list(groups.values())


def open_database(snapshot: Snapshot, forms: Sequence[Form[Any]]) -> Database:
    """Return a database that is shared by the forms of one ruleset."""
    records = dict.fromkeys(record for form in forms for record in form.records())
    return Database(snapshot, records, vocabulary_of(forms))


def vocabulary_of(forms: Sequence[Form[Any]]) -> Vocabulary:
    """Return the union of the vocabularies of one ruleset's forms."""
    return functools.reduce(operator.or_, (form.vocabulary for form in forms))
