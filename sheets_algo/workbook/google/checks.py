"""Whether a draft may be written on what the look saw: nothing moved or changed, nothing in the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sheets_algo.workbook.base import (
    ChangeSet,
    RefusedChange,
    SeasonMismatch,
    SetCell,
    Sheet,
    Snapshot,
    StaleWorkbook,
    Value,
    a1,
    letters,
)
from sheets_algo.workbook.fitting import TYPE_VALUE, UNMERGE, refused, refused_together
from sheets_algo.workbook.google import guard
from sheets_algo.workbook.google.batch import entered
from sheets_algo.workbook.google.draft import Draft, Edits, canonical
from sheets_algo.workbook.google.look import MOST_ROWS, Look, Protection, watched
from sheets_algo.workbook.google.reading import BLANK, Cells, LiveCell
from sheets_algo.workbook.google.titles import holds, is_open_below
from sheets_algo.workbook.staleness import cell_of, refuse_changed_cells

UNPROTECT = "add the account to them, or remove the protection"

MOST_COLUMNS = 18_278
"""A tab has no more; where the spreadsheet as a whole is full, Google tells."""


def refuse_stale(draft: Draft, look: Look, snapshot: Snapshot, changes: ChangeSet) -> None:
    """Whether the snapshot still holds, in every cell of every row that is edited and of the rows of headers.

    Args:
        draft: What is to be written.
        look: What stands there now.
        snapshot: What the changes were planned on.
        changes: They.

    Raises:
        StaleWorkbook: A cell shows something else, or the guard is taken.
    """
    if changes.guard is not None and guard.slot_id(changes.guard) in look.slots:
        raise used_guard(changes.guard)
    seen = [cell for key, edits in draft.by_tab.items() for cell in _seen(edits, snapshot.sheets.get(key), look)]

    def shown(cell: SetCell) -> Value:
        return look.cell(draft.by_tab[canonical(cell.tab, snapshot)].tab, cell.row, cell.column).shown

    refuse_changed_cells((*changes.cells, *seen), shown)


def refuse_other_season(look: Look, changes: ChangeSet) -> None:
    """Compare the season of a commit with the one whose digest stands in the guards, where no cell can be edited.

    Raises:
        SeasonMismatch: They differ.
    """
    receipt = guard.other_season(look.slots, changes.season)
    if receipt is not None:
        raise SeasonMismatch(f"Nothing was written: {guard.OTHER_SEASON.format(receipt, changes.season[:12])}.")


def used_guard(receipt: int) -> StaleWorkbook:
    """Another commit has given out the number."""
    return StaleWorkbook(
        f"Receipt {receipt} has been written already; nothing was written: read again. If it is not in Receipts,"
        f" {guard.RESTORE}."
    )


def _seen(edits: Edits, sheet: Sheet | None, look: Look) -> Iterator[SetCell]:
    """The cells of the watched rows as they were read, dressed as changes that leave them as they are."""
    if sheet is None:
        return
    width = max((column for row, column in look.cells.get(edits.tab.id, ())), default=0)
    for row in watched(edits):
        for column in range(1, max(width, len(sheet.rows.get(row, ()))) + 1):
            if not look.cell(edits.tab, row, column).is_fleeting:
                yield SetCell(sheet.name, row, column, None, cell_of(sheet, row, column))


def refuse_obstacles(draft: Iterable[Edits], look: Look, *, forced: bool) -> None:
    """Whether every planned cell may be written.

    Args:
        draft: The edits of each tab.
        look: What stands there now.
        forced: Leave it to Google whether a protected cell may be written.

    Raises:
        RefusedChange: Cells lie outside the sheet or inside merged cells, hold a formula, or are protected.
    """
    refusals = [refusal for edits in draft for refusal in _refusals(edits, look, forced=forced)]
    whole = next((refusal for refusal in refusals if not refusal.obstacles), None)
    if whole:
        raise whole
    if refusals:
        raise refused_together(refusals)


def _refusals(edits: Edits, look: Look, *, forced: bool) -> Iterator[RefusedChange]:
    tab = edits.tab
    for row, column in edits.cells:
        if not (1 <= row <= MOST_ROWS and 1 <= column <= MOST_COLUMNS):
            yield RefusedChange(f"{tab.title}: row {row}, column {column} lies outside the sheet; nothing was written.")
        for area in tab.merged:
            if holds(area, row, column) and (row, column) != area[:2]:
                where = f"{a1(*area[:2])}:{a1(*area[2:])}"
                yield refused(tab.title, row, column, f"the cell is inside the merged cells {where}", UNMERGE)
        yield from _formula(edits, row, column, look.cell(tab, row, column))
    if edits.size[1] > MOST_COLUMNS:
        yield RefusedChange(f"{tab.title}: a row has at most {MOST_COLUMNS:,} columns; nothing was written.")
    if not forced:
        for protection in look.protections.get(tab.id, ()):
            yield from _protected(edits, protection)


def _formula(edits: Edits, row: int, column: int, cell: LiveCell) -> Iterator[RefusedChange]:
    if cell.formula:
        yield refused(edits.tab.title, row, column, "the cell holds a formula", TYPE_VALUE)
    elif cell.is_result:
        yield refused(edits.tab.title, row, column, "the cell shows a part of the result of a formula")


def _protected(edits: Edits, protection: Protection) -> Iterator[RefusedChange]:
    named = f' ("{protection.description}")' if protection.description else ""
    says = f"{_area(protection)} is protected{named} and the program's account is not among its editors"
    width = max(map(len, edits.rows), default=0)
    below = next((letters(column) for column in range(1, width + 1) if protection.covers_below(column)), "")
    covered = [place for place in edits.cells if protection.covers(*place)]
    if below:  # rows can be added nowhere else
        where = a1(*covered[0]) if covered else below
        obstacles = {(edits.tab.title, 0, 0): f"{says}: {UNPROTECT}"}
        yield RefusedChange(f"{edits.tab.title}!{where}: {says}; nothing was written: {UNPROTECT}.", obstacles)
        return
    for row, column in covered:
        yield refused(edits.tab.title, row, column, says, UNPROTECT)


def _area(protection: Protection) -> str:
    top, left, bottom, right = protection.area
    if is_open_below(protection.area) and (top, left) == (1, 1) and right > MOST_COLUMNS:
        return "the tab"
    across = f"{letters(left)}:{letters(min(right, MOST_COLUMNS))}"
    if is_open_below(protection.area):
        return f"the range {across}"
    return f"the range {a1(top, left)}:{a1(bottom, min(right, MOST_COLUMNS))}"


def is_displaced(draft: Draft, look: Look, after: Mapping[int, Cells]) -> bool:
    """Whether the watched rows are other than the look saw them and the write made them.

    Args:
        draft: What was written.
        look: What stood there before.
        after: The cells of each tab's id after the write.
    """
    moved = (_is_moved(edits, look.cells.get(edits.tab.id, {}), after.get(edits.tab.id, {})) for edits in draft.edits)
    return any(moved) or any(_covers_news(edits, look, after.get(edits.tab.id, {})) for edits in draft.edits)


def _covers_news(edits: Edits, look: Look, after: Cells) -> bool:
    """Whether a cell that was set held something else by then than the look saw; of a new tab nobody can tell yet."""
    return (edits.is_new and bool(edits.copies)) or any(
        after.get((number, edits.width), BLANK).entered != look.cells.get(id, {}).get((row, column), BLANK).effective
        for number, (id, row, column) in enumerate(edits.copies, start=2)
    )


def _is_moved(edits: Edits, before: Cells, after: Cells) -> bool:
    if edits.is_whole:
        return False  # nobody but the program writes there, and all of it is replaced
    width = max((column for cells in (before, after, edits.cells) for _, column in cells), default=0)
    used = {row for row, _ in before} | set(edits.touched)
    for row in watched(edits):
        for column in range(1, width + 1) if row in used else ():  # added rows may stand in one that was blank
            place = (row, column)
            wanted = entered(edits.cells[place]) if place in edits.cells else before.get(place, BLANK).entered
            if after.get(place, BLANK).entered != wanted:
                return True
    return False
