"""HX-INI: who fires first in the exchange, and what winning the initiative is worth."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.hexcombat.conditions import Scene
from engine.hexcombat.fighter import AIR, LAND, NAVAL, Fighter
from engine.hexcombat.lines import Step, apply
from engine.hexcombat.odds import Odds
from engine.hexcombat.tables import Tables

ATTACKER_FIRST, DEFENDER_FIRST, SIMULTANEOUS = "ATTACKER FIRST", "DEFENDER FIRST", "SIMULTANEOUS"
GROUPS = frozenset((LAND, AIR, NAVAL))


@dataclass(frozen=True, slots=True)
class Initiative:
    """What the initiative found.

    Args:
        sequence: Who fires first.
        odds: Those of the Attacker, the winner's bonus in them.
        id: The rule that decided.
        words: Why.
        attacker: AI; None when a quick answer decided.
        defender: DI.
        steps: The lines that made them.
    """

    sequence: str
    odds: Odds
    id: str
    words: str
    attacker: int | None = None
    defender: int | None = None
    steps: tuple[Step, ...] = ()


Rolls = Callable[[Fighter, Fighter], Mapping[str, int]]
"""Initiative dice of Attacker and Defender by role; none in a forecast."""


def initiative(a: Fighter, p: Fighter, odds: Odds, scene: Scene, tables: Tables, rolls: Rolls) -> Initiative:
    """Who fires first.

    Args:
        a: The Attacker.
        p: The Defender.
        odds: Of the Attacker firing.
        scene: What is around them.
        tables: Of the ruleset.
        rolls: Rolls the dice of HX-INI-10, where no quick answer decides.
    """
    for case in tables.first:  # HX-INI-1 ... HX-INI-5
        if case.fits(a, p, scene):
            return Initiative(case.sequence, odds, case.id, case.words)
    scene.dice = rolls(a, p)
    scene.numbers = {"A initiative": 0, "P initiative": 0, "A attack": odds.own_attack, "P defence": odds.enemy_defence}
    steps = tuple(apply(tables.initiative, a, p, scene))
    ours, theirs = scene.numbers["A initiative"], scene.numbers["P initiative"]
    decided = _decided(a, p, odds, ours - theirs, scene, tables)
    return dataclasses.replace(decided, attacker=ours, defender=theirs, steps=steps)


def _decided(a: Fighter, p: Fighter, odds: Odds, lead: int, scene: Scene, tables: Tables) -> Initiative:
    """HX-INI-15 ... HX-INI-18; nothing changes at equal initiatives (HX-OP-40)."""
    if a.kinds & GROUPS != p.kinds & GROUPS:
        return Initiative(SIMULTANEOUS, odds, "HX-INI-15", "units of different kinds")
    if lead < 0:
        return _defender_wins(a, p, odds, -lead, scene, tables)
    if lead > 0 and not scene.is_rugged:
        return _attacker_wins(a, p, odds, lead, scene, tables)
    return Initiative(SIMULTANEOUS, odds, "HX-INI-16", "equal initiatives")


def _defender_wins(a: Fighter, p: Fighter, odds: Odds, lead: int, scene: Scene, tables: Tables) -> Initiative:
    """HX-INI-17, HX-OP-16."""
    constants = tables.facts.constants
    if odds.enemy_attack <= 0 or odds.enemy_attack + constants.winner_defence <= odds.own_defence:
        return Initiative(SIMULTANEOUS, odds, "HX-INI-17", "the defender leads, but is too weak to use it")
    better = dataclasses.replace(
        odds,
        enemy_defence=odds.enemy_defence + constants.winner_defence,
        enemy_attack=odds.enemy_attack + min(constants.winner_attack_most, lead),
    )
    first = tables.case("fires first as defender", a, p, scene)
    words = f"the defender leads{f', {first.words}' if first else ''}"
    return Initiative(DEFENDER_FIRST if first else SIMULTANEOUS, better, "HX-INI-17", words)


def _attacker_wins(a: Fighter, p: Fighter, odds: Odds, lead: int, scene: Scene, tables: Tables) -> Initiative:
    """HX-INI-18, HX-OP-16; its tests use the values before the bonus."""
    constants = tables.facts.constants
    if odds.own_attack <= 0 or odds.own_attack + constants.winner_defence <= odds.enemy_defence:
        return Initiative(SIMULTANEOUS, odds, "HX-INI-18", "the attacker leads, but is too weak to use it")
    better = dataclasses.replace(
        odds,
        own_defence=odds.own_defence + constants.winner_defence,
        own_attack=odds.own_attack + min(constants.winner_attack_most, lead),
    )
    first = tables.case("fires first as attacker", a, p, scene)
    words = f"the attacker leads{f', {first.words}' if first else ''}"
    return Initiative(ATTACKER_FIRST if first else SIMULTANEOUS, better, "HX-INI-18", words)
