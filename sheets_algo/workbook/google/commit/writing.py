"""The batch of a commit: guard, new tabs, room, cells, rows, marks.

Values are typed, so that no text becomes a formula.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.google.commit import guard
from sheets_algo.workbook.google.commit.draft import TabEdits
from sheets_algo.workbook.google.commit.requests import (
    Request,
    append_dimensions,
    extended_value,
    mark_tab,
    one_of,
    update_cells,
    validation,
)
from sheets_algo.workbook.google.read.titles import mark_of
from sheets_algo.workbook.values import Plain

LARGEST = 9_000_000
"""The maximum number of bytes of a batch; Google advises 2 MB and takes 10."""

_VALUES = "userEnteredValue"


def requests(
    draft: Sequence[TabEdits], changes: ChangeSet, now: datetime, turn: int | None = None, owner: str = ""
) -> list[Request]:
    """Return the requests that carry out a draft, in order; all of them are carried out, or none.

    Args:
        changes: The planned changes, for their guard, season and head.
        now: The time, UTC and aware.
        turn: The id of the turn that the batch takes, if it has anything to write.
        owner: A unique word that identifies the batch for its sender.
    """
    edit_requests = [
        *(_new_tab(edits) for edits in draft if edits.is_new),
        *(request for edits in draft for request in _lists(edits)),
        *(request for edits in draft for request in _room(edits)),
        *(request for edits in draft for request in _cells(edits)),
        *(_rows(edits) for edits in draft if edits.rows),
        *(_only_text(edits.tab.id, edits.picture.text) for edits in draft if edits.picture),
        *(
            mark_tab(edits.tab.id, mark_of(edits.key, edits.tab.title))
            for edits in draft
            if edits.has_values and not edits.tab.mark
        ),
    ]
    return [
        *([guard.request(changes.guard, now, changes.season, changes.head)] if changes.guard is not None else ()),
        *([guard.turn_request(turn, now, owner)] if turn is not None and edit_requests else ()),
        *edit_requests,
    ]


def body(requests: Sequence[Request], ranges: Sequence[str]) -> dict[str, Any]:
    """Return the body of the batch, which requests the watched rows after it.

    Raises:
        RefusedChange: The batch is too large.
    """
    batch: dict[str, Any] = {"requests": requests}
    if ranges:
        batch |= {
            "includeSpreadsheetInResponse": True,
            "responseRanges": list(ranges),
            "responseIncludeGridData": True,
        }
    size = len(json.dumps(batch))
    if size > LARGEST:
        raise RefusedChange(
            f"What one pass would write is {size / 1e6:.1f} MB, more than the {LARGEST // 10**6} MB that Google takes "
            f"at once; nothing was written: set fewer requests to Ready at a time."
        )
    return batch


def _cell(value: Plain) -> Mapping[str, Any]:
    return {} if value is None else {_VALUES: extended_value(value)}


def _new_tab(edits: TabEdits) -> Request:
    tab = edits.tab
    rows, columns = edits.size
    grid = {"rowCount": max(tab.rows, rows), "columnCount": max(tab.columns, columns)}
    if edits.header:
        grid["frozenRowCount"] = 1
    hidden = {"hidden": True} if edits.is_whole else {}
    return {"addSheet": {"properties": {"sheetId": tab.id, "title": tab.title, "gridProperties": grid, **hidden}}}


def _lists(edits: TabEdits) -> Iterator[Request]:
    """Yield requests for the drop-down lists of a new tab, below its header."""
    for column, check in edits.lists.items():
        area = {"sheetId": edits.tab.id, "startRowIndex": 1, "startColumnIndex": column - 1, "endColumnIndex": column}
        assert isinstance(check.source, tuple)
        yield validation(area, one_of(check.source), check)


def _room(edits: TabEdits) -> list[Request]:
    """Return requests for the rows and columns that the grid lacks; appended rows need none."""
    if edits.is_new:
        return []
    rows, columns = edits.size
    return append_dimensions(edits.tab.id, rows - edits.tab.rows, columns - edits.tab.columns)


def _cells(edits: TabEdits) -> Iterator[Request]:
    """Yield requests that write the cells, merging runs within a row, and equally wide runs below each other."""
    if edits.is_whole:
        yield replace_tab(edits.tab.id, _lines(edits.cells))
        for number, source in enumerate(edits.copies, start=1):
            yield _copy_cell(source, (edits.tab.id, number + 1, edits.width))
        return
    blocks: list[tuple[int, int, list[list[Plain]]]] = []
    open_blocks: dict[tuple[int, int], int] = {}  # (left, width) to the block that ends with the row above
    for row, runs in _runs(edits.cells):
        blocks_above = {}
        for left, values in runs:
            block = open_blocks.get((left, len(values)))
            if block is not None and blocks[block][0] + len(blocks[block][2]) == row:
                blocks[block][2].append(values)
            else:
                block = len(blocks)
                blocks.append((row, left, [values]))
            blocks_above[left, len(values)] = block
        open_blocks = blocks_above
    for top, left, rows in blocks:
        data = [[_cell(value) for value in values] for values in rows]
        yield update_cells(edits.tab.id, top - 1, left - 1, data, _VALUES)


def _copy_cell(source: tuple[int, int, int], destination: tuple[int, int, int]) -> Request:
    """Return a request that copies a cell's value into another one; each given by tab id, row and column from 1."""
    places = (
        {
            "sheetId": id,
            "startRowIndex": row - 1,
            "endRowIndex": row,
            "startColumnIndex": column - 1,
            "endColumnIndex": column,
        }
        for id, row, column in (source, destination)
    )
    return {"copyPaste": dict(zip(("source", "destination"), places, strict=True)) | {"pasteType": "PASTE_VALUES"}}


def _lines(cells: Mapping[tuple[int, int], Plain]) -> list[list[Plain]]:
    """Return every cell down to the last one that holds something, row by row."""
    last, width = (
        max((place[axis] for place, value in cells.items() if value is not None), default=0) for axis in (0, 1)
    )
    return [[cells.get((row, column)) for column in range(1, width + 1)] for row in range(1, last + 1)]


def replace_tab(sheet_id: int, rows: Sequence[Sequence[Plain]]) -> Request:
    """Return a request that makes these rows the whole content of one of the program's own tabs."""
    lines = [{"values": [_cell(value) for value in row]} for row in rows]
    return {"updateCells": {"range": {"sheetId": sheet_id}, "rows": lines, "fields": _VALUES}}


def _only_text(sheet_id: int, text: str) -> Request:
    """Return a request that makes a text in A1 the whole content of a tab, and removes all formats and notes."""
    rows = [{"values": [_cell(text)]}]
    return {
        "updateCells": {"range": {"sheetId": sheet_id}, "rows": rows, "fields": f"{_VALUES},userEnteredFormat,note"}
    }


def _runs(cells: Mapping[tuple[int, int], Plain]) -> Iterator[tuple[int, list[tuple[int, list[Plain]]]]]:
    """Yield each row with its runs of neighbouring cells: first column and values."""
    rows: dict[int, list[tuple[int, list[Plain]]]] = {}
    for row, column in sorted(cells):
        runs = rows.setdefault(row, [])
        if runs and runs[-1][0] + len(runs[-1][1]) == column:
            runs[-1][1].append(cells[row, column])
        else:
            runs.append((column, [cells[row, column]]))
    yield from rows.items()


def _rows(edits: TabEdits) -> Request:
    rows = [{"values": [_cell(value) for value in values]} for values in edits.rows]
    return {"appendCells": {"sheetId": edits.tab.id, "rows": rows, "fields": _VALUES}}
