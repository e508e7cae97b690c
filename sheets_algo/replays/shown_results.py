"""Cells that differ from the receipt: messages, results of requests and of their other rows, wars, odds.

The site, posts and standings are made from receipts alone; people read the sheet (RCP-34).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.columns import columns, loosely, tab_of
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.changes import shows
from sheets_algo.database.problems import Problem, quoted
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import by_ruleset, open_database
from sheets_algo.forms.request_columns import ends_war, part_of
from sheets_algo.ruling.forecast.forecast_rows import typed_over
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.requests.overrides import Overrides
from sheets_algo.ruling.requests.program_cells import edit_problems, find_edits
from sheets_algo.ruling.requests.row_states import RowKind, RowState, RowStates, row_digest
from sheets_algo.ruling.requests.status_columns import RESULTS, PartRows
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.values import Plain

MESSAGE_COMPARED = 30_000
"""Number of compared characters of a Message: a cell has room for a few more."""
AS_RECEIPT = "Let run or watch write it again"


def shown_otherwise(snapshot: Snapshot, forms: Sequence[Form[Any]], receipts: Receipts) -> Iterator[Problem]:
    """Yield each cell that differs from the receipt (RCP-34).

    Database cells are warnings: people may change them, and the next ruling accepts that (RCP-30). So is the war of a
    battle, which people may type afterwards.
    """
    for group in by_ruleset(forms):
        database = open_database(snapshot, group)
        for form in group:
            states = RowStates(form, database, receipts)
            parts = PartRows(form, database, receipts, states)
            for row in database.table(form.request):
                state = states.of(row)
                if state.ruling is not None:
                    yield from _of_request(parts, state, is_undone=receipts.is_undone(state.ruling))
        yield from edit_problems(find_edits(receipts, group, database))
    yield from typed_over(snapshot)
    overrides, keys = Overrides(snapshot, receipts, ()), {form.key for form in forms}
    for ruling in receipts.rulings:
        if ruling.ruleset in keys and receipts.ruling_in_force(ruling.request) is ruling:
            yield from overrides.late(ruling)


def _of_request(parts: PartRows, state: RowState, *, is_undone: bool) -> Iterator[Problem]:
    """Yield the wrong results of a request whose id was ruled, and of its other rows."""
    ruling = state.ruling
    assert ruling is not None
    is_shown = state.kind is RowKind.AS_RULED and not is_undone
    status = as_text(state.row.value("status"))
    is_done = is_shown and status == "Done"  # otherwise a pass has written another message
    if is_shown and not is_done:
        yield state.row.warning("status", "RCP-34", f"shows {_text(status)}, and {ruling.request} is ruled")
    title = loosely(as_text(state.row.value("war"))) if is_shown and "war" in state.row.table.places else ""
    if title and ruling.war and title not in ruling.titles:
        yield state.row.warning("war", "RCP-34", f"{ruling.request} was ruled as {_text(ruling.war)}")
    text = _squeezed(state.row.value("message")) if is_done else ""
    if text and _squeezed(ruling.figures.message) not in text:
        says = f"does not say what the receipt of {ruling.request} says: {_text(ruling.figures.message)}"
        yield state.row.problem("message", "RCP-34", says, allowed=AS_RECEIPT)
    if is_shown and {"part_of", "ends_war"} <= state.row.table.places.keys():
        yield from _of_war(state.row, ruling, parts.database)
    ruled_at = dict(columns(parts.form.request))["ruled_at"].header
    values = {**ruling.figures.values, ruled_at: ruling.time} if is_shown else {}
    yield from _of_row(state.row, ruling, values)
    if is_shown:
        left = [*ruling.figures.parts]
        for row in parts.of_requests.get(state.row.number, ()):
            place = tab_of(row.table.record).name, row_digest(row, without="request")
            alike = [part for part in left if (part.tab, part.digest) == place]
            if alike:  # otherwise a person has changed the row since, and its result is the old one
                part = next((part for part in alike if not any(_of_row(row, ruling, part.values))), alike[0])
                left.remove(part)
                yield from _of_row(row, ruling, part.values)


def _of_war(row: Row, ruling: StoredReceipt, database: Database) -> Iterator[Problem]:
    """Yield the difference if a row names another war for its battle than at its ruling (REQ-19, REQ-20)."""
    then, now = ruling.figures.part_of, part_of(row)
    if loosely(then) != loosely(now):
        says = f"{ruling.request} was ruled as part of {_text(then)}, and now counts for {_text(now)}"
        yield row.warning("part_of", "REQ-19", says)
    if ruling.figures.ends_war != ends_war(row, database):
        says = f"{ruling.request} {'ended its war' if ruling.figures.ends_war else 'did not end its war'} when ruled"
        yield row.warning("ends_war", "REQ-20", f"{says}, and {'does' if ends_war(row, database) else 'does not'} now")


def _of_row(row: Row, ruling: StoredReceipt, values: Mapping[str, Plain]) -> Iterator[Problem]:
    """Yield the cells of a row's result columns that differ from these values, by header."""
    for attribute, column in row.table.columns:
        value, actual = values.get(column.header), row.value(attribute)
        if column.place in RESULTS and attribute in row.table.places and not shows(actual, value):
            says = f"shows {_text(actual)}, and the receipt of {ruling.request} says {_text(value)}"
            yield row.problem(attribute, "RCP-34", says, allowed=AS_RECEIPT)


def _squeezed(value: Any) -> str:
    """Return a text without white space, cut to the room of a cell."""
    return "".join(as_text(value).split())[:MESSAGE_COMPARED]


def _text(value: Any) -> str:
    return quoted(as_text(value)) if as_text(value) else "nothing here"
