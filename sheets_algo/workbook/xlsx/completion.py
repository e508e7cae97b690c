"""Completion of a file that a person made: missing tabs get the format of a new workbook.

A drop-down list whose values are in a tab of the workbook needs them where the template has them. Where that tab has
other columns or values, a short list holds its words itself, and any other is left out; what is typed is checked all
the same when it is read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from sheets_algo.workbook.changes import ChangeSet, NewTab
from sheets_algo.workbook.snapshot import Sheet, Snapshot
from sheets_algo.workbook.staleness import cell_of
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.template_spec import AreaSpec, CellCheck, CellSpec, FormulaSpec, TabSpec, Template, quoted
from sheets_algo.workbook.values import Plain

_LONGEST_LIST = 255
"""Maximum number of characters of the words inside a rule."""


def with_looks(changes: ChangeSet, template: Template, snapshot: Snapshot) -> ChangeSet:
    """Return the changes with descriptions of the new tabs, and with the tabs that their drop-down lists need.

    Args:
        changes: The changes that add tabs with their headers.
        snapshot: The workbook, with all tabs of the template that it has.
    """
    helpers = {tab.key: sheet for tab in template.tabs if not tab.is_needed and (sheet := snapshot.sheet(tab.key))}
    theirs = {tab.key for tab in template.tabs if tab.key in helpers and not _shares_header(tab, helpers[tab.key])}
    snapshot = snapshot.without({**snapshot.foreign, **{key: helpers[key].title for key in theirs}})
    added = {tab.tab for tab in changes.tabs}
    others = {tab.key for tab in template.tabs if not tab.is_needed and snapshot.sheet(tab.key) is None}
    unlike = {tab.key for tab in template.tabs if (sheet := snapshot.sheet(tab.key)) and not _is_like(tab, sheet)}
    unlike |= {tab.key for tab in template.tabs if tab.key in others and _reads(tab, unlike)}
    lost = {tab.key: tab for tab in template.tabs if tab.key in unlike}
    tabs = {tab.key: _looks(tab, lost) for tab in template.tabs if tab.key in added | others - unlike}
    checks = [check for key in added for column in tabs[key].columns for check in column.checks]
    sources = {check.source.tab for check in checks if isinstance(check.source, AreaSpec)}
    sources |= {other for other in others for key in sources & others if _reads(tabs[key], [other])}
    specs = [tab for key, tab in tabs.items() if key in added | sources]
    specs = [_addressed(tab, snapshot) for tab in specs]
    return replace(changes, tabs=tuple(NewTab(tab.key, tab.top_row, tab) for tab in specs))


def _addressed(tab: TabSpec, snapshot: Snapshot) -> TabSpec:
    """Return a tab with the titles that the program's tabs have beside those of people's own."""

    def sourced(check: CellCheck) -> CellCheck:
        if not isinstance(check.source, AreaSpec):
            return check
        return replace(check, source=replace(check.source, tab=snapshot.key(check.source.tab)))

    def computed(cell: CellSpec) -> CellSpec:
        if not isinstance(cell.value, FormulaSpec):
            return cell
        text = cell.value.text
        for key in snapshot.foreign:
            text = re.sub(rf"(?<![\w']){re.escape(quoted(key.name))}!", f"{quoted(key.beside.name)}!", text)
        return replace(cell, value=replace(cell.value, text=text))

    columns = [replace(column, checks=[*map(sourced, column.checks)]) for column in tab.columns]
    return replace(tab, key=snapshot.key(tab.key), columns=columns, rows=[[*map(computed, row)] for row in tab.rows])


def _shares_header(tab: TabSpec, sheet: Sheet) -> bool:
    return not {text for text in tab.top_row if text}.isdisjoint(sheet.rows.get(1, ()))


def _is_like(tab: TabSpec, sheet: Sheet) -> bool:
    """Return True if a tab of the workbook has its columns, or its lists, where the template has them."""
    rows: list[tuple[Plain | FormulaSpec, ...]] = [tab.top_row]
    if not tab.is_needed:
        rows += [tuple(None if isinstance(cell.value, FormulaSpec) else cell.value for cell in row) for row in tab.rows]
    return all(
        value in (None, "") or cell_of(sheet, row, column) == value
        for row, values in enumerate(rows, start=1)
        for column, value in enumerate(values, start=1)
    )


def _reads(tab: TabSpec, others: Collection[TabKey]) -> bool:
    """Return True if a formula of a tab reads one of these tabs."""
    texts = {cell.value.text for row in tab.rows for cell in row if isinstance(cell.value, FormulaSpec)}
    return any(f"{quoted(other.name)}!" in text for other in others for text in texts)


def _looks(tab: TabSpec, lost: Mapping[TabKey, TabSpec]) -> TabSpec:
    """Return a tab without the lists of values that are elsewhere, and without rows of the program."""
    columns = [replace(column, checks=tuple(_usable(column.checks, lost))) for column in tab.columns]
    is_filled_later = tab.is_programs and tab.is_needed and tab.has_header
    return replace(tab, columns=columns, rows=() if is_filled_later else tab.rows)


def _usable(checks: Iterable[CellCheck], lost: Mapping[TabKey, TabSpec]) -> Iterator[CellCheck]:
    for check in checks:
        if not isinstance(check.source, AreaSpec) or check.source.tab not in lost:
            yield check
        elif words := _words(check.source, lost[check.source.tab]):
            yield replace(check, source=words)


def _words(area: AreaSpec, tab: TabSpec) -> tuple[str, ...]:
    """Return the values of an area of a tab if they fit into a rule; none if they do not, or are computed."""
    (top, left), (bottom, right) = area.first, area.last
    values = [cell.value for row in tab.rows[top - 2 : bottom - 1] for cell in row[left - 1 : right]]
    words = tuple(value for value in values if isinstance(value, str) and "," not in value and '"' not in value)
    is_complete = len(words) == (bottom - top + 1) * (right - left + 1)
    return words if is_complete and len(",".join(words)) <= _LONGEST_LIST else ()
