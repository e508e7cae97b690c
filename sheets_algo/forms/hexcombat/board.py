"""Reader of one combat request's units, their positions and distances."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from engine.columns import column
from engine.hexcombat.setup.facts import Facts
from engine.hexcombat.setup.hexes import Hex, distance
from engine.hexcombat.setup.inputs import ATTACK, BARRAGE, LISTS, NO_FACILITY, CombatInputs, HexGround, Piece, Supporter
from engine.hexcombat.setup.records import Facility, HexSide, HexUnit, HexUnitType, Terrain
from engine.settings import Setting
from sheets_algo.database.cell_text import ReadError
from sheets_algo.database.cells import comma_error
from sheets_algo.database.problems import quoted
from sheets_algo.database.records import ReadRow
from sheets_algo.database.tables import Row
from sheets_algo.forms.hexcombat import cells as cells
from sheets_algo.forms.hexcombat.cells import ListedUnit
from sheets_algo.forms.hexcombat.columns import CombatRequest
from sheets_algo.forms.row_reader import RowReader
from sheets_algo.workbook.values import Value

Found = TypeVar("Found")

TYPED = ("kind", "weather", "attacker_moved", "mission", "defender_mission", "retreat_free", "interceptor_hidden")
"""Attributes of cells that are inputs as they are typed."""
CLEAR, CITY = "Clear", "City"
OWN_FACILITIES = (CITY, "Port", "Airfield")
"""Terrains, and traits of terrains, that count as facilities."""


@dataclass(frozen=True, slots=True)
class Board:
    """Reader of the rows that one request names."""

    reading: RowReader
    row: Row
    request: ReadRow[CombatRequest]
    facilities: Mapping[Hex | None, Sequence[int]]  # The row numbers of Hex Facilities by hex; the first one counts
    settings: tuple[Setting, ...]
    game_turn: int | None  # The game's current turn, None in a game without turns
    facts: Facts

    def combat(self, target: str = "") -> CombatInputs | None:
        """Return the combat of the row; None, with a problem, if a part is missing.

        Args:
            target: The name of the defender if the row names none.
        """
        kind = self._value("kind")
        attacker = self.combatant("attacker")
        defender = self.combatant("defender", target)
        if kind is not None:
            self._require("attacker")
        if kind not in (None, BARRAGE) and not target:
            self._require("defender")
        target_hex = self.target_hex(defender)
        facility_row = self._facility_row(target_hex)
        ground = defender.ground if defender else self._ground(CLEAR, "defender")
        if ground and facility_row and facility_row.blown and facility_row.facility == CITY:
            ground = replace(ground, blown_city=True)
            defender = replace(defender, ground=ground) if defender else None
        lists: dict[str, Any] = {name: self._supporters(name, attacker) for name in LISTS}
        rolls = self._read_cell("dice", cells.parse_dice) or ()
        owner = self._facility_owner(facility_row, defender)
        request = self.request.record
        if request is None or attacker is None or ground is None or (request.defender and defender is None):
            return None
        hexes = _distance(position(attacker), target_hex)
        # A unit intercepted on its way, by a gun or a hidden unit, is not in its Hex.
        is_unknown = kind not in (ATTACK, BARRAGE) or not (position(attacker) and target_hex)
        return CombatInputs(
            name=request.war or f"{attacker.unit.name} – {defender.unit.name if defender else request.kind.lower()}",
            attacker=attacker,
            defender=defender,
            target=ground,
            turn=request.turn if request.turn is not None else self.game_turn,
            game_turn=self.game_turn,
            range=hexes if request.range is None else request.range,
            map_range=None if is_unknown or request.range in (None, hexes) else hexes,
            **{name: getattr(request, name) for name in TYPED},
            **lists,
            beside_attacker=self._pieces("beside_attacker"),
            beside_defender=self._pieces("beside_defender"),
            plane_ended=request.plane_move == "Ended",
            enemies_beside_defender=request.enemies_beside,
            facility=request.facility or self._facility_name(facility_row, ground),
            facility_owner=owner,
            facility_row=facility_row,
            dice=rolls,
            settings=self.settings,
            seed_given=request.seed is not None,
        )

    def _require(self, attribute: str) -> None:
        """Add the problem of a unit that is not named (HX-DEF-01); a tab without Attacker is a problem already."""
        if self.row.is_blank(attribute) and (attribute != "attacker" or attribute in self.row.table.places):
            self.reading.add(
                self.row.problem(attribute, "HX-DEF-01", "required, but empty", allowed="Enter a name from Hex Units")
            )

    def _value(self, attribute: str) -> Any:
        """Return the value of a cell, the default of a blank cell, or None for an unreadable one."""
        if attribute in self.request.values:
            return self.request.values[attribute]
        return column(CombatRequest, attribute).default if self.row.is_blank(attribute) else None

    def combatant(self, attribute: str, otherwise: str = "") -> Piece | None:
        """Return the attacker or the defender on the ground that the request names.

        Args:
            otherwise: The name of the unit if the cell is blank.
        """
        unit = self._unit(self.request.values.get(attribute) or otherwise)
        if unit is None:
            return None
        ground = self._ground(unit.terrain, attribute)
        return self._placed(unit, ground) if ground else None

    def _ground(self, default: str, side: str) -> HexGround | None:
        terrain = self.reading.named(Terrain, self._value(f"{side}_terrain") or default)
        features = self._value(f"{side}_hex")
        if terrain is None or features is None:
            return None
        return HexGround(
            terrain=terrain, bridge="Bridge" in features, mined="Mined" in features, blown_city="Blown City" in features
        )

    def _unit(self, name: str | None) -> HexUnit | None:
        return self.reading.named(HexUnit, name) if name else None

    def _placed(self, unit: HexUnit, ground: HexGround) -> Piece | None:
        kind = self.reading.named(HexUnitType, unit.type)
        transport = self.reading.named(HexUnitType, unit.transport) if unit.transport else None
        if kind is None or (unit.transport and transport is None):
            return None
        return Piece(unit=unit, type=kind, ground=ground, transport=transport)

    def piece(self, name: str) -> Piece | None:
        """Return a unit on the terrain of its own row."""
        unit = self._unit(name)
        terrain = self.reading.named(Terrain, unit.terrain) if unit else None
        return self._placed(unit, HexGround(terrain=terrain)) if unit and terrain else None

    def _supporters(self, attribute: str, attacker: Piece | None) -> tuple[Supporter, ...]:
        units = cells.parse_unit_list(self.request.values.get(attribute), self._is_unit)
        supporters = (self._supporter(attribute, unit, attacker) for unit in units)
        return tuple(supporter for supporter in supporters if supporter is not None)

    def _is_unit(self, name: str) -> bool:
        return bool(self.reading.database.find(HexUnit, name))

    def _supporter(self, attribute: str, listed: ListedUnit | ReadError, attacker: Piece | None) -> Supporter | None:
        """Return a unit of a list with its distance, or None after adding the problem of an unknown one."""
        try:
            if isinstance(listed, ReadError):
                raise listed
            piece = self.piece(self._canonical_name(listed))
        except ReadError as error:
            self._add_error(attribute, error)
            return None
        if piece is None:
            return None
        hexes = _distance(position(piece), position(attacker)) if listed.distance is None else listed.distance
        return Supporter(piece=piece, distance=hexes)

    def _pieces(self, attribute: str) -> tuple[Piece, ...]:
        names = self.request.values.get(attribute, ())
        if cells.NOBODY in names and len(names) > 1:
            self._add_error(attribute, ReadError(f'"{cells.NOBODY}" stands beside names', "Use it alone"))
        pieces = (self.piece(name) for name in names if name != cells.NOBODY)
        return tuple(piece for piece in pieces if piece is not None)

    def _canonical_name(self, listed: ListedUnit) -> str:
        """Return a unit's name in the spelling of its own row.

        Raises:
            ReadError: There is no such unit.
        """
        rows = self.reading.database.find(HexUnit, listed.name)
        if rows:
            return rows[0].name
        if any(self._is_unit(part) for part in listed.name.split(",")):
            raise comma_error(listed.name)
        similar = self.reading.database.names(HexUnit).nearest(listed.name)
        allowed = "" if similar else "Enter names from Hex Units, separated by semicolons"
        raise ReadError(f"unit not found: {quoted(listed.name)}", allowed, similar)

    def target_hex(self, defender: Piece | None) -> Hex | None:
        """Return the attacked hex: that of the request, else of the defender's row, else None."""
        return self._read_cell("target_hex", cells.parse_hex) or position(defender)

    def _read_cell(self, attribute: str, parse: Callable[[Value], Found]) -> Found | None:
        """Parse a cell that is declared as text; return None if it is blank or invalid, whose problem is added."""
        if attribute not in self.request.values:
            return None
        try:
            return parse(self.row.value(attribute))
        except ReadError as error:
            self._add_error(attribute, error)
            return None

    def _add_error(self, attribute: str, error: ReadError) -> None:
        self.reading.add(self.row.read_problem(attribute, column(CombatRequest, attribute), error))

    def _facility_row(self, hex: Hex | None) -> Facility | None:
        numbers = self.facilities.get(hex) if hex else None
        if not numbers:
            return None
        return self.reading.row(Row(self.reading.database.table(Facility), numbers[0]), Facility).record

    def _facility_name(self, row: Facility | None, target: HexGround) -> str:
        """Return the facility of a hex, by its row or its terrain (HX-STR-2)."""
        if row is not None:
            return row.facility
        traits = self.facts.ground_traits(target.terrain)
        return next((name for name in OWN_FACILITIES if name in traits), NO_FACILITY)

    def _facility_owner(self, facility: Facility | None, defender: Piece | None) -> HexSide | None:
        name = self.request.values.get("facility_owner") or (facility.owner if facility else None)
        name = name or (defender.unit.side if defender else None)
        return self.reading.named(HexSide, name) if name else None


def position(piece: Piece | None) -> Hex | None:
    """Return the hex of a unit's own row, or None if it is blank or invalid."""
    return cells.parse_hex_or_none(piece.unit.hex) if piece else None


def _distance(one: Hex | None, other: Hex | None) -> int:
    """Return the distance of two positions in hexes, 1 unless both are known (HX-DEF-03)."""
    return distance(one, other) if one and other else 1
