"""The journal beside a workbook: `.sheets-algo/journal.jsonl`, one line per commit with every cell's old and new value.

It is for people who want to know what a run did; nothing is read back from it, and no secret comes near it. A line is
written after the workbook has been replaced, so a crash in between loses that line and nothing else.
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
    """Where the journal of a workbook is; workbooks of one folder share it."""
    return workbook.parent / FOLDER / "journal.jsonl"


def record(workbook: Path, changes: ChangeSet, backup: Path, now: datetime) -> None:
    """Append one commit.

    Args:
        workbook: The file that was replaced, links resolved.
        changes: What was written.
        backup: The file as it was before.
        now: UTC and aware.

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
            if file.read(1) != b"\n":  # a crash cut the last line; the next one begins on its own
                line = b"\n" + line
        try:
            if file.write(line + b"\n") <= len(line):  # no room for all of it
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file.fileno())
        except OSError:
            file.truncate(size)
            raise


def _plain(value: Value) -> Any:
    """A cell as JSON: dates, errors and formulas as an object that says so."""
    match value:
        case datetime() | date() | time():
            return {"date": value.isoformat()}
        case CellError(code):
            return {"error": code}
        case Uncalculated(formula):
            return {"formula": formula}
        case _:
            return value
