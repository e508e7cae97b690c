"""Writing of cells and rulings: obstacles, database changes, receipts with the lines of the season, and logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from engine.columns import column, loosely, tab_of
from engine.receipt import on_one_line, without_markup
from engine.ruleset import Event, Outcome, Plain, Update
from engine.settings import OWN_MOST
from sheets_algo import __version__
from sheets_algo.database.fields import field_of, plain
from sheets_algo.database.problems import CellRef, Problem, Severity, ended, message
from sheets_algo.database.records import RULE, RULE_AGAIN, Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.database.typed_numbers import certain
from sheets_algo.forms.base import Form, FormResult
from sheets_algo.forms.request_columns import ends_war, part_of, requested_action
from sheets_algo.ruling.luck.beacon import beacon_name, clock_time
from sheets_algo.ruling.receipts.receipts import Change, Figures, PartResult, Receipts, StoredReceipt
from sheets_algo.ruling.request_tab import RequestTab, ValidRequest
from sheets_algo.ruling.requests.program_cells import AddedRow, edits_receipt
from sheets_algo.ruling.requests.provenance import Provenance, late_decisions, provenance
from sheets_algo.ruling.requests.row_states import deciding_cells, row_digest, war_digest
from sheets_algo.ruling.step import Luck, PassState
from sheets_algo.workbook.addresses import Address
from sheets_algo.workbook.snapshot import Snapshot

NAMED = 5
"""Maximum number of cells that a receipt names; more are counted."""
FROM_SECRET = "\n=== Luck ===\n* Drawn with the season's secret, which is published in the end: verify rules it again."


class Resolution(NamedTuple):
    """Result of a ruling before it is written."""

    luck: Luck
    outcome: Outcome  # The outcome
    content: FormResult[Any]  # The content of the request with the moderators' decisions
    overrides: str  # Their decisions, frozen; blank if there are none
    last_lines: tuple[Event, ...]  # The last lines of the log (FC-06)
    rows: Sequence[AddedRow]  # The new rows of the database, as cells


def write(state: PassState, database: Database, row: Row, attribute: str, value: Plain) -> None:
    """Write a cell, so that the requests below read it."""
    value = certain(column(row.table.record, attribute), value)
    state.changes.set(row, attribute, value)
    database.write(row, attribute, value)


def obstacles_of(state: PassState, row: Row, attribute: str) -> Iterator[Problem]:
    """Yield the reason why a cell that must be written cannot be written (RCP-31)."""
    place, blocked = (row.table.key, row.number, row.table.places.get(attribute, 0)), state.context.before.blocked
    if place in blocked:
        yield row.problem(attribute, "RCP-31", blocked_says(blocked[place]))


def blocked_says(why: str, more: int = 0) -> str:
    """Return the sentence for a blocked cell, and for so many more of its tab (RCP-31)."""
    return f"the program cannot write here{f' and in {more:,} more cells' if more else ''}: {why}"


def blocked_warnings(snapshot: Snapshot, blocked: Mapping[Address, str]) -> Iterator[Problem]:
    """Yield the warnings of blocked cells: one for those of a tab with the same reason (RCP-31)."""
    alike = Counter((tab, why) for (tab, _, _), why in blocked.items())
    for (tab, *place), why in blocked.items():
        if cells := alike.pop((tab, why), 0):
            says = blocked_says(why, cells - 1)
            cell = CellRef(snapshot.title(tab), *place)
            yield Problem(cell=cell, says=says, id="RCP-31", severity=Severity.WARNING)


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
            yield Problem(cell=CellRef(table.title), says=says, allowed=allowed, id="DB-03")
        elif table.is_beside:
            name = tab_of(table.record).name
            says = f"the ruling adds a row of {name}, whose rows are those of another tab here"
            allowed = f'Give {name} a tab of its own, and name that in the tab "Columns"'
            yield Problem(cell=CellRef(table.title), says=says, allowed=allowed, id="DB-17")
    for row in rows:
        yield from _row_obstacles(state, database.table(row.record), row)
    for update in updates:
        if (update.tab, loosely(update.row)) not in new:
            changed, attribute = field_of(form.database, database, update.tab, update.row, update.field)
            yield from obstacles_of(state, changed, attribute)
            yield from _ambiguity(database, changed, update)


def record(state: PassState, tab: RequestTab, request: ValidRequest, resolution: Resolution) -> StoredReceipt:
    """Write a ruling: the database changes, the receipt and the log.

    Cells that people have changed since the last ruling are accepted with this one (RCP-30).
    """
    form, database, row, outcome, log = tab.form, tab.database, request.row, resolution.outcome, state.log
    content = resolution.content
    if state.edits:
        log.append(edits_receipt(log.next_seq, form, state.edits, state.contents.now))
        state.edits = ()
    without = f"Ended without {', '.join(request.lapsed)}; the receipt says why" if request.lapsed else ""
    figures = Figures(
        message(content.warnings, outcome.summary, (*content.remarks, *request.remarks, without)),
        outcome.figures,
        _parts(outcome, content, form, database),
        war_digest(row),
        deciding_cells(form, row, database),
        request.lapsed,
        part_of(row),
        ends_war(row, database),
        outcome.casualties,
    )
    receipt = StoredReceipt(
        seq=log.next_seq,
        kind="Ruling",
        request=request.id,
        war=outcome.receipt.title,
        ruleset=form.key,
        winner=outcome.winner,
        seed=str(resolution.luck.seed),
        seed_source=resolution.luck.source,
        rules_fingerprint=state.context.fingerprints[form.ruleset_key],
        rules_version=form.ruleset.version,
        changes=tuple(_changes(state, form, database, outcome.updates, resolution.rows)),
        inputs=request.inputs,
        figures=figures,
        overrides=resolution.overrides,
        time=state.contents.now,
    )
    receipts = log.with_new
    origin = provenance(receipt, receipts, form, outcome.typed)
    figures = replace(figures, people=origin.people, origins=origin.origins, release=__version__)
    receipt = replace(receipt, figures=figures)
    wiki = outcome.receipt.wiki() + season_lines(outcome, receipt, receipts, form, origin)
    receipt = replace(receipt, wiki=wiki)
    most = state.context.writing.log_lines_most
    receipt = log.append_ruling(receipt, outcome.events, resolution.last_lines, most)
    if requested_action(row, database) == RULE_AGAIN:  # it requests one ruling, without another after an undo
        write(state, database, row, "action", RULE)
    if state.context.has_formulas and state.context.has_formulas():
        state.changes.most = 0
    return receipt


def _parts(outcome: Outcome, content: FormResult[Any], form: Form[Any], database: Database) -> tuple[PartResult, ...]:
    """Return the results in the request's other rows, which are identified by their content before decisions.

    A part without a row has a result that no row shows.
    """
    tables = {tab_of(record).name: database.table(record) for record in form.parts}
    by_row: dict[tuple[str, int], list[int]] = {}
    for place, result in enumerate(outcome.results):
        row = content.rows[result.tab][result.row]
        number = row.number if row else -1 - result.row
        by_row.setdefault((result.tab, number), []).append(place)
    is_in_order = [place for places in by_row.values() for place in places] == [*range(len(outcome.results))]
    return tuple(
        PartResult(
            tab,
            row_digest(Row(tables[tab], number), without="request") if number > 0 else "",
            form.row_result([outcome.results[place].values for place in places]),
            () if is_in_order else tuple(places),
        )
        for (tab, number), places in by_row.items()
    )


def _row_obstacles(state: PassState, table: Table, added: AddedRow) -> Iterator[Problem]:
    """Yield the reasons why a row cannot be added: blocked cells below the table or a blocked tab (RCP-31)."""
    places = {table.places.get(attribute) for attribute in added.values}
    for place, reason in state.context.before.blocked.items():
        tab, row, column = place
        if tab == table.key and (row == 0 or (row >= table.next_number and column in places)):
            yield Problem(cell=CellRef(table.title, row, column), says=blocked_says(reason), id="RCP-31")


def _changes(
    state: PassState, form: Form[Any], database: Database, updates: Iterable[Update], rows: Iterable[AddedRow]
) -> Iterable[Change]:
    """Add the new rows and write the updates, and return one change for each cell."""
    new_changes = [change for added in rows for change in _add_row(state, database, added)]
    for update in updates:
        row, attribute = field_of(form.database, database, update.tab, update.row, update.field)
        before = plain(row.value(attribute))
        write(state, database, row, attribute, update.after)
        new_changes.append(Change(update.tab, update.row, update.field, before, update.after))
    changes: dict[tuple[str, str, str], Change] = {}
    for change in new_changes:
        changes[change.cell] = replace(changes.get(change.cell, change), after=change.after)
    return changes.values()


def _add_row(state: PassState, database: Database, added: AddedRow) -> Iterator[Change]:
    """Add one new row and yield its changes, the name first."""
    tab = tab_of(added.record)
    state.changes.add(database.add(added.record, added.values), added.values)
    for attribute in sorted(added.values, key=lambda attribute: attribute != tab.key):
        yield Change(tab.name, added.name, column(added.record, attribute).header, None, added.values[attribute])


def _ambiguity(database: Database, row: Row, update: Update) -> Iterator[Problem]:
    """Yield the problem of an update that names several rows: two armies of a nation that share a name (R-94)."""
    key, others = tab_of(row.table.record).key, database.labelled(row.table.record, update.row)[1:]
    if others:
        says = f"{update.field} of {update.row} is to be changed, and {others[0].cell(key)} has this name too"
        yield row.problem(key, "R-94", says, allowed="Give each a name of its own")


def season_lines(
    outcome: Outcome, ruling: StoredReceipt, receipts: Receipts, form: Form[Any], origin: Provenance
) -> str:
    """Return the lines as wiki markup: the season's own tables, people's decisions, lapsed orders, and luck."""
    added = _table_lines(receipts, form) + origin.text(ruling, receipts) + _lapse_lines(ruling)
    return added + _luck_lines(ruling, receipts, outcome)


def _table_lines(receipts: Receipts, form: Form[Any]) -> str:
    """Return a receipt's lines on the season's own tables; blank for none.

    A receipt names fewer differences itself, since they are frozen with its ruling.
    """
    number = len(receipts.versions.differs.get(form.ruleset_key, ()))
    if number <= OWN_MOST or receipts.begun is None:
        return ""
    says = f"The tables of {form.ruleset_key} are not the release's: the row of Kind Season names what differs"
    return f"\n=== Tables ===\n* {says}."


def _lapse_lines(ruling: StoredReceipt) -> str:
    """Return a line for each order that lapsed with the turn that a ruling ended; blank if none lapsed (REQ-18)."""
    lapsed = ruling.figures.lapsed
    lines = (f"\n* {without_markup(on_one_line(f'{id}: {ended(order.why)}'))}" for id, order in lapsed.items())
    return f"\n=== Lapsed ==={''.join(lines)}" if lapsed else ""


def _luck_lines(ruling: StoredReceipt, receipts: Receipts, outcome: Outcome) -> str:
    """Return a receipt's lines on the source of its luck; blank for none.

    They count the promises of the war (LUCK-04), and name typed values in place of luck (LUCK-12).
    """
    draw, chain = ruling.draw, receipts.luck.chain
    if draw is None:
        return FROM_SECRET if outcome.is_drawn and ruling.seed_source == "season" else ""
    typed = without_markup("; ".join(outcome.typed))
    round = f"ound {draw.round} of {beacon_name(chain)} ({clock_time(chain.time_of(draw.round))})"
    if outcome.is_drawn:
        decided = f"Decided by r{round},"
        rest = f" People typed, so that no round decided it: {typed}." if typed else ""
    else:
        decided = f"No round decided this: {f'people typed {typed}' if typed else 'nothing is drawn'}. R{round} was"
        rest = ""
    promise = receipts.by_seq.get(draw.promise)
    late = "; ".join(decision.text for decision in late_decisions(ruling, promise)) if promise else ""
    rest += f" Decided after the promise: {without_markup(on_one_line(late))}." if late else ""
    return f"\n=== Luck ===\n* {decided} {draw.told()}{rest}"
