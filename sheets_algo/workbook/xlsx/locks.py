"""One writer at a time: our own lock beside a workbook, and the lock files by which office programs say it is open.

Our lock is a file made with `O_EXCL` that names process, host and start time, held under `flock` where there is one.
It is stale when its process is gone, or after a quarter of an hour: a run that still lives by then finds out with
`RunLock.is_held` before it replaces anything.

LibreOffice's `.~lock.<name>#` stays behind when LibreOffice crashes. It is honoured unless it is certain that nobody
can still have the file open: it was made on this host, by this user, and no LibreOffice runs here. Excel's `~$<name>`
says no host, so it is always honoured.
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

from sheets_algo.workbook.base import WorkbookLocked

if sys.platform != "win32":
    import fcntl

STALE_AFTER = timedelta(minutes=15)
"""Age after which a lock no longer counts, whoever holds it."""

LONGEST_NAME = 255
"""Bytes that a file name may have on the usual file systems."""

_NO_FLOCK = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, errno.EBADF}
_ATTEMPTS = 20


def sibling(path: Path, prefix: str, suffix: str) -> Path:
    """The file `prefix + name + suffix` beside a file; a name too long for that is cut and told apart by a hash."""
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
    """Who made a lock file, as far as it says."""

    pid: int | None
    host: str
    started: datetime

    def __str__(self) -> str:
        process = f"process {self.pid}" if self.pid else "a process"
        where = f" on {self.host}" if self.host else ""
        return f"{process}{where}, since {self.started:%Y-%m-%d %H:%M} UTC"


class RunLock:
    """The lock of one commit, as a context.

    Args:
        workbook: The file to be written, links resolved.
        clock: The time now, UTC and aware.
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
            OSError: No lock file can be made here.
        """
        for _ in range(_ATTEMPTS):
            try:
                self._file = os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o644)
            except FileExistsError:
                self._clear_if_stale()
                continue
            try:
                if _flock(self._file) is not False and self.is_held():
                    self._sign()
                    return self
            except BaseException:  # the disk is full, the run is stopped: leave no lock behind
                self._release()
                raise
            os.close(self._file)  # somebody looked whether it was stale before it was ours: once more
        raise WorkbookLocked(f"{self._workbook.name}: other runs of sheets-algo are writing to it; try again.")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the lock back, unless another run has taken it over."""
        self._release()

    def _release(self) -> None:
        # Unlinked before it is closed, so that nobody can lock the file between the two; Windows wants it closed first.
        held = self.is_held()
        if sys.platform == "win32":
            os.close(self._file)
        try:
            if held:
                with suppress(
                    OSError
                ):  # a commit that landed is not to look failed; the lock is stale once we are gone
                    self.path.unlink()
        finally:
            if sys.platform != "win32":
                os.close(self._file)

    def is_held(self) -> bool:
        """Whether the lock file is still the one this run made."""
        return _is_at(self._file, self.path)

    def _sign(self) -> None:
        signature = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "started": self._clock().isoformat(timespec="seconds"),
        }
        os.write(self._file, json.dumps(signature).encode() + b"\n")

    def _clear_if_stale(self) -> None:
        """Remove a lock that no longer counts.

        Raises:
            WorkbookLocked: It does count.
        """
        try:
            file = _open_lock(self.path)
        except FileNotFoundError:
            return
        try:
            alone = _flock(file)
            if not _is_at(file, self.path):
                return
            holder = self._holder(file)
            if self._counts(holder, alone):
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

    def _counts(self, holder: _Holder, alone: bool | None) -> bool:
        """Whether a lock is alive; `alone` is whether we could `flock` it, None where that cannot be asked."""
        if abs(self._clock() - holder.started) > STALE_AFTER:  # a start far in the future is a wrong clock, not a run
            return False
        if alone is False:
            return True
        if holder.pid is None:
            # Killed between making and signing the file. Without flock it may as well be about to sign it.
            return alone is None
        if holder.host != socket.gethostname():
            return True
        return _is_alive(holder.pid) and not (alone and holder.pid == os.getpid())

    def _remove(self, holder: _Holder) -> None:
        try:
            self.path.unlink(missing_ok=True)
        except PermissionError as error:  # Windows keeps a file that its process still has open
            if sys.platform != "win32":
                raise
            raise WorkbookLocked(
                f"{self._workbook.name}: another run of sheets-algo is writing to it ({holder})."
            ) from error

    def _holder(self, file: int) -> _Holder:
        """What a lock file says; one without a signature is as old as the file."""
        made = datetime.fromtimestamp(os.fstat(file).st_mtime, self._clock().tzinfo)
        try:
            said = json.loads(os.read(file, 4096))
            started = datetime.fromisoformat(said["started"])
            if started.tzinfo is None:
                started = made
            return _Holder(int(said["pid"]), str(said["host"]), started)
        except (ValueError, KeyError, TypeError, OverflowError):
            return _Holder(None, "", made)


def refuse_if_open(paths: Iterable[Path], running: Callable[[], Iterable[str]] | None = None) -> tuple[str, ...]:
    """Look for the lock files of LibreOffice and Excel.

    Args:
        paths: Every path by which the workbook is known: a link and what it points to.
        running: Names of the processes that run here; None asks the system.

    Returns:
        Remarks on locks that were passed over because the program that made them is gone.

    Raises:
        WorkbookLocked: The file is open in one of them; the text says who has it open.
    """
    remarks = []
    for path in dict.fromkeys(paths):
        excel = path.with_name(f"~${path.name}")
        if os.path.exists(excel):  # False too where the name would be too long to exist
            raise WorkbookLocked(
                f"{path.name}: open in Excel{_by(_excel_user(excel))}; close it there and try again "
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
            f"{path.name}: open in LibreOffice{_by(str(owner))}; close it there and try again "
            f"(or delete {office.name} if LibreOffice is not running)."
        )
    return tuple(remarks)


@dataclass(frozen=True, slots=True)
class _OfficeOwner:
    """What a LibreOffice lock says: full name, login, host, time of opening."""

    person: str = ""
    login: str = ""
    host: str = ""
    since: str = ""

    def __str__(self) -> str:
        who = self.person or self.login
        return who + (f" on {self.host}" if self.host else "") + (f" since {self.since}" if self.since else "")

    def is_gone(self, running: Callable[[], Iterable[str]]) -> bool:
        """Whether the LibreOffice that made the lock certainly runs no more."""
        try:
            here = (socket.gethostname(), getpass.getuser())
        except (OSError, KeyError):  # a user without a name
            return False
        if (self.host, self.login) != here:
            return False
        names = list(running())
        return bool(names) and not any("soffice" in name for name in names)


def _office_owner(lock: Path) -> _OfficeOwner:
    """Read `person,login,host,time,profile;`, where a backslash protects the next character."""
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
    """The user name in an Excel lock: its length in the first byte, then the name."""
    try:
        data = lock.read_bytes()[:165]
    except OSError:  # Excel may keep it open for itself alone
        return ""
    return _printable(data[1 : 1 + data[0]].decode("cp1252", "replace")) if data else ""


def _printable(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable()).strip()[:60]


def _by(who: str) -> str:
    return f" ({who})" if who.strip() else ""


def _processes() -> list[str]:
    """Names of all processes, empty where the system has no /proc."""
    names = []
    for entry in Path("/proc").glob("[0-9]*/comm"):
        try:
            names.append(entry.read_text(errors="replace").strip())
        except OSError:  # it ended meanwhile
            continue
    return names


def _open_lock(path: Path) -> int:
    """Open a lock file that exists, to read only when it is another user's."""
    try:
        return os.open(path, os.O_RDWR)
    except PermissionError:
        return os.open(path, os.O_RDONLY)


def _is_at(file: int, path: Path) -> bool:
    """Whether an open file is the one that stands at a path."""
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


def _flock(file: int) -> bool | None:
    """Lock an open file for this process alone: whether it worked, None where there is no such lock."""
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


def _is_alive(pid: int) -> bool:
    """Whether a process of this host runs. Windows has no harmless way to ask, so there it counts as running."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
