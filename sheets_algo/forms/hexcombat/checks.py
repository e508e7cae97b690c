"""Checks of a combat with the units it names, reported at the request's cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from engine.hexcombat.combat.account import Account
from engine.hexcombat.combat.fate import RolledFate
from engine.hexcombat.combat.procedures import fight
from engine.hexcombat.setup.conditions import ADJACENT
from engine.hexcombat.setup.dice import DiceInOrder, DiceSpent, WrongDie
from engine.hexcombat.setup.fighter import AIR, Fighter
from engine.hexcombat.setup.inputs import ATTACK, BARRAGE, INTERCEPTION, NO_MISSION, SURPRISE, CombatInputs
from engine.hexcombat.setup.tables import HexTables
from sheets_algo.database.problems import Problem
from sheets_algo.database.tables import Row
from sheets_algo.forms.hexcombat.board import OWN_FACILITIES
from sheets_algo.forms.hexcombat.sides import Sides, why_not_fire, why_not_ready
from sheets_algo.forms.hexcombat.supports import check_supports


def check_combat(row: Row, combat: CombatInputs, tables: HexTables) -> Iterator[Problem]:
    """Check that a combat, whose parts are valid, can be fought."""
    checks = _Checks(row, combat, tables)
    yield from checks.problems()
    yield from check_supports(checks)


def check_dice(row: Row, combat: CombatInputs, tables: HexTables) -> Iterator[Problem]:
    """Check that the dice of a combat, which is valid otherwise, can show the given rolls (HX-DEF-24)."""
    if not combat.dice:
        return
    rolls = DiceInOrder(combat.dice, None)
    discarded = Account(is_kept=False)
    try:
        fight(combat, tables, RolledFate(rolls, discarded), discarded)
    except DiceSpent:
        return  # the rest is drawn
    except WrongDie as error:
        says = f"roll {error.number} is {error.value}, but that die shows only {error.low} to {error.high}"
        yield row.problem(
            "dice", "HX-DEF-24", says, allowed="Enter the rolls in the order in which the log lists the dice"
        )
        return
    if rolls.used < len(combat.dice):
        says = f"{len(combat.dice)} rolls, and this combat needs {rolls.used}: the last ones count for nothing"
        yield row.warning("dice", "HX-DEF-24", says)


class _Checks(Sides):
    def problems(self) -> Iterator[Problem]:
        yield from self._check_sides()
        yield from self.check_available("attacker", self.attacker)
        if self.defender:
            yield from self.check_available("defender", self.defender)
        yield from self._check_missions()
        checks_by_kind: Mapping[str, Callable[[], Iterator[Problem]]] = {
            ATTACK: self._check_attack,
            SURPRISE: lambda: iter(()),  # the moving unit may be unable to fire
            BARRAGE: self._check_barrage,
            INTERCEPTION: self._check_interception,
        }
        yield from checks_by_kind[self.combat.kind]()

    def _check_sides(self) -> Iterator[Problem]:
        """Check that attacker and defender are units of different sides (HX-DEF-01)."""
        attacker, defender = self.attacker, self.defender
        if defender is None:
            return
        if attacker.name == defender.name:
            yield self.row.problem(
                "defender", "HX-DEF-01", f"{attacker.name} attacks itself", allowed="Name a unit of another side"
            )
        elif attacker.side == defender.side:
            says = f"{defender.name} and {attacker.name} are both on the side {defender.side}"
            yield self.row.problem("defender", "HX-DEF-01", says, allowed="Name a unit of another side")

    def _check_missions(self) -> Iterator[Problem]:
        for attribute, unit in (("mission", self.attacker), ("defender_mission", self.defender)):
            if unit is None or unit.mission == NO_MISSION:
                continue
            if not self.options.air_missions:
                says = f"the mission {unit.mission} needs the option air_missions, which is off"
                allowed = "Leave the cell blank, or set air_missions to yes in Hex Settings"
                yield self.row.problem(attribute, "HX-OP-24", says, allowed=allowed)
            elif AIR not in unit.kinds:
                says = f"{unit.name} is not a plane, so it cannot fly a {unit.mission} mission"
                yield self.row.problem(attribute, "HX-DEF-04", says, allowed="Leave the cell blank")

    def _check_attack(self) -> Iterator[Problem]:
        yield from self._check_not_sabotaged()
        attacker, defender = self.attacker, self.defender
        if defender is None:
            return
        reason = why_not_fire(attacker, defender, self.combat.range)
        if reason:
            yield self.row.problem("attacker", "HX-DEF-21", f"{attacker.name} cannot attack: it {reason}")
        if "Submarine" in defender.kinds and not self.can("may attack submarines", attacker, defender):
            says = f"{attacker.name} cannot attack the submarine {defender.name}"
            yield self.row.problem("defender", "HX-SUB", says, allowed=self.switch_hint("may attack submarines"))

    def _check_not_sabotaged(self) -> Iterator[Problem]:
        if self.attacker.is_sabotaged:
            says = f"{self.attacker.name} is sabotaged and cannot attack"
            allowed = "Name another unit, or clear its Sabotaged in Hex Units"
            yield self.row.problem("attacker", "HX-SAB-6", says, allowed=allowed)

    def _check_barrage(self) -> Iterator[Problem]:
        attacker, defender = self.attacker, self.defender
        if not self.options.allow_barrage_fire:
            yield self._disabled_option("kind", "HX-BAR", "a barrage", "allow_barrage_fire")
        yield from self._check_not_sabotaged()
        if attacker.values.bomb_code < 1:
            says = f"{attacker.name} cannot fire a barrage: its type has no BombCode"
            yield self.row.problem("attacker", "HX-BAR-1", says, allowed="Name a unit whose type has a BombCode")
        reason = why_not_ready(attacker, self.combat.range)
        if reason:
            yield self.row.problem("attacker", "HX-DEF-21", f"{attacker.name} cannot fire a barrage: it {reason}")
        if self.combat.facility in OWN_FACILITIES and self.combat.facility_owner is None:
            says = f"nobody owns the {self.combat.facility.lower()}, so nobody loses prestige for it"
            yield self.row.warning("facility_owner", "HX-STR-1", says, allowed="Enter a name from Hex Sides")
        if defender and AIR in defender.kinds:
            says = f"{defender.name} is a plane, and a barrage cannot hit planes"
            yield self.row.problem("defender", "HX-BAR-2", says, allowed="Name a land or naval unit, or nobody")

    def _check_interception(self) -> Iterator[Problem]:
        plane, gun = self.attacker, self.defender
        if not self.options.air_units_intercepted:
            yield self._disabled_option("kind", "HX-G2A", "an interception from the ground", "air_units_intercepted")
        if AIR not in plane.kinds:
            says = f"{plane.name} is not a plane, so it cannot be intercepted from the ground"
            yield self.row.problem("attacker", "HX-G2A", says, allowed="Name the plane as Attacker")
        elif gun:
            yield from self._check_gun(plane, gun)
        yield from self._check_distance()

    def _check_gun(self, plane: Fighter, gun: Fighter) -> Iterator[Problem]:
        scene = self.scene(self.combat.range)
        reason = why_not_fire(gun, plane, self.combat.range)
        if not self.can("gives air defence", gun, plane):
            says = f"{gun.name} cannot intercept from the ground"
            yield self.row.problem("defender", "HX-G2A-1", says, allowed=self.switch_hint("gives air defence"))
        elif reason:
            yield self.row.problem("defender", "HX-DEF-21", f"{gun.name} cannot intercept from the ground: it {reason}")
        exception = self.tables.case("is never intercepted by", gun, plane, scene)
        if exception:
            says = f"{gun.name} cannot intercept {plane.name}: {exception.words}"
            yield self.row.problem("defender", exception.id, says)

    def _check_distance(self) -> Iterator[Problem]:
        """Check the distance of an interception, and that a spotted gun may intercept (HX-G2A-3, HX-G2A-5)."""
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

    def _disabled_option(self, attribute: str, id: str, what: str, option: str) -> Problem:
        says = f"{what} needs the option {option}, which is off"
        return self.row.problem(attribute, id, says, allowed=f"Set {option} to yes in Hex Settings")
