"""The result of a pass, or the joint result of several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from sheets_algo.database.tables import Row, Table
from sheets_algo.ruling.plan import Answer, Plan
from sheets_algo.ruling.receipts.receipts import Figures
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class PassResult:
    """The result of a pass."""

    plan: Plan  # The plan
    is_written: bool  # True if anything was committed
    remarks: tuple[str, ...] = ()  # Sentences about the commit
    logs: tuple[Path, ...] = ()  # The log files, one a ruling
    pictures: tuple[Path, ...] = ()  # The picture files
    pages: tuple[Path, ...] = ()  # The replay pages, reports and pages of subscribers; of a site, the first one
    failures: tuple[str, ...] = ()  # Sentences about files and pages that are missing
    is_partial: bool = False  # True if another pass must follow at once
    snapshot: Snapshot | None = None  # The workbook read by the pass; None if there was no single one

    def without_courses(self) -> PassResult:
        """Return the result without what takes memory.

        That is the courses of battles, the inputs of rulings, written changes, and the snapshot, also that of rows.
        """
        findings, writes = self.plan.findings, self.plan.writes
        answers = tuple(_without_ties(each) for each in findings.answers)
        writes = replace(writes, changes=ChangeSet())
        plan = replace(self.plan, findings=replace(findings, answers=answers), writes=writes)
        return replace(self, plan=plan, snapshot=None)


def _without_ties(answer: Answer) -> Answer:
    row, ruling = answer.cells.row, answer.ruling
    cells = replace(answer.cells, row=Row(Table.of(Snapshot({}), row.table.record), row.number))
    if ruling is None:
        return replace(answer, cells=cells, foreseen=None)
    receipt = replace(ruling.receipt, inputs="", changes=(), figures=Figures("", {}))
    ruling = replace(ruling, receipt=receipt, outcome=ruling.outcome.without_course())
    return replace(answer, cells=replace(cells, ruled=receipt), ruling=ruling)


def join_results(first: PassResult, second: PassResult) -> PassResult:
    """Join two results: each row as of the second pass, and each ruling and each refusal once.

    An order that the first pass refused is of an earlier turn for the second if that turn is over; it is reported all
    the same, since the first pass reported nothing.
    """
    before = first.plan.findings.answers
    rulings = {answer.cells.request: answer for answer in before if answer.ruling}
    others = {answer.cells.request: answer for answer in before if not answer.ruling}
    now = [_answer_to_show(answer, rulings, others) for answer in second.plan.findings.answers]
    return PassResult(
        plan=replace(
            second.plan,
            findings=replace(
                second.plan.findings,
                answers=(*rulings.values(), *now),
                failures=tuple(dict.fromkeys((*first.plan.findings.failures, *second.plan.findings.failures))),
            ),
            writes=replace(second.plan.writes, promises=(*first.plan.writes.promises, *second.plan.writes.promises)),
        ),
        is_written=first.is_written or second.is_written,
        remarks=first.remarks + second.remarks,
        logs=first.logs + second.logs,
        pictures=first.pictures + second.pictures,
        pages=tuple(dict.fromkeys(first.pages + second.pages)),
        failures=tuple(dict.fromkeys(first.failures + second.failures)),
        is_partial=second.is_partial,
    )


def _answer_to_show(now: Answer, rulings: dict[str, Answer], others: Mapping[str, Answer]) -> Answer:
    """Return the answer to report of a request in two passes.

    Args:
        rulings: The rulings of the first pass by request; the one that is reported here is removed.
        others: Its other answers by request.
    """
    request = now.cells.request
    if now.cells.ruled and not (now.ruling or now.is_refused) and request in rulings:
        return rulings.pop(request)
    is_silent = now.is_past and request in others and not others[request].is_past
    return others[request] if is_silent else now
