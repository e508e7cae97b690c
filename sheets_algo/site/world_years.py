"""The map of the game on the first page: a picture of each year with changes of land, and the gains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import msgspec

from sheets_algo.config.maps import BadMap
from sheets_algo.database.grouping import grouped
from sheets_algo.database.problems import year_text
from sheets_algo.runtime.session.world import GameMap, Holders
from sheets_algo.site.paging import NAME, SiteFile, key_of
from sheets_algo.site.public import PublicSeason

YEARS_MOST = 60
"""Maximum number of years of the first page, the last ones."""
NAMED_MOST = 4
"""Maximum number of places that a sentence names."""
SMALL, LARGE = 1200, 4000
"""Widths in pixels of the picture of the page, and of the one that it links to."""


@dataclass(frozen=True, slots=True)
class WorldYear:
    """The map at the end of a year."""

    label: str
    stem: str  # The name of its pictures, without ending
    changes: tuple[tuple[str, str], ...]  # The nation that gained, and the rest of the sentence
    holders: Holders


def world_years(season: PublicSeason) -> list[WorldYear]:
    """Return the years in which land changed hands, after the initial state; the current state if there are none."""
    years = season.land_years[-YEARS_MOST:]
    if not years:
        return [WorldYear("Now", "now", (), season.holders())]
    before = season.holders(years[0] - 1)
    states = [WorldYear(f"Before {year_text(years[0])}", "before", (), before)]
    for year in years:
        after = season.holders(year)
        states.append(WorldYear(year_text(year), f"{year}", tuple(_changes(before, after)), after))
        before = after
    return states


def world_files(
    world: GameMap, years: Sequence[WorldYear], title: str, program: str, has: Callable[[str, str], bool]
) -> list[SiteFile]:
    """Return the pictures of the years, none if the drawing cannot be used.

    Args:
        program: The common dependencies of all pages beside their data.
        has: Returns True if a file of this path exists with the content of this key.
    """
    files = []
    for year in years:
        content = (program, world.key, title, year.label, year.holders, world.rows.colours, world.rows.capitals)
        key = key_of(msgspec.json.encode(content))
        small = partial(world.picture, title, year.label, year.holders, widest=SMALL, is_bare=True)
        large = partial(world.picture, title, year.label, year.holders, widest=LARGE)
        files += [SiteFile(f"world/{year.stem}-small.png", key, small), SiteFile(f"world/{year.stem}.png", key, large)]
    try:
        if not all(has(file.path, file.key) for file in files):
            _ = world.areas
    except BadMap:
        return []
    return files


def _changes(before: Holders, after: Holders) -> Iterator[tuple[str, str]]:
    """Yield the gaining nation and a clause on its gains: first owned land, then occupied or left land."""
    owned = grouped(
        ((after[place][0], before.get(place, ("", ""))[0]), place)
        for place in after
        if after[place][0] != before.get(place, ("", ""))[0]
    )
    for (owner, former), places in owned.items():
        origin = f" from {former}" if former else ""
        yield (owner, f"gains {_places(places)}{origin}.") if owner else (former, f"loses {_places(places)}.")
    occupied = grouped(
        ((after[place][1], after[place][0], before.get(place, ("", ""))[1]), place)
        for place in after
        if after[place][1] != before.get(place, ("", ""))[1] and after[place][0] == before.get(place, ("", ""))[0]
    )
    for (occupier, owner, former), places in occupied.items():
        if occupier:
            yield occupier, f"occupies {_places(places)}{f' of {owner}' if owner else ''}."
        else:
            yield former, f"leaves {_places(places)}."


def _places(names: Sequence[str]) -> str:
    more = len(names) - NAMED_MOST
    first = [name[:NAME] for name in names[:NAMED_MOST]]
    *before, last = [*first, f"{more} more places"] if more > 0 else first
    return f"{', '.join(before)} and {last}" if before else last


def count_places(holders: Mapping[str, tuple[str, str]]) -> Mapping[str, int]:
    """Return the number of places of each nation."""
    return Counter(owner for owner, _ in holders.values() if owner)
