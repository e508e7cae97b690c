"""The rules of a ruleset: those of its rulebook, and the notes of its columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.columns import columns, tab_of
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forms.base import Form

WORKBOOK = "workbook"
"""Name of the rulebook with the rules that all rulesets share."""


def rulebook(
    library: ConfigLoader, book: str, forms: Iterable[Form[Any] | type[Form[Any]]]
) -> Mapping[str, Mapping[str, str]]:
    """Return the rules of a book by id: `text`, with `ruling` and `why` where something was decided.

    A column without a rule in the book is its own rule: `Age (Nations): In which the nation lives.`

    Args:
        forms: The forms of its ruleset; none for the rules of all workbooks.
    """
    rules, shared = dict(library.rulebook(book)), library.rulebook(WORKBOOK)
    records = dict.fromkeys(record for form in forms for record in form.records())
    for tab, column in ((tab_of(record).name, column) for record in records for _, column in columns(record)):
        if column.id not in shared:
            rules.setdefault(column.id, {"text": f"{column.header} ({tab}): {column.note}"})
    return rules
