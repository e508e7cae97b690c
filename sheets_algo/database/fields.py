"""Fields of a database, by the names that rules and receipts give them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any

from engine.columns import columns, tab_of
from engine.ruleset import Plain
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.workbook.values import PerCent


def field_of(database: Iterable[type], book: Database, tab: str, row: str, header: str) -> tuple[Row, str]:
    """Return the row and the attribute of a database field.

    Args:
        row: The row's name, or its label in a tab in which rows may share a name.

    Raises:
        KeyError: There is no such tab, row or column (any more).
    """
    record, attribute = fields_of(tuple(database)).get((tab, header), (None, ""))
    rows = book.labelled(record, row) if record else ()
    if not rows:
        raise KeyError(f"{tab} has no row {row!r} with {header!r}")
    return rows[0], attribute


@functools.cache
def fields_of(database: tuple[type, ...]) -> Mapping[tuple[str, str], tuple[type, str]]:
    """Return the record class and the attribute of each declared tab and header."""
    return {
        (tab_of(record).name, column.header): (record, attribute)
        for record in database
        for attribute, column in columns(record)
    }


def plain(value: Any) -> Plain:
    """Return the value of a cell as a receipt stores it."""
    if isinstance(value, PerCent):
        return float(value)
    return value if isinstance(value, (bool, int, float, str)) else as_text(value) or None
