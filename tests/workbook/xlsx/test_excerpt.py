"""Some rows of a large tab read like all of them; what cannot be told apart is read whole."""

import re
from pathlib import Path

import openpyxl
import pytest

from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.xlsx.file import sizes
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.read import excerpt as excerpts
from sheets_algo.workbook.xlsx.read.reader import read_rows, read_sheet

SAMPLES = Path(__file__).parent / "samples"

SHEET = (
    b'<x:worksheet xmlns:x="urn:x"><x:rows/><x:sheetData>\n'
    b'<x:row r="1"><x:c/></x:row>\n<x:row\tr="2"></x:row><x:row spans="1:2" r=\'12\' s="1"/></x:sheetData>'
    b"<x:rowBreaks/></x:worksheet><!-- </x:end> -->"
)


@pytest.mark.parametrize("size", [40, 70, 100, 1_000])
def test_the_rows_asked_for_are_kept_and_what_precedes_them(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "BLOCK", size)
    chunks = [SHEET[at : at + 7] for at in range(0, len(SHEET), 7)]

    assert excerpts.excerpt(chunks, {12}) == (
        b'<x:worksheet xmlns:x="urn:x"><x:rows/><x:sheetData>\n'
        b'<x:row spans="1:2" r=\'12\' s="1"/></x:sheetData></x:worksheet>'
    )
    assert excerpts.excerpt(chunks, {1, 2, 12, 99}) == SHEET.replace(b"<x:rowBreaks/>", b"").removesuffix(
        b"<!-- </x:end> -->"
    )
    assert excerpts.excerpt(chunks, {99}) == (
        b'<x:worksheet xmlns:x="urn:x"><x:rows/><x:sheetData>\n</x:sheetData></x:worksheet>'
    )


def test_rows_that_tags_alone_do_not_tell_apart_are_left_to_the_reader() -> None:
    cases = [
        b"<worksheet><sheetData/></worksheet>",
        b"<worksheet><sheetData><row><c/></row></sheetData></worksheet>",
        b'<worksheet><sheetData><row r="2"/><row r="1"/></sheetData></worksheet>',
        b'<worksheet><sheetData><row r="1"/><row r="1"/></sheetData></worksheet>',
        b'<worksheet><sheetData><row r="1"/>',
        b'<worksheet><sheetData><row r="1"><extLst><row r="2"/></extLst></row></sheetData></worksheet>',
        b'<worksheet><sheetData><!-- <row r="1"> --><row r="1"/></sheetData></worksheet>',
        b'<worksheet><sheetData><row r="1"><c><v><![CDATA[<row r="2">]]></v></c></row></sheetData></worksheet>',
        SHEET.decode().encode("utf-16"),
    ]
    assert [(part, excerpts.excerpt([part], {1})) for part in cases if excerpts.excerpt([part], {1}) is not None] == []


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("*.xls[xm]")), ids=lambda path: path.name)
def test_single_rows_of_foreign_files_read_as_in_the_whole_tab(sample: Path) -> None:
    package = Package.open(sample)
    for entry in package.sheets:
        if not entry.is_worksheet:
            continue
        whole = read_sheet(package, entry)
        plain = {row: cells for row, cells in whole.rows.items() if not _has_formula(package, entry.part)}
        for row in [*plain][:5] + [*plain][-5:]:
            assert tuple(read_rows(package, entry, {row}).rows[row]) == tuple(plain[row])
        assert read_rows(package, entry, {whole.last_row + 1}).rows.get(whole.last_row + 1) is None


def test_a_tab_that_is_broken_beside_the_rows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "war.xlsx"
    book = openpyxl.Workbook()
    for number in range(20):
        book.worksheets[0].append([number])
    book.save(path)
    package = Package.open(path)
    entry = package.sheets[0]
    broken = package.part(entry.part).replace(b"<v>7</v>", b"<v>7</w>")
    with path.open("wb") as file:
        package.write(file, {entry.part: broken})

    with pytest.raises(WorkbookUnavailable, match="not well-formed"):
        read_rows(Package.open(path), entry, {2})


def _has_formula(package: Package, part: str) -> bool:
    """Whether a tab shares formulas: a formula that another row spells out is not whole in an excerpt."""
    return re.search(rb"<(?:\w+:)?f[\s>]", package.part(part)) is not None
