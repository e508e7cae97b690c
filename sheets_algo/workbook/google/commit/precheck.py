"""The reading of a spreadsheet directly before a write: one answer with everything that may prevent it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from sheets_algo.workbook.google.commit import guard
from sheets_algo.workbook.google.commit.draft import TabEdits
from sheets_algo.workbook.google.read.live_cells import BLANK, CELL_FIELDS, Cells, LiveCell, cells_by_tab, tab_id
from sheets_algo.workbook.google.read.titles import TAB_FIELDS, Area, GoogleTab, area_of, holds, is_open_below

_OBSTACLES = (
    f"developerMetadata(metadataId,metadataKey,metadataValue),sheets({TAB_FIELDS},"
    "protectedRanges(range,unprotectedRanges,warningOnly,requestingUserCanEdit,description)"
)

LOOK_FIELDS = f"{_OBSTACLES},{CELL_FIELDS}"
"""The mask of the reading: cells, and the part of their formats that distinguishes dates from numbers."""

AGAIN_FIELDS = f"properties(title),{_OBSTACLES})"
"""The mask of the reading after a refusal: all tabs, without cells."""

AFTER_FIELDS = (
    "replies,updatedSpreadsheet(sheets(properties(sheetId),data(startRow,startColumn,"
    "rowData(values(userEnteredValue)))))"
)
"""The mask of the answer to a write: the content of the same cells now."""

LONGEST_ADDRESS = 6_000
"""The maximum number of characters that ranges take in a request's address; some proxies refuse 8,000 and more."""

MOST_ROWS = 10_000_000
"""The maximum number of rows of a tab, since a spreadsheet has no more cells."""


@dataclass(frozen=True, slots=True)
class Protection:
    """A protected range that the account may not edit."""

    area: Area  # The protected cells
    spared: tuple[Area, ...]  # The areas inside that it may edit all the same
    description: str  # The description that a person gave, may be blank

    def covers(self, row: int, column: int) -> bool:
        """Return True if a cell is protected."""
        return holds(self.area, row, column) and not any(holds(area, row, column) for area in self.spared)

    def covers_below(self, column: int) -> bool:
        """Return True if the cells of a column below every row are protected."""
        spared = any(is_open_below(area) and holds(area, area[2], column) for area in self.spared)
        return is_open_below(self.area) and holds(self.area, self.area[2], column) and not spared


@dataclass(frozen=True, slots=True)
class Precheck:
    """The state of the tabs to edit, at the reading."""

    cells: Mapping[int, Cells]  # The cells by tab id
    protections: Mapping[int, tuple[Protection, ...]]  # The protections by tab id
    slots: guard.Slots  # The guards that are taken
    turns: guard.Slots | None = None  # The turns that are taken; None without a reading
    has_posts: bool = False  # True if there is a note of posts

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> Precheck:
        """Return the precheck of a `Spreadsheet` of the API."""
        sheets = answer.get("sheets", ())
        return cls(
            cells_by_tab(sheets),
            {tab_id(sheet): tuple(_protections(sheet.get("protectedRanges", ()))) for sheet in sheets},
            guard.slots(answer.get("developerMetadata", ())),
            guard.turns(answer.get("developerMetadata", ())) if "sheets" in answer else None,
            guard.noted_posts(answer.get("developerMetadata", ())) is not None,
        )

    @property
    def turn(self) -> int | None:
        """Return the id of the turn that the write takes, None without a reading."""
        return None if self.turns is None else guard.next_turn(self.turns)

    def expired(self, receipt: int | None, now: datetime) -> tuple[int, ...]:
        """Return the ids of turns to remove and, with a receipt, those of receipts' slots."""
        slots = guard.expired(self.slots, now) if receipt is not None else ()
        return (*slots, *guard.expired_turns(self.turns or {}, now))

    def cell(self, tab: GoogleTab, row: int, column: int) -> LiveCell:
        """Return the current cell."""
        return self.cells.get(tab.id, {}).get((row, column), BLANK)


def tab_ids(answer: Mapping[str, Any]) -> set[int]:
    """Return the ids of the tabs in an answer."""
    return {tab_id(sheet) for sheet in answer.get("sheets", ())}


def watched(edits: TabEdits) -> tuple[int, ...]:
    """Return the rows that show whether rows or columns were moved: edited rows, and rows of headers."""
    if edits.is_new or not edits.has_values:
        return ()
    if edits.is_whole:
        return tuple(range(1, edits.tab.rows + 1))
    rows = {*edits.touched, *edits.head_rows}
    return tuple(sorted(row for row in rows if row <= edits.tab.rows))


def ranges(draft: Iterable[TabEdits]) -> list[str]:
    """Return the ranges to read: the watched rows of every tab, and the rows between if the address is too long."""
    tabs = [(edits.tab, watched(edits) or (1,)) for edits in draft if not edits.is_new]
    texts: list[str] = []
    for gap in (1, 5, 25, 125, 625, MOST_ROWS):
        texts = [tab.range(first, last) for tab, rows in tabs for first, last in _runs(rows, gap)]
        if sum(len(quote(range)) + len("&ranges=") for range in texts) <= LONGEST_ADDRESS:
            break
    return texts


def _runs(rows: Sequence[int], gap: int) -> list[tuple[int, int]]:
    """Return sorted rows as runs of (first, last); rows at most `gap` apart share a run."""
    runs: list[tuple[int, int]] = []
    for row in rows:
        if runs and row - runs[-1][1] <= gap:
            runs[-1] = (runs[-1][0], row)
        else:
            runs.append((row, row))
    return runs


def _protections(ranges: Iterable[Mapping[str, Any]]) -> Iterable[Protection]:
    for range in ranges:
        if not range.get("warningOnly") and not range.get("requestingUserCanEdit"):
            spared = tuple(area_of(area) for area in range.get("unprotectedRanges", ()))
            yield Protection(area_of(range.get("range", {})), spared, range.get("description", ""))
