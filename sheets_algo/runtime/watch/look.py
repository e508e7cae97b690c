"""The result of a poll: small and without rows, so that another machine can send it."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.errors import ExpectedError
from sheets_algo.database.problems import shortened
from sheets_algo.forecasts.sampling import WorkerLost
from sheets_algo.runtime.watch.pass_events import PassEvent
from sheets_algo.workbook.errors import StaleWorkbook, WorkbookLocked
from sheets_algo.workbook.redact import redact


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The findings of a pass that a watcher reports or waits for."""

    events: tuple[PassEvent, ...] = ()  # The events, and lasting problems
    rulings: int  # The number of requests ruled
    refused: int  # The number of requests with errors now
    is_written: bool  # True if anything was committed
    is_partial: bool  # True if another pass must follow at once
    is_open: bool  # True if the next poll may have work even without changed cells
    owes_work: bool  # True if forecasts or logs need work until the next poll
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
