"""The plan of one pass over a snapshot: problems, rulings and changes. Pure: equal arguments give an equal plan.

Receipts are the truth. A request is ruled if it is ready, valid and has no receipt. The program's columns are
recomputed on every pass and written where they differ.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from engine.columns import loosely
from engine.ruleset import no_op
from sheets_algo.database.problems import Problem, Severity
from sheets_algo.database.records import RULE
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import by_ruleset, missing_request_tabs, optional_columns, orphan_problems
from sheets_algo.forms.request_columns import is_ready, request_id
from sheets_algo.ruling.passes.judge import answer, obstacles, renew, separate
from sheets_algo.ruling.passes.rehearsal import first_readings, rehearsed, workbook_problems
from sheets_algo.ruling.passes.writer import blocked_warnings
from sheets_algo.ruling.plan import (
    Answer,
    LogFactory,
    PassContext,
    PassFindings,
    Plan,
    PlannedWrites,
    RemainingWork,
    read_contents,
)
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.ruling.receipts.season_receipts import columns_receipt, rules_receipt
from sheets_algo.ruling.repair.intents import WaitingRow, with_note
from sheets_algo.ruling.request_tab import RequestTab, ValidRequest, refused
from sheets_algo.ruling.requests.program_cells import edit_problems, find_edits
from sheets_algo.ruling.requests.row_states import RowKind
from sheets_algo.ruling.requests.status_columns import StatusWriter
from sheets_algo.ruling.step import PassState, Result, begin_pass, open_tabs
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.snapshot import Snapshot


def plan_pass(
    snapshot: Snapshot,
    context: PassContext,
    now: str,
    logs: LogFactory = lambda form, request: no_op,
    receipts: Receipts | None = None,
) -> Plan:
    """Plan one pass over a snapshot: a repair, new ids, or answers to all requests.

    Args:
        snapshot: The tabs of `steps.tabs_to_read`, and the headers of `steps.HEADERS_TO_READ`.
        now: The time of the pass, UTC, ISO 8601.
        logs: Returns the sink of each request's log.

    Raises:
        SeasonMismatch: The secret is another season's.
    """
    state = begin_pass(read_contents(snapshot, context, now, logs, receipts))
    if state.is_rehearsal:
        return _answers(state)
    return _repair(state) or _before(state) or _answers(state)


def _repair(state: PassState) -> Plan | None:
    """Return the repair of an earlier write, if one is needed: rows in the wrong state are not ruled (RCP-33)."""
    if state.contents.pending.unreachable:
        return Plan(findings=_as_before(state), writes=PlannedWrites(changes=ChangeSet()))
    repairs = state.contents.pending.repairs
    return _without_answers(state, repairs, len(repairs.cells) + len(repairs.rows)) if repairs else None


def _before(state: PassState) -> Plan | None:
    """Return the changes that must precede all rulings, if any: those of a step, else new ids.

    Ids are given in advance where they must be confirmed in their rows.
    """
    contents = state.contents
    if contents.held or state.context.writing.is_trial:
        return None
    if not any(step.before(state) for step in state.steps) and (contents.snapshot.revision or not give_ids(state)):
        return None
    return _without_answers(state, _finish(state), waiting=state.waiting.values())


def give_ids(state: PassState) -> bool:
    """Give ids to ready rows without one, to those of `Rule again`, and to copies; return True if there were any.

    Where people may move rows while the program writes, an id may land on another row. So a request is ruled only when
    a later pass has confirmed the id in its row.
    """
    for forms in by_ruleset(state.context.forms):
        for tab in open_tabs(state, forms):
            for row in tab.table:
                has_others = len(tab.table.by_request.get(loosely(request_id(row)), ())) > 1
                if has_others and tab.states.of(row).kind is RowKind.COPY:
                    separate(state, tab, row)
                elif tab.states.asks_anew(row):
                    renew(state, tab, row)
                elif not request_id(row) and is_ready(row) is True and not obstacles(state, tab, row):
                    state.changes.set(row, "request", tab.ids.next_free())
    return bool(state.changes.size)


def _answers(state: PassState) -> Plan:
    """Return the answers to all requests, with their statuses, receipts, forecasts and logs."""
    contents, context = state.contents, state.context
    if not contents.held:
        _accept(state)
    if state.is_rehearsal:
        state.problems += workbook_problems(state)
    had = ((), ()) if context.writing.accepts_columns else state.receipts.had
    state.problems += missing_request_tabs(contents.snapshot, *had)
    state.problems += dict.fromkeys(problem for problems in contents.gone.values() for problem in problems)
    state.problems += contents.overrides.problems
    statuses = StatusWriter(
        state.changes, context.before.last_statuses, context.before.blocked, is_verified=not contents.pending.intents
    )
    answers = tuple(each for forms in by_ruleset(context.forms) for each in _answers_of(state, forms, statuses))
    findings = [step.finish() for step in state.steps]
    state.problems += (problem for each in findings for problem in each.problems)
    for each in findings:
        for edit in each.edits:
            state.changes.set(edit.row, edit.attribute, edit.value)
        for row in each.rows:
            state.changes.append(*row)
        for news in each.news:
            state.publish(news)
    state.known |= {key: digest for each in findings for key, digest in each.known.items()}
    changes = _finish(state)
    is_partial = state.changes.is_partial
    return Plan(
        findings=PassFindings(
            answers=answers,
            of_tabs=tuple(dict.fromkeys(_tab_problems(state, statuses))),
            failures=tuple(answer.failure for answer in answers if answer.failure),
            known={**(context.before.known or {}), **state.known} if is_partial else state.known,
            statuses=statuses.statuses,
            held=contents.held,
        ),
        writes=PlannedWrites(
            changes=with_note(contents.pending, changes, contents.now, state.waiting.values()),
            promises=tuple(receipt for receipt in state.log.new.values() if receipt.kind == "Promise"),
            forecast_rows=tuple(cells for each in findings for cells in each.forecast_rows),
        ),
        owes=RemainingWork(
            is_partial=is_partial or any(answer.is_next for answer in answers),
            left=_count_left(state, answers) if is_partial else 0,
            requested_forecasts=tuple(each for of in findings for each in of.requested_forecasts),
            wanted_rounds=frozenset().union(*(each.wanted_rounds for each in findings)),
            deadline=min((each.deadline for each in findings if each.deadline), default=None),
        ),
    )


def _answers_of(state: PassState, forms: tuple[Form[Any], ...], statuses: StatusWriter) -> Iterator[Answer]:
    """Yield the answers of one ruleset; all its rulings come first, then forecasts and statuses."""
    tabs = open_tabs(state, forms)
    if not tabs:
        return
    state.edits = tuple(find_edits(state.receipts, [tab.form for tab in tabs], tabs[0].database))
    readings = first_readings(state, tabs) if state.is_rehearsal else {}
    for tab, request in _answer_requests(state, tabs) if readings is not None else ():
        result = request if isinstance(request, Answer) else _serve(state, tab, request)
        if readings:
            result = rehearsed(state, tab, result, readings.get((tab.form.key, result.cells.row.number)))
        statuses.write(tab.parts, result.cells, is_ruling=result.ruling is not None)
        yield result


def _serve(state: PassState, tab: RequestTab, request: ValidRequest) -> Answer:
    """Answer a request for another action than a ruling."""
    says = f"the action {tab.action(request.row)} is not offered"
    problem = request.row.problem("action", "REQ-02", says, allowed=f"Choose {RULE}")
    answers = (step.serve(state, request) for step in state.steps)
    return next(filter(None, answers), None) or refused(request.row, request.id, (problem,))


def _count_left(state: PassState, answers: Iterable[Answer]) -> int:
    """Return the number of ready requests without a ruling that the pass did not reach."""
    answered = {(each.cells.row.table.key, each.cells.row.number) for each in answers}
    rows = (row for table in state.contents.tables.values() for row in table.rows)
    return state.receipts.count_unruled([row for row in rows if (row.table.key, row.number) not in answered])


def _answer_requests(state: PassState, tabs: Sequence[RequestTab]) -> list[tuple[RequestTab, Result]]:
    """Answer the requests of one ruleset, row by row, each on the database as the rulings before left it.

    A request for another action than a ruling is returned unchanged.
    """
    answers = [(tab, row, result) for tab in tabs for row, result in _answers_in(state, tab)]
    if any(isinstance(result, Answer) and result.ruling for _, _, result in answers):
        # What was refused or asks for a forecast is answered on the database as the last ruling left it. But
        # nothing more is ruled: else an order that was refused in its turn would be carried out in the next one.
        answers = [
            (tab, row, result if isinstance(result, Answer) and not result.is_open else answer(state, tab, row, result))
            for tab, row, result in answers
        ]
    state.problems += (  # those not accepted by a ruling
        problem for problem in edit_problems(state.edits) if problem.severity is not Severity.NOTE
    )
    return [(tab, result) for tab, _, result in answers]


def _answers_in(state: PassState, tab: RequestTab) -> Sequence[tuple[Row, Result]]:
    """Answer the requests of a tab; return the answers in the order of the rows."""
    rows = _rows(state, tab)
    for step in state.steps:
        if (answers := step.conduct(state, tab, rows)) is not None:
            return answers
    return sorted(((row, answer(state, tab, row)) for row in rows), key=lambda pair: pair[0].number)


def _rows(state: PassState, tab: RequestTab) -> Iterator[Row]:
    """Yield the rows of a tab in the order of the steps as long as there is room; the next pass answers the others."""
    state.problems += (*tab.table.header_problems, *tab.table.further_header_problems)
    state.problems += orphan_problems(tab.form, tab.database)
    state.problems += state.contents.other_tables.get(tab.form.key, ())
    rows: Sequence[Row] = tab.table.rows
    for step in state.steps:
        rows = step.order(rows)
    yield from itertools.takewhile(lambda row: state.changes.has_room(), rows)


def _accept(state: PassState) -> None:
    """Write the receipts that accept newer rules (RCP-17) and the columns of the workbook (REQ-11), if any."""
    log, writing, forms = state.log, state.context.writing, state.context.forms
    for form in forms if writing.accepts_rules else ():
        if (state.receipts.rules_versions.get(form.key) or form.ruleset.version) < form.ruleset.version:
            log.append(rules_receipt(log.next_seq, form, state.contents.now))
    if writing.accepts_columns:
        columns, had = optional_columns(forms, state.contents.snapshot), state.receipts.columns
        if columns != had and state.receipts.season:
            log.append(columns_receipt(log.next_seq, columns, had, state.contents.now))


def _tab_problems(state: PassState, statuses: StatusWriter) -> Iterator[Problem]:
    yield from [state.contents.held] if state.contents.held else []
    yield from state.contents.pending.problems
    if state.context.before.blocked:
        yield from blocked_warnings(state.contents.snapshot, state.context.before.blocked)
    yield from state.problems
    yield from statuses.disputes


def _finish(state: PassState) -> ChangeSet:
    """Return the changes, with the last known receipt; of several with one number, the one noted first."""
    heads = [*(noted.head for noted in state.context.before.noted), state.receipts.head]
    known = max(heads, key=lambda head: head.seq)
    return state.changes.finish(state.log.guard, state.receipts.season, state.log.head, known)


def _without_answers(
    state: PassState, changes: ChangeSet, repaired: int = 0, waiting: Iterable[WaitingRow] | None = None
) -> Plan:
    """Return a plan that makes some changes and leaves all else to the next pass."""
    contents = state.contents
    return Plan(
        findings=_as_before(state),
        writes=PlannedWrites(changes=with_note(contents.pending, changes, contents.now, waiting), repaired=repaired),
        owes=RemainingWork(is_partial=True),
    )


def _as_before(state: PassState) -> PassFindings:
    """Return the findings of a pass that skips requests."""
    return PassFindings(of_tabs=state.contents.pending.problems, known=state.context.before.known or {})
