"""Tables of wars and of standings."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from sheets_algo.database.problems import year_text
from sheets_algo.pages.site_page import shortened_name
from sheets_algo.season.records import COLUMNS, SIDES, RulingRecord, StandingRecord
from sheets_algo.site.paging import NAME, Data
from sheets_algo.site.season_index import SeasonIndex, account_of, leader_of, result_of, ruled_year
from sheets_algo.site.world_years import count_places


def war_rows(index: SeasonIndex, rulings: Sequence[RulingRecord]) -> list[Data]:
    """Return the rows of a table of wars."""
    return [
        {
            "date": ruling.time[:10],
            "title": shortened_name(ruling.war or ruling.request, NAME),
            "page": index.war_pages[ruling.seq],
            "sides": [index.linked(side or ("",)) for side in ruling.nations],
            "winner": SIDES.index(ruling.winner) if ruling.winner in SIDES else -1,
            "lost": [ruling.attacker_lost, ruling.defender_lost],
            "counted": ruling.attacker_lost is not None,
            "undone": ruling.is_undone,
            "sided": bool(ruling.attacker and ruling.defender),
        }
        for ruling in rulings
    ]


def short_war_rows(index: SeasonIndex, rulings: Sequence[RulingRecord]) -> list[Data]:
    """Return the lines of a list of wars: year, result, and losses."""
    return [
        {
            "year": "" if (year := ruled_year(ruling)) is None else year_text(year),
            "title": shortened_name(ruling.war or ruling.request, NAME),
            "result": _headline(ruling),
            "cost": _cost(ruling),
            "page": index.war_pages[ruling.seq],
            "winner": SIDES.index(ruling.winner) if ruling.winner in SIDES else -1,
            "colour": index.colours.get(leader_of(ruling), ""),
            "undone": ruling.is_undone,
            "replay": ruling.seq in index.extras.replays,
        }
        for ruling in rulings
    ]


def _headline(ruling: RulingRecord) -> str:
    account = account_of(ruling)
    text = re.split("[;:]", account[0])[0] if account else result_of(ruling)
    return shortened_name(text.rstrip("."), 2 * NAME)


def _cost(ruling: RulingRecord) -> str:
    """Return the name of a war, and the men that winner and loser lost."""
    year = ruled_year(ruling)
    name = (ruling.war or ruling.request).removesuffix("" if year is None else f", {year_text(year)}")
    title = shortened_name(name, NAME)
    if ruling.attacker_lost is None or ruling.defender_lost is None:
        return title
    losses = [(ruling.attacker, ruling.attacker_lost), (ruling.defender, ruling.defender_lost)]
    if any(len(side) > 1 for side in ruling.nations):
        losses = [("enemies", lost) for _, lost in losses]
    (_, first), (other, second) = reversed(losses) if ruling.winner == SIDES[1] else losses
    return f"{title}; lost {first:,}, {shortened_name(other, NAME)} {second:,}"


def nation_rows(index: SeasonIndex, rows: Sequence[StandingRecord], most: int) -> Data:
    """Return the short table of nations: their places on the map, else their dead, wars won, and Stability."""
    places = count_places(index.years[-1].holders) if index.years else {}
    columns: dict[str, Callable[[StandingRecord], str]] = {
        "Places": lambda row: f"{places.get(row.nation, 0)}" if places else "",
        "Men lost": lambda row: "" if places or row.men_lost is None else f"{row.men_lost:,}",
        "Won": lambda row: f"{row.won} of {row.wars}",
        "Stability": lambda row: "" if row.stability_now is None else f"{row.stability_now:.0f}",
    }
    ordered = sorted(rows, key=lambda row: -places.get(row.nation, 0))[:most]
    kept = {head: text for head, text in columns.items() if any(map(text, ordered))}
    return {
        "ruleset": rows[0].ruleset,
        "heads": list(kept),
        "rows": [
            {
                "nation": shortened_name(row.nation, NAME),
                "page": index.nation_pages[row.nation],
                "colour": index.colours.get(row.nation, ""),
                "cells": [text(row) for text in kept.values()],
            }
            for row in ordered
        ],
    }


def standing_rows(index: SeasonIndex, rows: Sequence[StandingRecord]) -> Data:
    """Return a table of standings without blank columns."""
    cells = [[_signed(text(row)) for header, text in COLUMNS.items() if header != "Nation"] for row in rows]
    heads = [header for header in COLUMNS if header != "Nation"]
    kept = [place for place in range(len(heads)) if any(row[place] for row in cells)]
    return {
        "ruleset": rows[0].ruleset,
        "heads": [heads[place] for place in kept],
        "rows": [
            {
                "nation": shortened_name(row.nation, NAME),
                "page": index.nation_pages[row.nation],
                "cells": [texts[place] for place in kept],
            }
            for row, texts in zip(rows, cells, strict=True)
        ],
    }


def _signed(text: str) -> str:
    """Return a number with a minus sign instead of a hyphen."""
    return f"−{text[1:]}" if text.startswith("-") else text
