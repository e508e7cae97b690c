"""The one look directly before a write: everything that decides whether the write may be made, in one answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from sheets_algo.workbook.google import guard
from sheets_algo.workbook.google.draft import Edits
from sheets_algo.workbook.google.reading import BLANK, Cells, LiveCell, live_cells
from sheets_algo.workbook.google.titles import TAB_FIELDS, Area, Tab, area_of, holds, is_open_below

_OBSTACLES = (
    f"developerMetadata(metadataId,metadataKey,metadataValue),sheets({TAB_FIELDS},"
    "protectedRanges(range,unprotectedRanges,warningOnly,requestingUserCanEdit,description)"
)

LOOK_FIELDS = f"{_OBSTACLES},data(startRow,startColumn,rowData(values(userEnteredValue,effectiveValue))))"
"""Mask of the look: cells without their formats."""

AGAIN_FIELDS = f"properties(title),{_OBSTACLES})"
"""Mask of a look after a refusal, at all tabs, without cells."""

AFTER_FIELDS = (
    "replies,updatedSpreadsheet(sheets(properties(sheetId),data(startRow,startColumn,"
    "rowData(values(userEnteredValue)))))"
)
"""Mask of the answer to a write: what stands in the same cells now."""

LONGEST_ADDRESS = 6_000
"""Most characters that ranges take in a request's address; 8,000 and more are refused here and there on the way."""

MOST_ROWS = 10_000_000
"""A tab has no more, for a spreadsheet has no more cells."""


@dataclass(frozen=True, slots=True)
class Protection:
    """Cells that the account may not edit.

    Args:
        area: They.
        spared: Areas inside that it may edit all the same.
        description: A person's, may be blank.
    """

    area: Area
    spared: tuple[Area, ...]
    description: str

    def covers(self, row: int, column: int) -> bool:
        """Whether a cell is protected."""
        return holds(self.area, row, column) and not any(holds(area, row, column) for area in self.spared)

    def covers_below(self, column: int) -> bool:
        """Whether a cell below everything is protected."""
        spared = any(is_open_below(area) and holds(area, area[2], column) for area in self.spared)
        return is_open_below(self.area) and holds(self.area, self.area[2], column) and not spared


@dataclass(frozen=True, slots=True)
class Look:
    """What the look saw of the tabs that are to be edited.

    Args:
        cells: By tab id.
        protections: By tab id.
        slots: Guards that are taken.
        turns: Turns that are taken; None if it was not looked.
    """

    cells: Mapping[int, Cells]
    protections: Mapping[int, tuple[Protection, ...]]
    slots: guard.Slots
    turns: guard.Slots | None = None

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> Look:
        """From a `Spreadsheet` of the API."""
        sheets = answer.get("sheets", ())
        return cls(
            cells_by_tab(sheets),
            {_id(sheet): tuple(_protections(sheet.get("protectedRanges", ()))) for sheet in sheets},
            guard.slots(answer.get("developerMetadata", ())),
            guard.turns(answer.get("developerMetadata", ())) if "sheets" in answer else None,
        )

    @property
    def turn(self) -> int | None:
        """The id of the turn that the write is to take."""
        return None if self.turns is None else guard.next_turn(self.turns)

    def outworn(self, receipt: int | None, now: datetime) -> tuple[int, ...]:
        """Ids of turns that may go, and with a receipt those of receipts' slots."""
        slots = guard.outworn(self.slots, now) if receipt is not None else ()
        return (*slots, *guard.outworn_turns(self.turns or {}, now))

    def cell(self, tab: Tab, row: int, column: int) -> LiveCell:
        """A cell as it is now."""
        return self.cells.get(tab.id, {}).get((row, column), BLANK)


def cells_by_tab(sheets: Iterable[Mapping[str, Any]]) -> dict[int, Cells]:
    """The cells of each tab's id."""
    return {_id(sheet): dict(live_cells(sheet.get("data", ()))) for sheet in sheets}


def tab_ids(answer: Mapping[str, Any]) -> set[int]:
    """The tabs that an answer tells of."""
    return {_id(sheet) for sheet in answer.get("sheets", ())}


def watched(edits: Edits) -> tuple[int, ...]:
    """Rows that tell whether rows or columns were moved: those that are edited, and where headers stand."""
    if edits.is_new or not edits.has_values:
        return ()
    if edits.is_whole:
        return tuple(range(1, edits.tab.rows + 1))
    rows = {*edits.touched, *range(1, edits.heads + 1)}
    return tuple(sorted(row for row in rows if row <= edits.tab.rows))


def ranges(draft: Iterable[Edits]) -> list[str]:
    """What to ask for: the watched rows of every tab, with those between where an address holds no more ranges."""
    tabs = [(edits.tab, watched(edits) or (1,)) for edits in draft if not edits.is_new]
    found: list[str] = []
    for gap in (1, 5, 25, 125, 625, MOST_ROWS):
        found = [tab.range(first, last) for tab, rows in tabs for first, last in _runs(rows, gap)]
        if sum(len(quote(range)) + len("&ranges=") for range in found) <= LONGEST_ADDRESS:
            break
    return found


def _runs(rows: Sequence[int], gap: int) -> list[tuple[int, int]]:
    """Rows in order as first and last of runs; those at most `gap` apart share one."""
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


def _id(sheet: Mapping[str, Any]) -> int:
    id: int = sheet["properties"].get("sheetId", 0)
    return id
