"""Base of the forms of wars and of new leaders: tables, maps, settings, database tabs and periods of units."""

from __future__ import annotations

import copy
import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self, TypeVar

from engine.autoalgo.new_leader import SKILLS, header
from engine.autoalgo.records import Leader
from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.setup.formations import FORMATIONS
from engine.autoalgo.setup.sizes import GARRISON, NOBODY
from engine.autoalgo.setup.source import RULES, under_rules, without_source
from engine.autoalgo.setup.tables import SETTABLE_WORDS, TABLES, Tables
from engine.columns import ValueList, loosely
from engine.dated import YEAR
from engine.receipt import SeasonOptions
from engine.settings import Raw, Setting, own_numbers
from sheets_algo.config.maps import MapFolder
from sheets_algo.database.problems import Problem
from sheets_algo.database.records import ACTIONS, Database, Vocabulary
from sheets_algo.forms.autoalgo import checks
from sheets_algo.forms.autoalgo.age_presets import age_of
from sheets_algo.forms.autoalgo.columns import (
    SIZES,
    WAR_ACTIONS,
    AutoalgoSetting,
    FlankRow,
    LocationRow,
    MilitaryRow,
    NationRow,
    UnitRow,
)
from sheets_algo.forms.autoalgo.flank_rows import check_formation
from sheets_algo.forms.base import Form, FormSource
from sheets_algo.forms.settings_tab import SettingsTab

Inputs = TypeVar("Inputs")

OWN_MAPS = "--maps DIR"
"""The option that names a moderator's own maps."""
UNLISTED = (
    "army_sizes",
    *("units", "pairs", "defaults", "climate", "disease", "max_military", "occupation_bands", "secular_cycles"),
    "years",
)
"""Tables left out of drop-down lists, which hold 500 names: huge ones, and rarely changed ones."""


def _wars(raw: Raw) -> Autoalgo:
    return Autoalgo(Tables.of(raw))


def _own_numbers(source: FormSource, rules: Sequence[Setting] = ()) -> Sequence[Setting]:
    """Return the differences in the moderator's own tables, except for units, which are inputs of a war."""
    own, released = (without_source(under_rules(raw, rules)) for raw in (source.raw, source.released or source.raw))
    return own_numbers(own, released, SETTABLE_WORDS, UNLISTED)


class SharedForm(Form[Inputs]):
    """Base class of both forms."""

    ruleset_key = "autoalgo"
    database = (NationRow, MilitaryRow, LocationRow, Leader, UnitRow, AutoalgoSetting)
    settings: SettingsTab

    def __init__(self, source: FormSource) -> None:
        self.wars = source.built(_wars)
        self.tables = self.wars.tables
        self._source = source
        self.settings = SettingsTab(
            AutoalgoSetting,
            without_source(source.raw),
            SETTABLE_WORDS,
            TABLES,
            self.wars.tables_having,
            source.dated,
            dates=(YEAR,),
            unlisted=UNLISTED,
            differing=_own_numbers(source),
        )
        self._folders: dict[tuple[tuple[int, int, int], ...], MapFolder] = {}
        formations = ValueList("Formation", tuple(FORMATIONS), FORMATIONS)
        sizes = ValueList(SIZES, (*self.tables.army_sizes.words, GARRISON, NOBODY))
        traits = ValueList("Trait", tuple(map(header, SKILLS)))
        self.vocabulary = Vocabulary(
            lists={
                **self.tables.lists,
                "Terrain": self._terrains(),
                "Trait": traits,
                "Formation": formations,
                SIZES: sizes,
            },
            builtin={"Units": self.tables.units},
            spellings={"Units": {loosely(alias): unit for alias, unit in self.tables.unit_aliases.items()}},
            periods={"Units": periods_of(self.tables.raw["units"]["units"])},
            checks={
                MilitaryRow: (checks.check_proportions_sum, checks.check_proportions_complete),
                FlankRow: (check_formation,),
            },
            presets={NationRow: self._nation_preset, MilitaryRow: self._military_preset},
        )
        actions = self.vocabulary.lists[ACTIONS.name]
        values, meanings = (*actions.values, *WAR_ACTIONS), {**actions.meanings, **WAR_ACTIONS}
        war_actions = dataclasses.replace(actions, name="War Action", values=values, meanings=meanings)
        lists = {**self.vocabulary.lists, war_actions.name: war_actions}
        self.vocabulary = dataclasses.replace(self.vocabulary, lists=lists)

    def check(self, database: Database) -> Iterator[Problem]:
        """Yield the problems of the database, which the form of wars checks for all."""
        return super().check(database) if self.key == self.ruleset_key else iter(())

    def comparison_battles(self, inputs: Inputs, rulings: int, *, is_compiled: bool = False) -> int:
        """Return 0: only a war is compared with others (FC-07)."""
        return 0

    def in_season(self, options: SeasonOptions) -> Self:
        """Return the form that reads the season's rule set as a setting, which is frozen with each war (R-98)."""
        form = copy.copy(self)
        if options.rules_name != self.tables.strategy.rules:
            rules = (Setting(name=RULES, value=options.rules_name),)
            form.settings = form.settings.under(
                rules, without_source(under_rules(self.tables.raw, rules)), _own_numbers(self._source, rules)
            )
            units = self.wars.tables_having(rules).units
            form.vocabulary = dataclasses.replace(self.vocabulary, builtin={"Units": units})
        return form

    def _maps(self, tables: Tables) -> MapFolder:
        """Return the maps folder for the tables' terrain colours, which settings may change."""
        colours = tuple(feature.rgb for feature in tables.terrain)
        if colours not in self._folders:
            self._folders[colours] = self._source.open_maps(tables.terrain)
        return self._folders[colours]

    def _nation_preset(self, database: Database, values: Mapping[str, Any]) -> Mapping[str, Any]:
        age = self.tables.ages.get(values.get("age", ""))
        return age.nation(values) if age else {}

    def _military_preset(self, database: Database, values: Mapping[str, Any]) -> Mapping[str, Any]:
        age = next((age_of(database, name, self.tables.ages) for name in values.get("nation", ())[:1]), None)
        return age.military(values) if age else {}

    def _terrains(self) -> ValueList:
        listed = self.tables.lists.get("Terrain")
        maps = self._maps(self.tables)
        meanings, aliases = (listed.meanings, listed.aliases) if listed else ({}, {})
        aliases = {word: name for word, name in aliases.items() if name in maps.names}
        remark = f"{OWN_MAPS} or the setting maps names a folder of own maps"
        if maps.own_folder:  # only its name, since everybody can read the workbook
            remark = f"own maps were looked for in the folder {maps.own_folder.name} (--maps, or the setting maps)"
        return ValueList("Terrain", maps.names, meanings, aliases, remark)


REMARK = "Slot, era"
_YEARS = re.compile(r"(\d+)( BC)?–(\d+)( BC)?$")


def periods_of(units: Sequence[Mapping[str, Any]]) -> dict[str, tuple[int, int]]:
    """Return first and last year of each unit that has them, by name; years BC are negative.

    Args:
        units: The rows of the catalogue as in its file.
    """
    matches = {str(unit["Name"]): _YEARS.search(unit.get(REMARK, "")) for unit in units}
    return {
        name: (-int(years[1]) if years[2] or years[4] else int(years[1]), -int(years[3]) if years[4] else int(years[3]))
        for name, years in matches.items()
        if years
    }
