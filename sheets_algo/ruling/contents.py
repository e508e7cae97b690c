"""Frozen contents of a workbook for one pass: no step changes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from engine.battle_map import Rgb
from sheets_algo.database.problems import Problem
from sheets_algo.database.tables import Table
from sheets_algo.forms.databases import colours_of, request_tables
from sheets_algo.forms.former_columns import gone
from sheets_algo.ruling.luck.seeds import Secret
from sheets_algo.ruling.plan import LogFactory, PassContext
from sheets_algo.ruling.receipts.chain import FORK, IN_ROWS, hold, other_rules, secret_trouble
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.ruling.repair.intents import PendingTab
from sheets_algo.ruling.requests.overrides import Overrides
from sheets_algo.ruling.requests.row_states import LostRequests, ShownResults
from sheets_algo.workbook.errors import SeasonMismatch
from sheets_algo.workbook.snapshot import Snapshot

NO_SECRET = Secret(b"what check says is no secret")
"""The secret of a pass that rules nothing, so that its answers reveal no result of a war (FC-01)."""


@dataclass(frozen=True, kw_only=True)
class Contents:
    """The contents of a workbook for one pass."""

    snapshot: Snapshot  # The workbook
    context: PassContext
    now: str  # The time of the pass in UTC, ISO 8601
    logs: LogFactory  # Returns the sink of each request's log
    receipts: Receipts  # The receipts before the pass
    held: Problem | None  # The problem of the workbook that blocks all rulings, if there is one
    pending: PendingTab  # The writes to the workbook that are not verified yet
    other_rules: Mapping[str, Problem]  # The problems of forms under another version of the rules (RCP-17)
    tables: Mapping[str, Table]  # The request tabs, by the keys of their forms

    @property
    def why_held(self) -> str:
        """Return the reason why the workbook blocks all rulings, for the rows of requests; blank for none."""
        if self.held and self.held.id == "RCP-19":
            return IN_ROWS.format(ways_on=self.held.allowed)
        if self.held and self.held.id == FORK:  # without the place, which players need not know
            return f"This workbook is a copy. {self.held.allowed}. [{FORK}]"
        return str(self.held or "")

    @cached_property
    def overrides(self) -> Overrides:
        """Return the decisions of moderators."""
        return Overrides(self.snapshot, self.receipts, self.tables.values())

    @cached_property
    def lost(self) -> LostRequests:
        """Return the ruled requests that have lost their rows."""
        return LostRequests(self.receipts, self.tables)

    @cached_property
    def results(self) -> ShownResults:
        """Return the results that rows may show."""
        return ShownResults(self.receipts)

    @cached_property
    def colours(self) -> Mapping[str, Mapping[str, Rgb]]:
        """Return the colours of the sides in the pictures of each form, by its key."""
        return {form.key: colours_of(form, self.snapshot) for form in self.context.forms}

    @cached_property
    def gone(self) -> Mapping[str, tuple[Problem, ...]]:
        """Return the problems of lost columns, by the key of the form (REQ-11)."""
        had = {} if self.context.writing.accepts_columns else self.receipts.columns
        return {form.key: tuple(gone(form, self.snapshot, had)) for form in self.context.forms}


def read_contents(
    snapshot: Snapshot, context: PassContext, now: str, logs: LogFactory, receipts: Receipts | None
) -> Contents:
    """Read a workbook for a pass; arguments and errors as of `plan_pass`."""
    receipts = receipts or read_receipts(snapshot, is_lenient=True)
    forms, accepts = context.forms, context.writing.accepts_rules
    pending = PendingTab.read(snapshot, map(type, forms))
    held = hold(receipts, context.before.noted) or context.obstacle
    if context.foresight and (pending.repairs or pending.unreachable):
        held = held or next(iter(pending.all_problems), None)  # rows in the wrong state are not ruled (RCP-33)
    if not held and context.secret != NO_SECRET and (trouble := secret_trouble(receipts, context.secret)):
        raise SeasonMismatch(trouble)
    return Contents(
        snapshot=snapshot,
        context=context,
        now=now,
        logs=logs,
        receipts=receipts,
        held=held,
        pending=pending,
        other_rules={form.key: problem for form in forms if (problem := other_rules(form, receipts, accepts=accepts))},
        tables=request_tables(snapshot, forms),
    )
