"""The reading of a spreadsheet directly before a write, and what may prevent it: moved, changed or blocked cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import quote

from sheets_algo.workbook.addresses import a1, area_name, letters
from sheets_algo.workbook.cell_limits import TYPE_VALUE, UNMERGE, refused_together
from sheets_algo.workbook.changes import ChangeSet, SetCell
from sheets_algo.workbook.errors import RefusedChange, SeasonMismatch, StaleWorkbook
from sheets_algo.workbook.google.commit import guard
from sheets_algo.workbook.google.commit.draft import Draft, TabEdits
from sheets_algo.workbook.google.commit.requests import extended_value
from sheets_algo.workbook.google.read.live_cells import BLANK, CELL_FIELDS, Cells, LiveCell, cells_by_tab, tab_id
from sheets_algo.workbook.google.read.titles import TAB_FIELDS, Area, GoogleTab, area_of, holds, is_open_below
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.snapshot import Sheet, Snapshot
from sheets_algo.workbook.staleness import cell_of, is_same_value, refuse_changed_cells
from sheets_algo.workbook.values import Value

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


UNPROTECT = "add the account to them, or remove the protection"

MOST_COLUMNS = 18_278
"""The maximum number of columns of a tab; Google itself refuses what exceeds the limit of the whole spreadsheet."""


def refuse_stale(draft: Draft, precheck: Precheck, snapshot: Snapshot, changes: ChangeSet) -> None:
    """Refuse a draft if a cell changed in any edited row or row of headers since the snapshot.

    Raises:
        StaleWorkbook: A cell has another value, or the guard is taken.
    """
    refuse_unknown_receipt(precheck, changes)
    changed = [
        cell
        for key, edits in draft.by_tab.items()
        if (sheet := snapshot.sheets.get(key)) is not None
        for cell in _changed_cells(edits, sheet, precheck)
    ]

    for key, edits in draft.by_tab.items():
        if (sheet := snapshot.sheets.get(key)) is not None:
            _refuse_changed_merges(edits, sheet)

    def current_value(cell: SetCell) -> Value:
        return precheck.cell(draft.by_tab[cell.tab].tab, cell.row, cell.column).value

    refuse_changed_cells(snapshot, (*changes.cells, *changed), current_value)


def refuse_other_season(precheck: Precheck, changes: ChangeSet) -> None:
    """Refuse changes whose season differs from the one in the guards, which no person can edit.

    Raises:
        SeasonMismatch: The seasons differ.
    """
    receipt = guard.other_season(precheck.slots, changes.season)
    if receipt is not None:
        raise SeasonMismatch(f"Nothing was written: {guard.OTHER_SEASON.format(receipt, changes.season[:12])}.")


def refuse_unknown_receipt(precheck: Precheck, changes: ChangeSet) -> None:
    """Refuse changes that were planned without the last written receipt.

    Another program has written it since the plan; or rows of Receipts were deleted or restored, and the next plan gets
    the noted heads.

    Raises:
        StaleWorkbook: The highest guard notes a later receipt, or another one, than the plan knows.
    """
    last = max(guard.heads(precheck.slots), key=lambda head: head.seq, default=Head())
    known = changes.known or (Head(changes.guard - 1) if changes.guard is not None else None)
    is_other = known and last.seq == known.seq and "" not in (last.digest, known.digest) and last != known
    if known and (last.seq > known.seq or is_other):
        raise used_guard(last.seq)


def used_guard(receipt: int) -> StaleWorkbook:
    """Return the error for a receipt that the plan does not know."""
    return StaleWorkbook(f"Receipt {receipt} has been written meanwhile; nothing was written: read again.")


def _changed_cells(edits: TabEdits, sheet: Sheet, precheck: Precheck) -> Iterator[SetCell]:
    """Yield the cells of the watched rows that the plan depends on and that have changed since the reading."""
    cells = precheck.cells.get(edits.tab.id, {})
    width = max((column for row, column in cells), default=0)
    for row in watched(edits):
        for column in range(1, max(width, len(sheet.rows.get(row, ()))) + 1):
            cell, before = cells.get((row, column), BLANK), cell_of(sheet, row, column)
            if edits.compares(row, column) and not (is_same_value(cell.value, before) or cell.is_fleeting):
                yield SetCell(edits.key, row, column, None, before)


def _refuse_changed_merges(edits: TabEdits, sheet: Sheet) -> None:
    """Refuse edits if cells of the watched rows were merged or unmerged since the snapshot."""
    rows = [row for row in watched(edits) if row in sheet.rows]
    for area in {*edits.tab.merged} ^ {*sheet.merged}:
        if any(area[0] <= row <= area[2] for row in rows):
            place = f"{sheet.title}!{area_name(*area)}"
            raise StaleWorkbook(f"{place}: merged or unmerged since it was read; nothing was written: read again.")


def refuse_obstacles(draft: Iterable[TabEdits], precheck: Precheck, *, forced: bool) -> None:
    """Refuse a draft if any planned cell may not be written.

    Args:
        forced: Leave it to Google to refuse protected cells.

    Raises:
        RefusedChange: Cells lie outside the sheet or inside merged cells, hold a formula, or are protected.
    """
    refusals = [refusal for edits in draft for refusal in _refusals(edits, precheck, forced=forced)]
    general = next((refusal for refusal in refusals if not refusal.obstacles), None)
    if general:
        raise general
    if refusals:
        raise refused_together(refusals)


def without_blocked_pictures(draft: Draft, precheck: Precheck) -> Draft:
    """Return the draft without the texts of pictures that replace protected cells, with a remark for each."""
    blocked = [edits for edits in draft.edits if edits.picture and precheck.protections.get(edits.tab.id)]
    remarks = (f"{edits.tab.title}: it is protected, so its text stays as it is: unprotect it." for edits in blocked)
    by_tab = {**draft.by_tab} | {edits.key: replace(edits, picture=None) for edits in blocked}
    return replace(draft, by_tab=by_tab, remarks=(*draft.remarks, *remarks))


def _refusals(edits: TabEdits, precheck: Precheck, *, forced: bool) -> Iterator[RefusedChange]:
    tab = edits.tab
    for row, column in edits.cells:
        if not (1 <= row <= MOST_ROWS and 1 <= column <= MOST_COLUMNS):
            yield RefusedChange(f"{tab.title}: row {row}, column {column} lies outside the sheet; nothing was written.")
        for area in tab.merged:
            if holds(area, row, column) and (row, column) != area[:2]:
                where = area_name(*area)
                yield edits.refused(row, column, f"the cell is inside the merged cells {where}", UNMERGE)
        yield from _formula_refusals(edits, row, column, precheck.cell(tab, row, column))
    if edits.size[1] > MOST_COLUMNS:
        yield RefusedChange(f"{tab.title}: a row has at most {MOST_COLUMNS:,} columns; nothing was written.")
    if not forced:
        for protection in precheck.protections.get(tab.id, ()):
            yield from _protection_refusals(edits, protection)


def _formula_refusals(edits: TabEdits, row: int, column: int, cell: LiveCell) -> Iterator[RefusedChange]:
    if cell.formula:
        yield edits.refused(row, column, "the cell holds a formula", TYPE_VALUE)
    elif cell.is_result:
        yield edits.refused(row, column, "the cell shows a part of the result of a formula")


def _protection_refusals(edits: TabEdits, protection: Protection) -> Iterator[RefusedChange]:
    name = f' ("{protection.description}")' if protection.description else ""
    reason = f"{_area_name(protection)} is protected{name} and the program's account is not among its editors"
    width = max(map(len, edits.rows), default=0)
    below = next((letters(column) for column in range(1, width + 1) if protection.covers_below(column)), "")
    covered = [place for place in edits.cells if protection.covers(*place)]
    if below:  # rows are only ever added below
        where = a1(*covered[0]) if covered else below
        obstacles = {(edits.key, 0, 0): f"{reason}: {UNPROTECT}"}
        yield RefusedChange(f"{edits.tab.title}!{where}: {reason}; nothing was written: {UNPROTECT}.", obstacles)
        return
    for row, column in covered:
        yield edits.refused(row, column, reason, UNPROTECT)


def _area_name(protection: Protection) -> str:
    top, left, bottom, right = protection.area
    if is_open_below(protection.area) and (top, left) == (1, 1) and right > MOST_COLUMNS:
        return "the tab"
    columns = f"{letters(left)}:{letters(min(right, MOST_COLUMNS))}"
    if is_open_below(protection.area):
        return f"the range {columns}"
    return f"the range {area_name(top, left, bottom, min(right, MOST_COLUMNS))}"


def is_displaced(draft: Draft, precheck: Precheck, after: Mapping[int, Cells]) -> bool:
    """Return True if the watched rows differ from the reading plus the write.

    Args:
        precheck: The state before the write.
        after: The cells of each tab's id after the write.
    """
    are_moved = (
        _is_moved(edits, precheck.cells.get(edits.tab.id, {}), after.get(edits.tab.id, {})) for edits in draft.edits
    )
    return any(are_moved) or any(_covers_changes(edits, precheck, after.get(edits.tab.id, {})) for edits in draft.edits)


def _covers_changes(edits: TabEdits, precheck: Precheck, after: Cells) -> bool:
    """Return True if a set cell had changed since the reading; always for a new tab, where it is unknown."""
    return (edits.is_new and bool(edits.copies)) or any(
        after.get((number, edits.width), BLANK).entered
        != precheck.cells.get(id, {}).get((row, column), BLANK).effective
        for number, (id, row, column) in enumerate(edits.copies, start=2)
    )


def _is_moved(edits: TabEdits, before: Cells, after: Cells) -> bool:
    if edits.is_whole:
        return False  # only the program writes there, and all of it is replaced
    width = max((column for cells in (before, after, edits.cells) for _, column in cells), default=0)
    used = {row for row, _ in before} | set(edits.touched)
    for row in watched(edits):
        for column in range(1, width + 1) if row in used else ():  # added rows may be in one that was blank
            place = (row, column)
            expected = extended_value(edits.cells[place]) if place in edits.cells else before.get(place, BLANK).entered
            if edits.compares(row, column) and after.get(place, BLANK).entered != expected:
                return True
    return False
