"""What must hold between a combat and the units it names, said at the request's cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from engine.hexcombat.account import Account
from engine.hexcombat.conditions import ADJACENT
from engine.hexcombat.dice import DiceInOrder, DiceSpent, WrongDie
from engine.hexcombat.fate import Rolled
from engine.hexcombat.fighter import AIR, Fighter
from engine.hexcombat.inputs import (
    ATTACK,
    BARRAGE,
    INTERCEPTION,
    NO_MISSION,
    SURPRISE,
    CombatInputs,
)
from engine.hexcombat.procedures import fight
from engine.hexcombat.tables import Tables
from sheets_algo.forms.hexcombat_board import OWN_FACILITIES
from sheets_algo.forms.hexcombat_sides import Sides, why_not_fire, why_not_ready
from sheets_algo.forms.hexcombat_supports import supports_fit
from sheets_algo.problems import Problem
from sheets_algo.tables import Row


def combat_fits(row: Row, combat: CombatInputs, tables: Tables) -> Iterator[Problem]:
    """Everything that keeps a combat, whose parts are sound, from being fought.

    Args:
        row: The request.
        combat: What it asks for.
        tables: Of this workbook.
    """
    checks = _Checks(row, combat, tables)
    yield from checks.problems()
    yield from supports_fit(checks)


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


class _Checks(Sides):
    def problems(self) -> Iterator[Problem]:
        yield from self._two_sides()
        yield from self.taking_part("attacker", self.attacker)
        if self.defender:
            yield from self.taking_part("defender", self.defender)
        yield from self._missions()
        of_kind: Mapping[str, Callable[[], Iterator[Problem]]] = {
            ATTACK: self._attack,
            SURPRISE: self._no_more,
            BARRAGE: self._barrage,
            INTERCEPTION: self._interception,
        }
        yield from of_kind[self.combat.kind]()

    def _two_sides(self) -> Iterator[Problem]:
        """HX-DEF-01: two units of two sides."""
        attacker, defender = self.attacker, self.defender
        if defender is None:
            return
        if attacker.name == defender.name:
            yield self.row.problem(
                "defender", "HX-DEF-01", f"{attacker.name} attacks itself", allowed="Name a unit of another side"
            )
        elif attacker.side == defender.side:
            says = f"{defender.name} fights for {defender.side}, as {attacker.name} does"
            yield self.row.problem("defender", "HX-DEF-01", says, allowed="Name a unit of another side")

    def _missions(self) -> Iterator[Problem]:
        for attribute, it in (("mission", self.attacker), ("defender_mission", self.defender)):
            if it is None or it.mission == NO_MISSION:
                continue
            if not self.options.air_missions:
                says = f"{it.mission} is flown, but the option air_missions is off"
                allowed = "Leave the cell blank, or set air_missions to yes in Hex Settings"
                yield self.row.problem(attribute, "HX-OP-24", says, allowed=allowed)
            elif AIR not in it.kinds:
                says = f"{it.name} is no plane and flies no {it.mission} mission"
                yield self.row.problem(attribute, "HX-DEF-04", says, allowed="Leave the cell blank")

    def _attack(self) -> Iterator[Problem]:
        yield from self._not_sabotaged()
        attacker, defender = self.attacker, self.defender
        if defender is None:
            return
        why = why_not_fire(attacker, defender, self.combat.range)
        if why:
            yield self.row.problem("attacker", "HX-DEF-21", f"{attacker.name} cannot attack: it {why}")
        if "Submarine" in defender.kinds and not self.can("may attack submarines", attacker, defender):
            says = f"{attacker.name} cannot attack the submarine {defender.name}"
            yield self.row.problem("defender", "HX-SUB", says, allowed=self.who_can("may attack submarines"))

    def _no_more(self) -> Iterator[Problem]:
        """In surprise contact the unit that moved need not be able to fire."""
        return iter(())

    def _not_sabotaged(self) -> Iterator[Problem]:
        if self.attacker.is_sabotaged:
            says = f"{self.attacker.name} is sabotaged and cannot attack"
            allowed = "Name another unit, or clear its Sabotaged in Hex Units"
            yield self.row.problem("attacker", "HX-SAB-6", says, allowed=allowed)

    def _barrage(self) -> Iterator[Problem]:
        attacker, defender = self.attacker, self.defender
        if not self.options.allow_barrage_fire:
            yield self._off("kind", "HX-BAR", "a barrage", "allow_barrage_fire")
        yield from self._not_sabotaged()
        if attacker.values.bomb_code < 1:
            says = f"{attacker.name} cannot fire a barrage: its type has no BombCode"
            yield self.row.problem("attacker", "HX-BAR-1", says, allowed="Name a unit whose type has a BombCode")
        why = why_not_ready(attacker, self.combat.range)
        if why:
            yield self.row.problem("attacker", "HX-DEF-21", f"{attacker.name} cannot fire a barrage: it {why}")
        if self.combat.facility in OWN_FACILITIES and self.combat.facility_owner is None:
            says = f"nobody owns the {self.combat.facility.lower()}, so nobody loses prestige for it"
            yield self.row.warning("facility_owner", "HX-STR-1", says, allowed="Enter a name from Hex Sides")
        if defender and AIR in defender.kinds:
            says = f"{defender.name} is a plane, which no barrage hits"
            yield self.row.problem("defender", "HX-BAR-2", says, allowed="Name a land or naval unit, or nobody")

    def _interception(self) -> Iterator[Problem]:
        plane, gun = self.attacker, self.defender
        if not self.options.air_units_intercepted:
            yield self._off("kind", "HX-G2A", "an interception from the ground", "air_units_intercepted")
        if AIR not in plane.kinds:
            says = f"{plane.name} is no plane, so nobody intercepts it from the ground"
            yield self.row.problem("attacker", "HX-G2A", says, allowed="Name the plane as Attacker")
        elif gun:
            yield from self._gun(plane, gun)
        yield from self._distance()

    def _gun(self, plane: Fighter, gun: Fighter) -> Iterator[Problem]:
        scene = self.scene(self.combat.range)
        why = why_not_fire(gun, plane, self.combat.range)
        if not self.can("gives air defence", gun, plane):
            says = f"{gun.name} cannot intercept from the ground"
            yield self.row.problem("defender", "HX-G2A-1", says, allowed=self.who_can("gives air defence"))
        elif why:
            yield self.row.problem("defender", "HX-DEF-21", f"{gun.name} cannot intercept from the ground: it {why}")
        forbids = self.tables.case("is never intercepted by", gun, plane, scene)
        if forbids:
            says = f"{gun.name} cannot intercept {plane.name}: {forbids.words}"
            yield self.row.problem("defender", forbids.id, says)

    def _distance(self) -> Iterator[Problem]:
        """HX-G2A-3, HX-G2A-5: hidden guns beside or below the plane, spotted ones only where the mode says so."""
        combat = self.combat
        if combat.range > ADJACENT:
            says = f"{combat.range} hexes are too far for an interception from the ground"
            yield self.row.problem("range", "HX-G2A-3", says, allowed="Use 1, or 0 where the plane's move has ended")
        elif combat.range == 0 and not combat.plane_ended:
            says = "a plane in the gun's own hex is intercepted only where its move has ended"
            yield self.row.problem("plane_move", "HX-G2A-3", says, allowed="Use Ended, or Range 1")
        if combat.interceptor_hidden:
            return
        if not self.options.spotted_guns_intercept:
            says = "the gun is spotted, and only hidden ones intercept"
            allowed = "Tick the cell, or set g2a_intercept_mode to 2 or 3 in Hex Settings"
            yield self.row.problem("interceptor_hidden", "HX-G2A-5", says, allowed=allowed)
        elif not combat.plane_ended or combat.range != ADJACENT:
            says = "a spotted gun intercepts only a plane whose move has ended beside it"
            allowed = "Plane's move Ended and Range 1, or a hidden gun"
            yield self.row.problem("interceptor_hidden", "HX-G2A-5", says, allowed=allowed)

    def _off(self, attribute: str, id: str, what: str, option: str) -> Problem:
        says = f"{what} needs the option {option}, which is off"
        return self.row.problem(attribute, id, says, allowed=f"Set {option} to yes in Hex Settings")
