"""The zip layer of an XLSX file: its directory, entries inflated under a limit, and copies of them.

`zipfile` reads and writes the directory. It would compress anew what it copies, a second for a large tab, so unchanged
entries are copied here with their compressed bytes. Sizes and offsets are in bytes.
"""

from __future__ import annotations

import copy
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import BinaryIO

PIECE = 1 << 18
"""Bytes that are inflated, or given to a parser, at once."""
_LOCAL = struct.Struct("<4s5H3L2H")

_ZIP64 = 1
_ENCRYPTED = 1 << 0 | 1 << 6 | 1 << 13
_DESCRIPTOR = 1 << 3
_UTF8 = 1 << 11
_OFFICE_DATE = (1980, 1, 1, 0, 0, 0)  # what Office itself writes
_UNREADABLE = (zipfile.BadZipFile, struct.error, NotImplementedError, ValueError, OverflowError, EOFError)


class Damaged(Exception):
    """An invalid zip structure; the message names the place, without the file's name."""


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """One entry of the zip directory."""

    name: str  # Decoded name
    method: int  # Compression method: 0 stored, 8 deflated
    crc: int  # CRC-32 of the content
    packed: int  # Size of the compressed content
    size: int  # Size of the content
    start: int  # Offset of the compressed content
    info: zipfile.ZipInfo  # The entry as the directory describes it

    @property
    def is_encrypted(self) -> bool:
        """True if a password is needed to read the entry."""
        return bool(self.info.flag_bits & _ENCRYPTED)

    @property
    def is_readable(self) -> bool:
        """True if the compression method is one that Office files use."""
        return self.method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@dataclass(frozen=True, slots=True)
class Archive:
    """The directory of a zip file."""

    entries: tuple[ArchiveEntry, ...]  # Entries in the order of the directory
    comment: bytes  # Comment of the file
    end: int  # Offset of the directory, which is the end of the entries


def read_directory(data: bytes, most: int) -> Archive:
    """Read the directory of the zip file `data`; of one with far more entries than `most`, none of them.

    Raises:
        Damaged: There is no directory, or it contradicts itself.
    """
    if data.count(b"PK\1\2") > 10 * most:
        raise Damaged(f"its zip directory has more than {most:,} entries")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = tuple(_entry(data, info) for info in archive.infolist())
            return Archive(entries, archive.comment, archive.start_dir)
    except _UNREADABLE as error:
        text = f"its zip directory is missing or damaged, as after an interrupted download ({error})"
        raise Damaged(text) from error


def check_layout(archive: Archive) -> None:
    """Check that no two entries share bytes and that none extends into the directory.

    Raises:
        Damaged: Two entries overlap.
    """
    spans = sorted((entry.info.header_offset, entry.start + entry.packed, entry.name) for entry in archive.entries)
    for (_, end, name), (start, _, other) in pairwise([*spans, (archive.end, archive.end, "the directory")]):
        if end > start:
            raise Damaged(f"its entries {name} and {other} overlap")


def inflate(data: bytes, entry: ArchiveEntry) -> Iterator[bytes]:
    """Yield the content of an entry in pieces of at most 256 KiB, never more in total than the directory states.

    Raises:
        Damaged: Size or checksum differ from the directory, or the compressed content is invalid.
    """
    length, crc = 0, 0
    for piece in _inflate_unchecked(data, entry):
        length += len(piece)
        crc = zlib.crc32(piece, crc)
        if length > entry.size:
            raise Damaged(f"its part {entry.name} is larger than the {entry.size:,} bytes it states")
        yield piece
    if length != entry.size:
        raise Damaged(f"its part {entry.name} has {length:,} bytes and states {entry.size:,}")
    if crc != entry.crc:
        raise Damaged(f"the checksum of its part {entry.name} is wrong")


def write_archive(
    file: BinaryIO, data: bytes, archive: Archive, changed: Mapping[str, bytes | None], added: Mapping[str, bytes]
) -> None:
    """Write a zip file with other content of some entries, None to leave one out; others keep their compressed bytes.

    Args:
        file: File open for writing, at its start.
        data: The zip file that is copied.
        archive: Its directory.
        changed: New content by the names of entries, which keep their positions.
        added: Content of new entries, which come last.
    """
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as out:
        for entry in archive.entries:
            name = entry.name
            # A name in another encoding is written in UTF-8, and with it the header before the content.
            if name in changed or not (name.isascii() or entry.info.flag_bits & _UTF8):
                if (content := changed[name] if name in changed else b"".join(inflate(data, entry))) is not None:
                    _write_new(out, name, content, entry.info)
            else:
                _copy(out, data, entry)
        for name, content in added.items():
            _write_new(out, name, content)
        out.comment = archive.comment


def _write_new(out: zipfile.ZipFile, name: str, content: bytes, old: zipfile.ZipInfo | None = None) -> None:
    info = copy.copy(old) if old else zipfile.ZipInfo(name, _OFFICE_DATE)
    info.create_system = info.create_system if old else 0
    info.filename, info.extra = name, _without_zip64(info.extra)  # on Windows, the name would have slashes
    out.writestr(info, content, zipfile.ZIP_DEFLATED)


def _copy(out: zipfile.ZipFile, data: bytes, entry: ArchiveEntry) -> None:
    """Copy an entry with its header and its compressed content."""
    info, file = copy.copy(entry.info), out.fp
    assert file is not None
    file.seek(out.start_dir)
    file.write(data[info.header_offset : entry.start + entry.packed])
    local = data[info.header_offset : entry.start]
    if struct.unpack_from("<H", local, 6)[0] & _DESCRIPTOR:
        # The sizes follow the content; they are written anew, since their form varies between programs.
        extra = local[len(local) - struct.unpack_from("<H", local, 28)[0] :]
        is_wide = any(key == _ZIP64 for key, _ in _extra_fields(extra))
        file.write(struct.pack("<4sL2Q" if is_wide else "<4s3L", b"PK\7\x08", entry.crc, entry.packed, entry.size))
    info.filename, info.header_offset = entry.name, out.start_dir
    info.extra = _without_zip64(info.extra)
    out.filelist.append(info)
    out.NameToInfo[info.filename] = info
    out.start_dir = file.tell()


def _entry(data: bytes, info: zipfile.ZipInfo) -> ArchiveEntry:
    """Return an entry of the directory with the place of its content."""
    name, at = info.orig_filename, info.header_offset
    if at + _LOCAL.size > len(data) or data[at : at + 4] != b"PK\3\4":
        raise Damaged(f"its entry {name} is not where the directory states it")
    *_, name_length, extra_length = _LOCAL.unpack_from(data, at)
    raw_name = data[at + _LOCAL.size : at + _LOCAL.size + name_length]
    if raw_name.decode("utf-8" if info.flag_bits & _UTF8 else "cp437", "replace") != name:
        raise Damaged(f"its entry {name} has another name in its own header")
    start = at + _LOCAL.size + name_length + extra_length
    return ArchiveEntry(name, info.compress_type, info.CRC, info.compress_size, info.file_size, start, info)


def _without_zip64(extra: bytes) -> bytes:
    fields = [field for field in _extra_fields(extra) if field[0] != _ZIP64]
    return b"".join(struct.pack("<2H", key, len(body)) + body for key, body in fields)


def _extra_fields(extra: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield key and body of each extra field, ignoring an incomplete one at the end."""
    at = 0
    while at + 4 <= len(extra):
        key, length = struct.unpack_from("<2H", extra, at)
        yield key, extra[at + 4 : at + 4 + length]
        at += 4 + length


def _inflate_unchecked(data: bytes, entry: ArchiveEntry) -> Iterator[bytes]:
    """Yield the content of an entry in pieces, without comparing size and checksum."""
    view = memoryview(data)[entry.start : entry.start + entry.packed]
    if entry.method == zipfile.ZIP_STORED:
        for at in range(0, len(view), PIECE):
            yield bytes(view[at : at + PIECE])
        return
    if entry.packed == entry.size == 0:  # some programs call an empty entry deflated
        return
    unpacker = zlib.decompressobj(-15)
    try:
        for at in range(0, len(view), PIECE):
            yield unpacker.decompress(view[at : at + PIECE], PIECE)
            while unpacker.unconsumed_tail:
                yield unpacker.decompress(unpacker.unconsumed_tail, PIECE)
        while not unpacker.eof and (rest := unpacker.decompress(b"", PIECE)):
            yield rest
    except zlib.error as error:
        raise Damaged(f"the compressed bytes of its part {entry.name} are broken") from error
    if not unpacker.eof or unpacker.unused_data:
        raise Damaged(f"its part {entry.name} breaks off")
