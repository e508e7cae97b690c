"""The plan of a pass: its answers to requests, its rulings and its changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.ruleset import Outcome
from sheets_algo.database.problems import Problem
from sheets_algo.forms.base import Form
from sheets_algo.ruling.forecast_rows import Cells, PendingForecast
from sheets_algo.ruling.receipts import StoredReceipt
from sheets_algo.ruling.status_columns import StatusCells
from sheets_algo.workbook.base import ChangeSet


@dataclass(frozen=True, slots=True)
class Ruling:
    """A request that this pass has resolved."""

    receipt: StoredReceipt
    outcome: Outcome
    form: Form[Any]


@dataclass(frozen=True, slots=True)
class Owed:
    """A ruling whose log does not say yet how lucky it was (FC-06).

    Args:
        receipt: The receipt of the ruling.
        form: The form of its ruleset; None while the workbook has no such request tab.
    """

    receipt: StoredReceipt
    form: Form[Any] | None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one request row: its status cells, its problems, and the ruling if this pass made one."""

    shown: StatusCells
    problems: tuple[Problem, ...] = ()
    ruling: Ruling | None = None

    @property
    def is_refused(self) -> bool:
        """Return True if it shows a mistake, of a person or of the program."""
        return self.shown.status in ("Invalid", "Failed")


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of one pass.

    Args:
        answers: The answers, one a request row, in reading order.
        changes: The changes to be written.
        of_tabs: The problems of request tabs as a whole, of rows of requests that do not exist, and of database cells
            that no longer show what was ruled.
        failures: The tracebacks of requests on which the program itself failed.
        known: The digest of each request that could be ruled, for the next pass's `PassContext.known`.
        is_partial: Whether there was more to do than one pass writes.
        left: The number of ready requests without a ruling that this pass did not look at.
        wanted: The requests that wait for their odds.
        told: The new rows of the Forecasts tab.
        owed: The rulings whose logs are to be completed.
        shown: The status of each request without a ruling, for the next pass's `PassContext.shown`.
        repaired: The number of cells of an earlier commit that this pass repairs; it does nothing else then.
    """

    answers: tuple[Answer, ...]
    changes: ChangeSet
    of_tabs: tuple[Problem, ...] = ()
    failures: tuple[str, ...] = ()
    known: Mapping[str, str] = field(default_factory=dict)
    is_partial: bool = False
    left: int = 0
    wanted: tuple[PendingForecast, ...] = ()
    told: tuple[Cells, ...] = ()
    owed: tuple[Owed, ...] = ()
    shown: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    repaired: int = 0

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """Return the rulings in the order of their receipts."""
        return tuple(answer.ruling for answer in self.answers if answer.ruling)

    @property
    def refused(self) -> int:
        """Return the number of requests that show a mistake."""
        return sum(answer.is_refused for answer in self.answers)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return each problem once, in reading order."""
        of_rows = (problem for answer in self.answers for problem in answer.problems)
        return tuple(dict.fromkeys((*self.of_tabs, *of_rows)))
