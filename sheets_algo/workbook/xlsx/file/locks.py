"""Locks that allow one writer at a time: a lock of this program, and the lock files of office programs."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import socket
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from sheets_algo.workbook.errors import WorkbookLocked, WorkbookUnavailable

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_LONGEST_NAME = 255  # bytes of a file name on the usual file systems
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, errno.EBADF}
_FIELD, _ESCAPED = re.compile(r"((?:\\.|[^\\,;])*)[,;]", re.DOTALL), re.compile(r"\\(.)", re.DOTALL)
_ATTEMPTS, _BEHIND = 20, 1 << 20  # the latter is the offset of the byte that Windows locks, behind what others read


def sibling(path: Path, prefix: str, suffix: str) -> Path:
    """Return the path `prefix + name + suffix` beside a file.

    A name too long for the file system is cut and made unique by a hash.
    """
    name = path.name
    room = _LONGEST_NAME - len(os.fsencode(prefix + suffix))
    if len(os.fsencode(name)) > room:
        digest = hashlib.sha256(os.fsencode(name)).hexdigest()[:8]
        while len(os.fsencode(name)) > room - len(digest) - 1:
            name = name[:-1]
        name = f"{name}~{digest}"
    return path.with_name(prefix + name + suffix)


class RunLock:
    """The lock of one commit, as a context manager: one of the operating system, which ends with the process.

    On a drive without locks it excludes nobody; a commit compares the workbook just before it is replaced in any case.

    Args:
        workbook: Path of the file to be written, links resolved.
        clock: Function that returns the time that other runs are told.
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
            self._file = _open_lock(self.path)
            try:
                if not _is_locked_by_us(self._file):
                    holder = _in_brackets(_printable(os.read(self._file, 4096).decode("utf-8", "replace"), most=200))
                    says = f"another run of sheets-algo is writing to it{holder}; try again when it has finished."
                    raise WorkbookLocked(f"{self._workbook.name}: {says}")
                with suppress(FileNotFoundError):
                    if os.path.samestat(os.fstat(self._file), self.path.stat()):
                        self._write_holder()
                        return self
            except BaseException:
                os.close(self._file)
                raise
            os.close(self._file)  # its holder deleted it before it was locked: try again
        raise WorkbookLocked(f"{self._workbook.name}: other runs of sheets-algo are writing to it; try again.")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Release the lock."""
        try:
            with suppress(OSError):  # the commit must not seem to fail; Windows keeps a file that is open
                self.path.unlink()
        finally:
            os.close(self._file)

    def _write_holder(self) -> None:
        holder = f"process {os.getpid()} on {socket.gethostname()}, since {self._clock():%Y-%m-%d %H:%M} UTC"
        with suppress(OSError):  # a file of another user, which tells less
            os.ftruncate(self._file, 0)
            os.write(self._file, holder.encode())


def refuse_if_open(paths: Iterable[Path]) -> None:
    """Check that no lock file of LibreOffice or Excel shows the workbook as open.

    Either may have been left behind by a crash, which only people can know.

    Args:
        paths: Every path of the workbook: a link and its target.

    Raises:
        WorkbookLocked: The file is open in one of them; the message says by whom.
    """
    for path in dict.fromkeys(paths):
        for program, lock, user_of in (
            ("Excel", path.with_name(f"~${path.name}"), _excel_user),
            ("LibreOffice", path.with_name(f".~lock.{path.name}#"), _office_user),
        ):
            if os.path.exists(lock):  # False too if the name is too long for the file system
                raise WorkbookLocked(
                    f"{path.name}: open in {program}{_in_brackets(user_of(lock))}; close it there and try again (or "
                    f"delete {lock.name} if {program} is not running)."
                )


def _office_user(lock: Path) -> str:
    """Return user, host and time of opening of a lock of the form `person,login,host,time,profile;`.

    A backslash escapes the next character.
    """
    fields = _FIELD.findall(lock.read_text(encoding="utf-8", errors="replace")[:4096])
    person, login, host, since = (_printable(_ESCAPED.sub(r"\1", text)) for text in (*fields, *4 * [""])[:4])
    return (person or login) + (f" on {host}" if host else "") + (f" since {since}" if since else "")


def _excel_user(lock: Path) -> str:
    """Read the user name from an Excel lock: its length in the first byte, then the name."""
    try:
        data = lock.read_bytes()[:165]
    except OSError:  # Excel may have it open exclusively
        return ""
    return _printable(data[1 : 1 + data[0]].decode("cp1252", "replace")) if data else ""


def _printable(text: str, most: int = 60) -> str:
    return "".join(letter for letter in text if letter.isprintable()).strip()[:most]


def _in_brackets(user: str) -> str:
    return f" ({user})" if user.strip() else ""


def _open_lock(path: Path) -> int:
    """Open or make a lock file; one that another user left is opened for reading."""
    try:
        return os.open(path, os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), 0o644)
    except PermissionError:
        if not path.exists():
            raise
        return os.open(path, os.O_RDONLY)
    except OSError as error:
        if path.is_symlink():  # somebody else would choose which file is overwritten
            raise WorkbookUnavailable(f"its lock file {path} is a link; delete it and try again.") from error
        raise


def _is_locked_by_us(file: int) -> bool:
    """Lock an open file for this process; return False if another one has locked it."""
    try:
        if sys.platform == "win32":
            os.lseek(file, _BEHIND, os.SEEK_SET)
            try:
                msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            finally:
                os.lseek(file, 0, os.SEEK_SET)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            return False
    return True
