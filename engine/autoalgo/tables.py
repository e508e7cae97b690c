"""The numbers of the ruleset as code uses them, built from the parsed files of its tables folder.

`Tables.of` refuses files that do not fit together: a value without a number, a term nobody knows, a gap between two
phases. What is wrong is named with file and place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from engine.autoalgo.constants import Constants
from engine.autoalgo.dates import Phase
from engine.autoalgo.records import DATABASE, GENERIC, Location, Military, Nation, Unit
from engine.autoalgo.terms import NEEDED_SCORES, WEIGHT_CLASSES, VariableRule, check_term
from engine.autoalgo.values import Crop, Disease, Hazard, Scores, read_lists, read_numbers, read_scores
from engine.entry import Entry, Slip, record_of
from engine.fields import Kind, ValueList, columns
from engine.terrain import Feature

FILES = (
    "attrition",
    "climate",
    "constants",
    "defaults",
    "diet",
    "disease",
    "generations",
    "max_military",
    "occupation_bands",
    "ordered",
    "pairs",
    "secular_cycles",
    "stability_bands",
    "strategy",
    "terrain",
    "units",
    "values",
    "variables",
    "weights",
)
"""The table files, without `.json`."""

REFERENCE_UNITS = "Units"
UNIT_REMARK = "Slot, era"
"""Column of the catalogue that only people read (DB-04)."""


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
        fortune_side: Half width of a side's fortune of the day, 0 to 1 (R-28).
        fortune_flank: Half width of a flank's.
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


@dataclass(frozen=True, slots=True)
class TerrainRoles:
    """What some features are besides their factors: indices into the legend.

    Args:
        height: Stands above the rest (ATK-09, R-31).
        siege: Where the besieged stand (SIEGE-01).
    """

    height: tuple[int, ...]
    siege: tuple[int, ...]


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


@dataclass(frozen=True, slots=True)
class Defaults:
    """The generic entries (DB-10, R-27)."""

    nation_columns: Mapping[str, Any]
    year_offsets: Mapping[str, int]
    military: Military
    location: Location

    def nation(self, year: int) -> Nation:
        """The generic nation of a war in that year; its two years are not checked against their range."""
        years: dict[str, Any] = {attribute: year + offset for attribute, offset in self.year_offsets.items()}
        return Nation(name=GENERIC, **self.nation_columns, **years)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """All numbers of the ruleset."""

    lists: Mapping[str, ValueList]
    scores: Scores
    constants: Constants
    variables: Mapping[str, VariableRule]
    attrition: Mapping[str, Hazard]
    diet: Mapping[str, Crop]
    disease: Mapping[str, Disease]
    secular_cycles: tuple[Phase, ...]
    generations: tuple[Phase, ...]
    climate: Climates
    max_military: MaxMilitary
    occupation_bands: tuple[Band, ...]
    stability_bands: tuple[Band, ...]
    strategy: Strategy
    terrain: tuple[Feature, ...]
    terrain_roles: TerrainRoles
    units: Mapping[str, Unit]
    unit_aliases: Mapping[str, str]
    basic_unit: str
    basic_transport: str
    defaults: Defaults

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Tables:
        """The tables that `raw` holds: file name without `.json` to its parsed content.

        Raises:
            Slip: A file is missing or something in one is wrong.
        """
        return _read({name: _file(raw, name) for name in FILES})

    def constant(self, rule: str, name: str) -> float:
        """A number of `constants.json`: `tables.constant("ATK-07", "routed_below")`."""
        return self.constants.of(rule, name)

    def resilience(self, logistics: str) -> int:
        """Rounds of attack before a supply can be cut (SUP-02)."""
        return int(self.scores.single("Resilience", "Logistics", logistics))

    def disease_losses(self, medicine: str) -> float:
        """Medicine in DIS-03 and OCC-06; 0 for the vaccinated."""
        return self.scores.single("Disease", "Medicine", medicine)

    def occupation_medicine(self, medicine: str) -> float:
        """Medicine in OCC-01."""
        return self.scores.single("Occupation Start", "Medicine", medicine)

    def is_fortified(self, location: Location) -> bool:
        """Whether there is anything to besiege (SIEGE-01)."""
        return location.fortifications != self.scores.worst("Fortifications")


def _file(raw: Mapping[str, Any], name: str) -> Entry:
    if name not in raw:
        raise Slip(f"{name}.json", (), "the file is missing.")
    return Entry(f"{name}.json", raw[name])


def _read(files: Mapping[str, Entry]) -> Tables:
    hazards, crops, diseases = files["attrition"]["values"], files["diet"]["crops"], files["disease"]["diseases"]
    own = {
        "Attrition": [name for name, _ in hazards.items()],
        "Diet": [name for name, _ in crops.items()],
        "Endemic Disease": [name for name, _ in diseases.items()],
    }
    lists = read_lists(files["values"], files["ordered"], own)
    cycles, generations = _phases(files["secular_cycles"]), _phases(files["generations"])
    scores = _with_phases(
        _with_hazards(read_scores(files["ordered"], files["pairs"], lists), hazards, own["Attrition"]),
        {"Secular Cycle": files["secular_cycles"], "Generation": files["generations"]},
    )
    for phases in (files["secular_cycles"]["phases"], files["generations"]["phases"]):
        _fall_with_rank(sorted(phases.each(), key=lambda it: it["rank"].whole()))
    _fall_with_rank([it for _, it in hazards.items()], rising=("constant", "siege"))
    for header, variable in NEEDED_SCORES:
        if (header, variable) not in scores.singles:
            raise files["ordered"]["lists"][header]["feeds"].slip(f'"{variable}" is missing.')
    _defaults_are_allowed(files["values"], lists)
    units = _units(files["units"]["units"], lists)
    legend = _legend(files["terrain"]["legend"])
    return Tables(
        lists=lists,
        scores=scores,
        constants=Constants.read(files["constants"]),
        variables=_variables(files["variables"], files["weights"], scores),
        attrition={name: Hazard(it["constant"].number(), it["siege"].number()) for name, it in hazards.items()},
        diet={name: _crop(it) for name, it in crops.items()},
        disease={name: _disease(it) for name, it in diseases.items()},
        secular_cycles=cycles,
        generations=generations,
        climate=_climates(files["climate"], lists["Climate"].values),
        max_military=_max_military(files["max_military"], lists),
        occupation_bands=_bands(files["occupation_bands"]),
        stability_bands=_bands(files["stability_bands"]),
        strategy=_strategy(files["strategy"]),
        terrain=legend,
        terrain_roles=_roles(files["terrain"]["roles"], [feature.name for feature in legend]),
        units=units,
        unit_aliases={name: it.one_of(units, "a unit") for name, it in files["units"]["aliases"].items()},
        basic_unit=files["units"]["basic_unit"].one_of(units, "a unit"),
        basic_transport=files["units"]["basic_transport"].one_of(units, "a unit"),
        defaults=_defaults(files["defaults"], lists, units),
    )


def _with_hazards(scores: Scores, hazards: Entry, mildest_first: Sequence[str]) -> Scores:
    singles = dict(scores.singles)
    for variable in ("Efficiency", "Capacity", "Morale Bonus"):
        singles["Attrition", variable] = {name: it[variable].number() for name, it in hazards.items()}
    ranks = {"Attrition": {name: rank for rank, name in enumerate(reversed(mildest_first))}}
    return replace(scores, ranks={**scores.ranks, **ranks}, singles=singles)


def _with_phases(scores: Scores, files: Mapping[str, Entry]) -> Scores:
    singles = dict(scores.singles)
    for header, file in files.items():
        for phase in file["phases"].each():
            name = phase["name"].text()
            for variable, it in phase.items():
                if variable[0].isupper():  # its own columns are small, the variables it feeds capital
                    singles.setdefault((header, variable), {})
                    singles[header, variable] = {**singles[header, variable], name: it.number()}
    return replace(scores, singles=singles)


def _phases(file: Entry) -> tuple[Phase, ...]:
    """DATE-04: phases without a gap, from 0 on for ever."""
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


def _fall_with_rank(best_first: Sequence[Entry], rising: Sequence[str] = ()) -> None:
    """R-40: from the best phase or mildest hazard to the worst every number falls, or rises where that is worse."""
    for better, worse in pairwise(best_first):
        for name, it in worse.items():
            falls = name[0].isupper()  # the variables it feeds
            if falls and it.number() >= better[name].number():
                raise it.slip(f"{it.value} is not below {better[name].value}, the number of the next better one.")
            if name in rising and it.number() < better[name].number():
                raise it.slip(f"{it.value} is below {better[name].value}, the number of the next milder one.")


def _defaults_are_allowed(values: Entry, lists: Mapping[str, ValueList]) -> None:
    for record in DATABASE:
        for _, column in columns(record):
            if column.kind is Kind.CHOICE:
                if column.choices not in lists:
                    raise values["unordered"].slip(f'the list "{column.choices}" is missing.')
                if column.default not in lists[column.choices].values:
                    raise values["unordered"].slip(
                        f'the list "{column.choices}" must hold "{column.default}", the default of {column.header}.'
                    )


def _units(entries: Entry, lists: Mapping[str, ValueList]) -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    for it in entries.each():
        unit = record_of(Unit, it, lists, ignore=(UNIT_REMARK,))
        if unit.name in units:
            raise it["Name"].slip(f'"{unit.name}" stands here twice.')
        units[unit.name] = unit
    return units


def _variables(file: Entry, weights: Entry, scores: Scores) -> dict[str, VariableRule]:
    rules = {}
    for rule, it in file.items():
        name = it["name"].text()
        low, high = (bound.number() for bound in it["range"].each())
        terms = []
        for weight_class in WEIGHT_CLASSES:
            for term in it[weight_class].each():
                check_term(term, rule, name, scores)
                terms.append((term.text(), weights[weight_class].number()))
        if not terms:
            raise it.slip("a variable needs at least one term.")
        rules[rule] = VariableRule(rule, name, low, high, tuple(terms))
    return rules


def _crop(it: Entry) -> Crop:
    return Crop(
        protein=it["protein"].number(),
        crop_yield=it["yield"].number(),
        domestication=it["domestication"].number(),
        diversity=it["diversity"].number(),
        worth=it["worth"].number(),
    )


def _disease(it: Entry) -> Disease:
    return Disease(
        outbreak=it["outbreak"].number(),
        reproduction=it["reproduction"].number(),
        deadliness=it["deadliness"].number(),
        infectivity=it["infectivity"].number(),
        power=it["power"].number(),
    )


def _climates(file: Entry, climates: Sequence[str]) -> Climates:
    ocean = file["ocean"].one_of(climates, "a climate")
    people = read_numbers(file["local_population"], [it for it in climates if it != ocean], "Climate with residents")
    return Climates(file["assumed_below"].whole(), ocean, {name: int(number) for name, number in people.items()})


def _max_military(file: Entry, lists: Mapping[str, ValueList]) -> MaxMilitary:
    shares = {group: (it["totalitarian"].number(), it["others"].number()) for group, it in file["share"].items()}
    groups = {}
    for name, it in file["civilization_groups"].items():
        it.known(name, lists["Civilization Type"].values, "a value of Civilization Type")
        groups[name] = it.one_of(shares, "a group of the shares")
    for name in lists["Civilization Type"].values:
        file["civilization_groups"][name]
    governments = lists["Federal Government"].values
    return MaxMilitary(
        groups,
        frozenset(
            it.one_of(governments, "a value of Federal Government") for it in file["totalitarian_governments"].each()
        ),
        shares,
    )


def _bands(file: Entry) -> tuple[Band, ...]:
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


def _strategy(file: Entry) -> Strategy:
    flanks = tuple(it.text() for it in file["default_flanks"].each())
    sides = (file["positions"]["attacker"], file["positions"]["defender"])
    attacker, defender = (tuple(_place(it) for it in side.each()) for side in sides)
    for side, places in zip(sides, (attacker, defender), strict=True):
        if len(places) != len(flanks):
            raise side.slip(f"{len(places)} places for {len(flanks)} default flanks.")
    return Strategy(
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
        ends_when=file["ends_when"].one_of(("routed", "retreating"), "an end of a battle"),
        fortune_side=file["fortune"]["side"].number(),
        fortune_flank=file["fortune"]["flank"].number(),
    )


def _place(it: Entry) -> tuple[float, float]:
    x, y = (coordinate.number() for coordinate in it.each())
    return x, y


def _legend(entries: Entry) -> tuple[Feature, ...]:
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


def _roles(file: Entry, names: list[str]) -> TerrainRoles:
    def indices(role: str) -> tuple[int, ...]:
        return tuple(names.index(it.one_of(names, "in the legend")) for it in file[role].each())

    return TerrainRoles(indices("height"), indices("siege"))


def _defaults(file: Entry, lists: Mapping[str, ValueList], units: Mapping[str, Unit]) -> Defaults:
    attributes = {column.header: attribute for attribute, column in columns(Nation)}
    offsets = {}
    for header, it in file["year_offsets"].items():
        it.known(header, attributes, "a column of Nations")
        offsets[attributes[header]] = it.whole()
    nation = record_of(
        Nation, file["nation"], lists, given={"Name": GENERIC} | dict.fromkeys(file["year_offsets"].value, 0)
    )
    military = record_of(Military, file["military"], lists, given={"Name": GENERIC, "Nation": ()})
    for _, column in columns(Military):
        if column.to == REFERENCE_UNITS and column.header in file["military"].value:
            file["military"][column.header].one_of(units, "a unit")
    return Defaults(
        {
            attribute: getattr(nation, attribute)
            for header, attribute in attributes.items()
            if header in file["nation"].value
        },
        offsets,
        military,
        record_of(Location, file["location"], lists, given={"Name": GENERIC}),
    )
