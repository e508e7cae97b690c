"""Backups of a workbook, made before it is replaced: `.sheets-algo/backups/<name>.<UTC>.<n>.xlsx` beside it.

The last twenty backups are kept, but of those older than thirty days only the newest backup.
"""

from __future__ import annotations

import os
import re
import shutil
from datetime import datetime, timedelta
from pathlib import Path

from sheets_algo.workbook.xlsx.locks import sibling

FOLDER = ".sheets-algo"
"""Name of the folder beside a workbook for backups and the journal."""

KEPT = 20
"""Number of backups of one workbook that are kept."""

KEPT_FOR = timedelta(days=30)
"""Age after which a backup is deleted, unless it is the newest."""

_STAMP = "%Y%m%dT%H%M%SZ"


def back_up(workbook: Path, now: datetime) -> Path:
    """Keep the present state of a workbook: a hard link, or a copy where the file system has no links.

    A link is safe because the workbook is then replaced by another file, never written in place.

    Args:
        workbook: Path of the workbook, links resolved.
        now: Current time, UTC and aware.

    Returns:
        Path of the backup.

    Raises:
        OSError: The backup cannot be made.
    """
    folder = workbook.parent / FOLDER / "backups"
    folder.mkdir(parents=True, exist_ok=True)
    _delete_links_to(workbook)
    stamp = now.strftime(_STAMP)
    number = 1 + max((number_used for when, number_used, _ in _backups(workbook) if when == stamp), default=0)
    backup = sibling(folder / workbook.stem, "", f".{stamp}.{number}{workbook.suffix}")
    try:
        os.link(workbook, backup)
    except (OSError, NotImplementedError):
        _copy(workbook, backup)
    return backup


def prune(workbook: Path, now: datetime) -> None:
    """Delete the backups of a workbook that need not be kept; one that cannot be deleted stays.

    Args:
        workbook: Path of the workbook, links resolved.
        now: Current time, UTC and aware.
    """
    oldest = (now - KEPT_FOR).strftime(_STAMP)
    newest_first = sorted(_backups(workbook), reverse=True)
    for position, (when, _, backup) in enumerate(newest_first):
        if position >= KEPT or (position and when < oldest):
            try:
                backup.unlink(missing_ok=True)
            except OSError:
                continue


def count_other_links(workbook: Path) -> int:
    """Return the number of hard links to a workbook other than its own name and its backups."""
    stat = workbook.stat()
    backup_links = sum(os.path.samestat(stat, backup.stat()) for _, _, backup in _backups(workbook))
    return stat.st_nlink - 1 - backup_links


def _delete_links_to(workbook: Path) -> None:
    """Delete backups that are hard links to the workbook itself.

    A run killed before it replaced the file leaves such a backup, which would change with the workbook.
    """
    stat = workbook.stat()
    for _, _, backup in _backups(workbook):
        if os.path.samestat(stat, backup.stat()):
            backup.unlink()


def _backups(workbook: Path) -> list[tuple[str, int, Path]]:
    """Return stamp, number and path of each backup of a workbook, in no order."""
    folder = workbook.parent / FOLDER / "backups"
    backups = []
    for file in folder.iterdir() if folder.is_dir() else ():
        match = re.fullmatch(r"(?s).*\.(\d{8}T\d{6}Z)\.(\d+)", file.name.removesuffix(workbook.suffix))
        if match is None:
            continue
        stamp, number = match.groups()
        if file.name == sibling(folder / workbook.stem, "", f".{stamp}.{number}{workbook.suffix}").name:
            backups.append((stamp, int(number), file))
    return backups


def _copy(source: Path, target: Path) -> None:
    try:
        with source.open("rb") as old, target.open("xb") as new:
            shutil.copyfileobj(old, new)
            new.flush()
            os.fsync(new.fileno())
        shutil.copystat(source, target)
    except OSError:
        target.unlink(missing_ok=True)
        raise
