"""The door of the XLSX store: its tests enter by what a program uses, so that its inside can change."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.staleness import cell_of
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.values import Uncalculated, Value
from sheets_algo.workbook.xlsx import XlsxWorkbook
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.verify import verify


class Edited(NamedTuple):
    """A workbook after a commit."""

    old: bytes
    data: bytes
    remarks: tuple[str, ...]
    """Without the one that names the backup."""

    @property
    def changed(self) -> dict[str, bytes]:
        """Parts that are not as before."""
        before, after = parts_of(self.old), parts_of(self.data)
        return {name: part for name, part in after.items() if before.get(name, part) != part}

    @property
    def added(self) -> dict[str, bytes]:
        """Parts that are new."""
        before = parts_of(self.old)
        return {name: part for name, part in parts_of(self.data).items() if name not in before}

    @property
    def removed(self) -> set[str]:
        """Names of parts that are gone."""
        return parts_of(self.old).keys() - parts_of(self.data).keys()


def parts_of(data: bytes) -> dict[str, bytes]:
    """Return the content of each part, by its name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name.replace("\\", "/"): archive.read(name) for name in archive.namelist()}


def edit(data: bytes, changes: ChangeSet, *others: str) -> Edited:
    """Commit changes to a file; what its cells show is what was read before.

    Args:
        others: Titles of tabs that the program reads besides those that it changes.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.xlsx"
        path.write_bytes(data)
        book = XlsxWorkbook(path)
        snapshot = book.read([*changes.tabs_written, *map(TabKey.named, others)])
        cells = tuple(
            replace(cell, before=cell_of(snapshot.sheet(cell.tab), cell.row, cell.column)) for cell in changes.cells
        )
        result = book.commit(snapshot, replace(changes, cells=cells))
        return Edited(data, path.read_bytes(), result.remarks[:-1])


def refused(data: bytes, changes: ChangeSet) -> str:
    """Return the words in which the store refuses changes."""
    with pytest.raises(WorkbookError) as refusal:
        edit(data, changes)
    return str(refusal.value)


def values(data: bytes | Package, tab: str = "S") -> dict[str, Value]:
    """Return address and value of every cell of a tab that holds one."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.xlsx"
        path.write_bytes(data if isinstance(data, bytes) else data.data)
        sheet = XlsxWorkbook(path).read([TabKey.named(tab)]).sheet(TabKey.named(tab))
    lines = sorted(sheet.rows.items()) if sheet else []
    return {a1(row, at): value for row, line in lines for at, value in enumerate(line, 1) if value is not None}


def uncalculated(data: bytes | Package) -> set[str]:
    """Return tab and address of every formula without a result."""
    package = opened(data) if isinstance(data, bytes) else data
    return {
        f"{entry.name}!{address}"
        for entry in package.sheets
        if entry.is_worksheet
        for address, value in values(package, entry.name).items()
        if isinstance(value, Uncalculated)
    }


def opened(data: bytes) -> Package:
    """Return the package of a file."""
    return Package(data, "small.xlsx")


def part(package: Package, tab: str = "S") -> str:
    """Return the part of a tab as text."""
    return package.part(next(entry.part for entry in package.sheets if entry.name == tab)).decode()


def patched(package: Package, changes: ChangeSet, *others: str) -> tuple[Edited, Package]:
    """Commit changes to a file, as `edit` does; return what is different, and the package afterwards."""
    done = edit(package.data, changes, *others)
    return done, opened(done.data)


class Judged(NamedTuple):
    """A copy that a commit made, and its check."""

    package: Package
    check: Callable[..., None]
    """Takes a copy, and a plan if it is another one."""

    def with_parts(self, parts: Mapping[str, bytes]) -> bytes:
        """Return the copy with other parts."""
        file = io.BytesIO()
        self.package.write(file, parts)
        return file.getvalue()


def judged(data: bytes, changes: ChangeSet) -> Judged:
    """Return the copy that a commit makes, with the check to which the commit submits it."""
    calls: list[tuple[Package, bytes, ChangeSet, Any]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verify, "check", lambda *of: calls.append(of))
        edit(data, changes)
    ((package, copy, planned, made),) = calls

    def check(other: bytes, plan: ChangeSet = planned) -> None:
        verify.check(package, other, plan, made)

    return Judged(Package(copy, package.name), check)
