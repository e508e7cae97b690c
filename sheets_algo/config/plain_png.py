"""PNG pictures of the plainest kind, written and read without a library of pictures: for maps in a browser.

Any program can open them: 8 bits a colour, no transparency, no interlacing, no filter on any row.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

SIGNATURE = b"\x89PNG\r\n\x1a\n"
HEADER = struct.Struct(">IIBBBBB")
KIND = (8, 2, 0, 0, 0)
"""Header fields: bits of a colour, RGB, and the only compression, filter and interlacing."""


def plain_png(pixels: NDArray[np.uint8]) -> bytes:
    """Return a picture as a file.

    Args:
        pixels: Red, green and blue, shape (height, width, 3).
    """
    height, width, _ = pixels.shape
    rows = b"".join(b"\x00" + row.tobytes() for row in pixels)
    chunks = ((b"IHDR", HEADER.pack(width, height, *KIND)), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return SIGNATURE + b"".join(chunk(name, data) for name, data in chunks)


def chunk(name: bytes, data: bytes) -> bytes:
    """Return a chunk of a PNG."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def read_plain_png(content: bytes) -> NDArray[np.uint8]:
    """Return the pixels of a file that `plain_png` wrote, shape (height, width, 3).

    Raises:
        ValueError: It is another kind of PNG, or damaged.
    """
    chunks = dict(_chunks(content))
    width, height, *kind = HEADER.unpack(chunks.get(b"IHDR", bytes(HEADER.size)))
    rows = zlib.decompress(chunks.get(b"IDAT", b""))
    stride = 3 * width + 1
    if tuple(kind) != KIND or len(rows) != stride * height or any(rows[::stride]):
        raise ValueError("the picture is not a plain PNG")
    pixels = b"".join(rows[first + 1 : first + stride] for first in range(0, len(rows), stride))
    return np.frombuffer(pixels, np.uint8).reshape(height, width, 3)


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = len(SIGNATURE)
    while place < len(content):
        (size,) = struct.unpack_from(">I", content, place)
        whole = content[place + 4 : place + 8 + size]
        (checksum,) = struct.unpack_from(">I", content, place + 8 + size)
        if checksum != zlib.crc32(whole):
            raise ValueError("the picture is damaged")
        yield whole[:4], whole[4:]
        place += 12 + size
