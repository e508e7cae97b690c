"""The check of a file before any parser reads it: an invalid file is refused with one sentence that gives the reason.

The first bytes identify files that are not a zip archive. The zip directory shows entries that are too many, too large,
hidden or contradictory. Then every entry is inflated once, never beyond its stated size, to check its checksum.
"""

from __future__ import annotations

import json
import re
import zipfile
from dataclasses import dataclass

from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.xlsx.file.archive import Damaged, check_layout, inflate, read_directory

_MB = 1_000_000
_ENCRYPTED = 1 << 0 | 1 << 6 | 1 << 13  # flags of an entry


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest sizes that are read: generous for a workbook, but too small to exhaust the machine."""

    file: int = 50 * _MB  # Bytes of the file
    entries: int = 5_000  # Entries of the package, and tabs that it lists
    part: int = 256 * _MB  # Bytes of one part, inflated
    # Bytes of a part other than a tab or the shared strings, inflated (relationships, styles ...).
    index: int = 64 * _MB
    total: int = 512 * _MB  # Bytes of all parts together, inflated
    ratio: int = 300  # Ratio of inflated to compressed size of one part with at least `ratio_from` bytes
    ratio_from: int = 10 * _MB  # Bytes from which the ratio of a part is checked
    rows: int = 1_048_576  # Rows of a tab
    unordered: int = 50_000  # Rows of a tab below one with a higher number
    columns: int = 16_384  # Columns of a tab
    cells: int = 8_000_000  # Cells in one tab, blank ones with a style included, and shared strings in a workbook
    text: int = 1_000_000  # Characters of one cell
    merged: int = 200_000  # Merged ranges in one tab


def check_archive(data: bytes, name: str, limits: Limits) -> zipfile.ZipFile:
    """Check that a file is an XLSX file that may be parsed, and return it as a zip file.

    Raises:
        WorkbookUnavailable: The file may not be parsed; the message gives the file, the finding and what is allowed.
    """
    check_size(len(data), name, limits)
    if not data.startswith(b"PK"):
        raise refusal(name, _describe_other_file(data))
    try:
        archive = read_directory(data, limits.entries)
        _check_directory(archive, name, limits)
        check_layout(archive)
        _check_kind(archive, name)
        for entry in archive.infolist():
            for _ in inflate(archive, entry):
                pass
    except Damaged as damage:
        raise refusal(name, f"it is damaged: {damage}; copy or download it again") from damage
    return archive


def check_size(size: int, name: str, limits: Limits) -> None:
    """Check that a file is not larger than the limit.

    Raises:
        WorkbookUnavailable: The file is larger than the limit.
    """
    if size > limits.file:
        raise refusal(name, f"it is {_mb(size)} large, and the limit is {_mb(limits.file)}")


def refusal(name: str, reason: str) -> WorkbookUnavailable:
    """Return the error for a file that cannot be read, with unprintable characters of its name replaced."""
    text = "".join(char if char.isprintable() else "?" for char in f"{name}: {reason}")
    return WorkbookUnavailable(text + ".")


def part_key(name: str) -> str:
    """Return the key by which part names are compared: in lower case, with slashes, without a leading slash."""
    return name.replace("\\", "/").lstrip("/").lower()


def _check_directory(archive: zipfile.ZipFile, name: str, limits: Limits) -> None:
    if len(archive.infolist()) > limits.entries:
        raise refusal(name, f"it has more than {limits.entries:,} entries, the limit for a workbook")
    keys: set[str] = set()
    for entry in archive.infolist():
        part, size, packed = entry.orig_filename, entry.file_size, max(entry.compress_size, 1)
        if (key := part_key(part)) in keys:
            raise refusal(name, f"it has two entries named {part}, of which programs show one or the other")
        keys.add(key)
        if _is_unsafe(part):
            raise refusal(name, f"its entry {part} points outside the file")
        if entry.flag_bits & _ENCRYPTED:
            raise refusal(name, f"its entry {part} is encrypted; save the workbook without a password")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise refusal(name, f"its entry {part} is compressed by method {entry.compress_type}; Office uses 0 and 8")
        if size > limits.part:
            finding = f"its part {part} unpacks to {_mb(size)}"
            raise refusal(name, f"{finding}, and the limit for a part is {_mb(limits.part)}")
        if size >= limits.ratio_from and size > limits.ratio * packed:
            finding = f"its part {part} unpacks to {size // packed:,} times its size"
            raise refusal(name, f"{finding}, like a zip bomb; the limit is {limits.ratio}")
    total = sum(entry.file_size for entry in archive.infolist())
    if total > limits.total:
        raise refusal(name, f"its parts unpack to {_mb(total)}, and the limit for all is {_mb(limits.total)}")


def _check_kind(archive: zipfile.ZipFile, name: str) -> None:
    """Check by the parts of a zip file that it is an Office workbook."""
    keys = {part_key(entry.orig_filename) for entry in archive.infolist()}
    if "[content_types].xml" in keys:
        if any(key.startswith("word/document") for key in keys):
            raise refusal(name, "it is a Word document (.docx), not a workbook; the workbook is another file")
        if any(key.startswith("ppt/presentation") for key in keys):
            raise refusal(name, "it is a PowerPoint file (.pptx), not a workbook; the workbook is another file")
        if "xl/workbook.bin" in keys:
            raise refusal(name, "it is a binary workbook (.xlsb); save it as .xlsx")
        return
    if {"mimetype", "content.xml"} <= keys:
        raise refusal(name, "it is an OpenDocument file (.ods, .odt); save it as .xlsx")
    if "index/document.iwa" in keys:
        raise refusal(name, "it is a document of Numbers; export it as Excel (.xlsx)")
    raise refusal(name, "it is a zip file but not an Office file: it has no [Content_Types].xml")


def _describe_other_file(data: bytes) -> str:
    """Return the kind of a file that does not start like a zip file."""
    if not data.strip(b"\0"):
        return "it is empty" if not data else "it holds only zeros, as after a crash while saving"
    if data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return _describe_ole2(data)
    if data.startswith(b"%PDF"):
        return "it is a PDF; save the workbook as .xlsx"
    text = _as_text(data)
    if text is None:
        return "it is not an Excel workbook: its first bytes are those of no zip file"
    head = text.lstrip()[:4096].lower()
    if head.startswith("<"):
        if "urn:oasis:names:tc:opendocument" in head:
            return "it is a flat OpenDocument file (.fods); save it as .xlsx"
        if "urn:schemas-microsoft-com:office:spreadsheet" in head:
            return "it is an XML spreadsheet of 2003; save it as .xlsx"
        if re.search(r"<(!doctype html|html|head|body|table|script|meta)\b", head):
            return (
                "it is a web page, perhaps because the download needed a login; sign in and download the workbook again"
            )
        return "it is an XML text; save the workbook as .xlsx"
    link = re.match(r'\{[^}]*"(?:doc_id|resource_id)"\s*:\s*"(?:spreadsheet:)?([\w-]+)"', text.lstrip())
    if link:  # what Google Drive on a computer keeps of a spreadsheet
        address = f"https://docs.google.com/spreadsheets/d/{link[1]}"
        return f"it is only a link to a Google spreadsheet; name that by its address instead: {address}"
    if head.startswith(("{", "[")) and _is_json(text):
        return "it is JSON and looks like a download error; download the workbook again"
    return "it is a text file such as CSV; open it in a spreadsheet program and save it as .xlsx"


def _describe_ole2(data: bytes) -> str:
    """Distinguish old Office files from encrypted new ones, which start alike, by the names of their streams."""
    if "EncryptedPackage".encode("utf-16-le") in data:
        return "it is password-protected; save it without a password"
    if any(stream.encode("utf-16-le") in data for stream in ("Workbook", "Book")):
        return "it is an old .xls workbook; save it as .xlsx"
    return "it is an old Office document, not an .xlsx workbook; save the workbook as .xlsx"


def _as_text(data: bytes) -> str | None:
    """Return the beginning of a file as text; None if it is not text."""
    head = data[: 1 << 16]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return head.decode("utf-16", "replace")
    if any(byte < 9 or 13 < byte < 27 for byte in head):
        return None
    return head.decode("utf-8-sig", "replace")


def _is_json(text: str) -> bool:
    """Return True if the text is JSON, or starts like a JSON object that was cut off."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return bool(re.match(r'\s*\[?\s*\{\s*"[^"\n]*"\s*:', text))
    return True


def _is_unsafe(name: str) -> bool:
    """Return True for names that lead out of the folder in which a file is unpacked, or contain control characters."""
    path = name.replace("\\", "/")
    is_outside = path.startswith("/") or re.match(r"[A-Za-z]:", path) or ".." in path.split("/")
    return bool(is_outside) or not path or any(char < " " or char == "\x7f" for char in path)


def _mb(size: int) -> str:
    if size < _MB:
        return f"{size:,} bytes"
    return f"{size / _MB:,.1f} MB".replace(".0 MB", " MB")
