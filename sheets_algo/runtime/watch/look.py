"""The result of a poll with its events: small and without rows, so that another machine can send it."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.errors import ExpectedError
from sheets_algo.database.problems import PROBLEMS_TOLD, count, ended, shortened
from sheets_algo.forecasts.sampling import WorkerLost
from sheets_algo.ruling.forecast.forecast_rows import Cells, line
from sheets_algo.ruling.plan import Answer
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.runtime.run.pass_result import PassResult
from sheets_algo.workbook.errors import StaleWorkbook, WorkbookLocked
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.redact import redact

PAGES_TOLD = 3
"""Maximum number of pages of one pass that a message names."""


@dataclass(frozen=True, slots=True)
class PassEvent:
    """One event of a pass."""

    # The kind: `ruled`, `promised`, `forecast`, `refused`, `failed`, `tab`, `pages`, `subscriber` or
    # `remark`.
    event: str
    message: str  # A sentence for people
    level: int = logging.INFO  # The level of logging
    facts: dict[str, Any] = field(default_factory=dict)  # Data for programs
    is_lasting: bool = False  # True for a problem that lasts until a person solves it


class PassEvents:
    """Memory of the events logged for a workbook; an error may be logged again after its correction."""

    def __init__(self) -> None:
        self._known: frozenset[str] = frozenset()

    def new_events(self, events: Sequence[PassEvent]) -> Iterator[PassEvent]:
        """Yield the events of a pass that earlier passes have not logged."""
        fresh = 0
        for event in events:
            is_fresh = event.is_lasting and event.message not in self._known
            fresh += is_fresh
            if not event.is_lasting or (is_fresh and fresh <= PROBLEMS_TOLD):
                yield event
        if fresh > PROBLEMS_TOLD:
            yield PassEvent("tab", f"... and {count(fresh - PROBLEMS_TOLD, 'more problem')}.", logging.WARNING)
        self._known = frozenset(event.message for event in events if event.is_lasting)


def events_of(passed: PassResult) -> Iterator[PassEvent]:
    """Yield the events of a pass."""
    yield from (_ruled(answer) for answer in passed.plan.findings.answers if answer.ruling)
    yield from (_promised(promise) for promise in passed.plan.writes.promises if passed.is_written)
    yield from (_forecast(cells) for cells in passed.plan.writes.forecast_rows if passed.is_written)
    yield from (replace(problem, is_lasting=True) for problem in _open_problems(passed))
    if passed.pages:
        paths = ", ".join(map(str, passed.pages[:PAGES_TOLD]))
        more = f" and {len(passed.pages) - PAGES_TOLD:,} more" if len(passed.pages) > PAGES_TOLD else ""
        yield PassEvent("pages", f"Written: {paths}{more}.", facts={"pages": [str(path) for path in passed.pages]})
    yield from (PassEvent("subscriber", failure, logging.WARNING) for failure in passed.failures)
    yield from (PassEvent("remark", remark, logging.DEBUG) for remark in passed.remarks)


def _ruled(answer: Answer) -> PassEvent:
    assert answer.ruling is not None
    receipt = answer.ruling.receipt
    war = f" ({receipt.war})" if receipt.war else ""
    facts = {"request": receipt.request, "seq": receipt.seq, "war": receipt.war, "winner": receipt.winner}
    return PassEvent("ruled", f"{receipt.request}{war}: {_first_line(answer)}. Receipt {receipt.seq}.", facts=facts)


def _promised(promise: StoredReceipt) -> PassEvent:
    facts = {"request": promise.request, "seq": promise.seq, "war": promise.war}
    war = f" ({promise.war})" if promise.war else ""
    head = Head(promise.seq, promise.digest)
    return PassEvent("promised", f"{promise.request}{war}: {promise.wiki} Receipt {head}.", facts=facts)


def _forecast(cells: Cells) -> PassEvent:
    request, war = str(cells["request"]), str(cells["war"] or "")
    facts = {"request": request, "war": war, "battles": cells["runs"], "error": cells["error"]}
    return PassEvent("forecast", f"{request}{f' ({war})' if war else ''}: {ended(line(cells))}", facts=facts)


def _open_problems(passed: PassResult) -> Iterator[PassEvent]:
    """Yield the problems that last until a person solves them."""
    yield from (PassEvent("tab", str(problem), logging.WARNING) for problem in passed.plan.findings.of_tabs)
    failures = passed.plan.findings.failures
    for answer in passed.plan.findings.answers:
        cells = answer.cells
        who = cells.request or f"A row without an id ({answer.problems[0].cell})" if answer.problems else cells.request
        facts = {"request": cells.request, "status": cells.status}
        if cells.status == "Invalid":
            others = len(answer.problems) - 1
            rest = f" And {count(others, 'more problem')}." if others > 0 else ""
            yield PassEvent("refused", f"{who} is refused: {_first_line(answer)}{rest}", logging.WARNING, facts)
        elif cells.status == "Changed":
            yield PassEvent("changed", str(answer.problems[0]), logging.WARNING, facts)
        elif cells.status == "Failed":
            facts["traceback"] = next((text for text in failures if text.startswith(f"{cells.request}: ")), "")
            yield PassEvent("failed", f"{who} failed: {_first_line(answer)}", logging.ERROR, facts)


def _first_line(answer: Answer) -> str:
    return answer.cells.message.partition("\n")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The findings of a pass that a watcher reports or waits for."""

    events: tuple[PassEvent, ...] = ()  # The events, and lasting problems
    rulings: int  # The number of requests ruled
    refused: int  # The number of requests with errors now
    is_written: bool  # True if anything was committed
    is_partial: bool  # True if another pass must follow at once
    is_open: bool  # True if the next poll may have work even without changed cells
    due: float | None  # The time in Unix seconds of a poll with work even without changed cells
    held: str  # The obstacle to all rulings; blank for none
    known: Mapping[str, str] = field(default_factory=dict)  # The digests for the next poll (`PassFindings.known`)


@dataclass(frozen=True, slots=True)
class Failure:
    """The failure of a poll."""

    message: str  # The reason, in a sentence
    kind: str  # The name of the error
    traceback: str = ""  # The traceback of a bug of the program; blank for an expected error
    is_brief: bool = False  # True if the next poll need not wait longer: a person is editing, or there is no worker

    @classmethod
    def of(cls, error: Exception) -> Failure:
        """Return the failure behind an error."""
        kind = type(error).__name__
        if isinstance(error, ExpectedError):
            return cls(
                redact(str(error)), kind, is_brief=isinstance(error, StaleWorkbook | WorkbookLocked | WorkerLost)
            )
        message = redact(f"The program failed ({kind}: {shortened(str(error))}).")
        return cls(message, kind, redact("".join(traceback.format_exception(error))))
