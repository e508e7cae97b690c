"""Map of a combat, from the places in the units' rows (HX-DEF-03)."""

from __future__ import annotations

from engine.hexcombat.combat.combat import Combat
from engine.hexcombat.report.result import fate_of, summary
from engine.hexcombat.setup.fighter import Fighter
from engine.hexcombat.setup.hexes import Hex, hex_of
from engine.place_map import PlacedArrow, PlacedPiece, PlaceMap


def place_map(combat: Combat) -> PlaceMap | None:
    """Return the units of a combat in their hexes before it; None unless the Attacker and its target have one."""
    own, enemy = combat.attacker, combat.enemy
    if enemy is None:
        return None
    fighters = [own, enemy, *(unit for unit in combat.units.values() if unit not in (own, enemy))]
    placed = [(unit, hex) for unit in fighters if (hex := hex_of(unit.piece.unit.hex)) is not None]
    units = [unit for unit, _ in placed]
    if own not in units or enemy not in units:
        return None
    support = [PlacedArrow(number, 0) for number, unit in enumerate(units) if number > 1 and unit.has_fired]
    return PlaceMap(
        title=" ".join(combat.inputs.name.split()),
        pieces=tuple(_piece(unit, hex, own) for unit, hex in placed),
        arrows=(PlacedArrow(0, 1, is_main=True), *support),
        lines=tuple(summary(combat).split("; ")),
        is_hexes=True,
    )


def _piece(unit: Fighter, hex: Hex, attacker: Fighter) -> PlacedPiece:
    before, fate = unit.piece.unit.strength, fate_of(unit)
    strength = f"{before} SP" if unit.strength == before else f"{before} → {unit.strength} SP"
    notes = (f"{unit.piece.type.unit_class}, {unit.ground.terrain.name}", strength)
    return PlacedPiece(
        label=unit.name,
        side="Attacker" if unit.side == attacker.side else "Defender",
        x=hex.column,
        y=hex.row,
        notes=notes if fate == "Holds" else (*notes, fate),
        is_out=not unit.is_active,
    )
