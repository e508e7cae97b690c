"""Form of realms, which reads orders with the database rows that they depend on."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any, ClassVar, TypeVar

from engine.columns import loosely
from engine.dated import TURN
from engine.realm.cases import CASES
from engine.realm.resolve import RealmOrders
from engine.realm.setup import inputs as orders
from engine.realm.setup.inputs import OrderInputs
from engine.realm.setup.records import (
    COUNTS,
    REBELS,
    City,
    Realm,
    RealmLeader,
    RealmNation,
    RealmPlace,
    RealmUnit,
    RealmUnitType,
)
from engine.realm.setup.tables import TABLES, RealmTables
from engine.realm.turn.sight import World, needed_types, select_records
from sheets_algo.database.problems import CellRef, Problem, count, quoted
from sheets_algo.database.records import TURN_ACTIONS, Database, ReadRow, Vocabulary
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import Form, FormResult, FormSource
from sheets_algo.forms.capabilities import CurrentTurn, PlayerOrders, SecretForm, TurnForm, typed_players
from sheets_algo.forms.realm import checks as checks
from sheets_algo.forms.realm import turn_rows
from sheets_algo.forms.realm.causes import LEADER_GONE, REALM_OUT, TARGET_REALM_OUT, TURN_OF, UNIT_GONE
from sheets_algo.forms.realm.columns import RealmSetting, TurnRequest
from sheets_algo.forms.realm.fixed_rolls import check_roll_names, parse_fixed_rolls
from sheets_algo.forms.row_reader import RowReader

Record = TypeVar("Record")
Inputs = TypeVar("Inputs")

DATABASE = (Realm, RealmNation, City, RealmPlace, RealmLeader, RealmUnit, RealmUnitType)
OWNER_ATTRIBUTES: Mapping[type, Sequence[str]] = {
    City: ("name", "owner"),
    RealmLeader: ("name", "employer", "captor", "offered_to"),
    RealmUnit: ("name", "owner", "offered_to"),
}
"""Attributes that name the owners of a row; an unreadable row is relevant to all its possible owners."""


class RealmBase(Form[Inputs]):
    """Base class of both forms, with the shared tables, settings and database."""

    ruleset_key = "realm"
    database = (*DATABASE, RealmSetting)

    def __init__(self, source: FormSource) -> None:
        self.tables = source.built(RealmTables.of)
        self.settings = source.settings_of(RealmSetting, self.tables, TABLES, (TURN,))
        self.vocabulary = Vocabulary(
            lists={**self.tables.lists, TURN_ACTIONS.name: TURN_ACTIONS},
            checks={
                Realm: (checks.check_realm_name, checks.check_happiness),
                RealmLeader: (checks.check_leader,),
                RealmUnit: (checks.check_unit,),
                TurnRequest: (checks.check_order_cells,),
            },
        )


class RealmForm(RealmBase[OrderInputs], TurnForm[OrderInputs], SecretForm[OrderInputs]):
    """Reader of orders."""

    key = "realm"
    declared = TABLES
    cases = CASES
    prefix = "T-"
    request = TurnRequest
    turn_column = "turn"
    end_of_turn: ClassVar = {"order": orders.PROCESS_ALL}
    objects: ClassVar = {
        "realm": (REALM_OUT,),
        "target_realm": (TARGET_REALM_OUT,),
        "target": (LEADER_GONE, UNIT_GONE),
    }
    player_orders = PlayerOrders(
        whose="realm",
        players=Realm,
        contact="player",
        orders=frozenset((*orders.ESPIONAGE, *orders.TARGETED)) - {orders.AWARD, orders.CAPTURE},
        cells=("turn", "realm", "order", "target_realm", "target", "agents", "notes"),
    )
    inputs = OrderInputs
    derived = frozenset(
        {"turn", "realms", "nations", "target_realm", "awarded", "battles_won", "battles_lost", "cities_captured"}
        | {"cities_lost", "rivals", "cities", "leaders", "units", "types", "places", "near", "legends", "heroes"}
        | {"secrets", "found", "free", "has_rebels"}
    )
    ruleset: RealmOrders

    def __init__(self, source: FormSource) -> None:
        super().__init__(source)
        self.ruleset = RealmOrders(self.tables)

    def read(self, row: Row, database: Database) -> FormResult[OrderInputs]:
        """Read one order with the rows that it depends on."""
        reading = RowReader(database)
        request = reading.row(row, TurnRequest).record
        current = self.current_turn(row, database)
        turn = (request.turn if request else None) or (current.number if current else 1)
        settings = self.read_settings(reading, row, turn=turn)
        for record in DATABASE:
            reading.add(*database.table(record).header_problems)
        if request is None:
            reading.finish()
            raise AssertionError("an order without a problem was not read")  # cannot happen
        tables = self.tables.having(settings)
        realm = (
            reading.named(Realm, request.realm) if request.realm and request.order not in orders.OF_NO_REALM else None
        )
        target = _target(reading, row, request, tables)
        target_realm = _other_realm(reading, request, target)
        named = (name for record in (RealmLeader, City, RealmUnit) for name in database.table(record).names)
        names = (*named, *tables.facts)
        order = OrderInputs(
            order=request.order,
            turn=turn,
            realm=realm,
            nation=reading.named(RealmNation, realm.nation) if realm else None,
            nations=tuple(_nations(reading)) if request.order == orders.PROCESS_ALL else (),
            target_realm=target_realm,
            target=request.target if request.order in orders.BATTLES else getattr(target, "name", ""),
            agents=request.agents or 0,
            deed=request.event,
            **_counts(request, realm),
            nearest_enemy=request.nearest_enemy,
            fixed=parse_fixed_rolls(request.fixed_rolls, names),
            settings=settings,
            seed_given=request.seed is not None,
            has_rebels=request.order == orders.PROCESS_ALL and turn_rows.has_rebels(row, database, turn, tables),
        )
        reading.add(*check_roll_names(row, order.fixed, names))
        reading.add(*turn_rows.check_rebel_turn(row, database, request, tables))
        reading.add(*turn_rows.check_battle_rows(row, database, request))
        reading.add(*turn_rows.check_award_rows(row, database, request, target))
        if not reading.failed:
            order = select_records(
                order, _open_world(reading, order), tables, lambda stem: _free_number(database, stem)
            )
            reading.add(*_check_unit_types(reading, order, tables))
            if order.order in orders.BATTLES:
                fighters = [*(unit.name for unit in order.units), *(leader.name for leader in order.leaders)]
                order = replace(order, awarded=turn_rows.awarded(row, database, request, fighters))
        if not reading.failed:
            reading.add(*checks.check_realm(row, order), *checks.check_all_turns(row, order))
            reading.add(*checks.check_counts(row, order))
            own = [unit.location for unit in turn_rows.units(database) if realm and unit.owner == realm.name]
            reading.add(*checks.check_battle(row, order, own))
            if realm is None or realm.in_play:
                reading.add(*checks.check_agents(row, order), *_check_target(row, order, target, tables))
        return FormResult(order, tuple(_remarks(order, request)), reading.finish())

    def current_turn(self, row: Row, database: Database) -> CurrentTurn | None:
        """Return the turn after the last one of the order's realm; of all turns, the earliest of any realm.

        Rebels wait for a turn that has not begun (RL-OP-45); they rise in any other, also after its end.
        """
        values = database.read(row, TurnRequest).values
        order = values.get("order")
        if order in orders.OF_NO_REALM:
            turn = self.turn_of_all(database)
            if order == orders.PROCESS_ALL or turn is None:
                return turn
            return replace(turn, ends=False) if (values.get("turn") or 0) > turn.number else None
        rows = database.find(Realm, values.get("realm", ""))
        realm = database.read(rows[0], Realm).record if rows else None
        if realm is None or not realm.in_play:
            return None
        return CurrentTurn(realm.turn, realm.name, order == orders.PROCESS_TURN, counters=TURN_OF.of(realm.name).cells)

    def turn_of_all(self, database: Database) -> CurrentTurn | None:
        """Return the earliest turn of any realm in play."""
        realms = list(_playing(RowReader(database)))
        turn = min((realm.turn for realm in realms), default=None)
        if turn is None:
            return None
        names = tuple(realm.name for realm in realms if realm.turn == turn)
        counters = tuple(cell for name in names for cell in TURN_OF.of(name).cells)
        return CurrentTurn(turn, ends=True, players=names, counters=counters)

    def check(self, database: Database) -> Iterator[Problem]:
        """Yield the problems of the database tabs, of the places named in them, and of units' health."""
        yield from super().check(database)
        yield from _check_locations(database)
        yield from _check_health(database)

    def readers(self, database: Database) -> Mapping[str, int]:
        """Return the realms; for everybody a turn is over when all realms in play have processed it (RL-OP-50)."""
        reads = (database.read(row, Realm).record for row in database.table(Realm))
        realms = [realm for realm in reads if realm is not None]
        over = min((realm.last_turn for realm in realms if realm.in_play), default=0)
        return {"": over} | {realm.name: realm.last_turn for realm in realms}

    def players(self, database: Database) -> Mapping[str, Sequence[str]]:
        """Return the players of each realm (TRN-09)."""
        return typed_players(database.table(Realm))

    def comparison_battles(self, inputs: OrderInputs, rulings: int, *, is_compiled: bool = False) -> int:
        """Return the number of other courses that a ruling is compared with; none for all realms at once (FC-07)."""
        return 0 if inputs.order == orders.PROCESS_ALL else super().comparison_battles(inputs, rulings)


def _counts(request: TurnRequest, realm: Realm | None) -> dict[str, Any]:
    """Return the counts of the turn: those of the row, else of the realm's row (RL-OP-57, RL-OP-58)."""
    typed = {name: getattr(request, name) for name in COUNTS}
    counts = realm is not None and request.order == orders.PROCESS_TURN
    return {name: (getattr(realm, name) if counts else 0) if typed[name] is None else typed[name] for name in COUNTS}


def _remarks(order: OrderInputs, request: TurnRequest) -> Iterator[str]:
    """Yield remarks on automatic counts at the end of a turn, and on places of rebellions."""
    turn_realm = (order.realm,) if order.realm and order.order == orders.PROCESS_TURN else ()
    for realm in (*turn_realm, *(realm for realm in order.realms if realm.turn == order.turn)):
        counted = {name: getattr(realm, name) for name in COUNTS if getattr(request, name) is None}
        if counts := ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in counted.items() if number):
            yield f"Counted for {realm.name}: {counts}"
    if held := [city.name for city in order.cities if order.has_rebels and city.owner == REBELS]:
        yield f"Rebels rise in {', '.join(held)} too"


def _playing(reading: RowReader) -> Iterator[Realm]:
    """Yield the readable realms in play."""
    for row in reading.database.table(Realm):
        realm = reading.row(row, Realm).record
        if realm is not None and realm.in_play:
            yield realm


def _nations(reading: RowReader) -> Iterator[RealmNation]:
    """Yield the nation types of all realms in play, each once; problems of realms and nations are added."""
    for name in dict.fromkeys(realm.nation for realm in _playing(reading)):
        nation = reading.named(RealmNation, name)
        if nation is not None:
            yield nation


def _target(
    reading: RowReader, row: Row, request: TurnRequest, tables: RealmTables
) -> RealmLeader | RealmUnit | City | None:
    """Return the row of Target, in the tab of the order."""
    if not request.target or request.order not in orders.TARGETED:
        return None
    record = _target_record(request, tables)
    rows = reading.database.find(record, request.target)
    if rows:
        target: RealmLeader | RealmUnit | City | None = reading.row(rows[0], record).record
        return target
    tab = record.tab
    similar = reading.database.names(record).nearest(request.target)
    allowed = "" if similar else f"Enter a name from {tab.name}"
    says = f"{tab.one} not found: {quoted(request.target)}"
    reading.add(row.problem("target", "RL-GEN-05", says, allowed=allowed, nearest=similar))
    return None


def _target_record(request: TurnRequest, tables: RealmTables) -> type[RealmLeader] | type[RealmUnit] | type[City]:
    if request.order in (orders.SCOUT, orders.CAPTURE):
        return City
    if request.order == orders.HIRE_MERCENARY:
        return RealmUnit
    is_of_units = request.order == orders.AWARD and request.event and tables.deeds[request.event].of == "unit"
    return RealmUnit if is_of_units else RealmLeader


def _check_locations(database: Database) -> Iterator[Problem]:
    """Warn of each place that is missing in Realm Places, if the workbook uses it (RL-OP-24)."""
    known = database.names(RealmPlace)
    missing: dict[str, list[tuple[Row, str, str]]] = {}
    for record, attribute in ((City, "name"), (RealmLeader, "location"), (RealmUnit, "location")):
        for row in database.table(record) if database.table(RealmPlace).rows else ():
            name = database.read(row, record).values.get(attribute, "")
            if name and not database.find(RealmPlace, name):
                missing.setdefault(loosely(name), []).append((row, attribute, name))
    for (row, attribute, name), *others in missing.values():
        also = f" ({count(len(others), 'other row')} too)" if others else ""
        says, similar = f"{quoted(name)} is not in Realm Places, so no way leads there{also}", known.nearest(name)
        yield row.warning(attribute, "RL-OP-24", says, allowed="" if similar else "Add it", nearest=similar)


def _check_health(database: Database) -> Iterator[Problem]:
    """Warn of units with more health than their type has, where they have no maximum of their own (RL-HEA-01)."""
    for row in database.table(RealmUnit):
        unit = database.read(row, RealmUnit).record
        rows = database.find(RealmUnitType, unit.type) if unit and unit.max_health is None else ()
        type = database.read(rows[0], RealmUnitType).record if rows else None
        if unit and type and (unit.health or 0) > type.max_health:
            says = f"{unit.health} is more than the {type.max_health} of {type.name}"
            yield row.warning("health", "RL-HEA-01", says, allowed="Lower it, or enter a Max health")


def _other_realm(reading: RowReader, request: TurnRequest, target: object) -> Realm | None:
    """Return the target realm of agents, or the employer of the target leader."""
    if request.order in (*orders.ESPIONAGE, *orders.BATTLES):
        return reading.named(Realm, request.target_realm) if request.target_realm else None
    if isinstance(target, City) and request.order == orders.CAPTURE and target.owner not in (REBELS, request.realm):
        return reading.named(Realm, target.owner)
    if isinstance(target, RealmLeader) and target.employer and target.employer != request.realm:
        return reading.named(Realm, target.employer)
    return None


def _open_world(reading: RowReader, order: OrderInputs) -> World:
    """Return the database of an order; problems of rows that the order may depend on are added."""
    names = {realm.name for realm in (order.realm, order.target_realm) if realm is not None} | {order.target}
    if order.order == orders.PROCESS_REBELS:
        names.add(REBELS)
    if order.order == orders.PROCESS_ALL:
        names |= {realm.name for realm in _playing(reading)}
    return World(lambda record: _readable_records(reading, record, names))


def _readable_records(reading: RowReader, record: type[Record], names: Collection[str]) -> tuple[Record, ...]:
    """Return the readable records by name, so that the order of rows affects neither seed nor ruling (RL-OP-01)."""
    records = []
    for row in reading.database.table(record):
        read = reading.database.read(row, record)
        if read.record is not None:
            records.append((read.values["name"], read.record))
        elif record is RealmPlace or _is_relevant(read, OWNER_ATTRIBUTES.get(record, ()), names):
            reading.add(*read.problems)
    return tuple(record for _, record in sorted(records, key=itemgetter(0)))


def _is_relevant(read: ReadRow[Record], attributes: Sequence[str], names: Collection[str]) -> bool:
    """Return True if an unreadable row belongs, or may belong, to one of the names."""
    values = read.values
    unread = (attribute not in values and not read.row.is_blank(attribute) for attribute in attributes)
    return any(unread) or any(values.get(attribute) in names for attribute in attributes)


def _free_number(database: Database, stem: str) -> int:
    """Return the first number whose name `<stem> <number>` is free."""
    number = 1
    while database.find(RealmUnit, f"{stem} {number}"):
        number += 1
    return number


def _check_unit_types(reading: RowReader, order: OrderInputs, tables: RealmTables) -> Iterator[Problem]:
    """Check that the unit types of new rebels and mercenaries have rows."""
    for name in needed_types(order, tables):
        if not any(kind.name == name for kind in order.types):
            table = reading.database.table(RealmUnitType)
            rows = reading.database.find(RealmUnitType, name)
            if rows:
                reading.row(rows[0], RealmUnitType)
                continue
            allowed = "Add a row for it, with its Attack, Max health and Initial cost"
            says = f"unit type not found: {quoted(name)}, which {order.order} needs"
            yield Problem(cell=CellRef(table.title), says=says, allowed=allowed, id="RL-REB-03")


def _check_target(row: Row, order: OrderInputs, target: object, tables: RealmTables) -> Iterator[Problem]:
    if isinstance(target, RealmLeader):
        yield from checks.check_target_leader(row, order, target, tables)
    elif isinstance(target, RealmUnit):
        yield from checks.check_target_unit(row, order, target, tables)
    elif isinstance(target, City):
        yield from checks.check_target_city(row, order, target)
    if order.order == orders.BRIBE and order.realm is not None:
        yield from checks.check_payment(row, order.realm, int(tables.constants.bribe_cost) * order.agents, "RL-ESP-3")
