"""The zip layer of an XLSX file: reading its directory, inflating entries under a limit, copying entries unchanged.

The few records of the format are read and written here because `zipfile` recompresses what it copies and loses header
fields, while unchanged entries of a moderator's file must keep their bytes. Sizes and offsets are in bytes.
"""

from __future__ import annotations

import dataclasses
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import BinaryIO

from sheets_algo.workbook.xlsx.file import sizes

_END = struct.Struct("<4s4H2LH")
_END64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR64 = struct.Struct("<4sLQL")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")

_FULL = 0xFFFFFFFF  # means that the value is in the zip64 field
_ZIP64 = 1
_STORED, _DEFLATED = 0, 8
_ENCRYPTED = 1 << 0 | 1 << 6 | 1 << 13
_DESCRIPTOR = 1 << 3
_UTF8 = 1 << 11
_OFFICE_DATE = 0x00210000  # 1980-01-01 00:00, what Office itself writes


class Damaged(Exception):
    """An invalid zip structure; the message names the place, without the file's name."""


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """One entry of the zip directory."""

    name: str  # Decoded name
    raw_name: bytes  # Name as bytes in the file
    flags: int  # General purpose bit flags
    method: int  # Compression method: 0 stored, 8 deflated
    stamp: int  # DOS date and time, 32 bits
    crc: int  # CRC-32 of the content
    packed: int  # Size of the compressed content
    size: int  # Size of the content
    offset: int  # Offset of the local header
    start: int  # Offset of the compressed content
    made_by: int = 20  # Version made by
    needs: int = 20  # Version needed to extract
    internal: int = 0  # Internal attributes
    external: int = 0  # External attributes
    extra: bytes = b""  # Extra fields of the directory, without the zip64 field
    comment: bytes = b""  # Comment of the entry

    @property
    def is_encrypted(self) -> bool:
        """True if a password is needed to read the entry."""
        return bool(self.flags & _ENCRYPTED)

    @property
    def is_readable(self) -> bool:
        """True if the compression method is one that Office files use."""
        return self.method in (_STORED, _DEFLATED)


@dataclass(frozen=True, slots=True)
class Archive:
    """The directory of a zip file."""

    entries: tuple[ArchiveEntry, ...]  # Entries in the order of the directory
    comment: bytes  # Comment of the file
    end: int  # Offset of the directory, which is the end of the entries


def read_directory(data: bytes, most: int) -> Archive:
    """Read the directory of the zip file `data`, at most `most + 1` entries of it.

    Raises:
        Damaged: There is no directory, or it contradicts itself.
    """
    count, size, offset, comment = _end_of_directory(data)
    position, stop = offset, offset + size
    entries = []
    for _ in range(min(count, most + 1)):
        entry, position = _read_entry(data, position, stop)
        entries.append(entry)
    if count <= most and position != stop:
        raise Damaged("its directory has another length than it states")
    return Archive(tuple(entries), comment, offset)


def check_layout(archive: Archive) -> None:
    """Check that no two entries share bytes and that none extends into the directory.

    Raises:
        Damaged: Two entries overlap.
    """
    spans = sorted((entry.offset, entry.start + entry.packed, entry.name) for entry in archive.entries)
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


class ArchiveWriter:
    """A writer of a zip file, from start to end, of copied entries and new ones."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._position = 0
        self._directory: list[bytes] = []

    def copy(self, data: bytes, entry: ArchiveEntry) -> None:
        """Copy an entry of the zip file `data` with its header and its compressed content."""
        offset = self._position
        self._write(data[entry.offset : entry.start + entry.packed])
        (flags,) = struct.unpack_from("<H", data, entry.offset + 6)
        if flags & _DESCRIPTOR:
            # The sizes follow the content; they are written anew, since their form varies between programs.
            is_wide = _is_zip64(data, entry)
            self._write(struct.pack("<4sL2Q" if is_wide else "<4s3L", b"PK\7\x08", entry.crc, entry.packed, entry.size))
        self._record(entry, offset)

    def replace(self, entry: ArchiveEntry, content: bytes) -> None:
        """Write new content under the name and header fields of `entry`."""
        packer = zlib.compressobj(6, zlib.DEFLATED, -15)
        packed = packer.compress(content) + packer.flush()
        new = dataclasses.replace(
            entry,
            flags=entry.flags & _UTF8,
            method=_DEFLATED,
            crc=zlib.crc32(content),
            packed=len(packed),
            size=len(content),
            offset=self._position,
            start=0,
            needs=max(entry.needs, 20),
        )
        head = (b"PK\3\4", new.needs, new.flags, new.method, new.stamp & 0xFFFF, new.stamp >> 16)
        self._write(_LOCAL.pack(*head, new.crc, new.packed, new.size, len(new.raw_name), 0) + new.raw_name)
        self._write(packed)
        self._record(new, new.offset)

    def add(self, name: str, content: bytes) -> None:
        """Write a new entry."""
        flags = 0 if name.isascii() else _UTF8
        self.replace(ArchiveEntry(name, name.encode(), flags, _DEFLATED, _OFFICE_DATE, 0, 0, 0, 0, 0), content)

    def close(self, comment: bytes) -> None:
        """Write the directory; the file object stays open."""
        start, count = self._position, len(self._directory)
        for record in self._directory:
            self._write(record)
        self._write(_END.pack(b"PK\5\6", 0, 0, count, count, self._position - start, start, len(comment)) + comment)

    def _write(self, piece: bytes) -> None:
        self._file.write(piece)
        self._position += len(piece)

    def _record(self, entry: ArchiveEntry, offset: int) -> None:
        lengths_and_disk = (len(entry.raw_name), len(entry.extra), len(entry.comment), 0)
        record = _CENTRAL.pack(
            b"PK\1\2",
            entry.made_by,
            entry.needs,
            entry.flags,
            entry.method,
            entry.stamp & 0xFFFF,
            entry.stamp >> 16,
            entry.crc,
            entry.packed,
            entry.size,
            *lengths_and_disk,
            entry.internal,
            entry.external,
            offset,
        )
        self._directory.append(record + entry.raw_name + entry.extra + entry.comment)


def _end_of_directory(data: bytes) -> tuple[int, int, int, bytes]:
    """Return the number of entries, size and offset of the directory, and the comment of the file."""
    at = data.rfind(b"PK\5\6", max(0, len(data) - _END.size - 0xFFFF))
    if at < 0 or at + _END.size > len(data):
        raise Damaged("its zip directory is missing, as after an interrupted download")
    _, disk, first_disk, disk_count, count, size, offset, length = _END.unpack_from(data, at)
    comment = data[at + _END.size : at + _END.size + length]
    end = at
    if _FULL in (size, offset) or count == 0xFFFF:
        locator = at - _LOCATOR64.size
        if locator < 0 or data[locator : locator + 4] != b"PK\6\7":
            raise Damaged("its zip64 directory is missing")
        end = _LOCATOR64.unpack_from(data, locator)[2]
        if end + _END64.size > locator or data[end : end + 4] != b"PK\6\6":
            raise Damaged("its zip64 directory is missing")
        *_, disk, first_disk, disk_count, count, size, offset = _END64.unpack_from(data, end)
    if disk or first_disk or disk_count != count:
        raise Damaged("it is one of several volumes of a zip file")
    if offset + size != end:
        raise Damaged("its zip directory is not where the file states it")
    return count, size, offset, comment


def _read_entry(data: bytes, at: int, stop: int) -> tuple[ArchiveEntry, int]:
    """Return the directory entry at `at`, and the offset of the next one."""
    if at + _CENTRAL.size > stop or data[at : at + 4] != b"PK\1\2":
        raise Damaged("its directory breaks off")
    (_, made_by, needs, flags, method, time, day, crc, packed, size, *lengths, disk, internal, external, offset) = (
        _CENTRAL.unpack_from(data, at)
    )
    at += _CENTRAL.size
    end = at + sum(lengths)
    if end > stop:
        raise Damaged("its directory breaks off")
    raw_name = data[at : at + lengths[0]]
    extra = data[at + lengths[0] : at + lengths[0] + lengths[1]]
    fields = dict(_extra_fields(extra))
    if _ZIP64 in fields:
        sizes = (number for (number,) in struct.iter_unpack("<Q", fields[_ZIP64][: len(fields[_ZIP64]) // 8 * 8]))
        size, packed, offset = (next(sizes, value) if value == _FULL else value for value in (size, packed, offset))
        extra = b"".join(struct.pack("<2H", key, len(body)) + body for key, body in fields.items() if key != _ZIP64)
    name = raw_name.decode("utf-8" if flags & _UTF8 else "cp437", "replace")
    if disk or offset + _LOCAL.size > len(data) or data[offset : offset + 4] != b"PK\3\4":
        raise Damaged(f"its entry {name} is not where the directory states it")
    *_, name_length, extra_length = _LOCAL.unpack_from(data, offset)
    start = offset + _LOCAL.size + name_length + extra_length
    if data[offset + _LOCAL.size : offset + _LOCAL.size + name_length] != raw_name:
        raise Damaged(f"its entry {name} has another name in its own header")
    comment = data[end - lengths[2] : end]
    return (
        ArchiveEntry(
            name, raw_name, flags, method, day << 16 | time, crc, packed, size, offset, start,
            made_by, needs, internal, external, extra, comment,
        ),
        end,
    )  # fmt: skip


def _extra_fields(extra: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield key and body of each extra field, ignoring an incomplete one at the end."""
    at = 0
    while at + 4 <= len(extra):
        key, length = struct.unpack_from("<2H", extra, at)
        yield key, extra[at + 4 : at + 4 + length]
        at += 4 + length


def _is_zip64(data: bytes, entry: ArchiveEntry) -> bool:
    """Return True if the entry's local header announces sizes of eight bytes."""
    extra = data[entry.offset + _LOCAL.size + len(entry.raw_name) : entry.start]
    return any(key == _ZIP64 for key, _ in _extra_fields(extra))


def _inflate_unchecked(data: bytes, entry: ArchiveEntry) -> Iterator[bytes]:
    """Yield the content of an entry in pieces, without comparing size and checksum."""
    view = memoryview(data)[entry.start : entry.start + entry.packed]
    if entry.method == _STORED:
        for at in range(0, len(view), sizes.PIECE):
            yield bytes(view[at : at + sizes.PIECE])
        return
    if entry.packed == entry.size == 0:  # some programs call an empty entry deflated
        return
    unpacker = zlib.decompressobj(-15)
    try:
        for at in range(0, len(view), sizes.PIECE):
            yield unpacker.decompress(view[at : at + sizes.PIECE], sizes.PIECE)
            while unpacker.unconsumed_tail:
                yield unpacker.decompress(unpacker.unconsumed_tail, sizes.PIECE)
        while not unpacker.eof and (rest := unpacker.decompress(b"", sizes.PIECE)):
            yield rest
    except zlib.error as error:
        raise Damaged(f"the compressed bytes of its part {entry.name} are broken") from error
    if not unpacker.eof or unpacker.unused_data:
        raise Damaged(f"its part {entry.name} breaks off")
