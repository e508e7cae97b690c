"""Turns of a game: the current one, the check of a typed one, and the reader of a request for a new one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.hexcombat.setup.inputs import FIRST_TURN, NEW_TURN, NewTurnInputs
from engine.hexcombat.setup.records import ACTIVE, LAST_TURN, HexSide, HexUnit, HexUnitType, Terrain
from engine.settings import Setting
from sheets_algo.database.problems import Problem
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.hexcombat.columns import CombatRequest
from sheets_algo.forms.request_columns import is_ready
from sheets_algo.forms.row_reader import RowReader, by_name

UNUSED = (
    *("attacker", "defender", "interceptors", "air_defence", "fire_support", "naval_support", "counter_battery"),
    *("beside_attacker", "beside_defender", "dice"),
)
"""Attributes of the cells that name units or rolls, which a New turn does not use."""


def game_turn(reading: RowReader) -> int | None:
    """Return the current turn, the greatest of Hex Sides, None for none; add the problems of its cells (HX-OP-49)."""
    sides = [reading.database.read(row, HexSide) for row in reading.database.table(HexSide)]
    reading.add(*(problem for side in sides for problem in side.problems if problem.cell == side.row.cell("turn")))
    turns = [side.values.get("turn") for side in sides]
    return max((turn for turn in turns if turn is not None), default=None)


def first_turn(database: Database) -> int | None:
    """Return the turn that the first New turn of a game without turns ends; None if no row asks for one."""
    for row in database.table(CombatRequest):
        if row.is_blank("kind") or is_ready(row) is not True:
            continue
        values = database.read(row, CombatRequest).values
        if values.get("kind") == NEW_TURN:
            return int(values.get("turn", FIRST_TURN))
    return None


def check_turn(row: Row, typed: int | None, current: int | None) -> Iterator[Problem]:
    """Check that a typed turn is the current one; before the first New turn any may be typed (HX-OP-49)."""
    if typed is None or current is None or typed == current:
        return
    when = "is over" if typed < current else "has not begun"
    says = f"turn {typed} {when}: the game is in turn {current}"
    yield row.problem("turn", "HX-OP-49", says, allowed=f"Enter {current}, or leave it blank")


def read_new_turn(
    reading: RowReader, row: Row, title: str, turn: int, settings: Sequence[Setting], *, seed_given: bool
) -> NewTurnInputs:
    """Return the inputs of a new turn, and add the problems of the row and of the tabs that the turn changes.

    Args:
        title: The title on the receipt; blank for the number of the new turn.
        seed_given: True if the moderator typed the seed.
    """
    if turn >= LAST_TURN:
        says = f"turn {turn:,} is the last one"
        reading.add(row.problem("turn", "HX-OP-49", says, allowed=f"Use turns below {LAST_TURN:,}"))
    for attribute in UNUSED:
        if not row.is_blank(attribute):
            says = f"a {NEW_TURN} does not use it"
            reading.add(row.problem(attribute, "HX-OP-49", says, allowed="Empty the cell, or choose another Kind"))
    sides = reading.records(HexSide)
    if not sides:
        says = "Hex Sides names no side whose turn could begin"
        reading.add(row.problem("kind", "HX-OP-49", says, allowed="Enter the sides there"))
    units = [unit for unit in reading.records(HexUnit) if unit.status == ACTIVE]
    types = (reading.named(HexUnitType, name) for name in {unit.type for unit in units})
    terrains = (reading.named(Terrain, name) for name in {unit.terrain for unit in units})
    return NewTurnInputs(
        name=title or f"Turn {turn + 1}",
        turn=turn,
        sides=by_name(sides),
        units=by_name(units),
        types=by_name([unit_type for unit_type in types if unit_type is not None]),
        terrains=by_name([terrain for terrain in terrains if terrain is not None]),
        settings=tuple(settings),
        seed_given=seed_given,
    )
