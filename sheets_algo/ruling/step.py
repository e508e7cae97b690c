"""Protocol of a step: what a pass does besides the plain ruling of requests.

A step owns its tab, its texts and its state, which last for one pass. It knows the contents that the pass has read and
the requests that it is asked about, but no other step. The list of all steps, in their order, is `steps/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, NamedTuple, Self

from sheets_algo.database.problems import Problem
from sheets_algo.database.tables import Edit, Row
from sheets_algo.forms.base import Form
from sheets_algo.ruling.contents import Contents
from sheets_algo.ruling.plan import Answer
from sheets_algo.ruling.receipts.receipt_tab import FollowingRow, ReceiptLog
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.request_tab import RequestTab, ValidRequest


class Luck(NamedTuple):
    """The luck that decides a ruling."""

    seed: int
    source: str  # The origin that the receipt names
    battle: int = 0  # The number of the seed's battle; another than the first one in a rehearsal


@dataclass(frozen=True, slots=True)
class Waiting:
    """The reason why a request waits for its luck."""

    text: str  # Its Message
    until: float  # The time in Unix seconds before which it cannot be ruled
    receipt: StoredReceipt | None = None  # A receipt to be appended, such as a promise of that luck


@dataclass(frozen=True, slots=True)
class Hold:
    """The reason why a request is not ruled in a pass, however right it is itself."""

    problems: tuple[Problem, ...]  # What a person has to see to; none if it is enough to wait


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFindings:
    """What a step has found in a whole pass."""

    problems: tuple[Problem, ...] = ()
    edits: tuple[Edit, ...] = ()  # The cells of the program's columns that it writes
    known: Mapping[str, str] = field(default_factory=dict)  # What it keeps for the next pass, as `KnownBefore.known`
    wanted_rounds: frozenset[int] = frozenset()  # The rounds of a beacon that the pass needs


def steps_of(contents: Contents) -> tuple[Step, ...]:
    """Return the steps that a workbook needs, in their order."""
    kinds = (kind for kind in contents.context.steps if issubclass(kind, Step))
    return tuple(step for kind in kinds if (step := kind.of(contents)) is not None)


class Audience(Enum):
    """The people whom news concern."""

    WARS = "wars"  # All who hear of coming wars
    TURNS = "turns"  # All who hear of the turns of a game
    PLAYER = "player"  # One player


ANNOUNCEMENT, REMINDER, REPORT = "until", "reminder", "report"
"""Beginnings of `Announcement.what`: of the deadline of a turn, of a reminder of it, of a player's report of a turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """Something that other steps may publish besides receipts: odds, the deadline of a turn, a report for a player."""

    audience: Audience
    form: Form[Any]
    request: str  # The id of the request, or the game with its turn
    what: str  # What it is, as the tab Posts says it in its column Odds
    inputs: str = ""  # The inputs of the request, serialised


class Step:
    """A step of one pass. Each method has a default, by which the step does nothing there."""

    headed: ClassVar[tuple[type, ...]] = ()
    """Record classes of the tabs of which it needs only the header row."""

    @classmethod
    def of(cls, contents: Contents) -> Self | None:
        """Return the step for one pass; None if the workbook has neither its tab nor its setting."""
        raise NotImplementedError

    def order(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return the rows of a request tab in the order in which they are answered."""
        return rows

    def hold(self, tab: RequestTab, row: Row) -> Hold | None:
        """Return why a ready request is not ruled, nor anything done that counts on its rows; None if nothing is."""
        return None

    def claim(self, tab: RequestTab, row: Row, id: str) -> Answer | None:
        """Return the answer to an order before it is read; None to leave it to other steps and the plain ruling."""
        return None

    def luck(self, log: ReceiptLog, tab: RequestTab, request: ValidRequest) -> Luck | Waiting | None:
        """Return the luck of a valid request, or why it waits; None to leave it to other steps and the season's secret.

        Args:
            log: The receipts, with those that the pass has appended.
        """
        return None

    def after(self, receipts: Receipts, receipt: StoredReceipt) -> Iterable[FollowingRow]:
        """Return the rows that follow a new receipt in the same commit.

        Args:
            receipts: The receipts before the pass.
        """
        return ()

    def publish(self, news: Announcement) -> Iterable[FollowingRow]:
        """Return the rows by which news of another step are published."""
        return ()

    def finish(self) -> StepFindings:
        """Return what the step has found, once all requests are answered."""
        return StepFindings()
