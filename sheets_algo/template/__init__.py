"""Content of a new workbook, derived from the record classes and value lists of the chosen rulesets.

`template` describes a new workbook, which a backend writes; `missing` describes the tabs that an existing workbook
lacks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.columns import ColumnPlace, ValueList, columns, loosely, tab_of
from engine.columns import TabDeclaration as Declared
from engine.config_value import at, is_one
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.database.changes import Changes
from sheets_algo.database.headers import key_of
from sheets_algo.forms.base import Form
from sheets_algo.ruling.receipts.receipt_rows import LogRow, ReceiptRow
from sheets_algo.ruling.receipts.receipt_tab import ReceiptLog, read_receipts
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.ruling.requests.overrides import LISTS as OVERRIDE_LISTS
from sheets_algo.ruling.requests.overrides import OverrideRow
from sheets_algo.steps import STEPS
from sheets_algo.template.choices import Choices
from sheets_algo.template.guide import guide
from sheets_algo.template.looks import GREY, HEADING
from sheets_algo.template.tabs import Rows, program_tab, record_tab, shared_tab
from sheets_algo.workbook.changes import ChangeSet, NewTab, SetCell
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.template_spec import (
    BATTLE_MAP,
    MAP_CAPTION,
    CellSpec,
    ColumnSpec,
    SeasonStart,
    TabSpec,
    Template,
)

__all__ = ["Template", "examples_of", "missing", "template"]

NUMBERED_ROWS = 200
"""Number of numbered blank request rows in a new workbook."""


def template(
    forms: Sequence[Form[Any]],
    examples: Mapping[str, Rows],
    empty: bool = False,
    season: StoredReceipt | None = None,
    *,
    with_overrides: bool = False,
    is_open: bool = False,
    foreign: Mapping[TabKey, str] = MappingProxyType({}),
) -> Template:
    """Return the description of a new workbook.

    Args:
        examples: The example rows by tab; each row has its values by header.
        empty: True to leave the examples out.
        is_open: True to open the groups of columns that are seldom used.
        foreign: The tabs of people's own, as of `Snapshot`; the program gets each of its own beside them.

    Raises:
        TableError: The examples name a tab or a column that none of the rulesets has.
    """
    records = {tab_of(record).name: record for form in forms for record in form.records()}
    _check_examples(examples, records)
    rows: dict[str, Rows] = {} if empty else {tab: list(tab_rows) for tab, tab_rows in examples.items()}
    for form in forms:
        tab = tab_of(form.request).name
        rows[tab] = _numbered_rows(form, rows.get(tab, ()))
    choices = Choices(forms, {tab: len(tab_rows) for tab, tab_rows in rows.items()})
    owners: dict[type, Form[Any]] = {}
    for form in forms:
        for record in form.records():
            owners.setdefault(record, form)
    own_tabs = [
        record_tab(form, record, rows.get(tab_of(record).name, ()), choices, is_open=is_open)
        for record, form in owners.items()
    ]
    shared: list[tuple[type, Mapping[str, ValueList]]] = []
    if with_overrides or key_of(OverrideRow) in foreign:
        shared.append((OverrideRow, OVERRIDE_LISTS))
    of_steps = [
        (record, step.lists)
        for step in STEPS
        for record in step.tabs
        if step.is_offered(forms) or (key_of(record) in foreign and not tab_of(record).program_only)
    ]
    shared += [(record, lists) for record, lists in of_steps if not tab_of(record).program_only]
    own_tabs += [shared_tab(record, lists) for record, lists in shared]
    written = [LogRow, *(record for record, _ in of_steps if tab_of(record).program_only)]
    programs = [program_tab(ReceiptRow, _receipts(season)), *(program_tab(record, ()) for record in written)]
    program_declarations = [tab_of(record) for record in (*(record for record, _ in shared), ReceiptRow, *written)]
    if any(legend.colours for form in forms for legend in form.legends()):
        programs.append(_picture_tab())
        about = "The map of the last ruling, or the name of its file."
        program_declarations.append(Declared(BATTLE_MAP.name, about=about))
    tabs = (guide(forms, program_declarations, foreign), *own_tabs, *programs, *choices.tabs())
    start = season_start(season) if season else None
    return Template(tabs, opens_with=own_tabs[0].key, season=start, foreign=foreign)


def season_start(season: StoredReceipt) -> SeasonStart:
    """Return the template's rows of the season's first receipt."""
    return SeasonStart(season.seq, season.inputs_fingerprint, season.time, Head(season.seq, season.digest))


def missing(template: Template, snapshot: Snapshot, season: StoredReceipt | None) -> ChangeSet:
    """Return the changes that complete an existing workbook without altering its content.

    Missing tabs are added, and blank ones get their headers. The receipt of the season is added if there is no receipt.

    Args:
        snapshot: The snapshot of at least the tabs in `template.needed`.
    """
    tabs = [tab for tab in template.tabs if tab.is_needed]
    season_changes = _season_changes(season, snapshot)
    return ChangeSet(
        tabs=tuple(NewTab(snapshot.key(tab.key), tab.top_row) for tab in tabs if snapshot.sheet(tab.key) is None),
        cells=tuple(_header_cells(tabs, snapshot)),
        rows=season_changes.rows,
        guard=season_changes.guard,
        head=season_changes.head,
    )


def examples_of(forms: Sequence[Form[Any]], library: ConfigLoader) -> Mapping[str, Rows]:
    """Return the rows of every example whose tabs all belong to the chosen rulesets, by tab."""
    tabs = {tab_of(record).name for form in forms for record in form.records()}
    examples = (library.example(name) for name in library.examples)
    return {tab: rows for example in examples if tabs >= example.keys() for tab, rows in example.items()}


def _check_examples(examples: Mapping[str, Rows], records: Mapping[str, type]) -> None:
    """Check the names of tabs and headers, since values of an unknown header would be left out silently."""
    with at(file="examples"):
        for tab, rows in examples.items():
            is_one(tab, records, "a tab of these rulesets")
            headers = [column.header for _, column in columns(records[tab])]
            for position, row in enumerate(rows):
                with at(tab, position):
                    for header in row:
                        is_one(header, headers, f"a column of {tab}")


def _numbered_rows(form: Form[Any], rows: Rows) -> Rows:
    """Return the example requests followed by blank rows with ids that no example has."""
    header = next(column.header for _, column in columns(form.request) if column.place is ColumnPlace.FIRST)
    used = {loosely(str(row.get(header, ""))) for row in rows}
    ids = (f"{form.prefix}{number:04}" for number in range(1, NUMBERED_ROWS + len(rows) + 1))
    free = [id for id in ids if loosely(id) not in used]
    return [*rows, *({header: id} for id in free[:NUMBERED_ROWS])]


def _receipts(season: StoredReceipt | None) -> Rows:
    headers = {attribute: column.header for attribute, column in columns(ReceiptRow)}
    return [{headers[name]: value for name, value in row.items()} for row in season.rows()] if season else []


def _picture_tab() -> TabSpec:
    caption = f"{MAP_CAPTION} the last ruling, before and after, is placed here, or the name of its file."
    return TabSpec(
        key=BATTLE_MAP,
        columns=[ColumnSpec(header="", width=12, is_programs=True)],
        rows=[[CellSpec(caption, HEADING)]],
        colour=GREY,
        has_header=False,
    )


def _season_changes(season: StoredReceipt | None, snapshot: Snapshot) -> ChangeSet:
    changes = Changes()
    log = ReceiptLog(snapshot, changes, read_receipts(snapshot))
    if season is None or log.receipts.by_seq:
        return ChangeSet()
    log.append(season)
    return changes.finish(season.seq, head=log.head)


def _header_cells(tabs: Sequence[TabSpec], snapshot: Snapshot) -> Iterator[SetCell]:
    for tab in tabs:
        sheet = snapshot.sheet(tab.key)
        if sheet is not None and not sheet.rows:
            for number, header in enumerate(tab.top_row, start=1):
                yield SetCell(tab.key, 1, number, header)
