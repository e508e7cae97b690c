"""The procedures of section 2 as lists of steps: normal combat, barrage, interception from the ground."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.hexcombat import supports
from engine.hexcombat.account import Account
from engine.hexcombat.aftermath import critical_hit, retreat
from engine.hexcombat.bombing import bomb_hex, bomb_unit
from engine.hexcombat.combat import Combat, deploy
from engine.hexcombat.exchange import exchange
from engine.hexcombat.fate import Expected, Fate
from engine.hexcombat.fighter import AIR
from engine.hexcombat.fire import support
from engine.hexcombat.inputs import ATTACK, BARRAGE, INTERCEPTION, SURPRISE, CombatInputs
from engine.hexcombat.records import DESTROYED
from engine.hexcombat.ruses import evade, flee, rugged_defence, sabotage
from engine.hexcombat.tables import Tables

Step = Callable[[Combat], None]


def fight(inputs: CombatInputs, tables: Tables, fate: Fate, account: Account) -> Combat:
    """Fight one combat to its end.

    Args:
        inputs: One combat.
        tables: The workbook's own numbers in their places.
        fate: Dice or expectation.
        account: Hears everything.
    """
    combat = deploy(inputs, tables, fate, account)  # HX-NC-03
    account.begin("Before the combat")
    for step in STEPS[inputs.kind]:
        if not combat.is_over:
            step(combat)
    return combat


def overrun(combat: Combat) -> None:
    """HX-NC-01, HX-OVR: who would wipe the Defender out unharmed goes over it; no fire is resolved (HX-OP-30)."""
    own, enemy = combat.attacker, combat.defender
    if not combat.says("may overrun"):
        return
    account = Account(is_kept=False)
    forecast = deploy(combat.inputs, combat.tables, Expected(account), account)
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
    """HX-NC-02, HX-DEF-14."""
    combat.is_close_combat = combat.says("fights close combat")
    if combat.is_close_combat:
        combat.account.tell("Close Combat", "yes", "HX-DEF-14", "close combat")


def surprised(combat: Combat) -> None:
    """HX-DEF-13."""
    text = f"{combat.attacker.name} runs into {combat.defender.name}"
    combat.account.tell("Surprised", text, "HX-DEF-13", "surprise", None, combat.attacker)


def bombard(combat: Combat) -> None:
    """HX-BAR-2, HX-BAR-3 and HX-BAR-5: at whoever hides in the hex, and at the hex itself."""
    own = combat.attacker
    combat.account.begin("Barrage")
    own.fired()
    combat.account.tell("Barrage", f"{own.name} fires at the hex", "HX-BAR-5", "barrage", None, own)
    if combat.enemy is not None and AIR not in combat.enemy.kinds:
        bomb_unit(combat)
        if combat.enemy.suppression_taken > 0:
            combat.enemy.struck()  # HX-OP-21
    bomb_hex(combat)


def intercept(combat: Combat) -> None:
    """HX-G2A-6: the gun fires at the plane, which counts as surprised and does not fire back."""
    gun, plane = combat.defender, combat.attacker
    scene = combat.scene()
    scene.is_air_defence = scene.is_ground_to_air = True
    combat.account.begin("Interception")
    support(combat, gun, plane, scene, "HX-G2A-6", "Ground-to-air")
    gun.has_intercepted = True


def after(combat: Combat) -> None:
    """What comes after the exchange stands under its own heading."""
    combat.account.begin("After the combat")


NORMAL: Sequence[Step] = (
    overrun,  # HX-NC-01
    close_combat,  # HX-NC-02; HX-NC-03 was `deploy`
    supports.interception,  # HX-NC-04
    supports.air_defence,  # HX-NC-05
    supports.fire_support,  # HX-NC-06
    supports.naval_support,  # HX-NC-07
    sabotage,  # HX-NC-08
    evade,  # HX-NC-09; HX-NC-11 is the same once more and not executed (HX-OP-02)
    flee,  # HX-NC-10
    rugged_defence,  # HX-NC-12
    exchange,  # HX-NC-13 ... HX-NC-15
    after,
    retreat,  # HX-RES: the Defender checks retreat
    supports.counter_battery,  # HX-NC-16
    critical_hit,  # HX-RES-6; its die comes last (HX-DEF-24)
)
"""HX-NC. HX-NC-17 is what `fight` hands back: written down in a real combat, thrown away in a forecast."""

STEPS: Mapping[str, Sequence[Step]] = {
    ATTACK: NORMAL,
    SURPRISE: (surprised, *NORMAL),
    BARRAGE: (  # HX-BAR-4: what answers a barrage
        supports.interception,
        supports.air_defence,
        bombard,
        after,
        supports.counter_battery,
    ),
    INTERCEPTION: (intercept,),
}
"""Kind of request to its steps."""
