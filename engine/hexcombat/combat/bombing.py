"""Bombs on units' stores, on facilities and on hexes (HX-BOM, HX-STR)."""

from __future__ import annotations

from engine.hexcombat.combat.combat import Combat
from engine.hexcombat.setup import purposes
from engine.hexcombat.setup.fighter import Fighter
from engine.hexcombat.setup.inputs import BARRAGE, NO_FACILITY
from engine.hexcombat.setup.numbers import div

OWNED = ("City", "Port", "Airfield")
"""Facilities whose owner loses prestige and that can be blown up in combat (HX-STR-1, HX-STR-2)."""
ROADS = ("Road", "Bridge")
"""Facilities that only a barrage blows up (HX-OP-37)."""


def effect(fighter: Fighter, *, is_bad_weather: bool) -> int:
    """Return a bomber's effect on stores (HX-BOM-1, HX-BOM-2)."""
    bombs = div(fighter.unsuppressed * fighter.values.bomb_code, 10)
    return div(bombs, 2) + 5 * fighter.bars if is_bad_weather else bombs + 10 * fighter.bars


def bomb_unit(combat: Combat) -> None:
    """Reduce the Defender's fuel and ammo and suppress it beyond this combat (HX-BOM-3 ... HX-BOM-5)."""
    own, enemy = combat.attacker, combat.defender
    bombs = effect(own, is_bad_weather=combat.is_bad_weather)
    fuel, ammo = lost_fuel(enemy, bombs), lost_ammo(enemy, bombs)
    enemy.fuel -= fuel
    enemy.ammo -= ammo
    combat.account.tell("Bombs", f"effect {bombs}: fuel −{fuel}, ammo −{ammo}", "HX-BOM-1", "bombs", bombs, own)
    low, high = suppression(enemy.strength, is_barrage=combat.inputs.kind == BARRAGE)
    points = combat.fate.points(low, high, "Lasting suppression", "HX-BOM-5", purposes.SUPPRESSION)
    if points is not None:
        added = enemy.suppress_lastingly(points)
        combat.account.tell(
            "Lasting suppression", f"{enemy.name} {added} of {low} to {high}", "HX-BOM-5", "suppressed", added, enemy
        )


def lost_fuel(fighter: Fighter, bombs: int) -> int:
    """Return the fuel lost; enough for one full move always remains (HX-BOM-3)."""
    if not fighter.uses_fuel:
        return 0
    return max(0, min(div(bombs * fighter.piece.type.max_fuel, 100), fighter.fuel - fighter.values.movement))


def lost_ammo(fighter: Fighter, bombs: int) -> int:
    """Return the ammo lost; one shot always remains (HX-BOM-4)."""
    if not fighter.uses_ammo:
        return 0
    return max(0, min(div(div(bombs, 2) * fighter.piece.type.max_ammo, 100), fighter.ammo - 1))


def suppression(strength: int, *, is_barrage: bool) -> tuple[int, int]:
    """Return the least and the most points of lasting suppression (HX-BOM-5, HX-OP-31)."""
    return (1 if is_barrage else max(1, div(strength, 3))), strength


def bomb_hex(combat: Combat) -> None:
    """Bomb the facility in the target hex (HX-STR)."""
    if combat.inputs.facility == NO_FACILITY or (combat.inputs.facility_row and combat.inputs.facility_row.blown):
        return
    _prestige(combat)
    _blow(combat)


def _prestige(combat: Combat) -> None:
    """Reduce the owner's prestige, by level bombers or by any unit in a barrage (HX-STR-1, HX-BAR-3, HX-OP-36)."""
    inputs, own = combat.inputs, combat.attacker
    is_bomber = inputs.kind == BARRAGE or combat.says("bombs stores")
    owner = inputs.facility_owner
    allowed = combat.tables.facts.constants.allow_barrage_fire
    if not (is_bomber and allowed and inputs.facility in OWNED and owner and owner.name != own.side):
        return
    bombs = prestige_effect(own, is_bad_weather=combat.is_bad_weather)
    least = combat.tables.facts.constants.prestige_least
    label = f"Prestige of {owner.name}"
    lost = combat.fate.points(div(bombs, 4), div(bombs, 2), label, "HX-STR-1", purposes.PRESTIGE, least)  # HX-OP-31
    if lost is not None:
        combat.prestige_lost = lost
        text = f"−{combat.prestige_lost} (effect {bombs}, at least {least})"
        combat.account.tell(label, text, "HX-STR-1", "prestige", -combat.prestige_lost)


def prestige_effect(fighter: Fighter, *, is_bad_weather: bool) -> int:
    """Return a bomber's effect on prestige (HX-STR-1)."""
    return div(fighter.unsuppressed * fighter.values.bomb_code, 10) + (5 if is_bad_weather else 10) * fighter.bars


def _blow(combat: Combat) -> None:
    """Roll whether the facility is blown up (HX-STR-2 ... HX-STR-4)."""
    is_barrage = combat.inputs.kind == BARRAGE
    blowable = (*OWNED, *ROADS) if is_barrage else OWNED
    scene = combat.scene()
    target = combat.enemy or combat.attacker  # P is not used here, and a barrage may have none
    if combat.inputs.facility not in blowable or not combat.tables.says("may blow up", combat.attacker, target, scene):
        return
    percent = blow_percent(combat, is_barrage=is_barrage)
    label = f"Blowing up the {combat.inputs.facility.lower()}"
    combat.is_blown = combat.fate.happens(percent, label, "HX-STR-4", purposes.BLOW)


def blow_percent(combat: Combat, *, is_barrage: bool) -> int:
    """Return the chance of blowing up, highest for a barrage; mines raise it, bad weather lowers it (HX-STR-3)."""
    own, constants = combat.attacker, combat.tables.facts.constants
    percent = div(own.unsuppressed * own.values.bomb_code, 30)
    if not is_barrage:
        percent = div(percent, 5) + div(own.unsuppressed * own.bars, 5)
        percent += constants.blow_leader if own.piece.unit.leaders else 0
    if combat.is_bad_weather:
        percent = div(percent, 2)
    percent += constants.blow_mined if combat.inputs.target.mined else 0
    return min(percent, constants.blow_most)
