"""The zip layer of an XLSX file: its directory, entries inflated under a limit, and copies with other parts."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import BinaryIO

PIECE = 1 << 18
"""Bytes that are inflated, or given to a parser, at once."""

_LOCAL_HEADER = 30
_OFFICE_DATE = (1980, 1, 1, 0, 0, 0)  # what Office itself writes
_UNREADABLE = (zipfile.BadZipFile, zlib.error, struct.error, NotImplementedError, ValueError, OverflowError, EOFError)


class Damaged(Exception):
    """An invalid zip structure; the message names the place, without the file's name."""


def read_directory(data: bytes, most: int) -> zipfile.ZipFile:
    """Open the zip file `data` for reading; one with far more entries than `most` is not.

    Raises:
        Damaged: There is no directory, or it contradicts itself.
    """
    if data.count(b"PK\1\2") > 10 * most:
        raise Damaged(f"its zip directory has more than {most:,} entries")
    try:
        return unpacked(data)
    except _UNREADABLE as error:
        text = f"its zip directory is missing or damaged, as after an interrupted download ({error})"
        raise Damaged(text) from error


def unpacked(data: bytes) -> zipfile.ZipFile:
    """Open a zip file for reading; names of unmarked encoding are UTF-8 where they can be, as some programs write."""
    try:
        return zipfile.ZipFile(io.BytesIO(data), metadata_encoding="utf-8")
    except UnicodeDecodeError:
        return zipfile.ZipFile(io.BytesIO(data))


def check_layout(archive: zipfile.ZipFile) -> None:
    """Check that no two entries share bytes and that none extends into the directory.

    Raises:
        Damaged: Two entries overlap.
    """
    spans = sorted((entry.header_offset, entry.compress_size, entry.orig_filename) for entry in archive.infolist())
    for (start, packed, name), (end, _, other) in pairwise([*spans, (archive.start_dir, 0, "the directory")]):
        if start + _LOCAL_HEADER + len(name) + packed > end:
            raise Damaged(f"its entries {name} and {other} overlap")


def inflate(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield the content of an entry in pieces of at most 256 KiB, never more in total than the directory states.

    Raises:
        Damaged: Size or checksum differ from the directory, or the compressed content is invalid.
    """
    length = 0
    try:
        with archive.open(entry) as stream:
            while piece := stream.read(PIECE):
                length += len(piece)
                yield piece
    except _UNREADABLE as error:
        raise Damaged(f"its part {entry.orig_filename} cannot be unpacked ({error})") from error
    if length != entry.file_size:
        raise Damaged(f"its part {entry.orig_filename} has {length:,} bytes and states {entry.file_size:,}")


def write_archive(
    file: BinaryIO, archive: zipfile.ZipFile, changed: Mapping[str, bytes | None], added: Mapping[str, bytes]
) -> None:
    """Write a zip file with other content of some entries, None to leave one out.

    Args:
        file: File open for writing, at its start.
        archive: The zip file that is copied.
        changed: New content by the names of entries, which keep their positions.
        added: Content of new entries, which come last.
    """
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as out:
        for entry in archive.infolist():
            if (content := changed.get(entry.orig_filename, inflate(archive, entry))) is not None:
                _write(out, entry, content)
        for name, content in added.items():
            out.writestr(zipfile.ZipInfo(name, _OFFICE_DATE), content, zipfile.ZIP_DEFLATED)
        out.comment = archive.comment


def _write(out: zipfile.ZipFile, old: zipfile.ZipInfo, content: bytes | Iterator[bytes]) -> None:
    """Write an entry in place of another one; a picture, which deflating would not make smaller, is stored."""
    info = zipfile.ZipInfo(old.orig_filename, old.date_time)
    info.create_system, info.comment = old.create_system, old.comment
    is_dense = not isinstance(content, bytes) and old.compress_size > 0.9 * old.file_size
    info.compress_type = zipfile.ZIP_STORED if is_dense else zipfile.ZIP_DEFLATED
    with out.open(info, "w") as stream:
        for piece in [content] if isinstance(content, bytes) else content:
            stream.write(piece)
