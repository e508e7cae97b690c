"""The cached data of a season for the pages of its site, and results of rulings in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

import sheets_algo
from engine.columns import loosely
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.database.colours import hex_of, nation_colours
from sheets_algo.database.grouping import grouped
from sheets_algo.database.members import nation_and_party
from sheets_algo.database.problems import count, year_text
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import by_ruleset, colours_of
from sheets_algo.pages.site_page import (
    Preview,
    addresses,
    picture_address,
    read_receipt,
    shortened_name,
    site_page,
    templates_digest,
    war_addresses,
)
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.runtime.session.session import Session
from sheets_algo.season.records import SIDES, ChangeRecord, ForecastRecord, LogRecord, RulingRecord, StandingRecord
from sheets_algo.site.paging import NAME, SEASON_PICTURE, VERIFY_PAGE, Data, SiteFile, key_of, page_links, page_path
from sheets_algo.site.public import PublicSeason
from sheets_algo.site.world_years import WorldYear

TICKS = 4
"""Number of parts of a chart's time axis, each of which begins with the year of a war."""
LUCKIEST = 30
"""Rulings of the list of the luckiest."""


def season_title(session: Session, rulings: Iterable[RulingRecord | StoredReceipt]) -> str:
    """Return the title of a season: the typed one, otherwise the years of its wars.

    A season without years has the name of its workbook.
    """
    years = sorted(year for year in map(ruled_year, rulings) if year is not None)
    if session.title or not years:
        return session.title or re.sub(r"(?i)\.xlsx$", "", session.workbook.name)
    return f"Wars of {' to '.join(dict.fromkeys(map(year_text, (years[0], years[-1]))))}"


def ruled_year(ruling: RulingRecord | StoredReceipt) -> int | None:
    """Return the year of a ruling, if its inputs have one."""
    return _DATED.decode(ruling.inputs or "{}").year


def site_address(session: Session) -> str:
    """Return the address of the site of a season from a channel of posts; blank for none."""
    return next((channel.site.rstrip("/") for channel in session.channels if channel.site), "")


@dataclass(frozen=True)
class Extras:
    """Maps, replays and verdicts of rulings, which are outside the workbook."""

    maps: Mapping[int, Path] = field(default_factory=dict)  # The picture of the battle, by number of the receipt
    replays: Mapping[int, str] = field(default_factory=dict)  # The key of the replay page, likewise
    verdicts: Mapping[int, str] = field(default_factory=dict)  # The verdict of `verify`, likewise


class _Dated(msgspec.Struct):
    """The inputs of a ruling that a chart reads."""

    year: int | None = None


_DATED = msgspec.json.Decoder(_Dated)


@dataclass(frozen=True)
class SeasonIndex:
    """The indexed season for the pages of its site, and their common frame."""

    season: PublicSeason  # The public part of it
    title: str  # The name of the season
    library: ConfigLoader  # The tables
    address: str = ""  # The address of the site; blank if unknown
    downloads: Sequence[str] = ()  # The names of the files below `downloads/`
    extras: Extras = field(default_factory=Extras)  # The data of rulings outside the workbook
    # The number of pages of a log, by the digest of its lines, if known.
    log_parts: Mapping[str, int] = field(default_factory=dict)
    has_verify_page: bool = False  # True if the page on which players verify receipts lies in the same folder
    lost: str = ""  # The lost and changed receipts, a clause; blank for none
    # Title and links of each announced war with strategy boards.
    boards: Sequence[tuple[str, Sequence[tuple[str, str]]]] = ()
    years: Sequence[WorldYear] = ()  # The map of the game year by year; none without a map
    # The same for the logs of this site, once its files are listed.
    log_parts_now: dict[str, int] = field(default_factory=dict, init=False)

    def page(self, path: str, template: str, data: Data, later: Callable[[], Data] = dict) -> SiteFile:
        """Return a page; `later` computes its costly data, called only if the page must be written."""
        data = {**self.shared, **data, "root": "../" * path.count("/"), "path": path}
        key = key_of(msgspec.json.encode((program(), template, data)))
        return SiteFile(path, key, lambda: site_page(template, self._previewed({**data, **later()})).encode())

    def pages(self, address: str, template: str, parts: Sequence[Data], first: int = 1) -> Iterator[SiteFile]:
        """Yield linked pages, one for each data; number `first` has the bare address."""
        for number, part in enumerate(parts, start=1):
            links = page_links(address, len(parts), number, first)
            yield self.page(page_path(address, number, first), template, {**part, "pages": links})

    def _previewed(self, data: Data) -> Data:
        """Return the data of a page with its link preview; the default sentence and picture are the season's."""
        site, title = str(data["site"]), str(data.get("title", ""))
        picture = picture_address(self.address, str(data["path"]), str(data.get("picture", SEASON_PICTURE)))
        text = data.get("description") or f"{title}: a page of the season {site}."
        return {**data, "preview": Preview(title or site, str(text), picture).tags()}

    @cached_property
    def shared(self) -> Data:
        """Return the common data of all pages."""
        return {
            "site": shortened_name(self.title),
            "games": [key for key, _ in self.games],
            "downloads": self.downloads,
            "verify_page": VERIFY_PAGE if self.has_verify_page else "",
        }

    @cached_property
    def span(self) -> str:
        """Return the number of wars and nations of the season, and its years."""
        wars = sum(not ruling.is_undone for ruling in self.wars)
        if not wars:
            return ""
        years = sorted(year for year in map(ruled_year, self.rulings) if year is not None)
        texts = dict.fromkeys(map(year_text, (years[0], years[-1]))) if years else ()
        nations = f", {count(len(self.nations), 'nation')}" if self.nations else ""
        return f"{count(wars, 'ruling')}{nations}{': ' if texts else ''}{' to '.join(texts)}"

    @cached_property
    def games(self) -> list[tuple[str, tuple[Form[Any], ...]]]:
        """Return the rulesets of the workbook with their forms."""
        return [(forms[0].ruleset_key, forms) for forms in by_ruleset(self.season.book.forms)]

    @cached_property
    def rulings(self) -> tuple[RulingRecord, ...]:
        """Return the public rulings, including undone ones."""
        return self.season.rulings.items

    @cached_property
    def wars(self) -> tuple[RulingRecord, ...]:
        """Return the rulings of wars and orders, without those that only draw a leader."""
        return tuple(ruling for ruling in self.rulings if self._is_news(ruling))

    @cached_property
    def others(self) -> tuple[RulingRecord, ...]:
        """Return the other rulings."""
        return tuple(ruling for ruling in self.rulings if not self._is_news(ruling))

    def _is_news(self, ruling: RulingRecord) -> bool:
        form = self.season.book.form(ruling.ruleset)
        return form is None or not form.drawn_once

    @cached_property
    def war_pages(self) -> Mapping[int, str]:
        """Return the address of each ruling's page by the number of its receipt; a war ruled anew has another."""
        return war_addresses((ruling.seq, ruling.request) for ruling in self.rulings)

    @cached_property
    def long_war_pages(self) -> Mapping[str, str]:
        """Return the address of the page of each such war, by its key."""
        return addresses(war.key for war in self.season.long_wars)

    @cached_property
    def nations(self) -> Mapping[str, list[RulingRecord]]:
        """Return the wars of each nation, undone ones too."""
        nations = ((war, dict.fromkeys(name for side in war.nations for name in side)) for war in self.rulings)
        return grouped((nation, war) for war, names in nations for nation in names)

    def linked(self, names: Iterable[str]) -> list[dict[str, str]]:
        """Return the names of nations with the addresses of their pages."""
        return [{"name": shortened_name(name, NAME), "page": self.nation_pages.get(name, "")} for name in names]

    @cached_property
    def colours(self) -> Mapping[str, str]:
        """Return the colour of each nation in CSS, the same as on maps, pictures and replays."""
        book = self.season.book
        flags = {name: colour for form in book.forms for name, colour in colours_of(form, book.snapshot).items()}
        nations = {name: nation_and_party(name, flags)[0] for name in (*flags, *self.nations)}
        known = nation_colours(flags | dict.fromkeys(name for name in nations.values() if name not in flags))
        return {name: hex_of(known[nation]) for name, nation in nations.items()}

    @cached_property
    def nation_pages(self) -> Mapping[str, str]:
        """Return the address of each nation's page."""
        return addresses(self.nations)

    @cached_property
    def latest(self) -> Mapping[str, int]:
        """Return the number of the last receipt of each request."""
        return {loosely(ruling.request): ruling.seq for ruling in self.rulings}

    @cached_property
    def standings(self) -> list[tuple[str, list[StandingRecord]]]:
        """Return the standings of each ruleset."""
        return [(key, list(rows)) for key, rows in groupby(self.season.standings, lambda row: row.ruleset)]

    @cached_property
    def luckiest(self) -> list[tuple[float, int, RulingRecord]]:
        """Return the wins that occurred in less than half of the comparison battles, the rarest first (FC-06).

        Returns:
            The share of the other battles, the number of the receipt, and the ruling.
        """
        standing = [ruling for ruling in self.rulings if ruling.winner in SIDES and not ruling.is_undone]
        known = [(each.win_chance, each.seq, each) for each in standing if each.win_chance is not None]
        return sorted(row for row in known if row[0] < 0.5)[:LUCKIEST]

    @cached_property
    def ordinals(self) -> Mapping[int, int]:
        """Return the place of each receipt among those that rule or undo, from 1; 0 is the beginning."""
        numbers = sorted({ruling.seq for ruling in self.rulings} | {record.seq for record in self.season.nations})
        return {0: 0} | {seq: place for place, seq in enumerate(numbers, start=1)}

    @cached_property
    def stability(self) -> Mapping[str, Sequence[tuple[int, float]]]:
        """Return the Stability of each nation by the place of the ruling that changed it."""
        steps: dict[str, list[tuple[int, float]]] = {}
        for record in self.season.nations:
            steps.setdefault(record.nation, [(0, record.before)]).append((self.ordinals[record.seq], record.after))
        return steps

    @cached_property
    def ticks(self) -> Mapping[int, str]:
        """Return the years of some wars by the place of their rulings, where the inputs have a year."""
        last = len(self.rulings) - 1
        years: dict[int, str] = {}
        for place in sorted({last * part // TICKS for part in range(TICKS + 1)}):
            ruling = self.rulings[place]
            year = ruled_year(ruling)
            label = "" if year is None else year_text(year)
            if label and label not in years.values():
                years[self.ordinals[ruling.seq]] = label
        return years

    @cached_property
    def log(self) -> Mapping[int | None, list[LogRecord]]:
        """Return the lines of each ruling by the number of its receipt."""
        return grouped((line.seq, line) for line in self.season.log)

    @cached_property
    def changes(self) -> Mapping[int, list[ChangeRecord]]:
        """Return the database cells that each receipt changed, by its number."""
        return grouped((change.seq, change) for change in self.season.changes)

    @cached_property
    def forecasts(self) -> Mapping[str, ForecastRecord]:
        """Return the last forecast of each request."""
        return {loosely(row.request): row for row in self.season.forecasts}


@cache
def program() -> str:
    """Return the common dependencies of all pages beside their data."""
    return f"{sheets_algo.__version__} {templates_digest()}"


def account_of(ruling: RulingRecord) -> tuple[str, ...]:
    """Return headline and sentences of the account of a receipt; none if the rules have none."""
    return read_receipt(ruling.receipt).account


def winner_of(ruling: RulingRecord) -> str:
    """Return the nation that won; the side if the rules have no nations, blank without a winner."""
    return dict(zip(SIDES, (ruling.attacker, ruling.defender), strict=True)).get(ruling.winner, "") or ruling.winner


def leader_of(ruling: RulingRecord) -> str:
    """Return the first nation of the winning side (R-130); blank without a winner, or without nations."""
    sides = dict(zip(SIDES, ruling.nations, strict=True))
    return next(iter(sides.get(ruling.winner, ())), "")


def result_of(ruling: RulingRecord) -> str:
    """Return winner and loser in a sentence."""
    attacker, defender = (shortened_name(name, NAME) for name in (ruling.attacker, ruling.defender))
    if not (attacker and defender):
        return f"Ruled by {ruling.ruleset}."
    if ruling.winner not in SIDES:
        return f"{attacker} against {defender}: nobody won."
    won, lost = (attacker, defender) if ruling.winner == SIDES[0] else (defender, attacker)
    return f"{won} won against {lost}."


def summary_of(ruling: RulingRecord) -> str:
    """Return the result of a ruling: headline and first sentence of its account, otherwise the winner, or its items."""
    if account := account_of(ruling):
        return " ".join(account[:2])
    if ruling.attacker and ruling.defender:
        return result_of(ruling)
    blocks = read_receipt(ruling.receipt).blocks
    return "; ".join(f"{line.label}: {line.text}" for block in blocks for line in block.lines)
