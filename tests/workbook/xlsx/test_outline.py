"""Rehearsals of changes to large tabs, of which only an outline is read: they say what a commit would say."""

import tracemalloc
from pathlib import Path

import pytest

from sheets_algo.workbook.changes import AppendRow, ChangeSet, SetCell
from sheets_algo.workbook.tab_key import TabKey
from tests.helpers.rows import each
from tests.workbook.xlsx.apart import opened
from tests.workbook.xlsx.door import answers, filed, sheet_of
from tests.workbook.xlsx.inside import limit
from tests.workbook.xlsx.small import S, rows, sheet, table, workbook

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.xls[xm]"))


def changes_of(data: bytes, title: str) -> list[ChangeSet]:
    """A new row, and each of the first cells of a tab with another value."""
    tab = TabKey.named(title)
    cells = [SetCell(tab, row, column, "x") for row in [*sheet_of(data, title).rows][:6] for column in range(1, 4)]
    return [ChangeSet(rows=(AppendRow(tab, ("last", 5)),)), *(ChangeSet(cells=(cell,)) for cell in cells)]


@each("path", SAMPLES)
def test_a_rehearsal_on_an_outline_says_what_a_commit_says(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, "bytes of a tab that is read whole", 0)
    data = path.read_bytes()
    for entry in [entry for entry in opened(data).sheets if entry.is_worksheet][:2]:
        for changes in changes_of(data, entry.name):
            rehearsal, commit = answers(data, changes)

            assert rehearsal == commit, changes


LINES = [{"A": f"n{number}", "B": str(number)} for number in range(2, 300)]
LINES[100]["C"] = "=B2*2|4"


@each(
    ("changes", "says"),
    [
        (ChangeSet(rows=(AppendRow(S, ("n", 1)),)), ""),
        (ChangeSet(cells=(SetCell(S, 2, 2, 7),)), ""),
        (ChangeSet(cells=(SetCell(S, 102, 3, 1),)), "S!C102: the cell holds a formula"),
        (ChangeSet(cells=(SetCell(S, 7, 2, 1),)), "S!B7: the cell is inside the merged cells A7:B7"),
        (ChangeSet(cells=(SetCell(S, 1, 1, "Men"),)), 'S!A1: the table List has a column "Men" already'),
    ],
)
def test_an_outline_keeps_what_a_rehearsal_needs(
    changes: ChangeSet, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit(monkeypatch, "bytes of a tab that is read whole", 0)
    tail = '<mergeCells count="1"><mergeCell ref="A7:B7"/></mergeCells>'
    content = sheet(rows({"A": "Name", "B": "Men"}, *LINES), tail=tail)

    rehearsal, commit = answers(
        workbook({"S": content}, tables={"S": table("List", "A1:B299", "Name", "Men")}), changes
    )

    assert rehearsal == commit
    assert rehearsal.startswith(says)
    assert bool(rehearsal) == bool(says)


def test_a_rehearsal_holds_no_large_tab_whole() -> None:
    """The check of 300,000 nations needed 533 MiB for 372."""
    lines = "".join(
        f'<row r="{n}"><c r="A{n}"><v>{n}</v></c><c r="B{n}"><v>{n}.5</v></c></row>' for n in range(1, 300_000)
    )
    data = workbook({"S": sheet(lines)})
    size = len(lines)
    del lines
    with filed(data) as book:
        snapshot = book.read([])
        tracemalloc.start()
        try:
            book.rehearse(snapshot, ChangeSet(rows=(AppendRow(S, (1,)),)))
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak < size
