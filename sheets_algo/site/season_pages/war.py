"""The page of a war, those of its log, and those of wars of several battles (REQ-19)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial

import msgspec
from markupsafe import escape

from engine.columns import loosely
from engine.receipt import Line
from sheets_algo.database.cell_text import as_text
from sheets_algo.pages.site_page import TEXT_MOST, read_receipt, shortened_name
from sheets_algo.pictures import opening_of
from sheets_algo.replays.long_wars import LongWar
from sheets_algo.replays.luck_report import RULE as LUCK
from sheets_algo.ruling.receipts.receipt_rows import Membership
from sheets_algo.season.records import SIDES, ForecastRecord, LogRecord, RulingRecord
from sheets_algo.site.paging import (
    NAME,
    SEASON_PICTURE,
    Data,
    SiteFile,
    fitted_blocks,
    key_of,
    page_links,
    page_path,
    weighed_parts,
)
from sheets_algo.site.season_index import SeasonIndex, program, summary_of
from sheets_algo.site.season_pages.charts import bars
from sheets_algo.site.season_pages.tables import short_war_rows

_SCORE = re.compile(r" \(-?\d+\.\d+\)$")
OCCUPATION = "Occupation"
"""Label of a receipt's line that ends with a score, which the page leaves out; the wiki's receipt has it."""
CHANGES_MOST = 60
"""Maximum number of database cells on the page of a war; changes.csv has all of them."""


def war_pages(index: SeasonIndex, place: int) -> Iterator[SiteFile]:
    """Yield the page of a ruling, and those of its log."""
    ruling, season = index.rulings[place], index.season
    address, lines = index.war_pages[ruling.seq], index.log.get(ruling.seq, [])
    logged = [line for line in lines if line.rule != LUCK or line.hour is not None]
    luck = [line for line in lines if line.rule == LUCK and line.hour is None]
    undo = season.undo_of(ruling)
    latest = index.latest[loosely(ruling.request)]
    changes = [change for change in index.changes.get(ruling.seq, []) if change.kind == "Ruling"]
    forecast = index.forecasts.get(loosely(ruling.request))
    lost = ruling.attacker_lost, ruling.defender_lost
    data = {
        "title": shortened_name(ruling.war or ruling.request, TEXT_MOST),
        "request": shortened_name(ruling.request, NAME),
        "ruleset": ruling.ruleset,
        "time": ruling.time,
        "mark": season.mark_of(season.receipt(ruling)),
        "sides": [
            {
                "nations": index.linked(nations),
                "lost_by": [
                    (shortened_name(name, NAME), ruling.lost_by[name]) for name in nations if name in ruling.lost_by
                ],
                "role": side,
                "won": ruling.winner == side,
                "lost": men,
            }
            for nations, side, men in zip(ruling.nations, SIDES, lost, strict=True)
            if nations
        ],
        "part_of": part_of(index, ruling.seq),
        "undone": undo.time if undo else "",
        "again": index.war_pages[latest] if latest != ruling.seq else "",
        "receipt": ruling.receipt,
        "picture": _picture(index, ruling),
        "map": address if ruling.seq in index.extras.maps else "",
        "opening": opening_of(index.extras.maps[ruling.seq]) if ruling.seq in index.extras.maps else None,
        "replay": address if ruling.seq in index.extras.replays else "",
        "log": address if logged else "",
        "luck": [shortened_name(line.text, TEXT_MOST) for line in luck],
        "forecast": _forecast(forecast, has_odds=ruling.win_chance is None) if forecast else None,
        "changes": [
            [shortened_name(as_text(cell), NAME) for cell in (row.tab, row.row, row.field, row.before, row.after)]
            for row in changes[:CHANGES_MOST]
        ],
        "changes_left": max(0, len(changes) - CHANGES_MOST),
        "verdict": shortened_name(index.extras.verdicts.get(ruling.seq, ""), TEXT_MOST),
        "earlier": _neighbour(index, place - 1),
        "later": _neighbour(index, place + 1),
    }
    yield index.page(f"wars/{address}.html", "war.html", data, partial(_receipt, index, ruling))
    if logged:
        yield from _log_pages(index, address, str(data["title"]), logged)


def _receipt(index: SeasonIndex, ruling: RulingRecord) -> Data:
    blocks = [
        replace(block, lines=tuple(map(_without_score, block.lines)))
        for block in read_receipt(ruling.receipt).all_blocks
    ]
    return {
        "blocks": fitted_blocks(blocks),
        "bars": bars(index, ruling),
        "description": summary_of(ruling),
    }


def _without_score(line: Line) -> Line:
    return replace(line, text=_SCORE.sub("", line.text)) if line.label == OCCUPATION else line


def _picture(index: SeasonIndex, ruling: RulingRecord) -> str:
    """Return the preview picture of a ruling: the odds hour by hour, the map, or that of the season."""
    address = index.war_pages[ruling.seq]
    if ruling.seq in index.extras.replays:
        return f"replays/{address}.png"
    return f"maps/{address}.png" if ruling.seq in index.extras.maps else SEASON_PICTURE


def _neighbour(index: SeasonIndex, place: int) -> Data | None:
    if not 0 <= place < len(index.rulings):
        return None
    ruling = index.rulings[place]
    return {"page": index.war_pages[ruling.seq], "title": shortened_name(ruling.war or ruling.request, NAME)}


def _forecast(row: ForecastRecord, *, has_odds: bool) -> Data:
    """Return a forecast, without its odds if the log has the likelihood of the result, which is shown instead."""
    odds = [("Attacker wins", row.attacker_wins), ("Defender wins", row.defender_wins), ("Undecided", row.undecided)]
    return {
        "odds": [(name, f"{share:g} %") for name, share in odds if has_odds and share is not None],
        "battles": row.battles,
        "error": row.error,
        "course": shortened_name(row.course, TEXT_MOST),
    }


def _log_pages(index: SeasonIndex, address: str, war: str, lines: Sequence[LogRecord]) -> Iterator[SiteFile]:
    """Yield the pages of a log, which are laid out only if they must be written."""
    known = key_of(msgspec.json.encode([(line.hour, line.event, line.text, line.rule) for line in lines]))

    @cache
    def parts() -> list[list[Data]]:
        return list(weighed_parts([_log_line(line) for line in lines], _log_weight))

    def content(path: str, number: int) -> bytes:
        data = {"title": title, "address": address, "lines": parts()[number - 1]}
        return index.page(path, "log.html", data | {"pages": page_links(f"logs/{address}", count, number)}).make()

    title, count = f"Log of {shortened_name(war)}", index.log_parts.get(known) or len(parts())
    index.log_parts_now[known] = count
    for number in range(1, count + 1):
        path = page_path(f"logs/{address}", number)
        key = key_of(msgspec.json.encode((program(), index.shared, title, known, number)))
        yield SiteFile(path, key, partial(content, path, number))


def _log_line(line: LogRecord) -> Data:
    return {"hour": line.hour, "event": line.event, "text": shortened_name(line.text, TEXT_MOST), "rule": line.rule}


def _log_weight(line: Data) -> int:
    """Estimate the bytes of a line of a log on a page, mostly those of its text."""
    return 120 + len(escape(line["text"]).encode(errors="replace"))


def long_war_pages(index: SeasonIndex) -> Iterator[SiteFile]:
    """Yield the page of each war of several battles: score, sides, and battles."""
    rulings = {ruling.seq: ruling for ruling in index.rulings}
    for war in index.season.long_wars:
        battles = [rulings[battle.ruling.seq] for battle in war.battles]
        sides, rows = _sides(index, war, battles), short_war_rows(index, battles)
        won = [war.winners.get(ruling.seq) for ruling in battles] if sides else []
        marks = [{"winner": side, "colour": "" if side is None else sides[side]["colour"]} for side in won]
        yield index.page(
            f"long-wars/{index.long_war_pages[war.key]}.html",
            "long_war.html",
            {
                "title": shortened_name(war.name, NAME),
                "text": shortened_name(f"{war.state}.", TEXT_MOST) if sides else _standing(war),
                "sides": sides,
                "terms": war.sides.terms if war.sides else "",
                "receipts": [f"Receipt {receipt.seq}: {receipt.wiki}" for receipt, _ in war.declared],
                "wars": [{**row, **mark} for row, mark in zip(rows, marks, strict=True)] if sides else rows,
            },
        )


def _sides(index: SeasonIndex, war: LongWar, battles: Sequence[RulingRecord]) -> list[Data]:
    """Return both sides with the battles that each has won, and its members; none without sides."""
    if war.sides is None:
        return []
    return [
        {
            "name": shortened_name(name, NAME),
            "won": won,
            "is_winner": name == war.winner,
            "colour": index.colours.get(members[0].name, ""),
            "members": [_member(index, war, member, battles) for member in members],
        }
        for members, name, won in zip((war.sides.a, war.sides.b), war.sides.short_names, war.won, strict=True)
    ]


def _member(index: SeasonIndex, war: LongWar, member: Membership, battles: Sequence[RulingRecord]) -> Data:
    """Return a member of a side: its years there, the battles that it fought in them, and the men that it lost."""
    lost = []
    for battle, ruling in zip(war.battles, battles, strict=True):
        for own, of_side in zip(battle.members, (ruling.attacker_lost, ruling.defender_lost), strict=True):
            if loosely(member.name) in map(loosely, own) and member.is_in(battle.year):
                lost.append(ruling.lost_by.get(member.name) if len(own) > 1 else of_side)
    (linked,) = index.linked([member.name])
    return linked | {
        "colour": index.colours.get(member.name, ""),
        "years": member.years,
        "fought": len(lost),
        "lost": sum(filter(None, lost)),
    }


def long_war_rows(index: SeasonIndex) -> list[Data]:
    """Return the wars of several battles with their scores, the last one first."""
    return [{**_linked(index, war), "text": _standing(war)} for war in reversed(index.season.long_wars)]


def part_of(index: SeasonIndex, seq: int) -> Data | None:
    """Return the war of several battles around a ruling; None for none."""
    wars = (war for war in index.season.long_wars if any(battle.ruling.seq == seq for battle in war.battles))
    return next((_linked(index, war) for war in wars), None)


def _linked(index: SeasonIndex, war: LongWar) -> Data:
    return {"page": index.long_war_pages[war.key], "title": shortened_name(war.name, NAME)}


def _standing(war: LongWar) -> str:
    return shortened_name(f"{war.standing}.", TEXT_MOST)
