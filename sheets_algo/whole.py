"""Files that are there whole, or not at all: written under another name, then renamed."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def whole(file: Path) -> Iterator[Path]:
    """A name beside a file for its new content, which takes its place at the end; if that fails, nothing is left.

    Args:
        file: Where; a link stays one.

    Raises:
        OSError: It cannot be written; what was there before is there still.
    """
    file = file.resolve()
    new = file.with_name(f".{secrets.token_hex(8)}.new")
    try:
        yield new
        os.replace(new, file)
    except BaseException:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise
