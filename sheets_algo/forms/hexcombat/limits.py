"""Warnings of allowed but unlikely values: full stores, crowded hexes, a second attack in a turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.columns import loosely
from engine.hexcombat.setup.hexes import Hex
from engine.hexcombat.setup.inputs import ATTACK, NEW_TURN
from engine.hexcombat.setup.records import ACTIVE, HexUnit, HexUnitType
from sheets_algo.database.problems import Problem, quoted
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.hexcombat.columns import CombatRequest
from sheets_algo.forms.request_columns import request_id

FULL_STRENGTH = 10
"""Strength of a unit without experience; each bar allows one point more."""
AIR = "Air"
"""Target of the types that fly."""
UNRULED = ("Invalid", "Failed", "Undone", "Changed", "Lapsed")
"""Values of Status of a row without effect."""


def check_stores(database: Database) -> Iterator[Problem]:
    """Warn of units with more ammo or fuel than their type can carry (HX-DEF-21, HX-BOM-3)."""
    for row in database.table(HexUnit):
        unit = database.read(row, HexUnit).record
        type = _type_of(unit, database)
        if unit is None or type is None:
            continue
        for attribute, value, most, id in (
            ("ammo", unit.ammo, type.max_ammo, "HX-DEF-21"),
            ("fuel", unit.fuel, type.max_fuel, "HX-BOM-3"),
        ):
            if value is not None and value > most > 0:
                yield row.warning(attribute, id, f"{value} is more than the {most} that a {type.name} can carry")


def check_stacks(database: Database, rows: Mapping[Hex | None, Sequence[int]]) -> Iterator[Problem]:
    """Warn of a hex with two active units that both fly, or both do not (HX-OP-58)."""
    by_number = {row.number: row for row in database.table(HexUnit)}
    for hex, numbers in rows.items():
        first: dict[bool, HexUnit] = {}
        for number in numbers if hex and len(numbers) > 1 else ():
            unit = database.read(by_number[number], HexUnit).record
            type = _type_of(unit, database)
            if unit is None or type is None or unit.status != ACTIVE or unit.displaced:
                continue
            other = first.setdefault(type.target == AIR, unit)
            if other is not unit:
                says = f"{unit.name} and {other.name} stand on one hex, {hex}"
                yield by_number[number].warning("hex", "HX-OP-58", says, allowed="Move one of them")


def _type_of(unit: HexUnit | None, database: Database) -> HexUnitType | None:
    rows = database.find(HexUnitType, unit.type) if unit else ()
    return database.read(rows[0], HexUnitType).record if rows else None


@dataclass(frozen=True, slots=True)
class Attacks:
    """The rows of Combat Requests, by their orders."""

    by_attacker: Mapping[str, Sequence[Row]]  # The rows with an attacker, by its name
    new_turns: Sequence[Row]  # The rows that end a turn

    @classmethod
    def of(cls, requests: Table) -> Attacks:
        """Sort the rows of the tab."""
        by_attacker: dict[str, list[Row]] = {}
        for row in requests:
            if not row.is_blank("attacker"):
                by_attacker.setdefault(loosely(str(row.value("attacker"))), []).append(row)
        new_turns = [row for row in requests if loosely(str(row.value("kind") or "")) == loosely(NEW_TURN)]
        return cls(by_attacker, new_turns)


def check_second_attack(row: Row, current: int | None, database: Database, attacks: Attacks) -> Iterator[Problem]:
    """Warn of an attack of a unit that attacks in a row above in the same turn (HX-OP-57).

    A row above without a turn belongs to the current one, or for each New turn between them to the one before.

    Args:
        current: The current turn; None in a game without turns.
    """
    turn = database.read(row, CombatRequest).values.get("turn", current)
    name = str(row.value("attacker") or "")
    if turn is None or not _is_attack(row, database):
        return
    for other in attacks.by_attacker.get(loosely(name), ()):
        if other.number >= row.number or other.value("status") in UNRULED or not _is_attack(other, database):
            continue
        ended = sum(other.number < end.number < row.number and _is_ready(end, database) for end in attacks.new_turns)
        if database.read(other, CombatRequest).values.get("turn", turn - ended) == turn:
            says = (
                f"{quoted(name)} attacks in turn {turn} already, in row {other.number} ({request_id(other) or 'new'})"
            )
            yield row.warning("attacker", "HX-OP-57", says)
            return


def _is_attack(row: Row, database: Database) -> bool:
    values = database.read(row, CombatRequest).values
    is_forecast = values.get("action") == "Forecast"
    return values.get("kind", ATTACK) == ATTACK and _is_ready(row, database) and not is_forecast


def _is_ready(row: Row, database: Database) -> bool:
    return bool(database.read(row, CombatRequest).values.get("ready"))
