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


def test_the_units_stand_in_their_hexes_and_the_battery_fires_at_the_attacker() -> None:
    outcome = HEXCOMBAT.resolve(fight(strength=10), Rng(3))
    places = outcome.places

    assert places is not None
    assert (places.title, places.is_hexes) == ("A fight", True)
    assert [(piece.label, piece.side, piece.x, piece.y) for piece in places.pieces] == [
        ("Tank A", "Attacker", 4, 5), ("Inf D", "Defender", 5, 5), ("Battery", "Defender", 6, 6),
    ]  # fmt: skip
    assert places.arrows == (PlacedArrow(0, 1, is_main=True), PlacedArrow(2, 0))
    assert "; ".join(places.lines) == outcome.summary


def test_who_is_destroyed_is_out() -> None:
    """HX-EX-26: 2 infantry are overrun, and nobody fires."""
    places = HEXCOMBAT.resolve(fight(), Rng(3)).places

    assert places is not None
    assert [(piece.notes[1:], piece.is_out) for piece in places.pieces] == [
        (("10 SP",), False), (("2 → 0 SP", "Destroyed"), True), (("10 SP",), False),
    ]  # fmt: skip
    assert places.arrows == (PlacedArrow(0, 1, is_main=True),)


def test_there_is_no_map_without_the_hexes_of_the_two() -> None:
    assert HEXCOMBAT.resolve(fight(own=""), Rng(3)).places is None
    assert HEXCOMBAT.resolve(fight(enemy="somewhere"), Rng(3)).places is None
    battery = HEXCOMBAT.resolve(fight(battery=""), Rng(3)).places
    assert battery is not None
    assert len(battery.pieces) == 2
