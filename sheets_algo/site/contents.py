"""The files of a site, from the first page to the feed of the last rulings.

Each has a key that changes when its content does.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from sheets_algo.pages.site_page import TEXT_MOST, shortened_name, site_style
from sheets_algo.season.records import RulingRecord
from sheets_algo.site.paging import Data, SiteFile, fitted_blocks, key_of
from sheets_algo.site.season_index import SeasonIndex, result_of
from sheets_algo.site.season_pages.first_page import first_page
from sheets_algo.site.season_pages.nations import decision_lists, luckiest_list, nation_lists, nation_pages, war_lists
from sheets_algo.site.season_pages.rules import rule_pages
from sheets_algo.site.season_pages.war import long_war_pages, war_pages


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


FED = 30
"""Entries of the feed."""


def feed(index: SeasonIndex) -> Data:
    """Return the data of the feed."""
    receipts = index.season.book.receipts
    root = uuid.uuid5(uuid.NAMESPACE_URL, f"sheets-algo:{receipts.season}")
    begun = receipts.begun.time if receipts.begun else ""
    entries = []
    for ruling in index.wars[: -FED - 1 : -1]:
        undo = index.season.undo_of(ruling)
        page = index.war_pages[ruling.seq]
        title = shortened_name(ruling.war or ruling.request)
        entries.append(
            {
                "id": str(uuid.uuid5(root, page)),
                "title": f"{title} (undone)" if undo else title,
                "page": page,
                "updated": _time(undo.time if undo else ruling.time),
                "published": _time(ruling.time),
                "summary": _summary(index, ruling),
            }
        )
    entries += [
        {
            "id": str(uuid.uuid5(root, f"given up {time} {number}")),
            "title": "Receipts were given up",
            "page": "",
            "updated": _time(time),
            "published": _time(time),
            "summary": shortened_name(text, TEXT_MOST),
        }
        for number, (time, text) in enumerate(index.season.given_up)
    ]
    updated = max((entry["updated"] for entry in entries), default=_time(begun))
    return {"id": str(root), "updated": updated, "entries": entries}


def _summary(index: SeasonIndex, ruling: RulingRecord) -> str:
    mark = index.season.mark_of(index.season.receipt(ruling))
    return f"{result_of(ruling)} Receipt {mark}." if mark else result_of(ruling)


def _time(text: str) -> str:
    return text or "1970-01-01T00:00:00Z"
