"""Detecting changes of a spreadsheet since it was read, by reading a small part of it again.

What people write is read again. For a tab to which the program only adds rows, the rows down to its headers and those
from its last one on are enough: any added, inserted or deleted row moves the end. Of many settled requests at the top
of a tab, ids and actions are enough, by which a row asks for another ruling. Other edits in between remain undetected,
so the whole spreadsheet must be read from time to time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sheets_algo.workbook.addresses import letters
from sheets_algo.workbook.google.read.reading import numbered
from sheets_algo.workbook.google.read.titles import GoogleTab, Titles, quoted
from sheets_algo.workbook.staleness import HEADER_ROWS, RECEIPTS_TAB, SEQ_COLUMN
from sheets_algo.workbook.tab_key import TabKey, folded

Rows = Sequence[Sequence[Any]]
"""A range's values as `values:batchGet` gives them."""

GROWING = {RECEIPTS_TAB: SEQ_COLUMN, TabKey.named("Forecasts"): "Request"}
"""Tabs to which rows are only ever added, each with one of its headers."""

SETTLED = ("Done", "Undone", "Lapsed")
"""Statuses of requests that await nothing."""
SETTLED_MANY = 500
"""Number of settled requests, about 280 kB, from which only their ids and actions are read again."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The content of the ranges that are read again, as of one reading."""

    titles: Titles  # The titles of the tabs when they were read
    ranges: tuple[str, ...]  # The ranges that are read again, in A1 notation
    digest: str  # The digest of their content

    @classmethod
    def of(
        cls, titles: Titles, tabs: Mapping[TabKey, GoogleTab], asked: Sequence[str], answer: Sequence[Rows]
    ) -> Trace:
        """Return the trace of a read of tabs: the range asked for of each, and its rows."""
        parts = [
            part
            for (key, tab), range, rows in zip(tabs.items(), asked, answer, strict=True)
            for part in (_ends(tab, rows, GROWING[key]) if key in GROWING else _open_part(tab, rows))
            or ((range, rows),)
        ]
        return cls(titles, tuple(range for range, _ in parts), _digest(rows for _, rows in parts))

    def is_of(self, answer: Sequence[Rows]) -> bool:
        """Return True if the ranges still have the same content."""
        return _digest(answer) == self.digest


def _ends(tab: GoogleTab, rows: Rows, header: str) -> tuple[tuple[str, Rows], ...] | None:
    """Return the two ranges that identify a growing tab, each with its rows; None if the tab is too short for that."""
    cells = numbered(rows)
    head, _ = _headers(cells, (header,))
    last = max(cells, default=0)
    return _outside(tab, rows, cells, head, last) if 0 < head < last else None


def _open_part(tab: GoogleTab, rows: Rows) -> tuple[tuple[str, Rows], ...] | None:
    """Return the ranges that identify a tab with many settled requests at its top, each with its rows; else None."""
    cells = numbered(rows)
    head, (request, action, ready, status) = _headers(cells, ("Request", "Action", "Ready", "Status"))
    last = head
    while (row := cells.get(last + 1)) and len(row) > max(request, action, ready, status):
        if row[status] not in SETTLED or row[ready] is not True or row[action] != "Rule" or not row[request]:
            break
        last += 1
    if last - head < SETTLED_MANY:
        return None
    columns = tuple(
        (f"{quoted(tab.title)}!{letters(place + 1)}{head + 1}:{letters(place + 1)}{last}",
         [row[place : place + 1] for row in rows[head:last]])
        for place in (request, action)
    )  # fmt: skip
    return *_outside(tab, rows, cells, head, last), *columns


def _headers(cells: Mapping[int, Sequence[Any]], headers: Sequence[str]) -> tuple[int, Sequence[int]]:
    """Return the number of the row with some headers, and the places of these from 0; zeros without such a row."""
    for number in (row for row in cells if row <= HEADER_ROWS):
        folds = [folded(cell) if isinstance(cell, str) else "" for cell in cells[number]]
        if all(folded(header) in folds for header in headers):
            return number, [folds.index(folded(header)) for header in headers]
    return 0, [0] * len(headers)


def _outside(
    tab: GoogleTab, rows: Rows, cells: Mapping[int, Sequence[Any]], head: int, last: int
) -> tuple[tuple[str, Rows], ...]:
    """Return the range down to the headers, and that from the last row on, each with its rows."""
    width = max(map(len, cells.values()))
    return (tab.range(1, head), rows[:head]), (tab.below(last, width), rows[last - 1 :])


def _digest(parts: Iterable[Rows]) -> str:
    """Return a digest of values and their kinds: a ticked box is not the number 1."""
    digest = hashlib.sha256()
    for rows in parts:
        digest.update(repr(numbered(rows)).encode())
    return digest.hexdigest()
