"""The package: parts, relationships and tabs of real files, and writing back without touching what did not change."""

from __future__ import annotations

import hashlib
import io
import struct
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path

import openpyxl
import pytest

from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.xlsx.file.package import Package, SheetEntry
from tests.workbook.xlsx.hostile import MAIN, PACKAGE, RELATIONS, SHEET, STRINGS, WORKBOOK, book, packed, parts

SAMPLES = Path(__file__).parent / "samples"
FILES = sorted(SAMPLES.glob("*.xls?"))
NAMES = [file.name for file in FILES]


def test_the_samples_equal_the_published_bytes() -> None:
    """Every result that was measured on them is void otherwise."""
    lines = (SAMPLES / "SHA256SUMS").read_text().splitlines()
    sums = {name: digest for digest, name in (line.split() for line in lines)}

    assert {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in FILES} == sums


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_parts_and_types_agree_with_zipfile_and_openpyxl(file: Path) -> None:
    package = Package.open(file)

    with zipfile.ZipFile(file) as archive:
        assert list(package.names) == archive.namelist()
        assert all(package.part(name) == archive.read(name) for name in archive.namelist())
    assert package.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    assert package.content_type(package.workbook_part).endswith("main+xml")
    assert all(package.content_type(entry.part).endswith("worksheet+xml") for entry in package.sheets)
    if file.name != "strict-ooxml.xlsx":  # openpyxl sees no tab in it
        with warnings.catch_warnings(action="ignore"):  # it tells what it does not understand
            theirs = openpyxl.load_workbook(file, read_only=True)
        assert [entry.name for entry in package.sheets] == theirs.sheetnames
        theirs.close()


def test_a_strict_workbook_has_its_tabs() -> None:
    package = Package.open(SAMPLES / "strict-ooxml.xlsx")

    assert package.sheets == (
        SheetEntry("Sheet1", "xl/worksheets/sheet1.xml", "rId1", "visible", True),
        SheetEntry("Sheet Number 2", "xl/worksheets/sheet2.xml", "rId2", "visible", True),
    )
    assert package.relationships(package.workbook_part)[0].type.startswith("http://purl.oclc.org/")
    assert package.related("calcChain") == "xl/calcChain.xml"


def written(package: Package, changed: Mapping[str, bytes], **more: object) -> bytes:
    file = io.BytesIO()
    package.write(file, changed, **more)  # type: ignore[arg-type]
    return file.getvalue()


def entries(data: bytes) -> dict[str, tuple[object, ...]]:
    """Header facts and content of every entry, as `zipfile` sees them."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {
            entry.filename: (
                entry.date_time,
                entry.create_system,
                entry.comment,
                archive.read(entry),
            )
            for entry in archive.infolist()
        }


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_only_requested_parts_change(file: Path) -> None:
    package = Package.open(file)
    tab = package.sheets[0].part
    content = package.part(tab) + b"<!-- mended -->"

    data = written(package, {tab: content}, added={"xl/näw.xml": b"<a/>"})

    before, after = entries(package.data), entries(data)
    assert list(after) == [*before, "xl/näw.xml"]
    assert [name for name in before if before[name] != after[name]] == [tab]
    assert before[tab][:3] == after[tab][:3]
    again = Package(data, file.name)
    assert again.part(tab) == content
    assert again.part("xl/näw.xml") == b"<a/>"
    assert again.sheets == package.sheets
    assert written(package, {tab: content}, added={"xl/näw.xml": b"<a/>"}) == data


class Pipe(io.RawIOBase):
    """A file that cannot seek, as a download is written: sizes stand behind the content."""

    def __init__(self) -> None:
        self.data = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, piece: bytes) -> int:  # type: ignore[override]
        self.data += piece
        return len(piece)


def streamed(wide: bool) -> bytes:
    """A workbook with data descriptors, of 16 or 24 bytes."""
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = b"made by a stream"
        for name, body in parts().items():
            with archive.open(name, "w", force_zip64=wide) as entry:
                entry.write(body)
    return bytes(pipe.data)


def zip64() -> bytes:
    """A workbook whose directory gives all sizes and offsets in zip64 fields, and has a zip64 end."""
    data = book()
    end = data.rfind(b"PK\5\6")
    count, start = struct.unpack_from("<H4xL", data, end + 10)
    directory, at = bytearray(), start
    while data[at : at + 4] == b"PK\1\2":
        record = bytearray(data[at : at + 46])
        sizes = struct.unpack_from("<2L", record, 20)
        name_length, offset = struct.unpack_from("<H", record, 28)[0], struct.unpack_from("<L", record, 42)[0]
        struct.pack_into("<2L", record, 20, 0xFFFFFFFF, 0xFFFFFFFF)
        struct.pack_into("<H", record, 30, 28 + 5)
        struct.pack_into("<L", record, 42, 0xFFFFFFFF)
        extra = struct.pack("<2H3Q", 1, 24, sizes[1], sizes[0], offset) + struct.pack("<2H", 0x7777, 1) + b"x"
        directory += record + data[at + 46 : at + 46 + name_length] + extra
        at += 46 + name_length
    end64 = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, len(directory), start)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, start + len(directory), 1)
    last = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return data[:start] + directory + end64 + locator + last


@pytest.mark.parametrize(
    "data", [streamed(wide=False), streamed(wide=True), zip64(), book()], ids=["stream", "wide", "zip64", "plain"]
)
def test_descriptors_and_zip64_survive(data: bytes) -> None:
    package = Package(data, "wars.xlsx")

    out = written(package, {SHEET: package.part(SHEET)}, removed=[STRINGS])

    kept = [name for name in package.names if name != STRINGS]
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(io.BytesIO(out)) as after:
        assert after.comment == before.comment
        assert {name: after.read(name) for name in kept} == {name: before.read(name) for name in kept}
    assert Package(out, "wars.xlsx").names == tuple(kept)


def test_part_names_compare_without_capitals_and_leading_slash() -> None:
    package = Package(book(), "wars.xlsx")

    assert "/XL/Workbook.xml" in package
    assert package.part("/XL/WORKSHEETS/sheet1.XML") == package.part(SHEET)
    assert package.content_type("/XL/Styles.xml").endswith("styles+xml")
    assert package.content_type("_rels/.rels").endswith("relationships+xml")
    assert package.content_type("xl/unknown.bin") == ""
    with pytest.raises(WorkbookUnavailable, match=r"its part xl/none\.xml is missing"):
        package.part("xl/none.xml")


def moved(workbook: str, targets: Mapping[str, str], sheets: str) -> Package:
    """A workbook that lies elsewhere and refers to its parts in its own way."""
    content = parts(strings=["text"])
    rows = "".join(
        f'<p:Relationship Id="{kind}" Type="{RELATIONS}/{kind.rstrip("0123456789")}" Target="{target}"/>'
        for kind, target in targets.items()
    )
    folder, _, base = workbook.rpartition("/")
    content[f"{folder}/_rels/{base}.rels"] = (
        f'<p:Relationships xmlns:p="{PACKAGE}/relationships">{rows}</p:Relationships>'.encode()
    )
    content["_rels/.rels"] = content["_rels/.rels"].replace(WORKBOOK.encode(), f"/{workbook}".encode())
    body = f'<w:workbook xmlns:w="{MAIN}" xmlns:odd="{RELATIONS}"><w:workbookPr date1904="true"/>{sheets}</w:workbook>'
    content[workbook] = body.encode()
    content["my book/sheets/tab one.xml"] = content.pop(SHEET)
    return Package(packed(content), "wars.xlsx")


def test_absolute_relative_and_escaped_targets_and_odd_tabs() -> None:
    package = moved(
        "my book/main.xml",
        {
            "worksheet": "sheets/tab%20one.xml",
            "chartsheet": "/xl/styles.xml",
            "sharedStrings": "../XL/sharedStrings.xml",
        },
        '<w:sheets><w:sheet name="Wars &amp; more" sheetId="7" odd:id="worksheet"/>'
        '<w:sheet name="Chart" sheetId="x" state="veryHidden" odd:id="chartsheet"/>'
        '<w:sheet name="Module" sheetId="10" state="veryHidden"/></w:sheets>',
    )

    assert package.workbook_part == "my book/main.xml"
    assert package.uses_1904
    assert package.sheets == (
        SheetEntry("Wars & more", "my book/sheets/tab one.xml", "worksheet", "visible", True),
        SheetEntry("Chart", "xl/styles.xml", "chartsheet", "veryHidden", False),
        SheetEntry("Module", "", "", "veryHidden", False),
    )
    assert list(package.shared_strings) == ["text"]


def test_an_external_relationship_keeps_its_text() -> None:
    package = Package.open(SAMPLES / "dynamic-arrays-external-link.xlsx")
    link = next(name for name in package.names if "externalLinks/" in name and name.endswith("1.xml"))

    (relationship, *_) = package.relationships(link)

    assert (relationship.external, relationship.kind) == (True, "xlPathMissing")
    assert relationship.target not in package
    assert package.relationships(SHEET.replace("sheet1", "none")) == ()


def test_shared_strings_join_rich_text_and_leave_phonetics_out() -> None:
    content = parts()
    items = (
        "<s:si><s:t>plain</s:t></s:si>"
        "<s:si><s:r><s:rPr><s:b/></s:rPr><s:t>bold</s:t></s:r>"
        "<s:r><s:t xml:space='preserve'> &amp; thin</s:t></s:r></s:si>"
        "<s:si><s:t>東京</s:t><s:rPh sb='0' eb='2'><s:t>トウキョウ</s:t></s:rPh><s:phoneticPr fontId='1'/></s:si>"
        "<s:si/>\n<s:si><s:t>a_x000D_b_x005F_x000D__x00e9_</s:t></s:si>"
        "<s:si><s:t>_xD83D__xDE00_ _xD83D_</s:t></s:si><s:si><s:t><![CDATA[<b>]]></s:t></s:si>"
    )
    content[STRINGS] = f'<s:sst xmlns:s="{MAIN}" count="99" uniqueCount="99">{items}</s:sst>'.encode()

    strings = Package(packed(content), "wars.xlsx").shared_strings

    assert list(strings) == ["plain", "bold & thin", "東京", "", "a\rb_x000D_é", "😀 \ufffd", "<b>"]
