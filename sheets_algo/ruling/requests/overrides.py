"""The tab Overrides, in which moderators decide inputs, draws and results of single rulings, with reason and name."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import msgspec

from engine.columns import TabDeclaration, ValueList, choice, loosely, text
from engine.suggest import nearest
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.problems import Problem, quoted
from sheets_algo.database.records import RULE_AGAIN, Database, Vocabulary
from sheets_algo.database.tables import Row, Table
from sheets_algo.database.typed_numbers import per_cent
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.values import PerCent

INPUT, DRAW, RESULT = "Input", "Draw", "Result"
KINDS = ValueList(
    "Override Kind",
    (INPUT, DRAW, RESULT),
    {
        INPUT: "A cell has another value, for this ruling only: Militaries!Harold's Host!Size.",
        DRAW: "A draw of the ruling is set, from 0 to less than 1: hour 7, Normandy right flank, attack.",
        RESULT: "A result is decided, and what follows from it follows by the rules: Winner.",
    },
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OverrideRow:
    """One row of the Overrides tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Overrides",
        one="decision",
        optional=True,
        about="Optional: what moderators decide in single rulings; each receipt tells it, and what it changed.",
    )

    request: str = text("Request", "OVR-01", "The request that is not ruled yet.", required=True)
    kind: str = choice("Kind", KINDS.name, "OVR-02", "What is decided.", required=True)
    what: str = text(
        "What",
        "OVR-03",
        "Which cell, draw or result: Militaries!Harold's Host!Size; hour 7, Normandy right flank, attack; Winner.",
        required=True,
    )
    value: str = text("Value", "OVR-04", "Its value in this ruling.", required=True, is_any_unit=True)
    reason: str = text("Reason", "OVR-05", "Why; every player can read it on the receipt.", required=True)
    by: str = text("By", "OVR-06", "Who decided it; every player can read it on the receipt.", required=True)


LISTS = {KINDS.name: KINDS}
"""The value lists of the tab."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A decision frozen in a receipt."""

    kind: str  # `Input`, `Draw` or `Result`
    what: str  # The cell, draw or result, as typed
    value: str | int | float  # Its value: a number as such, anything else as text
    reason: str  # Why
    by: str  # Who decided it

    @property
    def text(self) -> str:
        """Return `Winner = England`."""
        return f"{self.what} = {as_text(self.value)}"

    @property
    def place(self) -> tuple[str, str]:
        """Return the subject of the decision, normalised for comparison."""
        return self.kind, loosely(self.what.replace(",", " "))


class FrozenDecisions(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The decisions about one ruling, stored in its receipt."""

    rows: tuple[Decision, ...]  # The decisions in the order of the tab
    inputs: str = ""  # The inputs with the decided cells, serialised; blank if no cell was decided

    def encode(self) -> str:
        """Return the text for a receipt."""
        return msgspec.json.encode(self).decode()


DECODER = msgspec.json.Decoder(FrozenDecisions)
"""Created during the import, as the decoders of receipts are."""


def decisions_of(receipt: StoredReceipt) -> FrozenDecisions:
    """Return the decisions that a receipt stores; none if edits have made them unreadable."""
    try:
        return DECODER.decode(receipt.overrides) if receipt.overrides else FrozenDecisions(rows=())
    except ValueError:
        return FrozenDecisions(rows=())


def decided_inputs(receipt: StoredReceipt) -> str:
    """Return the inputs of a ruling with the readable decided cells."""
    return decisions_of(receipt).inputs or receipt.inputs


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A valid row of the tab."""

    row: Row
    decision: Decision  # The decision


@dataclass(frozen=True)
class Overrides:
    """The tab Overrides of a snapshot, beside the receipts and requests of the workbook."""

    snapshot: Snapshot
    receipts: Receipts
    requests: Collection[Table]  # The request tabs

    @cached_property
    def _database(self) -> Database:
        return Database(self.snapshot, (OverrideRow,), Vocabulary(lists=LISTS))

    @property
    def table(self) -> Table:
        """Return the tab as a table."""
        return self._database.table(OverrideRow)

    def rows_of(self, request: str) -> Sequence[Row]:
        """Return the rows that name a request."""
        return self.table.by_request.get(loosely(request), ()) if self.table.rows else ()

    def pending(self, request: str) -> tuple[tuple[DecisionRow, ...], tuple[Problem, ...]]:
        """Return the decisions about a request before its ruling, and the problems of their rows.

        A tab with wrong headers is a problem of every request, since it may hold decisions about any.
        """
        if self.table.header_problems:
            return (), self.table.header_problems
        decisions: dict[tuple[str, str], DecisionRow] = {}
        problems: list[Problem] = []
        for row in self.rows_of(request):
            read = self._database.read(row, OverrideRow)
            problems += read.problems
            if read.record is None:
                continue
            decision = _decision(row, read.record)
            if decision.place in decisions:
                problems.append(twice(row, decisions[decision.place].row))
            decisions.setdefault(decision.place, DecisionRow(row, decision))
        return tuple(decisions.values()), tuple(problems)

    def late(self, receipt: StoredReceipt) -> tuple[Problem, ...]:
        """Return a warning for each row added or changed after the ruling of its request (OVR-14)."""
        return tuple(_late(row, receipt) for row in self.late_rows(receipt))

    def late_rows(self, receipt: StoredReceipt) -> Sequence[Row]:
        """Return the rows that a ruling did not include."""
        rows = self.rows_of(receipt.request)
        frozen: Collection[Decision] = decisions_of(receipt).rows if rows else ()
        return [row for row in rows if self._decision_of(row) not in frozen]

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Return the problems of the tab, of rows that name no request, and of late rows."""
        problems = list(self.table.header_problems)
        for row in () if problems else self.table.rows:
            request = as_text(row.value("request"))
            if not request:
                problems += self._database.read(row, OverrideRow).problems
            elif ruling := self.receipts.ruling_of(request):
                if not self.receipts.is_undone(ruling) and self._decision_of(row) not in decisions_of(ruling).rows:
                    problems.append(_late(row, ruling))
            elif loosely(request) not in self._known_requests:
                near = nearest(request, self._known_requests.values())
                says = f"there is no request {quoted(request)}"
                allowed = "" if near else "Type its id"
                problems.append(row.problem("request", "OVR-01", says, nearest=near, allowed=allowed))
        return tuple(dict.fromkeys(problems))

    @cached_property
    def _known_requests(self) -> Mapping[str, str]:
        return {loosely(id): id for table in self.requests for id in table.texts("request")}

    def _decision_of(self, row: Row) -> Decision | None:
        record = self._database.read(row, OverrideRow).record
        return None if record is None else _decision(row, record)


def _decision(row: Row, record: OverrideRow) -> Decision:
    value = row.value("value")
    if isinstance(value, PerCent):
        value = per_cent(value)  # the text means the same in each unit (NUM-03)
    elif isinstance(value, bool) or not isinstance(value, int | float):
        value = record.value
    elif float(value).is_integer():  # a file and Google Sheets store 7 in different ways
        value = int(value)
    return Decision(kind=record.kind, what=record.what, value=value, reason=record.reason, by=record.by)


def twice(row: Row, first: Row) -> Problem:
    """Return the problem of two rows about the same subject (OVR-15)."""
    return row.problem("what", "OVR-15", f"row {first.number} decides this already", allowed="Keep one of them")


def _late(row: Row, ruling: StoredReceipt) -> Problem:
    says = f"{ruling.request} was ruled without this"
    allowed = f'Undo {ruling.request} first and choose its Action "{RULE_AGAIN}", or delete this row'
    return row.warning("request", "OVR-14", says, allowed=allowed)
