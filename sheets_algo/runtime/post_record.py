"""Record beside a workbook of what became of each post, so that an older version of it posts nothing twice (PST-15).

It is a file in `.sheets-algo/posts/` for each workbook and season. It holds the time at which the file system made it:
a file that came back from a backup, or was copied with its folder, is younger than it says, and may miss later posts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from sheets_algo.ruling.receipts.posts import PostKey, PostNote
from sheets_algo.runtime.head_record import POSTS_FOLDER, record_name
from sheets_algo.runtime.session import Session
from sheets_algo.workbook.atomic_file import atomic_write

WRITING_NS = 5_000_000_000
"""Nanoseconds that writing a record takes at most; one that is younger than it says by more was put back."""


@dataclass(frozen=True, slots=True)
class PostRecord:
    """What is noted of the posts of a workbook.

    Args:
        notes: The notes by what is posted and channel.
        put_back: When the record was put back, ISO 8601; blank if it is as it was written.
    """

    notes: Mapping[PostKey, PostNote] = field(default_factory=dict)
    put_back: str = ""


class _Content(msgspec.Struct):
    workbook: str
    season: str
    made_ns: int
    posts: list[PostNote]


def read_record(session: Session, season: str) -> PostRecord:
    """Return what is noted of the posts of a season; nothing if there is no record, or none that can be read."""
    file = _file(session, season)
    try:
        content = msgspec.json.decode(file.read_bytes(), type=_Content)
        changed_ns = file.stat().st_ctime_ns
    except (OSError, msgspec.MsgspecError):
        return PostRecord()
    if content.workbook != session.workbook.name:
        return PostRecord()
    # On Windows st_ctime is the time of creation, which a file takes over from the one that it replaces.
    is_put_back = os.name != "nt" and changed_ns - content.made_ns > WRITING_NS
    time = datetime.fromtimestamp(changed_ns / 1e9, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if is_put_back else ""
    return PostRecord({note.key: note for note in content.posts}, time)


def note_posts(session: Session, season: str, posts: Iterable[PostNote]) -> None:
    """Note posts, but for those of which something newer is noted; without room on the disk, the next look does it."""
    record = read_record(session, season)
    notes = dict(record.notes)
    for post in posts:
        known = notes.get(post.key)
        if known is None or not known.is_newer_than(post):
            notes[post.key] = post
    if not season or (notes == record.notes and not record.put_back):
        return
    file = _file(session, season)
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(file) as new:
            new.touch()
            content = _Content(session.workbook.name, season, new.stat().st_ctime_ns, list(notes.values()))
            new.write_bytes(msgspec.json.encode(content))


def _file(session: Session, season: str) -> Path:
    return session.folder / POSTS_FOLDER / record_name(session, season)
