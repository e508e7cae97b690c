"""The rulesets that are installed: their request tabs, and how their forms are opened.

A ruleset is a package that an entry point of the group `sheets_algo.rulesets` names. Its file `ruleset.json` lists its
tabs, so that only the rulesets of a workbook are imported; docs/new-ruleset.md builds one.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.columns import loosely, tab_of
from engine.config_value import TableError, place
from engine.declare import entry, read_table, record, table
from engine.shapes import ListOf, Number, Text
from engine.suggest import nearest
from engine.terrain import Feature
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.database.problems import one_of, quoted
from sheets_algo.forms.base import Form, FormSource
from sheets_algo.plugins import RULESETS, BadPlugin, Plugin, folder_of, load_name, plugins
from sheets_algo.workbook.errors import BadSetting

if TYPE_CHECKING:
    from sheets_algo.config.maps import MapFolder

FILE = "ruleset.json"
LAST = 1000
"""The rank of a ruleset that has none."""


@record
class _FormDescription:
    """A form of a ruleset."""

    form: str = entry(Text(), "The class, as `package.module:Class`.")
    tabs: tuple[str, ...] = entry(ListOf(Text(), 1), "The names of its tabs in workbook order, the request tab first.")
    optional: tuple[str, ...] = entry(ListOf(Text()), "The names of those that a workbook may lack.", default=())


@table(FILE.removesuffix(".json"), "Ruleset")
class _RulesetDescription:
    """The description of a ruleset, read without importing it."""

    forms: tuple[_FormDescription, ...] = entry(ListOf(_FormDescription, 1), "Its forms in reading order.")
    rank: int = entry(Number(1, LAST, whole=True), "Its place in the order in which rulesets are read.", default=LAST)


@dataclass(frozen=True, slots=True)
class FormEntry:
    """A form before it is imported."""

    ruleset_key: str  # The name of its ruleset
    form: str  # Its class, as `package.module:Class`
    tabs: tuple[str, ...]  # The names of its tabs in workbook order, the request tab first
    optional: tuple[str, ...] = ()  # The names of those that a workbook may lack

    @property
    def request_tab(self) -> str:
        """Return the name of the request tab."""
        return self.tabs[0]

    @property
    def needed_tabs(self) -> tuple[str, ...]:
        """Return the names of the tabs without which no request can be ruled."""
        return tuple(name for name in self.tabs[1:] if name not in self.optional)

    def load(self) -> type[Form[Any]]:
        """Import the form class.

        Raises:
            BadPlugin: It cannot be imported, or its records declare other tabs.
        """
        where = f"{FILE} of {self.ruleset_key}"
        form: type[Form[Any]] = load_name(self.form, where)
        if form.ruleset_key != self.ruleset_key:
            raise BadPlugin(f"{where} names {self.form}, which is a form of {quoted(form.ruleset_key)}.")
        tabs = [tab_of(record) for record in form.records()]
        optional = tuple(tab.name for tab in tabs[1:] if tab.optional)
        if (form.tabs, optional) != (self.tabs, self.optional):
            raise BadPlugin(f"{where} does not list the tabs of {self.form}: {form.tabs}, optional {optional}.")
        return form


@cache
def form_entries() -> tuple[FormEntry, ...]:
    """Return all forms that are installed, in the order in which their tabs are read and resolved.

    The forms of a ruleset with several request tabs are adjacent.

    Raises:
        BadPlugin: What a ruleset lists of its forms cannot be used.
    """
    described = [(name, _description(plugin)) for name, plugin in plugins(RULESETS).items()]
    forms = tuple(
        FormEntry(name, form.form, form.tabs, form.optional)
        for name, ruleset in sorted(described, key=lambda name_and_description: name_and_description[1].rank)
        for form in ruleset.forms
    )
    owners: dict[str, str] = {}
    for form in forms:
        for tab in form.tabs:
            if (other := owners.setdefault(loosely(tab), form.ruleset_key)) != form.ruleset_key:
                raise BadPlugin(f"The rulesets {other} and {form.ruleset_key} both have a tab {tab}. Uninstall one.")
    return forms


def ruleset_names() -> tuple[str, ...]:
    """Return the names of all rulesets, in the order of `form_entries`."""
    return tuple(dict.fromkeys(form.ruleset_key for form in form_entries()))


def _description(plugin: Plugin) -> _RulesetDescription:
    file = folder_of(plugin) / FILE
    try:
        return read_table(_RulesetDescription, {FILE.removesuffix(".json"): json.loads(file.read_bytes())})
    except (OSError, ValueError) as error:  # a TableError is one
        slips = error.slips if isinstance(error, TableError) else (TableError("", (), str(error)),)
        raise BadPlugin("\n".join(f"{place(str(file), slip.path)}: {slip.what}" for slip in slips)) from error


def load_all() -> tuple[type[Form[Any]], ...]:
    """Import all forms."""
    return tuple(form.load() for form in form_entries())


def open_forms(
    library: ConfigLoader, chosen: Iterable[FormEntry] | None = None, own_maps: Path | None = None
) -> tuple[Form[Any], ...]:
    """Import the chosen forms and build them from their tables.

    Args:
        chosen: The forms, of which alone tables are read from disk; None for all.
        own_maps: The moderator's maps folder (`--maps`).

    Raises:
        ConfigError: A table file is invalid.
        BadPlugin: A form cannot be loaded, or two of them have the same key or the same beginning of their ids.
    """

    def open_maps(legend: Sequence[Feature]) -> MapFolder:
        from sheets_algo.config.maps import MapFolder  # most rulesets have no maps

        return MapFolder(library.maps_folder, legend, extra=own_maps)

    def open_form(form: type[Form[Any]]) -> Form[Any]:
        key = form.ruleset_key
        tables = library.raw(key), open_maps, library.dated(key), library.released(key)
        source = FormSource(*tables, library.made(key))
        return library.build(key, lambda _: form(source), form.declared)

    loaded = [listed.load() for listed in (form_entries() if chosen is None else chosen)]
    _check_distinct(loaded)
    return tuple(open_form(form) for form in loaded)


def _check_distinct(forms: Sequence[type[Form[Any]]]) -> None:
    """Refuse forms whose receipts or request ids could not be distinguished."""
    owners: dict[str, type[Form[Any]]] = {}
    for form in forms:
        for name in (form.key, form.prefix):
            if (other := owners.setdefault(name, form)) is not form:
                raise BadPlugin(f"{other.__qualname__} and {form.__qualname__} both use {quoted(name)}. Uninstall one.")


EVERY = "all"
"""The name that stands for every ruleset in settings."""


def check_rulesets(setting: str, names: Collection[str]) -> frozenset[str]:
    """Return the rulesets that a setting names, all of them for `all`.

    Raises:
        BadSetting: There is no ruleset of a name.
    """
    known = ruleset_names()
    for name in names:
        if name not in (*known, EVERY):
            near = nearest(name, known)
            hint = f'Did you mean "{near}"?' if near else one_of([*known, EVERY])
            raise BadSetting(f"{setting}: there is no ruleset {quoted(name)}. {hint}")
    return frozenset(known if EVERY in names else names)
