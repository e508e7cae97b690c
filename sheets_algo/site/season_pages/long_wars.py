"""The pages of wars of several battles (REQ-19)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.columns import loosely
from sheets_algo.pages.site_page import TEXT_MOST, shortened_name
from sheets_algo.replays.long_wars import LongWar
from sheets_algo.ruling.receipts.receipt_rows import Membership
from sheets_algo.season.records import RulingRecord
from sheets_algo.site.paging import NAME, Data, SiteFile
from sheets_algo.site.season_index import SeasonIndex
from sheets_algo.site.season_pages.tables import short_war_rows


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
