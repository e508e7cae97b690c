"""Backups of a workbook, made before it is replaced: `.sheets-algo/backups/<name>.<UTC>.<n>.xlsx` beside it.

The last twenty are kept, and of those none older than thirty days except the newest.
"""

from __future__ import annotations

import os
import re
import shutil
from datetime import datetime, timedelta
from pathlib import Path

from sheets_algo.workbook.xlsx.locks import sibling

FOLDER = ".sheets-algo"
"""Folder beside a workbook for what the program keeps about it."""

KEPT = 20
"""Backups of one workbook that are kept."""

KEPT_FOR = timedelta(days=30)
"""Age after which a backup that is not the newest goes."""

_STAMP = "%Y%m%dT%H%M%SZ"


def back_up(workbook: Path, now: datetime) -> Path:
    """Keep the workbook as it is now: a hard link, or a copy where the file system has none.

    A link is safe because the workbook is replaced by another file right after, never written in place.

    Args:
        workbook: The file, links resolved.
        now: UTC and aware.

    Returns:
        The backup.

    Raises:
        OSError: It cannot be made.
    """
    folder = workbook.parent / FOLDER / "backups"
    folder.mkdir(parents=True, exist_ok=True)
    _drop_links_to(workbook)
    stamp = now.strftime(_STAMP)
    number = 1 + max((made for when, made, _ in _backups(workbook) if when == stamp), default=0)
    backup = sibling(folder / workbook.stem, "", f".{stamp}.{number}{workbook.suffix}")
    try:
        os.link(workbook, backup)
    except (OSError, NotImplementedError):
        _copy(workbook, backup)
    return backup


def prune(workbook: Path, now: datetime) -> None:
    """Delete the backups of a workbook that need not be kept; one that cannot be deleted stays.

    Args:
        workbook: The file, links resolved.
        now: UTC and aware.
    """
    oldest = (now - KEPT_FOR).strftime(_STAMP)
    newest_first = sorted(_backups(workbook), reverse=True)
    for place, (when, _, backup) in enumerate(newest_first):
        if place >= KEPT or (place and when < oldest):
            try:
                backup.unlink(missing_ok=True)
            except OSError:
                continue


def other_names(workbook: Path) -> int:
    """How many hard links a workbook has beside its own name and its backups."""
    here = workbook.stat()
    ours = sum(os.path.samestat(here, backup.stat()) for _, _, backup in _backups(workbook))
    return here.st_nlink - 1 - ours


def _drop_links_to(workbook: Path) -> None:
    """A backup that is the workbook itself, left by a run killed before it replaced the file, would change with it."""
    here = workbook.stat()
    for _, _, backup in _backups(workbook):
        if os.path.samestat(here, backup.stat()):
            backup.unlink()


def _backups(workbook: Path) -> list[tuple[str, int, Path]]:
    """The backups of a workbook: stamp, number, file, in no order."""
    folder = workbook.parent / FOLDER / "backups"
    found = []
    for file in folder.iterdir() if folder.is_dir() else ():
        match = re.fullmatch(r"(?s).*\.(\d{8}T\d{6}Z)\.(\d+)", file.name.removesuffix(workbook.suffix))
        if match is None:
            continue
        stamp, number = match.groups()
        if file.name == sibling(folder / workbook.stem, "", f".{stamp}.{number}{workbook.suffix}").name:
            found.append((stamp, int(number), file))
    return found


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
