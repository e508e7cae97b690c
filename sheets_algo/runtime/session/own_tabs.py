"""Mapping of people's own tabs: the proposal of `init` in a workbook without a season, and its confirmation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sheets_algo.database.tab_keys import key_of
from sheets_algo.forms.base import Form
from sheets_algo.forms.own_sheet import Proposal, propose
from sheets_algo.runtime.session.foreign_tabs import PROGRAMS, SHARED
from sheets_algo.workbook.changes import AppendRow, ChangeSet, NewTab, SetCell
from sheets_algo.workbook.own_columns import COLUMNS, HEADERS
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.store import Workbook
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.template_spec import PICTURE_TABS, ColumnSpec, Style, TabSpec

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
