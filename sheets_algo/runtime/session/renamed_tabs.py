"""Renamed tabs, beside which a new tab would begin empty (DB-04)."""

from __future__ import annotations

from collections.abc import Sequence

from sheets_algo.database.headers import titled_like
from sheets_algo.database.tab_keys import key_of
from sheets_algo.database.tables import Table
from sheets_algo.forms.rulesets import form_entries
from sheets_algo.steps import tabs_to_read
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.store import Workbook
from sheets_algo.workbook.tab_key import TabKey

LEAST_HEADERS = 4
"""Minimum number of a tab's headers in a tab under another title that counts as renamed."""


def refuse_beside_renamed(
    workbook: Workbook, snapshot: Snapshot, records: Sequence[type], tabs: Sequence[TabKey], refused: str
) -> None:
    """Refuse to create tabs if the workbook has one of them under another title.

    Args:
        records: The record classes of tabs that are recognised by headers too.
        tabs: The tabs to create.
        refused: The refused action, as the beginning of the sentence.

    Raises:
        RefusedChange: An existing tab looks like one to create.
    """
    if taken := renamed_tab(workbook, snapshot, records, tabs):
        title, name = taken
        says = f'the tab "{title}" looks like {name}, which would be made beside it, empty. Rename it to "{name}"'
        raise RefusedChange(f'{refused}: {says}; if it is a tab of your own, make an empty tab "{name}" first.')


def renamed_tab(
    workbook: Workbook, snapshot: Snapshot, records: Sequence[type], tabs: Sequence[TabKey]
) -> tuple[str, str] | None:
    """Return the title of a renamed tab, and the name of the tab to create in its place; None without."""
    lacking = {tab for tab in tabs if snapshot.sheet(tab) is None}
    titles = snapshot.others
    for tab in tabs_to_read(form_entries()):
        if tab in lacking and (title := titled_like(tab.name, titles)):
            return title, snapshot.key(tab).name
    records = [record for record in records if key_of(record) in lacking]
    others = [*map(TabKey.named, titles)] if records else []
    heads = workbook.read((), others).sheets.values() if others else ()
    tables = [Table(record, sheet) for sheet in heads for record in records]
    best = max(tables, key=lambda table: len(table.places), default=None)
    if best is None or len(best.places) < max(LEAST_HEADERS, len(best.own_headers)):
        return None
    return best.title, snapshot.key(best.key).name
