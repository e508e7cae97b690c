"""Every problem of a workbook, found without ruling or writing anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any

from engine.battle_map import Scene
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.problems import PROBLEMS_COUNTED, CellRef, Problem, Rejected, Severity, quoted
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.database.wording import count
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import BoardForm, TurnForm
from sheets_algo.forms.databases import by_ruleset, missing_request_tabs, open_database, request_tables
from sheets_algo.forms.former_columns import gone
from sheets_algo.forms.request_columns import request_id, requested_action
from sheets_algo.ruling.passes.order_turns import RULINGS, OrderTurns
from sheets_algo.ruling.passes.ruler import dead_leader_problem, death_of, without_the_dead
from sheets_algo.ruling.plan import Answer, Plan
from sheets_algo.ruling.promises.promises import PROMISED_IN
from sheets_algo.ruling.receipts.chain import given_up_by, other_rules
from sheets_algo.ruling.receipts.receipt_rows import LogRow
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import SEQ_MOST, Receipts
from sheets_algo.ruling.repair.intents import PendingTab
from sheets_algo.ruling.requests.overrides import Overrides
from sheets_algo.ruling.requests.program_cells import edit_problems, find_edits
from sheets_algo.ruling.requests.row_states import Ids, LostRequests, RowKind, RowStates, ShownResults
from sheets_algo.ruling.requests.sent_orders import read_sent
from sheets_algo.ruling.requests.turns_tab import TurnsTab
from sheets_algo.workbook.snapshot import Snapshot

LOST_NAMED = 10
"""Most ids that a warning of lost rows lists."""


def check(
    snapshot: Snapshot,
    forms: Iterable[Form[Any]],
    trial: Callable[[], Plan | None] = lambda: None,
    receipts: Receipts | None = None,
) -> tuple[Problem, ...]:
    """Return every problem of the database and of every request without a receipt, ready or not; rule nothing.

    Args:
        trial: Returns the plan of a pass that writes nothing, None if there is none. It shows which requests are
            refused, what orders above mend or use up, and which cells take no value (RCP-31); what else its rulings
            bring depends on luck and is left out. It is not asked once there are problems enough.

    Returns:
        The problems, each once; the first `PROBLEMS_COUNTED` and one more if there are more.

    Raises:
        ReceiptDamaged: A receipt was changed by hand so that it cannot be read.
    """
    problems: dict[Problem, None] = {}
    for problem in _all_problems(snapshot, tuple(forms), trial, receipts or read_receipts(snapshot)):
        problems[problem] = None
        if len(problems) > PROBLEMS_COUNTED:
            break
    return tuple(problems)


def _all_problems(
    snapshot: Snapshot, forms: tuple[Form[Any], ...], trial: Callable[[], Plan | None], receipts: Receipts
) -> Iterator[Problem]:
    """Yield every problem, some of them several times."""
    trial = cache(trial)

    @cache
    def answers() -> Mapping[CellRef, Answer]:
        plan = trial()
        return {answer.cells.row.cell("request"): answer for answer in plan.findings.answers} if plan else {}

    yield from (*unsettled(snapshot, forms, receipts), *missing_request_tabs(snapshot, *receipts.had))
    yield from (problem for form in forms if (problem := other_rules(form, receipts)))
    yield from (problem for form in forms for problem in gone(form, snapshot, receipts.columns))
    tables = request_tables(snapshot, forms)
    overrides = Overrides(snapshot, receipts, tables.values())
    yield from overrides.problems
    turns_tab = TurnsTab(snapshot, forms)
    yield from turns_tab.problems
    for group in by_ruleset(forms):
        database = open_database(snapshot, group)
        yield from edit_problems(find_edits(receipts, group, database))
        for form in group:
            table = database.table(form.request)
            yield from table.header_problems
            yield from _unshown(table)
            for record in (form.request, *form.parts):
                yield from database.table(record).further_header_problems
            yield from form.check(database)
            sent = read_sent(form, database, snapshot, turns_tab, receipts) if isinstance(form, TurnForm) else None
            yield from sent.problems if sent else ()
            ids = Ids(form, database, tables, receipts)
            turns = OrderTurns(form, database, receipts) if isinstance(form, TurnForm) else None
            states = RowStates(form, database, receipts)
            unruled = _problems_of_requests(form, database, receipts, states, overrides)
            distinct = dict.fromkeys(chain.from_iterable(unruled.values()))
            if len(distinct) > PROBLEMS_COUNTED:
                yield from distinct
                return
            for row in table:
                ruling = receipts.ruling_of(request_id(row))
                state = states.of(row)
                if state.kind is RowKind.COPY:
                    copied = answers().get(row.cell("request"))
                    yield from (copied and copied.problems) or (state.notice,)
                    continue
                yield from state.problems
                yield from ids.conflict_problems(row, ruling)
                if row.number in unruled:
                    problems, answer = unruled[row.number], answers().get(row.cell("request"))
                    if answer and answer.cells.status:
                        problems = (*_errors(answer, problems), *_remaining_problems(answer, problems))
                        if answer.is_later and isinstance(form, TurnForm):
                            problems = (*problems, row.note(form.turn_column, "REQ-10", answer.cells.message))
                    elif (
                        isinstance(form, TurnForm) and turns and turns.awaited(row)
                    ):  # once ready, it waits for its turn
                        problems = tuple(problem for problem in problems if problem.cell != row.cell(form.turn_column))
                    yield from problems
                    yield from overrides.pending(request_id(row))[1]
    if plan := trial():
        yield from (problem for problem in plan.findings.of_tabs if problem.id == "RCP-31")


def _errors(answer: Answer, row_problems: Sequence[Problem]) -> Iterator[Problem]:
    """Yield the errors of a request; of one with mistakes those that it has now, and what orders above use up (FC-01).

    What else the rulings of the trial would bring depends on luck.
    """
    errors = [problem for problem in answer.problems if problem.is_error]
    if not answer.is_misread:
        yield from errors
        return
    now = [problem for problem in row_problems if problem.is_error]
    cells = {(problem.cell, problem.id) for problem in now}
    used_up = (problem for problem in errors if problem.cause and problem.cause.is_used_up)
    yield from (*now, *(problem for problem in used_up if (problem.cell, problem.id) not in cells))


def _remaining_problems(answer: Answer, row_problems: Sequence[Problem]) -> Iterator[Problem]:
    """Yield what is left of a request's problems once its errors are known; of an order that lapses, why (REQ-18).

    What the rulings of the trial would bring depends on luck and is left out, unless an order above uses it up.
    """
    yield from (problem for problem in row_problems if not problem.is_error)
    texts = {problem.says for problem in row_problems}
    for problem in answer.problems if answer.lapses or answer.cells.status == "Lapsed" else ():
        if problem.cause and (problem.cause.is_used_up or problem.says in texts):
            yield replace(problem, allowed=problem.allowed or "It lapses with its turn, unless that changes")
        elif problem.id == "REQ-10":
            yield problem


def _unshown(table: Table) -> Iterator[Problem]:
    """Yield a note if a request tab lacks some of the program's columns, in which rows show nothing then."""
    programs = [(attribute, column.header) for attribute, column in table.columns if column.place.is_programs]
    lacks = {attribute: header for attribute, header in programs if attribute not in table.places}
    if table.header_row and 0 < len(lacks) < len(programs):
        renamed = [table.own_headers[number] for attribute in lacks if (number := table.renamed(attribute))]
        names = ", ".join(map(quoted, lacks.values()))
        says = f"there is no column {names}, so rows do not show what the program writes there"
        allowed = f"Nothing, if that is meant; else add it{f', or rename {quoted(renamed[0])}' if renamed else ''}"
        cell = CellRef(table.title, table.header_row)
        yield Problem(cell=cell, says=says, allowed=allowed, id="DB-03", severity=Severity.NOTE)


def planned_scenes(snapshot: Snapshot, forms: Iterable[Form[Any]], receipts: Receipts) -> Mapping[str, Scene]:
    """Return the picture of each request with a board that is not ruled, by id, or by row if it has none (REQ-15)."""
    scenes: dict[str, Scene] = {}
    for group in by_ruleset(forms):
        database = open_database(snapshot, group)
        for form in (form for form in group if isinstance(form, BoardForm)):
            for row in database.table(form.request):
                if receipts.is_settled(request_id(row)):
                    continue
                with suppress(Rejected):  # a board cannot show it
                    if scene := form.board(row, database).scene:
                        scenes[request_id(row) or f"row {row.number}"] = scene
    return scenes


def unsettled(snapshot: Snapshot, forms: Sequence[Form[Any]], receipts: Receipts) -> tuple[Problem, ...]:
    """Return the problems of cells that earlier commits displaced (RCP-33), and of lost rows of requests (REQ-09)."""
    return (
        *PendingTab.read(snapshot, map(type, forms)).all_problems,
        *_lost_rows(request_tables(snapshot, forms), receipts),
    )


def _lost_rows(tables: Mapping[str, Table], receipts: Receipts) -> Iterator[Problem]:
    """Yield a warning for each tab that has lost rows of ruled requests."""
    gone, _ = LostRequests(receipts, tables).by_presence
    for key, table in tables.items():
        lost = [ruling.request for ruling in gone if ruling.ruleset == key]
        if lost:
            listed = ", ".join(lost[:LOST_NAMED]) + (" ..." if len(lost) > LOST_NAMED else "")
            says = f"{count(len(lost), 'ruled request')} {'is' if len(lost) == 1 else 'are'} in no row: {listed}"
            allowed = "Nothing, if you removed the rows on purpose; if you changed an id, put it back"
            cell, severity = CellRef(table.title), Severity.WARNING
            yield Problem(cell=cell, says=says, allowed=allowed, id="REQ-09", severity=severity)


def gone_by_rows(snapshot: Snapshot, forms: Iterable[Form[Any]], receipts: Receipts) -> Iterator[str]:
    """Yield what the Log and the rows of requests show of receipts that are gone, in sentences (RCP-19).

    The last receipts can be deleted without a gap; whoever does that has to clean these places too. What was given up
    by a receipt of kind Restore is not repeated.

    Args:
        snapshot: The snapshot of the tabs that a pass reads, and the whole tab Log.
    """
    restored = [given_up_by(receipt) for receipt in receipts.restores]
    given_up = [run for each in restored for run in each.missing]
    for number, request in sorted(logged_requests(snapshot).items()):
        if number not in receipts.by_seq and not any(first <= number <= last for first, last in given_up):
            yield f"{LogRow.tab.name} has lines of receipt {number} ({request}), which is gone."
    if restored:  # rows go on to show what was given up
        return
    for row in rows_without_receipt(snapshot, forms, receipts):
        cell, time = row.cell("ruled_at"), as_text(row.value("ruled_at"))
        yield f"{cell} ({request_id(row)}) shows a ruling of {time}, whose receipt is gone."
    for table in request_tables(snapshot, forms).values():
        for row in table:
            promised = PROMISED_IN.match(as_text(row.value("message")))
            promise = receipts.by_seq.get(int(promised[1])) if promised else None
            if promised and (promise is None or promise.kind != "Promise"):
                cell = row.cell("message")
                yield f"{cell} ({request_id(row)}) shows a promise, receipt {promised[1]}, which is gone."


def logged_requests(snapshot: Snapshot) -> dict[int, str]:
    """Return the request of each receipt of which the Log has lines, by the receipt's number."""
    requests: dict[int, str] = {}
    for row in Table.of(snapshot, LogRow):
        seq = as_text(row.value("seq"))
        if seq.isdecimal() and len(seq) <= len(str(SEQ_MOST)):
            requests.setdefault(int(seq), as_text(row.value("request")))
    return requests


def rows_without_receipt(snapshot: Snapshot, forms: Iterable[Form[Any]], receipts: Receipts) -> Iterator[Row]:
    """Yield the rows that show a ruling of which there is no receipt."""
    results = ShownResults(receipts)
    for table in request_tables(snapshot, forms).values():
        yield from (row for row in table if results.problem(row) and receipts.ruling_of(request_id(row)) is None)


def _problems_of_requests(
    form: Form[Any], database: Database, receipts: Receipts, states: RowStates, overrides: Overrides
) -> Mapping[int, tuple[Problem, ...]]:
    """Return the problems of each request without a receipt, by row; rows after too many problems are left out."""
    by_row: dict[int, tuple[Problem, ...]] = {}
    distinct = set[Problem]()
    for row in database.table(form.request):
        if len(distinct) > PROBLEMS_COUNTED:
            break
        if states.of(row).kind is not RowKind.COPY and not receipts.is_settled(request_id(row)):
            by_row[row.number] = _request_problems(form, database, row, receipts, overrides)
            distinct.update(by_row[row.number])
    return by_row


def _request_problems(
    form: Form[Any], database: Database, row: Row, receipts: Receipts, overrides: Overrides
) -> tuple[Problem, ...]:
    """Return the problems of a request; of a dead leader either that he leads again or that he cannot (LDR-11)."""
    try:
        content = form.read(row, database)
        problems, dead = content.warnings, content.dead_leaders
    except Rejected as rejection:
        problems, dead = rejection.problems, rejection.dead_leaders
    if receipts.options.dead_leaders != "refuse" or requested_action(row, database) not in RULINGS:
        return problems
    is_decided = overrides.rows_of(request_id(row))  # perhaps who leads in his place, which the trial knows
    refusals = () if is_decided else [dead_leader_problem(leader, death_of(leader, receipts)) for leader in dead]
    return (*without_the_dead(problems), *refusals)
