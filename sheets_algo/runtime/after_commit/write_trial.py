"""Trial of the essential folders of a pass: as many bytes are written there, flushed and deleted."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

from sheets_algo.database.problems import CellRef, Problem
from sheets_algo.runtime.session.record import FOLDER
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.atomic_file import try_to_write
from sheets_algo.workbook.errors import WorkbookError

RECORD = 65_536
"""Estimated bytes of a season's record, with the folders and small files around it."""


def write_problem(session: Session, *, changes: int = 0) -> Problem | None:
    """Return the problem of an essential folder; None if it is writable (RCP-36).

    Args:
        changes: The characters of the changes of the workbook.
    """
    rooms = Counter({session.folder / FOLDER: RECORD})
    with suppress(WorkbookError):  # it cannot be found, as opening it says
        rooms.update(session.workbook.rooms(changes))
    try:
        try_to_write(rooms)
    except OSError as error:
        says = f"cannot be written to, and each ruling needs it ({error.strerror})"
        allowed = "Make room, allow it, or choose another --folder"
        return Problem(cell=CellRef(str(error.filename)), says=says, allowed=allowed, id="RCP-36")
    return None
