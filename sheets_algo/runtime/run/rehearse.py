"""Rehearsal of a pass over an open workbook, and a trial of its folders, for `check` and `doctor` (FC-31, RCP-36)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain

from sheets_algo.database.problems import CellRef, Problem, Severity
from sheets_algo.forecasts.outlook import Outlook
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.passes.rehearsal import risky_requests, with_other_luck
from sheets_algo.ruling.plan import NO_SECRET, Plan
from sheets_algo.runtime.run.pass_context import WatchState, pass_context
from sheets_algo.runtime.session.record import FOLDER
from sheets_algo.runtime.session.session import OpenWorkbook, Session
from sheets_algo.workbook.atomic_file import try_to_write
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


RECORD = 65_536
"""Estimated bytes of a season's record, with the folders and small files around it."""


def write_problem(session: Session, *, changes: int = 0) -> Problem | None:
    """Return the problem of an essential folder; None if it is writable (RCP-36).

    Args:
        changes: The characters of the changes of the workbook.
    """
    rooms = Counter({session.folder / FOLDER: RECORD})
    with suppress(WorkbookError):  # it cannot be found, as opening it says
        rooms.update(session.workbook.rooms(changes))
    try:
        try_to_write(rooms)
    except OSError as error:
        says = f"cannot be written to, and each ruling needs it ({error.strerror})"
        allowed = "Make room, allow it, or choose another --folder"
        return Problem(cell=CellRef(str(error.filename)), says=says, allowed=allowed, id="RCP-36")
    return None
