"""One server for many tests of a process, each in spreadsheets of its own, and the program's account there."""

from __future__ import annotations

import atexit
import functools
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from scripts.support.sheets_server import LocalSheets
from sheets_algo.workbook.google.http.access import Access, find


@functools.cache
def sheets() -> LocalSheets:
    """The server; its counters and faults are everybody's."""
    server = LocalSheets().__enter__()
    atexit.register(server.__exit__, None, None, None)
    return server


@functools.cache
def key() -> dict[str, Any]:
    """The account's made-up key."""
    return sheets().key()


@functools.cache
def access() -> Access:
    """The account; its key lies on disk no longer than it takes to read it."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "key.json"
        file.write_text(json.dumps(key()), encoding="utf-8")
        return find(file)
