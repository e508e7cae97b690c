"""The note of a change set where no cell can land elsewhere: only what is left when the changes are in their place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sheets_algo.workbook.base import AppendRow, ChangeSet, NewTab, Note, Plain, SetCell, Sheet
from sheets_algo.workbook.staleness import cell_of, same


def with_closed_note(changes: ChangeSet, sheet: Sheet | None) -> ChangeSet:
    """The same changes with the closed note as cells and rows.

    Args:
        changes: With or without a note.
        sheet: The note's tab, whole; None if the workbook lacks it.
    """
    note = changes.note
    if note is None:
        return changes
    if sheet is None:
        header, *rows = note.closed
        if not rows:
            return replace(changes, note=None)
        tab = NewTab(note.tab, tuple(str(head) for head in header))
        added = tuple(AppendRow(note.tab, row) for row in rows)
        return replace(changes, tabs=(*changes.tabs, tab), rows=(*changes.rows, *added), note=None)
    return replace(changes, cells=(*changes.cells, *note_cells(note, note.closed, sheet)), note=None)


def note_cells(note: Note, rows: tuple[tuple[Plain, ...], ...], sheet: Sheet) -> Iterator[SetCell]:
    """What makes a tab hold these rows and nothing else."""
    for number in range(1, max(sheet.last_row, len(rows)) + 1):
        wanted = rows[number - 1] if number <= len(rows) else ()
        for column in range(1, max(len(wanted), len(sheet.rows.get(number, ()))) + 1):
            value = wanted[column - 1] if column <= len(wanted) else None
            before = cell_of(sheet, number, column)
            if not same(before, value):
                yield SetCell(note.tab, number, column, value, before)
