"""Results of a combat, as one line and as the request's own columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.hexcombat.combat.combat import Combat
from engine.hexcombat.combat.fire import losses_text
from engine.hexcombat.combat.losses import HexLosses
from engine.hexcombat.setup.fighter import Fighter
from engine.ruleset import Plain


def fate_of(fighter: Fighter) -> str:
    """Return a unit's fate in this combat: `Destroyed`, `Retreated`, `Sabotaged` or `Holds`."""
    if not fighter.is_active:
        return fighter.status
    if fighter.displaced != fighter.piece.unit.displaced:
        return fighter.displaced
    return SABOTAGED if fighter.is_sabotaged and not fighter.piece.unit.sabotaged else HOLDS


HOLDS, SABOTAGED = "Holds", "Sabotaged"


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
