"""One request's board: the units it names, where they stand, how far apart, everything read from its row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from engine.fields import column
from engine.hexcombat.hexes import Hex, distance
from engine.hexcombat.inputs import BARRAGE, NO_FACILITY, CombatInputs, Ground, Piece, Supporter
from engine.hexcombat.records import Facility, Side, Terrain, Unit, UnitType
from engine.settings import Setting
from sheets_algo.book import Read
from sheets_algo.forms import hexcombat_cells as cells
from sheets_algo.forms.base import Reading
from sheets_algo.forms.hexcombat_cells import Listed
from sheets_algo.forms.hexcombat_columns import CombatRequest
from sheets_algo.problems import quoted
from sheets_algo.tables import Row
from sheets_algo.values import Trouble
from sheets_algo.workbook.base import Value

Found = TypeVar("Found")

LISTS = ("interceptors", "air_defence", "fire_support", "naval_support", "counter_battery")
"""Columns of units that fire, in the order in which they do."""
CLEAR, CITY = "Clear", "City"
OWN_FACILITIES = (CITY, "Port", "Airfield")
"""Terrains that are facilities themselves."""


class Board:
    """Reads what one request names.

    Args:
        reading: Collects the problems.
        row: The request.
        asked: Its cells.
        facilities: Hex to the number of its row of Hex Facilities.
    """

    def __init__(self, reading: Reading, row: Row, asked: Read[CombatRequest], facilities: Mapping[Hex, int]) -> None:
        self._reading = reading
        self._row = row
        self._asked = asked.values
        self._record = asked.record
        self._facilities = facilities

    def combat(self, settings: Sequence[Setting], *, seed_given: bool) -> CombatInputs | None:
        """The combat; None where a part is missing, which is noted."""
        kind = self._value("kind")
        attacker = self._combatant("attacker")
        defender = self._combatant("defender")
        if kind not in (None, BARRAGE) and self._row.is_blank("defender"):
            self._reading.add(
                self._row.problem("defender", "HX-DEF-01", "required, but empty", allowed="Enter a name from Hex Units")
            )
        target_hex = self._hex("target_hex") or self._stands(defender)
        facility_row = self._facility_row(target_hex)
        target = defender.ground if defender else self._ground(CLEAR, "defender")
        if target and facility_row and facility_row.blown and facility_row.facility == CITY:
            target = replace(target, blown_city=True)
            defender = replace(defender, ground=target) if defender else None
        lists = {name: self._supporters(name, attacker) for name in LISTS}
        rolls = self._read_cell("dice", cells.dice) or ()
        owner = self._owner(facility_row, defender)
        asked = self._record
        if asked is None or attacker is None or target is None or (asked.defender and defender is None):
            return None
        return CombatInputs(
            name=asked.war or f"{attacker.unit.name} – {defender.unit.name if defender else asked.kind.lower()}",
            attacker=attacker,
            defender=defender,
            target=target,
            kind=asked.kind,
            turn=asked.turn,
            range=asked.range if asked.range is not None else _apart(self._stands(attacker), target_hex),
            weather=asked.weather,
            attacker_moved=asked.attacker_moved,
            mission=asked.mission,
            defender_mission=asked.defender_mission,
            **lists,
            beside_attacker=self._pieces("beside_attacker"),
            beside_defender=self._pieces("beside_defender"),
            retreat_free=asked.retreat_free,
            plane_ended=asked.plane_move == "Ended",
            interceptor_hidden=asked.interceptor_hidden,
            enemies_beside_defender=asked.enemies_beside,
            facility=asked.facility or _facility(facility_row, target),
            facility_owner=owner,
            facility_row=facility_row,
            dice=rolls,
            settings=tuple(settings),
            seed_given=seed_given,
        )

    def _value(self, attribute: str) -> Any:
        """What a cell means, its default where it is blank; None where it cannot be read."""
        if attribute in self._asked:
            return self._asked[attribute]
        return column(CombatRequest, attribute).default if self._row.is_blank(attribute) else None

    def _combatant(self, attribute: str) -> Piece | None:
        """The attacker or the defender, on the ground that the request gives it."""
        unit = self._unit(self._asked.get(attribute))
        if unit is None:
            return None
        ground = self._ground(unit.terrain, attribute)
        return self._piece(unit, ground) if ground else None

    def _ground(self, own: str, whose: str) -> Ground | None:
        terrain = self._reading.named(Terrain, self._value(f"{whose}_terrain") or own)
        features = self._value(f"{whose}_hex")
        if terrain is None or features is None:
            return None
        return Ground(
            terrain=terrain,
            bridge="Bridge" in features,
            mined="Mined" in features,
            blown_city="Blown City" in features,
        )

    def _unit(self, name: str | None) -> Unit | None:
        return self._reading.named(Unit, name) if name else None

    def _piece(self, unit: Unit, ground: Ground) -> Piece | None:
        kind = self._reading.named(UnitType, unit.type)
        transport = self._reading.named(UnitType, unit.transport) if unit.transport else None
        if kind is None or (unit.transport and transport is None):
            return None
        return Piece(unit=unit, type=kind, ground=ground, transport=transport)

    def _beside(self, name: str) -> Piece | None:
        """A unit that stands where its own row says."""
        unit = self._unit(name)
        terrain = self._reading.named(Terrain, unit.terrain) if unit else None
        return self._piece(unit, Ground(terrain=terrain)) if unit and terrain else None

    def _supporters(self, attribute: str, attacker: Piece | None) -> tuple[Supporter, ...]:
        found = (self._supporter(attribute, it, attacker) for it in cells.listed(self._asked.get(attribute)))
        return tuple(it for it in found if it is not None)

    def _supporter(self, attribute: str, it: Listed | Trouble, attacker: Piece | None) -> Supporter | None:
        """A unit of a list with its distance; None where there is none, which is noted."""
        try:
            if isinstance(it, Trouble):
                raise it
            piece = self._beside(self._spelled(it))
        except Trouble as trouble:
            self._trouble(attribute, trouble)
            return None
        if piece is None:
            return None
        apart = _apart(self._stands(piece), self._stands(attacker)) if it.distance is None else it.distance
        return Supporter(piece=piece, distance=apart)

    def _pieces(self, attribute: str) -> tuple[Piece, ...]:
        found = (self._beside(name) for name in self._asked.get(attribute, ()))
        return tuple(piece for piece in found if piece is not None)

    def _spelled(self, it: Listed) -> str:
        """A unit's name as its own row spells it.

        Raises:
            Trouble: There is none.
        """
        rows = self._reading.book.find(Unit, it.name)
        if rows:
            return rows[0].name
        if "," in it.name:
            raise cells.comma(it.name)
        near = self._reading.book.names(Unit).nearest(it.name)
        allowed = "" if near else "Enter names from Hex Units, separated by semicolons"
        raise Trouble(f"unit not found: {quoted(it.name)}", allowed, near)

    def _stands(self, piece: Piece | None) -> Hex | None:
        """Where a unit stands by its own row, whose problems are noted there."""
        return cells.hex_or_none(piece.unit.hex) if piece else None

    def _hex(self, attribute: str) -> Hex | None:
        return self._read_cell(attribute, cells.hex_of)

    def _read_cell(self, attribute: str, read: Callable[[Value], Found]) -> Found | None:
        """A cell that the columns know only as text; None where it is blank or wrong, which is noted."""
        if attribute not in self._asked:
            return None
        try:
            return read(self._row.value(attribute))
        except Trouble as trouble:
            self._trouble(attribute, trouble)
            return None

    def _trouble(self, attribute: str, trouble: Trouble) -> None:
        self._reading.add(self._row.trouble(attribute, column(CombatRequest, attribute), trouble))

    def _facility_row(self, at: Hex | None) -> Facility | None:
        number = self._facilities.get(at) if at else None
        if number is None:
            return None
        return self._reading.row(Row(self._reading.book.table(Facility), number), Facility).record

    def _owner(self, facility: Facility | None, defender: Piece | None) -> Side | None:
        name = self._asked.get("facility_owner") or (facility.owner if facility else None)
        name = name or (defender.unit.side if defender else None)
        return self._reading.named(Side, name) if name else None


def _apart(one: Hex | None, other: Hex | None) -> int:
    """HX-DEF-03: hexes between two units, 1 where nobody says where both stand."""
    return distance(one, other) if one and other else 1


def _facility(row: Facility | None, target: Ground) -> str:
    """HX-STR-2: what stands in a hex, by its row or its terrain."""
    if row is not None:
        return row.facility
    return target.terrain.name if target.terrain.name in OWN_FACILITIES else NO_FACILITY
