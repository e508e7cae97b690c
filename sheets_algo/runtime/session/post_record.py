"""Outcomes of posts in the record of a season, so that an older version of a workbook posts nothing twice (PST-15)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec

from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.runtime.session.noted_posts import Since, chosen_since
from sheets_algo.runtime.session.record import CHANNELS, POST, SETTLED, RecordEntry, SeasonRecord
from sheets_algo.runtime.session.session import Session
from sheets_algo.steps.posts.post_row import PostKey, PostNote


@dataclass(frozen=True, slots=True)
class PostRecord:
    """Record of the posts of a workbook."""

    notes: Mapping[PostKey, PostNote] = field(default_factory=dict)  # The notes by post and channel
    is_put_back: bool = False  # True if the record was restored from a backup, or copied; it may lack later posts
    began: str = ""  # The time of the first record of posts, ISO 8601; blank without one
    # The first receipt of each channel's choice when this was written.
    since: Mapping[str, Since] = field(default_factory=dict)
    is_new: bool = False  # True if rulings were made in this folder before the record began: a former one is gone


class _Channels(msgspec.Struct):
    began: str = ""
    since: dict[str, Since] = {}
    is_new: bool = False


_CHANNELS, _NOTE = msgspec.json.Decoder(_Channels), msgspec.json.Decoder(PostNote)


def read_record(session: Session, key: str) -> PostRecord:
    """Return the record of the posts of a season; `key` as of `SeasonRecord.of`."""
    record = SeasonRecord.of(session, key)
    notes: dict[PostKey, PostNote] = {}
    channels = _Channels()
    for entry in record.entries(POST, CHANNELS):
        with suppress(msgspec.ValidationError):
            if entry.kind == CHANNELS:
                channels = _CHANNELS.decode(msgspec.json.encode(entry.what))
            else:
                note = _NOTE.decode(msgspec.json.encode(entry.what))
                notes[note.key] = note
    return PostRecord(notes, record.is_put_back, channels.began, channels.since, channels.is_new)


def begin_record(session: Session, receipts: Receipts) -> None:
    """Record the beginning of the record of posts, before rulings of a season, unless it exists."""
    key = "" if receipts.original else receipts.record_key
    if key and session.channels and not read_record(session, key).began:
        since = chosen_since(session.channels, {}, receipts)
        record = SeasonRecord.of(session, key)
        is_new = not record.path.exists() and any((session.folder / "logs").glob("*.txt"))
        entry = RecordEntry(CHANNELS, what=_Channels(session.now(), since, is_new))
        record.try_to_append(entry)


def note_posts(session: Session, key: str, posts: Iterable[PostNote], since: Mapping[str, Since] | None = None) -> None:
    """Record posts, except those with newer records; on a full disk, the next poll does it.

    Args:
        key: As of `SeasonRecord.of`; blank before a season has begun, then nothing is recorded.
        since: Since which receipt each channel chooses; None for no change.
    """
    known = read_record(session, key)
    notes = dict(known.notes)
    for post in posts:
        if post.key not in notes or not notes[post.key].is_newer_than(post):
            notes[post.key] = post
    entries = [RecordEntry(POST, what=note) for key, note in notes.items() if known.notes.get(key) != note]
    if since is not None and since != known.since:
        entries.append(RecordEntry(CHANNELS, what=_Channels(known.began, dict(since), known.is_new)))
    entries += [RecordEntry(SETTLED)] if known.is_put_back else []
    if key and entries:
        SeasonRecord.of(session, key).try_to_append(*entries)
