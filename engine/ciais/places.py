"""Map of a battle: both units, and the bases or outposts that supply them (CI-LOG-02)."""

from __future__ import annotations

from engine.ciais.battle import ATTACKER, DEFENDER, CiaisFighter, Meeting
from engine.ciais.supply import CIRCLE
from engine.ciais.tables import YES, CiaisConstants
from engine.decimals import printed
from engine.place_map import PlacedArrow, PlacedPiece, PlaceMap


def place_map(fought: Meeting, title: str, result: str, constants: CiaisConstants) -> PlaceMap:
    """Return the units of a battle and their supply, by longitude and latitude."""
    attacker, defender = fought.fighters
    middle = attacker.unit.longitude if constants.lon_wrap == YES else 0.0
    _, loser = fought.sides
    lost = [fighter for fighter in (attacker, defender) if fighter.is_dead or (fought.winner and fighter is loser)]
    pieces = [
        *_unit_and_supply(attacker, ATTACKER, middle, is_out=attacker in lost),
        *_unit_and_supply(defender, DEFENDER, middle, is_out=defender in lost),
    ]
    arrows = (PlacedArrow(0, 2, is_main=True), PlacedArrow(1, 0), PlacedArrow(3, 2))
    return PlaceMap(title, tuple(pieces), arrows, tuple(result.split("; ")), is_hexes=False)


def _unit_and_supply(fighter: CiaisFighter, side: str, middle: float, *, is_out: bool) -> tuple[PlacedPiece, ...]:
    unit, site = fighter.unit, fighter.supply.site
    notes = (unit.owner, f"{fighter.type.name}, {printed(fighter.before)} → {printed(fighter.after)}")
    away = f"{site.kind}, {printed(fighter.supply.distance)}° away"
    return (
        PlacedPiece(unit.name, side, _near(unit.longitude, middle), unit.latitude, notes, is_out=is_out),
        PlacedPiece(
            site.name, side, _near(site.longitude or 0.0, middle), site.latitude or 0.0, (away,), is_unit=False
        ),
    )


def _near(longitude: float, middle: float) -> float:
    """Return a longitude within half a circle of another one, beyond 180° if the date line is between them."""
    circle = float(CIRCLE)
    return middle + (longitude - middle + circle / 2) % circle - circle / 2 if middle else longitude
