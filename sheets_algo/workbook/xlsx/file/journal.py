"""The journal beside a workbook: `.sheets-algo/journal.jsonl`, one line per commit with old and new cell values.

It is for people who want to know what a run did; it contains no secret. The line of a commit is written to a note
before the workbook is replaced, and put into the journal afterwards. If the run is killed in between, the next one
finds the note: while the commit's temporary file is there too, the workbook was not replaced.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from contextlib import suppress
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.atomic_file import where_supported
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.values import CellError, Uncalculated, Value
from sheets_algo.workbook.xlsx.file.backups import BACKUPS, FOLDER


def note_of(temp: Path) -> Path:
    """Return the path of the note of a commit, by the temporary file that will replace the workbook."""
    return temp.parent / FOLDER / temp.name


def write_note(note: Path, workbook: Path, changes: ChangeSet, backup: Path, now: datetime, copy: str) -> None:
    """Write the journal line of a commit to its note.

    Args:
        workbook: Path of the file to be replaced, links resolved.
        backup: Path that the backup of the present file will have.
        copy: SHA-256 of the edited copy.

    Raises:
        OSError: The note cannot be written.
    """
    entry = {
        "time": now.isoformat(timespec="seconds"),
        "workbook": workbook.name,
        "guard": changes.guard,
        "backup": backup.name,
        "sha256": copy,
        "tabs": [{"tab": new.tab.name, "header": new.header} for new in changes.tabs],
        "cells": [
            {"tab": cell.tab.name, "cell": a1(cell.row, cell.column), "old": _plain(cell.before), "new": cell.value}
            for cell in changes.cells
        ],
        "rows": [{"tab": row.tab.name, "values": row.values} for row in changes.rows],
        "pictures": [
            {
                "tab": picture.tab.name,
                "cell": a1(picture.row, picture.column),
                "sha256": hashlib.sha256(picture.png).hexdigest(),
            }
            for picture in changes.pictures
        ],
    }
    with note.open("xb") as file:
        file.write(json.dumps(entry, separators=(",", ":")).encode())
        file.flush()
        with where_supported():
            os.fsync(file.fileno())


def carry_out(note: Path, *, is_left: bool = False) -> None:
    """Put the line of a note into the journal and delete the note.

    Args:
        is_left: True if an earlier run left it, which may have written the line.

    Raises:
        OSError: The journal cannot be written.
    """
    line, journal = note.read_bytes(), note.with_name("journal.jsonl")
    if not is_left or not _has_line(journal, line):
        _append(journal, line)
    note.unlink()


def withdraw(note: Path) -> None:
    """Delete the note of a commit that did not replace the workbook, and its backup, which may be incomplete.

    Raises:
        OSError: They cannot be deleted.
    """
    if backup := copy_and_backup(note)[1]:
        backup.unlink(missing_ok=True)
    note.unlink()


def copy_and_backup(note: Path) -> tuple[str, Path | None]:
    """Return the SHA-256 of a commit's edited copy and the path of its backup.

    Without a note, or with one that was cut off before the backup was begun, they are blank and None.
    """
    with suppress(ValueError, KeyError, TypeError, FileNotFoundError, NotADirectoryError):
        entry = json.loads(note.read_bytes())
        return entry.get("sha256", ""), note.parent / BACKUPS / Path(entry["backup"]).name
    return "", None


def _has_line(journal: Path, line: bytes) -> bool:
    try:
        with journal.open("rb") as lines:
            return any(other.rstrip(b"\n") == line for other in lines)
    except FileNotFoundError:
        return False


def _append(journal: Path, line: bytes) -> None:
    with journal.open("ab+", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        if size:
            file.seek(size - 1)
            if file.read(1) != b"\n":  # a crash cut the last line off
                line = b"\n" + line
        try:
            if file.write(line + b"\n") <= len(line):  # no room for all of it
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            with where_supported():
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
