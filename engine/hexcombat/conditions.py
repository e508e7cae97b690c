"""When a line of the tables counts: `A is Infantry or Tank`, `P lacks Tank Killer`, `not Rugged` as functions.

A is the unit that fires (or the Attacker), P the one fired at (or the Defender); a ground unit is Land or Naval
(HX-OP-08). What can be said:

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

from engine.entry import Entry, shown, suggestion
from engine.hexcombat.facts import Facts
from engine.hexcombat.fighter import ATTACKER, DEFENDER, Fighter

ADJACENT = 1
"""Units in one hex (HX-G2A) are near enough for whatever asks for adjacent ones."""


@dataclass(slots=True)
class Scene:
    """What a line may ask about besides the two units.

    Args:
        facts: Of the tables.
        distance: Hexes between A and P (HX-DEF-03).
        is_bad_weather: HX-DEF-16.
        is_surprise: The Attacker was surprised (HX-DEF-13).
        is_close_combat: HX-DEF-14.
        is_rugged_defence: HX-RUG-6.
        is_air_defence: A gives air defence or intercepts from the ground (HX-ODD-E1).
        is_fire_support: A gives fire support (HX-ODD-E17).
        is_ground_to_air: A intercepts from the ground; the plane counts as surprised (HX-OP-04).
        attack_range: Hexes between the Attacker and the Defender (HX-AD-2).
        numbers: The numbers that lines have made so far, by name.
        dice: Initiative dice by role; empty in a forecast.
    """

    facts: Facts
    distance: int
    is_bad_weather: bool = False
    is_surprise: bool = False
    is_close_combat: bool = False
    is_rugged_defence: bool = False
    is_air_defence: bool = False
    is_fire_support: bool = False
    is_ground_to_air: bool = False
    attack_range: int = ADJACENT
    numbers: dict[str, int] = field(default_factory=dict)
    dice: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_rugged(self) -> bool:
        """HX-DEF-12: all three act alike; in support nothing is rugged but an interception from the ground."""
        return self.is_close_combat or self.is_rugged_defence or self.is_surprise or self.is_ground_to_air

    @property
    def is_adjacent(self) -> bool:
        """Side by side."""
        return self.distance <= ADJACENT


Condition = Callable[[Fighter, Fighter, Scene], bool]
"""Of A, P and what is around them."""


def _in_port(it: Fighter, scene: Scene) -> bool:
    """HX-FLE-1, HX-SUB-3."""
    on_bridge = it.ground.bridge and scene.facts.constants.naval_noblock_bridge > 0
    return "Port" in it.ground_traits or on_bridge


STATES: Mapping[str, Callable[[Fighter, Scene], bool]] = {
    "is the Attacker": lambda it, scene: it.role == ATTACKER,
    "is the Defender": lambda it, scene: it.role == DEFENDER,
    "is a Hard target": lambda it, scene: it.values.target == "Hard",
    "is an Air target": lambda it, scene: it.values.target == "Air",
    "is sabotaged": lambda it, scene: it.is_sabotaged,
    "is out of ammo": lambda it, scene: not it.has_ammo,
    "is out of fuel": lambda it, scene: it.uses_fuel and it.fuel <= 0,
    "is in water": lambda it, scene: "water" in it.ground_traits and not it.ground.bridge,
    "is in ruins": lambda it, scene: it.ground.blown_city,
    "is on mines": lambda it, scene: it.ground.mined,
    "lies in port": _in_port,
    "has ammo": lambda it, scene: it.has_ammo,
    "has moved": lambda it, scene: it.has_moved,
    "has intercepted": lambda it, scene: it.has_intercepted,
    "has supported": lambda it, scene: it.has_supported,
    "has organic transport": lambda it, scene: it.piece.type.organic_transport,
    "flies Recon": lambda it, scene: it.flies_recon,
    "bombs": lambda it, scene: it.values.bomb_code > 0,
    "reaches just so far": lambda it, scene: it.values.range == scene.distance,
}
"""What may be said of one unit besides what it is, has and stands on."""

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
"""What may be said of the combat."""

CLEARLY = 1
"""HX-INI-18."""

NEAR = 3
"""HX-INI-9."""


def reaches_over(scene: Scene) -> bool:
    """HX-AD-2 with flak_ex2: plane and FlaK both stand beside the Defender, so they are at most two hexes apart."""
    return scene.facts.constants.flak_ex2 > 0 and scene.attack_range <= ADJACENT and scene.distance <= 2 * ADJACENT


@dataclass(frozen=True, slots=True)
class Words:
    """What conditions may name.

    Args:
        kinds: Classes and groups.
        traits: Leaders, attributes and attachments.
        grounds: Terrains and their traits.
        switches: Name to what each switch asks; filled while the switches themselves are read.
    """

    kinds: frozenset[str]
    traits: frozenset[str]
    grounds: frozenset[str]
    switches: dict[str, Condition]


def all_of(terms: Entry | None, words: Words) -> Condition:
    """The condition that all entries of a list hold; in a list inside it one is enough, inside that all again.

    Raises:
        Slip: An entry says what nobody knows.
    """
    if terms is None:
        return lambda a, p, scene: True
    return _every([_term(it, words, any_of) for it in terms.each()])


def any_of(terms: Entry, words: Words) -> Condition:
    """The condition that one entry of a list holds."""
    return _some([_term(it, words, all_of) for it in terms.each()])


def _term(it: Entry, words: Words, inner: Callable[[Entry, Words], Condition]) -> Condition:
    return inner(it, words) if isinstance(it.value, list) else said(it, words)


def _every(conditions: list[Condition]) -> Condition:
    if len(conditions) == 1:
        return conditions[0]

    def holds(a: Fighter, p: Fighter, scene: Scene) -> bool:
        for condition in conditions:  # noqa: SIM110 (a generator costs more than all these conditions)
            if not condition(a, p, scene):
                return False
        return True

    return holds


def _some(conditions: list[Condition]) -> Condition:
    return lambda a, p, scene: any(condition(a, p, scene) for condition in conditions)


SAID = re.compile(r"(?P<who>[AP]) (?P<what>(?P<verb>\w+)(?: (?P<names>.+))?)")


def said(it: Entry, words: Words) -> Condition:
    """One condition in words.

    Raises:
        Slip: Nobody knows what it says.
    """
    text = it.text()
    if text.startswith("not "):
        positive = said(Entry(it.file, text.removeprefix("not "), it.path), words)
        return lambda a, p, scene: not positive(a, p, scene)
    if text in SITUATIONS:
        return SITUATIONS[text]
    parts = SAID.fullmatch(text)
    if parts is None:
        raise it.slip(f"{shown(text)} is not a situation. {suggestion(text, SITUATIONS)}")
    is_a = parts["who"] == "A"
    if parts["what"] in STATES:
        return _of_one(STATES[parts["what"]], is_a)
    if parts["what"] in words.switches:
        return _switched(words.switches, parts["what"], is_a)
    return _named(it, parts["verb"], parts["names"] or "", is_a, words)


def _of_one(state: Callable[[Fighter, Scene], bool], is_a: bool) -> Condition:
    if is_a:
        return lambda a, p, scene: state(a, scene)
    return lambda a, p, scene: state(p, scene)


def _switched(switches: Mapping[str, Condition], name: str, is_a: bool) -> Condition:
    switch = switches[name]
    if is_a:
        return switch
    return lambda a, p, scene: switch(p, a, scene)


def _named(it: Entry, verb: str, names: str, is_a: bool, words: Words) -> Condition:
    """`is`, `has`, `lacks` or `on` with names."""
    known = {"is": words.kinds, "has": words.traits, "lacks": words.traits, "on": words.grounds}.get(verb)
    if known is None:
        allowed = [*STATES, *words.switches]
        raise it.slip(f"{shown(it.value)} is not a condition. {suggestion(str(it.value)[2:], allowed)}")
    wanted = frozenset(names.split(" or "))
    for name in sorted(wanted):
        it.known(name, known, f"what a unit {verb}")
    return _apart(wanted, BELONGINGS[verb], is_a) if verb == "lacks" else _shared(wanted, BELONGINGS[verb], is_a)


BELONGINGS = {
    "is": operator.attrgetter("kinds"),
    "has": operator.attrgetter("traits"),
    "lacks": operator.attrgetter("traits"),
    "on": operator.attrgetter("ground_traits"),
}
"""Verb to what of a unit it looks at."""


def _shared(wanted: frozenset[str], of: Callable[[Fighter], frozenset[str]], is_a: bool) -> Condition:
    is_apart = wanted.isdisjoint
    if is_a:
        return lambda a, p, scene: not is_apart(of(a))
    return lambda a, p, scene: not is_apart(of(p))


def _apart(wanted: frozenset[str], of: Callable[[Fighter], frozenset[str]], is_a: bool) -> Condition:
    is_apart = wanted.isdisjoint
    if is_a:
        return lambda a, p, scene: is_apart(of(a))
    return lambda a, p, scene: is_apart(of(p))
