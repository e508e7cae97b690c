"""What became of a combat, in a line and in the request's own columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.hexcombat.combat import Combat
from engine.hexcombat.fighter import Fighter
from engine.hexcombat.fire import done
from engine.hexcombat.losses import Losses
from engine.outcome import Plain


def fate_of(it: Fighter) -> str:
    """`Destroyed`, `Retreated`, `Sabotaged`, or `Holds`: what became of a unit in this combat."""
    if not it.is_active:
        return it.status
    if it.displaced != it.piece.unit.displaced:
        return it.displaced
    return SABOTAGED if it.is_sabotaged and not it.piece.unit.sabotaged else HOLDS


HOLDS, SABOTAGED = "Holds", "Sabotaged"


def summary(combat: Combat) -> str:
    """`Infantry retreats: 4 killed, 5 suppressed; Tank: 1 killed, 0 suppressed`."""
    return "; ".join(_parts(combat))


def _parts(combat: Combat) -> Iterator[str]:
    for it in (combat.enemy, combat.attacker):
        if it is not None:
            fate = fate_of(it)
            losses = done(Losses(it.kills_taken, it.suppression_taken), combat.fate.is_real)
            yield f"{it.name}{'' if fate == HOLDS else f' {fate.lower()}'}: {losses}"
    if combat.ending not in ("", *(fate_of(it).lower() for it in combat.units.values())):
        yield combat.ending
    if combat.prestige_lost and combat.inputs.facility_owner:
        yield f"{combat.inputs.facility_owner.name} loses {combat.prestige_lost} prestige"
    if combat.is_blown:
        yield f"{combat.inputs.facility} blown up"


def figures(combat: Combat) -> Mapping[str, Plain]:
    """The request's own columns: what each side suffered (HX-LOS-6)."""
    own, enemy = combat.attacker, combat.enemy
    return {
        "Sequence": combat.sequence,
        "Attacker kills": own.kills_taken,
        "Attacker suppressed": own.suppression_taken,
        "Defender kills": enemy.kills_taken if enemy else 0,
        "Defender suppressed": enemy.suppression_taken if enemy else 0,
        "Result": summary(combat),
    }
