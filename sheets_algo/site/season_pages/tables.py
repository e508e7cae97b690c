"""Tables of wars and of standings."""

from __future__ import annotations

from collections.abc import Sequence

from sheets_algo.pages.site_page import shortened_name
from sheets_algo.season.records import RulingRecord
from sheets_algo.season.standings import COLUMNS, SIDES, StandingRecord
from sheets_algo.site.paging import NAME, Data
from sheets_algo.site.season_index import SeasonIndex


def war_rows(index: SeasonIndex, rulings: Sequence[RulingRecord]) -> list[Data]:
    """Return the rows of a table of wars."""
    return [
        {
            "date": ruling.time[:10],
            "title": shortened_name(ruling.war or ruling.request, NAME),
            "page": index.war_pages[ruling.seq],
            "sides": [
                {"name": shortened_name(name, NAME), "page": index.nation_pages.get(name, "")}
                for name in (ruling.attacker, ruling.defender)
            ],
            "winner": SIDES.index(ruling.winner) if ruling.winner in SIDES else -1,
            "lost": [ruling.attacker_lost, ruling.defender_lost],
            "counted": ruling.attacker_lost is not None,
            "undone": ruling.is_undone,
            "sided": bool(ruling.attacker and ruling.defender),
        }
        for ruling in rulings
    ]


def standing_rows(index: SeasonIndex, rows: Sequence[StandingRecord]) -> Data:
    """Return a table of standings without the columns that are blank for all."""
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
