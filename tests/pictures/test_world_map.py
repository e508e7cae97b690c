"""The map of the game: what a bucket fills, faulty pixels, and where names lie (MAP-09, LOC-20, LOC-21)."""

from __future__ import annotations

from collections import deque
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from engine.place_map import MapPlace
from sheets_algo.pictures.areas import NEAR, Areas, Pixels, areas_of, connected, fitting_boxes
from sheets_algo.pictures.map_names import NameBoxes
from sheets_algo.pictures.world_map import WorldScene, draw_world

GAP = "it is the sea, or a border has a gap"
WHITE, BLACK, SEA = (255, 255, 255), (0, 0, 0), (200, 220, 235)


def drawing(width: int = 300, height: int = 200) -> Pixels:
    """Four quarters of white land between black lines, in a sea that a coast of three pixels keeps out."""
    pixels = np.full((height, width, 3), SEA, np.uint8)
    pixels[20:-20, 20:-20] = BLACK
    for rows in (slice(23, height // 2 - 1), slice(height // 2 + 2, -23)):
        for columns in (slice(23, width // 2 - 1), slice(width // 2 + 2, -23)):
            pixels[rows, columns] = WHITE
    return pixels


PLACES = (MapPlace("North", 60, 50), MapPlace("East", 200, 50), MapPlace("South", 60, 150), MapPlace("West", 200, 150))


def faults(pixels: Pixels, *places: MapPlace) -> dict[str, str]:
    return dict(areas_of(pixels, places).faults)


def filled(pixels: Pixels, x: int, y: int) -> set[tuple[int, int]]:
    """What a bucket fills, pixel by pixel."""
    height, width = pixels.shape[:2]
    inside, queue = {(y, x)}, deque([(y, x)])
    while queue:
        row, column = queue.popleft()
        for there in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            if there not in inside and 0 <= there[0] < height and 0 <= there[1] < width:
                difference = np.abs(pixels[there].astype(int) - pixels[row, column].astype(int)).max()
                if difference <= NEAR:
                    inside.add(there)
                    queue.append(there)
    return inside


@given(
    arrays(
        np.uint8, st.tuples(st.integers(1, 9), st.integers(1, 9), st.just(3)), elements=st.sampled_from([0, 7, 14, 200])
    ),
    st.data(),
)
def test_map_09_an_area_is_filled_like_by_a_paint_bucket(pixels: Pixels, data: st.DataObject) -> None:
    y, x = data.draw(st.integers(0, pixels.shape[0] - 1)), data.draw(st.integers(0, pixels.shape[1] - 1))
    parts = connected(pixels)

    assert {tuple(place) for place in np.argwhere(parts == parts[y, x]).tolist()} == filled(pixels, x, y)


@given(arrays(np.bool_, st.tuples(st.integers(1, 12), st.integers(1, 12))), st.integers(1, 5), st.integers(1, 5))
def test_name_boxes_are_inside_the_mask(mask: np.ndarray, height: int, width: int) -> None:
    fits = fitting_boxes(mask, height, width)
    rows, columns = mask.shape

    for top in range(max(0, rows - height + 1)):
        for left in range(max(0, columns - width + 1)):
            assert fits[top, left] == mask[top : top + height, left : left + width].all()


def test_four_places_have_four_areas_without_problems() -> None:
    areas = areas_of(drawing(), PLACES)

    assert areas.names == ("North", "East", "South", "West")
    assert not areas.faults
    assert len({int(areas.labels[place.y, place.x]) for place in PLACES}) == 4
    assert areas.labels[5, 5] == -1


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        (MapPlace("Far", 300, 50), "pixel 300, 50 is outside the map of 300 x 200 pixels"),
        (MapPlace("Twin", 70, 60), "pixel 70, 60 is in the area of North, or a border between them has a gap"),
        (MapPlace("Line", 21, 100), "pixel 21, 100 is on a border, not inside an area"),
        (MapPlace("Wet", 5, 5), f"the area of pixel 5, 5 takes 31 % of the map up to its edges: {GAP}"),
    ],
    ids=["outside", "two in one area", "on a border", "in the sea"],
)  # fmt: skip
def test_map_09_a_pixel_outside_its_own_area_is_reported(place: MapPlace, fault: str) -> None:
    assert faults(drawing(), *PLACES, place) == {place.name: fault}


def test_map_09_land_leaking_into_the_sea_and_gaps_are_reported() -> None:
    pixels = drawing()
    pixels[100 - 2 : 102, 40:44] = WHITE  # between North and South
    leaking = drawing()
    leaking[:24, 50:53] = SEA
    leaking[20:60, 50:53] = SEA
    leaking[23:99, 23:149][(leaking[23:99, 23:149] == 255).all(axis=2)] = SEA

    assert faults(pixels, *PLACES) == {
        "South": "pixel 60, 150 is in the area of North, or a border between them has a gap"
    }
    assert "takes 47 % of the map up to its edges" in faults(leaking, *PLACES)["North"]


def test_a_large_land_in_a_corner_is_not_the_sea() -> None:
    pixels = np.full((200, 300, 3), 90, np.uint8)
    pixels[:120, :180] = WHITE

    assert faults(pixels, MapPlace("Steppe", 60, 50)) == {}
    assert "takes 64 % of the map" in faults(pixels, MapPlace("All around", 250, 150))["All around"]


def test_two_fleets_may_share_the_sea() -> None:
    fleets = MapPlace("Off North", 5, 5, is_sea=True), MapPlace("Off South", 5, 190, is_sea=True)

    assert faults(drawing(), *PLACES, *fleets) == {}


@pytest.mark.parametrize("noise", [3, 8])
def test_the_noise_of_a_jpeg_divides_no_area(noise: int) -> None:
    pixels = drawing().astype(int)
    pixels = pixels - np.random.default_rng(1).integers(0, noise + 1, pixels.shape[:2])[..., None]

    assert faults(np.clip(pixels, 0, 255).astype(np.uint8), *PLACES) == {}


def picture(areas: Areas, holders: dict[str, tuple[str, str]], **how: bool) -> np.ndarray:
    colours = {"Aland": (52, 115, 176), "Bland": (204, 111, 44)}
    scene = WorldScene("A season", "1071", holders, colours, {"Aland": "North"})
    return np.asarray(Image.open(BytesIO(draw_world(drawing(), areas, scene, **how))).convert("RGB"))


def test_map_09_an_area_has_the_colour_of_its_owner_and_stripes_of_its_occupier() -> None:
    areas = areas_of(drawing(), PLACES)
    owned, occupied = (
        picture(areas, {"East": ("Aland", occupier), "West": ("Bland", "")}, is_bare=True) for occupier in ("", "Bland")
    )
    scale = owned.shape[1] // 300
    columns = slice(160 * scale, 260 * scale)
    east, west = (slice(first * scale, (first + 8) * scale) for first in (26, 166))  # where no name lies
    (blue,), (orange,) = ({tuple(pixel) for pixel in owned[part, columns].reshape(-1, 3)} for part in (east, west))
    stripes = {tuple(pixel) for pixel in occupied[east, columns].reshape(-1, 3)}

    assert {blue, orange} < stripes
    assert blue[2] > blue[0]
    assert orange[0] > orange[2]
    assert (owned[east, 40 * scale : 140 * scale] == 255).all()  # nobody's, as it was drawn


def test_names_are_inside_their_areas_and_touch_nothing() -> None:
    areas = areas_of(drawing(900, 600), [MapPlace(place.name, 3 * place.x, 3 * place.y) for place in PLACES])
    boxes = NameBoxes(areas)
    taken = np.zeros(areas.labels.shape, int)
    for name in areas.names:
        for size in ((200, 60), (120, 40)):
            spot = boxes.in_area(name, *size)
            assert spot is not None
            box = slice(spot[1], spot[1] + size[1]), slice(spot[0], spot[0] + size[0])
            assert (areas.labels[box] == areas.names.index(name)).all()
            taken[box] += 1

    assert taken.max() == 1
    assert boxes.in_area("North", 900, 20) is None


def test_a_map_of_one_pixel_and_a_map_without_places_can_be_drawn() -> None:
    for pixels in (np.zeros((1, 1, 3), np.uint8), np.full((2, 700, 3), 255, np.uint8)):
        scene = WorldScene("", "", {}, {}, {})
        assert draw_world(pixels, areas_of(pixels, []), scene).startswith(b"\x89PNG")
