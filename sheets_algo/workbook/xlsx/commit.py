"""Put an edited workbook in the place of the old one: the whole of it or nothing, with a way back.

The order is that of the safest editor: temp file in the same folder, flush, verify, compare the workbook with what was
read, back it up, replace it by one rename. Whatever ends a run in between, the workbook is the old file or the new one.
"""

from __future__ import annotations

import difflib
import errno
import hashlib
import os
import re
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sheets_algo.workbook.base import (
    ChangeSet,
    RefusedChange,
    StaleWorkbook,
    WorkbookError,
    WorkbookLocked,
    WorkbookUnavailable,
)
from sheets_algo.workbook.xlsx import backups, journal, verify
from sheets_algo.workbook.xlsx.locks import RunLock, sibling
from sheets_algo.workbook.xlsx.package import Limits, Package
from sheets_algo.workbook.xlsx.patch import Patch, make_patch

_READS = 3
_TEMP = ".sheets-algo.tmp"


def resolved(path: Path) -> Path:
    """The file a path means, links followed, so that a link stays a link.

    Raises:
        WorkbookUnavailable: There is no such file.
    """
    try:
        file = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
        raise WorkbookUnavailable(f"{path}: there is no such file.{_alike(path)}") from error
    if not file.is_file():
        raise WorkbookUnavailable(f"{path}: not a file; name an .xlsx file.")
    return file


def _alike(path: Path) -> str:
    """A workbook in the same folder that may be meant, or a spreadsheet that is not named as it has to be."""
    near = difflib.get_close_matches(path.name, [it.name for it in path.parent.glob("*.xls[xm]")], n=1)
    if near:
        return f' Did you mean "{path.with_name(near[0])}"?'
    return "" if path.suffix else " A Google spreadsheet is named by its address: copy that from the browser."


@dataclass(frozen=True, slots=True)
class Read:
    """A workbook as it was read.

    Args:
        package: Its bytes, guarded.
        revision: SHA-256, size in bytes and modification time in ns, with spaces between.
    """

    package: Package
    revision: str


def read_whole(file: Path, limits: Limits) -> Read:
    """Read a workbook that may be saved by others at the same time.

    Args:
        file: The file, links resolved.
        limits: What the guard allows.

    Raises:
        WorkbookUnavailable: It cannot be read.
        WorkbookLocked: It kept changing while it was read.
    """
    for _ in range(_READS):
        with in_one_sentence(file.name, "read"):
            before = file.stat()
            try:
                package = Package.open(file, limits)
            except WorkbookUnavailable:
                if _same_state(before, file.stat()):
                    raise
                continue  # half of it was there
            after = file.stat()
        if _same_state(before, after):
            return Read(package, _revision(package.sha256, after))
    raise WorkbookLocked(f"{file.name}: another program is writing to it; try again when it has finished.")


def is_untouched(file: Path, revision: str) -> bool:
    """Whether a workbook has the size and time of a revision: quick, and enough to stop early."""
    state = file.stat()
    return revision.split()[1:] == [str(state.st_size), str(state.st_mtime_ns)]


def replace(
    file: Path, read: Read, changes: ChangeSet, lock: RunLock, clock: Callable[[], datetime]
) -> tuple[str, ...]:
    """Write `changes` into a workbook.

    Args:
        file: The workbook, links resolved.
        read: The workbook as it was read.
        changes: What to write; not empty.
        lock: The lock, held.
        clock: The time now, UTC and aware.

    Returns:
        Remarks.

    Raises:
        RefusedChange: A planned cell may not be written, or the edited copy fails its check.
        StaleWorkbook: The workbook is no longer what was read.
        WorkbookLocked: Another run took the lock over, or another program holds the file.
        WorkbookUnavailable: It is marked read-only.
        OSError: The disk is full, the folder may not be written ... Nothing was changed.
    """
    _refuse_read_only(file)
    _sweep(file)
    patch = make_patch(read.package, changes)
    temp = sibling(file, ".", f".{os.getpid()}-{secrets.token_hex(4)}{_TEMP}")
    try:
        _write_temp(temp, file, read.package, patch)
        _verify(temp, file, read.package, patch)
        state = _compare(file, read.revision)
        links = backups.other_names(file)
        backup = backups.back_up(file, clock())
        try:
            _refuse_if_late(file, state, lock)
            _rename(temp, file)
        except BaseException:
            if temp.exists():  # else the run was stopped just after the rename, and the backup is the only old file
                _discard(backup)
            raise
    except BaseException:
        _discard(temp)
        raise
    _flush_folder(file.parent)
    return (*patch.remarks, *_aftermath(file, changes, backup, links, clock()))


@contextmanager
def in_one_sentence(name: str, doing: str) -> Iterator[None]:
    """Turn what the operating system refuses into one sentence.

    Args:
        name: The workbook's name.
        doing: "read" or "written".

    Raises:
        WorkbookLocked: Windows denies access: another program has it open.
        WorkbookUnavailable: Anything else.
    """
    try:
        yield
    except OSError as error:
        raise _worded(name, doing, error) from error


def _worded(name: str, doing: str, error: OSError) -> WorkbookError:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT | errno.EFBIG:
            why = "the disk is full (or a size limit is reached); make room and try again"
        case errno.EROFS:
            why = "it is on a read-only disk; copy it to one that can be written"
        case errno.ENOENT:
            why = "it has been moved or deleted; put it back or name another file"
        case errno.EACCES | errno.EPERM:
            if sys.platform == "win32":
                return WorkbookLocked(f"{name}: another program has it open; close it there and try again.")
            why = "no permission; ask its owner for the right to change the file and its folder"
        case _:
            where = f" ({Path(error.filename).name})" if isinstance(error.filename, str) else ""
            why = f"{error.strerror or error}{where}; mend that and try again"
    return WorkbookUnavailable(f"{name}: cannot be {doing}: {why}.")


def _refuse_read_only(file: Path) -> None:
    # A rename needs no right to the file itself, and root has every right: the owner's mark would be passed over.
    if not file.stat().st_mode & 0o222 or not os.access(file, os.W_OK):
        raise WorkbookUnavailable(f"{file.name}: cannot be written: it is read-only; lift that mark and try again.")


def _sweep(file: Path) -> None:
    """Delete the temp files of runs that were killed. We hold the lock, so no living run has one."""
    for stray in file.parent.iterdir():
        match = re.fullmatch(r"(?s).*\.(\d+-[0-9a-f]{8})" + re.escape(_TEMP), stray.name)
        if match and stray.name == sibling(file, ".", f".{match[1]}{_TEMP}").name:
            stray.unlink(missing_ok=True)


def _write_temp(temp: Path, file: Path, package: Package, patch: Patch) -> None:
    handle = os.open(temp, os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(handle, "w+b") as out:
        package.write(out, patch.changed, patch.removed, patch.added)
        out.flush()
        _copy_access(file, temp)
        os.fsync(out.fileno())


def _copy_access(file: Path, temp: Path) -> None:
    """Give the new file the old one's owner, mode and, where there are any, access lists and other attributes."""
    state = file.stat()
    if sys.platform != "win32":
        for owner, group in ((state.st_uid, -1), (-1, state.st_gid)):
            with suppress(PermissionError):  # only root may give a file away
                os.chown(temp, owner, group)
    os.chmod(temp, state.st_mode & 0o7777)
    if sys.platform == "linux":
        with suppress(OSError):  # a file system without attributes
            for attribute in os.listxattr(file):
                with suppress(OSError):  # attributes of the system's own
                    os.setxattr(temp, attribute, os.getxattr(file, attribute))


def _verify(temp: Path, file: Path, package: Package, patch: Patch) -> None:
    data = temp.read_bytes()
    verify.only_planned_parts_differ(file.name, package.data, data, patch)
    try:
        edited = Package.from_bytes(data, file.name, package.limits)
        verify.planned_cells_read_back(file.name, edited, patch.placed)
    except WorkbookUnavailable as error:  # a copy that we would not read again, e.g. beyond the limits
        raise RefusedChange(f"{error} That is the edited copy; nothing was written.") from error


def _compare(file: Path, revision: str) -> os.stat_result:
    """Compare the workbook with what was read.

    Raises:
        StaleWorkbook: It differs.
    """
    with file.open("rb") as now:
        digest = hashlib.file_digest(now, "sha256").hexdigest()
        state = os.fstat(now.fileno())
    if _revision(digest, state) != revision:
        raise stale(file)
    return state


def _refuse_if_late(file: Path, state: os.stat_result, lock: RunLock) -> None:
    """The last look before the rename: saved in the instant since it was compared, or our lock taken over."""
    if not _same_state(state, file.stat()):
        raise stale(file)
    if not lock.is_held():
        raise WorkbookLocked(f"{file.name}: another run of sheets-algo took over; nothing was written.")


def stale(file: Path) -> StaleWorkbook:
    """The workbook was saved by somebody else since it was read."""
    return StaleWorkbook(f"{file.name}: somebody saved it since it was read; nothing was written: read again.")


def _rename(temp: Path, file: Path) -> None:
    try:
        os.replace(temp, file)
    except PermissionError as error:
        if sys.platform == "win32":
            raise WorkbookLocked(f"{file.name}: another program has it open; close it there and try again.") from error
        raise


def _aftermath(file: Path, changes: ChangeSet, backup: Path, links: int, now: datetime) -> list[str]:
    """What follows a landed commit; nothing here may make it look failed."""
    remarks = [f"The file as it was before is {backup.relative_to(file.parent)}."]
    if links > 0:
        remarks.append(f"{file.name} has another name (a hard link), which keeps showing the file as it was before.")
    try:
        journal.record(file, changes, backup, now)
        backups.prune(file, now)
    except OSError as error:
        remarks.append(f"The journal beside {file.name} could not be kept: {error.strerror}.")
    return remarks


def _discard(file: Path) -> None:
    """Delete a file that is of no use; one that cannot be deleted is no reason to say anything else."""
    with suppress(OSError):
        file.unlink()


def _flush_folder(folder: Path) -> None:
    """Make the rename last through a power cut, where the system can."""
    if sys.platform == "win32":
        return
    with suppress(OSError):  # some network file systems do not flush folders
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _revision(digest: str, state: os.stat_result) -> str:
    return f"{digest} {state.st_size} {state.st_mtime_ns}"


def _same_state(one: os.stat_result, other: os.stat_result) -> bool:
    return os.path.samestat(one, other) and (one.st_size, one.st_mtime_ns) == (other.st_size, other.st_mtime_ns)
