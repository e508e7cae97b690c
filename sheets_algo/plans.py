"""What a pass found and what it writes: answers to requests, rulings, and everything together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.outcome import Outcome
from sheets_algo.forecasts.tab import Cells, Wanted
from sheets_algo.forms.base import Form
from sheets_algo.problems import Problem
from sheets_algo.projection import Shown
from sheets_algo.receipts import Receipt
from sheets_algo.workbook.base import ChangeSet


@dataclass(frozen=True, slots=True)
class Ruling:
    """One request resolved in this pass."""

    receipt: Receipt
    outcome: Outcome
    form: Form[Any]


@dataclass(frozen=True, slots=True)
class Owed:
    """A ruling that stands, and whose log does not say yet how lucky it was (FC-06).

    Args:
        receipt: As written.
        form: Of its ruleset; None while the workbook has no such request tab.
    """

    receipt: Receipt
    form: Form[Any] | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one request row: what it shows, every problem, and the ruling if this pass made one."""

    shown: Shown
    problems: tuple[Problem, ...] = ()
    ruling: Ruling | None = None

    @property
    def is_refused(self) -> bool:
        """Whether it shows a mistake: a person's, or the program's own."""
        return self.shown.status in ("Invalid", "Failed")


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything one pass found and writes.

    Args:
        answers: One a request row, in reading order.
        changes: What to write.
        of_tabs: What is wrong with a request tab as a whole, rows of requests that do not exist, and database cells
            that no longer show what was ruled.
        failures: Tracebacks of requests on which the program itself failed.
        known: What stands in each request that could be ruled, for the next pass's `Desk.known`.
        is_partial: There was more to do than one pass writes.
        left: Ready requests without a ruling that this pass did not look at.
        wanted: Requests that wait for their odds.
        told: New rows of the Forecasts tab.
        owed: Rulings whose logs are to be completed.
        shown: What is shown of each request that is not ruled, for the next pass's `Desk.shown`.
        repaired: How many cells of an earlier write this pass puts right; it does nothing else then.
    """

    answers: tuple[Answer, ...]
    changes: ChangeSet
    of_tabs: tuple[Problem, ...] = ()
    failures: tuple[str, ...] = ()
    known: Mapping[str, str] = field(default_factory=dict)
    is_partial: bool = False
    left: int = 0
    wanted: tuple[Wanted, ...] = ()
    told: tuple[Cells, ...] = ()
    owed: tuple[Owed, ...] = ()
    shown: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    repaired: int = 0

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """In the order of their receipts."""
        return tuple(answer.ruling for answer in self.answers if answer.ruling)

    @property
    def refused(self) -> int:
        """How many requests show a mistake."""
        return sum(answer.is_refused for answer in self.answers)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Each once, in reading order."""
        of_rows = (problem for answer in self.answers for problem in answer.problems)
        return tuple(dict.fromkeys((*self.of_tabs, *of_rows)))
