"""Exchange of two files in one step, so that what another program saved last is still there to be looked at."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from pathlib import Path

_AT_FDCWD, _RENAME_EXCHANGE = -100, 2
_UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM}


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
