"""Maps of hex combats and of battles by degrees: what a moderator sees, read back from the pixels."""

from __future__ import annotations

import io

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from engine.place_map import PlacedArrow, PlacedPiece, PlaceMap
from sheets_algo.pictures.places import MARGIN, SIZE, UNIT, draw_places
from sheets_algo.pictures.strokes import INK, SIDE_COLOURS

ATTACKER, DEFENDER = (SIDE_COLOURS[side] for side in ("Attacker", "Defender"))


def two(*, is_hexes: bool = True, is_out: bool = False, x: float = 5, y: float = 5, title: str = "Combat") -> PlaceMap:
    """An attacker at 4,5 and a defender, by default in the hex below and to the right of it."""
    pieces = (
        PlacedPiece("Tanks", "Attacker", 4, 5, ("10 SP",)),
        PlacedPiece("Rifles", "Defender", x, y, ("10 → 4 SP",), is_out=is_out),
    )
    return PlaceMap(title, pieces, (PlacedArrow(0, 1, is_main=True),), ("Rifles: 6 killed",), is_hexes)


def pixels(places: PlaceMap) -> NDArray[np.uint8]:
    return np.asarray(Image.open(io.BytesIO(draw_places(places))).convert("RGB"))


def centre(image: NDArray[np.uint8], colour: tuple[int, int, int]) -> tuple[float, float]:
    """Middle of the pixels of a colour, across and down."""
    down, across = np.nonzero((image == colour).all(axis=2))
    return float(across.mean()), float(down.mean())


@pytest.mark.parametrize(
    ("x", "y", "to_the_right", "below"),
    [(5, 5, True, True), (5, 4, True, False), (3, 5, False, True), (3, 4, False, False)],
)
def test_hx_def_03_odd_columns_are_half_a_hex_lower(x: int, y: int, to_the_right: bool, below: bool) -> None:
    image = pixels(two(x=x, y=y))
    (own_across, own_down), (across, down) = centre(image, ATTACKER), centre(image, DEFENDER)

    assert (across > own_across, down > own_down) == (to_the_right, below)
    assert abs(down - own_down) / abs(across - own_across) == pytest.approx(1 / np.sqrt(3), rel=0.03)


def test_ci_base_04_north_is_up_and_east_to_the_right() -> None:
    image = pixels(two(is_hexes=False, x=10, y=11))
    (own_across, own_down), (across, down) = centre(image, ATTACKER), centre(image, DEFENDER)

    assert across - own_across == pytest.approx(own_down - down, rel=0.03)
    assert across > own_across


def test_pieces_in_one_place_are_drawn_side_by_side() -> None:
    image = pixels(two(x=4, y=5))
    (own_across, own_down), (across, down) = centre(image, ATTACKER), centre(image, DEFENDER)

    assert across - own_across > 2 * 2 * UNIT
    assert abs(down - own_down) < 2


def test_eliminated_units_are_crossed_out() -> None:
    here, gone = (np.count_nonzero((pixels(two(is_out=is_out)) == DEFENDER).all(axis=2)) for is_out in (False, True))

    assert gone < 0.85 * here


@pytest.mark.parametrize("is_hexes", [True, False])
def test_labels_hide_neither_pieces_nor_the_attack(is_hexes: bool) -> None:
    """The whole area of both squares has its colour, and the line between them is dark without a gap."""
    image = pixels(two(is_hexes=is_hexes, x=5, y=8))
    own, enemy = np.array(centre(image, ATTACKER)), np.array(centre(image, DEFENDER))
    between = [own + (enemy - own) * share for share in np.linspace(0.25, 0.75, 40)]

    for colour in (ATTACKER, DEFENDER):
        assert np.count_nonzero((image == colour).all(axis=2)) > 0.7 * (2 * 2 * UNIT) ** 2
    assert all(tuple(image[round(down), round(across)]) == INK for across, down in between)


def test_a_map_has_the_size_of_its_content_and_is_reproducible() -> None:
    places = two(title="A very long title of a combat that goes on and on " * 9)

    assert draw_places(places) == draw_places(places)
    assert pixels(places).shape[1] == 2 * (SIZE + 2 * MARGIN)


@pytest.mark.parametrize(("x", "y"), [(0, 0), (5_000, 9_999), (60, 5)])
def test_the_edge_of_the_map_and_far_hexes_can_be_drawn(x: float, y: float) -> None:
    image = pixels(two(x=x, y=y))

    assert np.count_nonzero((image == DEFENDER).all(axis=2)) > 0
