"""Form of CiAIS orders, which reads an order with the rows that it changes or depends on."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import TypeVar

from engine.ciais.forecast import expected
from engine.ciais.inputs import (
    BATTLE,
    CHECK_VICTORY,
    CITY_CAPTURED,
    END_ROUND,
    OVERTHROW_CHOICE,
    CiaisInputs,
    CiaisOrder,
    ending,
    suppliers,
)
from engine.ciais.records import ACTIVE, CiaisSite, CiaisUnit, CiaisUnitType, Player
from engine.ciais.resolve import Ciais
from engine.ciais.tables import SETTABLE_WORDS, TABLES, YES, CiaisConstants, CiaisTables, settable
from sheets_algo.database.problems import Problem
from sheets_algo.database.records import Database, Vocabulary
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import CurrentTurn, Form, FormResult, FormSource, RowReader
from sheets_algo.forms.ciais import checks as checks
from sheets_algo.forms.ciais.columns import CiaisRequest, CiaisSetting
from sheets_algo.forms.settings_tab import SettingsTab

Record = TypeVar("Record")
Piece = TypeVar("Piece", Player, CiaisUnitType, CiaisUnit, CiaisSite)


class CiaisForm(Form[CiaisInputs]):
    """Reader of CiAIS orders."""

    key = "ciais"
    declared = TABLES
    prefix = "C-"
    request = CiaisRequest
    turn_column = "round"
    database = (Player, CiaisUnitType, CiaisUnit, CiaisSite, CiaisSetting)
    inputs = CiaisInputs

    def __init__(self, source: FormSource) -> None:
        self.tables = CiaisTables.of(source.raw)
        self.ruleset = Ciais(self.tables)
        self.settings = SettingsTab(
            CiaisSetting, settable(source.raw), SETTABLE_WORDS, source.schema, self.tables.having
        )
        self.vocabulary = Vocabulary(
            lists=self.tables.lists,
            builtin={CiaisUnitType.tab.name: self.tables.unit_types},
            checks={
                Player: (checks.check_negative_bank, checks.check_tax_rate),
                CiaisUnitType: (checks.check_multipliers,),
                CiaisSite: (checks.check_supply_coordinates,),
                CiaisRequest: (checks.check_tax_rate,),
            },
        )

    def read(self, row: Row, database: Database) -> FormResult[CiaisInputs]:
        """Read one order.

        Raises:
            Rejected: The order has errors.
        """
        reading = RowReader(database)
        request = reading.row(row, CiaisRequest)
        settings = self.read_settings(reading)
        order = request.values.get("order")
        if order is not None:
            reading.add(*checks.check_order_cells(row, order))
        players = _records(reading, Player)
        if request.record is None:
            reading.finish()
            raise AssertionError("an order without a problem was not read")  # cannot happen
        own_tables = self.tables.having(settings)
        inputs = _inputs(reading, _order(request.record), players, own_tables.constants)
        if not reading.failed:
            reading.add(*_check_order(row, inputs, own_tables.constants))
        is_seed_given = request.record.seed is not None
        complete = dataclasses.replace(inputs, settings=settings, seed_given=is_seed_given)
        return FormResult(complete, (), reading.finish())

    def current_turn(self, row: Row, database: Database) -> CurrentTurn | None:
        """Return the round of the order's player; for an End round of all, the earliest round of any (CI-RND)."""
        values = database.read(row, CiaisRequest).values
        kind, name = values.get("order", ""), values.get("player", "")
        players = _records(RowReader(database), Player)
        if kind == END_ROUND:
            return CurrentTurn(ending(CiaisOrder(kind=kind, player=name), players).round, name, ends=True)
        return next((CurrentTurn(player.round, name) for player in players if player.name == name), None)

    def forecast(self, inputs: CiaisInputs) -> str:
        """Return the exact chances of an order (CI-OP-29)."""
        return expected(inputs, self.tables)


def _order(request: CiaisRequest) -> CiaisOrder:
    return CiaisOrder(
        kind=request.order,
        player=request.player,
        round=request.round,
        attacker=request.attacker,
        defender=request.defender,
        tax=request.tax,
        funding=request.funding or 0,
        city=request.city,
        amount=request.amount or 0,
        choice=request.choice or "",
        heir=request.heir,
        time_is_up=request.time_is_up,
        nominee=request.nominee,
        roll=request.roll,
    )


def _inputs(
    reading: RowReader, order: CiaisOrder, players: tuple[Player, ...], constants: CiaisConstants
) -> CiaisInputs:
    """Return an order with the rows that it changes or depends on, and add their problems."""
    units: Sequence[CiaisUnit] = ()
    sites: Sequence[CiaisSite] = ()
    has_land_rows = False
    if order.kind in (END_ROUND, OVERTHROW_CHOICE):
        movers = {order.player} if order.player else {player.name for player in players}
        units = [unit for unit in _records(reading, CiaisUnit) if unit.owner in movers and unit.status == ACTIVE]
    elif order.kind == BATTLE:
        named_units = (reading.named(CiaisUnit, name) for name in (order.attacker, order.defender) if name)
        units = [unit for unit in named_units if unit is not None]
    if order.kind in (BATTLE, END_ROUND, CITY_CAPTURED, OVERTHROW_CHOICE):
        all_sites = _records(reading, CiaisSite)
        has_land_rows = any(site.is_land for site in all_sites)
        owners = _relevant_owners(order, players, units, all_sites, constants)
        sites = [site for site in all_sites if site.owner in owners or site.name == order.city]
    types = {unit.type: reading.named(CiaisUnitType, unit.type) for unit in units}
    is_round_of_everybody = order.kind == END_ROUND and not order.player
    return CiaisInputs(
        order=order,
        players=players if is_round_of_everybody else _by_name(players),
        types=_by_name([kind for kind in types.values() if kind is not None]),
        units=_by_name(units),
        sites=_by_name(sites),
        has_land_rows=has_land_rows,
    )


def _by_name(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Sort rows by name, so that the order of rows in a tab affects neither seed nor draws."""
    return tuple(sorted(pieces, key=lambda piece: piece.name))


def _relevant_owners(
    order: CiaisOrder,
    players: Sequence[Player],
    units: Sequence[CiaisUnit],
    sites: Sequence[CiaisSite],
    constants: CiaisConstants,
) -> frozenset[str]:
    """Return the owners of the sites that an order changes, counts or draws supply from."""
    if order.kind == CITY_CAPTURED:
        return frozenset(site.owner for site in sites if site.name == order.city and site.owner)
    if order.kind == OVERTHROW_CHOICE:
        return frozenset((order.player,))
    if order.kind == END_ROUND and not order.player:
        return frozenset(player.name for player in players)
    supplied = {order.player, *(unit.owner for unit in units)}
    by_allies = constants.allied_supply == YES
    return frozenset().union(*(suppliers(player, players, by_allies) for player in players if player.name in supplied))


def _check_order(row: Row, inputs: CiaisInputs, constants: CiaisConstants) -> Iterator[Problem]:
    """Check an order with the rows it names."""
    order, players = inputs.order, inputs.players
    player = next((player for player in players if player.name == order.player), None)
    if order.kind == CHECK_VICTORY:
        yield from checks.check_game_end(row, order, players)
    elif player is None:
        yield from checks.check_round_for_all(row, order, players)
    else:
        yield from checks.check_player(row, order, player)
        yield from checks.check_money(row, order, player, constants)
    if order.kind == BATTLE:
        yield from checks.check_battle_units(row, inputs, constants)
    elif order.kind == CITY_CAPTURED:
        city = next(site for site in inputs.sites if site.name == order.city)
        yield from checks.check_captured_city(row, order, city, players)
    elif order.kind == OVERTHROW_CHOICE:
        yield from checks.check_heir(row, order, players)


def _records(reading: RowReader, record: type[Record]) -> tuple[Record, ...]:
    """Return the records of all readable rows of a database tab, and add the problems of the tab."""
    table = reading.database.table(record)
    reading.add(*table.header_problems)
    records = (reading.row(row, record).record for row in table)
    return tuple(readable for readable in records if readable is not None)
