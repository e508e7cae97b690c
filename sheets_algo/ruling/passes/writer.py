"""Writing of cells and rulings: obstacles, database changes, receipts and logs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from engine.columns import column, loosely, tab_of
from engine.ruleset import Event, Outcome, Plain, Update
from sheets_algo.database.problems import CellRef, Problem
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form, FormResult
from sheets_algo.ruling.passes.pass_state import PassState
from sheets_algo.ruling.passes.receipt_log import edits_receipt
from sheets_algo.ruling.passes.request_tab import RequestTab, ValidRequest
from sheets_algo.ruling.receipts.receipts import Change, Figures, PartResult, StoredReceipt
from sheets_algo.ruling.receipts.season_lines import season_lines
from sheets_algo.ruling.requests.program_cells import AddedRow, field_of, plain
from sheets_algo.ruling.requests.row_states import deciding_cells
from sheets_algo.ruling.requests.status_columns import message, row_digest, war_digest


class Luck(NamedTuple):
    """The luck that decides a ruling."""

    seed: int
    source: str  # What the receipt says of where it comes from


class Resolution(NamedTuple):
    """Result of a ruling before it is written."""

    luck: Luck
    outcome: Outcome  # All of it
    content: FormResult[Any]  # The content of the request as decided by moderators
    overrides: str  # Their decisions, frozen; blank if there are none
    last_lines: tuple[Event, ...]  # The last lines of the log, where they are known at once (FC-06)
    rows: Sequence[AddedRow]  # The new rows of the database, as cells


def write(state: PassState, database: Database, row: Row, attribute: str, value: Plain) -> None:
    """Write a cell, which the requests below it see."""
    state.changes.set(row, attribute, value)
    database.write(row, attribute, value)


def obstacles_of(state: PassState, row: Row, attribute: str) -> Iterator[Problem]:
    """Yield the reason why a cell that must be written cannot be written (RCP-31)."""
    place, blocked = (row.table.name, row.number, row.table.places.get(attribute, 0)), state.context.before.blocked
    if place in blocked:
        yield row.problem(attribute, "RCP-31", blocked_says(blocked[place]))


def blocked_says(why: str) -> str:
    """Return the sentence for a blocked cell (RCP-31)."""
    return f"the program cannot write here: {why}"


def obstacles(
    state: PassState, form: Form[Any], database: Database, rows: Sequence[AddedRow], updates: Iterable[Update]
) -> Iterator[Problem]:
    """Yield the reasons why a ruling's database changes cannot be written.

    Raises:
        KeyError: An update names a row or column that does not exist.
        ValueError: Two of the new rows have one name.
    """
    new = {(tab_of(row.record).name, loosely(row.name)) for row in rows}
    if len(new) < len(rows):
        raise ValueError("two rows are to be added under one name")
    for table in dict.fromkeys(database.table(row.record) for row in rows):
        if not table.header_row:
            allowed = "Run init to add the tab with its headers"
            says = "the ruling adds a row here, but there are no headers"
            yield Problem(cell=CellRef(table.name), says=says, allowed=allowed, id="DB-03")
    for row in rows:
        yield from _row_obstacles(state, database.table(row.record), row)
    for update in updates:
        if (update.tab, loosely(update.row)) not in new:
            changed, attribute = field_of(form.database, database, update.tab, update.row, update.field)
            yield from obstacles_of(state, changed, attribute)
            yield from _ambiguity(database, changed, update)


def record(state: PassState, tab: RequestTab, request: ValidRequest, found: Resolution) -> StoredReceipt:
    """Write a ruling: the database changes, the receipt and the log.

    Cells that people have changed since the last ruling are accepted with this one (RCP-30).
    """
    form, database, row, outcome, log = tab.form, tab.database, request.row, found.outcome, state.log
    if state.edits:
        log.append(edits_receipt(log.numbered(), form, state.edits, state.now))
        state.edits = ()
    without = f"Ended without {', '.join(request.lapsed)}; the receipt says why" if request.lapsed else ""
    figures = Figures(
        message(request.content.warnings, outcome.summary, (*request.content.remarks, without)),
        outcome.figures,
        _parts(outcome, found.content, form, database),
        war_digest(row),
        deciding_cells(form, row, database),
        request.lapsed,
    )
    receipt = StoredReceipt(
        seq=log.numbered(),
        kind="Ruling",
        request=request.id,
        war=outcome.receipt.title,
        ruleset=form.key,
        winner=outcome.winner,
        seed=str(found.luck.seed),
        seed_source=found.luck.source,
        rules_fingerprint=state.context.fingerprints[form.ruleset_key],
        rules_version=form.ruleset.version,
        changes=tuple(_changes(state, form, database, outcome.updates, found.rows)),
        inputs=request.inputs,
        figures=figures,
        overrides=found.overrides,
        time=state.now,
    )
    wiki = outcome.receipt.wiki() + season_lines(outcome, receipt, log.with_new, form)
    receipt = log.append(replace(receipt, wiki=wiki, inputs_fingerprint=receipt.fingerprint))
    log.append_log(receipt, outcome.events, found.last_lines, state.context.writing.log_lines_most)
    return receipt


def _parts(outcome: Outcome, content: FormResult[Any], form: Form[Any], database: Database) -> tuple[PartResult, ...]:
    """Return the results in the request's other rows, which are found as they stand in the workbook, not as decided."""
    tables = {tab_of(record).name: database.table(record) for record in form.parts}
    by_row: dict[tuple[str, int], list[Mapping[str, Plain]]] = {}
    for result in outcome.results:
        number = content.rows[result.tab][result.row].number
        by_row.setdefault((result.tab, number), []).append(result.values)
    return tuple(
        PartResult(tab, row_digest(Row(tables[tab], number)), form.row_result(results))
        for (tab, number), results in by_row.items()
    )


def _row_obstacles(state: PassState, table: Table, added: AddedRow) -> Iterator[Problem]:
    """Yield the reasons why a row cannot be added: blocked cells below the table or a blocked tab (RCP-31)."""
    places = {table.places.get(attribute) for attribute in added.values}
    for place, reason in state.context.before.blocked.items():
        tab, row, column = place
        if tab == table.name and (row == 0 or (row >= table.next_number and column in places)):
            yield Problem(cell=CellRef(*place), says=blocked_says(reason), id="RCP-31")


def _changes(
    state: PassState, form: Form[Any], database: Database, updates: Iterable[Update], rows: Iterable[AddedRow]
) -> Iterable[Change]:
    """Add the new rows and write the updates, and return one change for each cell."""
    new_changes = [change for row in rows for change in _add_row(state, database, row)]
    new_changes += [_write_update(state, form, database, update) for update in updates]
    changes: dict[tuple[str, str, str], Change] = {}
    for change in new_changes:
        cell = (change.tab, loosely(change.row), change.field)
        changes[cell] = replace(changes.get(cell, change), after=change.after)
    return changes.values()


def _add_row(state: PassState, database: Database, added: AddedRow) -> Iterator[Change]:
    """Add one new row and yield its changes, the name first."""
    tab = tab_of(added.record)
    state.changes.add(database.add(added.record, added.values), added.values)
    for attribute in sorted(added.values, key=lambda attribute: attribute != tab.key):
        yield Change(tab.name, added.name, column(added.record, attribute).header, None, added.values[attribute])


def _write_update(state: PassState, form: Form[Any], database: Database, update: Update) -> Change:
    """Write one database field and return its change."""
    row, attribute = field_of(form.database, database, update.tab, update.row, update.field)
    before = plain(row.value(attribute))
    write(state, database, row, attribute, update.after)
    return Change(update.tab, update.row, update.field, before, update.after)


def _ambiguity(database: Database, row: Row, update: Update) -> Iterator[Problem]:
    """Yield the problem of an update that names several rows: two armies of a nation that share a name (R-94)."""
    key, others = tab_of(row.table.record).key, database.labelled(row.table.record, update.row)[1:]
    if others:
        says = f"{update.field} of {update.row} is to be changed, and {others[0].cell(key)} has this name too"
        yield row.problem(key, "R-94", says, allowed="Give each a name of its own")
