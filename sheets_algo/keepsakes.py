"""What a pass leaves in its folder: a log of each ruling, written while it is fought, and pictures of the battles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, TextIO

from engine.outcome import Listener, silent
from sheets_algo.forms.base import Form
from sheets_algo.pictures import draw
from sheets_algo.pictures.mosaic import legend, mosaics
from sheets_algo.places import Place
from sheets_algo.plans import Ruling
from sheets_algo.receipts import Receipt
from sheets_algo.template.parts import BATTLE_MAP
from sheets_algo.whole import whole
from sheets_algo.workbook.base import ChangeSet, NewTab, Picture, Snapshot, WorkbookError, WorkbookUnavailable

NAME_MOST = 80
"""Bytes of a part of a file's name: three parts and what joins them stay below the 255 of common file systems."""

Begins = Callable[[str, str, int], None]
"""Hears what begins (Ruling, Drawing), for which request, and how many there are in all."""


def unheard(what: str, request: str, of: int) -> None:
    """Nobody watches."""


def file_name(words: str) -> str:
    """A part of a name that every file system takes, as like the words as may be; at most `NAME_MOST` bytes."""
    safe = "".join(sign if sign.isalnum() or sign in " -_.,'" else "_" for sign in words)
    return safe.encode()[:NAME_MOST].decode(errors="ignore").strip(" .") or "_"


@dataclass
class Logs:
    """LOG-01: a text file a ruling, in which every line is on disk before the next hour is fought.

    Args:
        folder: Where they go; None writes none.
        now: Stands in their names.
    """

    folder: Path | None
    now: datetime
    _paths: list[tuple[str, Path]] = field(default_factory=list)
    _open_files: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Logs:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self._close()
        if kind is not None and issubclass(kind, WorkbookError):  # a crash leaves what was reached
            self.discard()

    def of(self, form: Form[Any], request: str) -> Listener:
        """Who writes down one ruling; the ruling before is over.

        Raises:
            WorkbookUnavailable: The file cannot be written, at once or later.
        """
        if self.folder is None:
            return silent
        self._close()
        with self._told(request):
            self.folder.mkdir(parents=True, exist_ok=True)
            path, stream = _new_file(self.folder, _log_name(form, self.now, request))
        self._open_files.enter_context(stream)
        self._paths.append((request, path))

        def hear(lines: Iterable[str]) -> None:
            with self._told(request):
                _write(stream, lines)

        return hear

    def _close(self) -> None:
        """Every line that was heard is in the files; what a full disk refused was told of then."""
        with suppress(OSError):
            self._open_files.close()

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
        """What was written, in order."""
        return tuple(path for _, path in self._paths)

    def discard(self) -> None:
        """The rulings were not written: their logs would tell of battles that did not happen."""
        self.forget([request for request, _ in self._paths])

    def forget(self, requests: Iterable[str]) -> None:
        """The same for some requests, whose rulings cannot be written."""
        self._close()
        forgotten = set(requests)
        for _, path in (it for it in self._paths if it[0] in forgotten):
            path.unlink(missing_ok=True)
        self._paths = [it for it in self._paths if it[0] not in forgotten]


def _new_file(folder: Path, name: str) -> tuple[Path, TextIO]:
    """A text file that no other run writes, or discards, even one that began in the same second."""
    for number in count(1):
        path = folder / (f"{name}.txt" if number == 1 else f"{name} ({number}).txt")
        try:
            return path, path.open("x", encoding="utf-8")
        except FileExistsError:
            continue
    raise AssertionError("unreachable")


def completed_log(
    folder: Path, now: datetime, form: Form[Any], request: str, ruled: Sequence[str], last: Sequence[str]
) -> None:
    """Have a ruling's log file end with some lines; where there is none, it is written whole.

    Args:
        folder: Where logs go.
        now: Stands in the name of a new one.
        form: The request's.
        request: Its id.
        ruled: The lines of the ruling, by which its file is known: a request may have been ruled before.
        last: The lines at the end.

    Raises:
        OSError: The file cannot be read or written.
    """
    begins, text = ("".join(f"{line}\n" for line in lines) for lines in (ruled, (*ruled, *last)))
    folder.mkdir(parents=True, exist_ok=True)
    ending = re.compile(re.escape(f"Z {file_name(request)}") + r"(?: \(\d+\))?$")
    for file in folder.glob("*.txt"):
        if ending.search(file.stem) and file.read_text(encoding="utf-8", errors="replace") in (begins, text):
            break
    else:
        file, stream = _new_file(folder, _log_name(form, now, request))
        stream.close()
    with whole(file) as new:
        new.write_text(text, encoding="utf-8")


def _log_name(form: Form[Any], now: datetime, request: str) -> str:
    return f"{form.key.capitalize()} log {now.strftime('%Y-%m-%dT%H-%M-%SZ')} {file_name(request)}"


def _write(stream: TextIO, lines: Iterable[str]) -> None:
    stream.writelines(f"{line}\n" for line in lines)
    stream.flush()


def picture_of(place: Place, receipt: Receipt) -> Path:
    """Where the map of a ruling's battle lies."""
    parts = (re.sub(r"(?i)\.xlsx$", "", place.workbook.name), receipt.request, receipt.war)
    return place.folder / "pictures" / f"{' '.join(map(file_name, parts))}.png"


class Pictures:
    """The maps of a pass. Only the last is drawn before the commit: nobody shall wait for the others to be drawn."""

    def __init__(self, rulings: Sequence[Ruling]) -> None:
        self._scenes = [(ruling.receipt, scene) for ruling in rulings for scene in ruling.outcome.scenes]
        self._last = draw(self._scenes[-1][1]) if self._scenes else None

    def placed(self, changes: ChangeSet, snapshot: Snapshot) -> ChangeSet:
        """The changes with the last map, as a picture and as coloured cells (MAP-07), and the tab for it if need be."""
        if self._last is None:
            return changes
        _, scene = self._scenes[-1]
        picture = Picture(BATTLE_MAP, self._last, title=scene.title, mosaics=mosaics(scene), legend=legend(scene))
        tabs = () if snapshot.sheet(BATTLE_MAP) else (NewTab(BATTLE_MAP, ()),)
        return replace(changes, tabs=(*changes.tabs, *tabs), pictures=(picture,))

    def save(self, place: Place, begins: Begins) -> tuple[tuple[Path, ...], str]:
        """Draw and write them one by one; which were written, and what kept the others from it, in a sentence."""
        saved: list[Path] = []
        for receipt, scene in self._scenes:
            begins("Drawing", receipt.request, len(self._scenes))
            path = picture_of(place, receipt)
            is_last = len(saved) == len(self._scenes) - 1
            png = self._last if is_last and self._last else draw(scene)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with whole(path) as new:
                    new.write_bytes(png)
            except OSError as error:
                return tuple(saved), f"{path} cannot be written ({error.strerror}); replay with --png draws it again."
            saved.append(path)
        return tuple(saved), ""
