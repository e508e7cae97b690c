"""What must hold of units that a combat lists: those that fire beside its two sides, and those that stand there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.hexcombat.conditions import reaches_over
from engine.hexcombat.fighter import AIR, LAND, SUPPORT, Fighter, fighter
from engine.hexcombat.inputs import ATTACK, BARRAGE, SURPRISE, WILD_WEASEL, Supporter
from sheets_algo.forms.hexcombat_sides import Sides, why_not_fire, why_not_ready
from sheets_algo.problems import Problem


def supports_fit(sides: Sides) -> Iterator[Problem]:
    """Everything that keeps listed units from taking part in a combat, whose parts are sound."""
    for support in SUPPORTS:
        yield from _supporters(sides, support)
    for attribute in BESIDE:
        yield from _beside(sides, attribute)


@dataclass(frozen=True, slots=True)
class _List:
    """One of the columns of units that fire.

    Args:
        attribute: Its column.
        id: Its rule.
        does: What they do there: `intercept`.
        switch: Who can, in the tables.
        kinds: Kinds of combat in which somebody does.
    """

    attribute: str
    id: str
    does: str
    switch: str
    kinds: Sequence[str]


SUPPORTS = (
    _List("interceptors", "HX-INT", "intercept", "intercepts", (ATTACK, SURPRISE, BARRAGE)),
    _List("air_defence", "HX-AD", "give air defence", "gives air defence", (ATTACK, SURPRISE, BARRAGE)),
    _List("fire_support", "HX-FS", "give fire support", "gives fire support", (ATTACK, SURPRISE)),
    _List("naval_support", "HX-NS", "give naval support", "gives naval support", (ATTACK, SURPRISE)),
    _List("counter_battery", "HX-CBF", "give counter-battery fire", "fires at batteries", (ATTACK, SURPRISE, BARRAGE)),
)
BESIDE = ("beside_attacker", "beside_defender")


def _supporters(sides: Sides, support: _List) -> Iterator[Problem]:
    listed: tuple[Supporter, ...] = getattr(sides.combat, support.attribute)
    if not listed:
        return
    nobody = _why_nobody(sides, support)
    if nobody:
        yield sides.row.problem(support.attribute, support.id, nobody, allowed="Leave the cell blank")
        return
    if support.attribute == "naval_support" and len(listed) > 1:
        says = f"{len(listed)} destroyers, where only the first beside the defender fires"
        yield sides.row.problem(support.attribute, support.id, says, allowed="Name one")
    yield from _twice(sides, support.attribute, [it.piece.unit.name for it in listed])
    for it in listed:
        yield from _supporter(sides, support, fighter(it.piece, SUPPORT, sides.tables.facts), it.distance)


def _beside(sides: Sides, attribute: str) -> Iterator[Problem]:
    """HX-ODD-E17: who stands beside a unit is another one, and there once."""
    whose = sides.attacker if attribute == "beside_attacker" else sides.defender
    names = [piece.unit.name for piece in getattr(sides.combat, attribute)]
    yield from _twice(sides, attribute, names)
    if whose and whose.name in names:
        says = f"{whose.name} does not stand beside itself"
        yield sides.row.problem(attribute, "HX-ODD-E17", says, allowed="Name other units")


def _why_nobody(sides: Sides, support: _List) -> str:
    """Why nobody fires there in this combat; blank where somebody may."""
    combat, attacker, defender = sides.combat, sides.attacker, sides.defender
    who = f"can {support.does}"
    is_air = AIR in attacker.kinds
    if combat.kind not in support.kinds:
        return f"nobody {who} in {_named(combat.kind)}"
    if support.attribute in ("interceptors", "air_defence"):
        if not is_air:
            return f"nobody {who} against {attacker.name}, which is no plane"
        if sides.options.air_missions and attacker.mission == WILD_WEASEL:
            return f"nobody {who} against {attacker.name}, which flies WildWeasel"
    if support.attribute in ("air_defence", "fire_support") and defender and AIR in defender.kinds:
        return f"nobody {who} for {defender.name}, which is a plane"
    if support.attribute == "fire_support" and LAND not in attacker.kinds:
        return f"nobody {who} against {attacker.name}, which is no land unit"
    if support.attribute == "counter_battery" and is_air:
        return f"nobody {who} against {attacker.name}, which is a plane"
    if support.attribute == "naval_support":
        if not sides.options.extended_naval_rules:
            return f"nobody {who} while the option extended_naval_rules is off"
        if defender and not sides.can("calls for naval support", attacker, defender):
            return f"nobody {who} unless a submarine attacks a ship other than a destroyer"
    return ""


def _supporter(sides: Sides, support: _List, it: Fighter, distance: int) -> Iterator[Problem]:
    attribute, does = support.attribute, support.does
    if it.name in _fighting(sides):
        says = f"{it.name} fights itself and cannot {does} in its own combat"
        yield sides.row.problem(attribute, support.id, says, allowed="Name other units")
        return
    yield from sides.taking_part(attribute, it)
    if sides.defender and it.side != sides.defender.side:
        says = f"{it.name} fights for {it.side}, not for {sides.defender.side}"
        yield sides.row.problem(attribute, support.id, says, allowed="Name units of the defender's side")
    elif it.side == sides.attacker.side:
        says = f"{it.name} fights for {it.side}, the attacker's side"
        yield sides.row.problem(attribute, support.id, says, allowed="Name units of another side")
    why = why_not_ready(it)
    if not sides.can(support.switch, it, sides.attacker, distance):
        says = f"{it.name} cannot {does}{_used_up(it, support)}"
        yield sides.row.problem(attribute, support.id, says, allowed=sides.who_can(support.switch))
    elif not why:
        why = _why_not_reach(sides, it, distance)
    if why:
        yield sides.row.problem(attribute, "HX-DEF-21", f"{it.name} cannot {does}: it {why}")


def _why_not_reach(sides: Sides, it: Fighter, distance: int) -> str:
    """HX-AD-2: FlaK that reaches over the defender does so whatever its range."""
    over = "FlaK" in it.kinds and reaches_over(sides.scene(distance))
    return why_not_fire(it, sides.attacker, distance, distance if over else None)


def _used_up(it: Fighter, support: _List) -> str:
    """What its row says about this turn, where that may be why."""
    if it.has_intercepted and support.id in ("HX-INT", "HX-AD"):
        return ": it has intercepted this turn"
    if it.has_supported and support.id not in ("HX-INT", "HX-AD"):
        return ": it has supported this turn"
    return ""


def _fighting(sides: Sides) -> tuple[str, ...]:
    return (sides.attacker.name, *((sides.defender.name,) if sides.defender else ()))


def _twice(sides: Sides, attribute: str, names: Sequence[str]) -> Iterator[Problem]:
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            says = f"{name} stands there {'twice' if names.count(name) == 2 else f'{names.count(name)} times'}"
            yield sides.row.problem(attribute, "HX-DEF-24", says, allowed="Keep it once")


def _named(kind: str) -> str:
    """A kind of combat within a sentence."""
    return f"{'an' if kind[0] in 'AI' else 'a'} {kind[0].lower()}{kind[1:]}"
