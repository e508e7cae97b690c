"""The door of the XLSX store: its tests enter by what a program uses, so that its inside can change."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.staleness import cell_of
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.values import Value
from sheets_algo.workbook.xlsx import XlsxWorkbook


class Edited(NamedTuple):
    """A workbook after a commit."""

    data: bytes
    remarks: tuple[str, ...]
    """Without the one that names the backup."""


def edit(data: bytes, changes: ChangeSet) -> Edited:
    """Commit changes to a file; what its cells show is what was read before."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.xlsx"
        path.write_bytes(data)
        book = XlsxWorkbook(path)
        snapshot = book.read(changes.tabs_written)
        cells = tuple(
            replace(cell, before=cell_of(snapshot.sheet(cell.tab), cell.row, cell.column)) for cell in changes.cells
        )
        result = book.commit(snapshot, replace(changes, cells=cells))
        return Edited(path.read_bytes(), result.remarks[:-1])


def refused(data: bytes, changes: ChangeSet) -> str:
    """Return the words in which the store refuses changes."""
    with pytest.raises(WorkbookError) as refusal:
        edit(data, changes)
    return str(refusal.value)


def values(data: bytes, tab: str = "S") -> dict[str, Value]:
    """Return address and value of every cell of a tab that holds one."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.xlsx"
        path.write_bytes(data)
        sheet = XlsxWorkbook(path).read([TabKey.named(tab)]).sheet(TabKey.named(tab))
    lines = sorted(sheet.rows.items()) if sheet else []
    return {a1(row, at): value for row, line in lines for at, value in enumerate(line, 1) if value is not None}
