"""Backups of a workbook, made before it is replaced: `.sheets-algo/backups/<name>.<UTC>.<n>.xlsx` beside it.

The last twenty backups are kept, but of those older than thirty days only the newest backup.
"""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from sheets_algo.workbook.atomic_file import where_supported
from sheets_algo.workbook.xlsx.file.locks import sibling

FOLDER = ".sheets-algo"
"""Name of the folder beside a workbook for its backups, in `backups`."""

KEPT = 20
"""Number of backups of one workbook that are kept."""

KEPT_FOR = timedelta(days=30)
"""Age after which a backup is deleted, unless it is the newest."""

_STAMP = "%Y%m%dT%H%M%SZ"


def folder_of(workbook: Path) -> Path:
    """Return the folder of a workbook's backups."""
    return workbook.parent / FOLDER / "backups"


def next_backup(workbook: Path, now: datetime) -> Path:
    """Return an unused path for a backup of a workbook, and make its folder.

    Args:
        workbook: Path of the workbook, links resolved.

    Raises:
        OSError: The folder cannot be made.
    """
    folder = folder_of(workbook)
    folder.mkdir(parents=True, exist_ok=True)
    stamp = now.strftime(_STAMP)
    number = 1 + max((number_used for when, number_used, _ in _backups(workbook) if when == stamp), default=0)
    return sibling(folder / workbook.stem, "", f".{stamp}.{number}{workbook.suffix}")


def back_up(workbook: Path, backup: Path) -> None:
    """Copy a workbook to its backup. A link would change with the workbook if a program wrote into the open file.

    Raises:
        OSError: The backup cannot be made; then there is none.
    """
    new = backup.open("xb")
    try:
        with new, workbook.open("rb") as old:
            shutil.copyfileobj(old, new)
            new.flush()
            with where_supported():
                os.fsync(new.fileno())
        with where_supported():
            shutil.copystat(workbook, backup)
    except BaseException:
        backup.unlink(missing_ok=True)
        raise


def prune(workbook: Path, now: datetime) -> None:
    """Delete the backups of a workbook that need not be kept; one that cannot be deleted stays.

    Args:
        workbook: Path of the workbook, links resolved.
    """
    oldest = (now - KEPT_FOR).strftime(_STAMP)
    newest_first = sorted(_backups(workbook), reverse=True)
    for position, (when, _, backup) in enumerate(newest_first):
        if position >= KEPT or (position and when < oldest):
            with suppress(OSError):
                backup.unlink(missing_ok=True)


def _backups(workbook: Path) -> list[tuple[str, int, Path]]:
    """Return stamp, number and path of each backup of a workbook, in no order."""
    folder = folder_of(workbook)
    backups = []
    for file in folder.iterdir() if folder.is_dir() else ():
        match = re.fullmatch(r"(?s).*\.(\d{8}T\d{6}Z)\.(\d+)", file.name.removesuffix(workbook.suffix))
        if match is None:
            continue
        stamp, number = match.groups()
        if file.name == sibling(folder / workbook.stem, "", f".{stamp}.{number}{workbook.suffix}").name:
            backups.append((stamp, int(number), file))
    return backups
