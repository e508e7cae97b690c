"""What must hold between a combat and the units it names, said at the request's cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.hexcombat.account import Account
from engine.hexcombat.conditions import ADJACENT, Scene, reaches_over
from engine.hexcombat.dice import DiceInOrder, DiceSpent, WrongDie
from engine.hexcombat.fate import Rolled
from engine.hexcombat.fighter import AIR, ATTACKER, DEFENDER, LAND, SUPPORT, Fighter, fighter
from engine.hexcombat.inputs import (
    ATTACK,
    BARRAGE,
    FAIR,
    INTERCEPTION,
    NO_MISSION,
    SURPRISE,
    WILD_WEASEL,
    CombatInputs,
    Supporter,
)
from engine.hexcombat.procedures import fight
from engine.hexcombat.tables import Tables
from sheets_algo.forms.hexcombat_board import OWN_FACILITIES
from sheets_algo.problems import Problem
from sheets_algo.tables import Row


def combat_fits(row: Row, combat: CombatInputs, tables: Tables) -> Iterator[Problem]:
    """Everything that keeps a combat, whose parts are sound, from being fought.

    Args:
        row: The request.
        combat: What it asks for.
        tables: Of this workbook.
    """
    yield from _Checks(row, combat, tables).problems()


def dice_fit(row: Row, combat: CombatInputs, tables: Tables) -> Iterator[Problem]:
    """HX-DEF-24: the typed rolls are such as the dice of this combat, which is sound otherwise, can show.

    Args:
        row: The request.
        combat: What it asks for.
        tables: Of this workbook.
    """
    if not combat.dice:
        return
    typed = DiceInOrder(combat.dice, None)
    unread = Account(is_kept=False)
    try:
        fight(combat, tables, Rolled(typed, unread), unread)
    except DiceSpent:
        return  # the rest is drawn
    except WrongDie as wrong:
        says = f"roll {wrong.number} is {wrong.value}, and that die shows {wrong.low} to {wrong.high}"
        yield row.problem(
            "dice", "HX-DEF-24", says, allowed="Enter the rolls in the order of the dice, as the log has it"
        )
        return
    if typed.used < len(combat.dice):
        says = f"{len(combat.dice)} rolls, and this combat needs {typed.used}: the last ones count for nothing"
        yield row.warning("dice", "HX-DEF-24", says)


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


class _Checks:
    def __init__(self, row: Row, combat: CombatInputs, tables: Tables) -> None:
        self._row = row
        self._combat = combat
        self._tables = tables
        self._options = tables.facts.constants
        self._attacker = fighter(
            combat.attacker, ATTACKER, tables.facts, has_moved=combat.attacker_moved, mission=combat.mission
        )
        self._defender = (
            fighter(combat.defender, DEFENDER, tables.facts, mission=combat.defender_mission)
            if combat.defender
            else None
        )

    def problems(self) -> Iterator[Problem]:
        yield from self._sides()
        yield from self._taking_part("attacker", self._attacker)
        if self._defender:
            yield from self._taking_part("defender", self._defender)
        yield from self._missions()
        of_kind: Mapping[str, Callable[[], Iterator[Problem]]] = {
            ATTACK: self._attack,
            SURPRISE: self._no_more,
            BARRAGE: self._barrage,
            INTERCEPTION: self._interception,
        }
        yield from of_kind[self._combat.kind]()
        for support in SUPPORTS:
            yield from self._supporters(support)
        for attribute in BESIDE:
            yield from self._beside(attribute)

    def _sides(self) -> Iterator[Problem]:
        """HX-DEF-01: two units of two sides."""
        attacker, defender = self._attacker, self._defender
        if defender is None:
            return
        if attacker.name == defender.name:
            yield self._row.problem(
                "defender", "HX-DEF-01", f"{attacker.name} attacks itself", allowed="Name a unit of another side"
            )
        elif attacker.side == defender.side:
            says = f"{defender.name} fights for {defender.side}, as {attacker.name} does"
            yield self._row.problem("defender", "HX-DEF-01", says, allowed="Name a unit of another side")

    def _taking_part(self, attribute: str, it: Fighter) -> Iterator[Problem]:
        """HX-OP-45, HX-DEF-07: whoever takes part is there."""
        if not it.is_active:
            says = f"{it.name} is {it.status.lower()}"
            yield self._row.problem(attribute, "HX-OP-45", says, allowed="Name a unit whose Status is Active")
        elif it.strength < 1:
            says = f"{it.name} has no strength points"
            yield self._row.problem(attribute, "HX-DEF-07", says, allowed="Name a unit with a Strength of at least 1")

    def _missions(self) -> Iterator[Problem]:
        for attribute, it in (("mission", self._attacker), ("defender_mission", self._defender)):
            if it is None or it.mission == NO_MISSION:
                continue
            if not self._options.air_missions:
                says = f"{it.mission} is flown, but the option air_missions is off"
                allowed = "Leave the cell blank, or set air_missions to yes in Hex Settings"
                yield self._row.problem(attribute, "HX-OP-24", says, allowed=allowed)
            elif AIR not in it.kinds:
                says = f"{it.name} is no plane and flies no {it.mission} mission"
                yield self._row.problem(attribute, "HX-DEF-04", says, allowed="Leave the cell blank")

    def _attack(self) -> Iterator[Problem]:
        yield from self._not_sabotaged()
        attacker, defender = self._attacker, self._defender
        if defender is None:
            return
        why = _why_not_fire(attacker, defender, self._combat.range)
        if why:
            yield self._row.problem("attacker", "HX-DEF-21", f"{attacker.name} cannot attack: it {why}")
        if "Submarine" in defender.kinds and not self._can("may attack submarines", attacker, defender):
            says = f"{attacker.name} cannot attack the submarine {defender.name}"
            yield self._row.problem("defender", "HX-SUB", says, allowed=self._who_can("may attack submarines"))

    def _no_more(self) -> Iterator[Problem]:
        """In surprise contact the unit that moved need not be able to fire."""
        return iter(())

    def _not_sabotaged(self) -> Iterator[Problem]:
        if self._attacker.is_sabotaged:
            says = f"{self._attacker.name} is sabotaged and cannot attack"
            allowed = "Name another unit, or clear its Sabotaged in Hex Units"
            yield self._row.problem("attacker", "HX-SAB-6", says, allowed=allowed)

    def _barrage(self) -> Iterator[Problem]:
        attacker, defender = self._attacker, self._defender
        if not self._options.allow_barrage_fire:
            yield self._off("kind", "HX-BAR", "a barrage", "allow_barrage_fire")
        yield from self._not_sabotaged()
        if attacker.values.bomb_code < 1:
            says = f"{attacker.name} cannot fire a barrage: its type has no BombCode"
            yield self._row.problem("attacker", "HX-BAR-1", says, allowed="Name a unit whose type has a BombCode")
        why = _why_not_ready(attacker, self._combat.range)
        if why:
            yield self._row.problem("attacker", "HX-DEF-21", f"{attacker.name} cannot fire a barrage: it {why}")
        if self._combat.facility in OWN_FACILITIES and self._combat.facility_owner is None:
            says = f"nobody owns the {self._combat.facility.lower()}, so nobody loses prestige for it"
            yield self._row.warning("facility_owner", "HX-STR-1", says, allowed="Enter a name from Hex Sides")
        if defender and AIR in defender.kinds:
            says = f"{defender.name} is a plane, which no barrage hits"
            yield self._row.problem("defender", "HX-BAR-2", says, allowed="Name a land or naval unit, or nobody")

    def _interception(self) -> Iterator[Problem]:
        plane, gun = self._attacker, self._defender
        if not self._options.air_units_intercepted:
            yield self._off("kind", "HX-G2A", "an interception from the ground", "air_units_intercepted")
        if AIR not in plane.kinds:
            says = f"{plane.name} is no plane, so nobody intercepts it from the ground"
            yield self._row.problem("attacker", "HX-G2A", says, allowed="Name the plane as Attacker")
        elif gun:
            yield from self._gun(plane, gun)
        yield from self._distance()

    def _gun(self, plane: Fighter, gun: Fighter) -> Iterator[Problem]:
        scene = self._scene(self._combat.range)
        why = _why_not_fire(gun, plane, self._combat.range)
        if not self._can("gives air defence", gun, plane):
            says = f"{gun.name} cannot intercept from the ground"
            yield self._row.problem("defender", "HX-G2A-1", says, allowed=self._who_can("gives air defence"))
        elif why:
            yield self._row.problem("defender", "HX-DEF-21", f"{gun.name} cannot intercept from the ground: it {why}")
        forbids = self._tables.case("is never intercepted by", gun, plane, scene)
        if forbids:
            says = f"{gun.name} cannot intercept {plane.name}: {forbids.words}"
            yield self._row.problem("defender", forbids.id, says)

    def _distance(self) -> Iterator[Problem]:
        """HX-G2A-3, HX-G2A-5: hidden guns beside or below the plane, spotted ones only where the mode says so."""
        combat = self._combat
        if combat.range > ADJACENT:
            says = f"{combat.range} hexes are too far for an interception from the ground"
            yield self._row.problem("range", "HX-G2A-3", says, allowed="Use 1, or 0 where the plane's move has ended")
        elif combat.range == 0 and not combat.plane_ended:
            says = "a plane in the gun's own hex is intercepted only where its move has ended"
            yield self._row.problem("plane_move", "HX-G2A-3", says, allowed="Use Ended, or Range 1")
        if combat.interceptor_hidden:
            return
        if not self._options.spotted_guns_intercept:
            says = "the gun is spotted, and only hidden ones intercept"
            allowed = "Tick the cell, or set g2a_intercept_mode to 2 or 3 in Hex Settings"
            yield self._row.problem("interceptor_hidden", "HX-G2A-5", says, allowed=allowed)
        elif not combat.plane_ended or combat.range != ADJACENT:
            says = "a spotted gun intercepts only a plane whose move has ended beside it"
            allowed = "Plane's move Ended and Range 1, or a hidden gun"
            yield self._row.problem("interceptor_hidden", "HX-G2A-5", says, allowed=allowed)

    def _supporters(self, support: _List) -> Iterator[Problem]:
        listed: tuple[Supporter, ...] = getattr(self._combat, support.attribute)
        if not listed:
            return
        nobody = self._why_nobody(support)
        if nobody:
            yield self._row.problem(support.attribute, support.id, f"{nobody}", allowed="Leave the cell blank")
            return
        if support.attribute == "naval_support" and len(listed) > 1:
            says = f"{len(listed)} destroyers, where only the first beside the defender fires"
            yield self._row.problem(support.attribute, support.id, says, allowed="Name one")
        yield from self._twice(support.attribute, [it.piece.unit.name for it in listed])
        for it in listed:
            yield from self._supporter(support, fighter(it.piece, SUPPORT, self._tables.facts), it.distance)

    def _why_nobody(self, support: _List) -> str:
        """Why nobody fires there in this combat; blank where somebody may."""
        combat, attacker, defender = self._combat, self._attacker, self._defender
        who = f"can {support.does}"
        is_air = AIR in attacker.kinds
        if combat.kind not in support.kinds:
            return f"nobody {who} in {_named(combat.kind)}"
        if support.attribute in ("interceptors", "air_defence"):
            if not is_air:
                return f"nobody {who} against {attacker.name}, which is no plane"
            if self._options.air_missions and attacker.mission == WILD_WEASEL:
                return f"nobody {who} against {attacker.name}, which flies WildWeasel"
        if support.attribute in ("air_defence", "fire_support") and defender and AIR in defender.kinds:
            return f"nobody {who} for {defender.name}, which is a plane"
        if support.attribute == "fire_support" and LAND not in attacker.kinds:
            return f"nobody {who} against {attacker.name}, which is no land unit"
        if support.attribute == "counter_battery" and is_air:
            return f"nobody {who} against {attacker.name}, which is a plane"
        if support.attribute == "naval_support":
            if not self._options.extended_naval_rules:
                return f"nobody {who} while the option extended_naval_rules is off"
            if defender and not self._can("calls for naval support", attacker, defender):
                return f"nobody {who} unless a submarine attacks a ship other than a destroyer"
        return ""

    def _supporter(self, support: _List, it: Fighter, distance: int) -> Iterator[Problem]:
        attribute, does = support.attribute, support.does
        if it.name in self._fighting:
            says = f"{it.name} fights itself and cannot {does} in its own combat"
            yield self._row.problem(attribute, support.id, says, allowed="Name other units")
            return
        yield from self._taking_part(attribute, it)
        if self._defender and it.side != self._defender.side:
            says = f"{it.name} fights for {it.side}, not for {self._defender.side}"
            yield self._row.problem(attribute, support.id, says, allowed="Name units of the defender's side")
        elif it.side == self._attacker.side:
            says = f"{it.name} fights for {it.side}, the attacker's side"
            yield self._row.problem(attribute, support.id, says, allowed="Name units of another side")
        why = _why_not_ready(it)
        if not self._can(support.switch, it, self._attacker, distance):
            says = f"{it.name} cannot {does}{self._used_up(it, support)}"
            yield self._row.problem(attribute, support.id, says, allowed=self._who_can(support.switch))
        elif not why:
            why = self._why_not_reach(it, distance)
        if why:
            yield self._row.problem(attribute, "HX-DEF-21", f"{it.name} cannot {does}: it {why}")

    def _why_not_reach(self, it: Fighter, distance: int) -> str:
        """HX-AD-2: FlaK that reaches over the defender does so whatever its range."""
        over = "FlaK" in it.kinds and reaches_over(self._scene(distance))
        return _why_not_fire(it, self._attacker, distance, distance if over else None)

    def _used_up(self, it: Fighter, support: _List) -> str:
        """What its row says about this turn, where that may be why."""
        if it.has_intercepted and support.id in ("HX-INT", "HX-AD"):
            return ": it has intercepted this turn"
        if it.has_supported and support.id not in ("HX-INT", "HX-AD"):
            return ": it has supported this turn"
        return ""

    def _beside(self, attribute: str) -> Iterator[Problem]:
        """HX-ODD-E17: who stands beside a unit is another one, and there once."""
        whose = self._attacker if attribute == "beside_attacker" else self._defender
        names = [piece.unit.name for piece in getattr(self._combat, attribute)]
        yield from self._twice(attribute, names)
        if whose and whose.name in names:
            says = f"{whose.name} does not stand beside itself"
            yield self._row.problem(attribute, "HX-ODD-E17", says, allowed="Name other units")

    def _twice(self, attribute: str, names: Sequence[str]) -> Iterator[Problem]:
        for name in dict.fromkeys(names):
            if names.count(name) > 1:
                says = f"{name} stands there {'twice' if names.count(name) == 2 else f'{names.count(name)} times'}"
                yield self._row.problem(attribute, "HX-DEF-24", says, allowed="Keep it once")

    @property
    def _fighting(self) -> tuple[str, ...]:
        return (self._attacker.name, *((self._defender.name,) if self._defender else ()))

    def _scene(self, distance: int) -> Scene:
        return Scene(
            facts=self._tables.facts,
            distance=distance,
            is_bad_weather=self._combat.weather != FAIR,
            attack_range=self._combat.range,
        )

    def _can(self, switch: str, one: Fighter, enemy: Fighter, distance: int | None = None) -> bool:
        scene = self._scene(self._combat.range if distance is None else distance)
        return self._tables.says(switch, one, enemy, scene)

    def _who_can(self, switch: str) -> str:
        """`That is for artillery or FlaK with Support Fire`: what the rows of a switch call those whom they fit."""
        words = [row.words for row in self._tables.switches[switch]]
        return f"That is for {' or '.join(filter(None, (', '.join(words[:-1]), words[-1])))}"

    def _off(self, attribute: str, id: str, what: str, option: str) -> Problem:
        says = f"{what} needs the option {option}, which is off"
        return self._row.problem(attribute, id, says, allowed=f"Set {option} to yes in Hex Settings")


def _why_not_ready(it: Fighter, distance: int | None = None) -> str:
    """HX-DEF-21: why a unit cannot fire at anything so far away; blank where it can."""
    if not it.has_ammo:
        return "has no ammo"
    if it.unsuppressed < 1:
        return "has no strength points that are not suppressed"
    return _why_too_far(it, distance, max(1, it.values.range)) if distance is not None else ""


def _why_not_fire(it: Fighter, enemy: Fighter, distance: int, reach: int | None = None) -> str:
    """HX-DEF-21: why a unit cannot fire at another; blank where it can."""
    if it.attack_at(enemy) < 1:
        return f"has no attack against {enemy.values.target.lower()} targets"
    furthest = max(1, it.values.range) if reach is None else reach
    return _why_not_ready(it) or _why_too_far(it, distance, furthest)


def _why_too_far(it: Fighter, distance: int, furthest: int) -> str:
    if distance <= furthest:
        return ""
    return f"fires {furthest} {'hex' if furthest == 1 else 'hexes'} far, and its target is {distance} away"


def _named(kind: str) -> str:
    """A kind of combat within a sentence."""
    return f"{'an' if kind[0] in 'AI' else 'a'} {kind[0].lower()}{kind[1:]}"
