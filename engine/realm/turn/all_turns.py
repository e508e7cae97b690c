"""The order Process all turns: a turn of every realm due, one after the other, and of the rebels."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from engine.realm.setup.dice import RealmDice
from engine.realm.setup.inputs import PROCESS_REBELS, PROCESS_TURN, OrderInputs
from engine.realm.setup.records import COUNTS, City, Realm, RealmLeader, RealmPlace, RealmUnit, RealmUnitType
from engine.realm.setup.tables import RealmTables
from engine.realm.turn.course import AnyRecord, Course, changed_fields
from engine.realm.turn.rebels import Uprising, uprising
from engine.realm.turn.sight import World, select_records
from engine.realm.turn.turn import Turn, process
from engine.rng import Rng
from engine.ruleset import Beliefs, Event, NewRow, Update


class AllTurns:
    """The turns of all realms, each on the records left by the turns before it.

    Args:
        tables: The tables, with the workbook's settings in place.
        rng: The order's random numbers; they decide the sequence of realms.
        beliefs: The rulers' errors about their gold and leaders; None without readers (RL-OP-55).
    """

    def __init__(self, order: OrderInputs, tables: RealmTables, rng: Rng, beliefs: Beliefs | None = None) -> None:
        self.order, self.tables, self._rng, self._beliefs = order, tables, rng, beliefs
        self.events: list[Event] = []
        self.dice = RealmDice(rng, order.fixed, self.events)
        self.rows: list[NewRow] = []
        self._before: dict[tuple[type, str], AnyRecord] = {
            (type(record), record.name): record
            for records in (order.realms, order.cities, order.leaders, order.units)
            for record in records
        }
        self._now = dict(self._before)
        self.turns: list[tuple[Course, Turn]] = []
        self.uprising = Uprising((), ())

    def process(self) -> None:
        """Process the turn of each realm due, in a drawn sequence, then the rebels' (RL-OP-56)."""
        waiting = [realm.name for realm in due(self.order)]
        while waiting:
            name = self.dice.pick(waiting, "RL-OP-47", "who comes next") if len(waiting) > 1 else waiting[0]
            waiting.remove(name)
            course = Course(self.order_of(name), self.tables, self._rng, self.dice, self._beliefs)
            self.turns.append((course, process(course)))
            self.rows += course.rows
            for key, changes in course.changed():
                self._now[key] = dataclasses.replace(self._now[key], **changes)
        if self.order.has_rebels:
            order = self._selected(OrderInputs(order=PROCESS_REBELS, turn=self.order.turn))
            course = Course(order, self.tables, self._rng, self.dice)
            self.uprising = uprising(course)
            self.rows += course.rows

    def order_of(self, name: str) -> OrderInputs:
        """Return the order Process turn of one realm, with the current records."""
        realm = self._now[Realm, name]
        assert isinstance(realm, Realm)
        order = OrderInputs(
            order=PROCESS_TURN,
            turn=self.order.turn,
            realm=realm,
            nation=next(nation for nation in self.order.nations if nation.name == realm.nation),
            settings=self.order.settings,
            **{name: getattr(realm, name) for name in COUNTS},
        )
        return self._selected(order)

    def _selected(self, order: OrderInputs) -> OrderInputs:
        free = {name.stem: name.number for name in self.order.free}
        return select_records(order, World(self._records), self.tables, lambda stem: free.get(stem, 1))

    def updates(self) -> Iterator[Update]:
        """Yield an update for every field that changed."""
        for key, before in self._before.items():
            yield from changed_fields(before, self._now[key])

    def _records(self, record: type[Any]) -> tuple[Any, ...]:
        if record is RealmUnitType:
            return self.order.types
        if record is RealmPlace:
            return self.order.places
        assert record in (Realm, City, RealmLeader, RealmUnit)
        return tuple(state for (kind, _), state in self._now.items() if kind is record)


def due(order: OrderInputs) -> list[Realm]:
    """Return the realms whose current turn is the order's; others have been processed already."""
    return [realm for realm in order.realms if realm.turn == order.turn]
