"""Keys of the tabs that record classes declare."""

from __future__ import annotations

from typing import Any

from engine.columns import tab_of
from sheets_algo.workbook.tab_key import TabKey


def key_of(record: type[Any]) -> TabKey:
    """Return the key of the tab that a record class declares."""
    return TabKey.named(tab_of(record).name)
