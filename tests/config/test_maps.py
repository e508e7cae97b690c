"""The folder of terrain maps (MAP-01 to MAP-05): every PNG is a map, and what is none is refused by name."""

from __future__ import annotations

import io
import struct
import sys
import zlib
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from sheets_algo.config.maps import BadMap, MapFolder, plain_png, read_png
from tests.helpers.real_terrain import LEGEND, MAPS, NAMED

WATER, FOREST = (0, 90, 255), (0, 128, 0)


def save(path: Path, image: Image.Image, **options: object) -> Path:
    image.save(path, "PNG", **options)
    return path


def flat(colour: tuple[int, int, int], size: tuple[int, int] = (400, 400)) -> Image.Image:
    return Image.new("RGB", size, colour)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, depth: int, colour_type: int, pixels: bytes, extra: bytes = b"") -> bytes:
    header = struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, 0)
    body = chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


# Which maps there are


def test_map_05_the_named_terrains_exist() -> None:
    assert set(NAMED) <= set(MapFolder(MAPS, LEGEND).names)


def test_map_04_a_new_png_is_offered_by_its_file_name(tmp_path: Path) -> None:
    save(tmp_path / "Hastings, Senlac.png", flat(FOREST))

    folder = MapFolder(tmp_path, LEGEND)

    assert folder.names == ("Hastings, Senlac",)
    assert (folder.load("Hastings, Senlac").codes == 2).all()


def test_names_are_in_reading_order(tmp_path: Path) -> None:
    for name in ("Map 10", "map 2", "Île", "Atoll", "1", "Map 1"):
        save(tmp_path / f"{name}.png", flat(WATER, (1, 1)))

    assert MapFolder(tmp_path, LEGEND).names == ("1", "Atoll", "Map 1", "map 2", "Map 10", "Île")


def test_files_other_than_maps_are_not_offered(tmp_path: Path) -> None:
    save(tmp_path / "Sea.PNG", flat(WATER))
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "._Sea.png").write_bytes(b"a file manager's shadow")
    (tmp_path / "folder.png").mkdir()

    assert MapFolder(tmp_path, LEGEND).names == ("Sea",)


def test_names_are_listed_without_decoding(tmp_path: Path) -> None:
    (tmp_path / "broken.png").write_bytes(b"")
    save(tmp_path / "sound.png", flat(WATER))

    folder = MapFolder(tmp_path, LEGEND)

    assert folder.names == ("broken", "sound")
    assert folder.load("sound").name == "sound"


def test_a_decomposed_file_name_matches_a_typed_one(tmp_path: Path) -> None:
    """Some file systems store é as e and an accent."""
    save(tmp_path / "Cre\u0301cy.png", flat(FOREST))

    assert MapFolder(tmp_path, LEGEND).names == ("Crécy",)


def test_the_own_folder_takes_precedence(tmp_path: Path) -> None:
    save(tmp_path / "Plain.png", flat(WATER))
    save(tmp_path / "Fen.png", flat(FOREST))

    folder = MapFolder(MAPS, LEGEND, extra=tmp_path)

    assert (folder.load("Plain").codes == 1).all()
    assert {"Fen", *NAMED} <= set(folder.names)


def test_a_map_file_is_read_once(tmp_path: Path) -> None:
    path = save(tmp_path / "Sea.png", flat(WATER))
    folder = MapFolder(tmp_path, LEGEND)

    first = folder.load("Sea")
    path.unlink()

    assert folder.load("Sea") is first


def test_an_unknown_map_suggests_the_nearest() -> None:
    with pytest.raises(BadMap, match=r'no terrain map "Hillcuntry": did you mean "Hillcountry"\?'):
        MapFolder(MAPS, LEGEND).load("Hillcuntry")


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BadMap, match=r"maps .*elsewhere cannot be read: No such file"):
        _ = MapFolder(MAPS, LEGEND, extra=tmp_path / "elsewhere").names


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    save(tmp_path / "Fen  1.png", flat(WATER))
    save(tmp_path / "Fen 1.png", flat(FOREST))

    with pytest.raises(BadMap, match=r'are both the terrain map "Fen 1": keep one'):
        _ = MapFolder(tmp_path, LEGEND).names


# Every kind of PNG


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "L", "LA", "1"])
def test_map_03_every_colour_mode_is_read_as_displayed(tmp_path: Path, mode: str) -> None:
    picture = Image.new("RGB", (2, 1), (255, 255, 255))
    picture.putpixel((1, 0), (0, 0, 0))

    pixels = read_png(save(tmp_path / "a.png", picture.convert(mode)))

    assert pixels.tolist() == [[[255, 255, 255], [0, 0, 0]]]


def test_a_grey_picture_of_16_bits_is_scaled_not_clipped(tmp_path: Path) -> None:
    grey = np.array([[0, 128 * 257, 65535]], np.uint16)

    pixels = read_png(save(tmp_path / "a.png", Image.fromarray(grey)))

    assert pixels[0, :, 0].tolist() == [0, 128, 255]


def test_r_10_alpha_is_composited_on_white(tmp_path: Path) -> None:
    picture = Image.new("RGBA", (3, 1))
    for x, alpha in enumerate((0, 128, 255)):
        picture.putpixel((x, 0), (0, 90, 255, alpha))

    assert read_png(save(tmp_path / "a.png", picture)).tolist() == [[[255, 255, 255], [127, 172, 255], [0, 90, 255]]]


@pytest.mark.parametrize(
    "data",
    [
        png(2, 1, 8, 3, b"\0\0\1", chunk(b"PLTE", bytes([9, 9, 9, 0, 90, 255])) + chunk(b"tRNS", b"\0\xff")),
        png(2, 1, 8, 2, b"\0\1\2\3\0\x5a\xff", chunk(b"tRNS", struct.pack(">3H", 1, 2, 3))),
    ],
    ids=["palette", "colour key"],
)
def test_r_10_all_kinds_of_transparency_become_white(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.png").write_bytes(data)

    assert read_png(tmp_path / "a.png").tolist() == [[[255, 255, 255], [0, 90, 255]]]


def test_r_10_a_transparent_grey_of_16_bits_is_white(tmp_path: Path) -> None:
    key = chunk(b"tRNS", struct.pack(">H", 0x1234))
    (tmp_path / "a.png").write_bytes(png(2, 1, 16, 0, b"\0" + struct.pack(">2H", 0x1234, 0), key))

    assert read_png(tmp_path / "a.png").tolist() == [[[255, 255, 255], [0, 0, 0]]]


def test_the_first_frame_of_an_animation_counts(tmp_path: Path) -> None:
    path = save(tmp_path / "a.png", flat(WATER, (2, 2)), save_all=True, append_images=[flat(FOREST, (2, 2))])

    assert (read_png(path) == WATER).all()


def test_interlaced_pictures_are_read(tmp_path: Path) -> None:
    """Adam7 by hand: of a 2 x 2 picture passes 1, 6 and 7 hold pixels, each scan line with its filter byte."""
    plain, interlaced = png(2, 2, 8, 0, b"\0\x0a\x14\0\x1e\x28"), b"\0\x0a" + b"\0\x14" + b"\0\x1e\x28"
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 1))
    (tmp_path / "a.png").write_bytes(plain)
    (tmp_path / "b.png").write_bytes(
        plain[:8] + header + chunk(b"IDAT", zlib.compress(interlaced)) + chunk(b"IEND", b"")
    )

    assert np.array_equal(read_png(tmp_path / "a.png"), read_png(tmp_path / "b.png"))


def test_map_01_only_the_corner_of_a_large_picture_is_kept(tmp_path: Path) -> None:
    picture = flat(FOREST, (3000, 2000))
    picture.paste(WATER, (0, 0, 400, 400))

    assert (read_png(save(tmp_path / "a.png", picture)) == WATER).all()


# What is refused, by name


def jpeg() -> bytes:
    file = io.BytesIO()
    flat(WATER).save(file, "JPEG")
    return file.getvalue()


SOUND = png(2, 2, 8, 0, b"\0\1\2\0\3\4")
REFUSED = {
    "empty": (b"", "bad.png is empty; a terrain map must be a PNG."),
    "text": (b"hello, map", "bad.png is not a picture; a terrain map must be a PNG."),
    "JPEG": (jpeg(), "bad.png is a JPEG picture; a terrain map must be a PNG."),
    "GIF": (b"GIF89a", "bad.png is a GIF picture; a terrain map must be a PNG."),
    "signature only": (SOUND[:8], "bad.png is damaged or cut short"),
    "cut short": (SOUND[:-20], "bad.png is damaged or cut short"),
    "checksum": (SOUND[:-20] + b"\xff" + SOUND[-19:], "bad.png is damaged or cut short"),
    "too few rows": (png(200, 200, 8, 2, bytes(100)), "bad.png is damaged or cut short"),
    "no width": (png(0, 5, 8, 2, b""), "bad.png has no pixels (0 x 5); a terrain map has 400 x 400."),
    "no height": (png(5, 0, 8, 2, b""), "bad.png has no pixels (5 x 0); a terrain map has 400 x 400."),
    "100 megapixels": (png(10_000, 10_000, 1, 0, b""), "bad.png has 10000 x 10000 pixels; a terrain map has 400 x 400"),
    "4 billion a side": (png(2**32 - 1, 2**32 - 1, 16, 6, b""), "bad.png has 4294967295 x 4294967295 pixels"),
    "text bomb": (
        png(1, 1, 8, 0, b"\0\1", chunk(b"zTXt", b"k\0\0" + zlib.compress(bytes(9_000_000)))),
        "bad.png is damaged or cut short",
    ),
}


@pytest.mark.parametrize(("data", "sentence"), REFUSED.values(), ids=REFUSED.keys())
def test_an_invalid_map_is_refused_by_name_in_one_sentence(tmp_path: Path, data: bytes, sentence: str) -> None:
    (tmp_path / "bad.png").write_bytes(data)

    with pytest.raises(BadMap) as refusal:
        MapFolder(tmp_path, LEGEND).load("bad")

    assert str(refusal.value).startswith(sentence)
    assert str(refusal.value).count("\n") == 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_file_never_crashes_the_reader(tmp_path: Path, data: st.DataObject) -> None:
    """Invariant 17, the other way round."""
    damaged = bytearray((MAPS / "Sea.png").read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / "a.png"
    path.write_bytes(damaged[: data.draw(st.integers(0, len(damaged)))] if data.draw(st.booleans()) else damaged)

    with suppress(BadMap):
        assert max(read_png(path).shape) <= 400


# Without Pillow, in a browser


def test_a_plain_png_is_readable_without_pillow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = np.random.default_rng(7).integers(0, 256, (9, 5, 3), np.uint8)
    (tmp_path / "a.png").write_bytes(plain_png(pixels))
    assert np.array_equal(read_png(tmp_path / "a.png"), pixels)
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert np.array_equal(read_png(tmp_path / "a.png"), pixels)


@pytest.mark.parametrize("spoilt", ["filtered rows", "interlaced", "cut short", "checksum"])
def test_without_pillow_another_png_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoilt: str) -> None:
    content = plain_png(np.full((4, 4, 3), 90, np.uint8))
    if spoilt == "filtered rows":
        content = png(1, 1, 8, 2, bytes([1, 90, 90, 90]))
    if spoilt == "interlaced":  # one pixel, so that the row is as long as without
        content = png(1, 1, 8, 2, bytes(4)).replace(
            *(chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, way)) for way in (0, 1))
        )
    content = content[:-20] if spoilt == "cut short" else content
    content = content[:-1] + b"!" if spoilt == "checksum" else content
    (tmp_path / "a.png").write_bytes(content)
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(BadMap, match=r"a\.png is damaged or cut short"):
        read_png(tmp_path / "a.png")
