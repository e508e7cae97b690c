"""The colours of the two sides on pictures and pages."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from engine.battle_map import Banner, Rgb
from scripts.support.rulings import hastings
from sheets_algo.pictures.side_colours import side_colours
from sheets_algo.pictures.strokes import SIDE_COLOURS
from sheets_algo.runtime.after_commit.artifacts import draw_map
from sheets_algo.runtime.after_commit.replay_pages import replay_html

PAGES: list[Rgb] = [(255, 255, 255), (30, 33, 37)]
"""The paper of a card on a light and on a dark page."""


def luminance(colour: Rgb) -> float:
    parts = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


@pytest.mark.parametrize("paper", PAGES)
@pytest.mark.parametrize("side", SIDE_COLOURS)
def test_the_sides_contrast_with_light_and_dark_paper(side: str, paper: Rgb) -> None:
    """WCAG 2.2, 1.4.11: a contrast of 3 or more."""
    low, high = sorted((luminance(SIDE_COLOURS[side]), luminance(paper)))

    assert (high + 0.05) / (low + 0.05) >= 3


@pytest.mark.parametrize(
    ("attacker", "defender", "is_kept"),
    [
        ((0, 60, 190), (230, 200, 40), True),
        ((200, 30, 30), (30, 110, 40), False),  # who lacks the green cones sees one brown
        ((200, 30, 30), (205, 35, 30), False),
        ((204, 111, 44), None, False),  # it would be the other side's
        (None, (20, 20, 20), True),
        (None, None, False),
    ],
)
def test_flags_give_their_colours_unless_both_would_look_alike(
    attacker: Rgb | None, defender: Rgb | None, is_kept: bool
) -> None:
    scene = replace(
        hastings().outcome.scenes[0], attacker=Banner("A", colour=attacker), defender=Banner("D", colour=defender)
    )
    flags = {"Attacker": attacker, "Defender": defender}

    found = side_colours(scene)

    assert found == ({side: flags[side] or calm for side, calm in SIDE_COLOURS.items()} if is_kept else SIDE_COLOURS)


def test_map_07_a_picture_has_the_colours_of_its_replay_page() -> None:
    ruling = hastings()
    png = draw_map(ruling.outcome.scenes[0])
    page = replay_html(ruling, is_luck_told=False)

    found = {colour for _, colour in Image.open(BytesIO(png)).convert("RGB").getcolors(1 << 24) or ()}
    assert {*SIDE_COLOURS.values()} <= found
    assert all("#{:02x}{:02x}{:02x}".format(*colour) in page for colour in SIDE_COLOURS.values())
