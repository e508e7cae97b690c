"""People's tabs under names of the program's, which are left alone, and renamed tabs of the program (DB-04).

Here, too, is what `init` proposes of people's own tabs in a workbook without a season.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from engine.columns import tab_of
from sheets_algo.database.cell_text import as_text, is_typed
from sheets_algo.database.headers import HeadedTab, key_of, titled_like
from sheets_algo.database.problems import CellRef, Problem, quoted
from sheets_algo.database.tables import Table
from sheets_algo.forms.base import Form
from sheets_algo.forms.own_sheet import Proposal, propose
from sheets_algo.forms.rulesets import form_entries
from sheets_algo.ruling.receipts.receipt_rows import LogRow, ReceiptRow
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.ruling.repair.intents import PendingRow
from sheets_algo.ruling.requests.overrides import OverrideRow
from sheets_algo.steps import STEPS, tabs_to_read
from sheets_algo.workbook.changes import AppendRow, ChangeSet, NewTab, SetCell
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.own_columns import COLUMNS, HEADERS
from sheets_algo.workbook.snapshot import Sheet, Snapshot
from sheets_algo.workbook.staleness import cell_of
from sheets_algo.workbook.store import Workbook
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.template_spec import MAP_CAPTION, PICTURE_TABS, ColumnSpec, Style, TabSpec
from sheets_algo.workbook.values import Value

_OF_STEPS = tuple(record for step in STEPS for record in (*step.tabs, *step.headed))
PROGRAMS = (ReceiptRow, LogRow, PendingRow, *(record for record in _OF_STEPS if tab_of(record).program_only))
"""The record classes of tabs that only the program writes."""
SHARED = (OverrideRow, *(record for record in _OF_STEPS if not tab_of(record).program_only))
"""The record classes of tabs that people fill and all rulesets share."""
LEAST, LEAST_BEFORE_INIT, LEAST_KNOWN = 2, 3, 1
"""The signs, of three, that a tab has at least if it is the program's: usually; when `init` comes upon it in a workbook
that nobody made for the program; and if the season has it or people made the workbook for the program, so that an error
in it is named with its cell."""


def least_signs(receipts: Receipts) -> int:
    """Return the minimum number of signs of the program's tabs, for a tab outside the season."""
    return LEAST if receipts.columns else LEAST_KNOWN


def without_foreign(
    snapshot: Snapshot, records: Iterable[type], had: Collection[str] = (), least: int = LEAST
) -> Snapshot:
    """Return a snapshot without the tabs of people's own among those of some record classes, and the tabs of maps.

    Args:
        had: The names of tabs that the season has.
        least: The minimum number of signs of the program's tabs, for any other tab.
    """
    records_by_key = {key_of(record): record for record in records}
    keys = {key: key for key in (*records_by_key, *snapshot.sheets)}
    beside = {keys[key]: title for title in snapshot.others if (key := TabKey.named(title)) in snapshot.sheets}
    foreign = {**snapshot.foreign, **beside}
    for key, sheet in snapshot.sheets.items():
        record = records_by_key.get(key)
        signs = LEAST_KNOWN if record and tab_of(record).name in had else least
        if TabKey.named(sheet.title).has_ending or not (record or key in PICTURE_TABS):
            continue
        is_map = as_text(cell_of(sheet, 1, 1)).startswith(MAP_CAPTION) or not sheet.rows
        if not is_map if record is None else _is_foreign(record, sheet, signs):
            foreign[keys[key]] = sheet.title
    return snapshot.without(foreign)


def _is_foreign(record: type, sheet: Sheet, least: int) -> bool:
    """Return True if a tab has content and too few signs; a receipt whose headers are gone is damaged, not foreign."""
    if not any(is_typed(cell) for cells in sheet.rows.values() for cell in cells):
        return False
    if record is ReceiptRow and any(map(_is_digest, (cell for cells in sheet.rows.values() for cell in cells))):
        return False
    return HeadedTab(record, sheet).signs < least


def _is_digest(cell: Value) -> bool:
    return isinstance(cell, str) and re.fullmatch("[0-9a-f]{64}", cell) is not None


def foreign_lines(snapshot: Snapshot, problems: Iterable[Problem]) -> Iterator[str]:
    """Yield a sentence for each tab of people's own that no problem names."""
    named = {problem.cell.tab for problem in problems}
    for key, title in snapshot.foreign.items():
        own = f"the program's is {quoted(snapshot.title(key))}"
        if key not in snapshot.sheets:
            own = f"the program makes {quoted(snapshot.key(key).name)} when it needs one"
        if title not in named:
            yield f"{CellRef(title)}: a tab of your own, of which nothing is read; {own}."


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


_WIDTHS = (22.0, 26.0, 18.0, 26.0, 12.0)
"""The widths of the columns of the tab Columns, in characters."""


def proposal_of(workbook: Workbook, snapshot: Snapshot, forms: Sequence[Form[Any]]) -> Proposal:
    """Return the proposed mapping of people's own tabs; none if the tab Columns exists already.

    Raises:
        WorkbookError: They cannot be read.
    """
    records = [*PROGRAMS, *SHARED, *(record for form in forms for record in form.records())]
    present = {*map(key_of, records), *PICTURE_TABS} & snapshot.sheets.keys()
    titles = [*snapshot.others, *snapshot.foreign.values()]
    titles += [sheet.title for key, sheet in snapshot.sheets.items() if key not in present]  # of another ruleset
    if snapshot.own or not titles:
        return Proposal()
    sheets = workbook.read([*map(TabKey.named, titles)]).sheets.values()
    return propose([sheet for sheet in sheets if sheet.title in titles], forms, present)


def assign(workbook: Workbook, proposal: Proposal) -> None:
    """Write the tab Columns, and the missing headers of people's tabs, all or nothing.

    Raises:
        WorkbookError: As `Workbook.commit`.
    """
    titles = dict.fromkeys(each.title for each in proposal.assignments)
    snapshot = workbook.read([*map(TabKey.named, titles), COLUMNS])
    key = COLUMNS.beside if snapshot.sheet(COLUMNS) else COLUMNS
    columns = [
        ColumnSpec(header=header, width=width, heading=Style(bold=True))
        for header, width in zip(HEADERS, _WIDTHS, strict=True)
    ]
    rows = [
        (each.title, each.header, each.tab or None, each.column or None, None if each.factor == 1 else each.factor)
        for each in proposal.assignments
    ]
    changes = ChangeSet(
        tabs=(NewTab(key, HEADERS, TabSpec(key=key, columns=columns)),),
        cells=tuple(
            SetCell(TabKey.named(title), row, column, header) for title, row, column, header in proposal.lacking
        ),
        rows=tuple(AppendRow(key, row) for row in rows),
    )
    workbook.commit(snapshot, changes)
