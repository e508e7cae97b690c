"""Lists of wars: all of them, and the luckiest."""

from __future__ import annotations

from collections.abc import Iterator

from sheets_algo.pages.site_page import shortened_name
from sheets_algo.site.paging import NAME, listed_parts
from sheets_algo.site.result_text import winner_of
from sheets_algo.site.season_index import SeasonIndex
from sheets_algo.site.season_pages.tables import war_rows
from sheets_algo.site.site_file import SiteFile


def war_lists(index: SeasonIndex) -> Iterator[SiteFile]:
    """Yield the list of all wars: the last ones on the first page, the others on pages that do not change."""
    parts = [{"title": "Wars", "wars": war_rows(index, part[::-1])} for part in listed_parts(index.wars)]
    yield from index.pages("wars/index", "wars.html", parts, first=len(parts))


def luckiest_list(index: SeasonIndex) -> Iterator[SiteFile]:
    """Yield the list of the luckiest rulings, if there are any."""
    rows = [
        {
            "title": shortened_name(ruling.war or ruling.request, NAME),
            "page": index.war_pages[seq],
            "winner": shortened_name(winner_of(ruling), NAME),
            "share": f"{100 * share:.0f}",
            "date": ruling.time[:10],
        }
        for share, seq, ruling in index.luckiest
    ]
    if rows:
        yield index.page("luckiest.html", "luckiest.html", {"title": "Luckiest rulings", "rows": rows})
