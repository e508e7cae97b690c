"""The folders of terrain maps: every PNG in them is a map under its file's name (MAP-04).

Only the requested map is opened. Its header is checked before it is decoded, by the PNG decoder alone, so that a
hostile file can do no harm. A browser has no library of pictures: there a map is a PNG of the plainest kind.
"""

from __future__ import annotations

import re
import struct
import unicodedata
import warnings
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.errors import ExpectedError
from engine.suggest import nearest
from engine.terrain import MAP_PIXELS, Feature, TerrainMap, terrain_map

if TYPE_CHECKING:
    from PIL.Image import Image


MOST_PIXELS = 40_000_000
"""Larger pictures are refused: only the top left 400 x 400 pixels count, and decoding costs 4 bytes for each."""
MOST_OF_WORLD = 20_000_000
"""Pixels of the largest map of the game, of which every pixel counts."""
WORLD_FOLDER = "world"
"""The folder inside a folder of maps that holds maps of the game, so that none is offered as terrain."""

OTHER_FORMATS = {
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"BM": "a BMP picture",
    b"RIFF": "a WebP picture",
    b"II*\x00": "a TIFF picture",
    b"MM\x00*": "a TIFF picture",
    b"<svg": "an SVG drawing",
    b"<?xml": "an XML file",
    b"%PDF": "a PDF file",
    b"version https://git-lfs": "a Git LFS pointer (run: git lfs pull)",
}
DAMAGE = (OSError, SyntaxError, ValueError, IndexError, OverflowError, struct.error, zlib.error)
"""Exceptions of Pillow's PNG reader for damaged files."""


class BadMap(ExpectedError, ValueError):
    """A terrain map that cannot be used; the text is one sentence with the file's name."""

    exit_code = 2


class MapFolder:
    """The maps on offer.

    Args:
        legend: The meaning of colours, in order of preference (MAP-02).
        extra: A moderator's own folder; of two maps with one name its map is taken.
    """

    def __init__(self, folder: Path, legend: Sequence[Feature], *, extra: Path | None = None) -> None:
        self._folders = (folder,) if extra is None else (extra, folder)
        self.own_folder = extra
        self._legend = tuple(legend)
        self._loaded: dict[str, TerrainMap] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Return the name of every map, 2 before 10 and capitals beside small letters (MAP-04, MAP-05).

        Raises:
            BadMap: A folder cannot be read, or two of its files give one name.
        """
        return tuple(sorted(self._files, key=_reading_order))

    def load(self, name: str) -> TerrainMap:
        """Return the named map, which is read once.

        Raises:
            BadMap: There is no such map, or its file is not a usable PNG.
        """
        if name not in self._loaded:
            self._loaded[name] = terrain_map(name, read_png(self.path(name)), self._legend)
        return self._loaded[name]

    def differences(self, names: Iterable[str] | None = None) -> Iterator[str]:
        """Yield the moderator's maps that replace the release's of their names, each with both digests (MAP-04).

        Args:
            names: The names of the maps that are compared; None for all.
        """
        known = self._replaced.names if self._replaced else ()
        for name in known if names is None else names:
            if self._replaced and name in known:
                used, released = self.load(name).digest, self._replaced.load(name).digest
                if used != released:
                    yield f"map {name}: {used[:12]}..., in the release {released[:12]}..."

    @cached_property
    def _replaced(self) -> MapFolder | None:
        return None if self.own_folder is None else MapFolder(self._folders[-1], self._legend)

    def path(self, name: str) -> Path:
        """Return the file of the named map.

        Raises:
            BadMap: There is no such map.
        """
        if name not in self._files:
            near = nearest(name, self.names)
            advice = f'did you mean "{near}"?' if near else f"there are {', '.join(self.names) or 'none'}."
            raise BadMap(f'There is no terrain map "{name}": {advice}')
        return self._files[name]

    @cached_property
    def _files(self) -> dict[str, Path]:
        files: dict[str, Path] = {}
        for folder in reversed(self._folders):
            files.update(_pngs(folder))
        return files


def world_file(name: str, folders: Sequence[Path]) -> Path:
    """Return the file of a map of the game: a path, or the name of a PNG in one of the folders of maps (MAP-09).

    Raises:
        BadMap: There is no such file.
    """
    inside = [folder / WORLD_FOLDER for folder in folders]
    for folder in (Path(), *inside, *folders):
        for file in (folder / name, folder / f"{name}.png"):
            if file.is_file():
                return file
    places = " or ".join(map(str, reversed(inside)))
    raise BadMap(f'There is no map of the game "{Path(name).name}": put the PNG into {places}, or name its whole path.')


def read_world(path: Path) -> NDArray[np.uint8]:
    """Return a map of the game, whole; see `read_png`."""
    return read_png(path, side=None, what="map of the game")


def read_png(path: Path, side: int | None = MAP_PIXELS, what: str = "terrain map") -> NDArray[np.uint8]:
    """Return the top left of a PNG, at most `side` x `side` pixels (MAP-01), on white where it is transparent (R-10).

    Colours are taken as they are stored: gamma and colour profiles change nothing. Of an animation the first picture
    counts. Without Pillow, in a browser, the picture must be one that `plain_png` wrote.

    Returns:
        Shape (height, width, 3).

    Raises:
        BadMap: Not a PNG (a JPEG under such a name is refused too: its blur would invent features), damaged,
            cut short, without pixels or with more than `MOST_PIXELS`, of a map of the game `MOST_OF_WORLD`.
    """
    _check_header(path, side, what)
    try:
        try:
            from PIL import Image
        except ModuleNotFoundError:
            return read_plain_png(path.read_bytes())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd chunk does not matter as long as the pixels are sound
            with Image.open(path, formats=["PNG"]) as image:
                image.verify()  # the checksum of every chunk, which decoding alone ignores
            with Image.open(path, formats=["PNG"]) as image:
                corner = image.crop(
                    (0, 0, min(image.width, side or image.width), min(image.height, side or image.height))
                )
            return _on_white(corner)
    except DAMAGE as damage:
        raise BadMap(f"{path.name} is damaged or cut short and cannot be used as a {what}.") from damage


def _pngs(folder: Path) -> dict[str, Path]:
    """Map name to file. Hidden files are left out: file managers leave such shadows of pictures behind."""
    files: dict[str, Path] = {}
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise BadMap(f"The folder of terrain maps {folder} cannot be read: {error.strerror}.") from error
    for path in entries:
        if path.suffix.lower() != ".png" or path.name.startswith(".") or not path.is_file():
            continue
        name = unicodedata.normalize("NFC", " ".join(path.stem.split()))
        if name in files:
            raise BadMap(f'{files[name].name} and {path.name} in {folder} are both the terrain map "{name}": keep one.')
        files[name] = path
    return files


def _reading_order(name: str) -> tuple[list[tuple[bool, int, str]], str]:
    parts = re.findall(r"[0-9]+|[^0-9]+", name.casefold())
    return [(False, int(part), "") if part.isdecimal() else (True, 0, part) for part in parts], name


def _check_header(path: Path, side: int | None, what: str) -> None:
    """Refuse files that must not reach the decoder."""
    try:
        with path.open("rb") as file:
            head = file.read(24)
    except OSError as error:
        raise BadMap(f"{path.name} cannot be read: {error.strerror}.") from error
    if head[:8] != b"\x89PNG\r\n\x1a\n":
        kind_of_file = next((kind for start, kind in OTHER_FORMATS.items() if head.startswith(start)), "not a picture")
        raise BadMap(f"{path.name} is {kind_of_file if head else 'empty'}; a {what} must be a PNG.")
    if len(head) < 24 or head[12:16] != b"IHDR":
        raise BadMap(f"{path.name} is damaged or cut short and cannot be used as a {what} (no PNG header).")
    width, height = struct.unpack(">II", head[16:24])
    most = MOST_PIXELS if side else MOST_OF_WORLD
    usual = f"; a {what} has {side} x {side}" if side else ""
    if not width or not height:
        raise BadMap(f"{path.name} has no pixels ({width} x {height}){usual}.")
    if width * height > most:
        usual = f"{usual}, and" if usual else f"; of a {what}"
        raise BadMap(f"{path.name} has {width} x {height} pixels{usual} more than {most:,} pixels are not opened.")


def _on_white(image: Image) -> NDArray[np.uint8]:
    """Composite colours on white, in whole numbers so that every library version rounds alike."""
    if image.mode.startswith("I"):
        image = _eight_bits(image)
    if not image.has_transparency_data:
        return np.asarray(image.convert("RGB"))
    pixels = np.asarray(image.convert("RGBA"), np.uint16)
    colours, alpha = pixels[..., :3], pixels[..., 3:]
    return ((colours * alpha + 255 * (255 - alpha) + 127) // 255).astype(np.uint8)


def _eight_bits(image: Image) -> Image:
    """Convert a grey picture of 16 bits to 8 bits (Pillow's own conversion would clip instead of scale)."""
    from PIL import Image

    grey = np.asarray(image, np.int64)
    alpha = np.where(grey == image.info.get("transparency", -1), 0, 255)
    return Image.fromarray(np.stack([grey * 255 // 65535, alpha], axis=2).astype(np.uint8))


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
