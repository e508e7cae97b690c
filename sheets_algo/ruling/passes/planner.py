"""The plan of one pass over a snapshot: problems, rulings and changes. Pure: equal arguments give an equal plan.

Receipts are the truth. A request is ruled if it is ready, valid and has no receipt. The program's columns are computed
anew on every pass and written where they differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

from engine.columns import tab_of
from sheets_algo.database.problems import CellRef, Problem, Severity
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import by_ruleset
from sheets_algo.ruling.forecast.forecast_rows import ForecastRow
from sheets_algo.ruling.passes.forecast_answers import ForecastAnswers
from sheets_algo.ruling.passes.plan import (
    Answer,
    LogFactory,
    PassContext,
    PassFindings,
    PendingLuck,
    Plan,
    PlannedWrites,
    RemainingWork,
    no_log,
)
from sheets_algo.ruling.passes.receipt_log import (
    ReceiptLog,
    columns_receipt,
    damage_problem,
    hold,
    rules_receipt,
    secret_trouble,
)
from sheets_algo.ruling.passes.request_answers import RequestAnswers
from sheets_algo.ruling.passes.writer import PlanWriter, blocked_says
from sheets_algo.ruling.receipts.chain import IN_ROWS
from sheets_algo.ruling.receipts.changes import Changes
from sheets_algo.ruling.receipts.former_columns import optional_columns
from sheets_algo.ruling.receipts.posts import PostRow
from sheets_algo.ruling.receipts.receipts import LogRow, ReceiptRow, StoredReceipt
from sheets_algo.ruling.repair.intents import CopiedRow, PendingRow, PendingTab, with_note
from sheets_algo.ruling.requests.overrides import OverrideRow
from sheets_algo.ruling.requests.status_columns import StatusWriter
from sheets_algo.ruling.requests.turns_tab import TurnRow
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.errors import SeasonMismatch
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.snapshot import Snapshot

HEADERS_TO_READ = (LogRow.tab.name, PostRow.tab.name)
"""Names of the tabs of which a pass needs only the header row."""


class TabOwner(Protocol):
    """A form class, or what is known of it before it is imported."""

    @property
    def tabs(self) -> Sequence[str]:
        """Return the names of its tabs."""
        ...


def tabs_to_read(forms: Iterable[TabOwner]) -> tuple[str, ...]:
    """Return the names of the tabs that a pass needs whole."""
    shared = (tab_of(record).name for record in (OverrideRow, TurnRow, ReceiptRow, ForecastRow, PendingRow))
    return tuple(dict.fromkeys((*(name for form in forms for name in form.tabs), *shared)))


def plan_pass(snapshot: Snapshot, context: PassContext, now: str, logs: LogFactory = no_log) -> Plan:
    """Plan one pass over a snapshot: a repair, new ids, or answers to all requests.

    Args:
        snapshot: The tabs of `tabs_to_read`, and the headers of `HEADERS_TO_READ`.
        now: The time of the pass, UTC, ISO 8601.
        logs: Returns the sink of each request's log.

    Raises:
        SeasonMismatch: The secret is another season's.
        ForeignTab: A tab called Log is not the program's.
    """
    planner = _Planner(snapshot, context, now, logs)
    return planner.repair() or planner.new_ids() or planner.answers()


class _Planner:
    """The planning of one pass; arguments as in `plan_pass`."""

    def __init__(self, snapshot: Snapshot, context: PassContext, now: str, logs: LogFactory) -> None:
        self._snapshot, self._context, self._now = snapshot, context, now
        self._changes = Changes(context.before.blocked, context.writing.most)
        damages: list[str] = []
        self._log = ReceiptLog(snapshot, self._changes, damages, context.writing.posts)
        self._held = next(map(damage_problem, damages), None) or hold(self._log.receipts, context.before.noted)
        if not self._held and (trouble := secret_trouble(self._log.receipts, context.secret)):
            raise SeasonMismatch(trouble)
        self._pending = PendingTab.read(snapshot, map(type, context.forms))
        forms = {form.key: form for form in context.forms}
        owed = filter(None, map(self._log.receipts.by_seq.get, self._pending.owed))
        self._requests = RequestAnswers(
            self._pending,
            PlanWriter(self._changes, self._log, context, now),
            logs,
            held=IN_ROWS if self._held and self._held.id == "RCP-19" else str(self._held or ""),
            is_damaged=bool(damages),
        )
        self._owed = [self._owe(receipt, forms.get(receipt.ruleset)) for receipt in owed]
        self._forecasts = ForecastAnswers(snapshot, context, self._changes)
        self._statuses = StatusWriter(
            self._changes, context.before.last_statuses, context.before.blocked, is_verified=not self._pending.intents
        )

    def _owe(self, receipt: StoredReceipt, form: Form[Any] | None) -> PendingLuck:
        colours = self._requests.ruler.colours(form) if form else {}
        return PendingLuck(receipt, form, colours, self._log.receipts.options)

    def repair(self) -> Plan | None:
        """Return the repair of an earlier write, if one is needed: rows in the wrong state are not ruled (RCP-33)."""
        if self._pending.unreachable:
            return Plan(found=self._as_before(), writes=PlannedWrites(changes=ChangeSet()))
        repairs = self._pending.repairs
        return self._without_answers(repairs, len(repairs.cells) + len(repairs.rows)) if repairs else None

    def new_ids(self) -> Plan | None:
        """Return the new ids where they must be seen in their rows before anything is ruled, if any are needed."""
        if self._held or self._snapshot.revision or self._context.writing.is_trial or not self._requests.give_ids():
            return None
        return self._without_answers(
            self._changes.finish(None, self._season, known=self._known), copies=self._requests.copies
        )

    def answers(self) -> Plan:
        """Return the answers to all requests, with their statuses, receipts, forecasts and logs."""
        if not self._held:
            self._accept_rules()
            self._accept_columns()
        answers = tuple(answer for forms in by_ruleset(self._context.forms) for answer in self._answers(forms))
        self._forecasts.append_rows(self._now)
        self._complete_logs()
        if self._context.fought.owes_luck:
            self._owed += [self._owe(answer.ruling.receipt, answer.ruling.form) for answer in answers if answer.ruling]
        changes = self._changes.finish(self._log.guard, self._season, self._log.head, self._known)
        known, is_partial = self._requests.reader.known, self._changes.is_partial
        return Plan(
            found=PassFindings(
                answers=answers,
                of_tabs=tuple(dict.fromkeys(self._tab_problems())),
                failures=(*self._requests.ruler.failures, *self._forecasts.failures),
                known={**(self._context.before.known or {}), **known} if is_partial else known,
                statuses=self._statuses.statuses,
                held=self._held,
            ),
            writes=PlannedWrites(
                changes=with_note(
                    self._pending,
                    changes,
                    self._now,
                    [owed.receipt.seq for owed in self._owed],
                    self._requests.copies,
                ),
                promises=tuple(self._requests.ruler.promises.made),
                forecast_rows=tuple(self._forecasts.new_rows),
            ),
            owes=RemainingWork(
                is_partial=is_partial or self._requests.must_look_again,
                left=self._requests.left,
                requested_forecasts=tuple(self._forecasts.requested),
                owed=tuple(self._owed),
                wanted_rounds=frozenset(self._requests.ruler.promises.wanted),
                deadline=self._requests.deadlines.next,
            ),
        )

    def _answers(self, forms: tuple[Form[Any], ...]) -> Iterator[Answer]:
        """Yield the answers of one ruleset; all its rulings come first, then forecasts and statuses."""
        for tab, request in self._requests.answer(forms):
            answer = request if isinstance(request, Answer) else self._forecasts.answer(request)
            self._statuses.write(tab.form, tab.database, answer.shown, is_ruling=answer.ruling is not None)
            yield answer

    def _accept_rules(self) -> None:
        """Write a receipt for each ruleset that goes on under a newer version of its rules, if that is accepted."""
        for form in self._context.forms if self._context.writing.accepts_rules else ():
            if (self._log.receipts.rules_version(form.key) or form.ruleset.version) < form.ruleset.version:
                self._log.append(rules_receipt(self._log.numbered(), form, self._now))

    def _accept_columns(self) -> None:
        """Write a receipt that lists the optional columns that the workbook has, if that is accepted (REQ-11)."""
        if self._context.writing.accepts_columns:
            columns, had = optional_columns(self._context.forms, self._snapshot), self._log.receipts.columns
            if columns != had and self._log.receipts.season:
                self._log.append(columns_receipt(self._log.numbered(), columns, had, self._now))

    def _complete_logs(self) -> None:
        """Complete the logs whose last lines are ready (FC-06)."""
        lines = self._context.fought.last_lines
        for receipt in (owed.receipt for owed in self._owed if owed.receipt.seq in lines):
            self._log.append_events(receipt, lines[receipt.seq])
        self._owed = [owed for owed in self._owed if owed.receipt.seq not in lines]

    def _tab_problems(self) -> Iterator[Problem]:
        yield from [self._held] if self._held else []
        yield from self._pending.problems
        for place, why in self._context.before.blocked.items():
            yield Problem(cell=CellRef(*place), says=blocked_says(why), id="RCP-31", severity=Severity.WARNING)
        yield from self._requests.problems
        yield from self._requests.ruler.promises.problems
        yield from self._statuses.disputes

    def _without_answers(
        self, changes: ChangeSet, repaired: int = 0, copies: Sequence[CopiedRow] | None = None
    ) -> Plan:
        """Return a plan that makes some changes and leaves all else to the next pass."""
        noted = with_note(self._pending, changes, self._now, copies=copies)
        return Plan(
            found=self._as_before(),
            writes=PlannedWrites(changes=noted, repaired=repaired),
            owes=RemainingWork(is_partial=True, owed=tuple(self._owed)),
        )

    def _as_before(self) -> PassFindings:
        """Return what a pass finds that does not look at requests."""
        return PassFindings(of_tabs=self._pending.problems, known=self._context.before.known or {})

    @property
    def _known(self) -> Head:
        """Return the last receipt of which the plan knows; of several with one number, the one that is noted first."""
        heads = [*(noted.head for noted in self._context.before.noted), self._log.receipts.head]
        return max(heads, key=lambda head: head.seq)

    @property
    def _season(self) -> str:
        """Return the season's digest."""
        return self._log.receipts.season
