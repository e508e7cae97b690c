"""Hostile, broken and mislabelled files: one line each, in little time and memory, or read without harm."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from scripts.support.patience import PATIENCE_S
from sheets_algo.workbook.changes import ChangeSet, SetCell
from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.xlsx import Limits, XlsxWorkbook
from tests.helpers.example_budget import BUDGET
from tests.helpers.tabs import key
from tests.workbook.xlsx.door import edit, filed, refused, sheet_of, values
from tests.workbook.xlsx.hostile import CASES, SHEET, book, packed, parts, with_parts

ROOT = Path(__file__).parents[3]
SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.xls?"))
MOST_MEMORY_KIB = 200 * 1024

# Run apart from the tests, a fork for each file, so that its memory is its own. VmHWM counts from the fork.
READ_EACH = """
import json
import os
import sys
from pathlib import Path
from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.xlsx import XlsxWorkbook
status = Path("/proc/self/status")
for folder in map(Path, sys.argv[1:]):
    if os.fork():
        os.wait()
        continue
    try:
        book = XlsxWorkbook(folder / "wars.xlsx")
        book.read([*map(TabKey.named, book.read([]).others)])
        said = "read"
    except WorkbookUnavailable as refused:
        said = str(refused)
    lines = status.read_text().splitlines() if status.exists() else ["VmHWM: 0"]
    memory = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    print(json.dumps([folder.name, said, memory]), flush=True)
    os._exit(0)
"""


def test_each_hostile_file_ends_in_one_line(tmp_path: Path) -> None:
    folders = {str(number): name for number, name in enumerate(CASES)}
    for number, name in folders.items():
        (tmp_path / number).mkdir()
        (tmp_path / number / "wars.xlsx").write_bytes(CASES[name].make())

    done = subprocess.run(
        [sys.executable, "-c", READ_EACH, *(str(tmp_path / number) for number in folders)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )

    assert done.stderr == ""
    found = {folders[number]: (line, memory) for number, line, memory in map(json.loads, done.stdout.splitlines())}
    assert found.keys() == CASES.keys()
    assert {name: line for name, (line, _) in found.items() if not ends_well(line, CASES[name].says)} == {}
    assert {name: memory for name, (_, memory) in found.items() if memory > MOST_MEMORY_KIB} == {}


def ends_well(line: str, says: str | None) -> bool:
    """Return True if a file was read, or is refused in one line that says why, as expected."""
    if says is None:
        return line == "read"
    return line.startswith("wars.xlsx: ") and says in line and line.endswith(".") and "\n" not in line


def refusal(data: bytes, limits: Limits) -> str:
    """Return the error of the store for a file."""
    with pytest.raises(WorkbookUnavailable) as refused:
        sheet_of(data, limits=limits)
    return str(refused.value)


TWO_ROWS = "<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row>"
TWO_MERGES = '<mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="C1:D1"/></mergeCells>'


def test_every_limit_can_be_set_and_is_reported() -> None:
    cases = [
        (book(), Limits(file=1_000), "and the limit is 1,000 bytes"),
        (book(), Limits(entries=6), "it has more than 6 entries, the limit for a workbook"),
        (book(), Limits(part=100), "and the limit for a part is 100 bytes"),
        (book(), Limits(total=1_000), "and the limit for all is 1,000 bytes"),
        (book(), Limits(ratio=1, ratio_from=100), "like a zip bomb; the limit is 1"),
        (book(), Limits(index=100), "and the limit for such a part is 100"),
        (book(rows=TWO_ROWS), Limits(cells=2), "its tab Tab cannot be read: it has more than 2 cells, the limit"),
        (book(rows=TWO_ROWS), Limits(rows=1), "its tab Tab cannot be read: it has more than 1 rows, the limit"),
        (book(rows=TWO_ROWS), Limits(columns=1), "its row 1 has more than 1 cells, the limit"),
        (book(behind=TWO_MERGES), Limits(merged=1), "it has more than 1 merged ranges, the limit"),
        (book(strings=["one", "two"]), Limits(cells=1), "it has more than 1 texts, the limit"),
        (book(strings=["one", "seven"]), Limits(text=3), "its text 1 is longer than 3 characters, the limit"),
    ]
    assert [
        (data, limits, says, refusal(data, limits)) for data, limits, says in cases if says not in refusal(data, limits)
    ] == []


def test_the_limit_itself_is_allowed() -> None:
    data = book(rows=TWO_ROWS, behind=TWO_MERGES, strings=["one", "two"])

    sheet = sheet_of(data, limits=Limits(file=len(data), entries=7, rows=2, columns=4, cells=3, merged=2, text=3))

    assert (list(sheet.rows), sheet.merged) == ([1, 2], ((1, 1, 1, 2), (1, 3, 1, 4)))


def test_long_inline_text_is_refused_while_it_is_read() -> None:
    text = "a" * 600_000
    row = f"<row><c t='inlineStr'><is><t>{text}</t></is></c></row>"

    assert "longer than 100,000 characters" in refusal(book(rows=row), Limits(text=100_000))


def test_the_name_of_the_file_stays_on_its_line(tmp_path: Path) -> None:
    path = tmp_path / "wars\n\x1b[31m.xlsx"
    path.touch()

    with pytest.raises(WorkbookUnavailable) as refused:
        XlsxWorkbook(path).read([])

    assert str(refused.value) == "wars??[31m.xlsx: it is empty."


def test_a_doctype_in_an_edited_part_is_refused() -> None:
    sheet = parts()[SHEET]
    prolog = b'<?xml version="1.0"?><!-- <a> --><?keep this?>\n'
    changes = ChangeSet(cells=(SetCell(key("Tab"), 9, 1, 5),))
    for doctype in (b"<!DOCTYPE worksheet>", b'<!DOCTYPE worksheet [<!ENTITY a "b">]>'):
        assert "DOCTYPE or ENTITY" in refused(with_parts({SHEET: prolog + doctype + sheet[38:]}), changes)
    text = b"<c t='inlineStr'><is><t><![CDATA[<!DOCTYPE html>]]></t></is></c>"
    sound = packed({**parts(), SHEET: sheet.replace(b"<sheetData>", b"<sheetData><row>" + text + b"</row>")})

    assert values(edit(sound, changes).data, "Tab") == {"A1": "<!DOCTYPE html>", "A9": 5}


SEEDS = round(20 * BUDGET)
SNIPPETS = (
    b"<",
    b"&",
    b'"',
    b"</v>",
    b"<c/>",
    b"<row>",
    b'r="A1"',
    b"9" * 20,
    b"-1",
    b"1e999",
    b"ZZZ9",
    b"../../x",
    b"\0",
)


def mangled(content: bytes, luck: random.Random) -> bytes:
    """The bytes with a few of them lost, doubled, or replaced by what parsers stumble over."""
    data = bytearray(content)
    for _ in range(luck.choice((1, 1, 3, 10))):
        at, other = luck.randrange(len(data) + 1), luck.randrange(len(data) + 1)
        match luck.randrange(4):
            case 0:
                data[at : at + luck.randrange(1, 30)] = luck.choice(SNIPPETS)
            case 1:
                data[at:at] = luck.choice(SNIPPETS)
            case 2:
                data[at:at] = data[other : other + 100]
            case _:
                del data[at : at + luck.choice((1, 30, len(data)))]
    return bytes(data)


@pytest.mark.slow
@pytest.mark.parametrize("file", SAMPLES, ids=[file.name for file in SAMPLES])
def test_a_mangled_file_is_read_or_refused_in_one_line(file: Path) -> None:
    """Half of the time the zip file itself, half of the time its parts in a sound zip file."""
    with zipfile.ZipFile(file) as archive:
        sound = {name: archive.read(name) for name in archive.namelist()}
    lines: dict[int, str] = {}
    for seed in range(SEEDS):
        luck = random.Random(seed)
        victims = luck.sample([name for name in sound if name.endswith((".xml", ".rels"))], 2)
        parts_mangled = packed({**sound, **{name: mangled(sound[name], luck) for name in victims}})
        data = mangled(file.read_bytes(), luck) if seed % 2 else parts_mangled
        try:
            with filed(data) as workbook:
                workbook.read([*map(TabKey.named, workbook.read([]).others)])
        except WorkbookUnavailable as refused:
            lines[seed] = str(refused)

    assert lines, "nothing was mangled badly enough to be refused"
    assert [line for line in lines.values() if not re.fullmatch(r"small\.xlsx: .+\.", line)] == []
