"""Lists of nations, with the pages of each, of wars, and of moderators' decisions."""

from __future__ import annotations

from collections.abc import Iterator

from sheets_algo.pages.site_page import TEXT_MOST, shortened_name
from sheets_algo.site.paging import NAME, Data, SiteFile, listed_parts, weighed_parts
from sheets_algo.site.season_index import SeasonIndex, winner_of
from sheets_algo.site.season_pages.charts import stability_lines
from sheets_algo.site.season_pages.tables import standing_rows, war_rows


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


def decision_lists(index: SeasonIndex) -> Iterator[SiteFile]:
    """Yield the list of moderators' decisions, by author, if there are any."""
    decisions = sorted(index.season.overrides, key=lambda decision: decision.by.casefold())
    rows = [
        {
            "by": shortened_name(decision.by, NAME),
            "title": shortened_name(decision.war or decision.request, NAME),
            "page": index.war_pages[decision.seq],
            "kind": decision.kind,
            "what": shortened_name(f"{decision.what} = {decision.value}", TEXT_MOST),
            "reason": shortened_name(decision.reason, TEXT_MOST),
            "undone": decision.is_undone,
        }
        for decision in decisions
    ]
    parts = [{"title": "Moderators' decisions", "rows": part} for part in weighed_parts(rows)]
    yield from index.pages("decisions", "decisions.html", parts)
