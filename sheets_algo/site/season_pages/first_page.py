"""The first page: facts, standings, the last wars and their charts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from sheets_algo.database.problems import count
from sheets_algo.pages.html import digest_of, script_of
from sheets_algo.pages.site_page import TEXT_MOST, shortened_name
from sheets_algo.ruling.luck.beacon import QUICKNET, beacon_name
from sheets_algo.runtime.session.own_numbers import own_numbers
from sheets_algo.season.records import RulingRecord
from sheets_algo.site.paging import NAME, Data, SiteFile
from sheets_algo.site.season_index import SeasonIndex, account_of, winner_of
from sheets_algo.site.season_pages.charts import bars, courses, season_picture_file, stability_lines
from sheets_algo.site.season_pages.tables import nation_rows, short_war_rows, war_rows
from sheets_algo.site.season_pages.war import long_war_rows

LATEST = 12
"""Wars of the first page."""
FIRST_STANDINGS = 6
"""Nations of the first page, of all rulesets together."""


def first_page(index: SeasonIndex) -> Iterator[SiteFile]:
    """Yield the first page, and its preview picture."""
    data = _first_page_data(index)
    yield index.page("index.html", "index.html", data)
    yield season_picture_file(index, str(data["description"]))


def _first_page_data(index: SeasonIndex) -> Data:
    standing = [ruling for ruling in index.wars if not ruling.is_undone]
    lead = _lead(index, standing[-1]) if standing else None
    undone = [ruling for ruling in index.wars if ruling.is_undone]
    nations = f", {count(len(index.nations), 'nation')}" if index.nations else ""
    room = max(5, FIRST_STANDINGS // max(1, len(index.standings)))
    return {
        "title": "",
        "description": f"{count(len(standing), 'ruling')}{nations}. Last: {lead['title']}. {lead['told']}".strip()
        if lead
        else "Nothing has been ruled yet.",
        "lead": lead,
        "span": index.span,
        "years": [asdict(year) for year in index.years],
        "colours": index.colours,
        **_script(index),
        "standings": [nation_rows(index, rows, room) for _, rows in index.standings],
        "luckiest": bool(index.luckiest),
        "has_more": any(len(rows) > room for _, rows in index.standings),
        "wars": short_war_rows(index, standing[: -LATEST - 1 : -1]),
        "undone": short_war_rows(index, undone[: -LATEST - 1 : -1]),
        "has_more_wars": len(standing) > LATEST or len(undone) > LATEST,
        "fair": _fair(index),
        "news": war_rows(index, index.others[: -LATEST - 1 : -1]),
        "long_wars": long_war_rows(index),
        "chart": stability_lines(index),
        "courses": [*courses(index)],
        "turns": sorted(index.season.turns, reverse=True),
        "decisions": len(index.season.overrides),
        "head": index.season.head,
        "has_own_chain": index.season.has_own_chain,
        "lost": index.lost,
        "numbers": own_numbers(index.season.book, index.library),
        "chain": "" if (chain := index.season.book.receipts.luck.chain) == QUICKNET else beacon_name(chain),
        "shown": index.season.shown_otherwise,
        "boards": [{"title": title, "links": links} for title, links in index.boards],
        "given_up": [(time, shortened_name(text, TEXT_MOST)) for time, text in index.season.given_up],
    }


def _script(index: SeasonIndex) -> Data:
    """Return the script of the slider and its digest, blank without years to choose from."""
    script = str(script_of("site/years.js")) if len(index.years) > 1 else ""
    return {"script": script, "policy": digest_of(script) if script else ""}


def _fair(index: SeasonIndex) -> str:
    """Count the rulings of luck alone, and those with decisions of people behind them (RCP-37)."""
    receipts = index.season.book.receipts.by_seq
    standing = [receipts[ruling.seq].figures for ruling in index.rulings if not ruling.is_undone]
    by_luck = sum(not (figures.people or figures.origins) for figures in standing)
    heirs = sum(bool(figures.origins and not figures.people) for figures in standing)
    if index.season.secret_games:  # their inherited decisions may be secret orders
        by_luck, heirs = by_luck + heirs, 0
    with_people = f" {heirs:,} with what people decided earlier." if heirs else ""
    return f"{count(by_luck, 'ruling')} by the rules and luck alone.{with_people}" if standing else ""


def _lead(index: SeasonIndex, ruling: RulingRecord) -> Data:
    """Return the last ruling for the first page: title, picture, replay, and the beginning of its account."""
    account = account_of(ruling)
    winner = winner_of(ruling)
    return {
        "title": shortened_name(ruling.war or ruling.request, NAME),
        "headline": shortened_name(account[0] if account else ruling.war or ruling.request, TEXT_MOST),
        "page": index.war_pages[ruling.seq],
        "map": ruling.seq in index.extras.maps,
        "replay": ruling.seq in index.extras.replays,
        "told": account[0] if account else f"{winner} wins." if winner else "",
        "text": shortened_name(" ".join(account[1:3]) if account else f"{winner} wins." if winner else "", TEXT_MOST),
        "bars": bars(index, ruling, is_short=True),
    }
