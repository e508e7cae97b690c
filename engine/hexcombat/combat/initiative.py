"""Initiative: the order of fire in the exchange and the winner's bonus (HX-INI)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.hexcombat.combat.odds import CombatOdds
from engine.hexcombat.setup.conditions import CombatScene
from engine.hexcombat.setup.fighter import AIR, LAND, NAVAL, Fighter
from engine.hexcombat.setup.lines import LineChange, apply, gain
from engine.hexcombat.setup.tables import HexTables

ATTACKER_FIRST, DEFENDER_FIRST, SIMULTANEOUS = "ATTACKER FIRST", "DEFENDER FIRST", "SIMULTANEOUS"
LEADS = "leads in initiative"
"""Words of the winner's bonus."""
GROUPS = frozenset((LAND, AIR, NAVAL))


@dataclass(frozen=True, slots=True)
class Initiative:
    """Result of the initiative."""

    sequence: str  # The order of fire
    odds: CombatOdds  # The Attacker's odds, with the winner's bonus
    id: str  # The id of the rule that decided
    words: str  # The reason
    attacker: int | None = None  # The Attacker's initiative (AI); None if a quick answer decided
    defender: int | None = None  # The Defender's initiative (DI); None if a quick answer decided
    steps: tuple[LineChange, ...] = ()  # The lines that computed them
    bonus: tuple[LineChange, ...] = ()  # The winner's gain in attack and defence


Rolls = Callable[[Fighter, Fighter], Mapping[str, int]]
"""Function that returns the initiative dice of Attacker and Defender by role; none in a forecast."""


def initiative(
    a: Fighter, p: Fighter, odds: CombatOdds, scene: CombatScene, tables: HexTables, rolls: Rolls
) -> Initiative:
    """Determine the order of fire.

    Args:
        rolls: The function that rolls the dice of HX-INI-10, if no quick answer decides.
    """
    for case in tables.first:  # HX-INI-1 ... HX-INI-5
        if case.fits(a, p, scene):
            return Initiative(case.sequence, odds, case.id, case.words)
    scene.dice = rolls(a, p)
    scene.numbers = {"A initiative": 0, "P initiative": 0, "A attack": odds.own_attack, "P defence": odds.enemy_defence}
    steps = tuple(apply(tables.initiative, a, p, scene))
    attacker, defender = scene.numbers["A initiative"], scene.numbers["P initiative"]
    decided = _decided(a, p, odds, attacker - defender, scene, tables)
    return dataclasses.replace(decided, attacker=attacker, defender=defender, steps=steps)


def _decided(a: Fighter, p: Fighter, odds: CombatOdds, lead: int, scene: CombatScene, tables: HexTables) -> Initiative:
    """Decide by the lead in initiative; equal initiatives change nothing (HX-INI-15 ... HX-INI-18, HX-OP-40)."""
    if a.kinds & GROUPS != p.kinds & GROUPS:
        return Initiative(SIMULTANEOUS, odds, "HX-INI-15", "units of different kinds")
    if lead < 0:
        return _led_by("defender", a, p, odds, -lead, scene, tables)
    if lead > 0 and not scene.is_rugged:
        return _led_by("attacker", a, p, odds, lead, scene, tables)
    return Initiative(SIMULTANEOUS, odds, "HX-INI-16", "equal initiatives")


def _led_by(
    side: str, a: Fighter, p: Fighter, odds: CombatOdds, lead: int, scene: CombatScene, tables: HexTables
) -> Initiative:
    """Apply the leading side's bonus and decide the sequence by the values before (HX-INI-17, HX-INI-18, HX-OP-16)."""
    attacks, constants = side == "attacker", tables.facts.constants
    rule, order = ("HX-INI-18", ATTACKER_FIRST) if attacks else ("HX-INI-17", DEFENDER_FIRST)
    own = odds if attacks else odds.turned
    if own.own_attack <= 0 or own.own_attack + constants.winner_defence <= own.enemy_defence:
        return Initiative(SIMULTANEOUS, odds, rule, f"the {side} leads, but is too weak to use it")
    attack = own.own_attack + min(constants.winner_attack_most, lead)
    defence = own.own_defence + constants.winner_defence
    unit = "A" if attacks else "P"
    bonus = (
        gain(rule, f"{unit} attack", LEADS, own.own_attack, attack),
        gain(rule, f"{unit} defence", LEADS, own.own_defence, defence),
    )
    better = dataclasses.replace(own, own_attack=attack, own_defence=defence)
    first = tables.case(f"fires first as {side}", a, p, scene)
    words = f"the {side} leads{f', {first.words}' if first else ''}"
    better = dataclasses.replace(better if attacks else better.turned, steps=odds.steps)
    return Initiative(order if first else SIMULTANEOUS, better, rule, words, bonus=bonus)
