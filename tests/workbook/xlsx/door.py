"""The door of the XLSX store: its tests enter by what a program uses, so that its inside can change."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.snapshot import Sheet
from sheets_algo.workbook.staleness import cell_of
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.template_spec import Template
from sheets_algo.workbook.values import Uncalculated, Value
from sheets_algo.workbook.xlsx import Limits, XlsxWorkbook
from tests.workbook.xlsx.apart import Opened, opened, parts_of


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


@contextmanager
def filed(data: bytes | Opened, limits: Limits = Limits()) -> Iterator[XlsxWorkbook]:  # noqa: B008 - frozen
    """Yield the workbook of a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.xlsx"
        path.write_bytes(data if isinstance(data, bytes) else data.data)
        yield XlsxWorkbook(path, limits)


def edit(data: bytes, changes: ChangeSet, *others: str) -> Edited:
    """Commit changes to a file; what its cells show is what was read before.

    Args:
        others: Titles of tabs that the program reads besides those that it changes.
    """
    with filed(data) as workbook:
        snapshot = workbook.read([*changes.tabs_written, *map(TabKey.named, others)])
        cells = tuple(
            replace(cell, before=cell_of(snapshot.sheet(cell.tab), cell.row, cell.column)) for cell in changes.cells
        )
        result = workbook.commit(snapshot, replace(changes, cells=cells))
        return Edited(data, Path(workbook.place).read_bytes(), result.remarks[:-1])


def patched(package: Opened, changes: ChangeSet, *others: str) -> tuple[Edited, Opened]:
    """Commit changes to a file, as `edit` does; return what is different, and the file afterwards."""
    done = edit(package.data, changes, *others)
    return done, opened(done.data)


def refused(data: bytes, changes: ChangeSet) -> str:
    """Return the words in which the store refuses changes."""
    with pytest.raises(WorkbookError) as refusal:
        edit(data, changes)
    return str(refusal.value)


def answers(data: bytes, changes: ChangeSet) -> tuple[str, str]:
    """Return the words in which a rehearsal and a commit of changes are refused, blank if they are not."""

    def words(act: Callable[[], object]) -> str:
        try:
            act()
        except WorkbookError as refusal:
            return str(refusal)
        return ""

    with filed(data) as workbook:
        rehearsal = words(lambda: workbook.rehearse(workbook.read(changes.tabs_written), changes))
    return rehearsal, words(lambda: edit(data, changes))


def sheet_of(
    data: bytes | Opened,
    tab: str = "",
    *,
    is_head: bool = False,
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> Sheet:
    """Return a tab as the store reads it, by default the first one.

    Args:
        is_head: True to read its first rows only.
    """
    with filed(data, limits) as workbook:
        key = TabKey.named(tab or workbook.read([]).others[0])
        sheet = workbook.read([] if is_head else [key], [key] if is_head else []).sheet(key)
        assert sheet
        return sheet


def values(data: bytes | Opened, tab: str = "S") -> dict[str, Value]:
    """Return address and value of every cell of a tab that holds one."""
    with filed(data) as workbook:
        sheet = workbook.read([TabKey.named(tab)]).sheet(TabKey.named(tab))
    lines = sorted(sheet.rows.items()) if sheet else []
    return {a1(row, at): value for row, line in lines for at, value in enumerate(line, 1) if value is not None}


def uncalculated(data: bytes | Opened) -> set[str]:
    """Return tab and address of every formula without a result."""
    package = opened(data) if isinstance(data, bytes) else data
    return {
        f"{entry.name}!{address}"
        for entry in package.sheets
        if entry.is_worksheet
        for address, value in values(package, entry.name).items()
        if isinstance(value, Uncalculated)
    }


def part(package: Opened, tab: str = "S") -> str:
    """Return the part of a tab as text."""
    return package.part(next(entry.part for entry in package.sheets if entry.name == tab)).decode()


def made(template: Template) -> bytes:
    """Return a new file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.xlsx"
        XlsxWorkbook(path).create(template)
        return path.read_bytes()
