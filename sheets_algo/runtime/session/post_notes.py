"""Notes on posts outside the tab Posts, so that an older version of a workbook posts nothing twice (PST-15).

The record of the season has the whole note of each post. A store keeps a short text out of people's reach: for each
channel the digest of its choice with its first receipt, the posted receipts as ranges, and the other rows with the
beginning of their state and their attempts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from engine.columns import loosely
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.ruling.receipts.chain import runs
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.runtime.session.record import CHANNELS, POST, SETTLED, RecordEntry, SeasonRecord
from sheets_algo.runtime.session.session import Session
from sheets_algo.steps.posts.post_row import (
    FAILED,
    POSTED,
    SENDING,
    STANDING,
    UNSURE,
    WAITING,
    PostEntry,
    PostKey,
    PostNote,
)
from sheets_algo.steps.posts.step import PostFilter

Since = tuple[str, int]
"""The digest of a channel's choice of receipts, and the first receipt to choose from."""

MOST = 6_000
"""Maximum number of characters of a text: a spreadsheet has room for 30,000, of which guards take half."""
ODDS_CUT = 20
"""Number of notes on odds that are dropped at once if a text is too long."""
STATES = {state[0]: state for state in (WAITING, SENDING, POSTED, UNSURE, FAILED)}


class ChannelStarts(msgspec.Struct):
    """Beginning of the record of posts, and of each channel's choice of receipts."""

    began: str = ""  # The time of the first record of posts, ISO 8601; blank without one
    since: dict[str, Since] = {}
    is_new: bool = False  # True if rulings were made in this folder before the record began: a former one is gone


class PostRecord(NamedTuple):
    """Record of the posts of a workbook."""

    notes: Mapping[PostKey, PostNote]  # The notes by post and channel
    is_put_back: bool  # True if the record was restored from a backup, or copied; it may lack later posts
    channels: ChannelStarts


_CHANNELS, _NOTE = msgspec.json.Decoder(ChannelStarts), msgspec.json.Decoder(PostNote)


def read_record(session: Session, key: str) -> PostRecord:
    """Return the record of the posts of a season; `key` as of `SeasonRecord.of`."""
    record = SeasonRecord.of(session, key)
    notes: dict[PostKey, PostNote] = {}
    channels = ChannelStarts()
    for entry in record.entries(POST, CHANNELS):
        with suppress(msgspec.ValidationError):
            if entry.kind == CHANNELS:
                channels = _CHANNELS.decode(msgspec.json.encode(entry.what))
            else:
                note = _NOTE.decode(msgspec.json.encode(entry.what))
                notes[note.key] = note
    return PostRecord(notes, record.is_put_back, channels)


def begin_record(session: Session, receipts: Receipts) -> None:
    """Record the beginning of the record of posts, before rulings of a season, unless it exists."""
    key = "" if receipts.original else receipts.record_key
    if key and session.channels and not read_record(session, key).channels.began:
        since = chosen_since(session.channels, {}, receipts)
        record = SeasonRecord.of(session, key)
        is_new = not record.path.exists() and any((session.folder / "logs").glob("*.txt"))
        entry = RecordEntry(CHANNELS, what=ChannelStarts(session.now(), since, is_new))
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
    if since is not None and since != known.channels.since:
        entries.append(RecordEntry(CHANNELS, what=msgspec.structs.replace(known.channels, since=dict(since))))
    entries += [RecordEntry(SETTLED)] if known.is_put_back else []
    if key and entries:
        SeasonRecord.of(session, key).try_to_append(*entries)


def chosen_since(
    channels: Iterable[ChannelSettings], known: Mapping[str, Since], receipts: Receipts
) -> dict[str, Since]:
    """Return the first receipt of each channel's current choice: the next one if its settings changed."""
    starts = {}
    for channel in channels:
        chosen = json.dumps([channel.rulesets, channel.motives, channel.undos])
        digest = hashlib.sha256(chosen.encode()).hexdigest()[:8]
        name = loosely(channel.name)
        before = known.get(name, ("", 0))
        starts[name] = before if before[0] == digest else (digest, receipts.head.seq + 1)
    return starts


def missing_posts(
    known: Iterable[PostKey], since: Mapping[str, Since], receipts: Receipts, choice: PostFilter
) -> Iterator[PostNote]:
    """Yield a waiting post for each chosen receipt and channel without any note."""
    keys = set(known)
    first = min((seq for _, seq in since.values()), default=receipts.head.seq + 1)
    for seq, receipt in sorted(receipts.by_seq.items()):
        if seq < first or all((str(seq), name) in keys for name in since):
            continue
        ruling = receipts.ruling_behind(receipt)
        if ruling and ruling.seq <= receipts.forked:  # it is another workbook's to post
            continue
        for channel in choice.channels_of(receipt, ruling):
            name = loosely(channel)
            if name in since and seq >= since[name][1] and (str(seq), name) not in keys:
                yield PostNote(seq=seq, request=receipt.request, channel=channel, time=receipt.time)


def as_text(entries: Iterable[PostNote], since: Mapping[str, Since], before: str = "") -> str:
    """Return the text for the store, at most `MOST` characters.

    Args:
        since: The first receipt of each channel's choice.
        before: The previous text; its notes on odds and standings are kept where there is no row.
    """
    posted: dict[str, list[int]] = {}
    others = {
        name: {what: how for what, how in rest.items() if what.startswith("o")} for name, *_, rest in _read(before)
    }
    for entry in entries:
        what, name = entry.key
        if entry.state == POSTED and entry.seq and entry.attempts <= 1:
            posted.setdefault(name, []).append(entry.seq)
        else:
            short = what if entry.seq else _short(what)
            others.setdefault(name, {})[short] = f"{entry.state[:1]}{entry.attempts}"
    names = [*dict.fromkeys((*since, *posted, *others))]
    ranges = {name: _ranges(posted.get(name, ())) for name in names}

    def written() -> str:
        data = {name: [*since.get(name, ("", 0)), ranges[name], others.get(name, {})] for name in names}
        return json.dumps(data, separators=(",", ":"))

    text = written()
    arrived = [(name, what) for name, rest in others.items() for what, how in rest.items()
               if what.startswith("o") and how[0] == "P" and what != _short(STANDING)]  # fmt: skip
    while len(text) > MOST and arrived:  # without the oldest odds that were posted
        for name, what in arrived[:ODDS_CUT]:
            del others[name][what]
        arrived = arrived[ODDS_CUT:]
        text = written()
    if len(text) > MOST:  # then some posts are skipped, but none is sent twice
        ranges = {name: f"{min(posted[name])}-{max(posted[name])}" if posted.get(name) else "" for name in names}
        text = written()
    return text


def read_text(
    text: str, entries: Sequence[PostEntry], receipts: Receipts
) -> tuple[dict[PostKey, PostNote], dict[str, Since]]:
    """Return the notes of a text, and the first receipt of each channel's choice; nothing from a damaged text."""
    parts = _read(text)
    notes: dict[PostKey, PostNote] = {}
    for name, _, _, seqs, rest in parts:
        odds = {_short(entry.key[0]): entry for entry in entries if entry.key[1] == name and not entry.seq}
        states = {str(seq): "P1" for seq in seqs if seq in receipts.by_seq}
        for what, how in (states | rest).items():
            row = odds.get(what)
            seq = 0 if row else int(what) if what.isdecimal() else -1
            receipt = receipts.by_seq.get(seq)
            is_standing = what == _short(STANDING)
            if row is None and receipt is None and not is_standing:
                continue
            note = PostNote(
                seq=max(seq, 0),
                request=receipt.request if receipt else row.request if row else "",
                odds=row.odds if row else STANDING if is_standing else "",
                channel=name,
                state=STATES[how[0]],
                attempts=int(how[1:]),
                time="",
            )
            notes[note.key] = note
    return notes, {name: (digest, seq) for name, digest, seq, *_ in parts}


def _read(text: str) -> list[tuple[str, str, int, list[int], dict[str, str]]]:
    """Return the channels of a text: name, first receipt, posted receipts, and the rest; none for any other text."""
    try:
        read: Mapping[str, Any] = json.loads(text)
        parts = [(name, str(digest), int(seq), [seq for part in str(ranges).split() for seq in _range(part)],
                  {str(what): f"{STATES[how[0]][0]}{int(how[1:])}" for what, how in rest.items()})
                 for name, (digest, seq, ranges, rest) in read.items()]  # fmt: skip
    except (ValueError, TypeError, KeyError, AttributeError, IndexError):
        return []
    return parts


def _short(what: str) -> str:
    return f"o{hashlib.sha256(what.encode()).hexdigest()[:8]}"


def _ranges(numbers: Iterable[int]) -> str:
    """Return numbers as `2-14 16`."""
    spans = runs(sorted(set(numbers)))
    return " ".join(f"{first}-{last}" if last > first else str(first) for first, last in spans)


def _range(part: str) -> range:
    first, _, last = part.partition("-")
    return range(int(first), int(last or first) + 1)
