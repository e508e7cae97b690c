"""Text in pictures, drawn with fonts that have its letters.

Pillow contains one font. A letter that this font lacks is looked for in common system fonts; a letter that none of them
has is drawn without its accents, else as a question mark, never as an empty box.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from math import ceil

from PIL import Image, ImageDraw, ImageFont

Font = ImageFont.FreeTypeFont
Colour = tuple[int, int, int]

SYSTEM_FONTS = (
    "DejaVuSans.ttf",
    "NotoSans-Regular.ttf",
    "NotoSansCJK-Regular.ttc",
    "NotoSansArabic-Regular.ttf",
    "NotoSansHebrew-Regular.ttf",
    "NotoSansDevanagari-Regular.ttf",
    "NotoSansSymbols2-Regular.ttf",
    "wqy-microhei.ttc",
    "FreeSans.ttf",
    "unifont.ttf",
    "Arial Unicode.ttf",
    "PingFang.ttc",
    "Hiragino Sans GB.ttc",
    "segoeui.ttf",
    "msyh.ttc",
    "seguisym.ttf",
)
LONGEST = 300  # maximum length of a text; no line of a picture holds more
MISSING = "\U0010ffff"  # in no font: its glyph is that of missing letters


def draw_text(draw: ImageDraw.ImageDraw, x: float, y: float, text: str, size: int, colour: Colour) -> None:
    """Write one line of text whose top left corner is at (x, y).

    Args:
        x: Left edge in pixels.
        y: Top edge in pixels.
        text: The text; line breaks count as spaces.
        size: Height of the letters in pixels.
    """
    draw.bitmap((round(x) - size, round(y) - size), _stencil(text, size), fill=colour)


@lru_cache(maxsize=512)  # the words of axes and legends are those of the picture before
def _stencil(text: str, size: int) -> Image.Image:
    """Return a text as a mask, with room for accents and overhanging letters of `size` pixels at each edge."""
    stencil = Image.new("L", (ceil(text_width(text, size)) + 2 * size, text_height(size) + 2 * size))
    pen, x, baseline = ImageDraw.Draw(stencil), float(size), size + _default_font(size).getmetrics()[0]
    for font, run in _runs(text, size):
        pen.text((x, baseline), run, fill=255, font=font, anchor="ls")
        x += font.getlength(run)
    return stencil


@lru_cache(maxsize=2048)
def text_width(text: str, size: int) -> float:
    """Return the width of a text in `draw_text`, in pixels."""
    return sum(font.getlength(run) for font, run in _runs(text, size))


def text_height(size: int) -> int:
    """Return the distance in pixels from the top of one line to the top of the next."""
    ascent, descent = _default_font(size).getmetrics()
    return ascent + descent


def fitted(text: str, size: int, width: float) -> str:
    """Return the text, cut and ended with an ellipsis if it is wider than `width` pixels."""
    text = _one_line(text)
    if text_width(text, size) <= width:
        return text
    shortest, longest = 0, len(text)
    while shortest < longest:
        middle = (shortest + longest + 1) // 2
        if text_width(text[:middle].rstrip() + "…", size) <= width:
            shortest = middle
        else:
            longest = middle - 1
    return text[:shortest].rstrip() + "…"


def _one_line(text: str) -> str:
    """Replace line breaks by spaces, and remove invisible characters (controls, direction marks, lone surrogates)."""
    words = " ".join(text[: 2 * LONGEST].split())
    visible = "".join(letter for letter in words if unicodedata.category(letter) not in {"Cc", "Cf", "Cs"})
    return unicodedata.normalize("NFC", visible)[:LONGEST]


def _runs(text: str, size: int) -> Iterator[tuple[Font, str]]:
    """Yield pieces of the text with the font of each.

    A space belongs to the piece before it: Arabic letters are joined only within one piece.
    """
    font, run = _default_font(size), ""
    for cluster in _clusters(_one_line(text)):
        next_font, displayed = (font, " ") if cluster == " " else _displayable(cluster, size)
        if next_font is not font and run:
            yield font, run
            run = ""
        font = next_font
        run += displayed
    if run:
        yield font, run


def _clusters(text: str) -> Iterator[str]:
    """Yield each letter together with its accents."""
    cluster = ""
    for letter in text:
        if cluster and not unicodedata.category(letter).startswith("M"):
            yield cluster
            cluster = ""
        cluster += letter
    if cluster:
        yield cluster


@lru_cache(maxsize=4096)
def _displayable(cluster: str, size: int) -> tuple[Font, str]:
    """Return a font and the form of a letter (with its accents, else without) that this font can show."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", cluster) if not unicodedata.combining(letter))
    for letters in (cluster, plain, cluster[0]):
        for font in _fonts(size):
            if letters and all(_has_glyph(font, letter) for letter in letters):
                return font, letters
    return _default_font(size), "?"


@lru_cache(maxsize=64)
def _default_font(size: int) -> Font:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont), "Pillow is built without FreeType"
    return font


def _fonts(size: int) -> Iterator[Font]:
    yield _default_font(size)
    for name in SYSTEM_FONTS:
        font = _system_font(name, size)
        if font is not None:
            yield font


@lru_cache(maxsize=1024)
def _system_font(name: str, size: int) -> Font | None:
    try:
        return ImageFont.truetype(name, size)
    except OSError:  # the system lacks it, or it cannot be used
        return None


@lru_cache(maxsize=16384)
def _has_glyph(font: Font, letter: str) -> bool:
    return _glyph_image(font, letter) != _glyph_image(font, MISSING)


def _glyph_image(font: Font, letter: str) -> tuple[tuple[int, int], bytes]:
    # The basic layout, since the other one combines letters: a missing accent would not have the glyph of a
    # missing letter.
    mask = _basic_layout(font).getmask(letter)
    return mask.size, bytes(mask)


@lru_cache(maxsize=1024)
def _basic_layout(font: Font) -> Font:
    return font.font_variant(layout_engine=ImageFont.Layout.BASIC)
