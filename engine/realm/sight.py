"""What an order looks at: of the whole database only what can matter to it, so that a ruling keeps no more."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from engine.realm import inputs as orders
from engine.realm.arrivals import is_offered, mercenary_stem
from engine.realm.inputs import FreeName, Near, OrderInputs, Secrets
from engine.realm.rebels import rebel_stem, risen_type
from engine.realm.records import (
    AVAILABLE,
    EMPLOYED,
    FREELANCE,
    HERO,
    LEGEND,
    LEGENDS_LIST,
    REBELS,
    RULER,
    SERVICE,
    City,
    Leader,
    Realm,
    Unit,
    UnitType,
)
from engine.realm.tables import Tables

NamedRecord = TypeVar("NamedRecord", Leader, Unit)

Numbering = Callable[[str], int]
"""Stem of a unit's name to the first number that no unit has."""


class World:
    """The database as it stands before an order, by name; each tab is read when it is first looked at.

    Args:
        read: Every record of a tab.
    """

    def __init__(self, read: Callable[[type[Any]], Sequence[Any]]) -> None:
        self._read = read

    @cached_property
    def realms(self) -> Sequence[Realm]:
        """Of the Realms tab."""
        return self._read(Realm)

    @cached_property
    def cities(self) -> Sequence[City]:
        """Of the Realm Cities tab."""
        return self._read(City)

    @cached_property
    def leaders(self) -> Sequence[Leader]:
        """Of the Realm Leaders tab."""
        return self._read(Leader)

    @cached_property
    def units(self) -> Sequence[Unit]:
        """Of the Realm Units tab."""
        return self._read(Unit)

    @cached_property
    def types(self) -> Mapping[str, UnitType]:
        """Of the Realm Unit Types tab, by name."""
        return {it.name: it for it in self._read(UnitType)}

    @cached_property
    def playing(self) -> tuple[str, ...]:
        """Realms in play."""
        return tuple(realm.name for realm in self.realms if realm.in_play)

    @cached_property
    def armed(self) -> Mapping[str, Mapping[str, None]]:
        """Location to the owners of units there, by name; under a blank one the owners of any."""
        found: dict[str, dict[str, None]] = {"": {}}
        for unit in self.units:
            found[""][unit.owner] = None
            found.setdefault(unit.location, {})[unit.owner] = None
        return found

    @cached_property
    def present(self) -> Mapping[str, Mapping[str, None]]:
        """Location to the realms that have a unit, a leader or the city of that name there."""
        found: dict[str, dict[str, None]] = {place: {**owners} for place, owners in self.armed.items() if place}
        for leader in self.leaders:
            if leader.status == EMPLOYED and leader.location:
                found.setdefault(leader.location, {})[leader.employer] = None
        for city in self.cities:
            found.setdefault(city.name, {})[city.owner] = None
        return found


def seen(order: OrderInputs, world: World, tables: Tables, number: Numbering) -> OrderInputs:
    """An order with what it needs of the world.

    Args:
        order: With its row's own cells and the realms it names.
        world: Everything.
        tables: For what may be raised or offered.
        number: For the names of new units.
    """
    more = SIGHT.get(order.order, _nothing)(order, world)
    types = [*(unit.type for unit in more.units), *_new_types(more, tables)]
    stems = dict.fromkeys(_stems(more, tables))
    return dataclasses.replace(
        more,
        types=tuple(world.types[name] for name in dict.fromkeys(types) if name in world.types),
        free=tuple(FreeName(stem=stem, number=number(stem)) for stem in stems),
    )


def needed_types(order: OrderInputs, tables: Tables) -> tuple[str, ...]:
    """Unit types without which a seen order cannot be carried out."""
    return tuple(dict.fromkeys((*(unit.type for unit in order.units), *_new_types(order, tables))))


def secrets_of(realm: Realm, world: World) -> Secrets:
    """What there is to find out about a realm (RL-ESP-9)."""
    return Secrets(
        realm=realm.name,
        happiness=realm.happiness,
        tax_rate=realm.tax_rate,
        population=sum(city.population for city in world.cities if city.owner == realm.name),
        leaders=tuple(it.name for it in world.leaders if it.employer == realm.name and it.status == EMPLOYED),
        treasury=realm.treasury,
        legions=sum(unit.owner == realm.name and world.types[unit.type].military for unit in world.units),
    )


def _turn(order: OrderInputs, world: World) -> OrderInputs:
    realm = order.realm
    assert realm is not None
    own = [it for it in world.leaders if it.employer == realm.name and it.status == EMPLOYED]
    units = tuple(it for it in world.units if it.owner == realm.name or is_offered(it, realm.name))
    theirs = [it for it in units if it.owner]
    return dataclasses.replace(
        order,
        rivals=_others(order, world),
        cities=tuple(it for it in world.cities if it.owner == realm.name),
        leaders=(*own, *(it for it in world.leaders if _offers_service(it, realm))),
        units=units,
        near=tuple(_near(it, world, realm.name, theirs) for it in own if it.kind != RULER),
        legends=tuple(it.name for it in world.leaders if _is_legend(it) and _is_available(it, realm)),
        heroes=tuple(it.name for it in world.leaders if _is_hero(it, realm) and _is_available(it, realm)),
    )


def _offers_service(leader: Leader, realm: Realm) -> bool:
    return leader.offer == SERVICE and leader.offered_to == realm.name


def _is_available(leader: Leader, realm: Realm) -> bool:
    """RL-OP-38; an offer that lapses when the turn begins keeps nobody away."""
    is_free = not leader.offer or _offers_service(leader, realm)
    return is_free and realm.name not in leader.former_rulers


def _is_legend(leader: Leader) -> bool:
    on_the_list = leader.status == LEGENDS_LIST and leader.kind != RULER
    return on_the_list or (leader.kind == LEGEND and leader.status in (AVAILABLE, FREELANCE))


def _is_hero(leader: Leader, realm: Realm) -> bool:
    return leader.kind == HERO and leader.nation == realm.nation and leader.status in (AVAILABLE, FREELANCE)


def _near(leader: Leader, world: World, own: str, units: Sequence[Unit]) -> Near:
    """RL-OP-24: the same Location text first, then by name; realms that are out of play are nowhere near."""
    here = world.present.get(leader.location, {})
    enemies = [it for it in world.playing if it != own]
    return Near(
        leader=leader.name,
        enemies=tuple(sorted(enemies, key=lambda realm: realm not in here)),
        commander=next((it for it in (*world.armed.get(leader.location, {}), *world.armed[""]) if it in enemies), ""),
        units=tuple(it.name for it in sorted(units, key=lambda it: not _together(leader, it))),
    )


def _together(leader: Leader, unit: Unit) -> bool:
    return bool(leader.location) and unit.location == leader.location


def _uprising(order: OrderInputs, world: World) -> OrderInputs:
    cities = [it for it in world.cities if it.owner == REBELS]
    loyal = [it for it in world.cities if it.owner != REBELS][:1]
    places = {city.name for city in cities} | {it.location for it in world.units if it.owner == REBELS}
    units = [it for it in world.units if it.owner == REBELS or (it.owner and it.location in places)]
    return dataclasses.replace(order, cities=(*cities, *loyal), units=tuple(units))


def _of_target(order: OrderInputs, world: World) -> OrderInputs:
    """The leader in question alone."""
    return dataclasses.replace(order, leaders=_named(world.leaders, order.target))


def _of_mercenary(order: OrderInputs, world: World) -> OrderInputs:
    return dataclasses.replace(order, units=_named(world.units, order.target), cities=_cities(order.realm, world))


def _of_informer(order: OrderInputs, world: World) -> OrderInputs:
    """The leader in question and what he knows of his realm."""
    known = None if order.target_realm is None else secrets_of(order.target_realm, world)
    return dataclasses.replace(_of_target(order, world), secrets=known)


def _of_execution(order: OrderInputs, world: World) -> OrderInputs:
    own = tuple(it for it in world.leaders if _serves(it, order.realm) and it.name != order.target)
    return dataclasses.replace(order, leaders=(*_named(world.leaders, order.target), *own))


def _of_bribes(order: OrderInputs, world: World) -> OrderInputs:
    return dataclasses.replace(order, leaders=tuple(it for it in world.leaders if _serves(it, order.target_realm)))


def _of_scouts(order: OrderInputs, world: World) -> OrderInputs:
    units = (it for it in world.units if it.location == order.target and it.owner)
    return dataclasses.replace(order, found=tuple(f"{it.name} ({it.type})" for it in units))


def _of_explorers(order: OrderInputs, world: World) -> OrderInputs:
    return dataclasses.replace(order, found=tuple(city.name for city in _cities(order.target_realm, world)))


def _of_spies(order: OrderInputs, world: World) -> OrderInputs:
    known = None if order.target_realm is None else secrets_of(order.target_realm, world)
    return dataclasses.replace(order, secrets=known)


def _of_framers(order: OrderInputs, world: World) -> OrderInputs:
    return dataclasses.replace(order, rivals=_others(order, world))


def _of_award(order: OrderInputs, world: World) -> OrderInputs:
    return dataclasses.replace(
        order, leaders=_named(world.leaders, order.target), units=_named(world.units, order.target)
    )


def _nothing(order: OrderInputs, world: World) -> OrderInputs:
    return order


SIGHT: Mapping[str, Callable[[OrderInputs, World], OrderInputs]] = {
    orders.PROCESS_TURN: _turn,
    orders.PROCESS_REBELS: _uprising,
    orders.HIRE_LEADER: _of_target,
    orders.HIRE_MERCENARY: _of_mercenary,
    orders.ACCEPT_OFFER: _of_informer,
    orders.INTERROGATE: _of_informer,
    orders.RELEASE: _of_target,
    orders.ENTICE: _of_target,
    orders.GAMES: _of_target,
    orders.EXECUTE: _of_execution,
    orders.ASSASSINATE: _of_framers,
    orders.SABOTAGE: _of_framers,
    orders.BRIBE: _of_bribes,
    orders.SCOUT: _of_scouts,
    orders.LOCATE: _of_explorers,
    orders.WATCH: _of_target,
    orders.SECRETS: _of_spies,
    orders.AWARD: _of_award,
}


def _others(order: OrderInputs, world: World) -> tuple[str, ...]:
    named = {it.name for it in (order.realm, order.target_realm) if it is not None}
    return tuple(realm for realm in world.playing if realm not in named)


def _serves(leader: Leader, realm: Realm | None) -> bool:
    return realm is not None and leader.employer == realm.name and leader.status == EMPLOYED and leader.is_sworn


def _cities(realm: Realm | None, world: World) -> tuple[City, ...]:
    return tuple(city for city in world.cities if realm is not None and city.owner == realm.name)


def _named(records: Iterable[NamedRecord], name: str) -> tuple[NamedRecord, ...]:
    return tuple(it for it in records if it.name == name)


def _new_types(order: OrderInputs, tables: Tables) -> tuple[str, ...]:
    """Types of units that the order may raise."""
    if order.order == orders.PROCESS_TURN and order.nation is not None:
        return order.nation.mercenaries
    if order.order == orders.PROCESS_REBELS:
        return tuple(risen_type(city, tables) for city in order.cities if city.owner == REBELS)
    return ()


def _stems(order: OrderInputs, tables: Tables) -> list[str]:
    if order.order == orders.PROCESS_TURN and order.nation is not None and order.realm is not None:
        return [mercenary_stem(type, order.realm.name) for type in order.nation.mercenaries]
    if order.order == orders.PROCESS_REBELS:
        return [rebel_stem(city, tables) for city in order.cities if city.owner == REBELS]
    return []
