"""The poster of one workbook: sends the posts of its tab Posts, the oldest of each channel first (PST-10, PST-12).

It reads the workbook, sends the row that it claimed before, and writes in one commit its outcome and the next
claim. The next poster, on any machine, recovers unwritten outcomes.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from engine.columns import loosely
from sheets_algo.database.changes import Changes
from sheets_algo.database.headers import key_of
from sheets_algo.database.tables import Table
from sheets_algo.posting.channel import Channel, NotReady, NotSent, Post, PostRefused, RemarkedPost, Unanswered
from sheets_algo.posting.http import RETRY_MOST_S
from sheets_algo.posting.post_step import (
    PostEvidence,
    PostOutcome,
    PostStep,
    plan_step,
    row_again,
    shortened_message,
)
from sheets_algo.posting.ready_post import ready_post
from sheets_algo.posting.standing_post import digest_of, standing_post
from sheets_algo.replays.long_wars import parts_of_wars
from sheets_algo.runtime.session.post_notes import (
    Since,
    as_text,
    begin_record,
    chosen_since,
    missing_posts,
    note_posts,
    read_record,
    read_text,
)
from sheets_algo.runtime.session.record import note_place, season_hold
from sheets_algo.runtime.session.session import OpenWorkbook, Session, opened
from sheets_algo.steps.posts.post_row import (
    FAILED,
    POSTED,
    SENDING,
    STANDING,
    TIME,
    UNSURE,
    WAITING,
    PostEntry,
    PostKey,
    PostNote,
    PostRow,
    claim_of,
    read_posts,
)
from sheets_algo.steps.posts.step import PostFilter
from sheets_algo.template.posts_tab import posts_tab
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.errors import BadSetting, StaleWorkbook

ABANDONED = timedelta(minutes=5)
"""The age at which a claim counts as abandoned: no channel takes so long to answer."""
TRIES = 5
"""The attempts of a step when people save in the meantime."""

LOOK = " It may have arrived: look there, and set Action to Send again or Posted."


@dataclass
class Poster:
    """The poster of one workbook."""

    session: Session  # The workbook; no other thread uses it
    channels: Mapping[str, Channel]  # The channels by name, in small letters
    # Called with a sentence for each post that was sent, failed or waits, and True if a person should read it.
    log: Callable[[str, bool], None] = lambda sentence, is_trouble: None
    clock: Callable[[], float] = time.monotonic  # A clock in seconds that never goes back
    forced: bool = False  # True to write into a protected tab too
    needs_person: bool = field(default=False, init=False)  # True once a post waited for a correction by a person
    _outcomes: dict[PostKey, PostOutcome] = field(default_factory=dict)
    _claims: dict[PostKey, str] = field(default_factory=dict)
    _has_tab: bool = False
    _stored: str | None = None
    _has_asked: bool = False
    _was_put_back: bool = False
    _has_settled: bool = False
    """True once all rows were compared with a restored record, which counts from then on."""

    def __post_init__(self) -> None:
        self.pauses = Pauses(self.clock)

    def work(self, is_stopped: Callable[[], bool] = lambda: False) -> PostStep:
        """Send all possible posts; return the last step, which claimed nothing.

        Nothing is sent from a workbook of which nothing may be ruled (PST-14).

        Raises:
            WorkbookError: The workbook cannot be read or written; what was sent is written by the next call.
        """
        tries = TRIES
        if not self._has_tab:
            self.session.workbook.forget()  # the process that rules may have added it
        while True:
            try:
                step = self._step(is_stopped)
            except StaleWorkbook:
                tries -= 1
                if not tries:
                    raise
                continue
            tries = TRIES
            if step.claimed is None and not step.changes:
                return step

    def _step(self, is_stopped: Callable[[], bool]) -> PostStep:
        workbook = opened(self.session, whole=(PostRow,))
        receipts = workbook.receipts
        if receipts.original:
            return PostStep(held=season_hold(self.session, receipts))
        note_place(self.session, receipts)
        parts = parts_of_wars(workbook.snapshot, workbook.forms, receipts)
        entries = read_posts(workbook.snapshot, parts, receipts.forked)
        self._has_tab = workbook.snapshot.sheet(key_of(PostRow)) is not None
        evidence, since = self._collect_evidence(workbook, entries)
        repeatable = self._repeatable
        has_standing = any(channel.settings.standing for channel in self.channels.values())
        is_open = has_standing or bool(evidence.gone) or any(entry.state != POSTED for entry in entries)
        held = season_hold(self.session, receipts) if is_open else ""
        if evidence.gone and not held:
            return self._make_again(workbook, evidence)
        if not evidence.put_back and not held:
            known = [entry.note for entry in entries if not evidence.is_doubtful(entry, repeatable)]
            note_posts(self.session, receipts.record_key, known, since)
        self._pause_as_asked(entries)
        for entry in entries:
            if entry.state == SENDING and self._claims.get(entry.key) == entry.reference:
                del self._claims[entry.key]
                released = PostOutcome(claim=entry.reference, state=WAITING)
                self._outcomes[entry.key] = released if held or is_stopped() else self._send(workbook, entry, entries)
        word, rested = secrets.token_hex(4), self.pauses.over(self.channels)
        step = plan_step(
            entries,
            outcomes=self._outcomes,
            ready=() if held or is_stopped() else rested,
            repeatable=repeatable,
            undone={undo: ruling.seq for undo, ruling in workbook.receipts.undone_rulings.items()},
            threaded=[name for name, channel in self.channels.items() if channel.settings.threads],
            now=self.session.now(),
            abandoned=self.session.now(-ABANDONED),
            word=word,
            evidence=PostEvidence() if held else evidence,
        )
        if step.claimed:  # before the commit, which may succeed without an answer
            self._claims[step.claimed.key] = claim_of(step.claimed, word)
        if not step.changes and not held and not is_stopped():
            step = replace(step, changes=self._edit_standing(workbook, entries, evidence, rested))
        if step.changes:
            is_noted = self._stored is not None and not held and step.rows
            posts = as_text(step.rows, since, self._stored or "") if is_noted else ""
            self.session.workbook.commit(workbook.snapshot, replace(step.changes, forced=self.forced, posts=posts))
            self._stored = posts or self._stored
        self._outcomes = {}
        self._has_settled = self._has_settled or not held
        return replace(step, held=held)

    @property
    def _repeatable(self) -> list[str]:
        return [name for name, channel in self.channels.items() if channel.is_repeatable]

    def _collect_evidence(
        self, workbook: OpenWorkbook, entries: Sequence[PostEntry]
    ) -> tuple[PostEvidence, Mapping[str, Since]]:
        """Return the evidence of posts in the store and in this computer's record, and when channels were chosen."""
        receipts = workbook.receipts
        if not self._has_asked:
            self._stored, self._has_asked = self.session.workbook.noted_posts(), True
            begin_record(self.session, receipts)
        record = read_record(self.session, receipts.record_key)
        stored, stored_since = read_text(self._stored or "", entries, receipts)
        notes = dict(record.notes)
        for key, note in stored.items():
            if key not in notes or note.is_newer_than(notes[key]):
                notes[key] = note
        since = chosen_since(self.session.channels, {**stored_since, **record.channels.since}, receipts)
        rows = {entry.key for entry in entries}
        gone: list[PostNote] = [note for key, note in notes.items() if note.seq in receipts.by_seq and key not in rows]
        gone += missing_posts({*rows, *notes}, since, receipts, PostFilter(self.session.channels, workbook.forms))
        put_back = record.is_put_back and not self._has_settled
        self._was_put_back = self._was_put_back or put_back
        began = record.channels.began if self._stored is None or record.channels.is_new else ""
        gone.sort(key=lambda note: note.seq)
        return PostEvidence(notes=notes, gone=gone, put_back=put_back, began=began), since

    def _edit_standing(
        self, workbook: OpenWorkbook, entries: Sequence[PostEntry], evidence: PostEvidence, rested: list[str]
    ) -> ChangeSet:
        """Edit each outdated standing message; return its new row."""
        changes, now = Changes(), self.session.now()
        for name in rested:
            settings = self.channels[name].settings
            if not settings.standing or not workbook.receipts.season:
                continue
            post = standing_post(workbook, entries, settings)
            digest = digest_of(post)
            row = next((entry for entry in entries if entry.key == (STANDING, name)), None)
            if row is None:
                is_older = any(entry.key[1] == name and evidence.is_older(entry) for entry in entries)
                known = evidence.notes.get((STANDING, name))
                new, odds = known or PostNote(request="", channel="", time=now), STANDING if known else digest
                cells = row_again(
                    replace(new, request=post.title, channel=settings.name, odds=odds),
                    is_known=known is not None,
                    is_safe=self.channels[name].is_repeatable,
                    is_doubtful=self._was_put_back or is_older,
                    now=now,
                )
                tab = Table.of(workbook.snapshot, PostRow)
                changes.append(tab, cells, posts_tab())
            elif row.state == POSTED and row.reference and row.odds != digest:
                self._edit(row, post, digest, changes)
        return changes.finish(None)

    def _edit(self, row: PostEntry, post: Post, digest: str, changes: Changes) -> None:
        name, message = row.key[1], ""
        try:
            if not self.channels[name].edit(post, row.reference):
                changes.set(row.row, "state", WAITING)
                changes.set(row.row, "reference", "")
                changes.set(row.row, "attempts", row.attempts + 1)  # so that it is newer than its note
        except NotSent as error:
            if until := self._pause(name, error):
                changes.set(row.row, "time", until)
                changes.set(row.row, "message", shortened_message(str(error)))
            self.log(f"Where things stand, {row.channel}: {error}", True)
            return
        except PostRefused as error:
            message = str(error)  # until it changes
        self.pauses.forget(name)
        changes.set(row.row, "odds", digest)
        changes.set(row.row, "time", self.session.now())
        changes.set(row.row, "message", shortened_message(message))

    def _pause(self, name: str, error: NotSent) -> str:
        """Pause a channel; return the end of the requested pause, or blank."""
        self.needs_person = self.needs_person or isinstance(error, NotReady)
        pause_s = self.pauses.begin(name, error.after_s)
        return "" if error.after_s is None else self.session.now(timedelta(seconds=pause_s))

    def _pause_as_asked(self, entries: Sequence[PostEntry]) -> None:
        """Resume the pauses that channels requested from an earlier poster, until the times in their rows (PST-07)."""
        for entry in entries:
            name, is_late = entry.key[1], entry.state == WAITING or entry.is_standing
            is_asked = is_late and entry.row.value("message") and TIME.fullmatch(entry.time)
            if not is_asked or self.pauses.is_known(name) or name not in self.channels:
                continue
            with suppress(ValueError):  # a person typed a day that does not exist
                left_s = (datetime.fromisoformat(entry.time) - self.session.clock()).total_seconds()
                if 0 < left_s <= RETRY_MOST_S:
                    self.pauses.begin(name, left_s)
                    self.log(f"{entry.channel} is left alone until {entry.time}, as it asked.", True)

    def _make_again(self, workbook: OpenWorkbook, evidence: PostEvidence) -> PostStep:
        """Restore the lost rows of the tab, and report it."""
        tab, added, repeatable = Table.of(workbook.snapshot, PostRow), Changes(), self._repeatable
        for note in evidence.gone:
            is_safe, is_doubtful = note.key[1] in repeatable, evidence.is_doubtful(note, repeatable)
            cells = row_again(note, is_known=True, is_safe=is_safe, is_doubtful=is_doubtful, now=self.session.now())
            added.append(tab, cells, posts_tab())
        changes = added.finish(None)
        self.session.workbook.commit(workbook.snapshot, replace(changes, forced=self.forced))
        for note in evidence.gone:
            self.log(f"The row of {note.title} for {note.channel} was gone from Posts, and is made again.", True)
        return PostStep(changes=changes)

    def _send(self, workbook: OpenWorkbook, entry: PostEntry, entries: Sequence[PostEntry]) -> PostOutcome:
        """Send a post, or the correction of one; return its outcome."""
        name = entry.key[1]
        state, reference, message, until = POSTED, "", "", ""
        try:
            reference = self._send_or_correct(workbook, entry, entries)
        except RemarkedPost as error:
            reference, message = error.reference, str(error)
        except NotSent as error:
            state, message = WAITING, str(error)
            until = self._pause(name, error)
        except PostRefused as error:
            state, message = FAILED, str(error)
        except Unanswered as error:
            state, message = UNSURE, f"{error}{LOOK}"
        except Exception as error:  # not its text, which may quote a secret
            state, message = UNSURE, f"The program failed while it posted ({type(error).__name__}).{LOOK}"
        if state != WAITING:
            self.pauses.forget(name)
        said = " ".join(filter(None, ("posted." if state == POSTED else "", message)))
        self.log(f"{entry.heading}, {entry.channel}: {said}", bool(message))
        sent = replace(entry.note, state=state, reference=reference, time=self.session.now())
        note_posts(self.session, workbook.receipts.record_key, [sent])
        return PostOutcome(claim=entry.reference, state=state, reference=reference, message=message, until=until)

    def _send_or_correct(self, workbook: OpenWorkbook, entry: PostEntry, entries: Sequence[PostEntry]) -> str:
        """Send a post and return its id; raises as `Channel.send`, but no Unanswered where a repetition does no harm.

        Raises:
            NotSent: It was not sent, or can be sent again without harm.
        """
        channel = self.channels[entry.key[1]]
        of_war = (other.reference for other in entries if other.state == POSTED and other.war == entry.war)
        former = next(filter(None, of_war), "")
        try:
            post = ready_post(self.session, workbook, entry, channel.settings)
        except BadSetting as error:
            raise NotReady(str(error)) from None  # the template was changed meanwhile
        try:
            if post.undoes is None:
                return channel.send(post, former)
            return channel.correct(post, _ruling_reference(workbook, entry, entries), former)
        except Unanswered as error:
            if channel.is_repeatable and error.is_repeatable:
                raise NotSent(str(error)) from None
            raise


def _ruling_reference(workbook: OpenWorkbook, undo: PostEntry, entries: Sequence[PostEntry]) -> str:
    """Return the id of the post of the ruling that is undone; blank if it is not known."""
    ruling = workbook.receipts.undone_rulings.get(undo.seq)
    key = str(ruling.seq) if ruling else "", loosely(undo.channel)
    return next((entry.reference for entry in entries if entry.key == key and entry.state == POSTED), "")


FIRST_S, LONGEST_S = 15.0, 600.0
"""Seconds until a channel that failed is tried again; they double with each failure."""
SHORTEST_S = 1.0
"""Minimum seconds of a pause that a channel requests."""


@dataclass
class Pauses:
    """The pauses of the channels of one poster, by their names."""

    clock: Callable[[], float]  # A clock in seconds that never goes back
    _ends: dict[str, float] = field(default_factory=dict)
    _lengths: dict[str, float] = field(default_factory=dict)  # Of the last unrequested pause

    def begin(self, name: str, asked_s: float | None) -> float:
        """Pause a channel for the requested time, or twice the last pause; return the seconds."""
        if asked_s is None:
            length_s = self._lengths[name] = min(2 * self._lengths.get(name, FIRST_S / 2), LONGEST_S)
        else:
            self._lengths.pop(name, None)
            length_s = max(asked_s, SHORTEST_S)
        self._ends[name] = self.clock() + length_s
        return length_s

    def forget(self, name: str) -> None:
        """Forget the failures of a channel, since it answered."""
        self._ends.pop(name, None)
        self._lengths.pop(name, None)

    def is_known(self, name: str) -> bool:
        """Return True if a channel has failed since it last answered."""
        return name in self._ends

    def over(self, names: Iterable[str]) -> list[str]:
        """Return those channels that may be tried now."""
        now = self.clock()
        return [name for name in names if self._ends.get(name, now) <= now]

    @property
    def left_s(self) -> float | None:
        """Return the seconds until a channel that failed may be tried again; None if none failed."""
        return max(0.0, min(self._ends.values()) - self.clock()) if self._ends else None

    @property
    def asked_left_s(self) -> float | None:
        """Return the seconds until the first requested pause ends; None without one."""
        ends = [end for name, end in self._ends.items() if name not in self._lengths]
        return max(0.0, min(ends) - self.clock()) if ends else None
