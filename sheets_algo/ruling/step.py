"""Protocol of a step: what a pass does besides the plain ruling of requests.

A step owns its tab, its texts and its state, which last for one pass. It knows the contents that the pass has read and
the requests that it is asked about, but no other step. The list of all steps, in their order, is `steps/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from sheets_algo.database.problems import Problem
from sheets_algo.database.tables import Row
from sheets_algo.ruling.contents import Contents
from sheets_algo.ruling.plan import Answer
from sheets_algo.ruling.receipts.receipt_tab import ReceiptLog
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.ruling.request_tab import RequestTab, ValidRequest


class Luck(NamedTuple):
    """The luck that decides a ruling."""

    seed: int
    source: str  # The origin that the receipt names


@dataclass(frozen=True, slots=True)
class Waiting:
    """The reason why a request waits for its luck."""

    text: str  # Its Message
    until: float  # The time in Unix seconds before which it cannot be ruled
    receipt: StoredReceipt | None = None  # A receipt to be appended, such as a promise of that luck


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFindings:
    """What a step has found in a whole pass."""

    problems: tuple[Problem, ...] = ()
    wanted_rounds: frozenset[int] = frozenset()  # The rounds of a beacon that the pass needs


def steps_of(contents: Contents) -> tuple[Step, ...]:
    """Return the steps that a workbook needs, in their order."""
    kinds = (kind for kind in contents.context.steps if issubclass(kind, Step))
    return tuple(step for kind in kinds if (step := kind.of(contents)) is not None)


class Step:
    """A step of one pass. Each method has a default, by which the step does nothing there."""

    @classmethod
    def of(cls, contents: Contents) -> Self | None:
        """Return the step for one pass; None if the workbook has neither its tab nor its setting."""
        raise NotImplementedError

    def order(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return the rows of a request tab in the order in which they are answered."""
        return rows

    def claim(self, tab: RequestTab, row: Row, id: str) -> Answer | None:
        """Return the answer to an order before it is read; None to leave it to other steps and the plain ruling."""
        return None

    def luck(self, log: ReceiptLog, tab: RequestTab, request: ValidRequest) -> Luck | Waiting | None:
        """Return the luck of a valid request, or why it waits; None to leave it to other steps and the season's secret.

        Args:
            log: The receipts, with those that the pass has appended.
        """
        return None

    def finish(self) -> StepFindings:
        """Return what the step has found, once all requests are answered."""
        return StepFindings()
