"""Errors of the operating system as sentences about a workbook."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sheets_algo.workbook.errors import WorkbookError, WorkbookLocked, WorkbookUnavailable


@contextmanager
def clear_os_errors(name: str, action: str) -> Iterator[None]:
    """Turn errors of the operating system into workbook errors of one sentence.

    Args:
        action: "read" or "written".

    Raises:
        WorkbookLocked: Windows denies access: another program has the workbook open.
        WorkbookUnavailable: Any other error of the operating system.
    """
    try:
        yield
    except OSError as error:
        raise _translate(name, action, error) from error


def _translate(name: str, action: str, error: OSError) -> WorkbookError:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT | errno.EFBIG:
            reason = "the disk is full (or a size limit is reached); make room and try again"
        case errno.EROFS:
            reason = "it is on a read-only disk; copy it to one that can be written"
        case errno.ENOENT:
            reason = "it has been moved or deleted; put it back or name another file"
        case errno.EACCES | errno.EPERM:
            if sys.platform == "win32":
                return WorkbookLocked(f"{name}: another program has it open; close it there and try again.")
            reason = "no permission; ask its owner for the right to change the file, its folder and .sheets-algo in it"
        case _:
            suffix = f" ({Path(error.filename).name})" if isinstance(error.filename, str) else ""
            reason = f"{error.strerror or error}{suffix}; correct that and try again"
    return WorkbookUnavailable(f"{name}: cannot be {action}: {reason}.")
