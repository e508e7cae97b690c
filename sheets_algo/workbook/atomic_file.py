"""Atomic writing of files: under a temporary name, then renamed."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


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
