"""The result of a pass, and of several as one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from sheets_algo.ruling.plan import Answer, Plan
from sheets_algo.workbook.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class PassResult:
    """The result of a pass."""

    plan: Plan  # The plan that was made
    is_written: bool  # True if anything was committed
    remarks: tuple[str, ...] = ()  # Sentences about the commit
    logs: tuple[Path, ...] = ()  # The log files, one a ruling
    pictures: tuple[Path, ...] = ()  # The picture files
    unsaved: str = ""  # The reason why pictures are missing, a sentence; blank if none is
    pages: tuple[Path, ...] = ()  # The pages that subscribers wrote; of a site, the first one
    failures: tuple[str, ...] = ()  # Sentences about subscribers that failed
    is_partial: bool = False  # True if another pass has more to do at once
    snapshot: Snapshot | None = None  # The workbook as the pass read it; None where no single one was read


def join_results(first: PassResult, second: PassResult) -> PassResult:
    """Join two results: each request as the second pass saw it, with the ruling or the refusal that either made.

    An order that the first pass refused is of an earlier turn for the second if that turn is over; it is reported all
    the same, since the first pass reported nothing.
    """
    before = {answer.cells.request: answer for answer in first.plan.findings.answers}
    requests = {answer.cells.request for answer in second.plan.findings.answers}
    gone = [answer for request, answer in before.items() if answer.ruling and request not in requests]
    now = [_answer_to_show(before.get(answer.cells.request, answer), answer) for answer in second.plan.findings.answers]
    return PassResult(
        plan=replace(
            second.plan,
            findings=replace(
                second.plan.findings,
                answers=(*gone, *now),
                failures=tuple(dict.fromkeys((*first.plan.findings.failures, *second.plan.findings.failures))),
            ),
            writes=replace(second.plan.writes, promises=(*first.plan.writes.promises, *second.plan.writes.promises)),
        ),
        is_written=first.is_written or second.is_written,
        remarks=first.remarks + second.remarks,
        logs=first.logs + second.logs,
        pictures=first.pictures + second.pictures,
        unsaved=first.unsaved or second.unsaved,
        pages=tuple(dict.fromkeys(first.pages + second.pages)),
        failures=first.failures + second.failures,
        is_partial=second.is_partial,
    )


def _answer_to_show(before: Answer, now: Answer) -> Answer:
    """Return the answer to report of a request that two passes saw."""
    is_silent = now.is_past and not before.is_past
    return before if not now.ruling and (before.ruling or is_silent) else now
