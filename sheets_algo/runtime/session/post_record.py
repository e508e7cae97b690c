"""Record of the outcome of each post beside a workbook, so that an older version of it posts nothing twice (PST-15).

It is a file in `.sheets-algo/posts/` for each workbook and season. It holds the time at which the file system made it:
a file that came back from a backup, or was copied with its folder, is younger than it says, and may miss later posts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.runtime.session.head_record import POSTS_FOLDER, record_name
from sheets_algo.runtime.session.noted_posts import Since, chosen_since
from sheets_algo.runtime.session.session import Session
from sheets_algo.steps.posts.post_row import PostKey, PostNote
from sheets_algo.workbook.atomic_file import atomic_write

WRITING_NS = 5_000_000_000
"""Nanoseconds that writing a record takes at most; one that is younger than it says by more was put back."""


@dataclass(frozen=True, slots=True)
class PostRecord:
    """What is noted of the posts of a workbook."""

    notes: Mapping[PostKey, PostNote] = field(default_factory=dict)  # The notes by what is posted and channel
    is_put_back: bool = False  # True if the record came back from a backup, or was copied; it may miss later posts
    began: str = ""  # When the record was begun, ISO 8601; blank if there is none
    # Since which receipt each channel chooses as it did when this was written.
    since: Mapping[str, Since] = field(default_factory=dict)


class _Content(msgspec.Struct):
    workbook: str
    season: str
    made_ns: int
    posts: list[PostNote]
    began: str = ""
    since: dict[str, Since] = {}


_DECODER = msgspec.json.Decoder(_Content)


def read_record(session: Session, season: str) -> PostRecord:
    """Return what is noted of the posts of a season; nothing if there is no record, or none that can be read."""
    file = _file(session, season)
    try:
        content = _DECODER.decode(file.read_bytes())
        changed_ns = file.stat().st_ctime_ns
    except (OSError, msgspec.MsgspecError):
        return PostRecord()
    if content.workbook != session.workbook.name:
        return PostRecord()
    # On Windows st_ctime is the time of creation, which a file takes over from the one that it replaces.
    is_put_back = os.name != "nt" and changed_ns - content.made_ns > WRITING_NS
    return PostRecord({note.key: note for note in content.posts}, is_put_back, content.began, content.since)


def begin_record(session: Session, receipts: Receipts) -> None:
    """Begin the record of a season before its rulings are written here, unless there is one."""
    if receipts.season and session.channels and not _file(session, receipts.season).exists():
        since = chosen_since(session.channels, {}, receipts)
        note_posts(session, receipts.season, (), since, began=session.now())


def note_posts(
    session: Session, season: str, posts: Iterable[PostNote], since: Mapping[str, Since] | None = None, began: str = ""
) -> None:
    """Note posts, but for those of which something newer is noted; without room on the disk, the next look does it.

    Args:
        season: The digest of the season's secret; blank if it has none, then nothing is noted.
        since: Since which receipt each channel chooses; None for no change.
        began: When the record was begun, if it is new.
    """
    record = read_record(session, season)
    notes = dict(record.notes)
    for post in posts:
        known = notes.get(post.key)
        if known is None or not known.is_newer_than(post):
            notes[post.key] = post
    since = record.since if since is None else since
    is_known = notes == record.notes and since == record.since and not record.is_put_back and not began
    if not season or is_known:
        return
    file = _file(session, season)
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(file) as new:
            new.touch()
            made_ns, began = new.stat().st_ctime_ns, record.began or began
            content = _Content(session.workbook.name, season, made_ns, list(notes.values()), began, dict(since))
            new.write_bytes(msgspec.json.encode(content))


def _file(session: Session, season: str) -> Path:
    return session.folder / POSTS_FOLDER / record_name(session, season)
