"""The files of a site, from the standings to the last log: each with a key that changes when its content does."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
from markupsafe import escape

import sheets_algo
from engine.columns import loosely
from engine.settings import ConfigPaths, Setting
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.database.cells import shown
from sheets_algo.forms.base import Form, by_ruleset, open_database
from sheets_algo.pages.addresses import addresses, war_addresses
from sheets_algo.pages.bar_chart import bar_chart
from sheets_algo.pages.preview import Preview, picture_address
from sheets_algo.pages.receipt_markup import read_receipt
from sheets_algo.pages.site_page import TEXT_MOST, shortened_name, site_page, site_style, templates_digest
from sheets_algo.pages.stability_chart import COLOURS, stability_chart
from sheets_algo.pictures.preview import season_picture
from sheets_algo.ruling.forecast.luck_report import RULE as LUCK
from sheets_algo.ruling.luck.beacon import QUICKNET
from sheets_algo.ruling.promises.promises import beacon_name
from sheets_algo.runtime.session import Session
from sheets_algo.season.records import ForecastRecord, LogRecord, RulingRecord
from sheets_algo.season.standings import COLUMNS, SIDES, StandingRecord
from sheets_algo.site.paging import NAME, Data, fitted_blocks, listed_parts, page_links, page_path, weighed_parts
from sheets_algo.site.public import PublicSeason
from sheets_algo.site.result_text import account_of, result_of, told_of, winner_of
from sheets_algo.site.rulebook import Chapters, RuleEntry

SEASON_PICTURE = "season.png"
"""Place of the picture of the season."""
VERIFY_PAGE = "verify/index.html"
"""Place of the page on which players verify receipts, if there is one."""
TICKS = 4
"""Parts of a chart's time axis, each of which begins with the year of a war."""
LATEST = 12
"""Wars of the first page."""
WIDE = ("As attacker", "As defender", "Men lost", "Men inflicted")
"""Columns of the standings that a phone leaves to the pages of the nations."""
LUCKIEST = 30
"""Rulings of the list of the luckiest."""
FED = 30
"""Entries of the feed."""
FIRST_STANDINGS = 40
"""Nations of the first page, of all rulesets together."""
NUMBERS_MOST = 40
"""Numbers of a rule that its chapter lists."""
CHANGES_MOST = 60
"""Most database cells that the page of a war lists; changes.csv has all of them."""


def season_title(session: Session) -> str:
    """Return the title of a season: the one that a person gave it, otherwise the name of its workbook."""
    return session.title or re.sub(r"(?i)\.xlsx$", "", session.workbook.name)


def site_address(session: Session) -> str:
    """Return the address of the site of a season, as a channel of posts names it; blank if none does."""
    return next((channel.site.rstrip("/") for channel in session.channels if channel.site), "")


@dataclass(frozen=True, slots=True)
class SiteFile:
    """A file of a site."""

    path: str  # Its place in the folder of the site, with slashes
    key: str  # A digest of all that its content depends on
    make: Callable[[], bytes] = field(compare=False)  # Returns the content


@dataclass(frozen=True)
class Extras:
    """Maps, replays and verdicts of rulings, which the workbook does not hold."""

    maps: Mapping[int, Path] = field(default_factory=dict)  # The picture of the battle, by number of the receipt
    replays: Mapping[int, str] = field(default_factory=dict)  # The key of the replay page, likewise
    verdicts: Mapping[int, str] = field(default_factory=dict)  # What `verify` said, likewise


class _Dated(msgspec.Struct):
    """Inputs of a ruling, as far as a chart reads them."""

    year: int | None = None


@dataclass(frozen=True)
class SiteContents:
    """The pages of a season."""

    season: PublicSeason  # What everybody may know of it
    title: str  # The name of the season
    library: ConfigLoader  # The tables
    address: str = ""  # The address of the site; blank if nobody knows it
    downloads: Sequence[str] = ()  # The names of the files below `downloads/`
    extras: Extras = field(default_factory=Extras)  # What is known of rulings beyond the workbook
    # How many pages a log takes, by the digest of its lines, where that is known.
    log_parts: Mapping[str, int] = field(default_factory=dict)
    has_verify_page: bool = False  # True if the page on which players verify receipts lies in the same folder
    lost: str = ""  # What is gone or changed of the receipts, a clause; blank if nothing is
    # Title and links of each war that is announced and has strategy boards.
    boards: Sequence[tuple[str, Sequence[tuple[str, str]]]] = ()
    # The same for the logs of this site, once its files are listed.
    log_parts_now: dict[str, int] = field(default_factory=dict, init=False)

    def files(self) -> Iterator[SiteFile]:
        """Yield all pages, the style sheet and the feed."""
        style = site_style()
        yield SiteFile("style.css", _digest(style.encode()), style.encode)
        index = self._index()
        yield self._page("index.html", "index.html", index)
        yield self._season_picture(str(index["description"]))
        yield from self._wars()
        yield from self._luckiest()
        yield from self._standings_list()
        for nation in self._nations:
            yield from self._nation(nation)
        for place in range(len(self._rulings)):
            yield from self._war(place)
        yield from self._decisions()
        yield from self._rules()
        for turn, report in self.season.turns.items():
            data = {"title": f"Turn {turn}", "blocks": fitted_blocks(report.blocks)}
            yield self._page(f"turns/{turn}.html", "turn.html", data)
        yield self._page("feed.xml", "feed.xml", self._feed())

    # What all pages share.

    def _page(self, path: str, template: str, data: Data, later: Callable[[], Data] = dict) -> SiteFile:
        """Return a page; `later` is what follows from its data by costly work, done only if it has to be written."""
        data = {**self._shared, **data, "root": "../" * path.count("/"), "path": path}
        key = _digest(msgspec.json.encode((_program(), template, data)))
        return SiteFile(path, key, lambda: site_page(template, self._previewed({**data, **later()})).encode())

    def _previewed(self, data: Data) -> Data:
        """Return the data of a page with what a link to it shows; without an own sentence or picture the season's."""
        site, title = str(data["site"]), str(data.get("title", ""))
        picture = picture_address(self.address, str(data["path"]), str(data.get("picture", SEASON_PICTURE)))
        text = data.get("description") or f"{title}: a page of the season {site}."
        return {**data, "preview": Preview(title or site, str(text), picture).tags()}

    @cached_property
    def _shared(self) -> Data:
        return {
            "site": shortened_name(self.title),
            "games": [key for key, _ in self._games],
            "downloads": self.downloads,
            "verify_page": VERIFY_PAGE if self.has_verify_page else "",
        }

    @cached_property
    def _games(self) -> list[tuple[str, tuple[Form[Any], ...]]]:
        return [(forms[0].ruleset_key, forms) for forms in by_ruleset(self.season.seen.forms)]

    @cached_property
    def _rulings(self) -> tuple[RulingRecord, ...]:
        return self.season.rulings.items

    @cached_property
    def war_pages(self) -> Mapping[int, str]:
        """Return the address of each ruling's page by the number of its receipt; a war ruled anew has another."""
        return war_addresses((ruling.seq, ruling.request) for ruling in self._rulings)

    @cached_property
    def _nations(self) -> Mapping[str, list[RulingRecord]]:
        """Return the wars of each nation, undone ones too."""
        found: dict[str, list[RulingRecord]] = {}
        for ruling in self._rulings:
            for nation in dict.fromkeys((ruling.attacker, ruling.defender)):
                if ruling.attacker and ruling.defender:
                    found.setdefault(nation, []).append(ruling)
        return found

    @cached_property
    def _nation_pages(self) -> Mapping[str, str]:
        return addresses(self._nations)

    @cached_property
    def _latest(self) -> Mapping[str, int]:
        """Return the number of the last receipt of each request."""
        return {loosely(ruling.request): ruling.seq for ruling in self._rulings}

    # Rows of tables.

    def _war_rows(self, rulings: Sequence[RulingRecord]) -> list[Data]:
        return [
            {
                "date": ruling.time[:10],
                "title": shortened_name(ruling.war or ruling.request, NAME),
                "page": self.war_pages[ruling.seq],
                "sides": [
                    {"name": shortened_name(name, NAME), "page": self._nation_pages.get(name, "")}
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

    def _standing_rows(self, rows: Sequence[StandingRecord]) -> Data:
        """Return a table of standings without the columns that are blank for all."""
        cells = [[_signed(text(row)) for header, text in COLUMNS.items() if header != "Nation"] for row in rows]
        heads = [header for header in COLUMNS if header != "Nation"]
        kept = [place for place in range(len(heads)) if any(row[place] for row in cells)]
        return {
            "ruleset": rows[0].ruleset,
            "heads": [heads[place] for place in kept],
            "wide": [heads[place] in WIDE for place in kept],
            "rows": [
                {
                    "nation": shortened_name(row.nation, NAME),
                    "page": self._nation_pages[row.nation],
                    "cells": [texts[place] for place in kept],
                }
                for row, texts in zip(rows, cells, strict=True)
            ],
        }

    @cached_property
    def _standings(self) -> list[tuple[str, list[StandingRecord]]]:
        return [(key, list(rows)) for key, rows in groupby(self.season.standings, lambda row: row.ruleset)]

    # Pages.

    def _index(self) -> Data:
        standing = [ruling for ruling in self._rulings if not ruling.is_undone]
        lead = self._lead(standing[-1]) if standing else None
        counts = f"{len(standing):,} rulings, {len(self._nations):,} nations."
        room = max(5, FIRST_STANDINGS // max(1, len(self._standings)))
        return {
            "title": "",
            "description": f"{counts} Last: {lead['title']}. {lead['text']}".strip()
            if lead
            else "Nothing has been ruled yet.",
            "lead": lead,
            "facts": [
                ("rulings", f"{len(standing):,}"),
                ("nations", f"{len(self._nations):,}"),
                ("undone", f"{len(self._rulings) - len(standing):,}"),
                ("last ruling", self._rulings[-1].time[:10] if self._rulings else "–"),
            ],
            "standings": [self._standing_rows(rows[:room]) for _, rows in self._standings],
            "luckiest": bool(self._lucky),
            "has_luck": any(row.error is not None for row in self.season.standings),
            "has_more": any(len(rows) > room for _, rows in self._standings),
            "wars": self._war_rows(self._rulings[: -LATEST - 1 : -1]),
            "chart": self._chart(),
            "courses": [*self._courses()],
            "turns": sorted(self.season.turns, reverse=True),
            "decisions": len(self.season.overrides),
            "head": self.season.head,
            "lost": self.lost,
            "numbers": self.season.seen.own_numbers(self.library),
            "chain": "" if (chain := self.season.seen.receipts.receipts.luck.chain) == QUICKNET else beacon_name(chain),
            "shown": self.season.shown_otherwise,
            "boards": [{"title": title, "links": links} for title, links in self.boards],
            "given_up": [(time, shortened_name(text, TEXT_MOST)) for time, text in self.season.given_up],
        }

    def _lead(self, ruling: RulingRecord) -> Data:
        """Return what the first page says of the last ruling: title, picture, replay, and the begin of its account."""
        told = account_of(ruling)
        winner = winner_of(ruling)
        return {
            "title": shortened_name(ruling.war or ruling.request, NAME),
            "page": self.war_pages[ruling.seq],
            "map": ruling.seq in self.extras.maps,
            "replay": ruling.seq in self.extras.replays,
            "text": shortened_name(told[0] if told else f"{winner} wins." if winner else "", TEXT_MOST),
            "bars": self._bars(ruling, is_short=True),
        }

    def _bars(self, ruling: RulingRecord, *, is_short: bool = False) -> Data | None:
        """Return the figures of a receipt as bars, with `is_short` those of the first page; None for none."""
        form = self.season.seen.form(ruling.ruleset)
        found = form.bars(read_receipt(ruling.receipt)[1]) if form else None
        if found is None:
            return None
        if is_short:
            found = replace(found, rows=() if found.total else found.rows[:COLOURS])
        return bar_chart(found)

    @cached_property
    def _stability(self) -> Mapping[str, Sequence[tuple[int, float]]]:
        """Return the Stability of each nation by the place of the ruling that changed it."""
        steps: dict[str, list[tuple[int, float]]] = {}
        for record in self.season.nations:
            steps.setdefault(record.nation, [(0, record.before)]).append((self._ordinals[record.seq], record.after))
        return steps

    def _chart(self, nation: str = "") -> Data:
        """Return the chart of the nations with the most wars, or of one; without lines if nothing changed."""
        return self._lines("Stability", self._stability, nation)

    def _most_wars(self, names: Iterable[str]) -> list[str]:
        """Return the nations of these that a chart shows."""
        return sorted(names, key=lambda name: (-len(self._nations.get(name, ())), name))[:COLOURS]

    def _season_picture(self, text: str) -> SiteFile:
        """Return the picture of the season, for links to pages without one of their own: the chart of Stability."""
        lines = {name: self._stability[name] for name in self._most_wars(self._stability)}
        key = _digest(msgspec.json.encode((_program(), self.title, text, lines)))
        return SiteFile(SEASON_PICTURE, key, lambda: season_picture(self.title, text, lines))

    def _courses(self) -> Iterator[Data]:
        """Yield the charts of the figures that rulings of a form write, of forms that have one."""
        for form in self.season.seen.forms:
            title, column = form.course
            steps: dict[str, list[tuple[int, float]]] = {}
            for ruling in self._rulings if column else ():
                if ruling.ruleset != form.key or ruling.is_undone:
                    continue
                for change in self.season.receipt(ruling).changes:
                    if change.field == column and isinstance(change.before, int | float):
                        own = steps.setdefault(change.row, [(0, float(change.before))])
                        own.append((self._ordinals[ruling.seq], float(change.after or 0)))
            if any(len(own) > 2 for own in steps.values()):  # bars show a single change
                yield {"title": title, **self._lines(title, steps)}

    def _lines(self, title: str, steps: Mapping[str, Sequence[tuple[int, float]]], nation: str = "") -> Data:
        """Return a chart of the lines of the nations with the most wars, or of one."""
        known = {name: own for name, own in steps.items() if nation in ("", name)}
        chosen = self._most_wars(known)
        if not chosen:
            return {"lines": []}
        shown_names = [shortened_name(name, NAME) for name in chosen]
        text = f"{title} of {', '.join(shown_names)} from the first ruling to the last"
        ends = len(self._ordinals) - 1
        return {
            "lines": [
                {"nation": short, "page": self._nation_pages.get(name, ""), "now": f"{steps[name][-1][1]:g}"}
                for name, short in zip(chosen, shown_names, strict=True)
            ],
            "svg": str(stability_chart({name: steps[name] for name in chosen}, ends, text, self._ticks)),
            "dates": [] if self._ticks else [self._rulings[0].time[:10], self._rulings[-1].time[:10]],
            "others": len(known) - len(chosen),
        }

    @cached_property
    def _ticks(self) -> Mapping[int, str]:
        """Return the years of some wars by the place of their rulings, where the inputs have a year."""
        last = len(self._rulings) - 1
        years: dict[int, str] = {}
        for place in sorted({last * part // TICKS for part in range(TICKS + 1)}):
            ruling = self._rulings[place]
            year = msgspec.json.decode(ruling.inputs, type=_Dated).year
            label = "" if year is None else f"{year}" if year >= 0 else f"{-year} BC"
            if label and label not in years.values():
                years[self._ordinals[ruling.seq]] = label
        return years

    @cached_property
    def _ordinals(self) -> Mapping[int, int]:
        """Return the place of each receipt among those that rule or undo, from 1; 0 is the beginning."""
        numbers = sorted({ruling.seq for ruling in self._rulings} | {record.seq for record in self.season.nations})
        return {0: 0} | {seq: place for place, seq in enumerate(numbers, start=1)}

    def _wars(self) -> Iterator[SiteFile]:
        """Yield the list of all wars: the last ones on the first page, the others on pages that stay as they are."""
        parts = listed_parts(self._rulings)
        for number, part in enumerate(parts, start=1):
            data = {"title": "Wars", "wars": self._war_rows(part[::-1])}
            data |= {"pages": page_links("wars/index", len(parts), number, first=len(parts))}
            yield self._page(page_path("wars/index", number, first=len(parts)), "wars.html", data)

    @cached_property
    def _lucky(self) -> list[tuple[float, int, RulingRecord]]:
        """Return the wins of fewer than half the other battles of their wars, the rarest first (FC-06).

        Returns:
            The share of the other battles, the number of the receipt, and the ruling.
        """
        standing = [ruling for ruling in self._rulings if ruling.winner in SIDES and not ruling.is_undone]
        known = [(each.win_chance, each.seq, each) for each in standing if each.win_chance is not None]
        return sorted(row for row in known if row[0] < 0.5)[:LUCKIEST]

    def _luckiest(self) -> Iterator[SiteFile]:
        """Yield the list of the luckiest rulings, if there are any."""
        rows = [
            {
                "title": shortened_name(ruling.war or ruling.request, NAME),
                "page": self.war_pages[seq],
                "winner": shortened_name(winner_of(ruling), NAME),
                "share": f"{100 * share:.0f}",
                "date": ruling.time[:10],
            }
            for share, seq, ruling in self._lucky
        ]
        if rows:
            yield self._page("luckiest.html", "luckiest.html", {"title": "Luckiest rulings", "rows": rows})

    def _decisions(self) -> Iterator[SiteFile]:
        """Yield the list of moderators' decisions, by author, if there are any."""
        found = sorted(self.season.overrides, key=lambda decision: decision.by.casefold())
        rows = [
            {
                "by": shortened_name(decision.by, NAME),
                "title": shortened_name(decision.war or decision.request, NAME),
                "page": self.war_pages[decision.seq],
                "kind": decision.kind,
                "what": shortened_name(f"{decision.what} = {decision.value}", TEXT_MOST),
                "reason": shortened_name(decision.reason, TEXT_MOST),
                "undone": decision.is_undone,
            }
            for decision in found
        ]
        parts = list(weighed_parts(rows))
        for number, part in enumerate(parts, start=1):
            data = {
                "title": "Moderators' decisions",
                "rows": part,
                "pages": page_links("decisions", len(parts), number),
            }
            yield self._page(page_path("decisions", number), "decisions.html", data)

    def _standings_list(self) -> Iterator[SiteFile]:
        parts = [part for _, rows in self._standings for part in listed_parts(rows)] or [[]]
        for number, part in enumerate(parts, start=1):
            data: Data = {"title": "Nations", "table": self._standing_rows(part) if part else None}
            pages = page_links("nations/index", len(parts), number)
            yield self._page(page_path("nations/index", number), "nations.html", {**data, "pages": pages})

    def _nation(self, nation: str) -> Iterator[SiteFile]:
        """Yield the pages of a nation: standings, chart and last wars, and lists of its earlier wars."""
        address, parts = f"nations/{self._nation_pages[nation]}", listed_parts(self._nations[nation])
        records = [self._standing_rows([row]) for _, rows in self._standings for row in rows if row.nation == nation]
        for number, part in enumerate(parts, start=1):
            is_first = number == len(parts)
            data = {
                "title": shortened_name(nation, TEXT_MOST),
                "standings": records if is_first else [],
                "chart": self._chart(nation) if is_first else {"lines": []},
                "wars": self._war_rows(part[::-1]),
                "pages": page_links(address, len(parts), number, first=len(parts)),
            }
            yield self._page(page_path(address, number, first=len(parts)), "nation.html", data)

    def _war(self, place: int) -> Iterator[SiteFile]:
        """Yield the page of a ruling, and those of its log."""
        ruling, season = self._rulings[place], self.season
        address, lines = self.war_pages[ruling.seq], self._log.get(ruling.seq, [])
        logged = [line for line in lines if line.rule != LUCK or line.hour is not None]
        luck = [line for line in lines if line.rule == LUCK and line.hour is None]
        undo = season.undo_of(ruling)
        latest = self._latest[loosely(ruling.request)]
        changes = [change for change in self._changes.get(ruling.seq, []) if change.kind == "Ruling"]
        forecast = self._forecasts.get(loosely(ruling.request))
        names, lost = (ruling.attacker, ruling.defender), (ruling.attacker_lost, ruling.defender_lost)
        data = {
            "title": shortened_name(ruling.war or ruling.request, TEXT_MOST),
            "request": shortened_name(ruling.request, NAME),
            "ruleset": ruling.ruleset,
            "time": ruling.time,
            "mark": season.mark_of(season.receipt(ruling)),
            "sides": [
                {
                    "name": shortened_name(name, NAME),
                    "page": self._nation_pages.get(name, ""),
                    "role": side,
                    "won": ruling.winner == side,
                    "lost": men,
                }
                for name, side, men in zip(names, SIDES, lost, strict=True)
                if name
            ],
            "undone": undo.time if undo else "",
            "again": self.war_pages[latest] if latest != ruling.seq else "",
            "receipt": ruling.receipt,
            "picture": self._picture(ruling),
            "map": address if ruling.seq in self.extras.maps else "",
            "replay": address if ruling.seq in self.extras.replays else "",
            "log": address if logged else "",
            "luck": [shortened_name(line.text, TEXT_MOST) for line in luck],
            "forecast": _forecast(forecast, has_odds=ruling.win_chance is None) if forecast else None,
            "changes": [
                [shortened_name(shown(cell), NAME) for cell in (row.tab, row.row, row.field, row.before, row.after)]
                for row in changes[:CHANGES_MOST]
            ],
            "changes_left": max(0, len(changes) - CHANGES_MOST),
            "verdict": shortened_name(self.extras.verdicts.get(ruling.seq, ""), TEXT_MOST),
            "earlier": self._neighbour(place - 1),
            "later": self._neighbour(place + 1),
        }
        yield self._page(f"wars/{address}.html", "war.html", data, partial(self._shown_receipt, ruling))
        if logged:
            yield from self._log_pages(address, str(data["title"]), logged)

    def _shown_receipt(self, ruling: RulingRecord) -> Data:
        return {**_blocks(ruling.receipt), "bars": self._bars(ruling), "description": told_of(ruling)}

    def _picture(self, ruling: RulingRecord) -> str:
        """Return the picture that links to a ruling show: the odds hour by hour, the map, or that of the season."""
        address = self.war_pages[ruling.seq]
        if ruling.seq in self.extras.replays:
            return f"replays/{address}.png"
        return f"maps/{address}.png" if ruling.seq in self.extras.maps else SEASON_PICTURE

    def _log_pages(self, address: str, war: str, lines: Sequence[LogRecord]) -> Iterator[SiteFile]:
        """Yield the pages of a log, which are laid out only if they have to be written."""
        digest = _digest(msgspec.json.encode([(line.hour, line.event, line.text, line.rule) for line in lines]))

        @cache
        def parts() -> list[list[Data]]:
            return list(weighed_parts([_log_line(line) for line in lines], _log_weight))

        def content(path: str, number: int) -> bytes:
            data = {"title": title, "address": address, "lines": parts()[number - 1]}
            return self._page(path, "log.html", data | {"pages": page_links(f"logs/{address}", count, number)}).make()

        title, count = f"Log of {shortened_name(war)}", self.log_parts.get(digest) or len(parts())
        self.log_parts_now[digest] = count
        for number in range(1, count + 1):
            path = page_path(f"logs/{address}", number)
            key = _digest(msgspec.json.encode((_program(), self._shared, title, digest, number)))
            yield SiteFile(path, key, partial(content, path, number))

    def _neighbour(self, place: int) -> Data | None:
        if not 0 <= place < len(self._rulings):
            return None
        ruling = self._rulings[place]
        return {"page": self.war_pages[ruling.seq], "title": shortened_name(ruling.war or ruling.request, NAME)}

    @cached_property
    def _log(self) -> Mapping[int, list[LogRecord]]:
        return _by_seq(self.season.log)

    @cached_property
    def _changes(self) -> Mapping[int, list[Any]]:
        return _by_seq(self.season.changes)

    @cached_property
    def _forecasts(self) -> Mapping[str, ForecastRecord]:
        """Return the last forecast of each request."""
        return {loosely(row.request): row for row in self.season.forecasts}

    def _rules(self) -> Iterator[SiteFile]:
        """Yield the rules of each ruleset by chapters and its tables, with the numbers that the settings leave."""
        for key, forms in self._games:
            settings: tuple[Setting, ...] = ()
            dated: list[str] = []
            raw = self.library.raw(key)
            if tab := forms[0].settings:
                dated += [
                    f"{name} = {value} from {change.since}"
                    for change in tab.dated
                    for name, value in change.numbers.items()
                ]
                settings = tab.read(open_database(self.season.seen.snapshot, forms)).settings
                raw = {**raw, **tab.numbers(settings)}  # a tab has those of the tables that it may change
            own = {setting.name for setting in settings}
            tables: dict[str, dict[str, list[tuple[str, str, bool]]]] = {}
            for path in ConfigPaths(raw, {}).by_name.values():
                table, _, rest = path.name.partition("/")
                group, _, last = rest.rpartition("/")
                groups = tables.setdefault(table, {})
                groups.setdefault(group, []).append((last, f"{path.value:,}", path.name in own))
            book = Chapters(self.library, key, type(forms[0]), raw, own)
            data = {"title": f"Rules of {key}", "ruleset": key, "version": forms[0].ruleset.version}
            data |= {"tables": [(table, sum(map(len, groups.values()))) for table, groups in tables.items()]}
            data |= {"chapters": [(name, ids[0], ids[-1]) for name, ids in book.chapters.items()]}
            data |= {"changed": [*(f"{setting.name} = {setting.value}" for setting in settings), *dated]}
            yield self._page(f"rules/{key}.html", "rules.html", data)
            yield from self._chapters(book)
            for table, groups in tables.items():
                parts = list(weighed_parts([{"name": name, "numbers": group} for name, group in groups.items()]))
                for number, part in enumerate(parts, start=1):
                    page = {"title": f"{table} of {key}", "ruleset": key, "table": table, "rows": part}
                    page |= {
                        "about": str(raw[table].get("about", "")),
                        "pages": page_links(f"rules/{key}/{table}", len(parts), number),
                    }
                    yield self._page(page_path(f"rules/{key}/{table}", number), "numbers.html", page)

    def _chapters(self, book: Chapters) -> Iterator[SiteFile]:
        """Yield the chapters of a rulebook; a long one takes several pages."""
        for chapter, ids in book.chapters.items():
            address = f"rules/{book.book}/rulebook/{chapter}"
            parts = list(weighed_parts([_rule(book.entry(id)) for id in ids]))
            for number, part in enumerate(parts, start=1):
                data = {"title": f"{chapter} of {book.book}", "ruleset": book.book, "chapter": chapter, "rows": part}
                data |= {"pages": page_links(address, len(parts), number)}
                yield self._page(page_path(address, number), "chapter.html", data)

    def _feed(self) -> Data:
        receipts = self.season.seen.receipts.receipts
        root = uuid.uuid5(uuid.NAMESPACE_URL, f"sheets-algo:{receipts.season}")
        begun = next((receipt.time for receipt in receipts.of_kind("Season")), "")
        entries = []
        for ruling in self._rulings[: -FED - 1 : -1]:
            undo = self.season.undo_of(ruling)
            page = self.war_pages[ruling.seq]
            title = shortened_name(ruling.war or ruling.request)
            entries.append(
                {
                    "id": str(uuid.uuid5(root, page)),
                    "title": f"{title} (undone)" if undo else title,
                    "page": page,
                    "updated": _time(undo.time if undo else ruling.time),
                    "published": _time(ruling.time),
                    "summary": self._summary(ruling),
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
            for number, (time, text) in enumerate(self.season.given_up)
        ]
        updated = max((entry["updated"] for entry in entries), default=_time(begun))
        return {"id": str(root), "updated": updated, "entries": entries}

    def _summary(self, ruling: RulingRecord) -> str:
        mark = self.season.mark_of(self.season.receipt(ruling))
        return f"{result_of(ruling)} Receipt {mark}." if mark else result_of(ruling)


def _rule(rule: RuleEntry) -> Data:
    """Return a rule for its chapter; of many numbers only the count, since the page of their table has them."""
    data = {**asdict(rule), "listed": 0}
    if len(rule.numbers) > NUMBERS_MOST:
        data |= {"numbers": (), "listed": len(rule.numbers), "table": rule.numbers[0].name.partition("/")[0]}
    return data


@cache
def _program() -> str:
    """Return what all pages depend on beside their data."""
    return f"{sheets_algo.__version__} {templates_digest()}"


def _blocks(wiki: str) -> Data:
    return {"blocks": fitted_blocks(read_receipt(wiki)[1])}


def _by_seq(records: Sequence[Any]) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    for record in records:
        found.setdefault(record.seq, []).append(record)
    return found


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _signed(text: str) -> str:
    """Return a number with a minus sign instead of a hyphen."""
    return f"−{text[1:]}" if text.startswith("-") else text


def _time(text: str) -> str:
    return text or "1970-01-01T00:00:00Z"


def _log_line(line: LogRecord) -> Data:
    return {"hour": line.hour, "event": line.event, "text": shortened_name(line.text, TEXT_MOST), "rule": line.rule}


def _log_weight(line: Data) -> int:
    """Return roughly how many bytes a line of a log takes on a page: most of them are those of its text."""
    return 120 + len(escape(line["text"]).encode(errors="replace"))


def _forecast(row: ForecastRecord, *, has_odds: bool) -> Data:
    """Return a forecast; without its odds where the log says how likely the result was, which is the estimate shown."""
    odds = [("Attacker wins", row.attacker_wins), ("Defender wins", row.defender_wins), ("Undecided", row.undecided)]
    return {
        "odds": [(name, f"{share:g} %") for name, share in odds if has_odds and share is not None],
        "battles": row.battles,
        "error": row.error,
        "course": shortened_name(row.course, TEXT_MOST),
    }
