"""The Pending tab: what a write by coordinates means, until somebody has seen that it landed where it was meant.

It stands in the spreadsheet, written in one step with the cells that it tells of. So whoever looks next, on whatever
computer, can compare, repair and close it: nothing that a repair needs lives in the memory of the process that wrote.
"""

from __future__ import annotations

import base64
import functools
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import msgspec

from engine.fields import Kind, Tab, columns, result, tab_of
from sheets_algo.forms.base import Form
from sheets_algo.problems import Cell, Problem, Severity, quoted
from sheets_algo.reconcile import Reconciled, Unsure, reconcile, still_wrong
from sheets_algo.tables import Table
from sheets_algo.values import shown
from sheets_algo.workbook.base import (
    Address,
    AppendRow,
    ChangeSet,
    Note,
    Plain,
    SetCell,
    Sheet,
    Snapshot,
    Value,
    tab_key,
)

CELL_MOST = 30_000
"""Characters of the details in one cell; they are plain ASCII, and a cell holds 32,767."""

DETAILS_MOST = 64_000_000
"""Bytes that details are unpacked to; more was not written by the program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingRow:
    """One row of the Pending tab."""

    tab: ClassVar[Tab] = Tab(
        "Pending",
        about="What the program has written and not yet seen in its place. Only the program writes here.",
        program_only=True,
    )

    kind: str = result(
        "Kind",
        id="RCP-40",
        note="Write: cells written by their place. Unsure: a cell for a person to see to. Luck: a log to be completed.",
    )
    part: int = result("Part", id="RCP-41", kind=Kind.WHOLE, note="1; details longer than a cell go on in part 2.")
    time: str = result("Time", id="RCP-42", note="When, UTC.")
    text: str = result("Text", id="RCP-43", note="What it is, in words.")
    details: str = result("Details", id="RCP-44", note="What the program needs to put the cells right, packed.")
    covered: str = result(
        "Covered", id="RCP-45", note="What the cells showed in the moment in which they were written, one a row."
    )


HEADER = tuple(column.header for _, column in columns(PendingRow))
WRITE, UNSURE, LUCK = "Write", "Unsure", "Luck"

Forms = Iterable[type[Form[Any]]]


@dataclass(frozen=True, slots=True)
class Intent:
    """What one write means.

    Args:
        before: The tabs of people's that it touches, as they were planned on, without the program's own columns.
        changes: The cells and rows of those tabs, by the coordinates of `before`.
        time: UTC, ISO 8601.
        covered: What stood in each of `covers` when it was written; empty as long as it is not.
    """

    before: Snapshot
    changes: ChangeSet
    time: str
    covered: tuple[Value, ...] = ()

    def covers(self, forms: Forms) -> tuple[Address, ...]:
        """The cells that hold data: ids, and what rulings change in the database."""
        results = {
            (tab_key(sheet.name), place)
            for form in forms
            for record in (form.request, *form.parts)
            if (sheet := self.before.sheet(tab_of(record).name))
            for _, column, place in Table(record, sheet).placed
            if column.place.is_programs
        }
        cells = ((cell.tab, cell.row, cell.column) for cell in self.changes.cells)
        return tuple(it for it in cells if (tab_key(it[0]), it[2]) not in results)

    @classmethod
    def of(cls, snapshot: Snapshot, changes: ChangeSet, now: str, forms: Forms) -> Intent | None:
        """The intent of a change set; None if it sets no cell of people's tabs by its place and adds no row there."""
        forms = tuple(forms)
        records = {tab_key(tab_of(record).name): record for form in forms for record in form.records()}
        own_columns = {record for form in forms for record in (form.request, *form.parts)}
        keys = {
            name for name in records if (sheet := snapshot.sheet(name)) and _is_touched(changes, tab_key(sheet.name))
        }
        if not keys:
            return None
        sheets = {
            name: _without_results(Table(records[name], snapshot.sheet(name)))
            if records[name] in own_columns
            else snapshot.sheets[name]
            for name in sorted(keys)
        }
        titles = {tab_key(sheet.name) for sheet in sheets.values()}
        return cls(
            Snapshot(sheets),
            ChangeSet(
                cells=tuple(cell for cell in changes.cells if tab_key(cell.tab) in titles),
                rows=tuple(row for row in changes.rows if tab_key(row.tab) in titles),
            ),
            now,
        )

    def rows(self) -> Iterator[tuple[Plain, ...]]:
        """Its rows of the Pending tab, in the order of the columns."""
        packed = self._packed()
        for part, start in enumerate(range(0, len(packed), CELL_MOST), start=1):
            yield (WRITE, part, self.time, str(self) if part == 1 else None, packed[start : start + CELL_MOST])

    def __str__(self) -> str:
        tabs = ", ".join(sheet.name for sheet in self.before.sheets.values())
        return f"Cells of {tabs} were written by their place. The next look checks them and clears this row."

    def _packed(self) -> str:
        content = {
            "sheets": {key: [sheet.name, list(sheet.rows.items())] for key, sheet in self.before.sheets.items()},
            "cells": [[cell.tab, cell.row, cell.column, cell.value] for cell in self.changes.cells],
            "rows": [[row.tab, row.values] for row in self.changes.rows],
        }
        return base64.b64encode(zlib.compress(msgspec.json.encode(content))).decode()

    @classmethod
    def unpacked(cls, details: str, time: str) -> Intent:
        """An intent from its details.

        Raises:
            ValueError: They were changed by hand.
        """
        unpack = zlib.decompressobj()
        try:
            content = unpack.decompress(base64.b64decode(details, validate=True), DETAILS_MOST)
            if not unpack.eof:
                raise ValueError("the details are cut off")
            read = msgspec.json.decode(content, type=_Content)
        except (zlib.error, msgspec.MsgspecError, ValueError) as error:
            raise ValueError(str(error)) from error
        sheets = {
            key: Sheet(name, {row: tuple(cells) for row, cells in rows}) for key, (name, rows) in read.sheets.items()
        }
        cells = tuple(SetCell(*it) for it in read.cells)
        return cls(Snapshot(sheets), ChangeSet(cells=cells, rows=tuple(AppendRow(*it) for it in read.rows)), time)


class _Content(msgspec.Struct):
    sheets: dict[str, tuple[str, list[tuple[int, list[Plain]]]]]
    cells: list[tuple[str, int, int, Plain]]
    rows: list[tuple[str, tuple[Plain, ...]]]


@dataclass(frozen=True)
class Pending:
    """What stands in the Pending tab of a snapshot.

    Args:
        snapshot: As read.
        forms: Rulesets whose tabs the program writes to.
        intents: Open writes.
        unsure: Cells that only a person can put right, of earlier writes.
        damaged: What cannot be read, in problems.
        owed: Receipts whose logs do not say yet how lucky the rulings were (FC-06), by number.
    """

    snapshot: Snapshot
    forms: tuple[type[Form[Any]], ...]
    intents: tuple[Intent, ...] = ()
    unsure: tuple[Unsure, ...] = ()
    damaged: tuple[Problem, ...] = ()
    owed: tuple[int, ...] = ()

    @classmethod
    def read(cls, snapshot: Snapshot, forms: Forms) -> Pending:
        """From a snapshot that has the tab whole, if it exists."""
        forms = tuple(forms)
        table = Table(PendingRow, snapshot.sheet(tab_of(PendingRow).name))
        entries: list[tuple[str, str, list[str]]] = []
        for row in table:
            kind, part, time, details = (shown(row.value(name)) for name in ("kind", "part", "time", "details"))
            if not kind:
                continue  # only something covered stands in it
            if part == "1" or not entries:
                entries.append((kind, time, []))
            entries[-1][2].append(details)
        intents: list[Intent] = []
        unsure: list[Unsure] = []
        damaged: list[Problem] = []
        owed: list[int] = []
        for kind, time, parts in entries:
            try:
                if kind == WRITE:
                    intent = Intent.unpacked("".join(parts), time)
                    rows = range(table.header_row + 1, table.header_row + 1 + len(intent.covers(forms)))
                    place = table.places.get("covered", 0)
                    covered = tuple(table.value(number, place) for number in rows) if place else ()
                    intents.append(replace(intent, covered=covered))
                elif kind == LUCK:
                    owed.append(int("".join(parts)))
                else:
                    unsure.append(msgspec.json.decode("".join(parts), type=Unsure))
            except (ValueError, msgspec.MsgspecError):
                damaged.append(_damaged(table, time))
        return cls(snapshot, tuple(forms), tuple(intents), tuple(unsure), tuple(damaged), tuple(owed))

    @functools.cached_property
    def repairs(self) -> ChangeSet:
        """What puts the cells of open writes right that are not where they belong; empty when all are."""
        results = [it.changes for it in self._reconciled]
        return ChangeSet(
            cells=tuple(cell for it in results for cell in it.cells),
            rows=tuple(row for it in results for row in it.rows),
        )

    @functools.cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Cells that only a person can put right (RCP-33), and what cannot be read."""
        return (*self.damaged, *(problem for _, problem in self._wrong))

    @property
    def found(self) -> tuple[Problem, ...]:
        """What is to be said about earlier writes when nothing is written: repairs that wait to be made, too."""
        waiting = [
            Problem(
                cell=Cell(cell.tab, cell.row, cell.column),
                says=f"shows {quoted(shown(cell.before))}, since rows were moved while the program wrote",
                allowed=f"Let run or watch put {quoted(shown(cell.value))} there"
                if shown(cell.value)
                else "Let run or watch empty it",
                id="RCP-33",
                severity=Severity.WARNING,
            )
            for cell in self.repairs.cells
        ]
        return (*waiting, *self.problems)

    @property
    def still_unsure(self) -> tuple[Unsure, ...]:
        """What nobody has seen to yet."""
        return tuple(it for it, _ in self._wrong)

    @functools.cached_property
    def _reconciled(self) -> tuple[Reconciled, ...]:
        return tuple(
            reconcile(
                it.before,
                it.changes,
                self.snapshot,
                self.forms,
                dict(zip(it.covers(self.forms), it.covered, strict=False)),
            )
            for it in self.intents
        )

    @functools.cached_property
    def _wrong(self) -> tuple[tuple[Unsure, Problem], ...]:
        every = (*self.unsure, *(unsure for it in self._reconciled for unsure in it.unsure))
        found = ((it, still_wrong(it, self.snapshot, self.forms)) for it in dict.fromkeys(every))
        return tuple((it, problem) for it, problem in found if problem)


def _damaged(table: Table, time: str) -> Problem:
    return Problem(
        cell=Cell(table.name),
        says=f"what the write of {time or 'an unknown time'} meant cannot be read, since the row was changed by hand",
        allowed="Compare the request tabs and the database with an older version",
        id="RCP-40",
        severity=Severity.WARNING,
    )


def _is_touched(changes: ChangeSet, title: str) -> bool:
    tabs = {*(cell.tab for cell in changes.cells), *(row.tab for row in changes.rows)}
    return title in map(tab_key, tabs)


def _without_results(table: Table) -> Sheet:
    """A tab without what the program shows there at every look anew."""
    assert table.sheet is not None
    results = {place - 1 for _, column, place in table.placed if column.place.is_programs}
    rows = {
        number: cells
        if number <= table.header_row
        else tuple(None if place in results else cell for place, cell in enumerate(cells))
        for number, cells in table.sheet.rows.items()
    }
    return Sheet(table.sheet.name, rows)


def noted(pending: Pending, changes: ChangeSet, now: str, owed: Sequence[int] | None = None) -> ChangeSet:
    """A change set with its note: what it means, and what is left of earlier writes.

    Args:
        pending: Of the snapshot that the changes were planned on. Its open writes have been compared with it, so they
            are closed; cells that only a person can put right stay.
        changes: What is written.
        now: UTC, ISO 8601.
        owed: Receipts whose logs are to be completed after it; None leaves that as it is.
    """
    snapshot = pending.snapshot
    owed = pending.owed if owed is None else tuple(owed)
    # A workbook with a revision is written only while it is what was read: there no cell can land anywhere else.
    own = None if snapshot.revision else Intent.of(snapshot, changes, now, pending.forms)
    if own is None and not pending.intents and (pending.still_unsure, owed) == (pending.unsure, pending.owed):
        return changes
    left = [
        (UNSURE, 1, now, str(problem), msgspec.json.encode(it).decode())
        for it, problem in zip(pending.still_unsure, pending.problems[len(pending.damaged) :], strict=True)
    ]
    left += [(LUCK, 1, now, f"The log of receipt {seq} is to be completed.", str(seq)) for seq in owed]
    opened = (HEADER, *left, *(own.rows() if own else ()))
    covers = own.covers(pending.forms) if own else ()
    return replace(changes, note=Note(tab_of(PendingRow).name, opened, (HEADER, *left), covers))
