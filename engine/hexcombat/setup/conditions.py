"""Conditions of the tables, such as `A is Infantry or Tank` or `not Rugged`, parsed into functions.

A is the unit that fires (or the Attacker), P the one fired at (or the Defender); a ground unit is Land or Naval
(HX-OP-08). The forms of a condition:

    A is CLASS or GROUP or ...     A is the Attacker, A is in water ...   (one of STATES)
    A has LEADER or ATTRIBUTE      A has moved, A has ammo ...            (one of STATES)
    A lacks LEADER or ATTRIBUTE    A ignores entrenchment ...             (the name of a switch)
    A on TERRAIN or TRAIT          Rugged, bad weather ...                (one of SITUATIONS)

and `not` before any of them.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.config_value import TableErrors, is_one, quote, suggestion, table_error
from engine.hexcombat.setup.facts import Facts, Terms
from engine.hexcombat.setup.fighter import ATTACKER, DEFENDER, Fighter

ADJACENT = 1
"""Maximum distance of adjacent units; units in one hex count as adjacent too (HX-G2A)."""


@dataclass(slots=True)
class CombatScene:
    """Circumstances, besides the two units, on which a condition may depend."""

    facts: Facts  # The facts of the tables
    distance: int  # The hexes between A and P (HX-DEF-03)
    is_bad_weather: bool = False  # True in bad weather (HX-DEF-16)
    is_surprise: bool = False  # True if the Attacker was surprised (HX-DEF-13)
    is_close_combat: bool = False  # True in close combat (HX-DEF-14)
    is_rugged_defence: bool = False  # True in rugged defence (HX-RUG-6)
    is_air_defence: bool = False  # True if A gives air defence or intercepts from the ground (HX-ODD-E1)
    is_fire_support: bool = False  # True if A gives fire support (HX-ODD-E17)
    is_ground_to_air: bool = False  # True if A intercepts from the ground; the plane counts as surprised (HX-OP-04)
    attack_range: int = ADJACENT  # The hexes between the Attacker and the Defender (HX-AD-2)
    numbers: dict[str, int] = field(default_factory=dict)  # The numbers computed by lines so far, by name
    dice: Mapping[str, int] = field(default_factory=dict)  # The initiative dice by role; empty in a forecast

    @property
    def is_rugged(self) -> bool:
        """Return True in a rugged fight (HX-DEF-12); in support only an interception from the ground is rugged."""
        return self.is_close_combat or self.is_rugged_defence or self.is_surprise or self.is_ground_to_air

    @property
    def is_adjacent(self) -> bool:
        """Return True if A and P are adjacent."""
        return self.distance <= ADJACENT


Condition = Callable[[Fighter, Fighter, CombatScene], bool]
"""Predicate of A, P and the circumstances."""


def _in_port(fighter: Fighter, scene: CombatScene) -> bool:
    """Return True if the unit is in a port or on a bridge that counts as one (HX-FLE-1, HX-SUB-3)."""
    on_bridge = fighter.ground.bridge and scene.facts.constants.naval_noblock_bridge > 0
    return "Port" in fighter.ground_traits or on_bridge


STATES: Mapping[str, Callable[[Fighter, CombatScene], bool]] = {
    "is the Attacker": lambda unit, scene: unit.role == ATTACKER,
    "is the Defender": lambda unit, scene: unit.role == DEFENDER,
    "is a Hard target": lambda unit, scene: unit.values.target == "Hard",
    "is an Air target": lambda unit, scene: unit.values.target == "Air",
    "is sabotaged": lambda unit, scene: unit.is_sabotaged,
    "is out of ammo": lambda unit, scene: not unit.has_ammo,
    "is out of fuel": lambda unit, scene: unit.uses_fuel and unit.fuel <= 0,
    "is in water": lambda unit, scene: "water" in unit.ground_traits and not unit.ground.bridge,
    "is in ruins": lambda unit, scene: unit.ground.blown_city,
    "is on mines": lambda unit, scene: unit.ground.mined,
    "lies in port": _in_port,
    "has ammo": lambda unit, scene: unit.has_ammo,
    "has moved": lambda unit, scene: unit.has_moved,
    "has intercepted": lambda unit, scene: unit.has_intercepted,
    "has supported": lambda unit, scene: unit.has_supported,
    "has organic transport": lambda unit, scene: unit.piece.type.organic_transport,
    "flies Recon": lambda unit, scene: unit.flies_recon,
    "bombs": lambda unit, scene: unit.values.bomb_code > 0,
    "reaches just so far": lambda unit, scene: unit.values.range == scene.distance,
}
"""Conditions of a single unit besides its kinds, traits and ground."""

SITUATIONS: Mapping[str, Condition] = {
    "Rugged": lambda a, p, scene: scene.is_rugged,
    "rugged defence": lambda a, p, scene: scene.is_rugged_defence,
    "surprise": lambda a, p, scene: scene.is_surprise,
    "bad weather": lambda a, p, scene: scene.is_bad_weather,
    "adjacent": lambda a, p, scene: scene.is_adjacent,
    "in air defence": lambda a, p, scene: scene.is_air_defence,
    "in fire support": lambda a, p, scene: scene.is_fire_support,
    "ground-to-air": lambda a, p, scene: scene.is_ground_to_air,
    "in one space": lambda a, p, scene: ("Air" in a.kinds) == ("Air" in p.kinds),
    "leader bonuses stack": lambda a, p, scene: scene.facts.constants.leader_bonus_stacking == "both",
    "ships fire as FlaK": lambda a, p, scene: scene.facts.constants.ships_as_flak,
    "guns may do both": lambda a, p, scene: scene.facts.constants.guns_do_both,
    "FlaK reaches over the defender": lambda a, p, scene: reaches_over(scene),
    "the defender comes near": lambda a, p, scene: scene.numbers["P initiative"] + NEAR > scene.numbers["A initiative"],
    "the attacker leads clearly": lambda a, p, scene: (
        scene.numbers["A initiative"] - scene.numbers["P initiative"] > CLEARLY
    ),
    "the attack exceeds the defence": lambda a, p, scene: scene.numbers["A attack"] > scene.numbers["P defence"],
}
"""Conditions of the combat as a whole."""

CLEARLY = 1
"""Lead in initiative that must be exceeded for a clear lead (HX-INI-18)."""

NEAR = 3
"""Gap in initiative within which the Defender comes near (HX-INI-9)."""


def reaches_over(scene: CombatScene) -> bool:
    """Return True if FlaK can fire over the Defender, to which both it and the plane are adjacent (HX-AD-2)."""
    return scene.facts.constants.flak_ex2 > 0 and scene.attack_range <= ADJACENT and scene.distance <= 2 * ADJACENT


@dataclass(frozen=True, slots=True)
class ConditionWords:
    """Words that conditions may use."""

    kinds: frozenset[str]  # The classes and groups
    traits: frozenset[str]  # The leaders, attributes and attachments
    grounds: frozenset[str]  # The terrains and their traits
    switches: dict[str, Condition]  # The conditions of the switches by name; filled while the switches are read


def all_of(terms: Terms, words: ConditionWords) -> Condition:
    """Return the condition that all entries of a list hold; in a nested list one is enough, and so on in turn.

    Raises:
        TableError: An entry is not a known condition.
    """
    return _every(_each(terms, words, any_of)) if terms else lambda a, p, scene: True


def any_of(terms: Terms, words: ConditionWords) -> Condition:
    """Return the condition that at least one entry of a list holds."""
    return _some(_each(terms, words, all_of))


def _each(terms: Terms, words: ConditionWords, inner: Callable[[Terms, ConditionWords], Condition]) -> list[Condition]:
    errors, conditions = TableErrors(), []
    for position, term in enumerate(terms):
        with errors.at(position):
            conditions.append(parse_condition(term, words) if isinstance(term, str) else inner(term, words))
    errors.end()
    return conditions


def _every(conditions: list[Condition]) -> Condition:
    if len(conditions) == 1:
        return conditions[0]

    def holds(a: Fighter, p: Fighter, scene: CombatScene) -> bool:
        for condition in conditions:  # noqa: SIM110 (a generator costs more than all these conditions)
            if not condition(a, p, scene):
                return False
        return True

    return holds


def _some(conditions: list[Condition]) -> Condition:
    return lambda a, p, scene: any(condition(a, p, scene) for condition in conditions)


CONDITION = re.compile(r"(?P<who>[AP]) (?P<what>(?P<verb>\w+)(?: (?P<names>.+))?)")


def parse_condition(text: str, words: ConditionWords) -> Condition:
    """Parse one condition.

    Raises:
        TableError: The condition is not known.
    """
    if text.startswith("not "):
        positive = parse_condition(text.removeprefix("not "), words)
        return lambda a, p, scene: not positive(a, p, scene)
    if text in SITUATIONS:
        return SITUATIONS[text]
    parts = CONDITION.fullmatch(text)
    if parts is None:
        raise table_error(f"{quote(text)} is not a situation. {suggestion(text, SITUATIONS)}")
    condition = _condition_of_a(text, parts["what"], parts["verb"], parts["names"] or "", words)
    return condition if parts["who"] == "A" else lambda a, p, scene: condition(p, a, scene)


def _condition_of_a(text: str, what: str, verb: str, names: str, words: ConditionWords) -> Condition:
    """Return the condition of A: a state, a switch, or `is`, `has`, `lacks` or `on` with names."""
    if what in STATES:
        state = STATES[what]
        return lambda a, p, scene: state(a, scene)
    if what in words.switches:
        return words.switches[what]
    known = {"is": words.kinds, "has": words.traits, "lacks": words.traits, "on": words.grounds}.get(verb)
    if known is None:
        allowed = [*STATES, *words.switches]
        raise table_error(f"{quote(text)} is not a condition. {suggestion(text[2:], allowed)}")
    choices = frozenset(names.split(" or "))
    for name in sorted(choices):
        is_one(name, known, f"what a unit {verb}")
    is_apart, traits = choices.isdisjoint, GETTERS[verb]
    if verb == "lacks":
        return lambda a, p, scene: is_apart(traits(a))
    return lambda a, p, scene: not is_apart(traits(a))


GETTERS = {
    "is": operator.attrgetter("kinds"),
    "has": operator.attrgetter("traits"),
    "lacks": operator.attrgetter("traits"),
    "on": operator.attrgetter("ground_traits"),
}
"""Getters of a unit's names by verb."""
