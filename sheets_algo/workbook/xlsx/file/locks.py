"""Locks that allow one writer at a time: a lock of this program, and the lock files of office programs.

The program's lock is a file made with `O_EXCL` that names process, host and start time, and is held under `flock` where
that exists. It is stale when its process has ended, or after fifteen minutes; a run that is still active by then
notices with `RunLock.is_held` before it replaces anything.

LibreOffice's `.~lock.<name>#` remains when LibreOffice crashes. It is respected unless it was made on this host by this
user and no LibreOffice runs here, so that no program can have the file open. Excel's `~$<name>` names no host, so it is
always respected.
"""

from __future__ import annotations

import errno
import getpass
import hashlib
import json
import os
import socket
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

from sheets_algo.workbook.atomic_file import is_alive
from sheets_algo.workbook.errors import WorkbookLocked

if sys.platform != "win32":
    import fcntl

STALE_AFTER = timedelta(minutes=15)
"""Age after which any lock is no longer valid."""

LONGEST_NAME = 255
"""Maximum bytes of a file name on the usual file systems."""

_NO_FLOCK = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, errno.EBADF}
_ATTEMPTS = 20


def sibling(path: Path, prefix: str, suffix: str) -> Path:
    """Return the path `prefix + name + suffix` beside a file.

    A name too long for the file system is cut and made unique by a hash.
    """
    name = path.name
    room = LONGEST_NAME - len(os.fsencode(prefix + suffix))
    if len(os.fsencode(name)) > room:
        digest = hashlib.sha256(os.fsencode(name)).hexdigest()[:8]
        while len(os.fsencode(name)) > room - len(digest) - 1:
            name = name[:-1]
        name = f"{name}~{digest}"
    return path.with_name(prefix + name + suffix)


@dataclass(frozen=True, slots=True)
class _Holder:
    """The process that made a lock file, as far as the file states it."""

    pid: int | None
    host: str
    started: datetime

    def __str__(self) -> str:
        process = f"process {self.pid}" if self.pid else "a process"
        host = f" on {self.host}" if self.host else ""
        return f"{process}{host}, since {self.started:%Y-%m-%d %H:%M} UTC"


class RunLock:
    """The lock of one commit, as a context manager.

    Args:
        workbook: Path of the file to be written, links resolved.
    """

    def __init__(self, workbook: Path, clock: Callable[[], datetime]) -> None:
        self.path = sibling(workbook, ".", ".sheets-algo.lock")
        self._workbook = workbook
        self._clock = clock
        self._file = -1

    def __enter__(self) -> Self:
        """Take the lock.

        Raises:
            WorkbookLocked: Another run holds it.
            OSError: No lock file can be made.
        """
        for _ in range(_ATTEMPTS):
            try:
                self._file = os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o644)
            except FileExistsError:
                self._clear_if_stale()
                continue
            try:
                if _flock(self._file) is not False and self.is_held():
                    self._write_holder()
                    return self
            except BaseException:  # leave no lock behind when the disk is full or the run is stopped
                self._release()
                raise
            os.close(self._file)  # another run removed the file as stale before it was locked: try again
        raise WorkbookLocked(f"{self._workbook.name}: other runs of sheets-algo are writing to it; try again.")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Release the lock, unless another run has taken it over."""
        self._release()

    def _release(self) -> None:
        # Unlinked before it is closed, so that nobody can lock it in between; Windows requires it closed first.
        is_ours = self.is_held()
        if sys.platform == "win32":
            os.close(self._file)
        try:
            if is_ours:
                # The commit has succeeded and must not seem to fail; the lock is stale once this process has ended.
                with suppress(OSError):
                    self.path.unlink()
        finally:
            if sys.platform != "win32":
                os.close(self._file)

    def is_held(self) -> bool:
        """Return True if the lock file is still the one that this run made."""
        return _is_at(self._file, self.path)

    def _write_holder(self) -> None:
        signature = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "started": self._clock().isoformat(timespec="seconds"),
        }
        os.write(self._file, json.dumps(signature).encode() + b"\n")

    def _clear_if_stale(self) -> None:
        """Remove a lock that is no longer valid.

        Raises:
            WorkbookLocked: The lock is valid.
        """
        try:
            file = _open_lock(self.path)
        except FileNotFoundError:
            return
        try:
            is_locked = _flock(file)
            if not _is_at(file, self.path):
                return
            holder = self._holder(file)
            if self._is_valid(holder, is_locked):
                raise WorkbookLocked(
                    f"{self._workbook.name}: another run of sheets-algo is writing to it ({holder}); try again when it "
                    f"has finished, or delete {self.path.name} if there is no such run."
                )
            if sys.platform == "win32":
                os.close(file)
                file = -1
            self._remove(holder)
        finally:
            if file >= 0:
                os.close(file)

    def _is_valid(self, holder: _Holder, is_locked: bool | None) -> bool:
        """Return True if a lock is in use; `is_locked` is True if `flock` succeeded, None where it does not exist."""
        if abs(self._clock() - holder.started) > STALE_AFTER:  # a start far in the future comes from a wrong clock
            return False
        if is_locked is False:
            return True
        if holder.pid is None:
            # Killed between creating the file and writing to it. Without flock, it may be about to write.
            return is_locked is None
        if holder.host != socket.gethostname():
            return True
        return is_alive(holder.pid) and not (is_locked and holder.pid == os.getpid())

    def _remove(self, holder: _Holder) -> None:
        try:
            self.path.unlink(missing_ok=True)
        except PermissionError as error:  # Windows does not delete a file that is open
            if sys.platform != "win32":
                raise
            raise WorkbookLocked(
                f"{self._workbook.name}: another run of sheets-algo is writing to it ({holder})."
            ) from error

    def _holder(self, file: int) -> _Holder:
        """Read a lock file; one without content is as old as the file itself."""
        file_time = datetime.fromtimestamp(os.fstat(file).st_mtime, self._clock().tzinfo)
        try:
            content = json.loads(os.read(file, 4096))
            started = datetime.fromisoformat(content["started"])
            if started.tzinfo is None:
                started = file_time
            return _Holder(int(content["pid"]), str(content["host"]), started)
        except (ValueError, KeyError, TypeError, OverflowError):
            return _Holder(None, "", file_time)


def refuse_if_open(paths: Iterable[Path], running: Callable[[], Iterable[str]] | None = None) -> tuple[str, ...]:
    """Check that no lock file of LibreOffice or Excel shows the workbook as open.

    Args:
        paths: Every path of the workbook: a link and its target.
        running: Function that returns the names of the running processes; None asks the system.

    Returns:
        Remarks on locks that were ignored because the program that made them has ended.

    Raises:
        WorkbookLocked: The file is open in one of them; the message says by whom.
    """
    remarks = []
    for path in dict.fromkeys(paths):
        excel = path.with_name(f"~${path.name}")
        if os.path.exists(excel):  # False too if the name is too long for the file system
            raise WorkbookLocked(
                f"{path.name}: open in Excel{_in_brackets(_excel_user(excel))}; close it there and try again "
                f"(or delete {excel.name} if Excel is not running)."
            )
        office = path.with_name(f".~lock.{path.name}#")
        if not os.path.exists(office):
            continue
        owner = _office_owner(office)
        if owner.is_gone(running or _processes):
            remarks.append(f"{office.name} was left behind by a LibreOffice that no longer runs; it was passed over.")
            continue
        raise WorkbookLocked(
            f"{path.name}: open in LibreOffice{_in_brackets(str(owner))}; close it there and try again "
            f"(or delete {office.name} if LibreOffice is not running)."
        )
    return tuple(remarks)


@dataclass(frozen=True, slots=True)
class _OfficeOwner:
    """The content of a LibreOffice lock: full name, login, host, time of opening."""

    person: str = ""
    login: str = ""
    host: str = ""
    since: str = ""

    def __str__(self) -> str:
        user = self.person or self.login
        return user + (f" on {self.host}" if self.host else "") + (f" since {self.since}" if self.since else "")

    def is_gone(self, running: Callable[[], Iterable[str]]) -> bool:
        """Return True if the LibreOffice that made the lock has certainly ended."""
        try:
            current = (socket.gethostname(), getpass.getuser())
        except (OSError, KeyError):  # a user without a name
            return False
        if (self.host, self.login) != current:
            return False
        names = list(running())
        return bool(names) and not any("soffice" in name for name in names)


def _office_owner(lock: Path) -> _OfficeOwner:
    """Read a lock of the form `person,login,host,time,profile;`, in which a backslash escapes the next character."""
    fields = [""]
    letters = iter(lock.read_text(encoding="utf-8", errors="replace")[:4096])
    for letter in letters:
        if letter == "\\":
            fields[-1] += next(letters, "")
        elif letter in ",;":
            fields.append("")
        else:
            fields[-1] += letter
    return _OfficeOwner(*(_printable(text) for text in (*fields, "", "", "")[:4]))


def _excel_user(lock: Path) -> str:
    """Read the user name from an Excel lock: its length in the first byte, then the name."""
    try:
        data = lock.read_bytes()[:165]
    except OSError:  # Excel may have it open exclusively
        return ""
    return _printable(data[1 : 1 + data[0]].decode("cp1252", "replace")) if data else ""


def _printable(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable()).strip()[:60]


def _in_brackets(user: str) -> str:
    return f" ({user})" if user.strip() else ""


def _processes() -> list[str]:
    """Return the names of all processes; none where the system has no /proc."""
    names = []
    for entry in Path("/proc").glob("[0-9]*/comm"):
        try:
            names.append(entry.read_text(errors="replace").strip())
        except OSError:  # it ended meanwhile
            continue
    return names


def _open_lock(path: Path) -> int:
    """Open an existing lock file, read-only if it is another user's."""
    try:
        return os.open(path, os.O_RDWR)
    except PermissionError:
        return os.open(path, os.O_RDONLY)


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


def _flock(file: int) -> bool | None:
    """Lock an open file for this process; return True on success, None where the system has no such lock."""
    if sys.platform == "win32":
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in _NO_FLOCK:
            return None
        raise
    return True
