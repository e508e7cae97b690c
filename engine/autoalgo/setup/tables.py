"""The numbers of the ruleset, built from the parsed files of its tables folder.

`Tables.of` refuses files that do not fit together: a value without a number, an unknown term, a gap between two
phases. Errors name file and place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from engine.autoalgo.constants import Constants, ConstantsFile
from engine.autoalgo.records import DATABASE, GENERIC, Location, Military, Nation, Unit
from engine.autoalgo.setup.ages import Age, Ages, TrainingWords
from engine.autoalgo.setup.dates import Phase
from engine.autoalgo.setup.source import RULES, SourceRules, under_rules
from engine.autoalgo.setup.table_parts import (
    ArmySizes,
    Band,
    Catalogue,
    Climates,
    Generations,
    Generic,
    MaxMilitary,
    OccupationBands,
    Points,
    SecularCycles,
    StabilityBands,
    Strategy,
    TerrainRoles,
    Variables,
    Weights,
)
from engine.autoalgo.setup.terms import NEEDED_SCORES, WEIGHT_CLASSES, VariableRule, terms_of
from engine.autoalgo.setup.values import (
    Aliases,
    Crop,
    Crops,
    Disease,
    Diseases,
    Hazard,
    Hazards,
    OrderedLists,
    PairTables,
    Scores,
    ValueWords,
    exactly,
    lists_of,
    scores_of,
)
from engine.autoalgo.setup.year_numbers import YearNumbers
from engine.columns import Kind, ValueList, columns
from engine.config_value import TableErrors, are_of, at, quote, table_error
from engine.declare import known_values, read_table, settable_words, table_of
from engine.settings import Raw, Setting, overridden
from engine.terrain import Feature

TABLES = (
    *(
        Ages,
        TrainingWords,
        Aliases,
        ArmySizes,
        Hazards,
        Climates,
        ConstantsFile,
        Generic,
        Crops,
        Diseases,
        Generations,
        MaxMilitary,
    ),
    *(
        OccupationBands,
        OrderedLists,
        PairTables,
        Points,
        SecularCycles,
        SourceRules,
        StabilityBands,
        Strategy,
        TerrainRoles,
    ),
    *(Catalogue, ValueWords, Variables, Weights, YearNumbers),
)
"""A class for each file."""
SETTABLE_WORDS = {name: words for name, words in settable_words(Strategy).items() if name != RULES}
"""Places that hold a word which a setting may replace, and the words allowed there (SET-03); whose rules count is said
when a season begins (R-98)."""
FILES = tuple(table_of(cls).file for cls in TABLES)
"""The table files, without `.json`."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """The generic entries (DB-10, R-27)."""

    nation_columns: Mapping[str, Any]
    year_offsets: Mapping[str, int]
    military: Military
    location: Location

    @classmethod
    def of(cls, generic: Generic, named: Mapping[str, object]) -> Defaults:
        """Return the generic nation of `defaults.json`, under its headers."""
        attributes = {column.header: attribute for attribute, column in columns(Nation)}
        return cls(
            {attributes[header]: getattr(generic.nation, attributes[header]) for header in named},
            {attributes[header]: years for header, years in generic.year_offsets.items()},
            generic.military,
            generic.location,
        )

    def nation(self, year: int) -> Nation:
        """Return the generic nation of a war in a year; its two years are not checked against their range."""
        years: dict[str, Any] = {attribute: year + offset for attribute, offset in self.year_offsets.items()}
        return Nation(name=GENERIC, **self.nation_columns, **years)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tables:
    """All numbers of the ruleset, and the files they were read from; only the same object is equal."""

    raw: Raw = field(repr=False)
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
    army_sizes: ArmySizes
    occupation_bands: tuple[Band, ...]
    stability_bands: tuple[Band, ...]
    strategy: Strategy
    terrain: tuple[Feature, ...]
    terrain_roles: TerrainRoles
    units: Mapping[str, Unit]
    unit_aliases: Mapping[str, str]
    points: Mapping[str, float]
    basic_unit: str
    basic_transport: str
    beasts: tuple[str, ...]
    defaults: Defaults
    ages: Mapping[str, Age]
    training: TrainingWords
    years: YearNumbers

    @classmethod
    def of(cls, raw: Raw) -> Tables:
        """Return the tables of `raw`, the parsed content of each file by its name without `.json`.

        Raises:
            TableError: A file is missing or something in one is wrong.
        """
        read_table(SourceRules, raw)
        return _read(under_rules(raw), raw)

    def having(self, settings: Sequence[Setting]) -> Tables:
        """Return these tables with the numbers of a workbook's settings (SET-03).

        Raises:
            TableError: A setting names no place of them, or they no longer fit together (R-40).
        """
        return _read(under_rules(self.raw, settings), overridden(self.raw, settings)) if settings else self

    def resilience(self, logistics: str) -> int:
        """Return the rounds of attack before a supply can be cut (SUP-02)."""
        return int(self.scores.single("Resilience", "Logistics", logistics))

    def disease_losses(self, medicine: str) -> float:
        """Return the number of medicine in DIS-03 and OCC-06; 0 for the vaccinated."""
        return self.scores.single("Disease", "Medicine", medicine)

    def is_fortified(self, location: Location) -> bool:
        """Return True if the location can be besieged (SIEGE-01)."""
        return location.fortifications != self.scores.worst("Fortifications")

    def field_works(self, military: Military) -> float:
        """Return the Defense of a military's Mobile Defenses (MIL-13), 0 without any."""
        return self.scores.single("Defense", "Mobile Defenses", military.mobile_defenses)


def _read(raw: Raw, files: Raw) -> Tables:
    """Return the tables of the numbers in force, `raw`, made of `files` under the rule set they name."""
    hazards, crops = read_table(Hazards, raw).values, read_table(Crops, raw).crops
    diseases, ordered = read_table(Diseases, raw).diseases, read_table(OrderedLists, raw).lists
    with at(file="values.json"):
        other_lists = {"Attrition": hazards, "Diet": crops, "Endemic Disease": diseases}
        lists = lists_of(read_table(ValueWords, raw), read_table(Aliases, raw).lists, ordered, other_lists)
        _defaults_are_allowed(lists)
    known = known_values(lists)
    pairs = read_table(PairTables, raw).pairs
    with at(file="pairs.json"):
        scores = scores_of(ordered, pairs, lists)
    cycles, generations = read_table(SecularCycles, raw).phases, read_table(Generations, raw).phases
    scores = _with_phases(_with_hazards(scores, raw["attrition"]["values"]), raw)
    with at("lists", file="ordered.json"):
        for header, variable in NEEDED_SCORES:
            if (header, variable) not in scores.singles:
                raise table_error(f"{quote(variable)} is missing.", header, "feeds")
    climate = read_table(Climates, raw, known)
    with at("local_population", file="climate.json"):
        residents = [word for word in lists["Climate"].values if word != climate.ocean]
        exactly(climate.population, residents, "a value of Climate with residents")
    with at("camp", file="climate.json"):
        exactly(climate.camps, lists["Climate"].values, "a value of Climate")
    with at("winter", file="climate.json"):
        exactly(climate.winter, lists["Climate"].values, "a value of Climate")
    max_military = read_table(MaxMilitary, raw, known)
    with at("civilization_groups", file="max_military.json"):
        exactly(max_military.groups, lists["Civilization Type"].values, "a value of Civilization Type")
    terrain, catalogue = read_table(TerrainRoles, raw), read_table(Catalogue, raw, known)
    generic, ages = read_table(Generic, raw, {**known, "a unit": catalogue.units}), read_table(Ages, raw, known)
    training = read_table(TrainingWords, raw)
    lists = {**lists, ages.values.name: ages.values, training.values.name: training.values}
    return Tables(
        raw=files,
        lists=lists,
        scores=scores,
        constants=read_table(ConstantsFile, raw).rules,
        variables=_variables(read_table(Variables, raw), read_table(Weights, raw), scores),
        attrition=hazards,
        diet=crops,
        disease=diseases,
        secular_cycles=cycles,
        generations=generations,
        climate=climate,
        max_military=max_military,
        army_sizes=_army_sizes(raw, max_military),
        occupation_bands=read_table(OccupationBands, raw).bands,
        stability_bands=read_table(StabilityBands, raw).bands,
        strategy=read_table(Strategy, raw),
        terrain=tuple(
            Feature(entry.name, entry.rgb, entry.speed, entry.efficiency, entry.limitation) for entry in terrain.legend
        ),
        terrain_roles=terrain,
        units=catalogue.units,
        unit_aliases=catalogue.aliases,
        points=read_table(Points, raw).points,
        basic_unit=catalogue.basic_unit,
        basic_transport=catalogue.basic_transport,
        beasts=catalogue.beasts,
        defaults=Defaults.of(generic, raw["defaults"]["nation"]),
        ages=ages.ages,
        training=training,
        years=_years(raw, max_military),
    )


def _army_sizes(raw: Raw, max_military: MaxMilitary) -> ArmySizes:
    sizes, groups = read_table(ArmySizes, raw), sorted(max_military.shares)
    for word, shares in (*sizes.words.items(), ("", sizes.garrison)):
        with at(*(("words", word) if word else ("garrison",)), file="army_sizes.json"):
            exactly(shares, groups, "a group of max_military.json")
    return sizes


def _years(raw: Raw, max_military: MaxMilitary) -> YearNumbers:
    """Return the numbers of years, checked against groups and bands of other tables."""
    years, bands = read_table(YearNumbers, raw), [band.name for band in read_table(StabilityBands, raw).bands]
    groups = sorted(max_military.shares)
    with at(file="years.json"):
        for rule, name, known in (("YRS-05", "recruits", groups), ("YRS-07", "growth", groups)):
            with at(rule, name):
                exactly(getattr(years, name), known, "a group of max_military.json")
        for rule, name in (("YRS-10", "desertion"), ("YRS-11", "revolt")):
            with at(rule, name):
                are_of(getattr(years, name), bands, "a band of stability_bands.json")
    return years


Rows = Mapping[str, Any]
"""An entry of a file by the file's own names; capitalised ones are the variables it feeds."""


def _with_hazards(scores: Scores, hazards: Mapping[str, Rows]) -> Scores:
    with at("values", file="attrition.json"):
        _fall_with_rank(list(hazards.items()), rising=("constant", "siege"))
    ranks = {"Attrition": {name: rank for rank, name in enumerate(reversed([*hazards]))}}
    return replace(
        scores, ranks={**scores.ranks, **ranks}, singles={**scores.singles, **_fed("Attrition", hazards.items())}
    )


def _with_phases(scores: Scores, raw: Raw) -> Scores:
    singles = dict(scores.singles)
    for header, file in (("Secular Cycle", "secular_cycles"), ("Generation", "generations")):
        phases = raw[file]["phases"]
        with at("phases", file=f"{file}.json"):
            _fall_with_rank(sorted(enumerate(phases), key=lambda placed: placed[1]["rank"]))
        singles |= _fed(header, ((phase["name"], phase) for phase in phases))
    return replace(scores, singles=singles)


def _fed(header: str, rows: Iterable[tuple[str, Rows]]) -> dict[tuple[str, str], dict[str, float]]:
    """Return the numbers of values by header and variable."""
    numbers: dict[tuple[str, str], dict[str, float]] = {}
    for value, row in rows:
        for variable, number in row.items():
            if variable[0].isupper():
                numbers.setdefault((header, variable), {})[value] = number
    return numbers


def _fall_with_rank(best_first: Sequence[tuple[str | int, Rows]], rising: Sequence[str] = ()) -> None:
    """Check that numbers change in one direction from the best phase or mildest hazard to the worst (R-40)."""
    for (_, better), (step, worse) in pairwise(best_first):
        for name, number in worse.items():
            if name[0].isupper() and number >= better[name]:
                raise table_error(
                    f"{number} is not below {better[name]}, the number of the next better value.", step, name
                )
            if name in rising and number < better[name]:
                raise table_error(f"{number} is below {better[name]}, the number of the next milder value.", step, name)


def _defaults_are_allowed(lists: Mapping[str, ValueList]) -> None:
    for record in DATABASE:
        for _, column in columns(record):
            if column.kind is Kind.CHOICE:
                if column.choices not in lists:
                    raise table_error(f'the list "{column.choices}" is missing.', "unordered")
                if column.default not in lists[column.choices].values:
                    says = f'the list "{column.choices}" must hold "{column.default}", the default of {column.header}.'
                    raise table_error(says, "unordered")


def _variables(file: Variables, weights: Weights, scores: Scores) -> dict[str, VariableRule]:
    rules, errors = {}, TableErrors()
    for rule, variable in file.rules.items():
        terms: list[tuple[str, float]] = []
        known = terms_of(rule, variable.name, scores)
        for weight_class in WEIGHT_CLASSES:
            with errors.at(rule, weight_class):
                are_of(getattr(variable, weight_class), known, f"a term of {variable.name}")
            terms += [(term, getattr(weights, weight_class)) for term in getattr(variable, weight_class)]
        if not terms:
            errors.add(table_error("a variable needs at least one term.", rule))
        rules[rule] = VariableRule(rule, variable.name, *variable.range, tuple(terms))
    with at(file="variables.json"):
        errors.end()
    return rules
