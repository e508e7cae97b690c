"""Attacker and defender of a combat for the checks of its cells, causes of lapses (REQ-18), and shared sentences."""

from __future__ import annotations

from collections.abc import Iterator

from engine.hexcombat.combat.combat import combatants
from engine.hexcombat.setup.conditions import CombatScene
from engine.hexcombat.setup.fighter import Fighter
from engine.hexcombat.setup.inputs import FAIR, CombatInputs
from engine.hexcombat.setup.records import ACTIVE, HexSide, HexUnit
from engine.hexcombat.setup.tables import HexTables
from sheets_algo.database.problems import CauseKind, Problem
from sheets_algo.database.tables import Row

USABLE = "whose Status is Active"
"""The units that may be named."""


def unit_gone(unit: HexUnit | Fighter) -> str:
    """Return the reason why a unit cannot take part in a combat, a clause; blank if it can (HX-OP-45, HX-DEF-07)."""
    if unit.status != ACTIVE:
        return f"{unit.name} is {unit.status.lower()}"
    return f"{unit.name} has no strength points" if unit.strength < 1 else ""


UNIT_GONE = CauseKind(HexUnit, ("status", "strength"), gone=unit_gone)
"""A unit was eliminated, or lost its last strength point, in the same turn."""

TURN_OF = CauseKind(HexSide, ("turn",))
"""Not a cause: the cells that count the game's turns, whose last change says which rulings are of the turn."""


class Sides:
    """Shared state and methods of the checks of one request."""

    def __init__(self, row: Row, combat: CombatInputs, tables: HexTables) -> None:
        self.row = row
        self.combat = combat
        self.tables = tables
        self.options = tables.facts.constants
        self.attacker, self.defender = combatants(combat, tables.facts)

    def check_available(self, attribute: str, fighter: Fighter) -> Iterator[Problem]:
        """Check that a unit that takes part is active and has strength points (HX-OP-45, HX-DEF-07)."""
        if says := unit_gone(fighter):
            is_active, cause = fighter.is_active, UNIT_GONE.of(fighter.name)
            id, needs = ("HX-DEF-07", "with a Strength of at least 1") if is_active else ("HX-OP-45", USABLE)
            yield self.row.problem(attribute, id, says, allowed=f"Name a unit {needs}", cause=cause)

    def scene(self, distance: int) -> CombatScene:
        """Return the scene that switches of the tables are evaluated in."""
        return CombatScene(
            facts=self.tables.facts,
            distance=distance,
            is_bad_weather=self.combat.weather != FAIR,
            attack_range=self.combat.range,
        )

    def can(self, switch: str, one: Fighter, enemy: Fighter, distance: int | None = None) -> bool:
        """Return True if a switch of the tables applies to a unit and its enemy.

        Args:
            distance: The distance between them in hexes, None for the range of the combat.
        """
        scene = self.scene(self.combat.range if distance is None else distance)
        return self.tables.says(switch, one, enemy, scene)

    def switch_hint(self, switch: str) -> str:
        """Return a hint with the units of a switch: `Allowed: artillery or FlaK with Support Fire`."""
        names = [row.words for row in self.tables.switches[switch]]
        return f"Allowed: {' or '.join(filter(None, (', '.join(names[:-1]), names[-1])))}"


def why_not_ready(fighter: Fighter, distance: int | None = None) -> str:
    """Return the reason why a unit cannot fire at a distance, blank if it can (HX-DEF-21)."""
    if not fighter.has_ammo:
        return "has no ammo"
    if fighter.unsuppressed < 1:
        return "has no strength points that are not suppressed"
    return _why_too_far(distance, max(1, fighter.values.range)) if distance is not None else ""


def why_not_fire(fighter: Fighter, enemy: Fighter, distance: int, reach: int | None = None) -> str:
    """Return the reason why a unit cannot fire at another, blank if it can (HX-DEF-21)."""
    if fighter.attack_at(enemy) < 1:
        return f"has no attack against {enemy.values.target.lower()} targets"
    furthest = max(1, fighter.values.range) if reach is None else reach
    return why_not_ready(fighter) or _why_too_far(distance, furthest)


def _why_too_far(distance: int, furthest: int) -> str:
    if distance <= furthest:
        return ""
    return f"has a range of {furthest}, and its target is {distance} {'hex' if distance == 1 else 'hexes'} away"
