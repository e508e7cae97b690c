"""Orders that players write themselves, in any game: the tab of a Form, and passes that read it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from scripts.support.workbooks import changed, pass_context, read
from sheets_algo.forms.rulesets import form_entries
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import Plan
from sheets_algo.steps import HEADERS_TO_READ, STEPS, tabs_to_read
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.snapshot import Snapshot

TURNS, FORM = "Turns", "Form Responses 1"
BEFORE, AFTER, LATER = "2026-03-01T19:59:59Z", "2026-03-01T20:00:03Z", "2026-03-01T20:10:00Z"


def at(second: int) -> datetime:
    """Return a time of a response, as the spreadsheet keeps it."""
    return datetime(2026, 3, 1, 18) + timedelta(seconds=second)


def seen(book: MemoryWorkbook) -> Snapshot:
    """Read a workbook as the program does."""
    first = read(book)
    named = (tab for step in STEPS for tab in step.further_tabs(first))
    return book.read((*tabs_to_read(form_entries()), *named), HEADERS_TO_READ)


def look(book: MemoryWorkbook, now: str, **more: Any) -> Plan:
    """Make passes as long as one leaves work for the next, and return the last one."""
    while True:
        snapshot = seen(book)
        plan = plan_pass(snapshot, changed(pass_context(), **more), now)
        if plan.writes.changes:
            book.commit(snapshot, plan.writes.changes)
        if not plan.owes.is_partial:
            return plan


def says(plan: Plan) -> list[str]:
    return [str(problem) for problem in plan.problems]
