"""Maps of battles: both units, what supplies them, and who is lost."""

from __future__ import annotations

from engine.place_map import PlacedArrow
from tests.games.ciais.engine.games import battle, end_round, ruled, site, unit


def test_the_map_has_units_and_their_supply() -> None:
    places = ruled(battle(roll=1)).places

    assert places is not None
    assert [piece.side for piece in places.pieces] == ["Attacker", "Attacker", "Defender", "Defender"]
    assert [piece.is_unit for piece in places.pieces] == [True, False, True, False]
    assert [piece.is_out for piece in places.pieces] == [False, False, True, False]
    assert places.arrows == (PlacedArrow(0, 2, is_main=True), PlacedArrow(1, 0), PlacedArrow(3, 2))
    assert not places.is_hexes


def test_ci_op_09_the_map_continues_over_the_date_line() -> None:
    """From 179° E to 178° W: three degrees, not 357."""
    inputs = battle(
        units=(unit(longitude=179), unit("Guard", "Bola", longitude=-178)),
        sites=(site(longitude=179), site("Far", "Bola", longitude=-177.5)),
    )
    places = ruled(inputs).places

    assert places is not None
    assert [piece.x for piece in places.pieces] == [179, 179, 182, 182.5]


def test_other_orders_have_no_map() -> None:
    assert ruled(end_round()).places is None
