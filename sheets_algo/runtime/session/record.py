"""The record of a season beside its workbook: one line for each event on this computer.

It is the file `.sheets-algo/record-<season>-<workbook>.jsonl`, to which lines are only added. A line has a time by the
clock of the file system, a kind, a head of the receipts (RCP-19) and a subject. Readers are functions over the lines;
one that cannot be read, such as a last one that was cut off, says only that something may be missing. So does a record
that is younger than its last line: it was restored from a backup, or copied with its folder.
"""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Hashable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from sheets_algo.ruling.receipts.chain import NotedHead, hold, losses, secret_trouble
from sheets_algo.ruling.receipts.receipts import SEQ_MOST, Receipts
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.atomic_file import atomic_write, where_supported
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.store import ADDRESS

FOLDER = Path(".sheets-algo")
PLACE = "the record on this computer"
"""The place of a record's head, in messages."""
HEAD, COMPLETE, POST, CHANNELS, PUT_BACK, SETTLED, FILE_PLACE = (
    "head", "complete", "post", "channels", "put back", "settled", "place",
)  # fmt: skip
"""The kinds of lines: a head that was read or written, up to which receipt the files of this computer are complete, a
post, since when channels choose as they do, that lines may be missing above, that this was settled, and where the file
is."""
UNRECORDED = "The record of the season cannot be written to {} ({}), and nothing is ruled without it."
WRITING = timedelta(seconds=5)
"""The maximum time for adding a line."""
LONGEST = 1_000_000
"""Bytes from which a record is compacted."""


class RecordEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a record."""

    kind: str
    head: str = ""  # The head of the receipts, as `Head` spells it
    what: Any = None
    time: str = ""  # ISO 8601, by the clock of the file system


_DECODER = msgspec.json.Decoder(RecordEntry)


@dataclass(frozen=True, slots=True)
class SeasonRecord:
    """The record of one season of one workbook."""

    path: Path

    @classmethod
    def of(cls, session: Session, key: str) -> SeasonRecord:
        """Return the record of receipts, by `Receipts.record_key`."""
        return cls(session.folder / FOLDER / _name(key[:16], session))

    def entries(self, *kinds: str) -> list[RecordEntry]:
        """Return the lines of some kinds, or of all; none if the record cannot be read."""
        with suppress(OSError):
            return [entry for entry in _entries(self.path.read_bytes()) if not kinds or entry.kind in kinds]
        return []

    @property
    def is_put_back(self) -> bool:
        """Return True if lines may be missing, and this was not settled since."""
        last = self.entries(PUT_BACK, SETTLED)[-1:]
        return self._is_younger() or any(entry.kind == PUT_BACK for entry in last)

    @property
    def complete(self) -> int | None:
        """Return the number of the receipt up to which files and pages are complete; None if none is recorded."""
        numbers = [entry.what for entry in self.entries(COMPLETE) if isinstance(entry.what, int)]
        return numbers[-1] if numbers else None

    def place_of(self, lineage: str) -> tuple[str, str]:
        """Return the time and the place of the last line about where the file of a lineage is; blank for none."""
        lines = [entry for entry in self.entries(FILE_PLACE) if isinstance(entry.what, dict)]
        about = [entry for entry in lines if entry.what.get("lineage") == lineage]
        return (about[-1].time, str(about[-1].what.get("place", ""))) if about else ("", "")

    def append(self, *entries: RecordEntry) -> None:
        """Add lines, all or none.

        Raises:
            OSError: They cannot be written.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self._is_younger():
            entries = (RecordEntry(PUT_BACK), *entries)
        is_current = False
        while not is_current:  # otherwise another process has compacted the file meanwhile
            with self.path.open("ab+", buffering=0) as file:
                with where_supported():
                    os.utime(self.path)
                _add(self.path, file, b"".join(_line(entry, _time(self.path)) for entry in entries))
                is_current = os.path.samestat(os.fstat(file.fileno()), self.path.stat())

    def try_to_append(self, *entries: RecordEntry) -> None:
        """Add lines if the disk has room; otherwise the next poll does it."""
        with suppress(OSError):
            self.append(*entries)

    def compact(self) -> None:
        """Rewrite a long record beside itself with the lines that count."""
        with suppress(OSError):
            if self.path.stat().st_size <= LONGEST:
                return
            is_younger = self._is_younger()
            with self.path.open("rb") as old:
                if not _is_alone(self.path, old):
                    return
                self._rewrite([*_compacted(_entries(old.read())), *([RecordEntry(PUT_BACK)] if is_younger else [])])
                if meanwhile := [*_entries(old.read())]:
                    self.append(*meanwhile)

    def take_over(self, former: SeasonRecord) -> None:
        """Become a record that was kept under the former name of the workbook."""
        with suppress(OSError):
            self._rewrite([*former.entries(), *([RecordEntry(PUT_BACK)] if former.is_put_back else [])])
            former.path.unlink()

    def _rewrite(self, kept: list[RecordEntry]) -> None:
        with atomic_write(self.path) as new:
            new.touch()
            lines = [_line(entry, entry.time) for entry in kept]
            new.write_bytes(b"".join((*lines, _line(RecordEntry("compacted"), _time(new)))))

    def _is_younger(self) -> bool:
        """Return True if the file was created or changed after its last line."""
        entries = self.entries()
        # On Windows st_ctime is the time of creation, which a file takes over from the one that it replaces.
        with suppress(OSError, ValueError, TypeError):
            return (
                bool(entries)
                and os.name != "nt"
                and datetime.fromisoformat(_time(self.path)) - datetime.fromisoformat(entries[-1].time) > WRITING
            )
        return False


def _name(season: str, session: Session) -> str:
    name = hashlib.sha256(session.workbook.name.encode(errors="surrogatepass")).hexdigest()
    return f"record-{season}-{name[:8]}.jsonl"


def _time(path: Path) -> str:
    return datetime.fromtimestamp(path.stat().st_ctime_ns / 1e9, UTC).isoformat(timespec="milliseconds")


def _line(entry: RecordEntry, time: str) -> bytes:
    return msgspec.json.encode(msgspec.structs.replace(entry, time=time)) + b"\n"


def _entries(content: bytes) -> Iterator[RecordEntry]:
    """Yield the lines; one that cannot be read may have been about a post, so that it says that lines are missing."""
    for line in filter(None, content.split(b"\n")):
        try:
            yield _DECODER.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            yield RecordEntry(PUT_BACK)


def _add(path: Path, file: Any, lines: bytes) -> None:
    """Write lines at the end of a file, after an incomplete last line; on a full disk none of them."""
    size = file.seek(0, os.SEEK_END)
    if size:
        file.seek(size - 1)
        lines = lines if file.read(1) == b"\n" else b"\n" + lines
    try:
        if file.write(lines) < len(lines):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        with where_supported():
            os.fsync(file.fileno())
    except OSError:
        file.truncate(size)
        if not size:
            path.unlink()
        raise


def _is_alone(path: Path, file: Any) -> bool:
    """Return True if this process has the exclusive lock to rewrite a file, until it closes it; never on Windows."""
    with suppress(ImportError, OSError):
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    return False


def _compacted(entries: Iterator[RecordEntry]) -> list[RecordEntry]:
    """Return the last line about each thing, in their order."""
    kept: dict[Hashable, RecordEntry] = {}
    for entry in entries:
        key: Hashable = entry.kind
        if entry.kind == POST and isinstance(entry.what, dict):
            key = tuple(str(entry.what.get(name)) for name in ("seq", "request", "odds", "channel"))
        kept.pop(key, None)
        kept[key] = entry
    return [*kept.values()]


def records_beside(folder: Path, name: str = "record-*.jsonl") -> list[SeasonRecord]:
    """Return the records in a folder of workbooks."""
    return [SeasonRecord(file) for file in sorted((folder / FOLDER).glob(name))]


def noted_place(session: Session, receipts: Receipts) -> tuple[SeasonRecord | None, str]:
    """Return the record that has noted last where the file of receipts is, and the place; blank if none has."""
    own = SeasonRecord.of(session, receipts.record_key)
    if own.place_of(receipts.word)[1] == session.workbook.place:  # the others need not be read
        return own, session.workbook.place
    places = [(*record.place_of(receipts.word), record) for record in records_beside(session.folder)]
    _, place, known = max(places, key=lambda noted: noted[0], default=("", "", None))
    return (known if place else None), place


def note_place(session: Session, receipts: Receipts) -> None:
    """Record where a file is that is no copy; take over its record if it was renamed."""
    place = session.workbook.place
    if not receipts.season or receipts.original or ADDRESS in place:
        return
    former, noted = noted_place(session, receipts)
    if noted == place:
        return
    own = SeasonRecord.of(session, receipts.record_key)
    if former and former != own:
        own.take_over(former)
    own.try_to_append(RecordEntry(FILE_PLACE, what={"lineage": receipts.word, "place": place}))


def noted_heads(session: Session, key: str, *, asks: bool) -> tuple[NotedHead, ...]:
    """Return the heads of the chain that are noted outside the workbook's tabs: by its store, then in the record.

    Args:
        key: As of `SeasonRecord.of`; blank if the Season row is gone, then a record of any season counts.
        asks: True to look them up in the store now; False for those that its last commit saw.

    Raises:
        WorkbookUnavailable: The store cannot be read.
    """
    workbook = session.workbook
    stored = tuple(NotedHead(head, workbook.heads_place) for head in workbook.heads(asks=asks))
    return (*stored, *_recorded_heads(session, key))


def note_seen(session: Session, receipts: Receipts) -> None:
    """Record the last receipt of a reading, unless it contradicts an earlier record."""
    if receipts.season and not losses(receipts, _recorded_heads(session, receipts.record_key)):
        note_head(session, receipts.record_key, receipts.head)


def note_head(session: Session, key: str, head: Head) -> None:
    """Record the last receipt of a workbook, unless a later one is recorded; `key` as of `SeasonRecord.of`."""
    if not any(noted.head.seq >= head.seq for noted in _recorded_heads(session, key)):
        SeasonRecord.of(session, key).try_to_append(RecordEntry(HEAD, str(head)))


def begin_commit(session: Session, receipts: Receipts, changes: ChangeSet) -> None:
    """Record before a commit of receipts up to which one files are complete, so that the others will be made.

    Raises:
        WorkbookUnavailable: The record cannot be written.
    """
    if changes.guard is None or not receipts.season:
        return
    record = SeasonRecord.of(session, receipts.record_key)
    complete = record.complete
    try:
        record.append(RecordEntry(COMPLETE, what=receipts.head.seq if complete is None else complete))
    except OSError as error:
        raise WorkbookUnavailable(UNRECORDED.format(record.path.parent, error.strerror)) from error


def note_complete(session: Session, key: str, first: int, last: int) -> None:
    """Record that the files and pages of some receipts are complete, unless earlier ones are not.

    Args:
        key: As of `SeasonRecord.of`.
        first: The number of the first receipt.
        last: The number of the last one.
    """
    record = SeasonRecord.of(session, key)
    if first - 1 <= (record.complete or 0) < last:
        record.try_to_append(RecordEntry(COMPLETE, what=last))


def forget_former(session: Session) -> None:
    """Delete the records of a former workbook with the name of a new one."""
    for record in records_beside(session.folder, _name("*", session)):
        with suppress(OSError):
            record.path.unlink()


def _recorded_heads(session: Session, key: str) -> tuple[NotedHead, ...]:
    """Return the latest head of each record; of several records if the season is unknown."""
    records = [SeasonRecord.of(session, key)] if key else records_beside(session.folder, _name("*", session))
    heads = ((Head.parse(entry.head) for entry in record.entries(HEAD)) for record in records)
    known = ([head for head in each if head and 0 < head.seq <= SEQ_MOST] for each in heads)
    return tuple(NotedHead(max(each, key=lambda head: head.seq), PLACE) for each in known if each)


def season_hold(session: Session, receipts: Receipts) -> str:
    """Return the reasons why a season is held, in sentences; blank if it is not.

    It is held if receipts are gone or were changed, if the workbook is a copy that nobody has accepted, and on a
    computer that lacks the season's secret or has another one.

    Raises:
        WorkbookUnavailable: The heads noted in the store cannot be read.
    """
    if held := hold(receipts, noted_heads(session, receipts.record_key, asks=True)):
        return str(held)
    try:
        secret = season_secret.find(session.folder, receipts.season)
    except WorkbookUnavailable as error:
        return str(error)
    return secret_trouble(receipts, secret) if secret else ""
