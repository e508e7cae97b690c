"""What a new workbook contains, made from the record classes and value lists of the chosen rulesets.

`template` describes it, a backend writes it, `missing` gives an existing workbook the tabs it lacks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from engine.entry import Entry
from engine.fields import Place, columns, loosely, tab_of
from engine.fields import Tab as Declared
from sheets_algo.changes import Changes
from sheets_algo.forecasts.tab import ForecastRow
from sheets_algo.forms.base import Form
from sheets_algo.ledger import ReceiptBook
from sheets_algo.receipts import LogRow, Receipt, ReceiptRow
from sheets_algo.template.choices import Choices
from sheets_algo.template.guide import guide
from sheets_algo.template.looks import GREY, HEADING
from sheets_algo.template.parts import BATTLE_MAP, Cell, Column, Tab, Template
from sheets_algo.template.tabs import Rows, program_tab, record_tab
from sheets_algo.workbook.base import ChangeSet, NewTab, SetCell, Snapshot

__all__ = ["Template", "examples_of", "missing", "template"]

NUMBERED_ROWS = 200
"""Blank request rows that have an id from the start."""


def template(
    forms: Sequence[Form[Any]], examples: Mapping[str, Rows], empty: bool = False, season: Receipt | None = None
) -> Template:
    """A new workbook for some rulesets.

    Args:
        forms: The rulesets, at least one.
        examples: Tab to its rows, header to value.
        empty: Leave the examples out.
        season: The receipt that holds the digest of the season's secret.

    Raises:
        Slip: The examples name a tab or a column that none of the rulesets has.
    """
    records = {tab_of(record).name: record for form in forms for record in form.records()}
    _check_examples(Entry("examples", examples), records)
    rows: dict[str, Rows] = {} if empty else {tab: list(its_rows) for tab, its_rows in examples.items()}
    for form in forms:
        tab = tab_of(form.request).name
        rows[tab] = _numbered(form, rows.get(tab, ()))
    choices = Choices(forms, {tab: len(its_rows) for tab, its_rows in rows.items()})
    owners: dict[type, Form[Any]] = {}
    for form in forms:
        for record in form.records():
            owners.setdefault(record, form)
    of_forms = [record_tab(form, record, rows.get(tab_of(record).name, ()), choices) for record, form in owners.items()]
    programs = [program_tab(ReceiptRow, _receipts(season)), program_tab(LogRow, ()), program_tab(ForecastRow, ())]
    declared = [ReceiptRow.tab, LogRow.tab, ForecastRow.tab]
    if any(legend.colours for form in forms for legend in form.legends()):
        programs.append(_pictures())
        declared.append(Declared(BATTLE_MAP, about="The map of the last ruling, before and after."))
    tabs = (guide(forms, declared), *of_forms, *programs, *choices.tabs())
    return Template(tabs, opens_with=of_forms[0].name, season=season)


def missing(it: Template, snapshot: Snapshot) -> ChangeSet:
    """What completes a workbook that somebody has begun; nothing that stands in it is changed.

    Tabs it lacks are added and blank ones get their headers. The season begins unless a receipt stands there already.

    Args:
        it: The workbook as it would be made anew.
        snapshot: Of at least the tabs in `it.needed`.
    """
    tabs = [tab for tab in it.tabs if tab.is_needed]
    season = _season_rows(it, snapshot)
    return ChangeSet(
        tabs=tuple(NewTab(tab.name, tab.top_row) for tab in tabs if snapshot.sheet(tab.name) is None),
        cells=tuple(_headers(tabs, snapshot)),
        rows=season.rows,
        guard=season.guard,
    )


class Examples(Protocol):
    """Where example workbooks are."""

    @property
    def examples(self) -> tuple[str, ...]:
        """Their names."""
        ...

    def example(self, name: str) -> Mapping[str, Rows]:
        """Tab to its rows, header to value."""
        ...


def examples_of(forms: Sequence[Form[Any]], library: Examples) -> Mapping[str, Rows]:
    """The rows of every example whose tabs all belong to the chosen rulesets."""
    tabs = {tab_of(record).name for form in forms for record in form.records()}
    examples = (library.example(name) for name in library.examples)
    return {tab: rows for example in examples if tabs >= example.keys() for tab, rows in example.items()}


def _check_examples(examples: Entry, records: Mapping[str, type]) -> None:
    """A misspelled header would leave its values out without a word."""
    for tab, rows in examples.items():
        examples.known(tab, list(records), "a tab of these rulesets")
        heads = [column.header for _, column in columns(records[tab])]
        for row in rows.each():
            for header, _ in row.items():
                row.known(header, heads, f"a column of {tab}")


def _numbered(form: Form[Any], rows: Rows) -> Rows:
    """Example requests and below them blank rows, each with an id that no example has."""
    header = next(column.header for _, column in columns(form.request) if column.place is Place.FIRST)
    used = {loosely(str(row.get(header, ""))) for row in rows}
    ids = (f"{form.prefix}{number:04}" for number in range(1, NUMBERED_ROWS + len(rows) + 1))
    free = [id for id in ids if loosely(id) not in used]
    return [*rows, *({header: id} for id in free[:NUMBERED_ROWS])]


def _receipts(season: Receipt | None) -> Rows:
    heads = {attribute: column.header for attribute, column in columns(ReceiptRow)}
    return [{heads[name]: value for name, value in row.items()} for row in season.rows()] if season else []


def _pictures() -> Tab:
    says = "The map of the last ruling, before and after, is placed here."
    return Tab(
        name=BATTLE_MAP,
        columns=[Column(header="", width=12, is_programs=True)],
        rows=[[Cell(says, HEADING)]],
        colour=GREY,
        has_header=False,
    )


def _season_rows(it: Template, snapshot: Snapshot) -> ChangeSet:
    changes = Changes()
    receipts = ReceiptBook(snapshot, changes)
    if it.season is None or receipts.receipts.by_seq:
        return ChangeSet()
    receipts.append(it.season)
    return changes.finish(it.season.seq)


def _headers(tabs: Sequence[Tab], snapshot: Snapshot) -> Iterator[SetCell]:
    for tab in tabs:
        sheet = snapshot.sheet(tab.name)
        if sheet is not None and not sheet.rows:
            for number, header in enumerate(tab.top_row, start=1):
                yield SetCell(sheet.name, 1, number, header)
