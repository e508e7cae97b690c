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
    place = file.resolve()
    new = place.with_name(f".{secrets.token_hex(8)}.new")
    try:
        yield new
        os.replace(new, place)
    except BaseException as error:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename:
            error.filename, error.filename2 = str(file), None  # the name that people know
        raise
