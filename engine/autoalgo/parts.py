"""The parts of the tables that need more than a number: each a record with its reader.

What is wrong within one file is named here with file and place; what must hold between files stands in `tables.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.autoalgo.dates import Phase
from engine.autoalgo.records import Location
from engine.autoalgo.values import read_numbers
from engine.entry import Entry
from engine.fields import ValueList
from engine.terrain import Feature

ENDS = ("routed", "retreating")
"""What can end a battle (R-29)."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """Set-up and clock of a battle (`strategy.json`).

    Args:
        map_pixels: Side of a map (MAP-01).
        km_per_pixel: Scale (MAP-06).
        default_flanks: Names of the default flanks (STRAT-01).
        positions: Places of the default flanks in pixels, attacker's and defender's.
        new_flank: Place of a flank beyond them, attacker's and defender's.
        flanks_most: On one side (STRAT-01).
        size_tolerance_men: STRAT-06.
        ship_tolerance: STRAT-07.
        hours_per_day: Of battle.
        hours_most: When the attack is abandoned (R-13).
        ends_when: `routed` or `retreating` (R-29).
        fortune_side: Doublings that a side's fortune of the day may differ from 1 (R-28).
        fortune_flank: Likewise, a flank's.
        fortune_panic: Likewise, that of the men whom a side shakes.
    """

    map_pixels: int
    km_per_pixel: float
    default_flanks: tuple[str, ...]
    positions: tuple[tuple[tuple[float, float], ...], tuple[tuple[float, float], ...]]
    new_flank: tuple[tuple[float, float], tuple[float, float]]
    flanks_most: int
    size_tolerance_men: int
    ship_tolerance: int
    hours_per_day: int
    hours_most: int
    ends_when: str
    fortune_side: float
    fortune_flank: float
    fortune_panic: float

    @classmethod
    def read(cls, file: Entry) -> Strategy:
        """From `strategy.json`.

        Raises:
            Slip: A default flank has no place of its own.
        """
        flanks = tuple(it.text() for it in file["default_flanks"].each())
        sides = (file["positions"]["attacker"], file["positions"]["defender"])
        attacker, defender = (tuple(_place(it) for it in side.each()) for side in sides)
        for side, places in zip(sides, (attacker, defender), strict=True):
            if len(places) != len(flanks):
                raise side.slip(f"{len(places)} places for {len(flanks)} default flanks.")
        return cls(
            map_pixels=file["map_pixels"].whole(),
            km_per_pixel=file["km_per_pixel"].number(),
            default_flanks=flanks,
            positions=(attacker, defender),
            new_flank=(_place(file["new_flank"]["attacker"]), _place(file["new_flank"]["defender"])),
            flanks_most=file["flanks_most"].whole(),
            size_tolerance_men=file["size_tolerance_men"].whole(),
            ship_tolerance=file["ship_tolerance"].whole(),
            hours_per_day=file["hours_per_day"].whole(),
            hours_most=file["hours_most"].whole(),
            ends_when=file["ends_when"].one_of(ENDS, "an end of a battle"),
            fortune_side=file["fortune"]["side"].number(),
            fortune_flank=file["fortune"]["flank"].number(),
            fortune_panic=file["fortune"]["panic"].number(),
        )


def _place(it: Entry) -> tuple[float, float]:
    x, y = (coordinate.number() for coordinate in it.each())
    return x, y


def read_legend(entries: Entry) -> tuple[Feature, ...]:
    """The features of the maps in order of preference (MAP-02, MAP-08)."""
    features = []
    for it in entries.each():
        red, green, blue = (part.whole() for part in it["rgb"].each())
        speed = it["speed"]
        features.append(
            Feature(
                name=it["name"].text(),
                rgb=(red, green, blue),
                speed=None if speed.value is None else speed.number(),
                efficiency=it["Efficiency"].number(),
                limitation=it["Limitation"].number(),
            )
        )
    return tuple(features)


@dataclass(frozen=True, slots=True)
class TerrainRoles:
    """What some features are besides their factors: indices into the legend.

    Args:
        height: Stands above the rest (ATK-09, R-31).
        siege: Where the besieged stand (SIEGE-01).
    """

    height: tuple[int, ...]
    siege: tuple[int, ...]

    @classmethod
    def read(cls, file: Entry, legend: Sequence[Feature]) -> TerrainRoles:
        """From the names of features.

        Raises:
            Slip: A name is not in the legend.
        """
        names = [feature.name for feature in legend]

        def indices(role: str) -> tuple[int, ...]:
            return tuple(names.index(it.one_of(names, "in the legend")) for it in file[role].each())

        return cls(indices("height"), indices("siege"))


@dataclass(frozen=True, slots=True)
class Climates:
    """Who lives where (ATT-02, ATT-03).

    Args:
        assumed_below: A smaller population is replaced.
        ocean: The climate whose population comes from the fleets.
        population: The other climates' people.
    """

    assumed_below: int
    ocean: str
    population: Mapping[str, int]

    @classmethod
    def read(cls, file: Entry, climates: Sequence[str]) -> Climates:
        """From `climate.json`.

        Raises:
            Slip: A climate is not in the list, or one has no people.
        """
        ocean = file["ocean"].one_of(climates, "a climate")
        residents = [it for it in climates if it != ocean]
        people = read_numbers(file["local_population"], residents, "Climate with residents")
        return cls(file["assumed_below"].whole(), ocean, {name: int(number) for name, number in people.items()})

    def local_population(self, location: Location) -> int | None:
        """ATT-02: the location's people, assumed by climate where it names too few; None on the ocean (ATT-03)."""
        if location.climate == self.ocean:
            return None
        if location.local_population < self.assumed_below:
            return self.population[location.climate]
        return location.local_population


@dataclass(frozen=True, slots=True)
class MaxMilitary:
    """Share of the population under arms (MAX-01).

    Args:
        groups: Civilization type to its group.
        totalitarian: Governments that can field more, and lose more with their leader (STAB-03).
        shares: Group to the shares of (totalitarian, other) governments.
    """

    groups: Mapping[str, str]
    totalitarian: frozenset[str]
    shares: Mapping[str, tuple[float, float]]

    @classmethod
    def read(cls, file: Entry, lists: Mapping[str, ValueList]) -> MaxMilitary:
        """From `max_military.json`.

        Raises:
            Slip: A government, civilization type or group is not known, or a type has no group.
        """
        shares = {group: (it["totalitarian"].number(), it["others"].number()) for group, it in file["share"].items()}
        groups = {}
        for name, it in file["civilization_groups"].items():
            it.known(name, lists["Civilization Type"].values, "a value of Civilization Type")
            groups[name] = it.one_of(shares, "a group of the shares")
        for name in lists["Civilization Type"].values:
            file["civilization_groups"][name]
        governments, what = lists["Federal Government"].values, "a value of Federal Government"
        totalitarian = frozenset(it.one_of(governments, what) for it in file["totalitarian_governments"].each())
        return cls(groups, totalitarian, shares)

    def share(self, federal_government: str, civilization_type: str) -> float:
        """0 to 1."""
        totalitarian, others = self.shares[self.groups[civilization_type]]
        return totalitarian if federal_government in self.totalitarian else others


@dataclass(frozen=True, slots=True)
class Band:
    """A stretch of results with a name; it reaches up to the next band (R-23)."""

    first: float
    name: str
    meaning: str = ""


def read_bands(file: Entry) -> tuple[Band, ...]:
    """The bands from 0 up.

    Raises:
        Slip: They do not begin at 0, or do not rise.
    """
    bands = []
    for it in file["bands"].each():
        meaning = dict(it.items()).get("meaning")
        bands.append(Band(it["from"].number(), it["name"].text(), "" if meaning is None else meaning.text()))
    for entry, (lower, higher) in zip(file["bands"].each(), pairwise(bands), strict=False):
        if lower.first >= higher.first:
            raise entry["from"].slip(f"{lower.first:g} is not below the next band's {higher.first:g}.")
    if not bands or bands[0].first != 0:
        raise file["bands"].slip("the first band must begin at 0.")
    return tuple(bands)


def read_phases(file: Entry) -> tuple[Phase, ...]:
    """DATE-04: phases without a gap, from 0 on for ever.

    Raises:
        Slip: They do not begin at 0, have a gap or come to an end.
    """
    phases = []
    entries = list(file["phases"].each())
    for it in entries:
        end = it["to"]
        phases.append(
            Phase(
                it["name"].text(),
                it["from"].whole(),
                None if end.value is None else end.whole(),
                it["rank"].whole(),
                it["Disease"].number(),
            )
        )
    if not phases or phases[0].first != 0:
        raise file["phases"].slip("the first phase must begin at 0 years.")
    for entry, (earlier, later) in zip(entries, pairwise(phases), strict=False):
        if earlier.end != later.first:
            raise entry["to"].slip(f"{earlier.end} is not where the next phase begins, {later.first}.")
    if phases[-1].end is not None:
        raise entries[-1]["to"].slip("the last phase must have no end; write null.")
    return tuple(phases)
