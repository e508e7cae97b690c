"""Distances counted out on a map whose odd columns lie half a hex lower."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.hexcombat.setup.hexes import Hex, distance, within

hexes = st.builds(Hex, st.integers(0, 60), st.integers(0, 60))


def test_hx_def_03_distance_counts_hexes() -> None:
    cases = [
        (Hex(4, 5), Hex(4, 5), 0),
        (Hex(4, 5), Hex(4, 6), 1),
        (Hex(4, 5), Hex(5, 5), 1),  # below and to the right of an even column: the same row number
        (Hex(4, 5), Hex(5, 4), 1),
        (Hex(4, 5), Hex(5, 6), 2),
        (Hex(5, 5), Hex(6, 5), 1),
        (Hex(5, 5), Hex(6, 6), 1),
        (Hex(5, 5), Hex(6, 4), 2),
        (Hex(0, 0), Hex(6, 3), 6),  # six columns take three rows along
        (Hex(0, 0), Hex(6, 5), 8),
        (Hex(14, 6), Hex(17, 7), 3),
    ]
    assert [(one, other, distance(one, other)) for one, other, _ in cases] == cases


@given(hexes, hexes)
def test_distance_is_symmetric(one: Hex, other: Hex) -> None:
    assert distance(one, other) == distance(other, one)


@given(hexes)
def test_six_hexes_are_adjacent(one: Hex) -> None:
    around = [Hex(one.column + column, one.row + row) for column in (-1, 0, 1) for row in (-1, 0, 1)]

    assert sum(distance(one, other) == 1 for other in around) == 6


@given(hexes, st.integers(0, 5))
def test_within_yields_all_hexes_in_reach(centre: Hex, reach: int) -> None:
    near = [
        Hex(column, row) for column in range(70) for row in range(70) if distance(Hex(column, row), centre) <= reach
    ]

    assert sorted(within(centre, reach), key=str) == sorted(near, key=str)


@given(hexes, hexes, hexes)
def test_distance_obeys_the_triangle_inequality(one: Hex, other: Hex, third: Hex) -> None:
    assert distance(one, other) <= distance(one, third) + distance(third, other)
