"""The list of nations, and the pages of each."""

from __future__ import annotations

from collections.abc import Iterator

from sheets_algo.pages.site_page import TEXT_MOST, shortened_name
from sheets_algo.site.paging import Data, listed_parts
from sheets_algo.site.season_index import SeasonIndex
from sheets_algo.site.season_pages.charts import stability_lines
from sheets_algo.site.season_pages.tables import standing_rows, war_rows
from sheets_algo.site.site_file import SiteFile


def nation_lists(index: SeasonIndex) -> Iterator[SiteFile]:
    """Yield the list of the nations of each ruleset with their standings."""
    tables: list[Data | None] = [
        standing_rows(index, part) for _, rows in index.standings for part in listed_parts(rows)
    ]
    parts = [{"title": "Nations", "table": table} for table in tables or [None]]
    yield from index.pages("nations/index", "nations.html", parts)


def nation_pages(index: SeasonIndex, nation: str) -> Iterator[SiteFile]:
    """Yield the pages of a nation: standings, chart and last wars, and lists of its earlier wars."""
    address, parts = f"nations/{index.nation_pages[nation]}", listed_parts(index.nations[nation])
    records = [standing_rows(index, [row]) for _, rows in index.standings for row in rows if row.nation == nation]
    pages = [
        {
            "title": shortened_name(nation, TEXT_MOST),
            "standings": records if is_first else [],
            "chart": stability_lines(index, nation) if is_first else {"lines": []},
            "wars": war_rows(index, part[::-1]),
        }
        for number, part in enumerate(parts, start=1)
        for is_first in [number == len(parts)]
    ]
    yield from index.pages(address, "nation.html", pages, first=len(parts))
