"""Rehearsal of a pass over an open workbook, for `check` and `doctor` (FC-31)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain

from sheets_algo.database.problems import CellRef, Problem, Severity
from sheets_algo.forecasts.outlook import Outlook
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.passes.rehearsal import risky_requests, with_other_luck
from sheets_algo.ruling.plan import NO_SECRET, Plan
from sheets_algo.runtime.after_commit.write_trial import write_problem
from sheets_algo.runtime.run.pass_context import pass_context
from sheets_algo.runtime.run.watch_state import WatchState
from sheets_algo.runtime.session.session import OpenWorkbook, Session
from sheets_algo.workbook.errors import RefusedChange, StaleWorkbook, WorkbookError, WorkbookLocked


def rehearse(session: Session, workbook: OpenWorkbook, outlook: Outlook) -> Plan:
    """Return the plan of a pass that writes nothing, with all obstacles to ruling the ready rows.

    A copy is rehearsed as if it were accepted (RCP-38).
    """
    receipts = replace(workbook.receipts, original="")
    context = pass_context(session, workbook, NO_SECRET, WatchState(known=None), asks=True)
    context = replace(context, writing=replace(context.writing, most=None, is_trial=True), foresight=outlook)
    plan_with = partial(plan_pass, workbook.snapshot, now=session.now(), receipts=receipts)
    refusal: WorkbookError | None = None
    while True:  # as a run plans again around cells that take no value
        try:
            plan = plan_with(context)
        except WorkbookError as error:  # a tab blocks the write
            plan = plan_with(replace(context, obstacle=_problem(error)))
        blocked = context.before.blocked
        refusal = _refusal(session, workbook, plan)
        if not isinstance(refusal, RefusedChange) or refusal.obstacles.keys() <= blocked.keys():
            break
        context = replace(context, before=replace(context.before, blocked={**blocked, **refusal.obstacles}))
    others = (plan_with(replace(context, foresight=luck)) for luck in outlook.other_luck(risky_requests(plan)))
    plan = with_other_luck(plan, others)
    of_tabs = (*plan.findings.of_tabs, *_obstacles(session, plan, refusal))
    return replace(plan, findings=replace(plan.findings, of_tabs=tuple(dict.fromkeys(of_tabs))))


def _refusal(session: Session, workbook: OpenWorkbook, plan: Plan) -> WorkbookError | None:
    """Return the reason why the store would refuse to write a plan; None if it would write it."""
    try:
        if plan.writes.changes:
            session.workbook.rehearse(workbook.snapshot, plan.writes.changes)
    except StaleWorkbook:
        return None  # a person has just saved it
    except WorkbookError as error:
        return error
    return None


def _obstacles(session: Session, plan: Plan, refusal: WorkbookError | None) -> Iterator[Problem]:
    """Yield the obstacles to all writes (RCP-31, RCP-36)."""
    if refusal:
        is_lasting = not isinstance(refusal, WorkbookLocked)
        yield replace(_problem(refusal), severity=Severity.ERROR if is_lasting else Severity.WARNING)
    changes = plan.writes.changes
    values = chain((cell.value for cell in changes.cells), *(row.values for row in changes.rows))
    size = sum(len(str(value)) for value in values)
    if problem := write_problem(session, changes=size):
        yield problem


def _problem(error: WorkbookError) -> Problem:
    """Return the problem of a workbook in which nothing can be written."""
    where, _, says = str(error).rstrip(".").partition(": ")
    return Problem(cell=CellRef(where), says=says, id="RCP-31")
