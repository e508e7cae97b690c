"""The note of a change set as ordinary cells and rows, for backends whose cells cannot be displaced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sheets_algo.workbook.changes import AppendRow, ChangeSet, NewTab, Note, SetCell
from sheets_algo.workbook.snapshot import Sheet
from sheets_algo.workbook.staleness import cell_of, is_same_value
from sheets_algo.workbook.values import Plain


def with_closed_note(changes: ChangeSet, sheet: Sheet | None) -> ChangeSet:
    """Return the same changes with the rows of the closed note in place of the note.

    Args:
        changes: Changes with or without a note.
        sheet: The note's tab, read completely; None if the workbook lacks it.
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
    """Yield the cell changes after which a tab holds these rows and nothing else."""
    for number in range(1, max(sheet.last_row, len(rows)) + 1):
        row_values = rows[number - 1] if number <= len(rows) else ()
        for column in range(1, max(len(row_values), len(sheet.rows.get(number, ()))) + 1):
            value = row_values[column - 1] if column <= len(row_values) else None
            before = cell_of(sheet, number, column)
            if not is_same_value(before, value):
                yield SetCell(note.tab, number, column, value, before)
