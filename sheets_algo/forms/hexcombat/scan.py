"""Scan of the map for the units that a combat involves, where its cells are blank (HX-OP-53, HX-OP-54)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.hexcombat.setup.conditions import ADJACENT
from engine.hexcombat.setup.facts import Facts
from engine.hexcombat.setup.fighter import AIR, SUPPORT, Fighter, fighter
from engine.hexcombat.setup.hexes import Hex, distance, within
from engine.hexcombat.setup.inputs import CombatInputs, Piece, Supporter
from engine.hexcombat.setup.lines import COMBAT_SUPPORT, FORWARD_OBSERVER
from engine.hexcombat.setup.records import ACTIVE, HexUnit
from sheets_algo.database.problems import Problem
from sheets_algo.database.tables import Row
from sheets_algo.forms.hexcombat.board import Board
from sheets_algo.forms.hexcombat.sides import Sides
from sheets_algo.forms.hexcombat.supports import SUPPORTS, SupportColumn, can_support
from sheets_algo.forms.row_reader import RowReader

ONCE = "SingleSupportFire"
"""Attribute of a unit's support, possible once a turn: a unit in one column is left out of the others."""
SHORTEST_REACH = 2 * ADJACENT
"""Minimum radius, in hexes, of the search around the attacker: FlaK over the defender (HX-AD-2)."""
FLAK = "HX-AD-2"
"""The rule of FlaK, which fires if adjacent to the plane or to the defender."""
ADJACENT_TO_DEFENDER = ("interceptors", "naval_support")
"""Columns of units that must be adjacent to the defender (HX-INT, HX-NS)."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A unit near a combat."""

    piece: Piece  # The unit
    fighter: Fighter  # Its working copy
    hex: Hex  # The hex in which it stands

    @property
    def name(self) -> str:
        """Return the name of the unit."""
        return self.fighter.name


@dataclass(frozen=True, slots=True)
class MapReader:
    """Reader of the units near a hex."""

    reading: RowReader
    board: Board
    rows: Mapping[Hex | None, Sequence[int]]  # The row numbers of Hex Units by hex; by None where the hex is unreadable
    reach: int  # The longest range of a unit type, at least `SHORTEST_REACH`
    facts: Facts
    game_turn: int | None  # The game's current turn, None in a game without turns

    def near(self, side: str, centre: Hex, reach: int) -> Iterator[Neighbour]:
        """Yield the active units near a hex, and add the problems of rows that might be one of them.

        A displaced unit has no place until a moderator has moved it and cleared Displaced.

        Args:
            side: The attacker's side, whose units matter only beside the hex.
        """
        for hex in (None, *within(centre, reach)):
            for number in self.rows.get(hex, ()):
                row = Row(self.reading.database.table(HexUnit), number)
                read = self.reading.database.read(row, HexUnit)
                is_friend = read.values.get("side") == side
                if read.values.get("status", ACTIVE) != ACTIVE or (is_friend and hex and not _is_beside(hex, centre)):
                    continue
                if read.values.get("displaced"):
                    says = f"it counts as nowhere while Displaced says {read.values['displaced']}"
                    allowed = "Move it, enter its Hex and clear Displaced"
                    self.reading.add(row.warning("displaced", "HX-OP-53", says, allowed=allowed))
                elif read.record is None:
                    self.reading.add(*read.problems)
                elif hex and (piece := self.board.piece(read.record.name)):
                    yield Neighbour(piece, fighter(piece, SUPPORT, self.facts, game_turn=self.game_turn), hex)


@dataclass(frozen=True, slots=True)
class Scan:
    """Units and hexes around a combat, from the map."""

    sides: Sides  # The combat as its row has it
    # The units that the cells of lists may name, by name and by attribute of the column.
    lists: Mapping[str, Mapping[str, Supporter | Piece]]
    enemies_beside: int | None = None  # The number of enemies adjacent to the defender; None if its hex is not known
    retreat_free: bool | None = None  # True if the defender has a hex for a retreat; None if its hex is not known

    def completed(self) -> CombatInputs:
        """Return the combat with its blank cells filled; a typed cell stays as it is (HX-OP-53)."""
        row = self.sides.row
        filled: dict[str, Any] = {name: tuple(self.lists[name].values()) for name in self.lists if row.is_blank(name)}
        if self.enemies_beside is not None and row.is_blank("enemies_beside"):
            filled["enemies_beside_defender"] = self.enemies_beside
        if self.retreat_free is not None and row.is_blank("retreat_free"):
            filled["retreat_free"] = self.retreat_free
        return dataclasses.replace(self.sides.combat, **filled)

    def remarks(self) -> Iterator[str]:
        """Yield a line for each blank cell that the map fills with another value than the default."""
        row = self.sides.row
        for attribute, units in self.lists.items():
            if units and row.is_blank(attribute):
                yield f"{row.table.header(attribute)}, from the map: {_names_text(units.values())}"
        if self.retreat_free is False and row.is_blank("retreat_free"):
            yield f"{row.table.header('retreat_free')}, from the map: no"

    def warnings(self) -> Iterator[Problem]:
        """Yield a warning for each typed cell that omits units near the combat; `none` is intentional."""
        row, combat = self.sides.row, self.sides.combat
        if combat.map_range is not None:
            says = f"{combat.range}, but by the Hex cells it is {combat.map_range}"
            yield row.warning("range", "HX-DEF-03", says, allowed="Empty the cell to use the Hex cells")
        for attribute, units in self.lists.items():
            listed = {_unit_of(unit).name for unit in getattr(self.sides.combat, attribute)}
            left_out = [unit for name, unit in units.items() if name not in listed]
            if left_out and listed and attribute != "naval_support":
                says = f"by the Hex cells, {_names_text(left_out)} could be listed too"
                yield row.warning(attribute, "HX-OP-53", says, allowed="Add it if it takes part")
        if self.retreat_free is False and self.sides.combat.retreat_free and not row.is_blank("retreat_free"):
            says = "by the Hex cells, units stand in every hex beside the defender"
            yield row.warning("retreat_free", "HX-OP-54", says, allowed="Enter no, unless one of them makes room")


def scan(sides: Sides, around: MapReader, attacker_hex: Hex | None, target_hex: Hex | None) -> Scan:
    """Scan the surroundings of a combat, as far as its hexes are known."""
    side = sides.attacker.side
    lists: dict[str, Mapping[str, Supporter | Piece]] = {}
    if attacker_hex:
        names = {unit.name for unit in (sides.attacker, sides.defender) if unit}
        near = sorted(
            (unit for unit in around.near(side, attacker_hex, around.reach) if unit.name not in names),
            key=lambda unit: (distance(unit.hex, attacker_hex), unit.hex.column, unit.hex.row, unit.name),
        )
        lists["beside_attacker"] = {unit.name: unit.piece for unit in _helpers(near, sides.attacker, attacker_hex)}
    if attacker_hex and target_hex:
        for support in SUPPORTS:
            units = list(_supporters(sides, support, near, attacker_hex, target_hex))
            lists[support.attribute] = {
                unit.piece.unit.name: unit for unit in (units[:1] if support.attribute == "naval_support" else units)
            }
    if sides.defender is None or target_hex is None:
        return Scan(sides, lists)
    beside = [unit for unit in around.near(side, target_hex, ADJACENT) if unit.name != sides.defender.name]
    lists["beside_defender"] = {unit.name: unit.piece for unit in _helpers(beside, sides.defender, target_hex)}
    in_space = [unit for unit in beside if (AIR in unit.fighter.kinds) == (AIR in sides.defender.kinds)]  # HX-DEF-06
    enemies = [unit for unit in in_space if unit.fighter.side != sides.defender.side]
    taken = {target_hex, *(unit.hex for unit in in_space)}
    return Scan(sides, lists, len(enemies), any(hex not in taken for hex in within(target_hex, ADJACENT)))


def _supporters(
    sides: Sides, support: SupportColumn, near: Iterable[Neighbour], attacker_hex: Hex, target_hex: Hex
) -> Iterator[Supporter]:
    """Yield the units that a column of the combat may list, the nearest to the attacker first."""
    typed = {unit.piece.unit.name for column in SUPPORTS for unit in getattr(sides.combat, column.attribute)}
    for unit in near:
        hexes = distance(unit.hex, attacker_hex)
        if not can_support(sides, support, unit.fighter, hexes) or (ONCE in unit.fighter.traits and unit.name in typed):
            continue
        case = sides.tables.case(support.switch, unit.fighter, sides.attacker, sides.scene(hexes))
        is_over = case is not None and case.id == FLAK and hexes > ADJACENT
        if _is_beside(unit.hex, target_hex) or not (is_over or support.attribute in ADJACENT_TO_DEFENDER):
            yield Supporter(piece=unit.piece, distance=hexes)


def _helpers(near: Iterable[Neighbour], centre: Fighter, hex: Hex) -> Iterator[Neighbour]:
    """Yield the adjacent units that affect a combat: friends who lend bars, observing enemies (HX-ODD-E17)."""
    for unit in near:
        matters = COMBAT_SUPPORT if unit.fighter.side == centre.side else FORWARD_OBSERVER
        if matters in unit.fighter.traits and unit.fighter.strength > 0 and _is_beside(unit.hex, hex):
            yield unit


def _is_beside(one: Hex, other: Hex) -> bool:
    return distance(one, other) <= ADJACENT


def _unit_of(listed: Supporter | Piece) -> HexUnit:
    return listed.piece.unit if isinstance(listed, Supporter) else listed.unit


def _names_text(units: Iterable[Supporter | Piece]) -> str:
    """Return units as a cell lists them: `84th Battery@2; Long Toms@3`."""
    return "; ".join(
        f"{_unit_of(unit).name}@{unit.distance}" if isinstance(unit, Supporter) else unit.unit.name for unit in units
    )
