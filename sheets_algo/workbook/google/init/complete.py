"""Completion of a Google spreadsheet that a person made and shared: missing tabs are made, existing content stays.

A service account cannot make a spreadsheet of its own. Every request can be sent again without making anything twice:
the ids of tabs and protected ranges follow from their names, and the season's receipt has its guard.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sheets_algo.workbook.errors import RefusedChange, UnknownOutcome, WorkbookUnavailable
from sheets_algo.workbook.google.commit import guard
from sheets_algo.workbook.google.commit.requests import Request
from sheets_algo.workbook.google.http.api import Api, BadRequest
from sheets_algo.workbook.google.init.current_template import CurrentSpreadsheet, CurrentTab, look
from sheets_algo.workbook.google.init.new_tabs import append_rows, cells, new_tab, size
from sheets_algo.workbook.google.init.rules import Rules, free_id
from sheets_algo.workbook.google.init.template_places import Places
from sheets_algo.workbook.staleness import RECEIPTS_TAB
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.template_spec import TabSpec, Template

MOST = 1_800_000
"""The maximum number of characters of one request: Google advises to stay below two megabytes."""
TRIES = 3
"""The maximum number of attempts to read and plan when others write at the same time, or no answer came."""


@dataclass(frozen=True, slots=True)
class Completion:
    """The requests that complete a spreadsheet."""

    tabs: tuple[TabKey, ...] = ()  # The tabs to be made or mended
    batches: tuple[Sequence[Request], ...] = ()  # The requests, to be sent batch by batch


def complete(
    api: Api, template: Template, *, dry: bool = False, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> tuple[TabKey, ...]:
    """Make the tabs, columns and rules that a spreadsheet lacks.

    Args:
        template: The template. Its examples are left out for tabs that exist already.
        dry: Send no write.
        clock: A function that returns the time now.

    Returns:
        The tabs that were made or mended; none if nothing was lacking.

    Raises:
        WorkbookUnavailable: The spreadsheet cannot be read or written, or it has lost its receipts.
        RefusedChange: Google refuses a request, for example for a protected tab.
        UnknownOutcome: No attempt got an answer.
    """
    tabs: dict[TabKey, None] = {}
    for attempt in range(1, TRIES + 1):
        try:
            completion = plan(template, look(api, template), clock())
            tabs |= dict.fromkeys(completion.tabs)
            for batch in () if dry else completion.batches:
                api.batch_update({"requests": batch}, fields="replies")
            return tuple(tabs)
        except UnknownOutcome:  # the next read shows what was carried out
            if attempt == TRIES:
                raise
        except BadRequest as error:  # a person, or another init, changed the tabs meanwhile
            if attempt == TRIES:
                raise RefusedChange(f'Google refuses to complete the spreadsheet: "{error.message}".') from error
    raise AssertionError("unreachable")


def plan(template: Template, spreadsheet: CurrentSpreadsheet, now: datetime) -> Completion:
    """Return the requests that complete a spreadsheet, in batches of bounded size; a pure function.

    By this order the next attempt can complete an interrupted one: a tab's cells are written at once, and until then it
    is blank; missing rules are added one by one.

    Args:
        now: The time for the guard of the season's receipt.

    Raises:
        WorkbookUnavailable: Receipts were written and are no longer there.
    """
    planned = _planned_tabs(template, spreadsheet)
    places = Places(planned)
    rules = Rules(template, spreadsheet, places)
    season = _season(template, places, spreadsheet, now)
    lacking = {
        tab.key: [*cells(tab, planned[tab.key], places, spreadsheet.tabs.get(tab.key)), *rules.missing(tab)]
        for tab in template.tabs
    }
    lacking[RECEIPTS_TAB] = [*season.cells, *lacking[RECEIPTS_TAB]]
    first = [new_tab(tab, planned[tab.key]) for tab in template.tabs if tab.key not in spreadsheet.tabs]
    rest = [request for tab in sorted(lacking, key=RECEIPTS_TAB.__ne__) for request in lacking[tab]]
    last = [] if spreadsheet.spare is None else [{"deleteSheet": {"sheetId": spreadsheet.spare}}]
    return Completion(
        tuple(tab.key for tab in template.tabs if lacking[tab.key]),
        tuple(_batches([*season.guard, *first, *rest, *last])),
    )


def _planned_tabs(template: Template, spreadsheet: CurrentSpreadsheet) -> dict[TabKey, CurrentTab]:
    """Return every tab of the template: existing ones, and new ones under unused ids."""
    planned: dict[TabKey, CurrentTab] = {}
    for tab in template.tabs:
        current = spreadsheet.tabs.get(tab.key)
        if current is None:
            key = tab.key.beside if tab.key in spreadsheet.foreign else tab.key
            taken = spreadsheet.ids | {other.id for other in planned.values()}
            current = CurrentTab(id=free_id(tab.name, taken), title=key.name)
        if current.is_blank:
            rows, columns = size(tab)
            current = replace(
                current, rows=max(current.rows, rows), columns=max(current.columns, columns), **_template_columns(tab)
            )
        elif tab.is_hidden and tab.is_programs:
            current = _widen(tab, current)
        planned[tab.key] = current
    return planned


def _template_columns(tab: TabSpec) -> dict[str, Any]:
    return {
        "header_row": 1 if tab.has_header else 0,
        "places": {place: place for place in range(1, len(tab.columns) + 1)},
    }


def _widen(tab: TabSpec, current: CurrentTab) -> CurrentTab:
    """Return a tab of formulas made for other rulesets with the columns that it lacks, to the right of its own."""
    lacking = [place for place in range(1, len(tab.columns) + 1) if place not in current.places]
    return replace(
        current,
        header_row=1,
        rows=max(current.rows, size(tab)[0]) if lacking else current.rows,
        columns=current.columns + len(lacking),
        places={**current.places, **{place: current.columns + number for number, place in enumerate(lacking, start=1)}},
    )


@dataclass(frozen=True, slots=True)
class _Season:
    """The season's receipt: its guard, which lets it through once, and its cells if the tab has headers already."""

    guard: Sequence[Request] = ()
    cells: Sequence[Request] = ()


def _season(template: Template, places: Places, spreadsheet: CurrentSpreadsheet, now: datetime) -> _Season:
    current = places.tabs[RECEIPTS_TAB]
    if (
        template.season is None
        or (current.last_row and not current.header_row)
        or current.last_row > current.header_row
    ):
        return _Season()
    if spreadsheet.slots:
        raise WorkbookUnavailable(
            f"{spreadsheet.name}: receipts were written here, and the tab {RECEIPTS_TAB} has lost them; restore it in"
            " Google Sheets under File, Version history, or begin a new season in a new spreadsheet."
        )
    tab = next(tab for tab in template.tabs if tab.key == RECEIPTS_TAB)
    guards = (guard.request(template.season.seq, now, template.season.digest, template.season.head),)
    return _Season(guards) if current.is_blank else _Season(guards, tuple(append_rows(tab, current, places)))


def _batches(requests: Iterable[Request]) -> Iterator[Sequence[Request]]:
    batch: list[Request] = []
    length = 0
    for request in requests:
        size = len(json.dumps(request)) + 2
        if batch and length + size > MOST:
            yield batch
            batch, length = [], 0
        batch.append(request)
        length += size
    if batch:
        yield batch
