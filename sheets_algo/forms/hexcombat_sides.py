"""A combat's two sides as the checks of its cells see them, and the sentences that several of these checks say."""

from __future__ import annotations

from collections.abc import Iterator

from engine.hexcombat.conditions import Scene
from engine.hexcombat.fighter import ATTACKER, DEFENDER, Fighter, fighter
from engine.hexcombat.inputs import FAIR, CombatInputs
from engine.hexcombat.tables import Tables
from sheets_algo.problems import Problem
from sheets_algo.tables import Row


class Sides:
    """What checks of one request share.

    Args:
        row: The request.
        combat: What it asks for; its parts are sound.
        tables: Of this workbook.
    """

    def __init__(self, row: Row, combat: CombatInputs, tables: Tables) -> None:
        self.row = row
        self.combat = combat
        self.tables = tables
        self.options = tables.facts.constants
        self.attacker = fighter(
            combat.attacker, ATTACKER, tables.facts, has_moved=combat.attacker_moved, mission=combat.mission
        )
        self.defender = (
            fighter(combat.defender, DEFENDER, tables.facts, mission=combat.defender_mission)
            if combat.defender
            else None
        )

    def taking_part(self, attribute: str, it: Fighter) -> Iterator[Problem]:
        """HX-OP-45, HX-DEF-07: whoever takes part is there."""
        if not it.is_active:
            says = f"{it.name} is {it.status.lower()}"
            yield self.row.problem(attribute, "HX-OP-45", says, allowed="Name a unit whose Status is Active")
        elif it.strength < 1:
            says = f"{it.name} has no strength points"
            yield self.row.problem(attribute, "HX-DEF-07", says, allowed="Name a unit with a Strength of at least 1")

    def scene(self, distance: int) -> Scene:
        """What the rows of a switch look at, so many hexes apart."""
        return Scene(
            facts=self.tables.facts,
            distance=distance,
            is_bad_weather=self.combat.weather != FAIR,
            attack_range=self.combat.range,
        )

    def can(self, switch: str, one: Fighter, enemy: Fighter, distance: int | None = None) -> bool:
        """Whether a switch of the tables fits a unit and its enemy, so far apart or as far as the combat is."""
        scene = self.scene(self.combat.range if distance is None else distance)
        return self.tables.says(switch, one, enemy, scene)

    def who_can(self, switch: str) -> str:
        """`That is for artillery or FlaK with Support Fire`: what the rows of a switch call those whom they fit."""
        words = [row.words for row in self.tables.switches[switch]]
        return f"That is for {' or '.join(filter(None, (', '.join(words[:-1]), words[-1])))}"


def why_not_ready(it: Fighter, distance: int | None = None) -> str:
    """HX-DEF-21: why a unit cannot fire at anything so far away; blank where it can."""
    if not it.has_ammo:
        return "has no ammo"
    if it.unsuppressed < 1:
        return "has no strength points that are not suppressed"
    return _why_too_far(it, distance, max(1, it.values.range)) if distance is not None else ""


def why_not_fire(it: Fighter, enemy: Fighter, distance: int, reach: int | None = None) -> str:
    """HX-DEF-21: why a unit cannot fire at another; blank where it can."""
    if it.attack_at(enemy) < 1:
        return f"has no attack against {enemy.values.target.lower()} targets"
    furthest = max(1, it.values.range) if reach is None else reach
    return why_not_ready(it) or _why_too_far(it, distance, furthest)


def _why_too_far(it: Fighter, distance: int, furthest: int) -> str:
    if distance <= furthest:
        return ""
    return f"fires {furthest} {'hex' if furthest == 1 else 'hexes'} far, and its target is {distance} away"
