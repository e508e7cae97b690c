"""The folder of a site: only changed files are written, and only the program's own are ever touched."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from sheets_algo.site.paging import SiteFile
from sheets_algo.workbook.atomic_file import write_in_folder
from sheets_algo.workbook.errors import WorkbookUnavailable

MANIFEST = "sheets-algo-site.json"


class SiteEntry(msgspec.Struct, frozen=True):
    """A file that the program wrote."""

    key: str = ""  # The key of its content
    size: int = -1  # Its bytes
    digest: str = ""  # Their SHA-256, which identifies the file later; blank while it is written


class Manifest(msgspec.Struct):
    """The program's own files in the folder of a site."""

    season: str = ""  # The SHA-256 of the season's secret, blank before the first ruling
    files: dict[str, SiteEntry] = {}  # The files by path
    verdicts: dict[str, str] = {}  # The verdict of `verify` on a ruling, by a digest of its dependencies
    # The number of pages of a log, by a digest of its lines, so that an old log is not laid out again.
    log_parts: dict[str, int] = {}


_MANIFEST = msgspec.json.Decoder(Manifest)


@dataclass(frozen=True, slots=True)
class SiteResult:
    """The outcome of writing a site."""

    files: int  # The number of files
    written: tuple[str, ...] = ()  # Paths that were written
    removed: tuple[str, ...] = ()  # Paths that were deleted


@dataclass
class SiteFolder:
    """The folder of a site.

    Raises:
        WorkbookUnavailable: Its list of files cannot be read.
    """

    path: Path  # The folder, created by the first write
    manifest: Manifest = field(init=False)

    def __post_init__(self) -> None:
        file = self.path / MANIFEST
        try:
            self.manifest = _MANIFEST.decode(file.read_bytes())
        except FileNotFoundError:
            self.manifest = Manifest()
        except OSError as error:
            raise WorkbookUnavailable(f"{file} cannot be read ({error.strerror}).") from error
        except msgspec.MsgspecError as error:
            raise WorkbookUnavailable(f"{file} is damaged ({error}): name an empty folder for the site.") from error

    def has(self, path: str, key: str) -> bool:
        """Return True if a file with the content of this key exists."""
        known = self.manifest.files.get(path)
        if known is None or known.key != key:
            return False
        try:
            return (self.path / path).stat().st_size == known.size
        except OSError:
            return False

    def update(self, files: Iterable[SiteFile], season: str) -> SiteResult:
        """Write the changed files, and delete those of the program that are no longer part of the site.

        Raises:
            WorkbookUnavailable: It is the site of another season, a file cannot be written, or a foreign file is in its
                place.
        """
        if self.manifest.season not in ("", season):
            raise WorkbookUnavailable(
                f"{self.path} holds the site of another season: name another folder for this one."
            )
        before, now = self.manifest.files, {file.path: file for file in files}
        changed = [file for path, file in now.items() if not self.has(path, file.key)]
        for file in changed:
            if file.path not in before:
                self._refuse_foreign(file)
        # Noted before the write, so that after a crash they are recognised as the program's own.
        known = {path: before[path] for path in now if path in before}
        self._note(season, before | {file.path: SiteEntry() for file in changed} if changed else before)
        written = []
        for file in changed:
            content = file.make()
            known[file.path] = SiteEntry(file.key, len(content), hashlib.sha256(content).hexdigest())
            if not self._is_there(file.path, content):
                self._put(self.path / file.path, content)
                written.append(file.path)
        removed = [path for path in before if path not in now]
        for path in removed:
            self._remove(path, before[path])
        self._note(season, known)
        return SiteResult(len(now), tuple(written), tuple(removed))

    def _note(self, season: str, files: dict[str, SiteEntry]) -> None:
        self.manifest = Manifest(season, dict(sorted(files.items())), self.manifest.verdicts, self.manifest.log_parts)
        content = msgspec.json.format(msgspec.json.encode(self.manifest), indent=1)
        if not self._is_there(MANIFEST, content):
            self._put(self.path / MANIFEST, content)

    def _is_there(self, path: str, content: bytes) -> bool:
        file = self.path / path
        with suppress(OSError):
            return file.stat().st_size == len(content) and file.read_bytes() == content
        return False

    def _refuse_foreign(self, file: SiteFile) -> None:
        """Refuse to overwrite a foreign file."""
        place = self.path / file.path
        if os.path.lexists(place) and not self._is_there(file.path, file.make()):
            raise WorkbookUnavailable(f"{place} is not of this site: move it, or name another folder for the site.")

    def _put(self, file: Path, content: bytes) -> None:
        try:
            write_in_folder(file, content)
        except OSError as error:
            raise WorkbookUnavailable(f"{error.filename or file} cannot be written ({error.strerror}).") from error

    def _remove(self, path: str, known: SiteEntry) -> None:
        """Delete a file of the program, unless it was edited, and folders that become empty."""
        file = self.path / path
        with suppress(OSError):
            if known.digest and hashlib.sha256(file.read_bytes()).hexdigest() != known.digest:
                return
            file.unlink()
            for folder in file.parents:
                if folder == self.path:
                    break
                folder.rmdir()
