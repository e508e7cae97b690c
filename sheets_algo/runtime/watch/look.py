"""What a look at a workbook found: small and without rows, so that another machine can send it."""

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
    """What a pass found, as far as a watcher reports it and waits for it."""

    events: tuple[PassEvent, ...] = ()  # What happened, and the problems that last
    rulings: int  # The number of requests ruled
    refused: int  # The number of requests that show a mistake now
    is_written: bool  # True if anything was committed
    is_partial: bool  # True if another pass has more to do at once
    is_open: bool  # True if the next look may find something to do even if no cell changes until then
    owes_work: bool  # True if forecasts or logs are to be worked on until the next look
    due: float | None  # The time in Unix seconds at which a look has something to do though no cell changes
    held: str  # Why nothing may be ruled; blank if that is not so
    known: Mapping[str, str] = field(default_factory=dict)  # What the next look compares with (`PassFindings.known`)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a look found nothing."""

    message: str  # The reason, in a sentence
    kind: str  # The name of the error
    traceback: str = ""  # The traceback of a bug of the program; blank for what is expected
    is_brief: bool = False  # True if the next look need not wait longer: somebody is at work, or no worker is there

    @classmethod
    def of(cls, error: Exception) -> Failure:
        """Return the failure that an error means."""
        kind = type(error).__name__
        if isinstance(error, ExpectedError):
            return cls(
                redact(str(error)), kind, is_brief=isinstance(error, StaleWorkbook | WorkbookLocked | WorkerLost)
            )
        message = redact(f"The program failed ({kind}: {shortened(str(error))}).")
        return cls(message, kind, redact("".join(traceback.format_exception(error))))
