"""The colours of the two sides on pages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.battle_map import Banner, Rgb
from sheets_algo.pictures.side_colours import CALM_COLOURS, page_colours
from sheets_algo.pictures.strokes import SIDE_COLOURS
from tests.helpers.rulings import hastings

PAGES: list[Rgb] = [(255, 255, 255), (30, 33, 37)]
"""The paper of a card on a light and on a dark page."""


def luminance(colour: Rgb) -> float:
    parts = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


@pytest.mark.parametrize("paper", PAGES)
@pytest.mark.parametrize("side", CALM_COLOURS)
def test_the_sides_stand_out_from_light_and_dark_paper(side: str, paper: Rgb) -> None:
    """WCAG 2.2, 1.4.11: a contrast of 3 or more."""
    low, high = sorted((luminance(CALM_COLOURS[side]), luminance(paper)))

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

    found = page_colours(scene, has_source_colours=False)

    assert found == ({side: flags[side] or calm for side, calm in CALM_COLOURS.items()} if is_kept else CALM_COLOURS)


def test_map_07_the_colours_of_the_source_are_there_if_a_setting_says_so() -> None:
    assert page_colours(hastings().outcome.scenes[0], has_source_colours=True) == SIDE_COLOURS
