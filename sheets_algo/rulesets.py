"""The registry: every ruleset has its line here, and nowhere else is one named outside its own rooms.

A ruleset with several request tabs has a line for each of their forms, one below the other.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from engine.terrain import Feature
from sheets_algo.forms.autoalgo import AutoalgoForm
from sheets_algo.forms.base import Form
from sheets_algo.forms.ciais import CiaisForm
from sheets_algo.forms.hexcombat import HexCombatForm
from sheets_algo.forms.realm import RealmForm, RealmRatingForm
from sheets_algo.forms.scorecard import ScorecardForm
from sheets_algo.library import Library
from sheets_algo.maps import MapFolder

RULESETS: tuple[type[Form[Any]], ...] = (
    AutoalgoForm,
    ScorecardForm,
    CiaisForm,
    RealmForm,
    RealmRatingForm,
    HexCombatForm,
)
"""In the order in which their tabs are read and resolved."""


def open_forms(
    library: Library, chosen: Iterable[type[Form[Any]]] = RULESETS, own_maps: Path | None = None
) -> tuple[Form[Any], ...]:
    """The forms of the chosen rulesets, built from their tables.

    Args:
        library: Where the tables and the packaged maps are.
        chosen: Only these are read from disk.
        own_maps: A moderator's maps folder (`--maps`).

    Raises:
        ConfigError: A table file is wrong.
    """

    def open_maps(legend: Sequence[Feature]) -> MapFolder:
        return MapFolder(library.maps_folder, legend, extra=own_maps)

    def opened(form: type[Form[Any]]) -> Form[Any]:
        build: Callable[..., Form[Any]] = form
        schema = functools.partial(library.slips, form.ruleset_key)
        return library.build(form.ruleset_key, lambda raw: build(raw, open_maps, schema))

    return tuple(opened(form) for form in chosen)
