"""The list of moderators' decisions."""

from __future__ import annotations

from collections.abc import Iterator

from sheets_algo.pages.site_page import TEXT_MOST, shortened_name
from sheets_algo.site.paging import NAME, weighed_parts
from sheets_algo.site.season_index import SeasonIndex
from sheets_algo.site.site_file import SiteFile


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
