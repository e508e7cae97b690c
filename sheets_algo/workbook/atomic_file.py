"""Atomic writing of files through a temporary name, also to drives with few features."""

from __future__ import annotations

import errno
import os
import re
import secrets
import socket
import sys
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

_HOST = f"{zlib.crc32(socket.gethostname().encode()):08x}"
_TEMP = re.compile(rf"\.{_HOST}-(\d+)-[0-9a-f]{{8}}\.new")  # of a process of this machine
_REFUSALS = {errno.EPERM, errno.EACCES, errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}


@contextmanager
def where_supported() -> Iterator[None]:
    """Ignore unsupported operations: many network drives refuse `chmod` or `fsync`."""
    try:
        yield
    except OSError as error:
        if error.errno not in _REFUSALS:  # such as a full disk, which some drives report only now
            raise


@contextmanager
def atomic_write(file: Path) -> Iterator[Path]:
    """Yield a temporary path beside a file, which replaces the file at the end; on failure it is deleted.

    Args:
        file: Path of the file to write; a symbolic link stays a link.

    Raises:
        OSError: The file cannot be written; its old content is unchanged.
    """
    target = file.resolve()
    temp = temporary(target)
    try:
        yield temp
        os.replace(temp, target)
    except BaseException as error:
        with suppress(OSError):
            temp.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename:
            error.filename, error.filename2 = str(file), None  # the caller's name of the file
        raise


def write_in_folder(file: Path, content: bytes | str) -> None:
    """Write a whole file, or nothing of it, and make its folder.

    Raises:
        OSError: The file cannot be written; its old content is unchanged.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(file) as new:
        new.write_bytes(content if isinstance(content, bytes) else content.encode())


def try_to_write(rooms: Mapping[Path, int]) -> None:
    """Write a file of so many bytes into each folder, flush it, and delete all of them in the end.

    A folder that does not exist yet is tried at the nearest one above it.

    Raises:
        OSError: A file cannot be written; `filename` is its folder.
    """
    with ExitStack() as files:
        for folder, size in rooms.items():
            above = next(path for path in (folder, *folder.absolute().parents) if path.exists())
            file = temporary(above / "trial")
            files.callback(_unlink, file)
            try:
                with file.open("xb") as stream:
                    stream.write(bytes(size))
                    stream.flush()
                    with where_supported():
                        os.fsync(stream.fileno())
            except OSError as error:
                error.filename, error.filename2 = str(above), None
                raise


def _unlink(file: Path) -> None:
    with suppress(OSError):
        file.unlink(missing_ok=True)


def temporary(file: Path) -> Path:
    """Return an unused path beside a file, which names this process."""
    return file.with_name(f".{_HOST}-{os.getpid()}-{secrets.token_hex(4)}.new")


def remove_leftovers(folder: Path) -> None:
    """Delete the temporary files of ended processes of this machine in a folder."""
    with suppress(OSError):
        for file in folder.iterdir():
            match = _TEMP.fullmatch(file.name)
            if match and not is_alive(int(match[1])):
                file.unlink(missing_ok=True)


def is_alive(pid: int) -> bool:
    """Return True if a process of this host runs; always on Windows, which has no harmless way to test it."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
