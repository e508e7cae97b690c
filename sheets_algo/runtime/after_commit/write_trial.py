"""Trial of the places into which a pass writes files: as many bytes are written there, flushed and deleted."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

from sheets_algo.database.problems import CellRef, Problem
from sheets_algo.runtime.after_commit.artifacts import DRAWN_MOST, picture_folder
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.atomic_file import try_to_write
from sheets_algo.workbook.errors import WorkbookError

NOTES, PICTURE = 65_536, 65_536
"""Bytes of the notes of a pass with the folders and small files around them, and of the picture of a ruling."""


def write_problem(session: Session, *, rulings: int = 0, logs: int = 0, changes: int = 0) -> Problem | None:
    """Return the problem of a folder in which a pass could not write its files; None if it could (RCP-36).

    Args:
        rulings: The number of rulings of the pass.
        logs: The characters of their logs.
        changes: The characters of its changes of the workbook.
    """
    rooms = Counter({session.folder / "logs": logs, session.folder / ".sheets-algo": NOTES})
    if session.draws_pictures:
        rooms[picture_folder(session)] = PICTURE * min(rulings, DRAWN_MOST)
    with suppress(WorkbookError):  # it cannot be found, as opening it says
        rooms.update(session.workbook.rooms(changes))
    try:
        try_to_write(rooms)
    except OSError as error:
        says = f"cannot be written to, and each ruling needs it ({error.strerror})"
        allowed = "Make room, allow it, or choose another --folder"
        return Problem(cell=CellRef(str(error.filename)), says=says, allowed=allowed, id="RCP-36")
    return None
