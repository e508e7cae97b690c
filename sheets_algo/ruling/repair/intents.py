"""The tab Pending, a journal of unverified writes by coordinates.

An entry is written in one step with the cells that it describes, so the next pass on any computer can verify, repair
and close it without the memory of the process that wrote it.
"""

from __future__ import annotations

import base64
import functools
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import msgspec

from engine.columns import Kind, TabDeclaration, columns, result
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.headers import key_of
from sheets_algo.database.problems import CellRef, Problem, Severity, quoted
from sheets_algo.database.tables import Table
from sheets_algo.forms.base import Form
from sheets_algo.ruling.repair.reconcile import UnsureCell, WriteCheck, people_records, reconcile, still_wrong
from sheets_algo.workbook.addresses import Address
from sheets_algo.workbook.changes import AppendRow, ChangeSet, Note, SetCell
from sheets_algo.workbook.snapshot import Sheet, Snapshot
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.values import Plain, Value

CELL_MOST = 30_000
"""Maximum number of characters of the details in one cell; they are ASCII, and a cell holds 32,767."""

DETAILS_MOST = 64_000_000
"""Maximum size of unpacked details in bytes; the program writes no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingRow:
    """One row of the Pending tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Pending",
        about="What the program has written and not yet seen in its place. Only the program writes here.",
        program_only=True,
    )

    kind: str = result(
        "Kind",
        "RCP-40",
        "Write: cells written by their place. Unsure: a cell for a person to see to."
        " Copy: a copied row that was given an id of its own, and waits until its Ready is cleared."
        " Overtaken: an order that was refused before orders below it were ruled, and stays refused.",
    )
    part: int = result("Part", "RCP-41", "1; details longer than a cell go on in part 2.", kind=Kind.WHOLE)
    time: str = result("Time", "RCP-42", "When, UTC.")
    text: str = result("Text", "RCP-43", "What it is, in words.")
    details: str = result("Details", "RCP-44", "What the program needs to put the cells right, packed.")
    covered: str = result(
        "Covered", "RCP-45", "What the cells showed in the moment in which they were written, one a row."
    )


HEADER = tuple(column.header for _, column in columns(PendingRow))
WRITE, UNSURE = "Write", "Unsure"

Forms = Iterable[type[Form[Any]]]


@dataclass(frozen=True, slots=True)
class Intent:
    """The intended result of one write."""

    before: Snapshot  # The snapshot of the people's tabs that the write changes, without columns computed on every pass
    changes: ChangeSet  # The cells and rows of those tabs, by the coordinates of `before`
    time: str  # The time in UTC, ISO 8601
    covered: tuple[Value, ...] = ()  # The values of the cells of `covers` at the time of the write; empty before it

    def covers(self, forms: Forms) -> tuple[Address, ...]:
        """Return the addresses of the changed cells that hold data: ids and database cells."""
        results = {
            (key_of(record), place)
            for form in forms
            for record in (form.request, *form.parts)
            if (sheet := self.before.sheet(key_of(record)))
            for _, column, place in Table(record, sheet).placed
            if column.place.is_computed
        }
        cells = ((cell.tab, cell.row, cell.column) for cell in self.changes.cells)
        return tuple(address for address in cells if (address[0], address[2]) not in results)

    @classmethod
    def of(cls, snapshot: Snapshot, changes: ChangeSet, now: str, forms: Forms) -> Intent | None:
        """Return the intent of a change set, or None if it does not change people's tabs."""
        forms = tuple(forms)
        records = people_records(forms)
        own_columns = {record for form in forms for record in (form.request, *form.parts)}
        sheets = {
            tab: _without_results(Table.of(snapshot, records[tab]))
            if records[tab] in own_columns
            else snapshot.sheets[tab]
            for tab in sorted(changes.tabs_written)
            if tab in records and tab in snapshot.sheets
        }
        if not sheets:
            return None
        return cls(
            Snapshot(sheets),
            ChangeSet(
                cells=tuple(cell for cell in changes.cells if cell.tab in sheets),
                rows=tuple(row for row in changes.rows if row.tab in sheets),
            ),
            now,
        )

    def rows(self) -> Iterator[tuple[Plain, ...]]:
        """Yield the intent's rows of the Pending tab, in the order of the columns."""
        packed = self._pack()
        for part, start in enumerate(range(0, len(packed), CELL_MOST), start=1):
            yield (WRITE, part, self.time, str(self) if part == 1 else None, packed[start : start + CELL_MOST])

    def __str__(self) -> str:
        tabs = ", ".join(sheet.title for sheet in self.before.sheets.values())
        return f"Cells of {tabs} were written by their place. The next look checks them and clears this row."

    def _pack(self) -> str:
        content = {
            "sheets": {tab.name: [sheet.title, list(sheet.rows.items())] for tab, sheet in self.before.sheets.items()},
            "cells": [[cell.tab.name, cell.row, cell.column, cell.value] for cell in self.changes.cells],
            "rows": [[row.tab.name, row.values] for row in self.changes.rows],
        }
        return base64.b64encode(zlib.compress(msgspec.json.encode(content, enc_hook=float))).decode()

    @classmethod
    def unpacked(cls, details: str, time: str) -> Intent:
        """Return the intent of packed details.

        Raises:
            ValueError: The details were changed by hand.
        """
        unpack = zlib.decompressobj()
        try:
            content = unpack.decompress(base64.b64decode(details, validate=True), DETAILS_MOST)
            if not unpack.eof:
                raise ValueError("the details are cut off")
            read = _INTENT.decode(content)
        except (zlib.error, msgspec.MsgspecError, ValueError) as error:
            raise ValueError(str(error)) from error
        sheets = {
            TabKey.named(name): Sheet(title, {row: tuple(cells) for row, cells in rows})
            for name, (title, rows) in read.sheets.items()
        }
        by_title = {sheet.title: tab for tab, sheet in sheets.items()}  # earlier versions named the tabs of cells so

        def key(name: str) -> TabKey:
            return tab if (tab := TabKey.named(name)) in sheets else by_title.get(name, tab)

        cells = tuple(SetCell(key(name), row, column, value) for name, row, column, value in read.cells)
        rows = tuple(AppendRow(key(name), values) for name, values in read.rows)
        return cls(Snapshot(sheets), ChangeSet(cells=cells, rows=rows), time)

    def with_headers_of(self, snapshot: Snapshot) -> Intent:
        """Return the intent with the headers of people's own tabs, as the tab Columns assigns them now (DB-17)."""
        if not snapshot.own:
            return self
        sheets = {
            key: replace(sheet, own=now.own) if (now := snapshot.sheet(key)) else sheet
            for key, sheet in self.before.sheets.items()
        }
        return replace(self, before=replace(self.before, sheets=sheets, own=snapshot.own))


class _Content(msgspec.Struct):
    sheets: dict[str, tuple[str, list[tuple[int, list[Plain]]]]]
    cells: list[tuple[str, int, int, Plain]]
    rows: list[tuple[str, tuple[Plain, ...]]]


class CopiedRow(NamedTuple):
    """A row pasted with a tick in Ready that was never cleared (REQ-17)."""

    id: str  # The id that the program gave it
    source: str  # The pasted id

    def __str__(self) -> str:
        return f"{self.id} was copied from {self.source}."


class OvertakenOrder(NamedTuple):
    """An order that was refused in its place, and that only orders below it have made valid (REQ-10)."""

    id: str
    why: str  # The reason of its refusal, a clause
    digest: str  # The digest of the order and of its dependencies, after the orders below it

    def __str__(self) -> str:
        return f"{self.id} was refused: {self.why}."


WaitingRow = CopiedRow | OvertakenOrder
KINDS: Mapping[type[WaitingRow], str] = {CopiedRow: "Copy", OvertakenOrder: "Overtaken"}

_INTENT = msgspec.json.Decoder(_Content)
_WAITING = {kind: msgspec.json.Decoder(row) for row, kind in KINDS.items()}
_UNSURE = msgspec.json.Decoder(UnsureCell)


@dataclass(frozen=True)
class PendingTab:
    """The content of the Pending tab of a snapshot."""

    snapshot: Snapshot  # The snapshot of the workbook
    forms: tuple[type[Form[Any]], ...]  # The form classes whose tabs the program writes to
    intents: tuple[Intent, ...] = ()  # The intents of writes that are not verified yet
    unsure: tuple[UnsureCell, ...] = ()  # The cells of earlier writes that only a person can correct
    damaged: tuple[Problem, ...] = ()  # The problems of entries that cannot be read
    waiting: tuple[WaitingRow, ...] = ()  # The rows that wait until somebody changes them

    @classmethod
    def read(cls, snapshot: Snapshot, forms: Forms) -> PendingTab:
        """Read the Pending tab of a snapshot, which has all rows of the tab if it exists."""
        forms = tuple(forms)
        table = Table.of(snapshot, PendingRow)
        entries: list[tuple[str, str, list[str]]] = []
        for row in table:
            kind, part, time, details = (as_text(row.value(name)) for name in ("kind", "part", "time", "details"))
            if not kind:
                continue  # the row has only a Covered cell
            if part == "1" or not entries:
                entries.append((kind, time, []))
            entries[-1][2].append(details)
        intents: list[Intent] = []
        unsure: list[UnsureCell] = []
        damaged: list[Problem] = []
        waiting: list[WaitingRow] = []
        for kind, time, parts in entries:
            try:
                if kind == WRITE:
                    intent = Intent.unpacked("".join(parts), time).with_headers_of(snapshot)
                    rows = range(table.header_row + 1, table.header_row + 1 + len(intent.covers(forms)))
                    place = table.places.get("covered", 0)
                    covered = tuple(table.value(number, place) for number in rows) if place else ()
                    intents.append(replace(intent, covered=covered))
                elif kind in _WAITING:
                    waiting.append(_WAITING[kind].decode("".join(parts)))
                else:
                    unsure.append(_UNSURE.decode("".join(parts)))
            except (ValueError, msgspec.MsgspecError):
                damaged.append(_damage(table, time))
        return cls(snapshot, forms, tuple(intents), tuple(unsure), tuple(damaged), tuple(waiting))

    @functools.cached_property
    def repairs(self) -> ChangeSet:
        """Return the changes that correct misplaced cells of open writes, empty if there are none."""
        results = [result.changes for result in self._reconciled]
        return ChangeSet(
            cells=tuple(cell for result in results for cell in result.cells),
            rows=tuple(row for result in results for row in result.rows),
        )

    @functools.cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Return the problems that only a person can correct: unreadable entries, lost columns, cells (RCP-33)."""
        return (*self.damaged, *self.unreachable, *(problem for _, problem in self.wrong_cells))

    @property
    def unreachable(self) -> tuple[Problem, ...]:
        """Return the problems of tabs in which a write cannot be verified; until then, nothing may be written."""
        return tuple(problem for result in self._reconciled for problem in result.unreachable)

    @property
    def all_problems(self) -> tuple[Problem, ...]:
        """Return `problems` preceded by warnings of repairs that are not written yet, for passes that do not write."""
        waiting = [
            Problem(
                cell=CellRef(self.snapshot.title(cell.tab), cell.row, cell.column),
                says=f"shows {quoted(as_text(cell.before))}, since rows were moved while the program wrote",
                allowed=f"Let run or watch put {quoted(as_text(cell.value))} there"
                if as_text(cell.value)
                else "Let run or watch empty it",
                id="RCP-33",
                severity=Severity.WARNING,
            )
            for cell in self.repairs.cells
        ]
        return (*waiting, *self.problems)

    @functools.cached_property
    def _reconciled(self) -> tuple[WriteCheck, ...]:
        return tuple(
            reconcile(
                intent.before,
                intent.changes,
                self.snapshot,
                self.forms,
                dict(zip(intent.covers(self.forms), intent.covered, strict=False)),
            )
            for intent in self.intents
        )

    @functools.cached_property
    def wrong_cells(self) -> tuple[tuple[UnsureCell, Problem], ...]:
        """Return the unsure cells that no person has corrected yet, with their problems."""
        cells = (*self.unsure, *(cell for result in self._reconciled for cell in result.unsure))
        checked = ((cell, still_wrong(cell, self.snapshot, self.forms)) for cell in dict.fromkeys(cells))
        return tuple((cell, problem) for cell, problem in checked if problem)


def _damage(table: Table, time: str) -> Problem:
    return Problem(
        cell=CellRef(table.title),
        says=f"what the write of {time or 'an unknown time'} meant cannot be read, since the row was changed by hand",
        allowed="Compare the request tabs and the database with an older version",
        id="RCP-40",
        severity=Severity.WARNING,
    )


def _without_results(table: Table) -> Sheet:
    """Return a tab without the cells of columns that the program computes on every pass."""
    assert table.sheet is not None
    results = {place - 1 for _, column, place in table.placed if column.place.is_computed}
    rows = {
        number: cells
        if number <= table.header_row
        else tuple(None if place in results else cell for place, cell in enumerate(cells))
        for number, cells in table.sheet.rows.items()
    }
    return Sheet(table.sheet.title, rows)


def with_note(
    pending: PendingTab, changes: ChangeSet, now: str, waiting: Iterable[WaitingRow] | None = None
) -> ChangeSet:
    """Return a change set with a note for the Pending tab: its intent and open entries of earlier writes.

    Args:
        pending: The Pending tab of the snapshot that the changes were planned on; its intents are verified and
            therefore closed, its unsure cells are kept.
        waiting: The rows that wait for a change by people; None keeps those of `pending`.
    """
    snapshot = pending.snapshot
    waiting = pending.waiting if waiting is None else tuple(waiting)
    # A workbook with a revision is written only if unchanged since it was read, so no cell can be misplaced.
    intent = None if snapshot.revision else Intent.of(snapshot, changes, now, pending.forms)
    still_unsure = tuple(cell for cell, _ in pending.wrong_cells)
    if intent is None and not pending.intents and (still_unsure, waiting) == (pending.unsure, pending.waiting):
        return changes
    remaining = [
        (UNSURE, 1, now, str(problem), msgspec.json.encode(cell).decode()) for cell, problem in pending.wrong_cells
    ]
    remaining += [(KINDS[type(row)], 1, now, str(row), msgspec.json.encode(row).decode()) for row in waiting]
    rows = (HEADER, *remaining, *(intent.rows() if intent else ()))
    covers = intent.covers(pending.forms) if intent else ()
    return replace(changes, note=Note(snapshot.key(key_of(PendingRow)), rows, (HEADER, *remaining), covers))
