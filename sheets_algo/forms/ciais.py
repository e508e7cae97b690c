"""CiAIS orders: how one is read, with those pieces of the game that it touches or looks at."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from engine.ciais.forecast import expected
from engine.ciais.inputs import (
    BATTLE,
    CHECK_VICTORY,
    CITY_CAPTURED,
    END_ROUND,
    OVERTHROW_CHOICE,
    CiaisInputs,
    Order,
    suppliers,
)
from engine.ciais.records import ACTIVE, Player, Site, Unit, UnitType
from engine.ciais.resolve import Ciais
from engine.ciais.tables import SETTABLE_WORDS, YES, Constants, Tables, settable
from engine.terrain import Feature
from sheets_algo.book import Book, Vocabulary
from sheets_algo.forms import ciais_checks as checks
from sheets_algo.forms.base import Filled, Form, Reading
from sheets_algo.forms.ciais_columns import CiaisRequest, CiaisSetting
from sheets_algo.forms.settings import SchemaCheck, SettingsTab
from sheets_algo.problems import Problem
from sheets_algo.tables import Row

Record = TypeVar("Record")
Piece = TypeVar("Piece", Player, UnitType, Unit, Site)


class CiaisForm(Form[CiaisInputs]):
    """How an order is read.

    Args:
        raw: The ruleset's parsed tables.
        open_maps: Not needed: this game has no map of the program's.
        schema: What the schemas say of a table that settings changed.
    """

    key = "ciais"
    prefix = "C-"
    request = CiaisRequest
    database = (Player, UnitType, Unit, Site, CiaisSetting)
    inputs = CiaisInputs

    def __init__(
        self, raw: Mapping[str, Any], open_maps: Callable[[Sequence[Feature]], object], schema: SchemaCheck
    ) -> None:
        self.tables = Tables.of(raw)
        self.ruleset = Ciais(self.tables)
        self.settings = SettingsTab(CiaisSetting, settable(raw), SETTABLE_WORDS, schema, self.tables.having)
        self.vocabulary = Vocabulary(
            lists=self.tables.lists,
            builtin={UnitType.tab.name: self.tables.unit_types},
            checks={
                Player: (checks.a_negative_bank_is_counted, checks.a_rate_is_in_per_cent),
                UnitType: (checks.multipliers_have_one_decimal,),
                Site: (checks.supply_has_a_place,),
                CiaisRequest: (checks.a_rate_is_in_per_cent,),
            },
        )

    def read(self, row: Row, book: Book) -> Filled[CiaisInputs]:
        """One order.

        Raises:
            Rejected: With every problem.
        """
        reading = Reading(book)
        asked = reading.row(row, CiaisRequest)
        own = self.settings.read(book)
        reading.add(*own.problems)
        kind = asked.values.get("order")
        if kind is not None:
            reading.add(*checks.cells_fit(row, kind))
        players = _all(reading, Player)
        if asked.record is None:
            reading.finish()
            raise AssertionError("an order without a problem was not read")  # a bug of this form
        own_tables = self.tables.having(own.settings)
        inputs = _inputs(reading, _order(asked.record), players, own_tables.constants)
        if not reading.failed:
            reading.add(*_between(row, inputs, own_tables.constants))
        is_seed_given = asked.record.seed is not None
        whole = dataclasses.replace(inputs, settings=own.settings, seed_given=is_seed_given)
        return Filled(whole, (), reading.finish())

    def forecast(self, inputs: CiaisInputs) -> str:
        """What may come of it, exactly: little is left to chance (CI-OP-29)."""
        return expected(inputs, self.tables)


def _order(asked: CiaisRequest) -> Order:
    return Order(
        kind=asked.order,
        player=asked.player,
        round=asked.round,
        attacker=asked.attacker,
        defender=asked.defender,
        tax=asked.tax,
        funding=asked.funding or 0,
        city=asked.city,
        amount=asked.amount or 0,
        choice=asked.choice or "",
        heir=asked.heir,
        time_is_up=asked.time_is_up,
        nominee=asked.nominee,
        roll=asked.roll,
    )


def _inputs(reading: Reading, order: Order, players: tuple[Player, ...], constants: Constants) -> CiaisInputs:
    """The order with the pieces that it touches or looks at; what is wrong with one of them is noted."""
    units: Sequence[Unit] = ()
    sites: Sequence[Site] = ()
    has_land_rows = False
    if order.kind in (END_ROUND, OVERTHROW_CHOICE):
        moved = {order.player} if order.player else {it.name for it in players}
        units = [it for it in _all(reading, Unit) if it.owner in moved and it.status == ACTIVE]
    elif order.kind == BATTLE:
        named = (reading.named(Unit, name) for name in (order.attacker, order.defender) if name)
        units = [it for it in named if it is not None]
    if order.kind in (BATTLE, END_ROUND, CITY_CAPTURED, OVERTHROW_CHOICE):
        every = _all(reading, Site)
        has_land_rows = any(it.is_land for it in every)
        owners = _looked_at(order, players, units, every, constants)
        sites = [it for it in every if it.owner in owners or it.name == order.city]
    types = {it.type: reading.named(UnitType, it.type) for it in units}
    is_round_of_everybody = order.kind == END_ROUND and not order.player
    return CiaisInputs(
        order=order,
        players=players if is_round_of_everybody else _by_name(players),
        types=_by_name([it for it in types.values() if it is not None]),
        units=_by_name(units),
        sites=_by_name(sites),
        has_land_rows=has_land_rows,
    )


def _by_name(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Whoever sorts the rows of a tab changes neither seed nor draw."""
    return tuple(sorted(pieces, key=lambda it: it.name))


def _looked_at(
    order: Order, players: Sequence[Player], units: Sequence[Unit], sites: Sequence[Site], constants: Constants
) -> frozenset[str]:
    """Whose sites an order touches, counts or draws supply from."""
    if order.kind == CITY_CAPTURED:
        return frozenset(it.owner for it in sites if it.name == order.city and it.owner)
    if order.kind == OVERTHROW_CHOICE:
        return frozenset((order.player,))
    if order.kind == END_ROUND and not order.player:
        return frozenset(it.name for it in players)
    supplied = {order.player, *(it.owner for it in units)}
    by_allies = constants.allied_supply == YES
    return frozenset().union(*(suppliers(it, players, by_allies) for it in players if it.name in supplied))


def _between(row: Row, inputs: CiaisInputs, constants: Constants) -> Iterator[Problem]:
    """What must hold between an order and the pieces it names."""
    order, players = inputs.order, inputs.players
    player = next((it for it in players if it.name == order.player), None)
    if order.kind == CHECK_VICTORY:
        yield from checks.game_may_end(row, order, players)
    elif player is None:
        yield from checks.everybody_may(row, order, players)
    else:
        yield from checks.the_player_may(row, order, player)
        yield from checks.money_fits(row, order, player, constants)
    if order.kind == BATTLE:
        yield from checks.units_may_fight(row, inputs, constants)
    elif order.kind == CITY_CAPTURED:
        city = next(it for it in inputs.sites if it.name == order.city)
        yield from checks.city_may_be_captured(row, order, city, players)
    elif order.kind == OVERTHROW_CHOICE:
        yield from checks.heir_fits(row, order, players)


def _all(reading: Reading, record: type[Record]) -> tuple[Record, ...]:
    """Every row of a database tab that can be read; what is wrong with the tab and the others is noted."""
    table = reading.book.table(record)
    reading.add(*table.header_problems)
    found = (reading.row(row, record).record for row in table)
    return tuple(it for it in found if it is not None)
