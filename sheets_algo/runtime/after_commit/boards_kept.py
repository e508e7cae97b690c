"""The boards inside a spreadsheet, brought up to date after the passes of `run` and `watch` (RCP-50)."""

from __future__ import annotations

from dataclasses import replace

from sheets_algo.boards.board_tab import BOARDS, BoardDataRow, kept_boards
from sheets_algo.database.problems import shortened
from sheets_algo.runtime.session.foreign_tabs import without_foreign
from sheets_algo.runtime.session.session import Session, opened
from sheets_algo.workbook.errors import WorkbookError

NOT_CURRENT = "The tab {} is not current ({}); the rest of the workbook is written."


def keep_boards(session: Session) -> bool:
    """Bring the tab Boards up to date; return True if it was written.

    Raises:
        WorkbookError: The workbook cannot be read or written.
    """
    before = without_foreign(session.workbook.read((BOARDS,)), (BoardDataRow,))
    workbook = opened(session)  # last, since a watcher compares with the last reading
    changes = kept_boards(workbook.snapshot, workbook.forms, workbook.receipts, before)
    if changes:
        sheets = {**before.sheets, **workbook.snapshot.sheets}
        known = replace(workbook.snapshot, sheets=sheets, foreign={**before.foreign, **workbook.snapshot.foreign})
        session.workbook.commit(known, changes)
    return bool(changes)


def try_to_keep_boards(session: Session) -> tuple[str, ...]:
    """Bring the tab Boards up to date if the session has it; return a sentence if that fails, without an error."""
    if not session.keeps_boards:
        return ()
    try:
        keep_boards(session)
    except WorkbookError as error:
        return (NOT_CURRENT.format(BOARDS, shortened(str(error))),)
    return ()
