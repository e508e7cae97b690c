"""The procedures of section 2 as lists of steps: normal combat, barrage, ground-to-air interception."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.hexcombat.combat import supports
from engine.hexcombat.combat.account import Account
from engine.hexcombat.combat.aftermath import critical_hit, retreat
from engine.hexcombat.combat.bombing import bomb_hex, bomb_unit
from engine.hexcombat.combat.combat import Combat, deploy
from engine.hexcombat.combat.exchange import exchange
from engine.hexcombat.combat.fate import ChanceSource, ExpectedFate
from engine.hexcombat.combat.fire import support
from engine.hexcombat.combat.ruses import evade, flee, rugged_defence, sabotage
from engine.hexcombat.setup.fighter import AIR
from engine.hexcombat.setup.inputs import ATTACK, BARRAGE, INTERCEPTION, SURPRISE, CombatInputs
from engine.hexcombat.setup.records import DESTROYED
from engine.hexcombat.setup.tables import HexTables

Step = Callable[[Combat], None]


def fight(inputs: CombatInputs, tables: HexTables, fate: ChanceSource, account: Account) -> Combat:
    """Fight one combat to its end."""
    combat = deploy(inputs, tables, fate, account)  # HX-NC-03
    account.begin("Before the combat")
    for step in STEPS[inputs.kind]:
        if not combat.is_over:
            step(combat)
    return combat


def overrun(combat: Combat) -> None:
    """Overrun a Defender that would be destroyed without loss; no fire is resolved (HX-NC-01, HX-OVR, HX-OP-30)."""
    own, enemy = combat.attacker, combat.defender
    if not combat.says("may overrun"):
        return
    account = Account(is_kept=False)
    forecast = deploy(combat.inputs, combat.tables, ExpectedFate(account), account)
    close_combat(forecast)
    exchange(forecast)
    if forecast.defender.strength > 0 or forecast.attacker.strength < own.strength:  # HX-OVR-02
        return
    own.spend_ammo()
    combat.account.tell(
        "Overrun", f"{own.name} goes over {enemy.name} and may go on", "HX-OVR-03", "overrun", None, own
    )
    enemy.kills_taken, enemy.strength, enemy.suppressed, enemy.lasting = enemy.strength, 0, 0, 0
    combat.kill(enemy, DESTROYED, "HX-OVR-02", "overrun")
    combat.ending = "overrun"


def close_combat(combat: Combat) -> None:
    """Determine whether the units fight in close combat (HX-NC-02, HX-DEF-14)."""
    combat.is_close_combat = combat.says("fights close combat")
    if combat.is_close_combat:
        combat.account.tell("Close Combat", "yes", "HX-DEF-14", "close combat")


def surprised(combat: Combat) -> None:
    """Record that the Attacker was surprised (HX-DEF-13)."""
    text = f"{combat.attacker.name} runs into {combat.defender.name}"
    combat.account.tell("Surprised", text, "HX-DEF-13", "surprise", None, combat.attacker)


def bombard(combat: Combat) -> None:
    """Fire a barrage at a hidden unit in the hex and at the hex itself (HX-BAR-2, HX-BAR-3, HX-BAR-5)."""
    own = combat.attacker
    combat.account.begin("Barrage")
    own.record_fire()
    combat.account.tell("Barrage", f"{own.name} fires at the hex", "HX-BAR-5", "barrage", None, own)
    if combat.enemy is not None and AIR not in combat.enemy.kinds:
        bomb_unit(combat)
        if combat.enemy.suppression_taken > 0:
            combat.enemy.record_hit()  # HX-OP-21
    bomb_hex(combat)


def intercept(combat: Combat) -> None:
    """Let the gun fire at the plane, which counts as surprised and does not fire back (HX-G2A-6)."""
    gun, plane = combat.defender, combat.attacker
    scene = combat.scene()
    scene.is_air_defence = scene.is_ground_to_air = True
    combat.account.begin("Interception")
    support(combat, gun, plane, scene, "HX-G2A-6", "Ground-to-air")
    gun.has_intercepted = True


def after(combat: Combat) -> None:
    """Start the receipt's heading for the steps after the exchange."""
    combat.account.begin("After the combat")


NORMAL: Sequence[Step] = (
    overrun,  # HX-NC-01
    close_combat,  # HX-NC-02; HX-NC-03 was `deploy`
    supports.interception,  # HX-NC-04
    supports.air_defence,  # HX-NC-05
    supports.fire_support,  # HX-NC-06
    supports.naval_support,  # HX-NC-07
    sabotage,  # HX-NC-08
    evade,  # HX-NC-09; HX-NC-11 repeats it and is not executed (HX-OP-02)
    flee,  # HX-NC-10
    rugged_defence,  # HX-NC-12
    exchange,  # HX-NC-13 ... HX-NC-15
    after,
    retreat,  # HX-RES: the Defender checks retreat
    supports.counter_battery,  # HX-NC-16
    critical_hit,  # HX-RES-6; its die comes last (HX-DEF-24)
)
"""Steps of HX-NC; the result of `fight` is written back (HX-NC-17), except in a forecast."""

STEPS: Mapping[str, Sequence[Step]] = {
    ATTACK: NORMAL,
    SURPRISE: (surprised, *NORMAL),
    BARRAGE: (  # HX-BAR-4: fire that answers a barrage
        supports.interception,
        supports.air_defence,
        bombard,
        after,
        supports.counter_battery,
    ),
    INTERCEPTION: (intercept,),
}
"""Steps by kind of request."""
