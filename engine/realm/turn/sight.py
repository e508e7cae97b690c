"""Selection of the database records that an order needs, so that a ruling stores no others."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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

NamedRecord = TypeVar("NamedRecord", RealmLeader, RealmUnit, City)

Numbering = Callable[[str], int]
"""Function from the stem of a unit's name to its first free number."""

Presence = tuple[str, str]
"""A realm and a place of its presence."""


def _tab(record: type[Any]) -> Any:
    """Return a property of `World` with the records of a tab."""
    return cached_property(lambda world: world.read(record))


class World:
    """Database before an order, by name; each tab is read on first use.

    Args:
        read: The function that returns all records of a tab.
    """

    def __init__(self, read: Callable[[type[Any]], Sequence[Any]]) -> None:
        self.read = read

    realms: Sequence[Realm] = _tab(Realm)
    cities: Sequence[City] = _tab(City)
    leaders: Sequence[RealmLeader] = _tab(RealmLeader)
    units: Sequence[RealmUnit] = _tab(RealmUnit)

    @cached_property
    def types(self) -> Mapping[str, RealmUnitType]:
        """Return the Realm Unit Types tab, by name."""
        return {unit_type.name: unit_type for unit_type in self.read(RealmUnitType)}

    @cached_property
    def places(self) -> tuple[RealmPlace, ...]:
        """Return the Realm Places tab."""
        return tuple(self.read(RealmPlace))

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
    """Return an order, which has its row's own cells and the realms it names, with the records that it needs."""
    selector = SELECTORS.get(order.order)
    selected = dataclasses.replace(order, **selector(order, world)) if selector else order
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


Selected = Mapping[str, Any]
"""Records by attribute of the inputs."""


def _select_for_turn(order: OrderInputs, world: World) -> Selected:
    realm = order.realm
    assert realm is not None
    own_leaders = [leader for leader in world.leaders if leader.employer == realm.name and leader.status == EMPLOYED]
    units = tuple(unit for unit in world.units if unit.owner == realm.name or is_offered(unit, realm.name))
    own_units = [unit for unit in units if unit.owner]
    available = [leader for leader in world.leaders if _is_available(leader, realm)]
    return {
        "rivals": _others(order, world),
        "cities": _cities(realm, world),
        "leaders": (*own_leaders, *(leader for leader in world.leaders if _offers_service(leader, realm))),
        "units": units,
        "near": tuple(_near(leader, world, realm.name, own_units) for leader in own_leaders if leader.kind != RULER),
        "legends": tuple(leader.name for leader in available if _is_legend(leader)),
        "heroes": tuple(leader.name for leader in available if _is_hero(leader, realm)),
    }


def _select_everything(order: OrderInputs, world: World) -> Selected:
    """Select all records, as each realm's turn depends on the turns before it."""
    realms = tuple(realm for realm in world.realms if realm.in_play)
    records = {"cities": world.cities, "leaders": world.leaders, "units": world.units, "places": world.places}
    return {"realms": realms, **{name: tuple(rows) for name, rows in records.items()}}


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


def _select_for_rebels(order: OrderInputs, world: World) -> Selected:
    cities = [city for city in world.cities if city.owner == REBELS]
    places = {city.name for city in cities} | {unit.location for unit in world.units if unit.owner == REBELS}
    units = [unit for unit in world.units if unit.owner == REBELS or (unit.owner and unit.location in places)]
    return {"cities": tuple(world.cities), "units": tuple(units), "places": world.places}


def _select_target(order: OrderInputs, world: World) -> Selected:
    return {"leaders": _named(world.leaders, order.target)}


def _select_secrets(order: OrderInputs, world: World) -> Selected:
    return {"secrets": None if order.target_realm is None else secrets_of(order.target_realm, world)}


def _select_for_mercenary(order: OrderInputs, world: World) -> Selected:
    units, cities = _named(world.units, order.target), _cities(order.realm, world)
    return {"units": units, "cities": cities, "places": world.places}


def _select_for_execution(order: OrderInputs, world: World) -> Selected:
    others = (leader for leader in _servants(order.realm, world) if leader.name != order.target)
    return {"leaders": (*_named(world.leaders, order.target), *others)}


def _select_for_scouts(order: OrderInputs, world: World) -> Selected:
    units = (unit for unit in world.units if unit.location == order.target and unit.owner)
    return {"found": tuple(f"{unit.name} ({unit.type})" for unit in units)}


def _select_for_battle(order: OrderInputs, world: World) -> Selected:
    sides, place = {realm.name for realm in (order.realm, order.target_realm) if realm}, loosely(order.target)
    units = (unit for unit in world.units if unit.owner in sides and loosely(unit.location) == place)
    leaders = (leader for leader in world.leaders if leader.employer in sides and leader.status == EMPLOYED)
    return {
        "units": tuple(units),
        "leaders": tuple(leader for leader in leaders if loosely(leader.location) == place),
    }


SELECTORS: Mapping[str, Callable[[OrderInputs, World], Selected]] = {
    orders.PROCESS_TURN: _select_for_turn,
    orders.PROCESS_ALL: _select_everything,
    orders.PROCESS_REBELS: _select_for_rebels,
    **dict.fromkeys((orders.HIRE_LEADER, orders.RELEASE, orders.ENTICE, orders.GAMES, orders.WATCH), _select_target),
    orders.HIRE_MERCENARY: _select_for_mercenary,
    **dict.fromkeys(
        (orders.ACCEPT_OFFER, orders.INTERROGATE),
        lambda order, world: {**_select_target(order, world), **_select_secrets(order, world)},
    ),
    orders.EXECUTE: _select_for_execution,
    **dict.fromkeys((orders.ASSASSINATE, orders.SABOTAGE), lambda order, world: {"rivals": _others(order, world)}),
    orders.BRIBE: lambda order, world: {"leaders": tuple(_servants(order.target_realm, world))},
    orders.SCOUT: _select_for_scouts,
    orders.LOCATE: lambda order, world: {"found": tuple(city.name for city in _cities(order.target_realm, world))},
    orders.SECRETS: _select_secrets,
    orders.AWARD: lambda order, world: {
        **_select_target(order, world),
        "units": _named(world.units, order.target),
    },
    **dict.fromkeys(orders.BATTLES, _select_for_battle),
    orders.CAPTURE: lambda order, world: {"cities": _named(world.cities, order.target)},
}
"""Functions that select the records of an order, by its name."""


def _others(order: OrderInputs, world: World) -> tuple[str, ...]:
    excluded = {realm.name for realm in (order.realm, order.target_realm) if realm is not None}
    return tuple(realm for realm in world.playing if realm not in excluded)


def _servants(realm: Realm | None, world: World) -> Iterator[RealmLeader]:
    """Yield the heroes and legends whom a realm employs."""
    for leader in world.leaders:
        if realm is not None and leader.employer == realm.name and leader.status == EMPLOYED and leader.is_sworn:
            yield leader


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
