"""Whether a spreadsheet still shows what was read of it, found out by reading little of it again.

Everything that people write is read again. Of a tab to which the program only adds rows, the rows down to its headers
and those from its last one on are enough: whatever is added, inserted or deleted moves what stands at the end. A cell
that somebody edits in between is not seen, so a spreadsheet has to be read as a whole now and then all the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sheets_algo.workbook.base import tab_key
from sheets_algo.workbook.google.reading import numbered
from sheets_algo.workbook.google.titles import Tab, Titles
from sheets_algo.workbook.staleness import HEADER_ROWS, RECEIPTS_TAB, SEQ_COLUMN

Rows = Sequence[Sequence[Any]]
"""A range's values as `values:batchGet` gives them."""

GROWING = {tab_key(RECEIPTS_TAB): SEQ_COLUMN, tab_key("Forecasts"): "Request"}
"""Tabs to which rows are only ever added, each with one of its headers."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What a read found in the ranges that are read again.

    Args:
        titles: Of the tabs when they were read.
        ranges: In A1 notation.
        digest: Of what stands there.
    """

    titles: Titles
    ranges: tuple[str, ...]
    digest: str

    @classmethod
    def of(cls, titles: Titles, tabs: Mapping[str, Tab], asked: Sequence[str], answer: Sequence[Rows]) -> Trace:
        """From a read of tabs, by `tab_key`: the range asked for of each, and its rows."""
        parts = [
            part
            for (key, tab), range, rows in zip(tabs.items(), asked, answer, strict=True)
            for part in (_ends(tab, rows, GROWING[key]) if key in GROWING else None) or ((range, rows),)
        ]
        return cls(titles, tuple(range for range, _ in parts), _digest(rows for _, rows in parts))

    def is_of(self, answer: Sequence[Rows]) -> bool:
        """Whether the same stands in the ranges."""
        return _digest(answer) == self.digest


def _ends(tab: Tab, rows: Rows, header: str) -> tuple[tuple[str, Rows], ...] | None:
    """The two parts of a growing tab that tell of it, each a range and its rows; None if it is too short for that."""
    cells = numbered(rows)
    head = next((row for row in _top(cells) if any(_is(cell, header) for cell in cells[row])), None)
    last = max(cells, default=0)
    if head is None or last <= head:
        return None
    width = max(map(len, cells.values()))
    return (tab.range(1, head), rows[:head]), (tab.below(last, width), rows[last - 1 :])


def _top(cells: Iterable[int]) -> Iterator[int]:
    return (row for row in cells if row <= HEADER_ROWS)


def _is(cell: object, header: str) -> bool:
    return isinstance(cell, str) and tab_key(cell) == tab_key(header)


def _digest(parts: Iterable[Rows]) -> str:
    """Of values and their kinds: a box that is ticked is not the number 1."""
    found = hashlib.sha256()
    for rows in parts:
        found.update(repr(numbered(rows)).encode())
    return found.hexdigest()
