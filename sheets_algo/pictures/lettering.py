"""Text in pictures: any text of a person's, in letters that the fonts at hand can show.

Pillow brings one font of its own. A letter it lacks is looked for in the fonts that systems usually have; one that none
of them has is shown without its accents, or as a question mark: never as an empty box.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from PIL import ImageDraw, ImageFont

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
LONGEST = 300  # letters of one text that are looked at; no line of a picture holds more
NOWHERE = "\U0010ffff"  # no font has this one: how it is shown is how a missing letter looks


def draw_text(draw: ImageDraw.ImageDraw, x: float, y: float, text: str, size: int, colour: Colour) -> None:
    """Write one line, its top left at x, y.

    Args:
        draw: Where.
        x: Pixels.
        y: Pixels.
        text: Any text; line breaks count as spaces.
        size: Height of the letters in pixels.
        colour: Of the letters.
    """
    baseline = y + _own_font(size).getmetrics()[0]
    for font, run in _runs(text, size):
        draw.text((x, baseline), run, fill=colour, font=font, anchor="ls")
        x += font.getlength(run)


def text_width(text: str, size: int) -> float:
    """Pixels that `draw_text` takes."""
    return sum(font.getlength(run) for font, run in _runs(text, size))


def text_height(size: int) -> int:
    """Pixels from the top of one line to the top of the next."""
    ascent, descent = _own_font(size).getmetrics()
    return ascent + descent


def fitted(text: str, size: int, width: float) -> str:
    """The text, cut and ended with an ellipsis if it is wider than `width` pixels."""
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
    """Spaces for line breaks, nothing for what is not to be seen (controls, marks of direction, lone surrogates)."""
    words = " ".join(text[: 2 * LONGEST].split())
    seen = "".join(letter for letter in words if unicodedata.category(letter) not in {"Cc", "Cf", "Cs"})
    return unicodedata.normalize("NFC", seen)[:LONGEST]


def _runs(text: str, size: int) -> Iterator[tuple[Font, str]]:
    """Pieces of the text with the font of each; spaces stay with the word before, or Arabic would fall apart."""
    font, run = _own_font(size), ""
    for cluster in _clusters(_one_line(text)):
        next_font, letters = (font, " ") if cluster == " " else _shown(cluster, size)
        if next_font is not font and run:
            yield font, run
            run = ""
        font = next_font
        run += letters
    if run:
        yield font, run


def _clusters(text: str) -> Iterator[str]:
    """Letters with their accents."""
    cluster = ""
    for letter in text:
        if cluster and not unicodedata.category(letter).startswith("M"):
            yield cluster
            cluster = ""
        cluster += letter
    if cluster:
        yield cluster


@lru_cache(maxsize=4096)
def _shown(cluster: str, size: int) -> tuple[Font, str]:
    """A letter with its accents as it can be shown, and in which font."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", cluster) if not unicodedata.combining(letter))
    for letters in (cluster, plain, cluster[0]):
        for font in _fonts(size):
            if letters and all(_has(font, letter) for letter in letters):
                return font, letters
    return _own_font(size), "?"


@lru_cache(maxsize=64)
def _own_font(size: int) -> Font:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont), "Pillow is built without FreeType"
    return font


def _fonts(size: int) -> Iterator[Font]:
    yield _own_font(size)
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
def _has(font: Font, letter: str) -> bool:
    return _image(font, letter) != _image(font, NOWHERE)


def _image(font: Font, letter: str) -> tuple[tuple[int, int], bytes]:
    # The basic layout: the other one shapes words, and a missing accent would look unlike a missing letter.
    mask = _unshaped(font).getmask(letter)
    return mask.size, bytes(mask)


@lru_cache(maxsize=1024)
def _unshaped(font: Font) -> Font:
    return font.font_variant(layout_engine=ImageFont.Layout.BASIC)
