"""Process rebels: what rebel cities raise, and what rebels do next (RL-REB-03 ... RL-REB-06)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.exact import printed
from engine.outcome import Plain
from engine.realm import formulas
from engine.realm.course import Course
from engine.realm.records import REBELS, City, Unit, UnitType
from engine.realm.tables import Tables


@dataclass(frozen=True, slots=True)
class Uprising:
    """A turn of the rebels.

    Args:
        raised: City and the name of what rose in it.
        moves: Rebel unit and what it does by the first priority that applies, with the threats compared.
    """

    raised: tuple[tuple[str, str], ...]
    moves: tuple[tuple[str, str], ...]


def uprising(course: Course) -> Uprising:
    """One army for each rebel city, then a suggestion for each rebel unit; nobody is moved: there are no positions."""
    cities = [city for city in map(course.now, course.inputs.cities) if city.owner == REBELS]
    raised = [_raise(course, city) for city in cities]
    units = [course.now(unit) for unit in course.inputs.units if unit.owner == REBELS and not unit.fate]
    view = _View(course, tuple(cities))
    moves = [(unit.name, view.move(unit)) for unit in (*units, *raised)]
    for name, move in moves:
        course.note("move", "RL-REB-05", f"{name}: {move}")
    named = zip(cities, raised, strict=True)
    return Uprising(tuple((city.name, unit.name) for city, unit in named), tuple(moves))


def risen_type(city: City, tables: Tables) -> str:
    """RL-REB-03, RL-REB-04: by the city's size, a capital's as a city's (RL-OP-29); ships instead (RL-OP-36)."""
    if city.coastal and city.fully_garrisoned:
        return tables.pirates
    return tables.rebels[city.size]


def rebel_stem(city: City, tables: Tables) -> str:
    """How what rises in a city is called, without its number."""
    return f"{risen_type(city, tables)} {city.name}"


def _raise(course: Course, city: City) -> Unit:
    type = course.types[risen_type(city, course.tables)]
    unit = Unit(
        name="",
        owner=REBELS,
        type=type.name,
        health=type.max_health,
        max_health=type.max_health,
        location=city.name,
    )
    values: dict[str, Plain] = {
        "Owner": "Rebels",
        "Type": unit.type,
        "Experience": 0,
        "Health": unit.health,
        "Max health": unit.max_health,
        "Location": unit.location,
    }
    name = course.new_unit(rebel_stem(city, course.tables), values)
    id = "RL-REB-04" if type.name == course.tables.pirates else "RL-REB-03"
    course.note("uprising", id, f"{city.name}: {name} rises")
    return dataclasses.replace(unit, name=name)


@dataclass(frozen=True)
class _View:
    """What a rebel unit sees."""

    course: Course
    cities: Sequence[City]
    """Of the rebels."""

    def move(self, unit: Unit) -> str:
        """RL-REB-05: the first priority that applies; what stands in the same place is nearest (RL-OP-24)."""
        return next(self._moves(unit))

    def _moves(self, unit: Unit) -> Iterator[str]:
        own = self._threat(unit)
        loyal = [it for it in map(self.course.now, self.course.inputs.units) if it.owner not in ("", REBELS)]
        held = {city.name for city in self.cities}
        inside = sorted((it for it in loyal if it.location in held), key=lambda it: it.location != unit.location)
        for enemy in inside[:1]:
            yield f"1 attack {enemy.name} in {enemy.location} (threat {self._compared(own, enemy)})"
        room = sorted((it for it in self.cities if not it.fully_garrisoned), key=lambda it: it.name != unit.location)
        for city in room[:1]:
            yield f"2 occupy {city.name} (threat {own})"
        for city in (it for it in self.course.inputs.cities if it.owner != REBELS):
            yield f"3 attack {city.name} of {city.owner} (threat {own})"
        here = [it for it in loyal if it.location and it.location == unit.location]
        weaker = [it for it in here if self._of(it) < self._of(unit)]
        stronger = [it for it in here if self._of(it) > self._of(unit)]
        for enemy in weaker[:1]:
            yield f"4 attack {enemy.name} (threat {self._compared(own, enemy)})"
        for enemy in stronger[:1]:
            yield f"5 flee from {enemy.name} (threat {self._compared(own, enemy)})"
        yield f"6 move at random (threat {own})"

    def _of(self, unit: Unit) -> Fraction:
        return threat(unit, self.course.type_of(unit), self.course.tables)

    def _threat(self, unit: Unit) -> str:
        return printed(self._of(unit))

    def _compared(self, own: str, enemy: Unit) -> str:
        return f"{own} against {self._threat(enemy)}"


def threat(unit: Unit, type: UnitType, tables: Tables) -> Fraction:
    """RL-REB-06 of a unit; blank health is full."""
    most = max(1, type.max_health if unit.max_health is None else unit.max_health)
    health = most if unit.health is None else unit.health
    modifier = tables.army_level(unit.experience).modifier
    return formulas.threat(type.attack, modifier, health, most, tables.constants)
