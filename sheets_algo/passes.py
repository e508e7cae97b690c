"""A pass at the edge: read, plan, commit; logs written while battles run, pictures drawn, tried again when stale."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, TextIO

from engine.fields import tab_of
from engine.outcome import Listener, silent
from sheets_algo import season
from sheets_algo.changes import Changes
from sheets_algo.desk import HEADERS_TO_READ, Desk, Ear, Plan, ReceiptBook, Ruling, Secret, pending, plan, tabs_to_read
from sheets_algo.forms.base import Form
from sheets_algo.healing import healed
from sheets_algo.library import Library
from sheets_algo.pictures import draw
from sheets_algo.pictures.mosaic import legend, mosaics
from sheets_algo.receipts import Receipt, Receipts
from sheets_algo.rulesets import RULESETS, open_forms
from sheets_algo.template.parts import BATTLE_MAP
from sheets_algo.workbook.base import (
    ChangeSet,
    NewTab,
    Picture,
    Snapshot,
    StaleWorkbook,
    UnknownOutcome,
    Workbook,
    WorkbookError,
    WorkbookUnavailable,
    a1,
)

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
        most: Characters that one pass writes, roughly, before it leaves the rest to the next; None for all at once.
        clock: The time now, UTC and aware.
    """

    workbook: Workbook
    folder: Path
    library: Library
    own_maps: Path | None = None
    log_lines_most: int = 500
    most: int | None = None
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
        unsaved: Why pictures are missing, in a sentence; blank when none is.
        is_partial: There is more to do at once.
    """

    plan: Plan
    is_written: bool
    remarks: tuple[str, ...] = ()
    logs: tuple[Path, ...] = ()
    pictures: tuple[Path, ...] = ()
    unsaved: str = ""
    is_partial: bool = False


@dataclass(slots=True)
class Memory:
    """What is remembered of a workbook from one pass to the next; a pass without it rules at first sight.

    Args:
        known: What the pass before saw in each request (`Desk.known`).
        doubts: Commits to which no answer came, the oldest first.
        displaced: Writes under which rows were moved, with what they were planned on, until they are put right.
    """

    known: Mapping[str, str] | None = field(default_factory=dict)
    doubts: list[_Doubt] = field(default_factory=list)
    displaced: list[tuple[Snapshot, ChangeSet]] = field(default_factory=list)

    def overtake(self, guard: int | None) -> None:
        """A later commit was let through: whatever was in doubt comes no more, and has not come with the same guard."""
        for doubt in self.doubts:
            doubt.is_overtaken = True
            if guard is not None and doubt.changes.guard == guard:
                doubt.logs.discard()
        self.doubts = [doubt for doubt in self.doubts if guard is None or doubt.changes.guard != guard]


@dataclass(slots=True, eq=False)
class _Doubt:
    """A commit that may have been carried out, or may be yet."""

    snapshot: Snapshot
    changes: ChangeSet
    plan: Plan
    logs: _Logs
    pictures: _Pictures
    is_overtaken: bool = False

    def is_over(self, receipts: Receipts) -> bool:
        """Whether its fate is sealed: its guard has been used, by whichever commit, or a later one was let through."""
        if self.changes.guard is None:
            return self.is_overtaken
        return self.changes.guard < receipts.next_seq

    def is_done(self, receipts: Receipts) -> bool:
        """Whether what stands in the workbook is its work."""
        written = [receipts.by_seq.get(ruling.receipt.seq) for ruling in self.plan.rulings]
        planned = [ruling.receipt for ruling in self.plan.rulings]
        return bool(planned) and [_name_of(it) for it in written] == [_name_of(it) for it in planned]


def _name_of(receipt: Receipt | None) -> tuple[str, ...]:
    return (receipt.request, receipt.seed, receipt.inputs_fingerprint, receipt.time) if receipt else ()


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


Begins = Callable[[str, str, int], None]
"""Hears what begins (Ruling, Drawing), for which request, and how many there are in all."""


def unheard(what: str, request: str, of: int) -> None:
    """Nobody watches."""


def run(
    place: Place,
    *,
    dry: bool = False,
    forced: bool = False,
    begins: Begins = unheard,
    memory: Memory | None = None,
) -> Passed:
    """One pass.

    Args:
        place: Workbook and surroundings.
        dry: Plan only; nothing is written anywhere.
        forced: Write into protected tabs too.
        begins: Who watches.
        memory: A watcher's of this workbook; it is brought up to date.

    Raises:
        WorkbookError: As `opened`, or the workbook cannot be written.
        StaleWorkbook: It changed under every try.
        UnknownOutcome: No answer came to any try.
    """
    memory = memory or Memory(known=None)
    _put_right(place, memory)
    for attempt in range(1, TRIES + 1):
        seen = opened(place)
        found = _settled(place, seen, memory, begins)
        if found:
            return found
        logs = _Logs(None if dry else place.folder / "logs", place.clock())
        with logs:
            secret = season.find(place.folder, seen.receipts.receipts.season)
            desk = _desk(place, seen, secret or season.make(), memory)
            of = pending(seen.snapshot, seen.forms, seen.receipts.receipts)
            made = plan(seen.snapshot, desk, place.now(), _ear(logs, begins, of))
            if dry or not made.changes:
                memory.known = _known(memory, made)
                return Passed(made, False)
            if made.rulings and secret is None:
                season.keep(place.folder, desk.secret)
            pictures = _Pictures(made.rulings)
            changes = replace(made.changes, forced=forced)
            if not made.left:  # else the next pass places a later one
                changes = _with_last_picture(seen, changes, pictures)
        try:
            committed = place.workbook.commit(seen.snapshot, changes)
        except WorkbookError as error:  # whatever else stops a commit, Ctrl+C say, may come too late to stop it
            if isinstance(error, UnknownOutcome):
                memory.doubts.append(_Doubt(seen.snapshot, changes, made, logs, pictures))
            else:
                logs.discard()
            if not isinstance(error, StaleWorkbook) or attempt == TRIES:
                raise
            continue
        memory.known = _known(memory, made)
        memory.overtake(changes.guard)
        remarks = committed.remarks
        if committed.is_displaced:
            memory.displaced.append((seen.snapshot, changes))
            try:
                remarks += _put_right(place, memory)
            except WorkbookError as error:  # the rulings stand, and are told of
                remarks += (f"Rows were moved while the program wrote; the next look puts that right. {error}",)
        saved, unsaved = pictures.save(place, begins)
        return Passed(made, True, remarks, logs.files, saved, unsaved, made.is_partial)
    raise AssertionError("unreachable")


def _known(memory: Memory, made: Plan) -> Mapping[str, str] | None:
    return None if memory.known is None else made.known


def _settled(place: Place, seen: Opened, memory: Memory, begins: Begins) -> Passed | None:
    """Find out what became of commits without an answer; what one did is reported late, and put right if need be."""
    receipts = seen.receipts.receipts
    for doubt in memory.doubts:
        # Whether one without a receipt was carried out does not matter; where it went does.
        if doubt.changes.guard is None and healed(doubt.snapshot, doubt.changes, seen.snapshot, RULESETS):
            memory.doubts.remove(doubt)
            memory.displaced.append((doubt.snapshot, doubt.changes))
            return Passed(doubt.plan, True, _put_right(place, memory))
    over = [doubt for doubt in memory.doubts if doubt.is_over(receipts)]
    memory.doubts = [doubt for doubt in memory.doubts if not doubt.is_over(receipts)]
    done = next((doubt for doubt in over if doubt.is_done(receipts)), None)
    for doubt in over:
        if doubt is not done:
            doubt.logs.discard()
    if done is None:
        return None
    memory.displaced.append((done.snapshot, done.changes))
    remarks = ("No answer came to the write, but it was carried out.", *_put_right(place, memory))
    saved, unsaved = done.pictures.save(place, begins)
    return Passed(done.plan, True, remarks, done.logs.files, saved, unsaved, is_partial=True)


HEALED = "Rows were moved while the program wrote: {} cells were put right."


def _put_right(place: Place, memory: Memory) -> tuple[str, ...]:
    """Put displaced writes right, also those that were made to put others right; what was done, in sentences."""
    remarks: list[str] = []
    for _ in range(2 * TRIES):
        if not memory.displaced:
            return tuple(remarks)
        found = opened(place).snapshot
        mended = healed(*memory.displaced[-1], found, RULESETS)
        if not mended:
            del memory.displaced[-1]
            continue
        try:
            committed = place.workbook.commit(found, mended)
        except UnknownOutcome:
            memory.displaced.append((found, mended))
        except StaleWorkbook:  # moved again: looked at once more
            continue
        else:
            remarks.append(HEALED.format(len(mended.cells)))
            if committed.is_displaced:
                memory.displaced.append((found, mended))
    cells = {f"{cell.tab}!{a1(cell.row, cell.column)}" for _, changes in memory.displaced for cell in changes.cells}
    memory.displaced.clear()
    return (*remarks, f"Rows were moved while the program wrote, and again since: look at {', '.join(sorted(cells))}.")


def _desk(place: Place, seen: Opened, secret: Secret, memory: Memory) -> Desk:
    return Desk(
        forms=seen.forms,
        fingerprints={form.key: place.library.fingerprint(form.key) for form in seen.forms},
        secret=secret,
        log_lines_most=place.log_lines_most,
        known=memory.known,
        most=place.most,
    )


def _ear(logs: _Logs, begins: Begins, of: int) -> Ear:
    def listen(form: Form[Any], request: str) -> Listener:
        begins("Ruling", request, of)
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

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self.open_files.close()
        if kind is not None and issubclass(kind, WorkbookError):  # a crash leaves what was reached
            self.discard()

    def of(self, form: Form[Any], request: str) -> Listener:
        if self.folder is None:
            return silent
        self.open_files.close()  # the ruling before is over
        stamp = self.now.strftime("%Y-%m-%dT%H-%M-%SZ")
        with self._told(request):
            self.folder.mkdir(parents=True, exist_ok=True)
            path, stream = _new_file(self.folder, f"{form.key.capitalize()} log {stamp} {file_name(request)}")
        self.open_files.enter_context(stream)
        self.paths.append(path)

        def hear(lines: Iterable[str]) -> None:
            with self._told(request):
                _write(stream, lines)

        return hear

    @contextmanager
    def _told(self, request: str) -> Iterator[None]:
        """No ruling without its log."""
        try:
            yield
        except OSError as error:
            said = f"The log of {request} cannot be written to {self.folder} ({error.strerror})."
            raise WorkbookUnavailable(said) from error

    @property
    def files(self) -> tuple[Path, ...]:
        return tuple(self.paths)

    def discard(self) -> None:
        """The rulings were not written: their logs would tell of battles that did not happen."""
        for path in self.paths:
            path.unlink(missing_ok=True)


def _new_file(folder: Path, name: str) -> tuple[Path, TextIO]:
    """A text file that no other run writes, or discards, even one that began in the same second."""
    for number in count(1):
        path = folder / (f"{name}.txt" if number == 1 else f"{name} ({number}).txt")
        try:
            return path, path.open("x", encoding="utf-8")
        except FileExistsError:
            continue
    raise AssertionError("unreachable")


def _write(stream: TextIO, lines: Iterable[str]) -> None:
    stream.writelines(f"{line}\n" for line in lines)
    stream.flush()


def file_name(words: str) -> str:
    """A name that every file system takes, as like the words as may be."""
    return "".join(sign if sign.isalnum() or sign in " -_.,'" else "_" for sign in words).strip(" .")[:80] or "_"


class _Pictures:
    """The maps of a pass. Only the last is drawn before the commit: nobody shall wait for the others to be drawn."""

    def __init__(self, rulings: Sequence[Ruling]) -> None:
        self._scenes = [(ruling.receipt, scene) for ruling in rulings for scene in ruling.outcome.scenes]
        self.last = draw(self._scenes[-1][1]) if self._scenes else None

    def placed(self) -> Picture | None:
        """The last map, as a picture and as coloured cells, for the workbook."""
        if self.last is None:
            return None
        _, scene = self._scenes[-1]
        return Picture(BATTLE_MAP, self.last, title=scene.title, mosaics=mosaics(scene), legend=legend(scene))

    def save(self, place: Place, begins: Begins) -> tuple[tuple[Path, ...], str]:
        """Draw and write them one by one; which were written, and what kept the others from it."""
        folder = place.folder / "pictures"
        saved: list[Path] = []
        for receipt, scene in self._scenes:
            begins("Drawing", receipt.request, len(self._scenes))
            name = f"{file_name(receipt.request)} {file_name(receipt.war)}.png"
            path = folder / f"{Path(place.workbook.name).stem} {name}"
            is_last = len(saved) == len(self._scenes) - 1
            png = self.last if is_last and self.last else draw(scene)
            try:
                folder.mkdir(parents=True, exist_ok=True)
                path.write_bytes(png)
            except OSError as error:
                return tuple(saved), f"{path} cannot be written ({error.strerror}); replay with --png draws it again."
            saved.append(path)
        return tuple(saved), ""


def _with_last_picture(seen: Opened, changes: ChangeSet, pictures: _Pictures) -> ChangeSet:
    picture = pictures.placed()
    if picture is None:
        return changes
    tabs = () if seen.snapshot.sheet(BATTLE_MAP) else (NewTab(BATTLE_MAP, ()),)
    return replace(changes, tabs=(*changes.tabs, *tabs), pictures=(picture,))
