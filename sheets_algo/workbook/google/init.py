"""Complete a Google spreadsheet that a person made and shared: tabs it lacks are made, what people made stays.

A service account cannot make a spreadsheet of its own. Everything that is sent can be sent again without doubling
anything: tabs and protected ranges have ids that their names choose, and the season's receipt has its guard.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sheets_algo.receipts import ReceiptRow
from sheets_algo.template.parts import Tab, Template
from sheets_algo.workbook.base import RefusedChange, UnknownOutcome, WorkbookUnavailable
from sheets_algo.workbook.google import guard
from sheets_algo.workbook.google.api import Api, BadRequest
from sheets_algo.workbook.google.batch import Request
from sheets_algo.workbook.google.newtabs import appended, cells, new_tab, size
from sheets_algo.workbook.google.places import Places
from sheets_algo.workbook.google.rules import Rules, free_id
from sheets_algo.workbook.google.standing import Seen, Standing, look

MOST = 1_800_000
"""Characters of one request: Google advises to stay below two megabytes."""
TRIES = 3
"""How often it is read and planned anew when others write at the same time, or no answer came."""
_RECEIPTS = ReceiptRow.tab.name


@dataclass(frozen=True, slots=True)
class Completion:
    """What a spreadsheet lacks.

    Args:
        tabs: Names of the tabs to be made or mended.
        batches: Requests, to be sent batch by batch.
    """

    tabs: tuple[str, ...] = ()
    batches: tuple[Sequence[Request], ...] = ()


def complete(
    api: Api, template: Template, *, dry: bool = False, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> tuple[str, ...]:
    """Make what a spreadsheet lacks.

    Args:
        api: The spreadsheet.
        template: What it should have. The examples of tabs that stand there already are left out.
        dry: Write nothing.
        clock: The time now.

    Returns:
        Names of the tabs that were made or mended; none if nothing was lacking.

    Raises:
        WorkbookUnavailable: It cannot be read or written, or it has lost its receipts.
        RefusedChange: Google refuses a request, for a protected tab say.
        UnknownOutcome: No answer came to any try.
    """
    tabs: dict[str, None] = {}
    for attempt in range(1, TRIES + 1):
        try:
            it = plan(template, look(api, template), clock())
            tabs |= dict.fromkeys(it.tabs)
            for batch in () if dry else it.batches:
                api.batch_update({"requests": batch}, fields="spreadsheetId")
            return tuple(tabs)
        except UnknownOutcome:  # what has come of it is seen when it is read again
            if attempt == TRIES:
                raise
        except BadRequest as error:  # people, or another init, changed the tabs meanwhile
            if attempt == TRIES:
                raise RefusedChange(f'Google refuses to complete the spreadsheet: "{error.message}".') from error
    raise AssertionError("unreachable")


def plan(template: Template, seen: Seen, now: datetime) -> Completion:
    """What completes a spreadsheet, in batches of bounded size; pure.

    The order lets every try that broke off be mended by the next: a tab's cells are written at once, and until then it
    is blank; rules are added one by one where they are missing.

    Args:
        template: What it should have.
        seen: What it has.
        now: Stands in the guard of the season's receipt.

    Raises:
        WorkbookUnavailable: Receipts were written and are no longer there.
    """
    standing = _as_it_will_stand(template, seen)
    places = Places(standing)
    rules = Rules(template, seen, places)
    season = _season(template, places, seen, now)
    lacking = {
        tab.name: [*cells(tab, standing[tab.name], places, seen.tabs.get(tab.name)), *rules.missing(tab)]
        for tab in template.tabs
    }
    lacking[_RECEIPTS] = [*season.cells, *lacking[_RECEIPTS]]
    first = [new_tab(tab, standing[tab.name]) for tab in template.tabs if tab.name not in seen.tabs]
    rest = [request for name in sorted(lacking, key=_RECEIPTS.__ne__) for request in lacking[name]]
    last = [] if seen.spare is None else [{"deleteSheet": {"sheetId": seen.spare}}]
    return Completion(
        tuple(tab.name for tab in template.tabs if lacking[tab.name]),
        tuple(_batches([*season.guard, *first, *rest, *last])),
    )


def _as_it_will_stand(template: Template, seen: Seen) -> dict[str, Standing]:
    """Every tab of the template: those that stand there, and those to be made under ids that nobody has."""
    standing: dict[str, Standing] = {}
    for tab in template.tabs:
        it = seen.tabs.get(tab.name)
        if it is None:
            taken = seen.ids | {other.id for other in standing.values()}
            it = Standing(id=free_id(tab.name, taken), title=tab.name)
        if it.is_blank:
            rows, columns = size(tab)
            it = replace(it, rows=max(it.rows, rows), columns=max(it.columns, columns), **_from_the_top(tab))
        elif tab.is_hidden:
            it = _widened(tab, it)
        standing[tab.name] = it
    return standing


def _from_the_top(tab: Tab) -> dict[str, Any]:
    return {
        "header_row": 1 if tab.has_header else 0,
        "places": {place: place for place in range(1, len(tab.columns) + 1)},
    }


def _widened(tab: Tab, it: Standing) -> Standing:
    """A tab of formulas that was made for other rulesets: what it lacks comes to the right of what it has."""
    lacking = [place for place in range(1, len(tab.columns) + 1) if place not in it.places]
    return replace(
        it,
        header_row=1,
        rows=max(it.rows, size(tab)[0]) if lacking else it.rows,
        columns=it.columns + len(lacking),
        places={**it.places, **{place: it.columns + number for number, place in enumerate(lacking, start=1)}},
    )


@dataclass(frozen=True, slots=True)
class _Season:
    """The first receipt: the guard that lets it through once, and its cells if the tab has headers already."""

    guard: Sequence[Request] = ()
    cells: Sequence[Request] = ()


def _season(template: Template, places: Places, seen: Seen, now: datetime) -> _Season:
    it = places.tabs[_RECEIPTS]
    if template.season is None or (it.last_row and not it.header_row) or it.last_row > it.header_row:
        return _Season()
    if seen.slots:
        raise WorkbookUnavailable(
            f"{seen.name}: receipts were written here, and the tab {_RECEIPTS} has lost them; restore it in Google"
            " Sheets under File, Version history, or begin a new season in a new spreadsheet."
        )
    tab = next(tab for tab in template.tabs if tab.name == _RECEIPTS)
    guarded = (guard.request(template.season.seq, now, template.season.inputs_fingerprint),)
    return _Season(guarded) if it.is_blank else _Season(guarded, tuple(appended(tab, it, places)))


def _batches(requests: Iterable[Request]) -> Iterator[Sequence[Request]]:
    batch: list[Request] = []
    length = 0
    for request in requests:
        more = len(json.dumps(request)) + 2
        if batch and length + more > MOST:
            yield batch
            batch, length = [], 0
        batch.append(request)
        length += more
    if batch:
        yield batch
