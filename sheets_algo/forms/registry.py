"""Registry of the forms of all rulesets; other modules outside a ruleset's own packages do not name rulesets.

It names their tabs too, so that only the rulesets of a workbook are imported. The forms of a ruleset with several
request tabs are adjacent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.columns import tab_of
from engine.suggest import nearest
from engine.terrain import Feature
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.database.problems import one_of, quoted
from sheets_algo.forms.base import Form, FormSource
from sheets_algo.workbook.errors import BadSetting

if TYPE_CHECKING:
    from sheets_algo.config.maps import MapFolder


@dataclass(frozen=True, slots=True)
class FormEntry:
    """A form before it is imported."""

    ruleset_key: str  # The ruleset's name; the form is in `sheets_algo/forms/<name>/form.py`
    form: str  # The name of the form class
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
            ValueError: Its records declare other tabs.
        """
        form: type[Form[Any]] = getattr(import_module(f"sheets_algo.forms.{self.ruleset_key}.form"), self.form)
        tabs = [tab_of(record) for record in form.records()]
        optional = tuple(tab.name for tab in tabs[1:] if tab.optional)
        if (form.tabs, optional) != (self.tabs, self.optional):
            raise ValueError(f"{__name__} does not list the tabs of {self.form}: {form.tabs}, optional {optional}")
        return form


AUTOALGO_TABS = ("Nations", "Militaries", "Locations", "Leaders", "Units", "Autoalgo Settings")
REALM_TABS = (
    "Realms", "Realm Nations", "Realm Cities", "Realm Places", "Realm Leaders", "Realm Units", "Realm Unit Types",
    "Realm Settings",
)  # fmt: skip
OPTIONAL_REALM_TABS = ("Realm Places", "Realm Settings")
RULESETS = (
    FormEntry(
        "autoalgo",
        "AutoalgoForm",
        ("War Requests", "Flanks", *AUTOALGO_TABS),
        optional=("Flanks", "Units", "Autoalgo Settings"),
    ),
    FormEntry("autoalgo", "LeaderForm", ("Leader Requests", *AUTOALGO_TABS), optional=("Units", "Autoalgo Settings")),
    FormEntry(
        "scorecard",
        "ScorecardForm",
        ("Score Requests", "Score Sides", "Score Nations", "Score Leaders", "Score Settings"),
        optional=("Score Settings",),
    ),
    FormEntry(
        "ciais",
        "CiaisForm",
        ("CiAIS Requests", "CiAIS Players", "CiAIS Unit Types", "CiAIS Units", "CiAIS Sites", "CiAIS Settings"),
        optional=("CiAIS Settings",),
    ),
    FormEntry("realm", "RealmForm", ("Turn Requests", *REALM_TABS), optional=OPTIONAL_REALM_TABS),
    FormEntry("realm", "RealmRatingForm", ("Rating Requests", *REALM_TABS), optional=OPTIONAL_REALM_TABS),
    FormEntry(
        "hexcombat",
        "HexCombatForm",
        (
            "Combat Requests",
            "Hex Units",
            "Hex Unit Types",
            "Hex Terrain",
            "Hex Sides",
            "Hex Facilities",
            "Hex Settings",
        ),
        optional=("Hex Terrain", "Hex Facilities", "Hex Settings"),
    ),
)
"""All forms, in the order in which their tabs are read and resolved."""


def load_all() -> tuple[type[Form[Any]], ...]:
    """Import all forms."""
    return tuple(entry.load() for entry in RULESETS)


def open_forms(
    library: ConfigLoader, chosen: Iterable[FormEntry] = RULESETS, own_maps: Path | None = None
) -> tuple[Form[Any], ...]:
    """Import the chosen forms and build them from their tables.

    Args:
        library: The loader of the tables and packaged maps.
        chosen: The forms; only their tables are read from disk.
        own_maps: The moderator's maps folder (`--maps`).

    Raises:
        ConfigError: A table file is invalid.
    """

    def open_maps(legend: Sequence[Feature]) -> MapFolder:
        from sheets_algo.config.maps import MapFolder  # most rulesets have no maps

        return MapFolder(library.maps_folder, legend, extra=own_maps)

    sources: dict[str, FormSource] = {}

    def open_form(entry: FormEntry) -> Form[Any]:
        form, key = entry.load(), entry.ruleset_key
        if key not in sources:
            sources[key] = FormSource(library.raw(key), open_maps, library.dated(key), library.released(key))
        return library.build(key, lambda _: form(sources[key]), form.declared)

    return tuple(open_form(entry) for entry in chosen)


EVERY = "all"
"""The name that stands for every ruleset in settings."""


def check_rulesets(setting: str, names: Collection[str]) -> frozenset[str]:
    """Return the rulesets that a setting names, all of them for `all`.

    Raises:
        BadSetting: There is no ruleset of a name.
    """
    known = tuple(dict.fromkeys(form.ruleset_key for form in RULESETS))
    for name in names:
        if name not in (*known, EVERY):
            near = nearest(name, known)
            hint = f'Did you mean "{near}"?' if near else one_of([*known, EVERY])
            raise BadSetting(f"{setting}: there is no ruleset {quoted(name)}. {hint}")
    return frozenset(known if EVERY in names else names)
