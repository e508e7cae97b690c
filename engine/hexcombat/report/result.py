"""Results of a combat: one line, the request's own columns, the map of its places, and the updates (section 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from engine.hexcombat.combat.combat import Combat
from engine.hexcombat.combat.fire import losses_text
from engine.hexcombat.combat.losses import HexLosses
from engine.hexcombat.setup.fighter import Fighter
from engine.hexcombat.setup.hexes import Hex, hex_of
from engine.hexcombat.setup.records import MOST_PRESTIGE, Facility, HexSide, HexUnit
from engine.place_map import PlacedArrow, PlacedPiece, PlaceMap
from engine.ruleset import Plain, Update

HOLDS, SABOTAGED = "Holds", "Sabotaged"
CHANGING: Mapping[str, tuple[Callable[[Fighter], Plain], Callable[[Fighter], Plain]]] = {
    "Strength": (lambda fighter: fighter.piece.unit.strength, lambda fighter: fighter.strength),
    "Suppressed": (lambda fighter: fighter.piece.unit.suppressed, lambda fighter: fighter.lasting),
    "Experience": (lambda fighter: fighter.piece.unit.experience, lambda fighter: fighter.experience),
    "Ammo": (lambda fighter: fighter.start_ammo, lambda fighter: fighter.ammo),
    "Fuel": (lambda fighter: fighter.start_fuel, lambda fighter: fighter.fuel),
    "Entrenchment": (lambda fighter: fighter.piece.unit.entrenchment, lambda fighter: fighter.entrenchment),
    "Hits": (lambda fighter: fighter.piece.unit.hits, lambda fighter: fighter.hits),
    "Sabotaged": (lambda fighter: fighter.piece.unit.sabotaged, lambda fighter: fighter.is_sabotaged),
    "Intercepted this turn": (lambda fighter: fighter.piece.unit.intercepted, lambda fighter: fighter.has_intercepted),
    "Supported this turn": (lambda fighter: fighter.piece.unit.supported, lambda fighter: fighter.has_supported),
    "Status": (lambda fighter: fighter.piece.unit.status, lambda fighter: fighter.status),
    "Displaced": (lambda fighter: fighter.piece.unit.displaced, lambda fighter: fighter.displaced),
    "Turn": (lambda fighter: fighter.piece.unit.turn, lambda fighter: fighter.marks_turn),
}
"""Getters of the value before and after the combat by column of Hex Units (HX-UPD)."""


def fate_of(fighter: Fighter) -> str:
    """Return a unit's fate in this combat: `Destroyed`, `Retreated`, `Sabotaged` or `Holds`."""
    if not fighter.is_active:
        return fighter.status
    if fighter.displaced != fighter.piece.unit.displaced:
        return fighter.displaced
    return SABOTAGED if fighter.is_sabotaged and not fighter.piece.unit.sabotaged else HOLDS


def summary(combat: Combat) -> str:
    """Return `Infantry retreats: 4 killed, 5 suppressed; Tank: 1 killed, 0 suppressed`."""
    return "; ".join(_parts(combat))


def _parts(combat: Combat) -> Iterator[str]:
    for unit in (combat.enemy, combat.attacker):
        if unit is not None:
            fate = fate_of(unit)
            losses = losses_text(HexLosses(unit.kills_taken, unit.suppression_taken), combat.fate.is_real)
            yield f"{unit.name}{'' if fate == HOLDS else f' {fate.lower()}'}: {losses}"
    if combat.ending not in ("", *(fate_of(unit).lower() for unit in combat.units.values())):
        yield combat.ending
    if combat.prestige_lost and combat.inputs.facility_owner:
        yield f"{combat.inputs.facility_owner.name} loses {combat.prestige_lost} prestige"
    if combat.is_blown:
        yield f"{combat.inputs.facility} blown up"


def figures(combat: Combat) -> Mapping[str, Plain]:
    """Return the request's own columns: both units' losses (HX-LOS-6)."""
    own, enemy = combat.attacker, combat.enemy
    return {
        "Sequence": combat.sequence,
        "Attacker kills": own.kills_taken,
        "Attacker suppressed": own.suppression_taken,
        "Defender kills": enemy.kills_taken if enemy else 0,
        "Defender suppressed": enemy.suppression_taken if enemy else 0,
        "Result": summary(combat),
    }


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


def updates(combat: Combat) -> tuple[Update, ...]:
    """Return an update for every changed field, units in the order in which they took part (HX-NC-17)."""
    return (*(update for fighter in combat.units.values() for update in _unit_updates(fighter)), *_hex_updates(combat))


def _unit_updates(fighter: Fighter) -> Iterator[Update]:
    for header, (get_before, get_after) in CHANGING.items():
        before, after = get_before(fighter), get_after(fighter)
        if before != after:
            yield Update(HexUnit.tab.name, fighter.name, header, before, after)


def _hex_updates(combat: Combat) -> Iterator[Update]:
    """Yield the updates of the owner's prestige and of a facility that has a row (HX-STR)."""
    owner, facility = combat.inputs.facility_owner, combat.inputs.facility_row
    if owner is not None and combat.prestige_lost > 0:
        after = max(-MOST_PRESTIGE, owner.prestige - combat.prestige_lost)
        if after != owner.prestige:
            yield Update(HexSide.tab.name, owner.name, "Prestige", owner.prestige, after)
    if facility is not None and combat.is_blown:
        yield Update(Facility.tab.name, facility.hex, "Blown", facility.blown, True)
