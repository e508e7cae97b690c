"""Files that a pass writes beside the workbook: a log of each ruling and pictures of the battles."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, TextIO

from engine.battle_map import Scene
from engine.place_map import PlaceMap
from engine.ruleset import LogSink, Outcome, no_op
from sheets_algo.config.plain_png import chunk
from sheets_algo.forms.base import Form
from sheets_algo.ruling.plan import Progress, Ruling
from sheets_algo.ruling.receipts.receipts import StoredReceipt, fingerprint_of
from sheets_algo.runtime.after_commit.pass_note import PassNote
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.atomic_file import atomic_write
from sheets_algo.workbook.changes import ChangeSet, NewTab, Picture
from sheets_algo.workbook.errors import WorkbookError, WorkbookUnavailable
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.template_spec import BATTLE_MAP, MAP_CAPTION

DRAWN_MOST = 100
"""Maximum number of maps that a pass draws; the receipts of the others can draw theirs at any time."""
NAME_MOST = 80
"""Maximum bytes of one part of a file name: three joined parts stay below the 255 of common file systems."""
MARK_AT = 33
"""Bytes of a PNG up to the end of its first chunk, behind which that of the ruling is."""
MARKED = b"Ruling\0"
"""Beginning of the text of that chunk."""


UNDRAWN = "Of {:,} maps the last {:,} are drawn; replay with --png draws any other."


def file_name(text: str) -> str:
    """Return a text as part of a name that every file system accepts, of at most `NAME_MOST` bytes."""
    safe = "".join(sign if sign.isalnum() or sign in " -_.,'" else "_" for sign in text)
    return safe.encode()[:NAME_MOST].decode(errors="ignore").strip(" .") or "_"


@dataclass(frozen=True, slots=True)
class _LogFile:
    """A log file that a pass made."""

    request: str  # The id of the request
    path: Path  # Path of the file
    name: Path  # Path that the file would have without the files of other runs
    made: os.stat_result  # State of the file when it was made, which identifies it

    def delete(self) -> None:
        """Delete the file; a run that was quicker may have done so, and given the name to a file of its own."""
        with suppress(FileNotFoundError):
            if os.path.samestat(self.made, self.path.stat()):
                self.path.unlink()


@dataclass
class Logs:
    """Log files of a pass, one per ruling; every line is on disk before the next hour is fought (LOG-01)."""

    folder: Path | None  # The folder of the logs; None writes none
    now: datetime  # The time shown in the names of the files
    note: PassNote  # The note of the pass
    _files: list[_LogFile] = field(default_factory=list)
    _open_files: list[TextIO] = field(default_factory=list)

    def __enter__(self) -> Logs:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        try:
            self._close()
        except WorkbookUnavailable:
            if kind is None:  # else the first error is the one to report
                self.discard()
                raise
        if kind is not None and issubclass(kind, WorkbookError):  # a crash leaves what was reached
            self.discard()

    def start(self, form: Form[Any], request: str) -> LogSink:
        """Close the log of the ruling before, and return the sink for the lines of a new ruling.

        Raises:
            WorkbookUnavailable: The file cannot be written, now or when lines are added.
        """
        if self.folder is None:
            return no_op
        self._close()
        with self._file_errors(request):
            self.folder.mkdir(parents=True, exist_ok=True)
            stream = self._new_file(request, _log_name(form, self.now, request))

        def write(lines: Iterable[str]) -> None:
            with self._file_errors(request):
                _write(stream, lines)

        return write

    def _new_file(self, request: str, name: str) -> TextIO:
        """Create a text file with a name that no other run uses, even one that began in the same second."""
        noted = self.note.logs_of_others()
        for path in _names(self.folder or Path(), name):
            if path.exists() or path in noted:
                continue
            self.note.add_log(request, path)
            try:
                stream = path.open("x", encoding="utf-8")
            except FileExistsError:
                self.note.add_taken(path)
                continue
            self._open_files.append(stream)
            self._files.append(_LogFile(request, path, path.with_name(f"{name}.txt"), os.fstat(stream.fileno())))
            return stream
        raise AssertionError("unreachable")

    def _close(self) -> None:
        """Close the open file; a network drive may find only now that it is full.

        Raises:
            WorkbookUnavailable: The file is not what was written.
        """
        if self._open_files:
            with self._file_errors(self._files[-1].request):
                self._open_files.pop().close()

    @contextmanager
    def _file_errors(self, request: str) -> Iterator[None]:
        """Turn errors of the file system into WorkbookUnavailable, since no ruling may go without its log."""
        try:
            yield
        except OSError as error:
            place = error.filename or self.folder  # the note of the pass, in another folder, belongs to each log
            message = f"The log of {request} cannot be written to {place} ({error.strerror})."
            raise WorkbookUnavailable(message) from error

    @property
    def files(self) -> tuple[Path, ...]:
        """Return the files that were written, in order."""
        return tuple(file.path for file in self._files)

    def discard(self) -> None:
        """Delete all logs, since the rulings that they describe were not written."""
        with suppress(WorkbookUnavailable):
            self._close()
        self.forget([file.request for file in self._files])

    def forget(self, requests: Iterable[str]) -> None:
        """Delete the logs of some requests, whose rulings cannot be written.

        Raises:
            WorkbookUnavailable: The last log cannot be written.
        """
        self._close()
        dropped = set(requests)
        for file in self._files:
            if file.request in dropped:
                file.delete()
        self._files = [file for file in self._files if file.request not in dropped]
        if not self._files:
            with suppress(OSError):  # what is left over is found by the next pass
                self.note.delete()

    def prepare_commit(self, receipts: Sequence[StoredReceipt]) -> None:
        """Note the receipts that are about to be written.

        Raises:
            WorkbookUnavailable: The note cannot be written.
        """
        if receipts:
            with self._file_errors(receipts[0].request):
                self.note.add_receipts(receipts)

    def finish(self) -> None:
        """Delete the note, since all files of the pass are complete."""
        with suppress(OSError):
            self.note.delete()

    def drop_numbers(self) -> None:
        """Give each file the name that it would have without the files of other runs, if that is free by now."""
        noted = self.note.logs_of_others()
        for at, file in enumerate(self._files):
            if not file.name.exists() and file.name not in noted:
                with suppress(OSError):
                    self._files[at] = replace(file, path=file.path.rename(file.name))


def _names(folder: Path, name: str) -> Iterator[Path]:
    """Yield the paths that a text file of a name may have, the best first."""
    yield folder / f"{name}.txt"
    yield from (folder / f"{name} ({number}).txt" for number in count(2))


def complete_log(
    folder: Path, now: datetime, form: Form[Any], request: str, ruled: Sequence[str], last: Sequence[str]
) -> None:
    """Complete the log file of a ruling with its last lines; without such a file, write it whole.

    Args:
        now: The time shown in the name of a new file.
        ruled: The lines of the ruling, which identify its file: a request may have been ruled before.
        last: The lines to add at the end.

    Raises:
        OSError: The file cannot be read or written.
    """
    start, text = ("".join(f"{line}\n" for line in lines) for lines in (ruled, (*ruled, *last)))
    folder.mkdir(parents=True, exist_ok=True)
    ending = re.compile(re.escape(f"Z {file_name(request)}") + r"(?: \(\d+\))?$")
    for file in folder.glob("*.txt"):
        if ending.search(file.stem) and file.read_text(encoding="utf-8", errors="replace") in (start, text):
            break
    else:
        file = next(path for path in _names(folder, _log_name(form, now, request)) if not path.exists())
    with atomic_write(file) as new:
        new.write_text(text, encoding="utf-8")


def _log_name(form: Form[Any], now: datetime, request: str) -> str:
    return f"{form.key.capitalize()} log {now.strftime('%Y-%m-%dT%H-%M-%SZ')} {file_name(request)}"


def _write(stream: TextIO, lines: Iterable[str]) -> None:
    stream.writelines(f"{line}\n" for line in lines)
    stream.flush()


def picture_path(session: Session, receipt: StoredReceipt) -> Path:
    """Return the path of the map of a ruling's battle."""
    return artifact_path(picture_folder(session), session.workbook.name, receipt, "png")


def picture_folder(session: Session) -> Path:
    """Return the folder of the maps of battles."""
    return session.folder / "pictures"


def preview_path(folder: Path, workbook: str, request: str) -> Path:
    """Return the path of the map of a request before its ruling."""
    return folder / f"{' '.join(map(file_name, (stem(workbook), request)))} preview.png"


def write_previews(scenes: Iterable[tuple[Path, Scene]]) -> Iterator[Path]:
    """Draw and write maps before rulings one by one, and yield the files.

    Raises:
        OSError: A file cannot be written.
    """
    for path, scene in scenes:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as new:
            new.write_bytes(draw_map(scene))
        yield path


def artifact_path(folder: Path, workbook: str, receipt: StoredReceipt, ending: str) -> Path:
    """Return the path of a file on a ruling, named after the workbook, the request and the war."""
    parts = (stem(workbook), receipt.request, receipt.war)
    return folder / f"{' '.join(map(file_name, parts))}.{ending}"


def stem(workbook: str) -> str:
    """Return the name of a workbook without the ending of a file."""
    return re.sub(r"(?i)\.xlsx$", "", workbook)


def maps_of(outcome: Outcome) -> tuple[Scene | PlaceMap, ...]:
    """Return what can be drawn of a ruling: its battle, otherwise the places of its units."""
    return outcome.scenes or ((outcome.places,) if outcome.places else ())


def draw_map(battle_map: Scene | PlaceMap) -> bytes:
    """Return a map as a PNG."""
    from sheets_algo.pictures import draw, places, side_colours, strokes  # Pillow: a pass without rulings draws nothing

    if isinstance(battle_map, Scene):
        return draw(side_colours.coloured(battle_map))
    return places.draw_places(battle_map, strokes.SIDE_COLOURS)


def draw_ruling(receipt: StoredReceipt, battle_map: Scene | PlaceMap) -> bytes:
    """Return the map of a ruling as a PNG that names what it was drawn from."""
    png = draw_map(battle_map)
    return png[:MARK_AT] + _mark(receipt) + png[MARK_AT:]


def is_drawn(path: Path, receipt: StoredReceipt) -> bool:
    """Return True if a file is the map of this ruling, and not of another one whose request and war had its names.

    One without a mark was drawn by an earlier version, and counts as the ruling's.
    """
    mark = _mark(receipt)
    try:
        with path.open("rb") as file:
            content = file.read(MARK_AT + len(mark))[MARK_AT:]
    except OSError:
        return False
    return content == mark or MARKED not in content


def _mark(receipt: StoredReceipt) -> bytes:
    """Return the chunk that names a ruling, without its place in the chain, which secret games keep (RCP-19)."""
    drawn_from = f"{receipt.fingerprint} {receipt.seed} {receipt.rules_fingerprint}"
    return chunk(b"tEXt", MARKED + fingerprint_of(drawn_from).encode())


class RulingPictures:
    """Maps of a pass, of battles and of the places of units, the last `DRAWN_MOST` of them.

    Only that of the last battle is drawn before the commit, so that the commit does not wait for the others.
    """

    def __init__(self, rulings: Sequence[Ruling]) -> None:
        maps = [(ruling.receipt, battle_map) for ruling in rulings for battle_map in maps_of(ruling.outcome)]
        self._maps = maps[-DRAWN_MOST:]
        self._all = len(maps)
        self._last = next((drawn for drawn in reversed(self._maps) if isinstance(drawn[1], Scene)), None)
        self._png = draw_ruling(*self._last) if self._last else b""

    def add_map(self, changes: ChangeSet, snapshot: Snapshot, session: Session) -> ChangeSet:
        """Return the changes with the last map and the name of its file (MAP-07), and its tab if it is missing."""
        if self._last is None:
            return changes
        receipt, _ = self._last
        file = f"the file {picture_path(session, receipt).name} in the folder pictures, and on the site of the season"
        where = file if session.draws_pictures else f"drawn by replay {receipt.request} --png"
        key = snapshot.key(BATTLE_MAP)
        picture = Picture(key, self._png, text=f"{MAP_CAPTION} {receipt.war}, before and after, is {where}.")
        tabs = () if snapshot.sheet(key) else (NewTab(key, ()),)
        return replace(changes, tabs=(*changes.tabs, *tabs), pictures=(picture,))

    def save(self, session: Session, progress: Progress) -> tuple[tuple[Path, ...], str]:
        """Draw and write the maps one by one; return the files written and a sentence if any map is missing.

        Without the setting `pictures` nothing is written.
        """
        if not session.draws_pictures:
            return (), ""
        saved: list[Path] = []
        for drawn in self._maps:
            receipt, _ = drawn
            progress("Drawing", receipt.request, len(self._maps))
            path = picture_path(session, receipt)
            png = self._png if drawn is self._last else draw_ruling(*drawn)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with atomic_write(path) as new:
                    new.write_bytes(png)
            except OSError as error:
                return tuple(saved), f"{path} cannot be written ({error.strerror}); replay with --png draws it again."
            saved.append(path)
        return tuple(saved), UNDRAWN.format(self._all, len(saved)) if len(saved) < self._all else ""
