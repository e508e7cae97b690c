"""Replacement of a workbook by its edited copy, as a whole or not at all, with a backup.

The steps are: write a temporary file in the same folder, flush it, verify it, compare the workbook with what was read,
back it up, replace it by one rename. Whenever a run is interrupted, the workbook is either the old file or the new one.
Where the system can, the rename exchanges both files, and what the workbook held at that moment is compared once more.

Until the workbook is replaced, its backup is pending: its name has the token of the commit and the digest of the edited
copy, by which the next commit carries out or withdraws one that was killed.
"""

from __future__ import annotations

import ctypes
import dataclasses
import difflib
import errno
import hashlib
import os
import re
import secrets
import sys
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sheets_algo.workbook.atomic_file import where_supported
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.errors import StaleWorkbook, WorkbookLocked, WorkbookUnavailable
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.xlsx.file import backups
from sheets_algo.workbook.xlsx.file.locks import sibling
from sheets_algo.workbook.xlsx.file.os_errors import clear_os_errors
from sheets_algo.workbook.xlsx.file.package import Limits, Package

if TYPE_CHECKING:
    from sheets_algo.workbook.xlsx.edit.patch import Patch

_READS = 3
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2
_UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM}
_TEMP, _DIGITS = ".sheets-algo.tmp", 16
_LEFT = re.compile(rf"(?s).*\.(\d+-[0-9a-f]{{8}})(?:\.([0-9a-f]{{{_DIGITS}}}))?{re.escape(_TEMP)}")


def resolved(path: Path) -> Path:
    """Return the file of a path with links followed, so that replacing it keeps the link.

    Raises:
        WorkbookUnavailable: There is no such file.
    """
    try:
        file = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:  # RuntimeError: circular links
        raise WorkbookUnavailable(f"{path}: there is no such file.{_suggestion(path)}") from error
    if not file.is_file():
        raise WorkbookUnavailable(f"{path}: not a file; name an .xlsx file.")
    return file


def _suggestion(path: Path) -> str:
    """Return a sentence that names a similar workbook in the same folder, or the way to name a Google spreadsheet."""
    matches = difflib.get_close_matches(path.name, [file.name for file in path.parent.glob("*.xls[xm]")], n=1)
    if matches:
        return f' Did you mean "{path.with_name(matches[0])}"?'
    return "" if path.suffix else " A Google spreadsheet is named by its address: copy that from the browser."


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The content of a workbook at its reading."""

    package: Package  # The checked content of the file
    revision: str  # SHA-256, size in bytes and modification time in ns, separated by spaces


def read_whole(file: Path, limits: Limits) -> ReadFile:
    """Read a workbook that other programs may save at the same time.

    Args:
        file: Path of the workbook, links resolved.
        limits: Largest sizes that the guard allows.

    Raises:
        WorkbookUnavailable: The workbook cannot be read.
        WorkbookLocked: The workbook kept changing while it was read.
    """
    for _ in range(_READS):
        with clear_os_errors(file.name, "read"):
            before = file.stat()
            try:
                package = Package.open(file, limits)
            except WorkbookUnavailable:
                if _same_state(before, file.stat()):
                    raise
                continue  # it was incomplete because it was being written
            after = file.stat()
        if _same_state(before, after):
            return ReadFile(package, _revision(package.sha256, after))
    raise WorkbookLocked(f"{file.name}: another program is writing to it; try again when it has finished.")


def matches_revision(file: Path, revision: str) -> bool:
    """Return True if a workbook has the size and time of a revision: a quick check to stop early."""
    state = file.stat()
    return revision.split()[1:] == [str(state.st_size), str(state.st_mtime_ns)]


def replace(
    file: Path,
    read: ReadFile,
    changes: ChangeSet,
    clock: Callable[[], datetime],
    tabs_read: Collection[TabKey] | None = None,
) -> tuple[str, ...]:
    """Write `changes` into a workbook.

    Args:
        file: Path of the workbook, links resolved.
        tabs_read: The tabs that the program reads; None for all.

    Returns:
        Remarks for the log.

    Raises:
        RefusedChange: A planned cell may not be written, or the edited copy fails its check.
        StaleWorkbook: The workbook is no longer what was read.
        WorkbookLocked: Another program has the file open, on Windows.
        WorkbookUnavailable: The workbook is marked read-only.
        OSError: The disk is full, the folder may not be written ...; nothing was changed.
    """
    from sheets_algo.workbook.xlsx.edit.patch import make_patch  # only here, since most commands write nothing
    from sheets_algo.workbook.xlsx.verify import verify

    refuse_read_only(file)
    settle(file, clock)
    patch = make_patch(read.package, changes, tabs_read)
    token, digest = f"{os.getpid()}-{secrets.token_hex(4)}", ""
    temp = _temporary(file, token)
    try:
        _write_temp(temp, file, read.package, patch)
        patch = dataclasses.replace(patch, changed={}, added={})  # a large tab is not held while its copy is checked
        copy = temp.read_bytes()
        verify.check(read.package, copy, changes, patch)
        state = _compare(file, read.revision)
        now = clock()
        backup = backups.next_backup(file, now)
        digest = hashlib.sha256(copy).hexdigest()[:_DIGITS]
        del copy
        pending = _pending(file, token, digest)
        backups.back_up(file, pending)
        if not _same_state(state, file.stat()):
            raise stale_error(file)
        _rename(temp, file, state)
    except BaseException:
        with suppress(OSError):
            _end(file, token, digest, clock)
        raise
    _flush_folder(file.parent)
    with suppress(OSError):  # the next commit does it
        _keep(file, pending, now)
    remarks = [f"The file as it was before is {backup.relative_to(file.parent)}."]
    if state.st_nlink > 1:
        remarks.append(f"{file.name} has another name (a hard link), which keeps showing the file as it was before.")
    return (*patch.remarks, *remarks)


def _temporary(file: Path, token: str) -> Path:
    """Return the path of the edited copy that a commit writes."""
    return sibling(file, ".", f".{token}{_TEMP}")


def _pending(file: Path, token: str, digest: str) -> Path:
    """Return the path of a commit's backup until the commit has replaced the workbook."""
    return sibling(backups.folder_of(file) / file.name, ".", f".{token}.{digest}{_TEMP}")


def leftovers(file: Path) -> Mapping[str, str]:
    """Return the digest of the edited copy, blank without backup, of each commit that runs or was killed, by its token.

    Args:
        file: Path of the workbook, links resolved.
    """
    commits = dict[str, str]()
    for folder in (file.parent, backups.folder_of(file)):
        for path in folder.iterdir() if folder.is_dir() else ():
            match = _LEFT.fullmatch(path.name)
            if match and path == (_pending(file, *match.groups()) if match[2] else _temporary(file, match[1])):
                commits[match[1]] = match[2] or ""
    return commits


def settle(file: Path, clock: Callable[[], datetime]) -> None:
    """Carry out or withdraw what killed commits left behind; no commit may be running, so the lock must be held.

    Raises:
        OSError: A file cannot be written or deleted.
    """
    for token, digest in leftovers(file).items():
        _end(file, token, digest, clock)


def _end(file: Path, token: str, digest: str, clock: Callable[[], datetime]) -> None:
    """Carry out or withdraw a commit that was interrupted, by what its temporary file holds.

    That is the edited copy, or what the workbook held when both were exchanged; after a plain rename there is none.
    """
    temp, pending = _temporary(file, token), _pending(file, token, digest)
    if digest:
        held = _digest(temp) if temp.exists() else ""
        if not held.startswith(digest):
            if held in ("", _digest(pending)):
                temp.unlink(missing_ok=True)
                _keep(file, pending, clock())
                return
            if _digest(file).startswith(digest):
                os.replace(temp, file)  # another program saved just before the exchange
        pending.unlink(missing_ok=True)
    temp.unlink(missing_ok=True)  # last, since it shows that the workbook was not replaced


def _keep(file: Path, pending: Path, now: datetime) -> None:
    """Give the backup of a commit that replaced the workbook its name, and prune old ones."""
    pending.rename(backups.next_backup(file, now))
    backups.prune(file, now)


def refuse_read_only(file: Path) -> None:
    """Refuse a workbook that is marked read-only.

    Raises:
        WorkbookUnavailable: It is.
    """
    # Neither a rename nor root needs the right to write the file itself, so the read-only mark is checked here.
    if not file.stat().st_mode & 0o222 or not os.access(file, os.W_OK):
        raise WorkbookUnavailable(f"{file.name}: cannot be written: it is read-only; lift that mark and try again.")


def _write_temp(temp: Path, file: Path, package: Package, patch: Patch) -> None:
    handle = os.open(temp, os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(handle, "w+b") as out:
        package.write(out, patch.changed, patch.removed, patch.added)
        out.flush()
        _copy_access(file, temp)
        with where_supported():
            os.fsync(out.fileno())


def _copy_access(file: Path, temp: Path) -> None:
    """Give the new file the owner and mode of the old one and, where there are any, its extended attributes."""
    state = file.stat()
    if sys.platform != "win32":
        for owner, group in ((state.st_uid, -1), (-1, state.st_gid)):
            with where_supported():  # only root may give a file away
                os.chown(temp, owner, group)
    with where_supported():
        os.chmod(temp, state.st_mode & 0o7777)
    if sys.platform == "linux":
        with suppress(OSError):  # a file system without attributes
            for attribute in os.listxattr(file):
                with suppress(OSError):  # attributes of the system's own
                    os.setxattr(temp, attribute, os.getxattr(file, attribute))


def _compare(file: Path, revision: str) -> os.stat_result:
    """Compare the workbook with what was read.

    Raises:
        StaleWorkbook: The workbook differs.
    """
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
        state = os.fstat(stream.fileno())
    if _revision(digest, state) != revision:
        raise stale_error(file)
    return state


def stale_error(file: Path) -> StaleWorkbook:
    """Return the error for a workbook that another program saved since it was read."""
    return StaleWorkbook(f"{file.name}: somebody saved it since it was read; nothing was written: read again.")


def _rename(temp: Path, file: Path, state: os.stat_result) -> None:
    """Put the copy in the place of the workbook.

    Raises:
        StaleWorkbook: Another program has saved it since it was compared; its save is kept.
        WorkbookLocked: Another program has it open, on Windows.
    """
    if exchange(temp, file):
        if not _same_state(state, temp.stat()):
            exchange(temp, file)
            raise stale_error(file)
        with suppress(OSError):  # the commit has landed; the next one deletes it
            temp.unlink()
        return
    try:
        os.replace(temp, file)
    except PermissionError as error:
        if sys.platform == "win32":
            raise WorkbookLocked(f"{file.name}: another program has it open; close it there and try again.") from error
        raise


def _flush_folder(folder: Path) -> None:
    """Make the rename survive a power cut, where the operating system can."""
    if sys.platform == "win32":
        return
    with suppress(OSError):  # some network file systems do not flush folders
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _revision(digest: str, state: os.stat_result) -> str:
    return f"{digest} {state.st_size} {state.st_mtime_ns}"


def _same_state(one: os.stat_result, other: os.stat_result) -> bool:
    return os.path.samestat(one, other) and (one.st_size, one.st_mtime_ns) == (other.st_size, other.st_mtime_ns)


def exchange(one: Path, other: Path) -> bool:
    """Exchange two files in one step; return False where the system or the drive cannot, and nothing was done.

    Raises:
        OSError: A file is missing, or the folder may not be written.
    """
    if sys.platform == "win32":
        return False
    names, library = (os.fsencode(one), os.fsencode(other)), ctypes.CDLL(None, use_errno=True)
    if sys.platform == "darwin" and hasattr(library, "renamex_np"):
        failed = library.renamex_np(*names, _RENAME_EXCHANGE)
    elif hasattr(library, "renameat2"):
        failed = library.renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE)
    else:
        return False
    number = ctypes.get_errno()
    if failed and number not in _UNSUPPORTED:
        raise OSError(number, os.strerror(number), str(one))
    return not failed
