"""Makes every hostile, broken or mislabelled file that the XLSX backend must end with one line on, or read.

`CASES` names them: how the bytes are made, and what the refusal must say (None: the file is read). Large contents are
made of repeated compressed blocks, so that a gibibyte takes no longer to make than its checksum takes to count.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SHEET = "xl/worksheets/sheet1.xml"
STRINGS = "xl/sharedStrings.xml"
WORKBOOK = "xl/workbook.xml"


@dataclass(frozen=True)
class Case:
    """One file.

    Args:
        make: Its bytes.
        says: A part of the one-line refusal, or None if the file is read.
    """

    make: Callable[[], bytes]
    says: str | None


@dataclass(frozen=True)
class Block:
    """Content that is `head`, then `body` so many times, then `tail`, without ever being held whole."""

    body: bytes
    times: int
    head: bytes = b""
    tail: bytes = b""


def parts(
    rows: str = "", behind: str = "", strings: Iterable[str] = (), styles: str = "", workbook: str = ""
) -> dict[str, bytes]:
    """The parts of a sound workbook of one tab, `Tab`.

    Args:
        rows: What stands in its `sheetData`.
        behind: What stands behind that.
        strings: Its shared strings.
        styles: What stands in its `styleSheet`.
        workbook: What stands in its `workbook` before the tabs.
    """
    strings = list(strings)
    items = "".join(f"<si><t>{text}</t></si>" for text in strings)
    kinds = {
        WORKBOOK: "sheet.main+xml",
        SHEET: "worksheet+xml",
        "xl/styles.xml": "styles+xml",
        STRINGS: "sharedStrings+xml",
    }
    office = "application/vnd.openxmlformats-officedocument.spreadsheetml."
    overrides = "".join(f'<Override PartName="/{part}" ContentType="{office}{kind}"/>' for part, kind in kinds.items())
    texts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType='
        f'"application/vnd.openxmlformats-package.relationships+xml"/>{overrides}</Types>',
        "_rels/.rels": _relations([("officeDocument", WORKBOOK)]),
        WORKBOOK: f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}">{workbook}'
        '<sheets><sheet name="Tab" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _relations(
            [("worksheet", "worksheets/sheet1.xml"), ("styles", "styles.xml"), ("sharedStrings", "sharedStrings.xml")]
        ),
        SHEET: f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData>{behind}</worksheet>',
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}">{styles}</styleSheet>',
        STRINGS: f'<sst xmlns="{MAIN}">{items}</sst>',
    }
    return {name: f'<?xml version="1.0" encoding="UTF-8"?>{text}'.encode() for name, text in texts.items()}


def packed(content: Mapping[str, bytes]) -> bytes:
    """A zip file of these parts, deflated."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in content.items():
            archive.writestr(name, body)
    return file.getvalue()


def book(**facts: str | Iterable[str]) -> bytes:
    """A workbook of one tab; arguments as for `parts`."""
    return packed(parts(**facts))  # type: ignore[arg-type]


def with_parts(changed: Mapping[str, bytes | Block], sizes: Mapping[str, int] | None = None) -> bytes:
    """A sound workbook in which some parts are others; `sizes` lets the directory state wrong ones."""
    content: dict[str, bytes | Block] = {**parts(), **changed}
    return zipped(content.items(), sizes or {})


def zipped(content: Iterable[tuple[str, bytes | Block]], sizes: Mapping[str, int]) -> bytes:
    """A zip file written by hand: parts need not fit into memory, sizes not be true, names not differ."""
    body, directory, entries = bytearray(), bytearray(), list(content)
    for name, part in entries:
        block = part if isinstance(part, Block) else Block(b"", 0, part)
        data, crc, size = _deflated(block)
        facts = struct.pack("<5H3L2H", 20, 0, 8, 0, 33, crc, len(data), sizes.get(name, size), len(name.encode()), 0)
        directory += b"PK\1\2" + struct.pack("<H", 20) + facts + struct.pack("<3H2L", 0, 0, 0, 0, len(body))
        directory += name.encode()
        body += b"PK\3\4" + facts + name.encode() + data
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, len(entries), len(entries), len(directory), len(body), 0)
    return bytes(body + directory + end)


def ole2(*streams: str) -> bytes:
    """What an OLE2 file begins with, and the names of its streams as its directory spells them."""
    names = b"".join(stream.encode("utf-16-le").ljust(128, b"\0") for stream in ("Root Entry", *streams))
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".ljust(512, b"\0") + names


def _deflated(block: Block) -> tuple[bytes, int, int]:
    """Compressed bytes, checksum and size of a block."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = bytearray(packer.compress(block.head) + packer.flush(zlib.Z_FULL_FLUSH))
    crc = zlib.crc32(block.head)
    if block.times:
        # After a full flush nothing refers back, so the compressed block can be repeated as it is.
        data += (packer.compress(block.body) + packer.flush(zlib.Z_FULL_FLUSH)) * block.times
        for _ in range(block.times):
            crc = zlib.crc32(block.body, crc)
    data += packer.compress(block.tail) + packer.flush()
    size = len(block.head) + len(block.body) * block.times + len(block.tail)
    return bytes(data), zlib.crc32(block.tail, crc), size


def _relations(targets: Iterable[tuple[str, str]]) -> str:
    rows = "".join(
        f'<Relationship Id="rId{number}" Type="{RELATIONS}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{rows}</Relationships>'


def _tab(body: bytes, times: int) -> Block:
    """A worksheet whose rows are a text repeated."""
    return Block(body, times, f'<worksheet xmlns="{MAIN}"><sheetData>'.encode(), b"</sheetData></worksheet>")


def _one_string(mebibytes: int) -> Block:
    """Shared strings that are one long text."""
    return Block(b"a" * (1 << 20), mebibytes, f'<sst xmlns="{MAIN}"><si><t>'.encode(), b"</t></si></sst>")


def _with_doctype(part: str, doctype: str, text: str) -> bytes:
    """A sound workbook with a DOCTYPE in one part, and a reference to its entity as the part's text."""
    content = parts(rows="<row><c t='inlineStr'><is><t>TEXT</t></is></c></row>", strings=["TEXT"])
    head, _, body = content[part].decode().partition("?>")
    body = body.replace("TEXT", text) if "TEXT" in body else body.replace("<sheets>", f"{text}<sheets>")
    return packed({**content, part: f"{head}?>{doctype}{body}".encode()})


def _laughs(part: str) -> bytes:
    steps = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    return _with_doctype(part, f'<!DOCTYPE x [<!ENTITY l0 "ha">{steps}]>', "&l9;")


def _quadratic() -> bytes:
    return _with_doctype(SHEET, f'<!DOCTYPE x [<!ENTITY q "{"q" * 100_000}">]>', "&q;" * 20_000)


def _utf16_doctype() -> bytes:
    content = parts()
    text = content[SHEET].decode().replace("UTF-8", "UTF-16").replace("<worksheet", "<!DOCTYPE worksheet><worksheet")
    return packed({**content, SHEET: text.encode("utf-16")})


def _flipped() -> bytes:
    data = bytearray(book(rows="<row><c><v>1</v></c></row>"))
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as archive:
        entry = archive.getinfo(SHEET)
    data[entry.header_offset + 30 + len(SHEET) + entry.compress_size // 2] ^= 0x10
    return bytes(data)


def _wrong_checksum() -> bytes:
    data = bytearray(book())
    at = data.rfind(SHEET.encode()) - 46
    data[at + 16] ^= 1
    return bytes(data)


def _flagged(bit: int) -> bytes:
    """A flag set on the tab's entry, in both headers."""
    data = bytearray(book())
    data[data.find(SHEET.encode()) - 30 + 6] |= bit
    data[data.rfind(SHEET.encode()) - 46 + 8] |= bit
    return bytes(data)


def _empty_entry(size: int) -> bytes:
    """A workbook with an entry that is called deflated and has no bytes at all."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in parts().items():
            archive.writestr(name, body)
        archive.writestr("docProps/thumbnail.wmf", b"", zipfile.ZIP_STORED)
    data = bytearray(file.getvalue())
    local, central = data.find(b"docProps/thumbnail.wmf") - 30, data.rfind(b"docProps/thumbnail.wmf") - 46
    struct.pack_into("<H", data, local + 8, zipfile.ZIP_DEFLATED)
    struct.pack_into("<H", data, central + 10, zipfile.ZIP_DEFLATED)
    struct.pack_into("<L", data, central + 24, size)
    return bytes(data)


def _method(method: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, body in parts().items():
            archive.writestr(name, body)
    return file.getvalue()


def _also(*names: str) -> bytes:
    """A sound workbook with more entries of these names."""
    return zipped([*parts().items(), *((name, b"<a/>") for name in names)], {})


def _overlapping() -> bytes:
    """The directory lets one entry reach into the next."""
    data = bytearray(_also("a.xml", "b.xml"))
    record = data.rfind(b"PK\1\2", 0, data.rfind(b"PK\1\2"))
    struct.pack_into("<L", data, record + 20, 60)
    return bytes(data)


def _office(main: str) -> bytes:
    return packed({"[Content_Types].xml": b"<Types/>", "_rels/.rels": b"<Relationships/>", main: b"<a/>"})


def _one_part() -> bytes:
    """4,000 tabs that are the same part."""
    content = parts(rows=f"<row>{'<c><v>1</v></c>' * 1_000}</row>")
    more = "".join(f'<sheet name="Tab {n}" sheetId="{n + 1}" r:id="rId1"/>' for n in range(1, 4_000))
    return packed({**content, WORKBOOK: content[WORKBOOK].replace(b"</sheets>", more.encode() + b"</sheets>")})


def _no_sheets() -> bytes:
    content = parts()
    bare = content[WORKBOOK].replace(b'<sheet name="Tab" sheetId="1" r:id="rId1"/>', b"")
    return packed({**content, WORKBOOK: bare})


def _one(cell: str) -> Callable[[], bytes]:
    """A workbook with one odd cell and a sound one behind it, in row 2."""
    style = '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
    rows = f'<row r="1">{cell}</row><row r="2"><c r="B2"><v>7</v></c></row>'
    return lambda: book(rows=rows, strings=["text"], styles=style)


def _merged(reference: str) -> Callable[[], bytes]:
    behind = f'<mergeCells count="1"><mergeCell ref="{reference}"/></mergeCells>'
    return lambda: book(rows='<row r="1"><c r="A1"><v>1</v></c></row>', behind=behind)


_SPACES = b" " * (1 << 20)
_FULL_ROWS = (b"<row>" + b"<c><v>1</v></c>" * 25 + b"</row>") * 2_000
_BLANK_ROWS = (b"<row>" + b'<c s="0"/>' * 25 + b"</row>") * 2_000
_FAR_ROWS = b"".join(b'<row><c r="XFD%d"><v>1</v></c></row>' % row for row in range(1, 20_001))
_PIECES = b"".join(b'<row r="1"><c r="XF%c1"><v>%d</v></c></row>' % (65 + n % 4, n) for n in range(20_000))

CASES: Mapping[str, Case] = {
    # Too much.
    "1 GiB of spaces in a sheet": Case(lambda: with_parts({SHEET: _tab(_SPACES, 1024)}), "limit for a part is 256 MB"),
    "1 GiB of spaces, stated as 10 KB": Case(
        lambda: with_parts({SHEET: _tab(_SPACES, 1024)}, {SHEET: 10_000}),
        "Bad CRC-32 for file 'xl/worksheets/sheet1.xml'",
    ),
    "100 MiB of spaces in a sheet": Case(lambda: with_parts({SHEET: _tab(_SPACES, 100)}), "like a zip bomb"),
    "10 million cells": Case(lambda: with_parts({SHEET: _tab(_FULL_ROWS, 200)}), "more than 8,000,000 cells"),
    "10 million blank cells": Case(lambda: with_parts({SHEET: _tab(_BLANK_ROWS, 200)}), "more than 8,000,000 cells"),
    "1 GiB shared string": Case(lambda: with_parts({STRINGS: _one_string(1024)}), "limit for a part is 256 MB"),
    "9 MiB shared string": Case(lambda: with_parts({STRINGS: _one_string(9)}), "longer than 1,000,000 characters"),
    "9 MiB tag": Case(lambda: with_parts({SHEET: _tab(b"<!--" + b"a" * (9 << 20) + b"-->", 1)}), "tag or comment"),
    "60 parts of 9 MB": Case(
        lambda: with_parts({f"xl/media/{n}.bin": Block(bytes(1_000_000), 9) for n in range(60)}), "the limit for all"
    ),
    "6,000 entries": Case(lambda: _also(*(f"xl/media/{n}.bin" for n in range(6_000))), "more than 5,000 entries"),
    "51 MB file": Case(lambda: book() + bytes(51_000_000), "the limit is 50 MB"),
    # XML that attacks its parser.
    "billion laughs in a sheet": Case(lambda: _laughs(SHEET), "DOCTYPE or ENTITY"),
    "billion laughs in the strings": Case(lambda: _laughs(STRINGS), "DOCTYPE or ENTITY"),
    "billion laughs in the workbook": Case(lambda: _laughs(WORKBOOK), "DOCTYPE or ENTITY"),
    "quadratic blow-up": Case(_quadratic, "DOCTYPE or ENTITY"),
    "external entity": Case(
        lambda: _with_doctype(SHEET, '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>', "&e;"), "DOCTYPE"
    ),
    "harmless DOCTYPE": Case(lambda: _with_doctype(SHEET, "<!DOCTYPE worksheet>", "text"), "DOCTYPE or ENTITY"),
    "DOCTYPE in UTF-16": Case(_utf16_doctype, "DOCTYPE or ENTITY"),
    "sheet that breaks off": Case(
        lambda: with_parts({SHEET: parts(rows="<row><c><v>1</v>")[SHEET][:-40]}), "its tab Tab cannot be read"
    ),
    "unknown encoding": Case(
        lambda: with_parts({SHEET: parts()[SHEET].replace(b"UTF-8", b"UTF-9")}), "its tab Tab cannot be read"
    ),
    # Claims that cost a trusting reader dearly, and single bad cells: the file is read.
    "dimension A1:XFD1048576": Case(
        lambda: with_parts(
            {SHEET: parts()[SHEET].replace(b"<sheetData>", b'<dimension ref="A1:XFD1048576"/><sheetData>')}
        ),
        None,
    ),
    "one cell at XFD1048576": Case(_one('<c r="XFD1048576"><v>1</v></c>'), None),
    "20,000 cells in column XFD": Case(lambda: with_parts({SHEET: _tab(_FAR_ROWS, 1)}), None),
    "one row in 200,000 pieces": Case(lambda: with_parts({SHEET: _tab(_PIECES, 10)}), None),
    "mergeCell A1:Z100000": Case(_merged("A1:Z100000"), None),
    "mergeCell A1:XFD1048576": Case(_merged("A1:XFD1048576"), None),
    "cell ZZZZ99999999": Case(_one('<c r="ZZZZ99999999"><v>1</v></c>'), None),
    "row 0": Case(lambda: book(rows='<row r="0"><c r="A0"><v>1</v></c></row>'), None),
    "text in a number": Case(_one('<c r="A1"><v>seven</v></c>'), None),
    "5,000-digit number": Case(_one(f'<c r="A1"><v>{"9" * 5_000}</v></c>'), None),
    "bad date": Case(_one('<c r="A1" t="d"><v>1066-13-32</v></c>'), None),
    "bad serial date": Case(_one('<c r="A1" s="1"><v>99999999999</v></c>'), None),
    "empty entry that is called deflated": Case(lambda: _empty_entry(0), None),
    "bad shared string": Case(_one('<c r="A1" t="s"><v>99</v></c>'), None),
    "bad style": Case(_one('<c r="A1" s="99"><v>1</v></c>'), None),
    "4,000 tabs on one part": Case(_one_part, "its tabs Tab and Tab 1 are stored in one part"),
    # Damage.
    "no sheets": Case(_no_sheets, "it has no sheets"),
    "truncated": Case(lambda: book()[:-400], "its zip directory is missing"),
    "flipped byte": Case(_flipped, "it is damaged"),
    "wrong checksum": Case(_wrong_checksum, "Bad CRC-32 for file 'xl/worksheets/sheet1.xml'"),
    "overstated size": Case(lambda: with_parts({SHEET: _tab(b"", 0)}, {SHEET: 5_000}), "bytes and states 5,000"),
    "overstated size of an empty entry": Case(
        lambda: _empty_entry(5), "docProps/thumbnail.wmf has 0 bytes and states 5"
    ),
    "overlapping entries": Case(_overlapping, "a.xml and b.xml overlap"),
    "two entries of one name": Case(lambda: _also(SHEET), "two entries named xl/worksheets/sheet1.xml"),
    "two entries but for capitals": Case(lambda: _also(SHEET.upper()), "two entries named XL/WORKSHEETS/SHEET1.XML"),
    "name that leaves the folder": Case(lambda: _also("xl/../../evil.xml"), "points outside the file"),
    "absolute name": Case(lambda: _also("/etc/passwd"), "points outside the file"),
    "encrypted entry": Case(lambda: _flagged(1), "is encrypted"),
    "bzip2 entries": Case(lambda: _method(zipfile.ZIP_BZIP2), "compressed by method 12"),
    # Another kind of file under the name of a workbook.
    "empty": Case(lambda: b"", "it is empty"),
    "zeros": Case(lambda: bytes(8_192), "only zeros"),
    "CSV": Case(lambda: "Nation,Stability\nEngland,60\nÉire,50\n".encode(), "text file such as CSV"),
    "CSV in UTF-16": Case(lambda: "Nation\tStability\n".encode("utf-16"), "text file such as CSV"),
    "HTML": Case(lambda: b"\n<!DOCTYPE html><html><body>Sign in</body></html>", "web page"),
    "XML spreadsheet of 2003": Case(
        lambda: b'<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>', "of 2003"
    ),
    "JSON": Case(lambda: json.dumps({"error": {"code": 404}}).encode(), "JSON and looks like a download error"),
    "link of Google Drive": Case(
        lambda: json.dumps(
            {"": "WARNING! DO NOT EDIT", "doc_id": "1aB-c_D", "resource_key": "", "email": "a@b"}
        ).encode(),
        "by its address instead: https://docs.google.com/spreadsheets/d/1aB-c_D",
    ),
    "flat OpenDocument": Case(
        lambda: (
            b'<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"/>'
        ),
        "flat OpenDocument file (.fods)",
    ),
    "Numbers": Case(lambda: packed({"Index/Document.iwa": b"x", "Metadata/Properties.plist": b"y"}), "of Numbers"),
    "PDF": Case(lambda: b"%PDF-1.7\n%\xe2\xe3", "it is a PDF"),
    "picture": Case(lambda: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not an Excel workbook"),
    "old .xls": Case(lambda: ole2("Workbook"), "old .xls workbook"),
    "password": Case(lambda: ole2("EncryptionInfo", "EncryptedPackage"), "password-protected"),
    "old .doc": Case(lambda: ole2("WordDocument"), "old Office document"),
    "zip that is not Office": Case(lambda: packed({"notes.txt": b"hello"}), "not an Office file"),
    "empty zip": Case(lambda: packed({}), "not an Office file"),
    ".docx": Case(lambda: _office("word/document.xml"), "Word document"),
    ".pptx": Case(lambda: _office("ppt/presentation.xml"), "PowerPoint"),
    ".xlsb": Case(lambda: _office("xl/workbook.bin"), ".xlsb"),
    ".ods": Case(lambda: packed({"mimetype": b"application/vnd.oasis", "content.xml": b"<a/>"}), "OpenDocument"),
    "workbook of a beta of Office": Case(
        lambda: with_parts({WORKBOOK: b'<workbook xmlns="http://schemas.microsoft.com/office/excel/2006/2"/>'}),
        "holds a workbook of http://schemas.microsoft.com/office/excel/2006/2, not a workbook of Office",
    ),
    "package of another program": Case(lambda: _office("FixedDocSeq.fdseq"), "names no main part"),
}
