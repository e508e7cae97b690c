"""Battle pictures (MAP-07): what a moderator sees, read back from the pixels."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from engine.battle_map import Banner, Mark, Moment, Scene
from engine.terrain import terrain_map
from sheets_algo.config.maps import MapFolder
from sheets_algo.pictures import draw
from sheets_algo.pictures.ground import MapView, ground, tinted, view_of
from sheets_algo.pictures.layout import Box, apart, place_labels
from sheets_algo.pictures.lettering import draw_text, fitted, text_height, text_width
from sheets_algo.pictures.strokes import INK, SIDE_COLOURS, STATUS_COLOURS, shaded
from tests.helpers.real_terrain import LEGEND, MAPS

BLUE, COPPER = SIDE_COLOURS["Attacker"], SIDE_COLOURS["Defender"]
DARK_COPPER, ORANGE = shaded(COPPER, 0.45), STATUS_COLOURS["Retreating"]
PANEL = 520  # pixels at scale 2
STRIPE_MOST = 400  # pixels of a label's stripe
MEADOW = terrain_map("Meadow", np.full((400, 400, 3), 255, np.uint8), LEGEND)


def mark(side: str, label: str, x: float, y: float, size: int, status: str = "Idle") -> Mark:
    return Mark(side, label, x, y, size, status)


BEFORE = tuple(
    mark(side, label, x + 0.5, y + 0.5, 2000)
    for side, y in (("Attacker", 182), ("Defender", 218))
    for label, x in (("Left", 190), ("Centre", 200), ("Right", 210))
)


def battle(*after: tuple[float, float, int, str], before: tuple[Mark, ...] = BEFORE) -> Scene:
    """The default flanks, and where and how each ended."""
    ends = tuple(
        replace(begun, x=x, y=y, size=size, status=status)
        for begun, (x, y, size, status) in zip(before, after, strict=bool(after))
    )
    moments = (Moment("Before", 0, before), *([Moment("After", 9, ends)] if ends else []))
    return Scene("War", "A against B", MEADOW, LEGEND, 0.25, moments)


def pixels(png: bytes) -> NDArray[np.uint8]:
    with Image.open(io.BytesIO(png)) as image:
        assert image.format == "PNG"
        return np.asarray(image.convert("RGB"))


def panels(scene: Scene, which: str) -> NDArray[np.uint8]:
    """The map of the first or the last moment, without the numbers of its axes; both stand in the picture's one row."""
    picture = pixels(draw(scene))
    left = 24 + 36 if which == "before" else 24 + 2 * 36 + PANEL + 24
    return picture[-PANEL - 24 : -24, left : left + PANEL]


def where(picture: NDArray[np.uint8], colour: tuple[int, int, int]) -> NDArray[np.bool_]:
    mask: NDArray[np.bool_] = (picture == np.array(colour, np.uint8)).all(axis=2)
    return mask


def areas(mask: NDArray[np.bool_], at_least: int = 30) -> list[int]:
    """Sizes of the connected areas, the largest first."""
    return sorted((len(part) for part in connected(mask) if len(part) >= at_least), reverse=True)


def connected(mask: NDArray[np.bool_]) -> list[list[tuple[int, int]]]:
    """The places of each connected area."""
    left = {(int(y), int(x)) for y, x in np.argwhere(mask)}
    found = []
    while left:
        part = [left.pop()]
        for y, x in part:
            for there in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                if there in left:
                    left.remove(there)
                    part.append(there)
        found.append(part)
    return found


def signs(picture: NDArray[np.uint8], colour: tuple[int, int, int]) -> NDArray[np.bool_]:
    """Where flanks have a colour, without the stripes of their labels, which are small."""
    mask = np.zeros(picture.shape[:2], np.bool_)
    for part in connected(where(picture, colour)):
        if len(part) >= STRIPE_MOST:
            mask[tuple(np.array(part).T)] = True
    return mask


# What is drawn


def test_map_07_attackers_are_blue_and_defenders_orange() -> None:
    panel = panels(battle(), "before")

    assert len(areas(signs(panel, BLUE))) == 3
    assert len(areas(signs(panel, COPPER))) == 3
    assert np.argwhere(signs(panel, BLUE))[:, 0].max() < np.argwhere(signs(panel, COPPER))[:, 0].min()  # north of them


def test_the_area_of_a_flank_shows_its_men() -> None:
    before = (mark("Attacker", "Great", 190, 182, 4000), mark("Attacker", "Small", 210, 182, 1000))

    large, small = areas(signs(panels(battle(before=before), "before"), BLUE))

    assert large / small == pytest.approx(4, rel=0.2)


def test_map_07_a_routed_flank_is_darker() -> None:
    ends = [(200.0, 200.0 + row, 1500, "Ready") for row in (-12, -8, -4)]
    scene = battle(*ends, (190, 210, 900, "Routed"), (200, 215, 900, "Ready"), (210, 215, 900, "Ready"))

    panel = panels(scene, "after")

    assert len(areas(signs(panel, COPPER))) == 2
    assert len(areas(signs(panel, DARK_COPPER))) == 1


def test_strat_10_a_retreating_flank_is_ringed_and_one_without_men_hollow() -> None:
    ready = [(190.0 + 10 * row, 190.0, 1500, "Ready") for row in range(3)]
    scene = battle(*ready, (190, 215, 900, "Retreating"), (200, 215, 0, "Inactive"), (210, 215, 900, "Ready"))

    panel = panels(scene, "after")

    assert len(areas(signs(panel, COPPER))) == 2
    assert len(areas(where(panel, ORANGE), at_least=100)) >= 1
    assert not where(panels(battle(*ready, *ready), "after"), ORANGE).any()


def test_strat_10_a_label_has_the_colours_of_side_and_status() -> None:
    ends = [
        (x, y, 1000, status) for x, y, status in zip((190, 200, 210) * 2, (190,) * 3 + (210,) * 3, KINDS, strict=True)
    ]

    panel = panels(battle(*ends), "after")

    for status in set(KINDS):
        assert areas(where(panel, STATUS_COLOURS[status]), at_least=80), status


KINDS = ("Ready", "Ready", "Retreating", "Routed", "Inactive", "Ready")


def test_strat_08_a_picture_shows_before_and_after_side_by_side() -> None:
    scene = battle(*[(200.0, 200.0, 1000, "Ready")] * 6)
    before, after = panels(scene, "before"), panels(scene, "after")

    assert np.argwhere(signs(before, BLUE))[:, 0].max() < np.argwhere(signs(before, COPPER))[:, 0].min() - 150
    assert np.argwhere(signs(after, BLUE))[:, 0].max() > np.argwhere(signs(after, COPPER))[:, 0].min() - 150


def test_flanks_in_one_place_are_drawn_apart() -> None:
    panel = panels(battle(*[(200.0, 200.0, 1500, "Ready")] * 6), "after")

    assert len(areas(where(panel, BLUE), at_least=500)) == 3
    assert len(areas(where(panel, COPPER), at_least=500)) == 3


def test_a_line_of_many_flanks_is_drawn_where_it_was_placed() -> None:
    """Twelve flanks on one Y, closer together than their signs are wide, are no zigzag."""
    line = [mark("Attacker", f"A{number}", 180.5 + 2 * number, 182.5, 600) for number in range(12)]
    enemies = [mark("Defender", "D", 200, 230, 600)]

    rows = np.argwhere(where(panels(battle(before=(*line, *enemies)), "before"), BLUE))

    [[(top, bottom), (left, right)]] = [[(part.min(), part.max()) for part in rows.T]]
    one = bottom - top
    assert one < 36  # the height of one sign
    step = PANEL / view_of(battle(before=(*line, *enemies))).side
    assert abs((right - left - one) - 22 * step) < step  # it may be a pixel of the map off


def test_map_06_the_scale_bar_has_the_stated_length() -> None:
    """64 pixels of 0.25 km on 520 pixels: 2 km are 65."""
    caption = where(pixels(draw(battle()))[-24 - PANEL - 36 - 22 : -24 - PANEL - 36, 420:580], INK)

    assert max(longest_run(row) for row in caption) == 66


def longest_run(row: NDArray[np.bool_]) -> int:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], row, [False]]).astype(np.int8)))
    return max((int(end - start) for start, end in pairwise(edges)), default=0)


def test_rcpt_03_ground_and_legend_have_equal_colours() -> None:
    """Every feature of the legend is explained beside the map, whether or not it occurs."""
    column = pixels(draw(battle()))[:, -240 - 24 :]

    for feature in LEGEND:
        assert areas(where(column, tinted(feature.rgb)), at_least=200), feature.name


@pytest.mark.parametrize("name", ["Island", "Mountain", "River with Bridge"])
def test_the_ground_shows_the_map_s_pixels(name: str) -> None:
    """Outlines are smoothed, so a pixel that stands out alone may be cut off, but not more than a few in a hundred."""
    terrain = MapFolder(MAPS, LEGEND).load(name)
    view = MapView(150, 150, 100)

    picture = np.asarray(ground(Scene(name, "", terrain, LEGEND, 0.25, ()), view, 1000))

    for code, feature in enumerate(LEGEND):
        there = terrain.codes[150:250, 150:250] == code
        shown = where(picture[5::10, 5::10], tinted(feature.rgb))
        assert (there & shown).sum() >= 0.95 * there.sum()


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_the_scale_multiplies_the_picture(scale: int) -> None:
    height, width, _ = pixels(draw(battle(), scale=scale)).shape

    assert width == scale * (12 + 18 + 260 + 12 + 120 + 12)
    assert height > scale * 290


def test_the_same_scene_gives_the_same_bytes() -> None:
    scene = battle(*[(200.0, 200.0, 1500, "Ready")] * 6)

    assert draw(scene) == draw(scene)


def test_mismatched_flanks_are_an_error() -> None:
    scene = battle(*[(200.0, 200.0, 1500, "Ready")] * 6)

    with pytest.raises(ValueError, match="not those before it"):
        draw(replace(scene, moments=(scene.moments[0], Moment("After", 9, scene.after[::-1]))))
    with pytest.raises(ValueError, match="not those before it"):
        draw(replace(scene, moments=(scene.moments[0], Moment("After", 9, ()))))


@settings(max_examples=25, deadline=None)
@given(
    places=st.lists(
        st.tuples(
            st.floats(0, 400), st.floats(0, 400), st.integers(0, 15_000_000), st.sampled_from(sorted(STATUS_COLOURS))
        ),
        min_size=1,
        max_size=12,
    ),
    title=st.text(max_size=60),
)
def test_any_battle_can_be_drawn(places: list[tuple[float, float, int, str]], title: str) -> None:
    before = tuple(
        mark("Attacker" if row % 2 else "Defender", f"{row} {title}", x, y, size)
        for row, (x, y, size, _) in enumerate(places)
    )
    after = tuple(
        replace(begun, x=y, y=x, size=size // 2, status=status)
        for begun, (x, y, size, status) in zip(before, places, strict=True)
    )

    moments = (Moment("Before", 0, before), Moment(title, 3, before), Moment("After", 5, after))
    banner = Banner(title, title, (len(title), 0, 255))

    picture = pixels(draw(Scene(title, title, MEADOW, LEGEND, 0.25, moments, banner, banner, "Attacker"), scale=1))

    assert picture.shape[1] in (592, 704)


def test_99_flanks_a_side_can_be_drawn() -> None:
    before = tuple(
        mark(side, str(row), 150 + row, y, 100)
        for side, y in (("Attacker", 182), ("Defender", 218))
        for row in range(99)
    )
    scene = battle(*[(200.0, 200.0, 50, "Ready")] * 198, before=before)

    panel = panels(scene, "after")

    assert where(panel, BLUE).sum() > 1000
    assert where(panel, COPPER).sum() > 1000


# What the picture cuts out


def test_the_view_holds_the_battle_and_some_ground() -> None:
    view = view_of(battle(*[(200.0, 200.0, 1000, "Ready")] * 6))

    assert view == MapView(168, 168, 64)


def test_one_flank_that_fled_does_not_shrink_the_battle() -> None:
    near = [(200.0, 200.0, 1000, "Ready")] * 5

    view = view_of(battle(*near, (200.0, 399.0, 100, "Routed")))

    assert view.side == 64
    assert not view.shows(mark("Defender", "Right", 200, 399, 100))


def test_the_view_stays_on_the_map() -> None:
    corner = (mark("Attacker", "Left", 2, 1, 10), mark("Defender", "Left", 399.9, 399.9, 10))

    assert view_of(battle(before=corner[:1])) == MapView(0, 0, 64)
    assert view_of(battle(before=corner)) == MapView(0, 0, 400)


# Layout


@given(
    st.lists(st.tuples(st.floats(0, 500), st.floats(0, 500), st.floats(3, 20)), min_size=1, max_size=14),
)
def test_discs_end_apart_and_inside_the_panel(discs: list[tuple[float, float, float]]) -> None:
    radii = [radius for _, _, radius in discs]
    places = apart([(x, y) for x, y, _ in discs], radii, 500, gap=2, up=[row % 2 == 0 for row in range(len(discs))])

    for row, ((x, y), radius) in enumerate(zip(places, radii, strict=True)):
        assert radius - 0.6 <= x <= 500 - radius + 0.6
        assert radius - 0.6 <= y <= 500 - radius + 0.6
        for (other_x, other_y), other in list(zip(places, radii, strict=True))[:row]:
            assert (x - other_x) ** 2 + (y - other_y) ** 2 >= (radius + other - 1) ** 2


def test_discs_that_have_room_stay_where_they_are() -> None:
    places = [(50.0, 50.0), (100.0, 50.0), (50.25, 200.0)]

    assert apart(places, [10, 10, 10], 300, gap=2, up=[True, False, True]) == places


@given(st.lists(st.tuples(st.floats(0, 500), st.floats(0, 500)), max_size=30))
def test_labels_stay_inside_and_apart(places: list[tuple[float, float]]) -> None:
    corner = Box(0, 460, 100, 500)
    boxes = place_labels(
        [(x, y, 10) for x, y in places],
        [(80, 30)] * len(places),
        500,
        gap=4,
        taken=[corner],
        lines=[],
        upward=[True] * len(places),
    )

    placed = [box for box in boxes if box is not None]
    assert len(boxes) == len(places)
    for row, box in enumerate(placed):
        assert min(box.left, box.top) >= 0
        assert max(box.right, box.bottom) <= 500
        for other in [corner, *placed[:row]]:
            across = min(box.right, other.right) - max(box.left, other.left)
            down = min(box.bottom, other.bottom) - max(box.top, other.top)
            assert max(across, 0) * max(down, 0) <= 0.05 * 80 * 30


def test_a_lone_label_stands_above_an_attacker_and_below_a_defender() -> None:
    above, below = (
        place_labels([(250, 250, 10)], [(80, 30)], 500, gap=4, taken=[], lines=[], upward=[upward])[0]
        for upward in (True, False)
    )

    assert above == Box(210, 206, 290, 236)
    assert below == Box(210, 264, 290, 294)


# Letters


def written(text: str, size: int = 20) -> NDArray[np.uint8]:
    image = Image.new("RGB", (900, 60), "white")
    draw_text(ImageDraw.Draw(image), 5, 5, text, size, (0, 0, 0))
    return np.asarray(image)


@pytest.mark.parametrize("text", ["Łódź, Şanlıurfa", "Битва", "Μάχη", "1,210 → 640 · ½"])
def test_rcpt_02_letters_of_many_scripts_are_shown(text: str) -> None:
    assert not np.array_equal(written(text), written("?" * len(text)))


def test_a_letter_without_a_font_is_a_question_mark() -> None:
    assert np.array_equal(written("a \U000e0fff\U0010fffe b"), written("a ?? b"))


def test_accents_without_a_font_are_left_out() -> None:
    assert np.array_equal(written("Z\U0001e8d0alg"), written("Zalg"))


def test_invisible_characters_are_not_drawn() -> None:
    assert np.array_equal(written("a\u202eb\x00c\ud800\u200b d\n e"), written("abc d e"))


@given(st.text(max_size=400), st.integers(8, 40))
def test_fitted_text_fits_its_width(text: str, size: int) -> None:
    assert text_width(fitted(text, size, 200), size) <= 200


def test_text_that_fits_is_left_alone() -> None:
    assert fitted("Battle of Hastings", 20, 500) == "Battle of Hastings"
    assert fitted("Battle of " + "x" * 900, 20, 200).startswith("Battle of x")
    assert fitted("x" * 900, 20, 200).endswith("x…")


def test_lines_are_higher_than_their_letters() -> None:
    assert text_height(20) >= 20
