"""Pictures as PNG with a palette, which takes a fifth of the time that true colours take, and half of the space."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from engine.battle_map import Scene
from sheets_algo.pictures.ground import tinted
from sheets_algo.pictures.lettering import Colour
from sheets_algo.pictures.strokes import (
    BLACK,
    FAINT,
    INK,
    PAPER,
    ROUTED_SHADE,
    SIDE_COLOURS,
    STATUS_COLOURS,
    WHITE,
    WRONG,
    mixed,
    png,
    shaded,
    side_colour,
)

COLOURS = 256
APART = 8  # colours that fall into the same step of red, green and blue would be confused
SHADES = (0.5, 0.25, 0.75, 0.12, 0.38, 0.62, 0.88)  # shares of two colours on smoothed edges, the most useful first


def png_of(page: Image.Image, scene: Scene, texts: Mapping[str, str]) -> bytes:
    """Return a page as PNG: colours with a meaning are exact, those of smoothed edges nearly so.

    Args:
        texts: Texts of the file, by key.
    """
    grounds = tuple(tinted(feature.rgb) for feature in scene.legend)
    palette = Image.new("P", (1, 1))
    others = (WRONG,) if any(mark.is_wrong for mark in scene.before) else ()
    palette.putpalette(_palette(grounds, tuple(side_colour(scene, side) for side in SIDE_COLOURS), others))
    notes = PngInfo()
    for key, text in texts.items():
        notes.add_text(key, text)
    return png(page.quantize(palette=palette, dither=Image.Dither.NONE), compress_level=4, pnginfo=notes)


@lru_cache(maxsize=16)
def _palette(grounds: tuple[Colour, ...], sides: tuple[Colour, ...], others: tuple[Colour, ...]) -> bytes:
    """Return the colours of a picture, then the mixtures of them that smoothed edges need, at most 256."""
    shades = [shaded(colour, share) for colour in sides for share in (ROUTED_SHADE, 0.6, 0.75, 0.8)]
    exact = (PAPER, WHITE, BLACK, INK, FAINT, *grounds, *sides, *shades, *STATUS_COLOURS.values(), *others)
    chosen = {_step(colour): colour for colour in reversed(exact)}
    for share in SHADES:
        for colour in (
            *_mixed((INK,), (WHITE, PAPER, *sides), share),
            *_mixed((FAINT,), (WHITE, PAPER), share),
            *_mixed((BLACK, WHITE), (*sides, *shades), share),
            *_mixed((WHITE, *grounds), grounds, share),
            *_mixed((*STATUS_COLOURS.values(), *others), (*sides, WHITE), share),
        ):
            chosen.setdefault(_step(colour), colour)
    return bytes(part for colour in list(chosen.values())[:COLOURS] for part in colour)


def _step(colour: Colour) -> Colour:
    red, green, blue = (part // APART for part in colour)
    return red, green, blue


def _mixed(first: Iterable[Colour], second: Iterable[Colour], share: float) -> Iterator[Colour]:
    return (mixed(one, other, share) for one, other in product(first, second))
