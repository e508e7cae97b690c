"""Building of a season's site: pages, maps, replays and downloads, written where they changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from engine.ruleset import no_op
from sheets_algo.boards.board_rows import open_boards
from sheets_algo.config.maps import BadMap
from sheets_algo.config.settings import Settings
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.tables import Table
from sheets_algo.forms.capabilities import BoardForm, SecretForm
from sheets_algo.forms.databases import colours_of
from sheets_algo.forms.request_columns import request_id
from sheets_algo.forms.rulesets import check_rulesets
from sheets_algo.pages.board_page import board_digest, board_page
from sheets_algo.pages.replay_page import replay_digest, replay_page, replay_preview
from sheets_algo.pages.site_page import addresses, picture_address
from sheets_algo.replays.replay import EQUAL, Verdict, replay, verify
from sheets_algo.ruling.plan import Progress, Ruling
from sheets_algo.ruling.promises.promises import Promises
from sheets_algo.ruling.receipts.chain import losses
from sheets_algo.ruling.receipts.receipt_rows import LogRow
from sheets_algo.runtime.after_commit.artifacts import is_drawn, picture_path
from sheets_algo.runtime.after_commit.replay_pages import ReplayedBattle, fought_again
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.record import noted_heads
from sheets_algo.runtime.session.session import OpenWorkbook, Session, Subscriber, opened
from sheets_algo.runtime.session.world import open_world, world_rows
from sheets_algo.season.records import LogRecord, RecordList, RulingRecord
from sheets_algo.season.season import Season, log_records
from sheets_algo.site.contents import season_files
from sheets_algo.site.folder import SiteFolder, SiteResult
from sheets_algo.site.paging import VERIFY_PAGE, SiteFile, key_of
from sheets_algo.site.public import PublicSeason
from sheets_algo.site.season_index import Extras, SeasonIndex, program, season_title, site_address
from sheets_algo.site.workbook_copy import workbook_copy
from sheets_algo.site.world_years import WorldYear, world_files, world_years
from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.snapshot import Sheet


@dataclass(frozen=True, slots=True)
class SiteOptions:
    """The choices of a moderator for a site."""

    folder: Path
    hidden: frozenset[str] = frozenset()  # The rulesets without logs, replays and odds on it
    replays: bool = False  # True to fight each war again for its replay, and to verify it
    verifies: bool = False  # True to recompute each receipt, for the verdicts of `verify`
    with_workbook: bool = False  # True to offer a public workbook
    boards: bool = False  # True to offer a strategy board for each side of each announced, unruled war


def site_options(
    chosen: Settings, folder: Path, *, replays: bool = False, verifies: bool = False, with_workbook: bool = False
) -> SiteOptions:
    """Return the options of a site by the settings.

    Raises:
        BadSetting: A setting names a ruleset that does not exist.
    """
    return SiteOptions(
        folder,
        check_rulesets("site_hides", chosen.site_hides),
        replays or chosen.replays,
        verifies,
        with_workbook,
        chosen.boards,
    )


def write_site(
    session: Session,
    book: OpenWorkbook,
    options: SiteOptions,
    progress: Progress = no_op,
    log: RecordList[LogRecord] | None = None,
) -> SiteResult:
    """Write the changed files of a season's site.

    Args:
        log: The lines of the tab Log; None if it was read with the workbook.

    Raises:
        WorkbookUnavailable: A file cannot be written, or the folder holds something else.
    """
    folder = SiteFolder(options.folder)
    site = _Site(session, PublicSeason(book, options.hidden, log, options.with_workbook), options, folder, progress)
    return folder.update(site.files(), book.receipts.season)


def site_writer(session: Session, options: SiteOptions) -> Subscriber:
    """Return a subscriber that keeps a site current: it reads the workbook again and writes changed files.

    It reads the tab Log, by far the longest, only once, and then adds the rows of each pass.
    """
    known: KnownLog | None = None

    def update_site(result: Any) -> list[Path]:
        nonlocal known
        before, known = known, None  # forgotten if anything fails
        book = opened(session, whole=(LogRow,) if before is None else ())
        log = before.with_rows_of(result, book) if before else None
        if log is None:
            book = book if before is None else opened(session, whole=(LogRow,))
            log = KnownLog(Season(book).log, _rulings(book))
        made = write_site(session, book, options, log=log.lines)
        known = log
        return [options.folder / "index.html"] if made.written or made.removed else []

    return update_site


@dataclass(frozen=True, slots=True)
class KnownLog:
    """The tab Log, as cached by a process."""

    lines: RecordList[LogRecord]
    rulings: frozenset[int]  # The numbers of the receipts that it covers

    def with_rows_of(self, result: Any, book: OpenWorkbook) -> KnownLog | None:
        """Return the log with the rows that a pass appended; None if it must be read.

        Args:
            result: The `PassResult`; None if something else changed the workbook.
            book: The workbook after the pass, with the header of its log.
        """
        table = Table.of(book.snapshot, LogRow)
        if result is None or result.plan.writes.repaired or table.sheet is None:
            return None
        if _rulings(book) - self.rulings - {ruling.receipt.seq for ruling in result.plan.rulings}:
            return None  # another process ruled
        head = table.header_row
        rows = [row.values for row in result.plan.writes.changes.rows if row.tab == table.key]
        cells = {head: table.cells(head)} | dict(enumerate(rows, start=head + 1))
        added = log_records(Table(LogRow, Sheet(table.title, cells)))
        return KnownLog(RecordList(LogRecord, (*self.lines, *added)), _rulings(book))


def _rulings(book: OpenWorkbook) -> frozenset[int]:
    return frozenset(receipt.seq for receipt in book.receipts.rulings)


@dataclass
class _Site:
    """The files of a site, including maps and replays."""

    session: Session
    season: PublicSeason
    options: SiteOptions
    folder: SiteFolder
    progress: Progress
    _last_fought: dict[int, ReplayedBattle] = field(default_factory=dict)

    def files(self) -> Iterator[SiteFile]:
        """Yield all files of the site."""
        title, receipts = season_title(self.session, self.season.rulings), self.season.book.receipts
        years, maps = self._world(title)
        copy = workbook_copy(self.season) if self.season.with_workbook else b""
        downloads = [f"{name}.csv" for name in self.season.tables] + (["season.xlsx"] if copy else [])
        plain = SeasonIndex(
            self.season,
            title,
            self.session.library,
            site_address(self.session),
            log_parts=self.folder.manifest.log_parts,
            years=years,
            has_verify_page=(self.options.folder / VERIFY_PAGE).is_file(),
            lost=self.season.told(losses(receipts, noted_heads(self.session, receipts.record_key, asks=False))),
        )
        announced = tuple(announced_wars(self.season)) if self.options.boards else ()
        yield from (file for war in announced for file in war.files)
        pictures = dict(self._pictures())
        keys = self._keys()
        replays = {seq: key for seq, key in keys.items() if self._has_replay(seq, plain.war_pages[seq], key)}
        verdicts = {seq: self.folder.manifest.verdicts[key] for seq, key in keys.items()}
        self.folder.manifest.verdicts = {key: self.folder.manifest.verdicts[key] for key in keys.values()}
        index = replace(
            plain,
            downloads=downloads,
            boards=[(war.title, war.links) for war in announced],
            extras=Extras(pictures, replays, verdicts),
        )
        yield from season_files(index)
        yield from maps
        self.folder.manifest.log_parts = index.log_parts_now
        for seq, picture in pictures.items():
            stat = picture.stat()
            key = f"{stat.st_size} {stat.st_mtime_ns}"
            yield SiteFile(f"maps/{plain.war_pages[seq]}.png", key, picture.read_bytes)
        for ruling in self.season.rulings:
            if ruling.seq in replays:
                yield from self._replay(ruling, f"replays/{plain.war_pages[ruling.seq]}", replays[ruling.seq])
        for name in self.season.tables:
            yield SiteFile(f"downloads/{name}.csv", key_of(self.season.csv(name)), partial(self.season.csv, name))
        if copy:
            yield SiteFile("downloads/season.xlsx", hashlib.sha256(copy).hexdigest(), lambda: copy)

    def _world(self, title: str) -> tuple[Sequence[WorldYear], Sequence[SiteFile]]:
        """Return the map of the game year by year with its pictures; none without a usable map."""
        try:
            world = open_world(self.session, world_rows(self.season.book))
        except BadMap:
            return (), ()
        years = world_years(self.season) if world else []
        if world is None or not any(any(pair) for year in years for pair in year.holders.values()):
            return (), ()
        maps = world_files(world, years, title, program(), self.folder.has)
        return (years if maps else ()), maps

    def _pictures(self) -> Iterator[tuple[int, Path]]:
        """Yield the picture of each ruling that has one; a later ruling of a request overwrites it."""
        for ruling in self.season.rulings:
            receipt = self.season.receipt(ruling)
            path = picture_path(self.session, receipt)
            if is_drawn(path, receipt):
                yield ruling.seq, path

    def _keys(self) -> dict[int, str]:
        """Return for each verified war a digest of its replay's dependencies; verify others if requested.

        Unequal ones are verified again: a missing map may exist now.
        """
        verdicts = self.folder.manifest.verdicts
        keys = {}
        wanted = {ruling.seq: self._key(ruling) for ruling in self.season.rulings}
        missing = {key for key in wanted.values() if not verdicts.get(key, "").startswith(IS_EQUAL)}
        for ruling in self.season.rulings:
            key = wanted[ruling.seq]
            if (self.options.replays or self.options.verifies) and key in missing:
                self.progress("Verifying", ruling.request, len(missing))
                verdicts[key] = self._verdict(ruling)
            if key in verdicts:
                keys[ruling.seq] = key
        return keys

    def _key(self, ruling: RulingRecord) -> str:
        receipt = self.season.receipt(ruling)
        has_luck = self.session.is_luck_told and self.season.shows_details(ruling.ruleset)
        page = f"{has_luck} {site_address(self.session)} {replay_digest()}"
        page += " numbered" if self.season.is_partial and not self.season.secret_games else ""
        stored = msgspec.json.encode((receipt.inputs_fingerprint, receipt.seed, ruling.receipt, receipt.changes))
        return hashlib.sha256(stored + f"{self._fingerprint(ruling)} {page}".encode()).hexdigest()

    def _fingerprint(self, ruling: RulingRecord) -> str:
        """Return the digest of the numbers that rule a war now."""
        form = self.season.book.form_of(self.season.receipt(ruling))
        return self.session.library.fingerprint(form.ruleset_key)

    def _verdict(self, ruling: RulingRecord) -> str:
        receipts, receipt = self.season.book.receipts, self.season.receipt(ruling)
        form = self.season.book.form_of(receipt)
        secret = None
        with suppress(WorkbookError):
            secret = season_secret.find(self.session.folder, receipts.season)
        verdict = verify(receipt, form, self._fingerprint(ruling), secret, receipts.options, Promises(receipts))
        return _in_words(verdict, is_reasoned=not self.season.secret_games)

    def _has_replay(self, seq: int, address: str, key: str) -> bool:
        """Return True if a verified war has a replay, or can get one from its hours."""
        receipt = self.season.book.receipts.by_seq[seq]
        has_hours = self.season.book.form_of(receipt).ruleset.has_hours
        is_there = self.folder.has(f"replays/{address}.html", key)
        is_same = self.folder.manifest.verdicts[key].startswith(IS_EQUAL)
        return (
            has_hours and self.season.shows_details(receipt.ruleset) and is_same and (is_there or self.options.replays)
        )

    def _replay(self, ruling: RulingRecord, path: str, key: str) -> Iterator[SiteFile]:
        """Yield the replay page of a ruling, and its preview picture."""
        picture = picture_address(site_address(self.session), path, f"{path}.png")
        war = path.removeprefix("replays/")
        links = (("The season", "../index.html"), ("The war", f"../wars/{war}.html"))
        yield SiteFile(f"{path}.html", key, lambda: replay_page(*self._fought(ruling), picture, links).encode())
        yield SiteFile(f"{path}.png", key, lambda: replay_preview(*self._fought(ruling)))

    def _fought(self, ruling: RulingRecord) -> ReplayedBattle:
        """Return the data of a replay's page and picture; the last one is cached, since both follow each other."""
        if ruling.seq not in self._last_fought:
            receipt, book = self.season.receipt(ruling), self.season.book
            form = book.form_of(receipt)
            self.progress("Replays", ruling.request, len(self.season.rulings))
            painted = replay(receipt, form).painted(colours_of(form, book.snapshot))
            number = str(self.season.number_of(ruling))
            mark = number if self.season.is_partial else self.season.mark_of(receipt)
            battle = Ruling(receipt, painted, form, book.receipts.options, mark=mark)
            has_luck = self.session.is_luck_told and self.season.shows_details(ruling.ruleset)
            self._last_fought = {ruling.seq: fought_again(battle, is_luck_told=has_luck)}
        return self._last_fought[ruling.seq]


IS_EQUAL = EQUAL.capitalize()
"""Beginning of the sentence on an equal receipt."""


def _in_words(verdict: Verdict, *, is_reasoned: bool) -> str:
    """Return the verdict of `verify`, in a sentence for players.

    Args:
        is_reasoned: False to hide the reasons, since they name receipts by number.
    """
    remarks = f" ({'; '.join(verdict.remarks)})" if verdict.remarks else ""
    reasons = "the same inputs and seed give this receipt again"
    if verdict.reasons:
        reasons = "; ".join(verdict.reasons) if is_reasoned else "verify tells moderators why"
    return f"{verdict.result.capitalize()}: {reasons}{remarks}."


@dataclass(frozen=True, slots=True)
class AnnouncedWar:
    """An announced war without a ruling."""

    title: str  # Its name
    links: tuple[tuple[str, str], ...]  # Each nation with the place of its side's board
    files: tuple[SiteFile, ...]  # The boards


def announced_wars(season: PublicSeason) -> Iterator[AnnouncedWar]:
    """Yield the unruled wars with readable rows, in games without secrets."""
    book = season.book
    forms = [form for form in book.forms if isinstance(form, BoardForm) and not isinstance(form, SecretForm)]
    names = {
        form.key: addresses(filter(None, map(request_id, Table.of(book.snapshot, form.request)))) for form in forms
    }
    for form, _, row, board in open_boards(book.snapshot, forms, book.receipts):
        links, files = [], []
        for side, nation in board.sides.items():
            path = f"boards/{names[form.key][request_id(row)]}-{side.lower()}.html"
            data = board.data([side], is_blank=True)
            key = sha256(f"{board_digest()} {json.dumps(data)}".encode()).hexdigest()
            links.append((nation, path))
            files.append(SiteFile(path, key, partial(_page, data)))
        yield AnnouncedWar(as_text(row.value("war")) or request_id(row), tuple(links), tuple(files))


def _page(data: Mapping[str, Any]) -> bytes:
    return board_page(data).encode()
