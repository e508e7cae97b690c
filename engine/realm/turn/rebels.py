"""The order Process rebels: uprisings in rebel cities and the rebels' next moves (RL-REB-03 ... RL-REB-06).

Rebels neither heal nor learn (RL-OP-49).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.exact import printed
from engine.realm.setup import formulas
from engine.realm.setup.distance import Distances
from engine.realm.setup.records import REBELS, City, RealmUnit, RealmUnitType
from engine.realm.setup.tables import RealmTables
from engine.realm.turn.course import Course
from engine.ruleset import Plain


@dataclass(frozen=True, slots=True)
class Uprising:
    """Result of a turn of the rebels."""

    raised: tuple[tuple[str, str], ...]  # Pairs of a city and the name of its rising unit
    # Pairs of a rebel unit and its move by the first applicable priority, with the threats compared.
    moves: tuple[tuple[str, str], ...]


def uprising(course: Course) -> Uprising:
    """Raise one army in each rebel city and suggest a move for each rebel unit, as there are no positions."""
    held = [city for city in map(course.now, course.inputs.cities) if city.owner == REBELS]
    cities = [city for city in held if risen_type(city, course.tables) in course.types]
    raised = [_raise(course, city) for city in cities]
    units = [course.now(unit) for unit in course.inputs.units if unit.owner == REBELS and not unit.fate]
    view = _Surroundings(course, tuple(held), Distances(course.inputs.places))
    moves = [(unit.name, view.move(unit)) for unit in (*units, *raised)]
    for name, move in moves:
        course.note("move", "RL-REB-05", f"{name}: {move}")
    raised_in = zip(cities, raised, strict=True)
    return Uprising(tuple((city.name, unit.name) for city, unit in raised_in), tuple(moves))


def risen_type(city: City, tables: RealmTables) -> str:
    """Return the type of an uprising by the city's size, or ships (RL-REB-03, RL-REB-04, RL-OP-29, RL-OP-36)."""
    if city.coastal and city.fully_garrisoned:
        return tables.pirates
    return tables.rebels[city.size]


def has_risen(units: Iterable[RealmUnit], turn: int, tables: RealmTables) -> bool:
    """Return True if a unit of rebels has risen in a turn."""
    types = (tables.pirates, *tables.rebels.values())
    rebels = (unit for unit in units if unit.type in types and unit.owner in ("", REBELS))
    return is_over([unit.last_turn for unit in rebels if unit.last_turn is not None], turn)


def is_over(risen: Sequence[int], turn: int) -> bool:
    """Return True if the rebels have had a turn, by the turns in which their units rose (RL-OP-56)."""
    return turn in risen


def rebel_stem(city: City, tables: RealmTables) -> str:
    """Return the name of a city's rebel unit without its number."""
    return f"{risen_type(city, tables)} {city.name}"


def _raise(course: Course, city: City) -> RealmUnit:
    type = course.types[risen_type(city, course.tables)]
    unit = RealmUnit(
        name="", owner=REBELS, type=type.name, health=type.max_health, max_health=type.max_health, location=city.name
    )
    values: dict[str, Plain] = {
        "Owner": "Rebels",
        "Type": unit.type,
        "Experience": 0,
        "Health": unit.health,
        "Max health": unit.max_health,
        "Location": unit.location,
        "Last turn": course.inputs.turn,
    }
    name = course.new_unit(rebel_stem(city, course.tables), values)
    id = "RL-REB-04" if type.name == course.tables.pirates else "RL-REB-03"
    course.note("uprising", id, f"{city.name}: {name} rises")
    return dataclasses.replace(unit, name=name)


@dataclass(frozen=True)
class _Surroundings:
    """Surroundings of the rebel units."""

    course: Course
    cities: Sequence[City]
    """The cities held by rebels."""
    distances: Distances

    def move(self, unit: RealmUnit) -> str:
        """Return the first priority that applies, to the nearest (RL-REB-05, RL-OP-24), ships on coasts (RL-OP-54)."""
        return next(self._moves(unit))

    def _nearest_unit(self, unit: RealmUnit, others: Sequence[RealmUnit], what: str) -> Iterator[tuple[RealmUnit, str]]:
        tiers = self.distances.tiers(unit.location, others, lambda other: other.name, lambda other: other.location)
        if tiers:
            name, drawn = self.course.dice.nearest(tiers, "RL-OP-24", what, unit.name)
            yield self.course.unit(name), drawn

    def _nearest_city(self, unit: RealmUnit, cities: Sequence[City], what: str) -> Iterator[tuple[City, str]]:
        tiers = self.distances.tiers(unit.location, cities, lambda city: city.name, lambda city: city.name)
        if tiers:
            name, drawn = self.course.dice.nearest(tiers, "RL-OP-24", what, unit.name)
            yield self.course.city(name), drawn

    def _moves(self, unit: RealmUnit) -> Iterator[str]:
        own = self._threat_text(unit)
        loyal = [other for other in map(self.course.now, self.course.inputs.units) if other.owner not in ("", REBELS)]
        is_ship = self.course.type_of(unit).ship
        held = {city.name for city in self.cities if city.coastal or not is_ship}
        intruders = [enemy for enemy in loyal if enemy.location in held]
        for enemy, drawn in self._nearest_unit(unit, intruders, "attacks"):
            yield f"attack {enemy.name} in {enemy.location}{drawn} (priority 1, threat {self._compare(own, enemy)})"
        open_cities = [city for city in self.cities if city.name in held and not city.fully_garrisoned]
        for city, drawn in self._nearest_city(unit, open_cities, "occupies"):
            yield f"occupy {city.name}{drawn} (priority 2, threat {own})"
        loyalist = [city for city in self.course.inputs.cities if city.owner != REBELS]
        reached = [city for city in loyalist if city.coastal or not is_ship]
        for city, drawn in self._nearest_city(unit, reached, "attacks"):
            yield f"attack {city.name} of {city.owner}{drawn} (priority 3, threat {own})"
        neighbours = [enemy for enemy in loyal if enemy.location and enemy.location == unit.location]
        weaker = [enemy for enemy in neighbours if self._threat_of(enemy) < self._threat_of(unit)]
        stronger = [enemy for enemy in neighbours if self._threat_of(enemy) > self._threat_of(unit)]
        for enemy, drawn in self._nearest_unit(unit, weaker, "attacks"):
            yield f"attack {enemy.name}{drawn} (priority 4, threat {self._compare(own, enemy)})"
        for enemy, drawn in self._nearest_unit(unit, stronger, "flees from"):
            yield f"flee from {enemy.name}{drawn} (priority 5, threat {self._compare(own, enemy)})"
        yield f"move at random (priority 6, threat {own})"

    def _threat_of(self, unit: RealmUnit) -> Fraction:
        return threat(unit, self.course.type_of(unit), self.course.tables)

    def _threat_text(self, unit: RealmUnit) -> str:
        return printed(self._threat_of(unit))

    def _compare(self, own: str, enemy: RealmUnit) -> str:
        return f"{own} against {self._threat_text(enemy)}"


def threat(unit: RealmUnit, type: RealmUnitType, tables: RealmTables) -> Fraction:
    """Return a unit's threat; blank health counts as full (RL-REB-06)."""
    most = max(1, type.max_health if unit.max_health is None else unit.max_health)
    health = most if unit.health is None else unit.health
    modifier = tables.army_level(unit.experience).modifier
    return formulas.threat(type.attack, modifier, health, most, tables.constants)
