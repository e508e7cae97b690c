"""Reader of a request for one combat, or for the forecast of all targets of a unit (HX-OP-55)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.hexcombat.setup.conditions import ADJACENT
from engine.hexcombat.setup.fighter import ATTACKER, fighter
from engine.hexcombat.setup.hexes import Hex, distance
from engine.hexcombat.setup.inputs import CombatInputs, HexInputs, Piece, TargetsInputs
from engine.hexcombat.setup.tables import HexTables
from sheets_algo.database.problems import Problem
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import FormResult
from sheets_algo.forms.hexcombat.board import Board, position
from sheets_algo.forms.hexcombat.checks import check_combat, check_dice
from sheets_algo.forms.hexcombat.scan import MapReader, Scan, scan
from sheets_algo.forms.hexcombat.sides import Sides
from sheets_algo.forms.row_reader import RowReader

FORECAST = "Forecast"
"""Action of a request whose Defender may be blank."""
OF_ONE_TARGET = ("range", "target_hex", "defender_terrain", "defender_hex", "facility", "facility_owner", "dice")
"""Attributes of the cells that describe one defender, or the combat with it."""


class CombatReader:
    """Reader of a row of Combat Requests, whose problems are added."""

    def __init__(self, reading: RowReader, row: Row, tables: HexTables, board: Board, around: MapReader) -> None:
        self._reading = reading
        self._row = row
        self._tables = tables
        self._board = board
        self._around = around

    def combat(self) -> FormResult[HexInputs]:
        """Return the combat with all units that take part.

        Raises:
            Rejected: The request has errors.
        """
        scanned = self._scan()
        if scanned is None:
            self._reading.finish()
            raise AssertionError("a part is missing without a problem")  # cannot happen
        combat = scanned.completed()
        self._reading.add(*check_combat(self._row, combat, self._tables))
        if not self._reading.failed:
            self._reading.add(*scanned.warnings(), *check_dice(self._row, combat, self._tables))
        return FormResult(combat, tuple(scanned.remarks()), self._reading.finish())

    def targets(self, name: str) -> FormResult[HexInputs]:
        """Return the attack on each unit that the attacker may attack where it stands (HX-OP-55).

        Args:
            name: The title; blank for that of the attacker.

        Raises:
            Rejected: The request has errors, or there is no such unit.
        """
        for attribute in OF_ONE_TARGET:
            if not self._row.is_blank(attribute):
                says = "a forecast of all targets does not use it"
                self._add(attribute, says, "Empty the cell, or enter a Defender")
        attacker = self._board.combatant("attacker")
        combats = tuple(self._attacks(attacker)) if attacker else ()
        warnings = self._reading.finish()
        if attacker is None:
            raise AssertionError("the attacker is missing without a problem")  # cannot happen
        title = name or f"Targets of {attacker.unit.name}"
        return FormResult(TargetsInputs(name=title, combats=combats, settings=combats[0].settings), (), warnings)

    def _attacks(self, attacker: Piece) -> Iterator[CombatInputs]:
        """Yield the attacks, the nearest target first; if there is none, add the problem."""
        centre = position(attacker)
        if centre is None:
            says = f"{attacker.unit.name} has no Hex, so it is not known what it reaches"
            self._add("attacker", says, "Enter it in Hex Units, or enter a Defender")
            return
        refused: list[Problem] = []
        is_any = False
        for target in self._in_range(attacker, centre):
            scanned = self._scan(target)
            if scanned is None:
                continue
            combat = scanned.completed()
            problems = [problem for problem in check_combat(self._row, combat, self._tables) if problem.is_error]
            if problems:
                refused += problems
            else:
                is_any = True
                yield combat
        if not is_any:
            self._reading.add(*refused)
            if not refused:
                self._add("attacker", f"no enemy is in range of {attacker.unit.name} at {centre}", "Enter a Defender")

    def _in_range(self, attacker: Piece, centre: Hex) -> list[str]:
        reach = max(ADJACENT, fighter(attacker, ATTACKER, self._tables.facts).values.range)
        enemies = (
            unit
            for unit in self._around.near(attacker.unit.side, centre, reach)
            if unit.fighter.side != attacker.unit.side
        )
        nearest = sorted(enemies, key=lambda unit: (distance(unit.hex, centre), unit.hex.column, unit.hex.row))
        return [unit.name for unit in nearest]

    def _scan(self, target: str = "") -> Scan | None:
        """Return a combat with the units around it; None, with a problem, if a part is missing."""
        combat = self._board.combat(target)
        if combat is None:
            return None
        sides = Sides(self._row, combat, self._tables)
        return scan(sides, self._around, position(combat.attacker), self._board.target_hex(combat.defender))

    def _add(self, attribute: str, says: str, allowed: str) -> None:
        self._reading.add(self._row.problem(attribute, "HX-OP-55", says, allowed=allowed))
