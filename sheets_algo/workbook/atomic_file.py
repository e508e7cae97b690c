"""Writing of files: atomically, under a temporary name first, and also to drives that refuse what disks can do."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_REFUSALS = {errno.EPERM, errno.EACCES, errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}


@contextmanager
def where_supported() -> Iterator[None]:
    """Pass over what a file system has no means for: many network drives refuse `chmod` or `fsync`."""
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
    temp = target.with_name(f".{secrets.token_hex(8)}.new")
    try:
        yield temp
        os.replace(temp, target)
    except BaseException as error:
        with suppress(OSError):
            temp.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename:
            error.filename, error.filename2 = str(file), None  # the name that the caller gave
        raise
