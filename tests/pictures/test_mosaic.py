"""A battle as coloured cells: the ground that prevails, the flanks on it, and what the colours stand for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.battle_map import Mark, Moment, Scene
from engine.terrain import terrain_map
from sheets_algo.pictures.mosaic import legend, mosaics
from sheets_algo.workbook.base import Mosaic
from tests.helpers.real_terrain import LEGEND

CYAN, RED, DARK_CYAN, DARK_RED = "00FFFF", "FF0000", "007373", "730000"
WHITE, SEA = "FFFFFF", "80ACFF"
"""Plain, and Water (0, 90, 255) with half of its colour: 127.5 and 172.5, rounded to even numbers."""
GREEN, BLOOD, BLACK = "009E73", "B00020", "000000"
"""STRAT-10: ready, routed, nobody left."""


def ground(*seas: tuple[slice, slice]) -> np.ndarray:
    picture = np.full((400, 400, 3), 255, np.uint8)
    for rows, columns in seas:
        picture[rows, columns] = (0, 90, 255)
    return picture


def scene(
    *flanks: tuple[str, str, float, float, int], ends: tuple[tuple[float, float, int, str], ...], **more
) -> Scene:
    before = tuple(Mark(side, label, x, y, size, "Idle") for side, label, x, y, size in flanks)
    after = tuple(
        replace(mark, x=x, y=y, size=size, status=status)
        for mark, (x, y, size, status) in zip(before, ends, strict=True)
    )
    terrain = terrain_map("Shore", more.get("ground", ground()), LEGEND)
    return Scene("War", "A against B", terrain, LEGEND, 0.25, (Moment("Before", 0, before), Moment("After", 9, after)))


def two(ends: tuple[tuple[float, float, int, str], ...], **more) -> Scene:
    """Two flanks 20 pixels apart: the view is 64 pixels around (200, 200), from (168, 168)."""
    return scene(("Attacker", "Left", 200.5, 190.5, 3000), ("Defender", "Host", 200.5, 210.5, 2000), ends=ends, **more)


STAYED = ((200.5, 190.5, 2500, "Ready"), (200.5, 210.5, 900, "Routed"))


def cells_of(mosaic: Mosaic, colour: str) -> set[tuple[int, int]]:
    return {
        (row, column) for row, line in enumerate(mosaic.colours) for column, found in enumerate(line) if found == colour
    }


def square(row: int, column: int) -> set[tuple[int, int]]:
    return {(row + down, column + across) for down in (-1, 0, 1) for across in (-1, 0, 1)}


def test_a_small_battles_cells_are_the_maps_pixels_and_a_flank_is_a_square_of_its_sides_colour() -> None:
    before, after = mosaics(two(STAYED))

    assert (before.title, after.title) == ("Before the battle", "After the battle")
    assert [len(row) for row in before.colours] == [64] * 64
    assert cells_of(before, CYAN) == square(22, 32)
    assert cells_of(before, RED) == square(42, 32)
    assert before.marks == {(22, 34): "Left", (42, 34): "Host"}


def test_map_07_strat_10_after_the_battle_a_routed_flank_is_darker_and_each_heart_shows_its_end() -> None:
    _, after = mosaics(two(STAYED))

    assert cells_of(after, CYAN) == square(22, 32) - {(22, 32)}
    assert cells_of(after, DARK_RED) == square(42, 32) - {(42, 32)}
    assert cells_of(after, GREEN) == {(22, 32)}
    assert cells_of(after, BLOOD) == {(42, 32)}
    assert not cells_of(after, RED)


def test_what_prevails_in_a_cell_is_shown_and_of_two_equals_the_legends_first() -> None:
    """At 16 cells a map each cell is 4 x 4 pixels, the first at (168, 168)."""
    half = (slice(168, 170), slice(168, 172))  # 8 of the first cell's 16 pixels
    most = (slice(168, 171), slice(172, 175))  # 9 of the second's
    before, _ = mosaics(two(STAYED, ground=ground(half, most)), most=16)

    assert len(before.colours) == 16
    assert before.colours[0][:3] == [WHITE, SEA, WHITE]


def test_flanks_in_one_place_are_moved_apart() -> None:
    met = ((200.5, 200.5, 2500, "Ready"), (200.5, 200.5, 0, "Inactive"))
    _, after = mosaics(two(met))

    assert len(cells_of(after, CYAN)) == 8
    assert len(cells_of(after, RED)) == 8
    assert len(cells_of(after, BLACK)) == 1


def test_a_flank_that_fled_out_of_the_view_stands_at_its_edge() -> None:
    fled = ((200.5, 190.5, 2500, "Ready"), (200.5, 390.5, 300, "Retreating"))
    _, after = mosaics(two(fled))

    assert cells_of(after, RED) == square(62, 32) - {(62, 32)}


def test_a_hundred_flanks_are_single_cells_and_every_label_stands_somewhere() -> None:
    flanks = [("Attacker", f"A{number}", 150.5 + 2 * number, 190.5, 100) for number in range(50)]
    flanks += [("Defender", f"D{number}", 150.5 + 2 * number, 210.5, 100) for number in range(50)]
    before, after = mosaics(scene(*flanks, ends=tuple((x, y, 100, "Ready") for _, _, x, y, _ in flanks)))

    for mosaic in (before, after):
        assert len(cells_of(mosaic, CYAN)) + len(cells_of(mosaic, RED)) > 90
        labels = {label for mark in mosaic.marks.values() for label in mark.split(", ")}
        assert labels == {label for _, label, _, _, _ in flanks}


def test_a_line_of_many_flanks_stays_one_line_before_the_battle() -> None:
    line = [("Attacker", f"A{number}", 180.5 + 2 * number, 190.5, 100) for number in range(12)]
    flanks = [*line, ("Defender", "D", 200.5, 210.5, 100)]
    before, _ = mosaics(scene(*flanks, ends=tuple((x, y, 100, "Ready") for _, _, x, y, _ in flanks)))

    assert len(cells_of(before, CYAN)) == 12
    assert len({row for row, _ in cells_of(before, CYAN)}) == 1


def test_a_long_label_is_cut() -> None:
    battle = scene(("Attacker", "The Host of the North", 200.5, 200.5, 1), ends=((200.5, 200.5, 1, "Ready"),))

    assert [*mosaics(battle)[0].marks.values()] == ["The Host of t…"]


@pytest.mark.parametrize("side", [64, 100, 399, 400])
def test_no_map_has_more_cells_than_were_asked_for(side: int) -> None:
    edge = 200.5 + side / 1.5 / 2 - 1
    battle = scene(
        ("Attacker", "Far", edge, 200.5, 1),
        ("Defender", "Near", 401 - edge, 200.5, 1),
        ends=((edge, 200.5, 1, "Ready"), (401 - edge, 200.5, 1, "Ready")),
    )
    for most in (10, 64, 100):
        for mosaic in mosaics(battle, most):
            assert len(mosaic.colours) == len(mosaic.colours[0]) <= most
            assert all(
                0 <= row < len(mosaic.colours) and 0 <= column < len(mosaic.colours) for row, column in mosaic.marks
            )


def test_the_legend_names_the_sides_with_their_men_the_ends_and_the_ground_that_is_seen() -> None:
    shore = (slice(168, 180), slice(168, 232))

    assert legend(two(STAYED, ground=ground(shore))) == (
        (CYAN, "Attacker, 3,000 → 2,500 men"),
        (RED, "Defender, 2,000 → 900 men"),
        (GREEN, "Ready: still fighting"),
        (BLOOD, "Routed (darker)"),
        (WHITE, "Plain"),
        (SEA, "Water"),
    )
