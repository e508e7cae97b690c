"""What reading and writing cost: each part is parsed once, and small files that are made to cost much do not."""

import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sheets_algo.workbook.changes import AppendRow, ChangeSet, SetCell
from sheets_algo.workbook.errors import RefusedChange, WorkbookUnavailable
from tests.helpers.rows import each
from tests.helpers.tabs import key, keys
from tests.workbook.xlsx.door import edit, filed, sheet_of
from tests.workbook.xlsx.hostile import packed, parts
from tests.workbook.xlsx.small import S, rows, sheet, workbook

SCRIPT = Path(__file__).parents[3] / "scripts" / "studies" / "bench-xlsx"


def test_lists_and_styles_are_read_once_for_any_number_of_tabs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard inflates each part once more, to see that it is whole."""
    titles = [f"S{n}" for n in range(30)]
    read: Counter[str] = Counter()
    whole = zipfile.ZipFile.open

    def counted(self: zipfile.ZipFile, name: Any, mode: Any = "r", *rest: Any, **more: Any) -> Any:
        read[name if isinstance(name, str) else name.filename] += mode == "r"
        return whole(self, name, mode, *rest, **more)

    with filed(workbook({title: sheet(rows({"A": "1"})) for title in titles})) as book:
        monkeypatch.setattr(zipfile.ZipFile, "open", counted)
        snapshot = book.read(keys(*titles))
        by_reading = dict(read)
        book.rehearse(snapshot, ChangeSet(cells=(SetCell(key("S7"), 1, 1, 5),)))

    lists = ("_rels/.rels", "xl/_rels/workbook.xml.rels", "xl/styles.xml")
    assert {by_reading[name] for name in (*lists, "[Content_Types].xml", "xl/workbook.xml")} == {2}
    assert {read[name] for name in lists} == {2}


def test_small_expensive_files_stay_within_a_memory_limit() -> None:
    """One of them took 2.4 GiB, another 1.1 GiB, others minutes."""
    names = ("tabs-on-one-part", "many-styles", "many-merged")
    command = [sys.executable, str(SCRIPT), *names, "--limit", "240"]

    done = subprocess.run(command, capture_output=True, text=True, timeout=580, check=True)

    lines = [[cell.strip() for cell in line.split("|")] for line in done.stdout.splitlines()[2:]]
    assert [line[1] for line in lines] == list(names)
    assert "are stored in one part" in lines[0][-2]
    assert all(line[-2] == "edited" for line in lines[1:]), done.stdout
    assert max(int(line[-3]) for line in lines) < 200


LISTS = "it has more than 150,000 elements, the limit"
TOO_MANY = {
    "relationships": (
        "xl/_rels/workbook.xml.rels",
        "</Relationships>",
        '<Relationship Id="x" Type="t"/>',
        150_001,
        LISTS,
    ),
    "content types": ("[Content_Types].xml", "</Types>", '<Override PartName="/x" ContentType="y"/>', 150_001, LISTS),
    "formats": ("xl/styles.xml", "</styleSheet>", '<numFmt numFmtId="9" formatCode="0"/>', 150_001, LISTS),
    "tabs": ("xl/workbook.xml", "</sheets>", '<sheet name="T"/>', 5_001, "it lists more than 5,000 tabs, the limit"),
    "rows": (
        "xl/worksheets/sheet1.xml",
        "</sheetData>",
        '<row r="2"/><row r="1"/>',
        50_001,
        "more than 50,000 of its rows are not in their order, the limit",
    ),
}


@each(("part", "end", "element", "count", "expected"), TOO_MANY.values(), ids=TOO_MANY)
def test_excessive_counts_are_refused_by_their_limit(
    part: str, end: str, element: str, count: int, expected: str
) -> None:
    content = parts()
    content[part] = content[part].replace(end.encode(), element.encode() * count + end.encode())

    with pytest.raises(WorkbookUnavailable, match=expected):
        sheet_of(packed(content))


def test_a_tab_with_impossible_columns_is_not_edited() -> None:
    columns = '<col min="1" max="1"/>' * 16_385
    data = workbook({"S": sheet(rows({"A": "1"}), head=f"<cols>{columns}</cols>")})

    with pytest.raises(RefusedChange, match="it describes 16,385 columns, and a tab has 16,384; nothing was written"):
        edit(data, ChangeSet(rows=(AppendRow(S, (1, 2)),)))
