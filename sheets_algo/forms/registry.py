"""Registry of the forms of all rulesets; other modules outside a ruleset's own packages do not name rulesets.

The forms of a ruleset with several request tabs are adjacent.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from engine.terrain import Feature
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.config.maps import MapFolder
from sheets_algo.forms.autoalgo.form import AutoalgoForm
from sheets_algo.forms.base import Form
from sheets_algo.forms.ciais.form import CiaisForm
from sheets_algo.forms.hexcombat.form import HexCombatForm
from sheets_algo.forms.realm.form import RealmForm, RealmRatingForm
from sheets_algo.forms.scorecard.form import ScorecardForm

RULESETS: tuple[type[Form[Any]], ...] = (
    AutoalgoForm,
    ScorecardForm,
    CiaisForm,
    RealmForm,
    RealmRatingForm,
    HexCombatForm,
)
"""All form classes, in the order in which their tabs are read and resolved."""


def open_forms(
    library: ConfigLoader, chosen: Iterable[type[Form[Any]]] = RULESETS, own_maps: Path | None = None
) -> tuple[Form[Any], ...]:
    """Return the forms of the chosen rulesets, built from their tables.

    Args:
        library: The loader of the tables and packaged maps.
        chosen: The form classes; only their tables are read from disk.
        own_maps: The moderator's maps folder (`--maps`).

    Raises:
        ConfigError: A table file is invalid.
    """

    def open_maps(legend: Sequence[Feature]) -> MapFolder:
        return MapFolder(library.maps_folder, legend, extra=own_maps)

    def open_form(form: type[Form[Any]]) -> Form[Any]:
        build: Callable[..., Form[Any]] = form
        schema = functools.partial(library.slips, form.ruleset_key)
        return library.build(form.ruleset_key, lambda raw: build(raw, open_maps, schema))

    return tuple(open_form(form) for form in chosen)
