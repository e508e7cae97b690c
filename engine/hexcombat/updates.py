"""What a real combat writes back: every unit that took part, prestige, a hex blown up (section 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from engine.hexcombat.combat import Combat
from engine.hexcombat.fighter import Fighter
from engine.hexcombat.records import MOST_PRESTIGE, Facility, Side, Unit
from engine.outcome import Plain, Update

CHANGING: Mapping[str, tuple[Callable[[Fighter], Plain], Callable[[Fighter], Plain]]] = {
    "Strength": (lambda it: it.piece.unit.strength, lambda it: it.strength),
    "Suppressed": (lambda it: it.piece.unit.suppressed, lambda it: it.lasting),
    "Experience": (lambda it: it.piece.unit.experience, lambda it: it.experience),
    "Ammo": (lambda it: it.start_ammo, lambda it: it.ammo),
    "Fuel": (lambda it: it.start_fuel, lambda it: it.fuel),
    "Entrenchment": (lambda it: it.piece.unit.entrenchment, lambda it: it.entrenchment),
    "Hits": (lambda it: it.piece.unit.hits, lambda it: it.hits),
    "Sabotaged": (lambda it: it.piece.unit.sabotaged, lambda it: it.is_sabotaged),
    "Intercepted this turn": (lambda it: it.piece.unit.intercepted, lambda it: it.has_intercepted),
    "Supported this turn": (lambda it: it.piece.unit.supported, lambda it: it.has_supported),
    "Status": (lambda it: it.piece.unit.status, lambda it: it.status),
    "Displaced": (lambda it: it.piece.unit.displaced, lambda it: it.displaced),
}
"""Column of Hex Units to what stood there and what stands there now (HX-UPD)."""


def updates(combat: Combat) -> tuple[Update, ...]:
    """Every changed field, units in the order in which they took part (HX-NC-17)."""
    return (*(update for it in combat.units.values() for update in _of_unit(it)), *_of_hex(combat))


def _of_unit(it: Fighter) -> Iterator[Update]:
    for header, (was, now) in CHANGING.items():
        before, after = was(it), now(it)
        if before != after:
            yield Update(Unit.tab.name, it.name, header, before, after)


def _of_hex(combat: Combat) -> Iterator[Update]:
    """HX-STR: the owner's prestige, and a facility that has a row."""
    owner, facility = combat.inputs.facility_owner, combat.inputs.facility_row
    if owner is not None and combat.prestige_lost > 0:
        after = max(-MOST_PRESTIGE, owner.prestige - combat.prestige_lost)
        if after != owner.prestige:
            yield Update(Side.tab.name, owner.name, "Prestige", owner.prestige, after)
    if facility is not None and combat.is_blown:
        yield Update(Facility.tab.name, facility.hex, "Blown", facility.blown, True)
