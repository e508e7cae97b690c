"""Selection of the database records that an order needs, so that a ruling stores no others."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, TypeVar

from engine.columns import loosely
from engine.realm.setup import inputs as orders
from engine.realm.setup.distance import Distances, Tiers
from engine.realm.setup.inputs import FreeName, OrderInputs, Surroundings, TargetFacts
from engine.realm.setup.records import (
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
    Realm,
    RealmLeader,
    RealmPlace,
    RealmUnit,
    RealmUnitType,
)
from engine.realm.setup.tables import RealmTables
from engine.realm.turn.arrivals import is_offered, mercenary_stem
from engine.realm.turn.rebels import rebel_stem, risen_type

NamedRecord = TypeVar("NamedRecord", RealmLeader, RealmUnit)

Numbering = Callable[[str], int]
"""Function from the stem of a unit's name to its first free number."""

Presence = tuple[str, str]
"""A realm and a place of its presence."""


class World:
    """Database before an order, by name; each tab is read on first use.

    Args:
        read: The function that returns all records of a tab.
    """

    def __init__(self, read: Callable[[type[Any]], Sequence[Any]]) -> None:
        self._read = read

    @cached_property
    def realms(self) -> Sequence[Realm]:
        """Return the Realms tab."""
        return self._read(Realm)

    @cached_property
    def cities(self) -> Sequence[City]:
        """Return the Realm Cities tab."""
        return self._read(City)

    @cached_property
    def leaders(self) -> Sequence[RealmLeader]:
        """Return the Realm Leaders tab."""
        return self._read(RealmLeader)

    @cached_property
    def units(self) -> Sequence[RealmUnit]:
        """Return the Realm Units tab."""
        return self._read(RealmUnit)

    @cached_property
    def types(self) -> Mapping[str, RealmUnitType]:
        """Return the Realm Unit Types tab, by name."""
        return {unit_type.name: unit_type for unit_type in self._read(RealmUnitType)}

    @cached_property
    def places(self) -> tuple[RealmPlace, ...]:
        """Return the Realm Places tab."""
        return tuple(self._read(RealmPlace))

    @cached_property
    def distances(self) -> Distances:
        """Return the distances between the places."""
        return Distances(self.places)

    @cached_property
    def playing(self) -> tuple[str, ...]:
        """Return the realms in play."""
        return tuple(realm.name for realm in self.realms if realm.in_play)

    @cached_property
    def armed(self) -> Sequence[Presence]:
        """Return the owners of units with the places of the units."""
        return tuple(dict.fromkeys((unit.owner, unit.location) for unit in self.units))

    @cached_property
    def present(self) -> Sequence[Presence]:
        """Return all realms with the places of their units, leaders and cities, and with no place at all."""
        leaders = ((leader.employer, leader.location) for leader in self.leaders if leader.status == EMPLOYED)
        cities = ((city.owner, city.name) for city in self.cities)
        return tuple(dict.fromkeys((*((realm, "") for realm in self.playing), *self.armed, *leaders, *cities)))


def select_records(order: OrderInputs, world: World, tables: RealmTables, number: Numbering) -> OrderInputs:
    """Return an order with the records that it needs.

    Args:
        order: The order, with its row's own cells and the realms it names.
    """
    selected = SELECTORS.get(order.order, _select_nothing)(order, world)
    may_rise = selected.cities if selected.has_rebels else ()
    risen = (risen_type(city, tables) for city in may_rise)
    types = [*(unit.type for unit in selected.units), *_new_types(selected, tables), *risen]
    stems = dict.fromkeys(_stems(selected, tables))
    return dataclasses.replace(
        selected,
        types=tuple(world.types[name] for name in dict.fromkeys(types) if name in world.types),
        free=tuple(FreeName(stem=stem, number=number(stem)) for stem in stems),
    )


def needed_types(order: OrderInputs, tables: RealmTables) -> tuple[str, ...]:
    """Return the unit types that an order with its records needs."""
    return tuple(dict.fromkeys((*(unit.type for unit in order.units), *_new_types(order, tables))))


def secrets_of(realm: Realm, world: World) -> TargetFacts:
    """Return the discoverable facts about a realm (RL-ESP-9)."""
    return TargetFacts(
        realm=realm.name,
        happiness=realm.happiness,
        tax_rate=realm.tax_rate,
        population=sum(city.population for city in world.cities if city.owner == realm.name),
        leaders=tuple(
            leader.name for leader in world.leaders if leader.employer == realm.name and leader.status == EMPLOYED
        ),
        treasury=realm.treasury,
        legions=sum(unit.owner == realm.name and world.types[unit.type].military for unit in world.units),
    )


def _select_for_turn(order: OrderInputs, world: World) -> OrderInputs:
    realm = order.realm
    assert realm is not None
    own_leaders = [leader for leader in world.leaders if leader.employer == realm.name and leader.status == EMPLOYED]
    units = tuple(unit for unit in world.units if unit.owner == realm.name or is_offered(unit, realm.name))
    own_units = [unit for unit in units if unit.owner]
    return dataclasses.replace(
        order,
        rivals=_others(order, world),
        cities=tuple(city for city in world.cities if city.owner == realm.name),
        leaders=(*own_leaders, *(leader for leader in world.leaders if _offers_service(leader, realm))),
        units=units,
        near=tuple(_near(leader, world, realm.name, own_units) for leader in own_leaders if leader.kind != RULER),
        legends=tuple(leader.name for leader in world.leaders if _is_legend(leader) and _is_available(leader, realm)),
        heroes=tuple(
            leader.name for leader in world.leaders if _is_hero(leader, realm) and _is_available(leader, realm)
        ),
    )


def _select_everything(order: OrderInputs, world: World) -> OrderInputs:
    """Select all records, as each realm's turn depends on the turns before it."""
    return dataclasses.replace(
        order,
        realms=tuple(realm for realm in world.realms if realm.in_play),
        cities=tuple(world.cities),
        leaders=tuple(world.leaders),
        units=tuple(world.units),
        places=world.places,
    )


def _offers_service(leader: RealmLeader, realm: Realm) -> bool:
    return leader.offer == SERVICE and leader.offered_to == realm.name


def _is_available(leader: RealmLeader, realm: Realm) -> bool:
    """Return True if a leader can be drawn; an offer that lapses when the turn begins does not matter (RL-OP-38)."""
    is_free = not leader.offer or _offers_service(leader, realm)
    return is_free and realm.name not in leader.former_rulers


def _is_legend(leader: RealmLeader) -> bool:
    on_the_list = leader.status == LEGENDS_LIST and leader.kind != RULER
    return on_the_list or (leader.kind == LEGEND and leader.status in (AVAILABLE, FREELANCE))


def _is_hero(leader: RealmLeader, realm: Realm) -> bool:
    return leader.kind == HERO and leader.nation == realm.nation and leader.status in (AVAILABLE, FREELANCE)


def _near(leader: RealmLeader, world: World, realm_name: str, units: Sequence[RealmUnit]) -> Surroundings:
    """Return a leader's surroundings; only realms in play are enemies (RL-OP-24)."""

    def nearest(presences: Iterable[Presence]) -> Tiers:
        enemies = [presence for presence in presences if presence[0] != realm_name and presence[0] in world.playing]
        return world.distances.tiers(leader.location, enemies, itemgetter(0), itemgetter(1))

    own_units = world.distances.tiers(leader.location, units, lambda unit: unit.name, lambda unit: unit.location)
    return Surroundings(
        leader=leader.name, enemies=nearest(world.present), commanders=nearest(world.armed), units=own_units
    )


def _select_for_rebels(order: OrderInputs, world: World) -> OrderInputs:
    cities = [city for city in world.cities if city.owner == REBELS]
    places = {city.name for city in cities} | {unit.location for unit in world.units if unit.owner == REBELS}
    units = [unit for unit in world.units if unit.owner == REBELS or (unit.owner and unit.location in places)]
    return dataclasses.replace(order, cities=tuple(world.cities), units=tuple(units), places=world.places)


def _select_target(order: OrderInputs, world: World) -> OrderInputs:
    """Select the target leader."""
    return dataclasses.replace(order, leaders=_named(world.leaders, order.target))


def _select_for_mercenary(order: OrderInputs, world: World) -> OrderInputs:
    units, cities = _named(world.units, order.target), _cities(order.realm, world)
    return dataclasses.replace(order, units=units, cities=cities, places=world.places)


def _select_for_informer(order: OrderInputs, world: World) -> OrderInputs:
    """Select the target leader and the facts about the leader's realm."""
    return _select_for_spies(_select_target(order, world), world)


def _select_for_execution(order: OrderInputs, world: World) -> OrderInputs:
    others = tuple(leader for leader in world.leaders if _serves(leader, order.realm) and leader.name != order.target)
    return dataclasses.replace(order, leaders=(*_named(world.leaders, order.target), *others))


def _select_for_bribes(order: OrderInputs, world: World) -> OrderInputs:
    return dataclasses.replace(
        order, leaders=tuple(leader for leader in world.leaders if _serves(leader, order.target_realm))
    )


def _select_for_scouts(order: OrderInputs, world: World) -> OrderInputs:
    units = (unit for unit in world.units if unit.location == order.target and unit.owner)
    return dataclasses.replace(order, found=tuple(f"{unit.name} ({unit.type})" for unit in units))


def _select_for_explorers(order: OrderInputs, world: World) -> OrderInputs:
    return dataclasses.replace(order, found=tuple(city.name for city in _cities(order.target_realm, world)))


def _select_for_spies(order: OrderInputs, world: World) -> OrderInputs:
    known = None if order.target_realm is None else secrets_of(order.target_realm, world)
    return dataclasses.replace(order, secrets=known)


def _select_for_blame(order: OrderInputs, world: World) -> OrderInputs:
    return dataclasses.replace(order, rivals=_others(order, world))


def _select_for_award(order: OrderInputs, world: World) -> OrderInputs:
    return dataclasses.replace(
        order, leaders=_named(world.leaders, order.target), units=_named(world.units, order.target)
    )


def _select_for_battle(order: OrderInputs, world: World) -> OrderInputs:
    sides, place = {realm.name for realm in (order.realm, order.target_realm) if realm}, loosely(order.target)
    return dataclasses.replace(
        order,
        units=tuple(unit for unit in world.units if unit.owner in sides and loosely(unit.location) == place),
        leaders=tuple(
            leader
            for leader in world.leaders
            if leader.employer in sides and leader.status == EMPLOYED and loosely(leader.location) == place
        ),
    )


def _select_city(order: OrderInputs, world: World) -> OrderInputs:
    return dataclasses.replace(order, cities=tuple(city for city in world.cities if city.name == order.target))


def _select_nothing(order: OrderInputs, world: World) -> OrderInputs:
    return order


SELECTORS: Mapping[str, Callable[[OrderInputs, World], OrderInputs]] = {
    orders.PROCESS_TURN: _select_for_turn,
    orders.PROCESS_ALL: _select_everything,
    orders.PROCESS_REBELS: _select_for_rebels,
    orders.HIRE_LEADER: _select_target,
    orders.HIRE_MERCENARY: _select_for_mercenary,
    orders.ACCEPT_OFFER: _select_for_informer,
    orders.INTERROGATE: _select_for_informer,
    orders.RELEASE: _select_target,
    orders.ENTICE: _select_target,
    orders.GAMES: _select_target,
    orders.EXECUTE: _select_for_execution,
    orders.ASSASSINATE: _select_for_blame,
    orders.SABOTAGE: _select_for_blame,
    orders.BRIBE: _select_for_bribes,
    orders.SCOUT: _select_for_scouts,
    orders.LOCATE: _select_for_explorers,
    orders.WATCH: _select_target,
    orders.SECRETS: _select_for_spies,
    orders.AWARD: _select_for_award,
    **dict.fromkeys(orders.BATTLES, _select_for_battle),
    orders.CAPTURE: _select_city,
}


def _others(order: OrderInputs, world: World) -> tuple[str, ...]:
    excluded = {realm.name for realm in (order.realm, order.target_realm) if realm is not None}
    return tuple(realm for realm in world.playing if realm not in excluded)


def _serves(leader: RealmLeader, realm: Realm | None) -> bool:
    return realm is not None and leader.employer == realm.name and leader.status == EMPLOYED and leader.is_sworn


def _cities(realm: Realm | None, world: World) -> tuple[City, ...]:
    return tuple(city for city in world.cities if realm is not None and city.owner == realm.name)


def _named(records: Iterable[NamedRecord], name: str) -> tuple[NamedRecord, ...]:
    return tuple(record for record in records if record.name == name)


def _new_types(order: OrderInputs, tables: RealmTables) -> tuple[str, ...]:
    """Return the types of units that the order may raise."""
    if order.order == orders.PROCESS_TURN and order.nation is not None:
        return order.nation.mercenaries
    if order.order == orders.PROCESS_ALL:
        return tuple(type for nation in order.nations for type in nation.mercenaries)
    if order.order == orders.PROCESS_REBELS:
        return tuple(risen_type(city, tables) for city in order.cities if city.owner == REBELS)
    return ()


def _stems(order: OrderInputs, tables: RealmTables) -> list[str]:
    if order.order == orders.PROCESS_TURN and order.nation is not None and order.realm is not None:
        return [mercenary_stem(type, order.realm.name) for type in order.nation.mercenaries]
    if order.order == orders.PROCESS_ALL:
        mercenaries = {nation.name: nation.mercenaries for nation in order.nations}
        stems = [mercenary_stem(type, realm.name) for realm in order.realms for type in mercenaries[realm.nation]]
        return [*stems, *(rebel_stem(city, tables) for city in order.cities if order.has_rebels)]
    if order.order == orders.PROCESS_REBELS:
        return [rebel_stem(city, tables) for city in order.cities if city.owner == REBELS]
    return []
