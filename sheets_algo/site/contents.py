"""The files of a site, from the first page to the last log: each with a key that changes when its content does."""

from __future__ import annotations

from collections.abc import Iterator

from sheets_algo.pages.site_page import site_style
from sheets_algo.site.paging import fitted_blocks
from sheets_algo.site.season_index import SeasonIndex
from sheets_algo.site.season_pages.decisions import decision_lists
from sheets_algo.site.season_pages.feed import feed
from sheets_algo.site.season_pages.first_page import first_page
from sheets_algo.site.season_pages.long_wars import long_war_pages
from sheets_algo.site.season_pages.nations import nation_lists, nation_pages
from sheets_algo.site.season_pages.rules import rule_pages
from sheets_algo.site.season_pages.war import war_pages
from sheets_algo.site.season_pages.wars import luckiest_list, war_lists
from sheets_algo.site.site_file import SiteFile, key_of


def season_files(index: SeasonIndex) -> Iterator[SiteFile]:
    """Yield all pages, the style sheet and the feed."""
    style = site_style()
    yield SiteFile("style.css", key_of(style.encode()), style.encode)
    yield from first_page(index)
    yield from war_lists(index)
    yield from luckiest_list(index)
    yield from nation_lists(index)
    for nation in index.nations:
        yield from nation_pages(index, nation)
    for place in range(len(index.rulings)):
        yield from war_pages(index, place)
    yield from long_war_pages(index)
    yield from decision_lists(index)
    yield from rule_pages(index)
    for turn, report in index.season.turns.items():
        data = {"title": f"Turn {turn}", "blocks": fitted_blocks(report.blocks)}
        yield index.page(f"turns/{turn}.html", "turn.html", data)
    yield index.page("feed.xml", "feed.xml", feed(index))
