"""Record beside a workbook of the last receipt that was seen in it, so that receipts that vanish are missed (RCP-19).

It is a file in `.sheets-algo/heads/` for each workbook and season. A file has no guard that remembers receipts, and
nobody knows whether Google brings guards back with an older version of a spreadsheet; where neither the record nor a
guard is at hand, only the rows of requests show what was ruled.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from sheets_algo.ruling.receipts.chain import NotedHead, losses
from sheets_algo.ruling.receipts.receipts import SEQ_MOST, Receipts
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.atomic_file import atomic_write
from sheets_algo.workbook.head import Head

FOLDER = Path(".sheets-algo") / "heads"
POSTS_FOLDER = Path(".sheets-algo") / "posts"
"""The folder of what is noted of posts, whose files have the same names."""
PLACE = "the record on this computer"
"""The place of a record's head, in messages."""


def noted_heads(session: Session, season: str, *, asks: bool) -> tuple[NotedHead, ...]:
    """Return the heads of the chain that are noted outside the workbook's tabs: by its store, then in the record.

    Args:
        season: The digest in the Season row; blank if it has none, then a record of any season counts.
        asks: True to look them up in the store now; False for those that its last commit saw.

    Raises:
        WorkbookUnavailable: The store cannot be asked.
    """
    workbook = session.workbook
    stored = tuple(NotedHead(head, workbook.heads_place) for head in workbook.heads(asks=asks))
    return (*stored, *_read_heads(session, season))


def note_seen(session: Session, receipts: Receipts) -> None:
    """Record the last receipt of a workbook as it was read, unless it lacks what was recorded before."""
    if receipts.season and not losses(receipts, _read_heads(session, receipts.season)):
        note_written(session, receipts.season, receipts.head)


def note_written(session: Session, season: str, head: Head) -> None:
    """Record the last receipt of a workbook; without room on the disk, the next look does it."""
    file = _file(session, season)
    if any(noted.head.seq >= head.seq for noted in _read_heads(session, season)):
        return
    entry = {"workbook": session.workbook.name, "season": season, "head": str(head)}
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(file) as new:
            new.write_text(json.dumps(entry) + "\n", encoding="utf-8")


def forget_former(session: Session) -> None:
    """Delete the records of a workbook that is about to be made: they are of a former one of its name.

    What is noted of its posts goes too.
    """
    for file in (session.folder / FOLDER).glob("*.json"):
        if any(_read(file, session.workbook.name)):
            with suppress(OSError):
                file.unlink()
                (session.folder / POSTS_FOLDER / file.name).unlink(missing_ok=True)


def _read_heads(session: Session, season: str) -> tuple[NotedHead, ...]:
    """Return the recorded head; several if the season is not known."""
    folder = session.folder / FOLDER
    files = [_file(session, season)] if season else sorted(folder.glob("*.json"))
    return tuple(noted for file in files for noted in _read(file, session.workbook.name))


def _read(file: Path, name: str) -> Iterator[NotedHead]:
    """Yield the head of a file, none if it cannot be read or is that of another workbook."""
    with suppress(OSError, ValueError, RecursionError):
        entry = json.loads(file.read_bytes())
        if isinstance(entry, dict) and entry.get("workbook") == name:
            head = Head.parse(str(entry.get("head")))
            if head and head.seq <= SEQ_MOST:
                yield NotedHead(head, PLACE)


def record_name(session: Session, season: str) -> str:
    """Return the name of the file of a workbook and season."""
    name = hashlib.sha256(session.workbook.name.encode(errors="surrogatepass")).hexdigest()
    return f"{season[:16]}-{name[:8]}.json"


def _file(session: Session, season: str) -> Path:
    return session.folder / FOLDER / record_name(session, season)
