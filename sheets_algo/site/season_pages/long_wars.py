"""The pages of wars of several battles (REQ-19)."""

from __future__ import annotations

from collections.abc import Iterator

from sheets_algo.pages.site_page import TEXT_MOST, shortened_name
from sheets_algo.replays.long_wars import LongWar
from sheets_algo.site.paging import NAME, Data
from sheets_algo.site.season_index import SeasonIndex
from sheets_algo.site.season_pages.tables import war_rows
from sheets_algo.site.site_file import SiteFile


def long_war_pages(index: SeasonIndex) -> Iterator[SiteFile]:
    """Yield the page of each war of several battles: how it stands, and its battles."""
    rulings = {ruling.seq: ruling for ruling in index.rulings}
    for war in index.season.long_wars:
        battles = [rulings[battle.ruling.seq] for battle in war.battles]
        yield index.page(
            f"long-wars/{index.long_war_pages[war.key]}.html",
            "long_war.html",
            {
                "title": shortened_name(war.name, NAME),
                "text": _standing(war),
                "sides": [f"Receipt {receipt.seq}: {receipt.wiki}" for receipt, _ in war.declared],
                "wars": war_rows(index, battles),
            },
        )


def long_war_rows(index: SeasonIndex) -> list[Data]:
    """Return the wars of several battles with how they stand, the last one first."""
    return [{**_linked(index, war), "text": _standing(war)} for war in reversed(index.season.long_wars)]


def part_of(index: SeasonIndex, seq: int) -> Data | None:
    """Return the war of several battles of which a ruling is part; None for none."""
    wars = (war for war in index.season.long_wars if any(battle.ruling.seq == seq for battle in war.battles))
    return next((_linked(index, war) for war in wars), None)


def _linked(index: SeasonIndex, war: LongWar) -> Data:
    return {"page": index.long_war_pages[war.key], "title": shortened_name(war.name, NAME)}


def _standing(war: LongWar) -> str:
    return shortened_name(f"{war.standing}.", TEXT_MOST)
