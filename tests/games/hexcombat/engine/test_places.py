"""Maps of combats: who stands where, who fires at whom, and what became of them."""

from __future__ import annotations

from dataclasses import replace

from engine.hexcombat.setup.inputs import CombatInputs, Piece, Supporter
from engine.place_map import PlacedArrow
from engine.rng import Rng
from tests.games.hexcombat.engine.battles import ART, HEXCOMBAT, INF, TANK, attacker, combat, defender, supporter


def at(piece: Piece, hex: str) -> Piece:
    return replace(piece, unit=replace(piece.unit, hex=hex))


def fight(own: str = "4,5", enemy: str = "(5; 5)", battery: str = "6,6", strength: int = 2) -> CombatInputs:
    gun = supporter(ART, "Battery", 2)
    support = Supporter(piece=at(gun.piece, battery), distance=2)
    found = combat(at(attacker(TANK), own), at(defender(INF, strength=strength), enemy), fire_support=(support,))
    return replace(found, name="A\nfight")


def test_the_map_has_units_in_their_hexes_and_arrows_of_fire() -> None:
    outcome = HEXCOMBAT.resolve(fight(strength=10), Rng(3))
    places = outcome.places

    assert places is not None
    assert (places.title, places.is_hexes) == ("A fight", True)
    assert [(piece.label, piece.side, piece.x, piece.y) for piece in places.pieces] == [
        ("Tank A", "Attacker", 4, 5), ("Inf D", "Defender", 5, 5), ("Battery", "Defender", 6, 6),
    ]  # fmt: skip
    assert places.arrows == (PlacedArrow(0, 1, is_main=True), PlacedArrow(2, 0))
    assert "; ".join(places.lines) == outcome.summary


def test_a_destroyed_unit_is_marked_as_out() -> None:
    """HX-EX-26: 2 infantry are overrun, and nobody fires."""
    places = HEXCOMBAT.resolve(fight(), Rng(3)).places

    assert places is not None
    assert [(piece.notes[1:], piece.is_out) for piece in places.pieces] == [
        (("10 SP",), False), (("2 → 0 SP", "Destroyed"), True), (("10 SP",), False),
    ]  # fmt: skip
    assert places.arrows == (PlacedArrow(0, 1, is_main=True),)


def test_a_map_requires_the_hexes_of_both_units() -> None:
    assert HEXCOMBAT.resolve(fight(own=""), Rng(3)).places is None
    assert HEXCOMBAT.resolve(fight(enemy="somewhere"), Rng(3)).places is None
    battery = HEXCOMBAT.resolve(fight(battery=""), Rng(3)).places
    assert battery is not None
    assert len(battery.pieces) == 2
