"""The installed rulesets: their request tabs, and the loading of their forms.

A ruleset is a package that an entry point of the group `sheets_algo.rulesets` names. Its file `ruleset.json` lists its
tabs, so that only the rulesets of a workbook are imported; docs/new-ruleset.md builds one.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
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
from sheets_algo.database.headers import key_of
from sheets_algo.database.problems import one_of, quoted
from sheets_algo.forms.base import Form, FormSource
from sheets_algo.plugins import RULESETS, BadPlugin, Plugin, folder_of, is_own, load_name, open_each, refusing
from sheets_algo.workbook.errors import BadSetting
from sheets_algo.workbook.tab_key import TabKey

if TYPE_CHECKING:
    from sheets_algo.config.maps import MapFolder
from engine.columns import columns

FILE, HEADERS_FILE = "ruleset.json", "headers.json"
LAST = 1000
"""The rank of a ruleset that has none."""


@record
class _FormDescription:
    """A form of a ruleset."""

    form: str = entry(Text(), "The class, as `package.module:Class`.")
    prefix: str = entry(Text(), "The beginning of its request ids.")
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
    prefix: str  # The beginning of its request ids
    tabs: tuple[TabKey, ...]  # Its tabs in workbook order, the request tab first
    optional: tuple[TabKey, ...] = ()  # The optional tabs
    conflict: str = ""  # The reason why it conflicts with another ruleset, a sentence; blank for none

    @property
    def request_tab(self) -> TabKey:
        """Return the request tab."""
        return self.tabs[0]

    @property
    def needed_tabs(self) -> tuple[TabKey, ...]:
        """Return the tabs without which no request can be ruled."""
        return tuple(tab for tab in self.tabs[1:] if tab not in self.optional)

    def load(self) -> type[Form[Any]]:
        """Import the form class.

        Raises:
            BadPlugin: It cannot be imported or used, or declares another prefix, or its records other tabs.
        """
        if self.conflict:
            raise BadPlugin(self.conflict)
        where = f"{FILE} of {self.ruleset_key}"
        form: type[Form[Any]] = load_name(self.form, where)
        with refusing(f"{where} names {self.form}, which cannot be used"):
            if form.ruleset_key != self.ruleset_key:
                raise BadPlugin(f"{where} names {self.form}, which is a form of {quoted(form.ruleset_key)}.")
            if form.prefix != self.prefix:
                has = f"it has {quoted(form.prefix)}"
                raise BadPlugin(f"{where} gives {self.form} the prefix {quoted(self.prefix)}; {has}.")
            optional = tuple(key_of(record) for record in form.records()[1:] if tab_of(record).optional)
            if (form.tabs, optional) != (self.tabs, self.optional):
                tabs, rest = (tuple(tab.name for tab in listed) for listed in (form.tabs, optional))
                raise BadPlugin(f"{where} does not list the tabs of {self.form}: {tabs}, optional {rest}.")
        return form


def form_entries() -> tuple[FormEntry, ...]:
    """Return all forms that are installed, in the order in which their tabs are read and resolved.

    The forms of a ruleset with several request tabs are adjacent. Rulesets whose description cannot be read are left
    out; `ruleset_faults` names them.
    """
    return _described()[0]


@cache
def _described() -> tuple[tuple[FormEntry, ...], tuple[BadPlugin, ...]]:
    """Return the forms of readable rulesets, and the errors of the others."""
    described, faults = open_each(RULESETS, _description)
    forms = [
        FormEntry(name, form.form, form.prefix, _keys(form.tabs), _keys(form.optional))
        for name, ruleset in sorted(described.items(), key=lambda name_and_description: name_and_description[1].rank)
        for form in ruleset.forms
    ]
    conflicts: dict[str, str] = {}
    known: list[FormEntry] = []
    for form in sorted(forms, key=lambda form: not is_own(form.form)):  # the program's own take precedence
        conflicts[form.form] = _conflict(form, known)
        known.append(form)
    return tuple(replace(form, conflict=conflicts[form.form]) for form in forms), faults


def _keys(names: Iterable[str]) -> tuple[TabKey, ...]:
    return tuple(map(TabKey.named, names))


def _conflict(form: FormEntry, known: Sequence[FormEntry]) -> str:
    """Return the tab or the prefix that a form shares with one of others, a sentence; blank without any."""
    where = f"{FILE} of {form.ruleset_key}"
    prefixes = {loosely(other.prefix): other for other in known}
    if other := prefixes.get(loosely(form.prefix)):
        taken = ", ".join(other.prefix for other in prefixes.values())
        return f"{where}: the prefix {quoted(form.prefix)} is taken by {other.ruleset_key}. Taken are {taken}."
    for other in known:
        shared = [tab for tab in form.tabs if tab in other.tabs]
        if other.ruleset_key != form.ruleset_key and shared:
            return (
                f"{where}: the tab {quoted(shared[0].name)} is one of {other.ruleset_key}. Give it a name of its own."
            )
    return ""


def ruleset_names() -> tuple[str, ...]:
    """Return the names of all rulesets, in the order of `form_entries`."""
    return tuple(dict.fromkeys(form.ruleset_key for form in form_entries()))


def _description(plugin: Plugin) -> _RulesetDescription:
    file = folder_of(plugin) / FILE
    try:
        return read_table(_RulesetDescription, {FILE.removesuffix(".json"): json.loads(file.read_bytes())})
    except (OSError, ValueError) as error:  # a TableError is one
        errors = error.errors if isinstance(error, TableError) else (TableError("", (), str(error)),)
        raise BadPlugin(" ".join(f"{place(str(file), each.path)}: {each.what}" for each in errors)) from error


def words_of_headers(ruleset: str) -> Mapping[str, Any]:
    """Return the words of campaigns for the tabs and columns of a ruleset; none if it lists none."""
    file = open_each(RULESETS, folder_of)[0][ruleset] / HEADERS_FILE
    words: Mapping[str, Any] = json.loads(file.read_bytes()) if file.exists() else {}
    return words


def load_all() -> tuple[type[Form[Any]], ...]:
    """Import all forms that can be used."""
    return _loaded()[0]


def ruleset_faults() -> tuple[BadPlugin, ...]:
    """Return the errors of installed rulesets, one for each."""
    return (*_described()[1], *_loaded()[1])


def _loaded() -> tuple[tuple[type[Form[Any]], ...], tuple[BadPlugin, ...]]:
    """Return the usable forms, and the errors of the others, one for each ruleset.

    Raises:
        BadPlugin: One of this program's own cannot be loaded.
    """
    forms: list[type[Form[Any]]] = []
    faults: dict[str, BadPlugin] = {}
    for entry_ in form_entries():
        try:
            forms.append(entry_.load())
        except BadPlugin as fault:
            if is_own(entry_.form):
                raise
            faults.setdefault(entry_.ruleset_key, fault)
    return tuple(forms), tuple(faults.values())


def open_forms(
    library: ConfigLoader, chosen: Iterable[FormEntry] | None = None, own_maps: Path | None = None
) -> tuple[Form[Any], ...]:
    """Import the chosen forms and build them from their tables.

    Args:
        chosen: The forms, of which alone tables are read from disk; None for all that can be used.
        own_maps: The moderator's maps folder (`--maps`).

    Raises:
        ConfigError: A table file is invalid.
        BadPlugin: A chosen form cannot be loaded, or two of them have the same key.
    """

    def open_maps(legend: Sequence[Feature]) -> MapFolder:
        from sheets_algo.config.maps import MapFolder  # most rulesets have no maps

        return MapFolder(library.maps_folder, legend, extra=own_maps)

    def open_form(form: type[Form[Any]]) -> Form[Any]:
        key = form.ruleset_key
        tables = library.raw(key), open_maps, library.dated(key), library.released(key)
        source = FormSource(*tables, library.made(key))
        return library.build(key, lambda _: form(source), form.declared)

    loaded = load_all() if chosen is None else [listed.load() for listed in chosen]
    _check_distinct(loaded)
    return tuple(open_form(form) for form in loaded)


def _check_distinct(forms: Sequence[type[Form[Any]]]) -> None:
    """Refuse forms whose receipts could not be distinguished."""
    owners: dict[str, type[Form[Any]]] = {}
    for form in forms:
        if (other := owners.setdefault(form.key, form)) is not form:
            raise BadPlugin(f"{other.__qualname__} and {form.__qualname__} both use {quoted(form.key)}. Uninstall one.")


EVERY = "all"
"""The name of all rulesets in settings."""


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


WORKBOOK = "workbook"
"""Name of the rulebook with the rules that all rulesets share."""


def rulebook(
    library: ConfigLoader, book: str, forms: Iterable[Form[Any] | type[Form[Any]]]
) -> Mapping[str, Mapping[str, str]]:
    """Return the rules of a book by id: `text`, with `ruling` and `why` where something was decided.

    A column without a rule in the book is its own rule: `Age (Nations): In which the nation lives.`

    Args:
        forms: The forms of its ruleset; none for the rules of all workbooks.
    """
    rules, shared = dict(library.rulebook(book)), library.rulebook(WORKBOOK)
    records = dict.fromkeys(cls for form in forms for cls in form.records())
    for tab, column in ((tab_of(cls).name, column) for cls in records for _, column in columns(cls)):
        if column.id not in shared:
            rules.setdefault(column.id, {"text": f"{column.header} ({tab}): {column.note}"})
    return rules
