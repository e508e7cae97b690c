"""Pictures of link previews: size, chart, hostile and long texts."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from scripts.support.rulings import HOSTILE
from sheets_algo.pictures.preview import Curve, draw_preview, season_picture

BLUE, ORANGE = (52, 115, 176), (204, 111, 44)
AREAS = [("Normandy", BLUE), ("England", ORANGE)]


def drawn(png: bytes) -> Image.Image:
    image = Image.open(BytesIO(png))
    assert (image.format, image.size) == ("PNG", (1200, 630))
    return image.convert("RGB")


@pytest.mark.parametrize("share", [0.0, 0.25, 0.75, 1.0])
def test_the_areas_show_the_chances_of_the_sides(share: float) -> None:
    curve = Curve("", (0, 0, 0), ((0, share), (1, share)))
    image = drawn(draw_preview("Hastings", "A sentence.", [curve], AREAS))
    column = [image.getpixel((600, y)) for y in range(150, 570)]
    counts = [column.count(tuple(round((part + 255) / 2) for part in colour)) for _, colour in AREAS]
    assert counts[0] / sum(counts) == pytest.approx(share, abs=0.02)


def test_equal_arguments_give_equal_bytes_even_without_changes() -> None:
    lines = {"England": [(0, 50.0), (1, 25.0)], "Normandy": [(0, 50.0), (1, 60.0)]}
    assert season_picture("Season", "Text", lines) == season_picture("Season", "Text", lines)
    assert season_picture("Season", "Text", lines) != season_picture("Season", "Text", {})
    drawn(season_picture("Season", "Text", {}))
    drawn(season_picture("Season", "Text", {"England": [(0, 50.0), (1, 50.0)]}))


@pytest.mark.parametrize("text", [*HOSTILE.values(), "", "M" * 10_000, "word " * 2_000], ids=lambda text: text[:10])
def test_any_text_stays_inside_the_picture(text: str) -> None:
    curve = Curve(text, BLUE, ((0, 0.5), (1, 0.5)))
    image = drawn(draw_preview(text, text, [curve], [(text, BLUE), (text, ORANGE)]))
    edges = [*((0, y) for y in range(630)), *((1199, y) for y in range(630)), *((x, 629) for x in range(1200))]
    assert {image.getpixel(place) for place in edges} == {(250, 249, 246)}
