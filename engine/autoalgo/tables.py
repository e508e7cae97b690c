"""The numbers of the ruleset as code uses them, built from the parsed files of its tables folder.

`Tables.of` refuses files that do not fit together: a value without a number, a term nobody knows, a gap between two
phases. What is wrong is named with file and place.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from engine.autoalgo.constants import Constants
from engine.autoalgo.dates import Phase
from engine.autoalgo.parts import (
    ENDS,
    Band,
    Climates,
    MaxMilitary,
    Strategy,
    TerrainRoles,
    read_bands,
    read_legend,
    read_phases,
)
from engine.autoalgo.records import DATABASE, GENERIC, Location, Military, Nation, Unit
from engine.autoalgo.terms import NEEDED_SCORES, WEIGHT_CLASSES, VariableRule, check_term
from engine.autoalgo.values import Crop, Disease, Hazard, Scores, read_lists, read_scores
from engine.entry import Entry, Slip, record_of
from engine.fields import Kind, ValueList, columns
from engine.settings import Raw, Setting, overridden
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

SETTABLE_WORDS = {"strategy/ends_when": ENDS}
"""Places that hold a word which a setting may replace, and the words allowed there (SET-03)."""
REFERENCE_UNITS = "Units"
UNIT_REMARK = "Slot, era"
"""Column of the catalogue that only people read (DB-04)."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """The generic entries (DB-10, R-27)."""

    nation_columns: Mapping[str, Any]
    year_offsets: Mapping[str, int]
    military: Military
    location: Location

    @classmethod
    def read(cls, file: Entry, lists: Mapping[str, ValueList], units: Collection[str]) -> Defaults:
        """From `defaults.json`.

        Raises:
            Slip: A header or value that its tab does not have, or a unit that nobody knows.
        """
        attributes = {column.header: attribute for attribute, column in columns(Nation)}
        offsets = {}
        for header, it in file["year_offsets"].items():
            it.known(header, attributes, "a column of Nations")
            offsets[attributes[header]] = it.whole()
        blank = {"Name": GENERIC} | dict.fromkeys(file["year_offsets"].value, 0)
        nation = record_of(Nation, file["nation"], lists, given=blank)
        named = [attribute for header, attribute in attributes.items() if header in file["nation"].value]
        for _, column in columns(Military):
            if column.to == REFERENCE_UNITS and column.header in file["military"].value:
                file["military"][column.header].one_of(units, "a unit")
        return cls(
            {attribute: getattr(nation, attribute) for attribute in named},
            offsets,
            record_of(Military, file["military"], lists, given={"Name": GENERIC, "Nation": ()}),
            record_of(Location, file["location"], lists, given={"Name": GENERIC}),
        )

    def nation(self, year: int) -> Nation:
        """The generic nation of a war in that year; its two years are not checked against their range."""
        years: dict[str, Any] = {attribute: year + offset for attribute, offset in self.year_offsets.items()}
        return Nation(name=GENERIC, **self.nation_columns, **years)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """All numbers of the ruleset, and the files they were read from."""

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
    def of(cls, raw: Raw) -> Tables:
        """The tables that `raw` holds: file name without `.json` to its parsed content.

        Raises:
            Slip: A file is missing or something in one is wrong.
        """
        return _read(raw, {name: _file(raw, name) for name in FILES})

    def having(self, settings: Sequence[Setting]) -> Tables:
        """SET-03: these tables with a workbook's own numbers in their places.

        Raises:
            Slip: A setting names no place of them, or they no longer fit together (R-40).
        """
        return Tables.of(overridden(self.raw, settings)) if settings else self

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


def _file(raw: Raw, name: str) -> Entry:
    if name not in raw:
        raise Slip(f"{name}.json", (), "the file is missing.")
    return Entry(f"{name}.json", raw[name])


def _read(raw: Raw, files: Mapping[str, Entry]) -> Tables:
    hazards, crops, diseases = files["attrition"]["values"], files["diet"]["crops"], files["disease"]["diseases"]
    own = {
        "Attrition": [name for name, _ in hazards.items()],
        "Diet": [name for name, _ in crops.items()],
        "Endemic Disease": [name for name, _ in diseases.items()],
    }
    lists = read_lists(files["values"], files["ordered"], own)
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
    legend = read_legend(files["terrain"]["legend"])
    return Tables(
        raw=raw,
        lists=lists,
        scores=scores,
        constants=Constants.read(files["constants"]),
        variables=_variables(files["variables"], files["weights"], scores),
        attrition={name: Hazard.read(it) for name, it in hazards.items()},
        diet={name: Crop.read(it) for name, it in crops.items()},
        disease={name: Disease.read(it) for name, it in diseases.items()},
        secular_cycles=read_phases(files["secular_cycles"]),
        generations=read_phases(files["generations"]),
        climate=Climates.read(files["climate"], lists["Climate"].values),
        max_military=MaxMilitary.read(files["max_military"], lists),
        occupation_bands=read_bands(files["occupation_bands"]),
        stability_bands=read_bands(files["stability_bands"]),
        strategy=Strategy.read(files["strategy"]),
        terrain=legend,
        terrain_roles=TerrainRoles.read(files["terrain"]["roles"], legend),
        units=units,
        unit_aliases={name: it.one_of(units, "a unit") for name, it in files["units"]["aliases"].items()},
        basic_unit=files["units"]["basic_unit"].one_of(units, "a unit"),
        basic_transport=files["units"]["basic_transport"].one_of(units, "a unit"),
        defaults=Defaults.read(files["defaults"], lists, units),
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
