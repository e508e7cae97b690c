"""The note of a commit under way: which backup it makes, and the digest of the edited copy.

It is written before the workbook is replaced, and deleted afterwards. If the run is killed in between, the next one
finds it: while the commit's temporary file is there too, the workbook was not replaced.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from sheets_algo.workbook.atomic_file import where_supported
from sheets_algo.workbook.xlsx.file.backups import BACKUPS, FOLDER


def note_of(temp: Path) -> Path:
    """Return the path of the note of a commit, by the temporary file that will replace the workbook."""
    return temp.parent / FOLDER / temp.name


def write_note(note: Path, backup: Path, copy: str) -> None:
    """Write the note of a commit.

    Args:
        backup: Path that the backup of the present file will have.
        copy: SHA-256 of the edited copy.

    Raises:
        OSError: The note cannot be written.
    """
    with note.open("xb") as file:
        file.write(json.dumps({"backup": backup.name, "sha256": copy}).encode())
        file.flush()
        with where_supported():
            os.fsync(file.fileno())


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
