"""Updates after a real combat: units, prestige, and a facility blown up (section 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from engine.hexcombat.combat.combat import Combat
from engine.hexcombat.setup.fighter import Fighter
from engine.hexcombat.setup.records import MOST_PRESTIGE, Facility, HexSide, HexUnit
from engine.ruleset import Plain, Update

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
