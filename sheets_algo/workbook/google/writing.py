"""The one batch of a commit: guard, new tabs, room, cells, rows, marks. Typed values: a text is never a formula."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sheets_algo.workbook.base import Plain, RefusedChange
from sheets_algo.workbook.google import guard
from sheets_algo.workbook.google.batch import Request, entered, grown, marked, written
from sheets_algo.workbook.google.draft import Edits

LARGEST = 9_000_000
"""Bytes of a batch; Google advises 2 MB and takes 10."""

_VALUES = "userEnteredValue"


def requests(
    draft: Sequence[Edits], receipt: int | None, now: datetime, turn: int | None = None, season: str = ""
) -> list[Request]:
    """What carries out a draft, in order, all or nothing.

    Args:
        draft: By tab.
        receipt: The guard's number, None for a commit without one.
        now: UTC, aware.
        turn: The id of the turn that the batch takes, if it has anything to write.
        season: The digest of the season secret, which goes into the guard.
    """
    written = [
        *(_new_tab(edits) for edits in draft if edits.is_new),
        *(request for edits in draft for request in _room(edits)),
        *(request for edits in draft for request in _cells(edits)),
        *(_rows(edits) for edits in draft if edits.rows),
        *(marked(edits.tab.id, edits.name) for edits in draft if edits.has_values and not edits.tab.mark),
    ]
    return [
        *([guard.request(receipt, now, season)] if receipt is not None else ()),
        *([guard.turn_request(turn, now)] if turn is not None and written else ()),
        *written,
    ]


def body(requests: Sequence[Request], ranges: Sequence[str]) -> dict[str, Any]:
    """The batch, asking for the watched rows as they stand after it.

    Raises:
        RefusedChange: It is too large.
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
    return {} if value is None else {_VALUES: entered(value)}


def _new_tab(edits: Edits) -> Request:
    tab = edits.tab
    rows, columns = edits.size
    grid = {"rowCount": max(tab.rows, rows), "columnCount": max(tab.columns, columns)}
    if edits.header:
        grid["frozenRowCount"] = 1
    return {"addSheet": {"properties": {"sheetId": tab.id, "title": tab.title, "gridProperties": grid}}}


def _room(edits: Edits) -> list[Request]:
    """Rows and columns that the grid lacks; added rows make room for themselves."""
    if edits.is_new:
        return []
    rows, columns = edits.size
    return grown(edits.tab.id, rows - edits.tab.rows, columns - edits.tab.columns)


def _cells(edits: Edits) -> Iterator[Request]:
    """The cells in as few blocks as neighbours allow: runs within a row, and equally wide runs below each other."""
    blocks: list[tuple[int, int, list[list[Plain]]]] = []
    open_blocks: dict[tuple[int, int], int] = {}  # (left, width) to the block that ends with the row above
    for row, runs in _runs(edits.cells):
        continued = {}
        for left, values in runs:
            at = open_blocks.get((left, len(values)))
            if at is not None and blocks[at][0] + len(blocks[at][2]) == row:
                blocks[at][2].append(values)
            else:
                at = len(blocks)
                blocks.append((row, left, [values]))
            continued[left, len(values)] = at
        open_blocks = continued
    for top, left, rows in blocks:
        data = [[_cell(value) for value in values] for values in rows]
        yield written(edits.tab.id, top - 1, left - 1, data, _VALUES)


def _runs(cells: Mapping[tuple[int, int], Plain]) -> Iterator[tuple[int, list[tuple[int, list[Plain]]]]]:
    """Each row with its runs of neighbouring cells: first column and values."""
    rows: dict[int, list[tuple[int, list[Plain]]]] = {}
    for row, column in sorted(cells):
        runs = rows.setdefault(row, [])
        if runs and runs[-1][0] + len(runs[-1][1]) == column:
            runs[-1][1].append(cells[row, column])
        else:
            runs.append((column, [cells[row, column]]))
    yield from rows.items()


def _rows(edits: Edits) -> Request:
    rows = [{"values": [_cell(value) for value in values]} for values in edits.rows]
    return {"appendCells": {"sheetId": edits.tab.id, "rows": rows, "fields": _VALUES}}
