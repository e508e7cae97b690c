"""Checks of the units that a combat lists, which support its two sides or stand beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.hexcombat.setup.conditions import reaches_over
from engine.hexcombat.setup.fighter import AIR, LAND, SUPPORT, Fighter, fighter
from engine.hexcombat.setup.inputs import ATTACK, BARRAGE, SURPRISE, WILD_WEASEL, Supporter
from sheets_algo.database.problems import Problem
from sheets_algo.forms.hexcombat.sides import Sides, why_not_fire, why_not_ready


def check_supports(sides: Sides) -> Iterator[Problem]:
    """Check that the listed units can take part in a combat, whose parts are valid."""
    for support in SUPPORTS:
        yield from _check_column(sides, support)
    for attribute in BESIDE:
        yield from _check_beside(sides, attribute)


@dataclass(frozen=True, slots=True)
class SupportColumn:
    """One of the columns of supporting units."""

    attribute: str  # The attribute of the column
    id: str  # The rule id
    does: str  # The verb for the support in sentences: `intercept`
    switch: str  # The switch of the tables for units that can give this support
    kinds: Sequence[str]  # The kinds of combat with this support


SUPPORTS = (
    SupportColumn("interceptors", "HX-INT", "intercept", "intercepts", (ATTACK, SURPRISE, BARRAGE)),
    SupportColumn("air_defence", "HX-AD", "give air defence", "gives air defence", (ATTACK, SURPRISE, BARRAGE)),
    SupportColumn("fire_support", "HX-FS", "give fire support", "gives fire support", (ATTACK, SURPRISE)),
    SupportColumn("naval_support", "HX-NS", "give naval support", "gives naval support", (ATTACK, SURPRISE)),
    SupportColumn(
        "counter_battery", "HX-CBF", "give counter-battery fire", "fires at batteries", (ATTACK, SURPRISE, BARRAGE)
    ),
)
BESIDE = ("beside_attacker", "beside_defender")


def can_support(sides: Sides, support: SupportColumn, fighter: Fighter, distance: int) -> bool:
    """Return True if a unit may be listed in a column of a combat."""
    return not why_unavailable(sides, support) and not any(_check_supporter(sides, support, fighter, distance))


def _check_column(sides: Sides, support: SupportColumn) -> Iterator[Problem]:
    listed: tuple[Supporter, ...] = getattr(sides.combat, support.attribute)
    if not listed:
        return
    reason = why_unavailable(sides, support)
    if reason:
        yield sides.row.problem(support.attribute, support.id, reason, allowed="Leave the cell blank")
        return
    if support.attribute == "naval_support" and len(listed) > 1:
        says = f"{len(listed)} destroyers, but only one destroyer beside the defender may fire"
        yield sides.row.problem(support.attribute, support.id, says, allowed="Name one")
    yield from _check_unique(sides, support.attribute, [unit.piece.unit.name for unit in listed])
    for unit in listed:
        supporter = fighter(unit.piece, SUPPORT, sides.tables.facts, game_turn=sides.combat.game_turn)
        yield from _check_supporter(sides, support, supporter, unit.distance)


def _check_beside(sides: Sides, attribute: str) -> Iterator[Problem]:
    """Check that the units beside a unit are other ones, each named once (HX-ODD-E17)."""
    unit = sides.attacker if attribute == "beside_attacker" else sides.defender
    names = [piece.unit.name for piece in getattr(sides.combat, attribute)]
    yield from _check_unique(sides, attribute, names)
    if unit and unit.name in names:
        says = f"{unit.name} cannot be beside itself"
        yield sides.row.problem(attribute, "HX-ODD-E17", says, allowed="Name other units")


def why_unavailable(sides: Sides, support: SupportColumn) -> str:
    """Return the reason why this support is impossible in the combat, blank if it is possible."""
    combat, attacker, defender = sides.combat, sides.attacker, sides.defender
    who = f"can {support.does}"
    is_air = AIR in attacker.kinds
    if combat.kind not in support.kinds:
        return f"nobody {who} in {_with_article(combat.kind)}"
    if support.attribute in ("interceptors", "air_defence"):
        if not is_air:
            return f"nobody {who} against {attacker.name}, which is not a plane"
        if sides.options.air_missions and attacker.mission == WILD_WEASEL:
            return f"nobody {who} against {attacker.name}, which flies WildWeasel"
    if support.attribute in ("air_defence", "fire_support") and defender and AIR in defender.kinds:
        return f"nobody {who} for {defender.name}, which is a plane"
    if support.attribute == "fire_support" and LAND not in attacker.kinds:
        return f"nobody {who} against {attacker.name}, which is not a land unit"
    if support.attribute == "counter_battery" and is_air:
        return f"nobody {who} against {attacker.name}, which is a plane"
    if support.attribute == "naval_support":
        if not sides.options.extended_naval_rules:
            return f"nobody {who} while the option extended_naval_rules is off"
        if defender and not sides.can("calls for naval support", attacker, defender):
            return f"nobody {who} unless a submarine attacks a ship other than a destroyer"
    return ""


def _check_supporter(sides: Sides, support: SupportColumn, fighter: Fighter, distance: int) -> Iterator[Problem]:
    attribute, does = support.attribute, support.does
    if fighter.name in _combatants(sides):
        says = f"{fighter.name} is the attacker or the defender, so it cannot {does}"
        yield sides.row.problem(attribute, support.id, says, allowed="Name other units")
        return
    yield from sides.check_available(attribute, fighter)
    if sides.defender and fighter.side != sides.defender.side:
        says = f"{fighter.name} is on the side {fighter.side}, not {sides.defender.side}"
        yield sides.row.problem(attribute, support.id, says, allowed="Name units of the defender's side")
    elif fighter.side == sides.attacker.side:
        says = f"{fighter.name} is on the side {fighter.side}, as the attacker is"
        yield sides.row.problem(attribute, support.id, says, allowed="Name units of another side")
    reason = why_not_ready(fighter)
    if not sides.can(support.switch, fighter, sides.attacker, distance):
        says = f"{fighter.name} cannot {does}{_support_this_turn(fighter, support)}"
        yield sides.row.problem(attribute, support.id, says, allowed=sides.switch_hint(support.switch))
    elif not reason:
        reason = _why_not_reach(sides, fighter, distance)
    if reason:
        yield sides.row.problem(attribute, "HX-DEF-21", f"{fighter.name} cannot {does}: it {reason}")


def _why_not_reach(sides: Sides, fighter: Fighter, distance: int) -> str:
    """Return the reason why a unit cannot fire at the attacker; FlaK over the defender fires at any range (HX-AD-2)."""
    over = "FlaK" in fighter.kinds and reaches_over(sides.scene(distance))
    return why_not_fire(fighter, sides.attacker, distance, distance if over else None)


def _support_this_turn(fighter: Fighter, support: SupportColumn) -> str:
    """Return the unit's earlier support in this turn as a possible reason, blank if there is none."""
    if fighter.has_intercepted and support.id in ("HX-INT", "HX-AD"):
        return ": it has intercepted this turn"
    if fighter.has_supported and support.id not in ("HX-INT", "HX-AD"):
        return ": it has supported this turn"
    return ""


def _combatants(sides: Sides) -> tuple[str, ...]:
    return (sides.attacker.name, *((sides.defender.name,) if sides.defender else ()))


def _check_unique(sides: Sides, attribute: str, names: Sequence[str]) -> Iterator[Problem]:
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            says = f"{name} is listed {'twice' if names.count(name) == 2 else f'{names.count(name)} times'}"
            yield sides.row.problem(attribute, "HX-DEF-24", says, allowed="List it once")


def _with_article(kind: str) -> str:
    """Return a kind of combat with its article, for sentences."""
    return f"{'an' if kind[0] in 'AI' else 'a'} {kind[0].lower()}{kind[1:]}"
