"""Rows of the same turn or game, against which an order is checked: nothing is carried out twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from engine.columns import loosely
from engine.realm.orders.war import ARMY_DEEDS, LEADER_DEEDS
from engine.realm.setup import inputs as orders
from engine.realm.setup.records import Realm, RealmLeader, RealmUnit
from engine.realm.setup.tables import RealmTables
from engine.realm.turn.rebels import has_risen
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.problems import Problem, quoted
from sheets_algo.database.records import RULE_AGAIN, Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.realm.columns import RatingRequest, TurnRequest
from sheets_algo.forms.request_columns import Request, named_turn, request_id

Values = Mapping[str, Any]
OVER = ("Undone", "Changed", "Lapsed")
"""Values of Status of rows without an open order."""
BATTLE_DEEDS = (*ARMY_DEEDS.values(), *LEADER_DEEDS.values())
AGAIN = f'Choose the Action "{RULE_AGAIN}" if there was another battle, or clear Ready'


def has_rebels(row: Row, database: Database, turn: int, tables: RealmTables) -> bool:
    """Return True if the rebels' turn is neither over nor ordered (RL-OP-56)."""
    return not any(_rebel_rows(row, database, turn)) and not has_risen(units(database), turn, tables)


def check_rebel_turn(row: Row, database: Database, request: TurnRequest, tables: RealmTables) -> Iterator[Problem]:
    """Check that the rebels' turn is ordered once, and that no turn of all realms had it (RL-OP-45, RL-OP-56)."""
    if request.order != orders.PROCESS_REBELS or request.turn is None:
        return
    if other := _first(row, _rebel_rows(row, database, request.turn)):
        says = f"the rebels' turn {request.turn} is in {_named(other)}"
        yield row.problem("turn", "RL-OP-45", says, allowed="Enter another turn, or clear one of the rows")
    elif has_risen(units(database), request.turn, tables):
        says = f"the rebels have risen in turn {request.turn} already"
        yield row.problem("turn", "RL-OP-45", says, allowed="Enter another turn, or clear the row")


def check_rated_game(row: Row, database: Database, request: RatingRequest) -> Iterator[Problem]:
    """Check that no other row rates the same game (RL-OP-48)."""
    name = loosely(request.game)
    alike = _rows_alike(row, database, RatingRequest, lambda values: loosely(values.get("game", "")) == name)
    if other := _first(row, alike):
        says = f"the game {quoted(request.game)} is in {_named(other)}"
        yield row.problem("game", "RL-OP-48", says, allowed="Give another game its own name, or clear one of the rows")


def check_battle_rows(row: Row, database: Database, request: TurnRequest) -> Iterator[Problem]:
    """Check that no other row of the same turn reports the same battle (RL-OP-57)."""
    if request.order not in orders.BATTLES or request.action == RULE_AGAIN:
        return
    sides, place = {request.realm, request.target_realm}, loosely(request.target)
    for other, values in _rows_of_turn(row, database, request.realm):
        is_there = values.get("order") in orders.BATTLES and place == loosely(values.get("target", ""))
        theirs = {*_sides(values)}
        if is_there and (theirs == sides or ("" in theirs | sides and theirs & sides - {""})):
            says = f"the battle is in {_named(other)}"
            yield row.problem("order", "RL-OP-57", says, allowed=AGAIN)
            return


def check_award_rows(row: Row, database: Database, request: TurnRequest, target: object) -> Iterator[Problem]:
    """Check that experience of a battle is not awarded twice to a fighter (RL-OP-57)."""
    if request.event not in BATTLE_DEEDS or request.action == RULE_AGAIN:
        return
    if not isinstance(target, RealmUnit | RealmLeader):
        return
    for other, values in _rows_of_turn(row, database, request.realm):
        is_there = loosely(values.get("target", "")) == loosely(target.location)
        if values.get("order") in orders.BATTLES and is_there and request.realm in _sides(values):
            says = f"{target.name} learns from the battle in {_named(other)}"
            yield row.problem("event", "RL-OP-57", says, allowed=AGAIN)
            return


def awarded(row: Row, database: Database, request: TurnRequest, fighters: Sequence[str]) -> tuple[str, ...]:
    """Return the fighters who have received the experience of a battle this turn by a separate row (RL-OP-57)."""
    realms = filter(None, (request.realm, request.target_realm))
    names = {
        loosely(values.get("target", ""))
        for realm in realms
        for _, values in _rows_of_turn(row, database, realm)
        if values.get("order") == orders.AWARD and values.get("event") in BATTLE_DEEDS
    }
    return tuple(name for name in fighters if loosely(name) in names)


def _sides(values: Values) -> tuple[str, str]:
    return values.get("realm", ""), values.get("target_realm", "")


def _named(row: Row) -> str:
    return f"row {row.number} already, {request_id(row) or 'new'}"


def units(database: Database) -> Iterator[RealmUnit]:
    """Yield the units whose rows can be read."""
    reads = (database.read(row, RealmUnit).record for row in database.table(RealmUnit))
    return (unit for unit in reads if unit is not None)


def _rebel_rows(row: Row, database: Database, turn: int) -> Iterator[Row]:
    same = {"order": orders.PROCESS_REBELS, "turn": turn}
    return _rows_alike(row, database, TurnRequest, lambda values: same.items() <= values.items())


def _first(row: Row, alike: Iterator[Row]) -> Row | None:
    """Return a row that is ruled already, or stands above."""
    return next((other for other in alike if other.number < row.number or _is_done(other)), None)


def _is_done(row: Row) -> bool:
    return row.value("status") == "Done"


def _rows_alike(
    row: Row, database: Database, record: type[Request], is_same: Callable[[Values], bool]
) -> Iterator[Row]:
    """Yield the other rows with the same order that are ruled, or ready."""
    for other in database.table(record):
        if other.number != row.number and (values := _asked(other, database, record)) and is_same(values):
            yield other


def _rows_of_turn(row: Row, database: Database, realm: str) -> Iterator[tuple[Row, Values]]:
    """Yield the rows of a realm's current turn that are ruled, or stand above and are ready.

    The turn of a row is the named one, or the one kept beside it. Without either, a row counts for this turn, unless
    the turn began after it.
    """
    now = _turn(database, realm)
    others = [other for other in database.table(TurnRequest) if other.number < row.number or _is_done(other)]
    asked = [(other, values) for other in others if other.number != row.number and (values := _asked(other, database))]
    is_named = named_turn(row, database.read(row, TurnRequest).values.get("turn")) is not None
    ends = (_when(other) for other, values in asked if _has_ended(other, values, realm, now, is_named))
    began = max(ends, default=("", 0))
    for other, values in asked:
        named = named_turn(other, values.get("turn"))
        is_compared = named is not None and _turn(database, values.get("realm", "")) == now
        if named == now if is_compared else _when(other) > began:
            yield other, values


def _turn(database: Database, realm: str) -> int | None:
    reads = (database.read(row, Realm).record for row in database.find(Realm, realm))
    return next((read.turn for read in reads if read is not None), None)


def _has_ended(row: Row, values: Values, realm: str, now: int | None, is_named: bool) -> bool:
    """Return True for a row that has ended a turn of a realm, or ends it before an order below that names no turn."""
    is_own = values.get("order") == orders.PROCESS_TURN and values.get("realm") == realm
    if not (is_own or values.get("order") == orders.PROCESS_ALL) or row.value("status") not in (None, "", "Done"):
        return False
    named = named_turn(row, values.get("turn"))
    return _is_done(row) or (not is_named if named is None else named < (now or 0))


def _when(row: Row) -> tuple[str, int]:
    """Return the place of a row in the order of rulings; those of this poll and later come last."""
    return (as_text(row.value("ruled_at")) if _is_done(row) else "~"), row.number


def _asked(row: Row, database: Database, record: type[Request] = TurnRequest) -> Values:
    """Return the cells of a row that is ruled or ready; empty for any other row."""
    if row.value("status") in OVER or (row.is_blank("ready") and not _is_done(row)):
        return {}
    values = database.read(row, record).values
    is_ruling = values.get("ready") and values.get("action", "Rule") in ("Rule", RULE_AGAIN, "End anyway")
    return values if is_ruling or _is_done(row) else {}
