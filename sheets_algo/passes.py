"""A pass at the edge: read, plan, commit; logs written while battles run, pictures drawn, tried again when stale."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from engine.fields import tab_of
from engine.outcome import Listener, silent
from sheets_algo import season
from sheets_algo.changes import Changes
from sheets_algo.desk import HEADERS_TO_READ, Desk, Ear, Plan, ReceiptBook, Ruling, Secret, pending, plan, tabs_to_read
from sheets_algo.forms.base import Form
from sheets_algo.library import Library
from sheets_algo.pictures import draw
from sheets_algo.rulesets import RULESETS, open_forms
from sheets_algo.template.parts import BATTLE_MAP
from sheets_algo.workbook.base import ChangeSet, NewTab, Picture, Snapshot, StaleWorkbook, Workbook, WorkbookError

TRIES = 3
"""How often a pass is planned anew when people save in the meantime."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where things lie and what they are made with.

    Args:
        workbook: The spreadsheet.
        folder: Beside it: logs, pictures and the season secret.
        library: Tables, rulebook, packaged maps.
        own_maps: A moderator's maps folder.
        log_lines_most: Of one ruling in the Log tab.
        clock: The time now, UTC and aware.
    """

    workbook: Workbook
    folder: Path
    library: Library
    own_maps: Path | None = None
    log_lines_most: int = 500
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    def now(self) -> str:
        """UTC, ISO 8601, to the second."""
        return self.clock().strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True)
class Opened:
    """A snapshot with the forms of the rulesets it plays by."""

    snapshot: Snapshot
    forms: tuple[Form[Any], ...]
    receipts: ReceiptBook

    def form(self, key: str) -> Form[Any] | None:
        """The form of one ruleset, if the workbook has its request tab."""
        return next((form for form in self.forms if form.key == key), None)


@dataclass(frozen=True, slots=True)
class Passed:
    """What a pass did.

    Args:
        plan: What it found and planned.
        is_written: Whether anything was committed.
        remarks: Of the commit.
        logs: One file a ruling.
        pictures: Files drawn.
    """

    plan: Plan
    is_written: bool
    remarks: tuple[str, ...] = ()
    logs: tuple[Path, ...] = ()
    pictures: tuple[Path, ...] = ()


class NoRequestTab(WorkbookError):
    """A workbook in which nobody can ask for a ruling."""


def opened(place: Place, *, begins: bool = False) -> Opened:
    """Read the workbook and build what its rulesets need.

    Args:
        place: Workbook and surroundings.
        begins: It need not have a request tab yet.

    Raises:
        WorkbookUnavailable: It cannot be read.
        NoRequestTab: It is no map game's.
        ConfigError: A table file is wrong.
        ReceiptDamaged: A receipt was changed by hand.
    """
    snapshot = place.workbook.read(tabs_to_read(RULESETS), (*HEADERS_TO_READ, BATTLE_MAP))
    chosen = [form for form in RULESETS if snapshot.sheet(tab_of(form.request).name)]
    if not chosen and not begins:
        names = " or ".join(tab_of(form.request).name for form in RULESETS)
        raise NoRequestTab(f"{place.workbook.name}: it has no tab {names}; add one with init, or name another file.")
    forms = open_forms(place.library, chosen, place.own_maps)
    return Opened(snapshot, forms, ReceiptBook(snapshot, Changes()))


Begins = Callable[[str, int], None]
"""Hears the id of each request as its ruling begins, and how many there are in all."""


def unheard(request: str, of: int) -> None:
    """Nobody watches."""


def run(place: Place, *, dry: bool = False, forced: bool = False, begins: Begins = unheard) -> Passed:
    """One pass.

    Args:
        place: Workbook and surroundings.
        dry: Plan only; nothing is written anywhere.
        forced: Write into protected tabs too.
        begins: Who watches.

    Raises:
        WorkbookError: As `opened`, or the workbook cannot be written.
        StaleWorkbook: It changed under every try.
    """
    for attempt in range(1, TRIES + 1):
        seen = opened(place)
        logs = _Logs(None if dry else place.folder / "logs", place.clock())
        with logs:
            secret = season.find(place.folder, seen.receipts.receipts.season)
            desk = _desk(place, seen, secret or season.make())
            of = pending(seen.snapshot, seen.forms, seen.receipts.receipts)
            made = plan(seen.snapshot, desk, place.now(), _ear(logs, begins, of))
        if dry or not made.changes:
            return Passed(made, False)
        if made.rulings and secret is None:
            season.keep(place.folder, desk.secret)
        pictures = _drawn(made.rulings)
        try:
            changes = replace(_with_last_picture(seen, made.changes, pictures), forced=forced)
            committed = place.workbook.commit(seen.snapshot, changes)
        except StaleWorkbook:
            logs.discard()
            if attempt == TRIES:
                raise
            continue
        except BaseException:
            logs.discard()
            raise
        return Passed(made, True, committed.remarks, logs.files, _saved(pictures, place))
    raise AssertionError("unreachable")


def _desk(place: Place, seen: Opened, secret: Secret) -> Desk:
    return Desk(
        forms=seen.forms,
        fingerprints={form.key: place.library.fingerprint(form.key) for form in seen.forms},
        secret=secret,
        log_lines_most=place.log_lines_most,
    )


def _ear(logs: _Logs, begins: Begins, of: int) -> Ear:
    def listen(form: Form[Any], request: str) -> Listener:
        begins(request, of)
        return logs.of(form, request)

    return listen


@dataclass
class _Logs:
    """LOG-01: a text file a ruling, in which every line is on disk before the next hour is fought."""

    folder: Path | None
    now: datetime
    paths: list[Path] = field(default_factory=list)
    open_files: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> _Logs:
        return self

    def __exit__(self, *error: object) -> None:
        self.open_files.close()

    def of(self, form: Form[Any], request: str) -> Listener:
        if self.folder is None:
            return silent
        self.open_files.close()  # the ruling before is over
        self.folder.mkdir(exist_ok=True)
        stamp = self.now.strftime("%Y-%m-%dT%H-%M-%SZ")
        path = self.folder / f"{form.key.capitalize()} log {stamp} {file_name(request)}.txt"
        stream = self.open_files.enter_context(path.open("w", encoding="utf-8"))
        self.paths.append(path)
        return lambda lines: _write(stream, lines)

    @property
    def files(self) -> tuple[Path, ...]:
        return tuple(self.paths)

    def discard(self) -> None:
        """The rulings were not written: their logs would tell of battles that did not happen."""
        for path in self.paths:
            path.unlink(missing_ok=True)


def _write(stream: TextIO, lines: Iterable[str]) -> None:
    stream.writelines(f"{line}\n" for line in lines)
    stream.flush()


def file_name(words: str) -> str:
    """A name that every file system takes, as like the words as may be."""
    return "".join(sign if sign.isalnum() or sign in " -_.,'" else "_" for sign in words).strip(" .")[:80] or "_"


def _drawn(rulings: Sequence[Ruling]) -> list[tuple[str, bytes]]:
    return [
        (f"{file_name(ruling.receipt.request)} {file_name(ruling.receipt.war)}.png", draw(scene))
        for ruling in rulings
        for scene in ruling.outcome.scenes
    ]


def _with_last_picture(seen: Opened, changes: ChangeSet, pictures: Sequence[tuple[str, bytes]]) -> ChangeSet:
    if not pictures:
        return changes
    tabs = () if seen.snapshot.sheet(BATTLE_MAP) else (NewTab(BATTLE_MAP, ()),)
    return replace(changes, tabs=(*changes.tabs, *tabs), pictures=(Picture(BATTLE_MAP, pictures[-1][1]),))


def _saved(pictures: Sequence[tuple[str, bytes]], place: Place) -> tuple[Path, ...]:
    folder = place.folder / "pictures"
    saved = []
    for name, png in pictures:
        folder.mkdir(exist_ok=True)
        saved.append(folder / f"{Path(place.workbook.name).stem} {name}")
        saved[-1].write_bytes(png)
    return tuple(saved)
