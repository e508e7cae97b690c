"""The workshop's numbers keep pace with the shipped ones: other numbers, the same places, the same schema."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from engine.autoalgo.setup.tables import FILES, Tables
from engine.config_value import REMARKS
from scripts.support.pinned_tables import SHIPPED, WORKSHOP, raw_tables
from sheets_algo.config.loader import ConfigLoader

FREE = re.compile(r"(pairs/.*/exceptions|aliases|points|ages/[^*/]+)(/|$)")
"""Below these each may have entries of its own."""


def places(content: Any, path: str = "") -> Iterator[str]:
    """Every place of a table: names joined by slashes. The items of a list, as the units, are one place: `*`."""
    if isinstance(content, dict):
        for name, inner in content.items():
            if name not in REMARKS:
                yield from places(inner, f"{path}/{name}".lstrip("/"))
    elif isinstance(content, list):
        for inner in content:
            yield from places(inner, f"{path}/*")
    elif not FREE.match(path):
        yield path


def test_the_pinned_tables_and_season_are_read_without_an_error() -> None:
    library = ConfigLoader(WORKSHOP)

    assert library.build("autoalgo", Tables.of)
    assert len(library.example("1066")["War Requests"]) == 5


def test_the_pinned_tables_have_the_places_of_the_shipped_ones() -> None:
    """What is missing on one side belongs there too: in `tests/data/tables/` with the number the tests reckon with."""
    shipped, own = (
        {(name, place) for name in FILES for place in places(raw_tables(config=config)[name])}
        for config in (SHIPPED, WORKSHOP)
    )

    assert sorted(shipped - own) == [], "add these to the workshop's tables"
    assert sorted(own - shipped) == [], "the shipped tables no longer have these"
