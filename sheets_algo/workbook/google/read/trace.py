"""Detecting changes of a spreadsheet since it was read, by reading a small part of it again.

Everything that people write is read again. For a tab to which the program only adds rows, the rows down to its headers
and those from its last one on are enough: any added, inserted or deleted row moves the end. Edits in between remain
undetected, so the whole spreadsheet must be read from time to time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sheets_algo.workbook.google.read.reading import numbered
from sheets_algo.workbook.google.read.titles import GoogleTab, Titles
from sheets_algo.workbook.staleness import HEADER_ROWS, RECEIPTS_TAB, SEQ_COLUMN
from sheets_algo.workbook.tab_key import TabKey, folded

Rows = Sequence[Sequence[Any]]
"""A range's values as `values:batchGet` gives them."""

GROWING = {RECEIPTS_TAB: SEQ_COLUMN, TabKey.named("Forecasts"): "Request"}
"""Tabs to which rows are only ever added, each with one of its headers."""


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
            for part in (_ends(tab, rows, GROWING[key]) if key in GROWING else None) or ((range, rows),)
        ]
        return cls(titles, tuple(range for range, _ in parts), _digest(rows for _, rows in parts))

    def is_of(self, answer: Sequence[Rows]) -> bool:
        """Return True if the ranges still have the same content."""
        return _digest(answer) == self.digest


def _ends(tab: GoogleTab, rows: Rows, header: str) -> tuple[tuple[str, Rows], ...] | None:
    """Return the two ranges that identify a growing tab, each with its rows; None if the tab is too short for that."""
    cells = numbered(rows)
    top = [row for row in cells if row <= HEADER_ROWS]
    head = next((row for row in top if any(_is_header(cell, header) for cell in cells[row])), None)
    last = max(cells, default=0)
    if head is None or last <= head:
        return None
    width = max(map(len, cells.values()))
    return (tab.range(1, head), rows[:head]), (tab.below(last, width), rows[last - 1 :])


def _is_header(cell: object, header: str) -> bool:
    return isinstance(cell, str) and folded(cell) == folded(header)


def _digest(parts: Iterable[Rows]) -> str:
    """Return a digest of values and their kinds: a ticked box is not the number 1."""
    digest = hashlib.sha256()
    for rows in parts:
        digest.update(repr(numbered(rows)).encode())
    return digest.hexdigest()
