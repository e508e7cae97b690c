"""The file as an archive: odd zip files, names and targets are read, and what did not change is written as it was."""

from __future__ import annotations

import hashlib
import io
import struct
import zipfile
from collections.abc import Mapping
from datetime import date
from pathlib import Path

from sheets_algo.workbook.changes import AppendRow, ChangeSet, NewTab, Picture
from tests.helpers.rows import each
from tests.helpers.tabs import key
from tests.workbook.xlsx.apart import opened
from tests.workbook.xlsx.door import edit, filed, values
from tests.workbook.xlsx.hostile import MAIN, PACKAGE, RELATIONS, SHEET, STRINGS, WORKBOOK, book, packed, parts
from tests.workbook.xlsx.small import png

SAMPLES = Path(__file__).parent / "samples"
FILES = sorted(SAMPLES.glob("*.xls?"))
NAMES = [file.name for file in FILES]
ROW = ChangeSet(rows=(AppendRow(key("Tab"), ("new",)),))


def test_the_samples_equal_the_published_bytes() -> None:
    """Every result that was measured on them is void otherwise."""
    lines = (SAMPLES / "SHA256SUMS").read_text().splitlines()
    sums = {name: digest for digest, name in (line.split() for line in lines)}

    assert {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in FILES} == sums


def entries(data: bytes) -> dict[str, tuple[object, ...]]:
    """Return header facts and content of every entry."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {
            entry.filename: (entry.date_time, entry.create_system, entry.comment, archive.read(entry))
            for entry in archive.infolist()
        }


@each("file", FILES, ids=NAMES)
def test_only_requested_parts_change(file: Path) -> None:
    data, tab = file.read_bytes(), next(entry for entry in opened(file).sheets if entry.is_worksheet)
    changes = ChangeSet((NewTab(key("Näw"), ()),), pictures=(Picture(key("Näw"), png()),), forced=True)

    done = edit(data, changes)

    before, after = entries(data), entries(done.data)
    assert list(after)[: len(before)] == list(before)
    workbook = opened(data).workbook_part
    lists = {"[Content_Types].xml", workbook, workbook.replace("xl/", "xl/_rels/") + ".rels"}
    assert {name for name in before if before[name] != after[name]} == lists
    assert {after[name][:3] == before[name][:3] for name in lists} == {True}
    assert edit(data, changes).data == done.data
    assert values(done.data, tab.name) == values(data, tab.name)


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


@each("data", [streamed(wide=False), streamed(wide=True), zip64(), book()], ids=["stream", "wide", "zip64", "plain"])
def test_descriptors_and_zip64_are_read(data: bytes) -> None:
    done = edit(data, ROW).data

    assert values(done, "Tab") == {"A1": "new"}
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(io.BytesIO(done)) as after:
        assert after.comment == before.comment
        assert after.testzip() is None
        kept = [name for name in before.namelist() if name != SHEET]
        assert {name: after.read(name) for name in kept} == {name: before.read(name) for name in kept}


@each(("raw", "name"), [("bäld".encode(), "bäld"), (b"b\x84\x84ld", "bääld")], ids=["UTF-8", "DOS"])
def test_a_name_whose_encoding_is_not_marked_stays_that_name(raw: bytes, name: str) -> None:
    """A picture under another name than its relationship has would be lost."""
    data = packed({**parts(), "xl/media/b__ld.png": b"a picture"}).replace(b"b__ld", raw)

    with zipfile.ZipFile(io.BytesIO(edit(data, ROW).data)) as after:
        assert after.read(f"xl/media/{name}.png") == b"a picture"


def moved(workbook: str, targets: Mapping[str, str], sheets: str) -> bytes:
    """A workbook that lies elsewhere and refers to its parts in its own way."""
    style = '<cellXfs><xf numFmtId="14"/></cellXfs>'
    content = parts(rows='<row><c><v>0</v></c><c t="s"><v>0</v></c></row>', strings=["text"], styles=style)
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
    return packed(content)


def test_absolute_relative_and_escaped_targets_and_odd_tabs() -> None:
    data = moved(
        "my book/main.xml",
        {
            "worksheet": "sheets/tab%20one.xml",
            "chartsheet": "/xl/Styles.xml",
            "styles": "/XL/styles.xml",
            "sharedStrings": "../XL/sharedStrings.xml",
        },
        '<w:sheets><w:sheet name="Wars &amp; more" sheetId="7" odd:id="worksheet"/>'
        '<w:sheet name="Chart" sheetId="x" state="veryHidden" odd:id="chartsheet"/>'
        '<w:sheet name="Module" sheetId="10" state="veryHidden"/></w:sheets>',
    )

    with filed(data) as opened_book:
        assert opened_book.read([]).others == ("Wars & more",)
    assert values(data, "Wars & more") == {"A1": date(1904, 1, 1), "B1": "text"}


def test_shared_strings_join_rich_text_and_leave_phonetics_out() -> None:
    content = parts()
    shown = "".join(f'<row><c t="s"><v>{number}</v></c></row>' for number in range(7))
    items = (
        "<s:si><s:t>plain</s:t></s:si>"
        "<s:si><s:r><s:rPr><s:b/></s:rPr><s:t>bold</s:t></s:r>"
        "<s:r><s:t xml:space='preserve'> &amp; thin</s:t></s:r></s:si>"
        "<s:si><s:t>東京</s:t><s:rPh sb='0' eb='2'><s:t>トウキョウ</s:t></s:rPh><s:phoneticPr fontId='1'/></s:si>"
        "<s:si/>\n<s:si><s:t>a_x000D_b_x005F_x000D__x00e9_</s:t></s:si>"
        "<s:si><s:t>_xD83D__xDE00_ _xD83D_</s:t></s:si><s:si><s:t><![CDATA[<b>]]></s:t></s:si>"
    )
    content[SHEET] = content[SHEET].replace(b"<sheetData>", b"<sheetData>" + shown.encode())
    content[STRINGS] = f'<s:sst xmlns:s="{MAIN}" count="99" uniqueCount="99">{items}</s:sst>'.encode()

    data = packed(content)

    assert [*values(data, "Tab").values()] == ["plain", "bold & thin", "東京", "", "a\rb_x000D_é", "😀 \ufffd", "<b>"]
