"""Bombs on stores, on cities and on hexes (HX-BOM, HX-STR)."""

from __future__ import annotations

from engine.hexcombat import purposes
from engine.hexcombat.combat import Combat
from engine.hexcombat.fighter import Fighter
from engine.hexcombat.inputs import BARRAGE, NO_FACILITY
from engine.hexcombat.numbers import div

OWNED = ("City", "Port", "Airfield")
"""Facilities whose owner loses prestige, and that can be blown up in combat (HX-STR-1, HX-STR-2)."""
ROADS = ("Road", "Bridge")
"""What only a barrage blows up (HX-OP-37)."""


def effect(it: Fighter, *, is_bad_weather: bool) -> int:
    """HX-BOM-1 and HX-BOM-2: how much a bomber does to stores."""
    bombs = div(it.unsuppressed * it.values.bomb_code, 10)
    return div(bombs, 2) + 5 * it.bars if is_bad_weather else bombs + 10 * it.bars


def bomb_unit(combat: Combat) -> None:
    """HX-BOM-3 ... HX-BOM-5: the Defender loses fuel and ammo and is suppressed for longer than this combat."""
    own, enemy = combat.attacker, combat.defender
    bombs = effect(own, is_bad_weather=combat.is_bad_weather)
    fuel, ammo = lost_fuel(enemy, bombs), lost_ammo(enemy, bombs)
    enemy.fuel -= fuel
    enemy.ammo -= ammo
    combat.account.tell("Bombs", f"effect {bombs}: fuel −{fuel}, ammo −{ammo}", "HX-BOM-1", "bombs", bombs, own)
    low, high = suppression(enemy.strength, is_barrage=combat.inputs.kind == BARRAGE)
    points = combat.fate.points(low, high, "Lasting suppression", "HX-BOM-5", purposes.SUPPRESSION)
    if points is not None:
        took = enemy.suppress_lastingly(points)
        combat.account.tell(
            "Lasting suppression", f"{enemy.name} {took} of {low} to {high}", "HX-BOM-5", "suppressed", took, enemy
        )


def lost_fuel(it: Fighter, bombs: int) -> int:
    """HX-BOM-3: one full move is always left."""
    if not it.uses_fuel:
        return 0
    return max(0, min(div(bombs * it.piece.type.max_fuel, 100), it.fuel - it.values.movement))


def lost_ammo(it: Fighter, bombs: int) -> int:
    """HX-BOM-4: one shot is always left."""
    if not it.uses_ammo:
        return 0
    return max(0, min(div(div(bombs, 2) * it.piece.type.max_ammo, 100), it.ammo - 1))


def suppression(strength: int, *, is_barrage: bool) -> tuple[int, int]:
    """HX-BOM-5, HX-OP-31: least and most points."""
    return (1 if is_barrage else max(1, div(strength, 3))), strength


def bomb_hex(combat: Combat) -> None:
    """HX-STR: what happens to the facility in the hex that is attacked."""
    if combat.inputs.facility == NO_FACILITY or (combat.inputs.facility_row and combat.inputs.facility_row.blown):
        return
    _prestige(combat)
    _blow(combat)


def _prestige(combat: Combat) -> None:
    """HX-STR-1: level bombers, in a barrage whoever bombs (HX-BAR-3), cost the enemy prestige (HX-OP-36)."""
    inputs, own = combat.inputs, combat.attacker
    is_bomber = inputs.kind == BARRAGE or combat.says("bombs stores")
    owner = inputs.facility_owner
    allowed = combat.tables.facts.constants.allow_barrage_fire
    if not (is_bomber and allowed and inputs.facility in OWNED and owner and owner.name != own.side):
        return
    bombs = prestige_effect(own, is_bad_weather=combat.is_bad_weather)
    least = combat.tables.facts.constants.prestige_least
    what = f"Prestige of {owner.name}"
    lost = combat.fate.points(div(bombs, 4), div(bombs, 2), what, "HX-STR-1", purposes.PRESTIGE, least)  # HX-OP-31
    if lost is not None:
        combat.prestige_lost = lost
        text = f"−{combat.prestige_lost} (effect {bombs}, at least {least})"
        combat.account.tell(what, text, "HX-STR-1", "prestige", -combat.prestige_lost)


def prestige_effect(it: Fighter, *, is_bad_weather: bool) -> int:
    """HX-STR-1."""
    return div(it.unsuppressed * it.values.bomb_code, 10) + (5 if is_bad_weather else 10) * it.bars


def _blow(combat: Combat) -> None:
    """HX-STR-2 ... HX-STR-4."""
    is_barrage = combat.inputs.kind == BARRAGE
    blowable = (*OWNED, *ROADS) if is_barrage else OWNED
    scene = combat.scene()
    target = combat.enemy or combat.attacker  # nobody asks about P here, and a barrage may have none
    if combat.inputs.facility not in blowable or not combat.tables.says("may blow up", combat.attacker, target, scene):
        return
    percent = blow_percent(combat, is_barrage=is_barrage)
    what = f"Blowing up the {combat.inputs.facility.lower()}"
    combat.is_blown = combat.fate.happens(percent, what, "HX-STR-4", purposes.BLOW)


def blow_percent(combat: Combat, *, is_barrage: bool) -> int:
    """HX-STR-3: a barrage does it best; mines help, bad weather hinders."""
    own, constants = combat.attacker, combat.tables.facts.constants
    percent = div(own.unsuppressed * own.values.bomb_code, 30)
    if not is_barrage:
        percent = div(percent, 5) + div(own.unsuppressed * own.bars, 5)
        percent += constants.blow_leader if own.piece.unit.leaders else 0
    if combat.is_bad_weather:
        percent = div(percent, 2)
    percent += constants.blow_mined if combat.inputs.target.mined else 0
    return min(percent, constants.blow_most)
