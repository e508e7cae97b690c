"""Wars to forecast: requests of the workbook, and rulings with the inputs in their receipts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.columns import loosely
from engine.forecast import Replicates
from engine.ruleset import MachineCode
from sheets_algo.database.problems import Rejected, ended, quoted
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Edit, Row
from sheets_algo.forecasts.what_if import levers, refusal
from sheets_algo.forms.base import Form, NotAtHand
from sheets_algo.forms.edits import BadEdit, apply_edits
from sheets_algo.forms.request_columns import is_ready, request_id
from sheets_algo.replays.replay import CannotReplay, MissingInput, ReplayNeeds
from sheets_algo.ruling.forecast.forecast_rows import forecast_seed, war_of
from sheets_algo.ruling.plan import Foreseen
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.ruling.requests.decisions import decided_cells, read_with
from sheets_algo.ruling.requests.overrides import INPUT, Decision, Overrides
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.values import Plain


@dataclass(frozen=True)
class ForecastWar:
    """War whose odds are forecast."""

    request: str  # The id of the request
    war: str  # The name of the war
    form: Form[Any]  # The form of its ruleset
    frozen: str  # The inputs, serialised as in a receipt
    seed: int  # The seed of the forecast
    line: int = 0  # The number of its row in the sheet
    receipt: StoredReceipt | None = None  # The receipt of a ruled war, whose inputs are used; else None
    remarks: tuple[str, ...] = ()  # Remarks on its inputs: strategies, and points of armies
    decisions: tuple[str, ...] = ()  # Moderators' decisions about it that count, and those that do not, in sentences
    edits: tuple[Edit, ...] = ()  # The cells of these decisions

    @cached_property
    def inputs(self) -> Any:
        """Return the inputs of the battles."""
        return self.form.deserialize(self.frozen)

    def series(self, code: MachineCode | None = None) -> Callable[[int, int], Replicates]:
        """Return the function that fights battles of the seed: number of the first, count."""
        return self.form.ruleset.series(self.inputs, self.seed, code)

    @property
    def ruling(self) -> Replicates | None:
        """Return the battle of the ruling; None if the war is not ruled, or not by its luck alone (OVR-13)."""
        if self.receipt is None or self.receipt.overrides:
            return None
        return self.form.ruleset.replicates(self.inputs, int(self.receipt.seed), 0, 1)


def from_receipt(receipt: StoredReceipt, form: Form[Any], seed: int | None) -> ForecastWar:
    """Return a ruled war, with the inputs in its receipt.

    Raises:
        CannotReplay: The inputs or the seed cannot be read, or the inputs refer to something that no longer exists.
    """
    problem = f"Receipt {receipt.seq} ({receipt.request}) cannot be forecast again"
    try:
        form.deserialize(receipt.inputs)
    except NotAtHand as error:
        raise ReplayNeeds(problem, MissingInput(str(error), error.needs)) from error
    except ValueError as error:
        raise CannotReplay(f"{problem}: {ended(str(error))}") from error
    if not receipt.seed.isdecimal():
        raise CannotReplay(f"{problem}: its seed {quoted(receipt.seed)} is not a number.")
    war_seed = forecast_seed(receipt.request, receipt.inputs) if seed is None else seed
    return ForecastWar(receipt.request, receipt.war, form, receipt.inputs, war_seed, receipt=receipt)


def from_row(
    form: Form[Any], database: Database, row: Row, seed: int | None, overrides: Overrides | None = None
) -> ForecastWar:
    """Return the war of a request in the workbook, with the cells that moderators have decided (OVR-10).

    Args:
        overrides: The decisions of moderators; None if they do not count.

    Raises:
        Rejected: The request, or a decision about it, cannot be ruled.
    """
    id = request_id(row)
    decisions, problems = overrides.pending(id) if overrides else ((), ())
    if problems:
        raise Rejected(problems)
    cells = decided_cells(form, database, id, decisions)
    content = (
        read_with(form, overrides.snapshot, database, row, cells) if overrides and cells else form.read(row, database)
    )
    frozen = form.serialize(content.inputs)
    return ForecastWar(
        id,
        war_of(form, row),
        form,
        frozen,
        forecast_seed(id, frozen) if seed is None else seed,
        row.number,
        remarks=content.remarks,
        decisions=tuple(_sentences([each.decision for each in decisions])),
        edits=tuple(edit for _, edit in cells),
    )


def from_rehearsal(foreseen: Foreseen) -> ForecastWar:
    """Return the war of a request as a rehearsal reads it."""
    frozen = foreseen.form.serialize(foreseen.content.inputs)
    return ForecastWar(
        foreseen.request,
        war_of(foreseen.form, foreseen.row),
        foreseen.form,
        frozen,
        forecast_seed(foreseen.request, frozen),
        foreseen.row.number,
        remarks=foreseen.content.remarks,
        decisions=tuple(_sentences(foreseen.decisions)),
    )


def _sentences(decisions: Sequence[Decision]) -> Iterator[str]:
    """Yield sentences on decisions that the odds of a war include, and on others."""
    if inputs := [decision.text for decision in decisions if decision.kind == INPUT]:
        yield f"As decided in Overrides: {', '.join(inputs)}."
    if others := [decision.text for decision in decisions if decision.kind != INPUT]:
        yield f"Decided in Overrides, and not counted in the odds: {', '.join(others)}."


def ready_rows(form: Form[Any], database: Database, ruled: Iterable[str]) -> list[Row]:
    """Return the rows that are ready and not ruled yet."""
    known = {loosely(id) for id in ruled}
    return [
        row for row in database.table(form.request) if is_ready(row) is True and loosely(request_id(row)) not in known
    ]


class WhatIf:
    """Forecasts of one request in changed copies of a workbook."""

    def __init__(self, snapshot: Snapshot, war: ForecastWar) -> None:
        if war.receipt is not None:
            raise BadEdit(f"{war.request} is ruled, so its inputs cannot be changed any more; name another request.")
        self.snapshot = apply_edits(snapshot, war.edits)
        self.form = war.form
        self.war = war
        self.book = Database(self.snapshot, self.form.records(), self.form.vocabulary)
        self.form.read(self._row(self.book), self.book)

    def with_edits(self, typed: str, edits: Sequence[Edit]) -> ForecastWar:
        """Return the request after some edits, with the same seed.

        Raises:
            BadEdit: The form refuses a value.
        """
        book = Database(apply_edits(self.snapshot, edits), self.form.records(), self.form.vocabulary)
        try:
            return from_row(self.form, book, self._row(book), self.war.seed)
        except Rejected as rejection:
            raise refusal(typed, [problem for problem in rejection.problems if problem.is_error]) from rejection

    def levers(self) -> list[tuple[Edit, Plain, ForecastWar]]:
        """Return the edit, old value and changed war for each number and ranked word of the request and its rows."""
        effective = []
        for edits, now in levers(self.book.rows_read, self.form, self.book):
            for edit in edits:
                try:
                    moved = self.with_edits(edit.name, [edit])
                except BadEdit:
                    continue  # an impossible value does not count
                if moved.frozen != self.war.frozen:
                    effective.append((edit, now, moved))
                    break
        return effective

    def _row(self, database: Database) -> Row:
        return next(row for row in database.table(self.form.request) if row.number == self.war.line)
