"""The journal beside a workbook: `.sheets-algo/journal.jsonl`, one line per commit with old and new cell values.

It is for people who want to know what a run did; the program never reads it, and it contains no secret. A line is
written after the workbook has been replaced, so a crash in between loses only that line.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from sheets_algo.workbook.base import CellError, ChangeSet, Uncalculated, Value, a1
from sheets_algo.workbook.xlsx.backups import FOLDER


def journal_of(workbook: Path) -> Path:
    """Return the path of a workbook's journal; workbooks in the same folder share it."""
    return workbook.parent / FOLDER / "journal.jsonl"


def record(workbook: Path, changes: ChangeSet, backup: Path, now: datetime) -> None:
    """Append one commit to the journal.

    Args:
        workbook: Path of the file that was replaced, links resolved.
        changes: Changes that were written.
        backup: Path of the backup of the previous file.
        now: Current time, UTC and aware.

    Raises:
        OSError: The journal cannot be written.
    """
    entry = {
        "time": now.isoformat(timespec="seconds"),
        "workbook": workbook.name,
        "guard": changes.guard,
        "backup": backup.name,
        "tabs": [{"tab": tab.name, "header": tab.header} for tab in changes.tabs],
        "cells": [
            {"tab": cell.tab, "cell": a1(cell.row, cell.column), "old": _plain(cell.before), "new": cell.value}
            for cell in changes.cells
        ],
        "rows": [{"tab": row.tab, "values": row.values} for row in changes.rows],
        "pictures": [
            {
                "tab": picture.tab,
                "cell": a1(picture.row, picture.column),
                "sha256": hashlib.sha256(picture.png).hexdigest(),
            }
            for picture in changes.pictures
        ],
    }
    _append(journal_of(workbook), json.dumps(entry, separators=(",", ":")).encode())


def _append(journal: Path, line: bytes) -> None:
    journal.parent.mkdir(parents=True, exist_ok=True)
    with journal.open("ab+", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        if size:
            file.seek(size - 1)
            if file.read(1) != b"\n":  # a crash cut the last line off
                line = b"\n" + line
        try:
            if file.write(line + b"\n") <= len(line):  # no room for all of it
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file.fileno())
        except OSError:
            file.truncate(size)
            raise


def _plain(value: Value) -> Any:
    """Return a cell value for JSON: dates, errors and formulas as an object that names the kind."""
    match value:
        case datetime() | date() | time():
            return {"date": value.isoformat()}
        case CellError(code):
            return {"error": code}
        case Uncalculated(formula):
            return {"formula": formula}
        case _:
            return value
