"""Rows of the tab Posts: one row for each receipt and channel, with its state.

The row is written in one step with its receipt, so that nothing is lost if a process or a machine dies. A poster first
claims a row, by a commit that fails if the row was changed meanwhile (PST-10).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from itertools import accumulate
from typing import Any, ClassVar, Self

from engine.columns import ColumnPlace, Kind, TabDeclaration, loosely, result, text
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.tables import Row, Table
from sheets_algo.ruling.step import ANNOUNCEMENT, REMINDER, REPORT
from sheets_algo.workbook.redact import one_line
from sheets_algo.workbook.snapshot import Snapshot

WAITING, SENDING, POSTED, UNSURE, FAILED = "Waiting", "Sending", "Posted", "Unsure", "Failed"
STANDING = "standing"
"""Prefix of the column Odds in the row of the standing message."""
SEND_AGAIN = "Send again"
"""Actions of people are this and `Posted`, which may be followed by the id of the post."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostRow:
    """One row of the Posts tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Posts",
        about="What is posted to which channel. Only the program writes here, but for the column Action.",
        program_only=True,
    )

    seq: int = result("Seq", "PST-01", "The receipt; blank for odds.", kind=Kind.WHOLE)
    request: str = result("Request", "PST-02", "Its request.")
    channel: str = result("Channel", "PST-03", "The name of the channel in the settings.")
    state: str = result(
        "State",
        "PST-04",
        "Waiting; Sending; Posted; Unsure: no answer came, so a person has to look and to set Action; Failed: the"
        " channel refuses it, and its later posts wait.",
    )
    reference: str = result("Reference", "PST-05", "The id of the post, by which an undo finds it again.")
    attempts: int = result("Attempts", "PST-06", "How often it was sent.", kind=Kind.WHOLE)
    time: str = result(
        "Time", "PST-07", "When the state was written, UTC; of a channel that asked to be left alone, until when."
    )
    message: str = result("Message", "PST-08", "Why it waits, failed or is unsure.")
    odds: str = result(
        "Odds",
        "PST-13",
        "Of a war that is announced: the beginning of the Inputs Fingerprint in Forecasts. Of the message that"
        " says where things stand: what it says, shortened. Of a turn: until and its deadline, or reminder and that;"
        " of a report, the receipt that ended the turn and the id of its player.",
    )
    action: str = text(
        "Action",
        "PST-09",
        "Yours, for a post that is Unsure or Failed: Send again, or Posted if it is there (you may add the id of"
        " the post). The program empties the cell when it has done so.",
        place=ColumnPlace.ANSWER,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PostNote:
    """A note on a post."""

    seq: int = 0  # The number of the receipt; 0 for odds
    request: str
    odds: str = ""  # The beginning of the fingerprint of the inputs, if the post announces a war; blank for a receipt
    channel: str  # The name of the channel
    state: str = WAITING  # One of the states; anything else that a person typed is no state, and nothing is done
    reference: str = ""  # The id of the post; while it is sent, the claim of its sender
    attempts: int = 0  # The number of certain and possible sendings
    time: str  # When the state was written

    @property
    def key(self) -> PostKey:
        """Return post and channel, which identify the row wherever it is moved."""
        if self.is_standing:
            return STANDING, loosely(self.channel)
        what = str(self.seq) if self.seq else f"{self.odds} {loosely(self.request)}"
        return what, loosely(self.channel)

    @property
    def is_standing(self) -> bool:
        """Return True for the standing message, which is edited in place."""
        return not self.seq and self.odds.startswith(STANDING)

    @property
    def is_of_turn(self) -> bool:
        """Return True for a post about the deadline of a turn."""
        return not self.seq and self.odds.partition(" ")[0] in (ANNOUNCEMENT, REMINDER)

    @property
    def is_report(self) -> bool:
        """Return True for the report of a turn, which goes to one player."""
        return not self.seq and self.odds.partition(" ")[0] == REPORT

    @property
    def title(self) -> str:
        """Return the words for the post: `receipt 8` or `odds of W-0007`."""
        if self.is_standing:
            return "where things stand"
        if self.is_of_turn:
            return f"the deadline of {one_line(self.request)[:50]}"
        if self.is_report:
            return f"the report of {one_line(self.request)[:50]}"
        return f"receipt {self.seq}" if self.seq else f"odds of {one_line(self.request)[:50]}"

    @property
    def heading(self) -> str:
        """Return the title with a capital, for the beginning of a line."""
        return self.title[0].upper() + self.title[1:]

    def is_newer_than(self, other: PostNote) -> bool:
        """Return True if this certainly comes after the other one: it was sent more often, or it arrived."""
        if self.attempts == other.attempts:
            return self.state == POSTED != other.state
        return self.attempts > other.attempts

    def after_loss(self, *, is_safe: bool, now: str) -> PostNote:
        """Return the restored note of this post if the workbook has an older row, or none.

        Args:
            is_safe: True if a repeated post appears only once.
            now: The time, UTC, ISO 8601.
        """
        new = replace(self, reference=self.reference if self.state == POSTED else "", time=now)
        if self.state == POSTED and self.is_standing and not self.reference:  # which is needed to edit it
            return replace(new, state=WAITING if is_safe else UNSURE, attempts=self.attempts + 1)
        if self.state != SENDING:
            return new
        return replace(new, reference=claim_of(self, "lost")) if is_safe else replace(new, state=UNSURE)  # on its way

    def in_doubt(self) -> Self:
        """Return this post as possibly sent once more: newer than a backup's note of it."""
        return replace(self, state=UNSURE, attempts=self.attempts + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostEntry(PostNote):
    """A row of the Posts tab as read."""

    row: Row
    action: str  # The typed text
    part_of: str = ""  # Ruleset and name of its war of several battles, two lines; blank for none (REQ-19)

    @property
    def war(self) -> tuple[str, str]:
        """Return war and channel, which the posts of one war share: battles of one war are one war."""
        return self.part_of or loosely(self.request), loosely(self.channel)

    @property
    def note(self) -> PostNote:
        """Return the content of the row, without its place."""
        return PostNote(**{part.name: getattr(self, part.name) for part in fields(PostNote)})


TEXTS = ("request", "odds", "channel", "state", "reference", "time", "action")
"""Attributes of a row that are read as text."""
PostKey = tuple[str, str]
"""Number of a receipt, or fingerprint and request of odds; and name of a channel in small letters."""


def read_posts(snapshot: Snapshot, parts: Mapping[str, str] = {}, after: int = 0) -> tuple[PostEntry, ...]:
    """Return the rows of the Posts tab by number of the receipt, odds after the receipts above them.

    Rows that name no receipt, odds or channel are left out.

    Args:
        parts: The war of several battles that a request is part of, by its id in small letters.
        after: The last receipt that is another workbook's to post, `Receipts.forked`; rows up to it are left out.
    """
    table = Table.of(snapshot, PostRow)
    entries = [
        PostEntry(
            row=row,
            seq=_whole(row.value("seq")),
            attempts=_whole(row.value("attempts")),
            part_of=parts.get(loosely(as_text(row.value("request"))), ""),
            **{name: as_text(row.value(name)) for name in TEXTS},
        )
        for row in table
    ]
    named = [
        entry
        for entry in entries
        if (entry.seq > after or (not entry.seq and entry.odds and entry.request)) and entry.channel
    ]
    places = accumulate((entry.seq for entry in named), max)  # for odds, the last receipt above
    order = {entry.row.number: entry.seq or place for entry, place in zip(named, places, strict=True)}
    return tuple(sorted(named, key=lambda entry: (order[entry.row.number], entry.row.number)))


def _whole(value: Any) -> int:
    digits = as_text(value)
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else 0


def claim_of(post: PostNote, word: str) -> str:
    """Return the claim on a row: post, channel, and a unique word (PST-10)."""
    return f"{' '.join(post.key)} {word}"


TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
