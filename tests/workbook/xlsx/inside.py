"""The few places inside the XLSX store that tests have to reach: its check, limits too large for a test, the rename."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.xlsx import commit
from sheets_algo.workbook.xlsx.commit import exchange
from sheets_algo.workbook.xlsx.edit import book
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.formulas import dependents, recalc
from sheets_algo.workbook.xlsx.read import sheetxml
from sheets_algo.workbook.xlsx.verify import verify
from tests.workbook.xlsx.apart import Opened, opened
from tests.workbook.xlsx.door import edit

__all__ = ["Judged", "before_the_rename", "exchange", "judged", "limit", "spoil"]


class Judged(NamedTuple):
    """A copy that a commit made, and its check."""

    package: Opened
    check: Callable[..., None]
    """Takes a copy, and a plan if it is another one."""


def judged(data: bytes, changes: ChangeSet) -> Judged:
    """Return the copy that a commit makes, with the check to which the commit submits it."""
    calls: list[tuple[Any, bytes, ChangeSet, Any]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verify, "check", lambda *of: calls.append(of))
        edit(data, changes)
    ((package, copy, planned, made),) = calls

    def check(other: bytes, plan: ChangeSet = planned) -> None:
        verify.check(package, other, plan, made)

    return Judged(opened(copy), check)


LIMITS: Mapping[str, tuple[Any, str]] = {
    "names that a workbook defines": (book, "_MOST_NAMES"),
    "rows that are not in order": (sheetxml, "_MOST_UNORDERED"),
    "bytes of a tab that is read whole": (sheetxml, "_LARGE"),
    "seconds of LibreOffice": (recalc, "TIME_LIMIT_S"),
    "cells that results cover": (dependents, "MOST_SPILLED"),
    "areas that formulas read": (dependents, "MOST_READ"),
    "blocks of areas": (dependents, "MOST_BLOCKS"),
}


def limit(patch: pytest.MonkeyPatch, name: str, value: int) -> None:
    """Lower a limit that no file of a test reaches."""
    patch.setattr(*LIMITS[name], value)


def before_the_rename(patch: pytest.MonkeyPatch, act: Callable[[Path, Path], None]) -> None:
    """Do something with the edited copy and the workbook between the last comparison and the rename."""
    rename = commit._rename

    def acted(copy: Path, file: Path, state: Any) -> None:
        act(copy, file)
        rename(copy, file, state)

    patch.setattr(commit, "_rename", acted)


def spoil(patch: pytest.MonkeyPatch, old: bytes, new: bytes) -> None:
    """Let the store write other bytes into the changed parts of each copy."""
    whole = Package.write

    def write(package: Package, file: Any, changed: Mapping[str, bytes], *rest: Any) -> None:
        whole(package, file, {name: part.replace(old, new) for name, part in changed.items()}, *rest)

    patch.setattr(Package, "write", write)
