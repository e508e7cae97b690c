"""Form of CiAIS orders, which reads an order with all rows that affect it."""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Iterator, Sequence
from typing import Any, ClassVar

from engine.ciais.cases import CASES
from engine.ciais.conquest import garrison
from engine.ciais.inputs import (
    BATTLE,
    CHECK_VICTORY,
    CITY_CAPTURED,
    END_ROUND,
    OVERTHROW_CHOICE,
    SET_TAX,
    CiaisInputs,
    CiaisOrder,
    ending,
    suppliers,
)
from engine.ciais.records import ACTIVE, PLAYING, CiaisSite, CiaisUnit, CiaisUnitType, Player
from engine.ciais.resolve import Ciais
from engine.ciais.tables import TABLES, YES, CiaisConstants, CiaisTables
from engine.dated import TURN
from sheets_algo.database.problems import LapseCause, Problem
from sheets_algo.database.records import TURN_ACTIONS, Database, ReadRow, Vocabulary
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import FormResult, FormSource
from sheets_algo.forms.capabilities import CurrentTurn, PlayerOrders, TurnForm
from sheets_algo.forms.ciais import checks as checks
from sheets_algo.forms.ciais.checks import ENEMY_OUT, PLAYER_OUT, ROUND, UNIT_LOST
from sheets_algo.forms.ciais.columns import CiaisRequest, CiaisSetting, PlayerRow
from sheets_algo.forms.row_reader import RowReader, by_name


class CiaisForm(TurnForm[CiaisInputs]):
    """Reader of CiAIS orders."""

    key = "ciais"
    declared = TABLES
    cases = CASES
    prefix = "C-"
    request = CiaisRequest
    turn_column = "round"
    end_of_turn: ClassVar = {"order": END_ROUND}
    objects: ClassVar = {"player": (PLAYER_OUT,), "attacker": (UNIT_LOST,), "defender": (UNIT_LOST,)}
    player_orders = PlayerOrders(
        whose="player",
        players=PlayerRow,
        contact="contact",
        orders=frozenset((BATTLE, END_ROUND, SET_TAX)),
        cells=("round", "player", "order", "attacker", "defender", "city", "tax", "funding", "notes"),
    )
    database = (PlayerRow, CiaisUnitType, CiaisUnit, CiaisSite, CiaisSetting)
    inputs = CiaisInputs
    derived = frozenset({"types", "units", "sites", "has_land_rows"})

    def __init__(self, source: FormSource) -> None:
        self.tables = source.built(CiaisTables.of)
        self.ruleset = Ciais(self.tables)
        self.settings = source.settings_of(CiaisSetting, self.tables, TABLES, (TURN,))
        self.vocabulary = Vocabulary(
            lists={**self.tables.lists, TURN_ACTIONS.name: TURN_ACTIONS},
            builtin={CiaisUnitType.tab.name: self.tables.unit_types},
            checks={
                PlayerRow: (checks.check_negative_bank,),
                CiaisUnitType: (checks.check_multipliers,),
                CiaisSite: (checks.check_supply_coordinates,),
            },
        )

    def parties(self, inputs: CiaisInputs) -> tuple[str, ...]:
        """Return the round of the order."""
        return (f"round {inputs.order.round or 'unknown'}",)

    def read(self, row: Row, database: Database) -> FormResult[CiaisInputs]:
        """Read one order."""
        reading = RowReader(database)
        request = reading.row(row, CiaisRequest)
        current = self.current_turn(row, database)
        settings = self.read_settings(reading, row, turn=current.number if current else None)
        order = request.values.get("order")
        if order is not None:
            reading.add(*checks.check_order_cells(row, order))
        if request.record is None:
            reading.finish()
            raise AssertionError("an order without a problem was not read")  # cannot happen
        own_tables = self.tables.having(settings)
        inputs = _inputs(reading, _order(request.record), own_tables.constants)
        if not reading.failed:
            reading.add(*_check_order(row, inputs, own_tables.constants))
        if not reading.failed and order == BATTLE:
            reading.add(*checks.check_range(row, inputs, own_tables.constants))
            reading.add(*checks.check_cooldown(row, inputs, database))
            reading.add(*checks.check_strength(row, inputs))
        is_seed_given = request.record.seed is not None
        complete = dataclasses.replace(inputs, settings=settings, seed_given=is_seed_given)
        prize = inputs.order.city if order == BATTLE else ""
        return FormResult(complete, (f"The battle is for {prize}",) if prize else (), reading.finish())

    def gone(self, row: Row, database: Database) -> Iterator[tuple[str, LapseCause]]:
        """Yield the missing subjects, including the defender's player; only an overthrown player chooses afterwards."""
        values = database.read(row, CiaisRequest).values
        if values.get("order") == OVERTHROW_CHOICE:
            return
        yield from super().gone(row, database)
        for unit in database.find(CiaisUnit, values.get("defender", "")):
            yield from self.why_gone(ENEMY_OUT, database.read(unit, CiaisUnit).values.get("owner", ""), database)

    def current_turn(self, row: Row, database: Database) -> CurrentTurn | None:
        """Return the round of the order's player; for an End round of all, the earliest round of any (CI-RND).

        A player who has lost or won has no round, except for the choice after an overthrow.
        """
        values = database.read(row, CiaisRequest).values
        kind, name = values.get("order", ""), values.get("player", "")
        if kind == END_ROUND and not name:
            return self.turn_of_all(database)
        for player in RowReader(database).records(PlayerRow, lambda read: False):
            if player.name == name and (player.status == PLAYING or kind == OVERTHROW_CHOICE):
                return CurrentTurn(player.round, name, kind == END_ROUND, counters=ROUND.of(name).cells)
        return None

    def turn_of_all(self, database: Database) -> CurrentTurn | None:
        """Return the earliest round of any player; None if no player is left."""
        turn = ending(CiaisOrder(kind=END_ROUND), RowReader(database).records(PlayerRow, lambda read: False))
        if not turn.players:
            return None
        names = tuple(player.name for player in turn.players)
        counters = tuple(cell for name in names for cell in ROUND.of(name).cells)
        return CurrentTurn(turn.round, ends=True, players=names, counters=counters)


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


def _inputs(reading: RowReader, order: CiaisOrder, constants: CiaisConstants) -> CiaisInputs:
    """Return an order with the rows that it changes or depends on, and add their problems."""
    units: Sequence[CiaisUnit] = ()
    sites: Sequence[CiaisSite] = ()
    has_land_rows = False
    if order.kind == BATTLE:
        named_units = (reading.named(CiaisUnit, name) for name in (order.attacker, order.defender) if name)
        units = [unit for unit in named_units if unit is not None]
    city = reading.named(CiaisSite, order.city) if order.city else None
    involved = {order.player, order.heir, city.owner if city else "", *(unit.owner for unit in units)} - {""}
    players = _players(reading, None if _concerns_everybody(order) else involved)
    if order.kind in (END_ROUND, OVERTHROW_CHOICE):
        movers = {order.player} if order.player else {player.name for player in players}
        own_units = reading.records(CiaisUnit, lambda read: _may_be(read, "owner", movers))
        units = [unit for unit in own_units if unit.owner in movers and unit.status == ACTIVE]
    if order.kind in (BATTLE, END_ROUND, CITY_CAPTURED, OVERTHROW_CHOICE):
        owners = _relevant_owners(order, players, units, city, constants)
        all_sites = reading.records(CiaisSite, lambda read: _may_be(read, "owner", owners))
        has_land_rows = any(site.is_land for site in all_sites)
        sites = [site for site in all_sites if site.owner in owners or site.name == order.city]
    types = {unit.type: reading.named(CiaisUnitType, unit.type) for unit in units}
    owner = next((player for player in players if city and player.name == city.owner), None)
    if order.kind == BATTLE and city and owner:
        around = reading.records(CiaisUnit, lambda read: _may_be(read, "owner", {owner.name}))
        holders = garrison(around, city, owner, players, constants)
        units = [*units, *(unit for unit in holders if unit.name not in (order.attacker, order.defender))]
    is_round_of_everybody = order.kind == END_ROUND and not order.player
    return CiaisInputs(
        order=order,
        players=players if is_round_of_everybody else by_name(players),
        types=by_name([kind for kind in types.values() if kind is not None]),
        units=by_name(units),
        sites=by_name(sites),
        has_land_rows=has_land_rows,
    )


def _relevant_owners(
    order: CiaisOrder,
    players: Sequence[Player],
    units: Sequence[CiaisUnit],
    city: CiaisSite | None,
    constants: CiaisConstants,
) -> frozenset[str]:
    """Return the owners of the sites that an order changes, counts or draws supply from."""
    if order.kind == CITY_CAPTURED:
        return frozenset((city.owner,)) if city and city.owner else frozenset()
    if order.kind == OVERTHROW_CHOICE:
        return frozenset((order.player,))
    if order.kind == END_ROUND and not order.player:
        return frozenset(player.name for player in players)
    supplied = {order.player, *(unit.owner for unit in units)}
    by_allies = constants.allied_supply == YES
    supplying = (suppliers(player, players, by_allies) for player in players if player.name in supplied)
    return frozenset((city.owner,) if city and city.owner else ()).union(*supplying)


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
        if order.kind != OVERTHROW_CHOICE and player.status != PLAYING:
            return
        yield from checks.check_money(row, order, player, constants)
    if order.kind == BATTLE:
        yield from checks.check_battle_units(row, inputs, constants)
        yield from checks.check_prize(row, inputs, constants)
    elif order.kind == CITY_CAPTURED:
        city = next(site for site in inputs.sites if site.name == order.city)
        yield from checks.check_captured_city(row, order, city, players)
    elif order.kind == OVERTHROW_CHOICE:
        yield from checks.check_heir(row, order, players)


def _concerns_everybody(order: CiaisOrder) -> bool:
    """Return True for an order that counts the money of all players, or ends the round of all."""
    return order.kind == CHECK_VICTORY or (order.kind == END_ROUND and not order.player)


FOR_OTHERS = ("name", "status", "alliance")
"""Cells that must be readable even for players whom an order does not concern (CI-OP-10, CI-WIN-1)."""


def _players(reading: RowReader, involved: Container[str] | None) -> tuple[Player, ...]:
    """Return all players, and add the problems that matter: of the others only in the cells `FOR_OTHERS` (CI-OP-37).

    Args:
        involved: The names of the players whom the order concerns; None for all.
    """
    table = reading.database.table(PlayerRow)
    reading.add(*table.header_problems)
    players = []
    for row in table:
        read = reading.database.read(row, PlayerRow)
        if read.problems:
            cells = {row.cell(attribute) for attribute in FOR_OTHERS}
            if involved is None or row.name in involved or any(problem.cell in cells for problem in read.problems):
                reading.add(*read.problems)
        if read.record is not None:
            players.append(read.record)
        elif "name" in read.values:
            known = {name: read.values[name] for name in FOR_OTHERS if name in read.values}
            players.append(PlayerRow(**known))
    return tuple(players)


def _may_be(read: ReadRow[Any], attribute: str, names: Container[str]) -> bool:
    """Return True if a cell has one of these names, or cannot be read."""
    return read.values[attribute] in names if attribute in read.values else not read.row.is_blank(attribute)
