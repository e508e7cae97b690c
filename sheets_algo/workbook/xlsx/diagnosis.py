"""Check for `doctor` that a file could be replaced now."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.findings import Finding, fail, ok, warn
from sheets_algo.workbook.xlsx import commit
from sheets_algo.workbook.xlsx.edit.book import XlsxBook
from sheets_algo.workbook.xlsx.file.locks import RunLock, refuse_if_open
from sheets_algo.workbook.xlsx.file.os_errors import clear_os_errors
from sheets_algo.workbook.xlsx.file.package import Limits


def examine(path: Path) -> Iterator[Finding]:
    """Yield findings about write access, other programs that have the file open, and protected tabs."""
    try:
        file = commit.resolved(path)
    except WorkbookError:
        return  # opening the file reports this better
    try:
        with clear_os_errors(path.name, "written"):
            if not os.access(file, os.W_OK):
                yield fail("file", f"{path.name} is read-only: allow writing to it.")
                return
            with RunLock(file, lambda: datetime.now(UTC)):
                remarks = refuse_if_open((path.absolute(), file))
    except WorkbookError as error:
        yield warn("file", str(error))
        return
    yield ok("file", " ".join((f"{path.name} can be read and written, and nobody has it open.", *remarks)))
    with suppress(WorkbookError):  # opening the file reports this better
        book = XlsxBook(commit.read_whole(file, Limits()).package)
        for number in [number for number, entry in enumerate(book.package.sheets) if entry.is_worksheet]:
            if (tab := book.open_tab(number)).xml.is_protected:
                says = "the tab is protected: unprotect it, if the program writes there."
                yield warn("protection", f'"{tab.name}": {says}')
