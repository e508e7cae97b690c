"""Protocol of a step: what a pass does besides the plain ruling of requests; and the state of a pass.

A step owns its tabs, its texts and its state, which last for one pass. It knows the contents that the pass has read and
the requests that it is asked about, but no other step. The list of all steps, in their order, is `steps/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any, ClassVar, NamedTuple, Self

from engine.columns import ValueList
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.changes import Changes
from sheets_algo.database.problems import Problem
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Edit, Row, Table
from sheets_algo.forms.base import Form
from sheets_algo.ruling.contents import Contents
from sheets_algo.ruling.forecast.forecast_rows import Cells, PendingForecast
from sheets_algo.ruling.plan import Answer, PassContext
from sheets_algo.ruling.receipts.receipt_tab import FollowingRow, ReceiptLog
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.repair.intents import WaitingRow
from sheets_algo.ruling.request_tab import RequestTab, ValidRequest
from sheets_algo.ruling.requests.program_cells import DatabaseEdit
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.tab_key import TabKey


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
    """Findings of a step in a whole pass."""

    problems: tuple[Problem, ...] = ()
    edits: tuple[Edit, ...] = ()  # The cells of the program's columns that it writes
    known: Mapping[str, str] = field(default_factory=dict)  # What it keeps for the next pass, as `KnownBefore.known`
    wanted_rounds: frozenset[int] = frozenset()  # The rounds of a beacon that the pass needs
    rows: tuple[FollowingRow, ...] = ()  # The rows that it appends
    news: tuple[Announcement, ...] = ()  # What other steps may publish
    forecast_rows: tuple[Cells, ...] = ()  # The new rows of the tab Forecasts among them
    requested_forecasts: tuple[PendingForecast, ...] = ()  # The requests that wait for their odds, in reading order
    deadline: datetime | None = None  # When it has something to do though nobody changes the workbook


class Undoing(NamedTuple):
    """Part of a step in the undoing of a ruling."""

    reasons: tuple[str, ...] = ()  # Why it cannot be, in sentences; then nothing is written
    edits: tuple[Edit, ...] = ()  # The cells that it changes


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


Result = Answer | ValidRequest
"""An answer; or the request as it was read, if it asks for something that is answered after all rulings."""


@dataclass(kw_only=True)
class PassState:
    """The state of one pass: what it has read, once, and what it has planned so far."""

    contents: Contents  # What it has read
    changes: Changes  # The collector of everything that the pass writes
    log: ReceiptLog  # The receipts before the pass, and those that it appends
    steps: Sequence[Step]  # What it does besides the plain ruling
    # The digest of what was typed for each request that was looked at, by its id.
    known: dict[str, str] = field(default_factory=dict)
    # The rows that wait until somebody changes them, by id: copied ones, and orders that stay refused.
    waiting: dict[str, WaitingRow] = field(default_factory=dict)
    # The cells of the database that people have changed, which the next ruling accepts.
    edits: tuple[DatabaseEdit, ...] = ()
    problems: list[Problem] = field(default_factory=list)  # The problems of tabs as a whole

    @property
    def context(self) -> PassContext:
        """Return the context of the pass."""
        return self.contents.context

    @property
    def receipts(self) -> Receipts:
        """Return the receipts before the pass."""
        return self.contents.receipts

    @property
    def is_rehearsal(self) -> bool:
        """Return True if the pass only finds problems, with a luck that is not the season's (FC-31)."""
        return self.context.foresight is not None

    @property
    def likelihood(self) -> str:
        """Return how likely what a rehearsal foresees is, an adverb."""
        return self.context.foresight.likelihood if self.context.foresight else ""

    def publish(self, news: Announcement) -> bool:
        """Let the steps publish news; return False if none does."""
        rows = [row for step in self.steps for row in step.publish(news)]
        for row in rows:
            self.changes.append(*row)
        return bool(rows)


class Step:
    """A step of one pass. Each method has a default, by which the step does nothing there.

    The arguments `former` are the answer before the other rulings of the pass; None lets the request be ruled.
    """

    tabs: ClassVar[tuple[type, ...]] = ()
    """Record classes of the tabs that it needs whole."""
    headed: ClassVar[tuple[type, ...]] = ()
    """Record classes of the tabs of which it needs only the header row."""
    naming: ClassVar[Mapping[type, str]] = {}
    """Those of its tabs in which a column names further tabs, with the attribute of the column."""
    lists: ClassVar[Mapping[str, ValueList]] = {}
    """The value lists of its tabs, by name."""
    acts_alone: ClassVar[bool] = False
    """True if it may have something ruled though no row is ready, in a workbook with its tabs."""

    @classmethod
    def is_offered(cls, forms: Iterable[Form[Any]]) -> bool:
        """Return True if `init` adds its tabs to a workbook of some rulesets."""
        return False

    @classmethod
    def further_tabs(cls, snapshot: Snapshot) -> tuple[TabKey, ...]:
        """Return the tabs that its own tabs name and a snapshot lacks, and that a pass needs whole too."""
        rows = ((row, attribute) for record, attribute in cls.naming.items() for row in Table.of(snapshot, record))
        named = {TabKey.named(title) for row, attribute in rows for title in titles_in(row, attribute)}
        return tuple(key for key in map(TabKey.named, snapshot.others) if key in named)

    @classmethod
    def of(cls, contents: Contents) -> Self | None:
        """Return the step for one pass; None if the workbook has neither its tab nor its setting."""
        raise NotImplementedError

    def before(self, state: PassState) -> bool:
        """Plan what must be in the workbook before anything is ruled; return True if that is all of this pass."""
        return False

    def open(self, state: PassState, tab: RequestTab) -> RequestTab:
        """Return a request tab as the step knows it, before any of its requests is answered."""
        return tab

    def order(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return the rows of a request tab in the order in which they are answered."""
        return rows

    def conduct(self, state: PassState, tab: RequestTab, rows: Iterable[Row]) -> Sequence[tuple[Row, Result]] | None:
        """Answer the rows of a tab where one answer changes others; None to have them answered one by one."""
        return None

    def hold(self, tab: RequestTab, row: Row) -> Hold | None:
        """Return why a ready request is not ruled, nor anything done that counts on its rows; None if nothing is."""
        return None

    def lasting_message(self, tab: RequestTab, row: Row) -> str:
        """Return what the Message of a row that is not ready goes on to say; blank for nothing."""
        return ""

    def act(self, state: PassState, tab: RequestTab, row: Row, id: str, held: tuple[Problem, ...]) -> Answer | None:
        """Return the answer to a ready row that asks for something else than a ruling, before it is read.

        Args:
            held: Why it would not be ruled.
        """
        return None

    def serve(self, state: PassState, request: ValidRequest) -> Answer | None:
        """Return the answer to a valid request for something else than a ruling, after all rulings."""
        return None

    def claim(self, state: PassState, tab: RequestTab, row: Row, id: str, former: Result | None) -> Answer | None:
        """Return the answer to an order before it is read; None to leave it to other steps and the plain ruling."""
        return None

    def reject(
        self, state: PassState, tab: RequestTab, row: Row, id: str, problems: tuple[Problem, ...]
    ) -> Answer | None:
        """Return the answer to an order that has mistakes; None to refuse it."""
        return None

    def admit(self, state: PassState, tab: RequestTab, request: ValidRequest, former: Result | None) -> Result:
        """Return a valid order as it is to be ruled, or the answer by which it is not."""
        return request

    def luck(self, log: ReceiptLog, tab: RequestTab, request: ValidRequest) -> Luck | Waiting | None:
        """Return the luck of a valid request, or why it waits; None to leave it to other steps and the season's secret.

        Args:
            log: The receipts, with those that the pass has appended.
        """
        return None

    def answered(self, state: PassState, tab: RequestTab, row: Row, answer: Answer) -> None:
        """Take note of an answer."""

    def rehearse(
        self, state: PassState, tab: RequestTab, answer: Answer, problems: Sequence[Problem]
    ) -> Iterable[Problem]:
        """Return the problems of a request in a rehearsal, with the reason why a valid order is not ruled now."""
        return problems

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

    def undo(self, form: Form[Any], database: Database, ruling: StoredReceipt) -> Undoing:
        """Return what keeps a ruling from being undone, and the cells that change with it."""
        return Undoing()


def titles_in(row: Row, attribute: str) -> tuple[str, ...]:
    """Return the titles of tabs that a cell names, with ; between them."""
    return tuple(filter(None, map(str.strip, as_text(row.value(attribute)).split(";"))))
