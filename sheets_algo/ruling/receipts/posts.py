"""Posts tab: what is to be posted to which channel, one row for each receipt and channel, and what became of it.

The row is written in one step with its receipt, so that nothing is lost if a process or a machine dies. Whoever posts
claims a row first, by a commit that fails if somebody else has changed the row meanwhile (PST-10).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import accumulate
from typing import Any, ClassVar, Self

from engine.columns import ColumnPlace, Kind, TabDeclaration, loosely, result, text
from engine.ruleset import Plain
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.database.cell_text import shown
from sheets_algo.database.changes import Changes
from sheets_algo.database.problems import quoted
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import SecretForm
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.redact import one_line
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.template_spec import TabSpec

WAITING, SENDING, POSTED, UNSURE, FAILED = "Waiting", "Sending", "Posted", "Unsure", "Failed"
STANDING = "standing"
"""How the column Odds begins in the row of the message that says where things stand."""
ANNOUNCEMENT, REMINDER = "until", "reminder"
"""Beginning of the column Odds in the row of a post about the deadline of a turn."""
REPORT = "report"
"""Likewise of a report of a turn for one player."""
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

    seq: int = result("Seq", id="PST-01", kind=Kind.WHOLE, note="The receipt; blank for odds.")
    request: str = result("Request", id="PST-02", note="Its request.")
    channel: str = result("Channel", id="PST-03", note="The name of the channel in the settings.")
    state: str = result(
        "State",
        id="PST-04",
        note="Waiting; Sending; Posted; Unsure: no answer came, so a person has to look and to set Action; Failed: the"
        " channel refuses it, and its later posts wait.",
    )
    reference: str = result("Reference", id="PST-05", note="The id of the post, by which an undo finds it again.")
    attempts: int = result("Attempts", id="PST-06", kind=Kind.WHOLE, note="How often it was sent.")
    time: str = result(
        "Time",
        id="PST-07",
        note="When the state was written, UTC; of a channel that asked to be left alone, until when.",
    )
    message: str = result("Message", id="PST-08", note="Why it waits, failed or is unsure.")
    odds: str = result(
        "Odds",
        id="PST-13",
        note="Of a war that is announced: the beginning of the Inputs Fingerprint in Forecasts. Of the message that"
        " says where things stand: what it says, shortened. Of a turn: until and its deadline, or reminder and that;"
        " of a report, the receipt that ended the turn and the id of its player.",
    )
    action: str = text(
        "Action",
        id="PST-09",
        place=ColumnPlace.ANSWER,
        note="Yours, for a post that is Unsure or Failed: Send again, or Posted if it is there (you may add the id of"
        " the post). The program empties the cell when it has done so.",
    )


@dataclass(frozen=True, slots=True)
class PostFilter:
    """The channels of a workbook, and which receipts go to each."""

    channels: Sequence[ChannelSettings] = ()  # The channels of the settings
    forms: Sequence[Form[Any]] = ()  # The forms of the workbook
    looks: TabSpec | None = None  # How the tab Posts looks if it is made; None for a plain one

    def channels_of(self, receipt: StoredReceipt, ruling: StoredReceipt | None) -> Iterator[str]:
        """Yield the names of the channels to which a receipt is posted (PST-11).

        Receipts of games whose players have secrets are posted nowhere, nor draws such as that of a leader.

        Args:
            ruling: The ruling that it undoes, or the receipt itself.
        """
        form = next((form for form in self.forms if form.key == receipt.ruleset), None)
        if (
            receipt.kind not in ("Ruling", "Undo")
            or form is None
            or isinstance(form, SecretForm)
            or form.drawn_once
            or ruling is None
        ):
            return
        for channel in self.channels:
            if (receipt.kind == "Ruling" or channel.undos) and _fits(channel, form, ruling.inputs):
                yield channel.name

    def channels_of_odds(self, form: Form[Any], inputs: str) -> Iterator[str]:
        """Yield the names of the channels in which a war is announced with its odds (PST-13); secrets as above.

        Args:
            inputs: Its inputs, serialised.
        """
        for channel in self.channels:
            if channel.odds and not isinstance(form, SecretForm) and _fits(channel, form, inputs):
                yield channel.name

    def channels_of_turns(self, form: Form[Any]) -> Iterator[str]:
        """Yield the names of the channels in which deadlines of a game are announced, as its wars are (TRN-08)."""
        for channel in self.channels:
            if channel.odds and (not channel.rulesets or form.ruleset_key in channel.rulesets):
                yield channel.name

    def channels_of_reports(self, form: Form[Any]) -> Iterator[str]:
        """Yield the names of the bots that send players their reports (TRN-09)."""
        for channel in self.channels:
            if channel.channel and (not channel.rulesets or form.ruleset_key in channel.rulesets):
                yield channel.name


NO_POSTS = PostFilter()
ODDS_DIGITS = 16
"""Of the fingerprint by which odds are known."""


def _fits(channel: ChannelSettings, form: Form[Any], inputs: str) -> bool:
    """Return True if a channel is for wars of this ruleset and with these motives."""
    if channel.rulesets and form.ruleset_key not in channel.rulesets:
        return False
    if not channel.motives:
        return True
    try:
        motives = form.motives(form.deserialize(inputs))
    except ValueError:
        return False  # inputs that were edited, which `verify` reports
    return not {*map(loosely, motives)}.isdisjoint(map(loosely, channel.motives))


def new_post(receipt: StoredReceipt, channel: str) -> Mapping[str, Plain]:
    """Return the cells of a new row."""
    return {
        "seq": receipt.seq,
        "request": receipt.request,
        "channel": channel,
        "state": WAITING,
        "attempts": 0,
        "time": receipt.time,
    }


def new_standing_post(
    title: str, digest: str, channel: str, time: str, known: PostNote | None, *, is_safe: bool, is_old: bool
) -> Mapping[str, Plain]:
    """Return the cells of a new row of the message that says where things stand, which may be there already.

    Args:
        known: What is noted of the message; None for nothing.
        is_safe: True if a post that is sent twice appears once.
        is_old: True if there may be later posts of which nothing is noted.
    """
    new = known.after_loss(is_safe=is_safe, now=time) if known else None
    row = {"request": title, "channel": channel, "odds": STANDING if new else digest, "time": time}
    state, attempts, reference = (new.state, new.attempts, new.reference) if new else (WAITING, 0, "")
    if is_old and not is_safe and state == WAITING:
        state, attempts = UNSURE, attempts + 1
    doubt = DOUBT if state == UNSURE else "."
    message = f"{GONE if known else UNKNOWN}{doubt}" if known or state == UNSURE else ""
    return row | {"state": state, "attempts": attempts, "reference": reference, "message": message}


def new_odds_post(request: str, fingerprint: str, channel: str, time: str) -> Mapping[str, Plain]:
    """Return the cells of a new row that announces a war; the fingerprint is that of its inputs."""
    return {
        "request": request,
        "channel": channel,
        "state": WAITING,
        "attempts": 0,
        "time": time,
        "odds": fingerprint[:ODDS_DIGITS],
    }


def new_turn_post(game: str, turn: int, what: str, deadline: str, channel: str, time: str) -> Mapping[str, Plain]:
    """Return the cells of a new row that announces the deadline of a turn, or reminds of it, as `what` says."""
    row: dict[str, Plain] = {"request": f"{game} {turn}", "channel": channel, "state": WAITING, "attempts": 0}
    return row | {"time": time, "odds": f"{what} {deadline}"}


def new_report_post(
    game: str, turn: int, reader: str, player: str, seq: int, channel: str, time: str
) -> Mapping[str, Plain]:
    """Return the cells of a new row for the report of a turn, which ended with receipt `seq`, to an id of Discord."""
    row: dict[str, Plain] = {"request": f"{game} {turn} {reader}", "channel": channel, "state": WAITING, "attempts": 0}
    return row | {"time": time, "odds": f"{REPORT} {seq} {player}"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PostNote:
    """What is known of a post."""

    seq: int  # The number of the receipt; 0 for odds
    request: str
    odds: str  # The beginning of the fingerprint of the inputs, if the post announces a war; blank for a receipt
    channel: str  # The name of the channel
    state: str  # One of the states; anything else that a person typed is no state, and nothing is done
    reference: str  # The id of the post; while it is sent, the claim of who sends it
    attempts: int  # How often it was sent, or may have been
    time: str  # When the state was written

    @property
    def key(self) -> PostKey:
        """Return what is posted and the channel, by which the row is known wherever it is moved."""
        if self.is_standing:
            return STANDING, loosely(self.channel)
        what = str(self.seq) if self.seq else f"{self.odds} {loosely(self.request)}"
        return what, loosely(self.channel)

    @property
    def is_standing(self) -> bool:
        """Return True for the message that says where things stand, which is edited in place."""
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
        """Return the words for what is posted: `receipt 8` or `odds of W-0007`."""
        if self.is_standing:
            return "where things stand"
        if self.is_of_turn:
            return f"the deadline of {one_line(self.request)[:50]}"
        if self.is_report:
            return f"the report of {one_line(self.request)[:50]}"
        return f"receipt {self.seq}" if self.seq else f"odds of {one_line(self.request)[:50]}"

    @property
    def heading(self) -> str:
        """Return the title with a capital, for the begin of a line."""
        return self.title[0].upper() + self.title[1:]

    def is_newer_than(self, other: PostNote) -> bool:
        """Return True if this is known to come after the other one: it was sent more often, or it arrived."""
        if self.attempts == other.attempts:
            return self.state == POSTED != other.state
        return self.attempts > other.attempts

    def after_loss(self, *, is_safe: bool, now: str) -> PostNote:
        """Return what is to be made of the row of this post if the workbook has an older one, or none.

        Args:
            is_safe: True if a post that is sent twice appears once.
            now: The time, UTC, ISO 8601.
        """
        new = replace(self, reference=self.reference if self.state == POSTED else "", time=now)
        if self.state == POSTED and self.is_standing and not self.reference:  # which is needed to edit it
            return replace(new, state=WAITING if is_safe else UNSURE, attempts=self.attempts + 1)
        if self.state != SENDING:
            return new
        return replace(new, reference=claim_of(self, "lost")) if is_safe else replace(new, state=UNSURE)  # on its way

    def in_doubt(self) -> Self:
        """Return this post as one that may have been sent once more: newer than what a backup has of it."""
        return replace(self, state=UNSURE, attempts=self.attempts + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostEntry(PostNote):
    """A row of the Posts tab as read."""

    row: Row
    action: str  # What a person typed
    part_of: str = ""  # Ruleset and name of the war of several battles it is about, two lines; blank for none (REQ-19)

    @property
    def war(self) -> tuple[str, str]:
        """Return war and channel, which the posts of one war share: battles of one war are one war."""
        return self.part_of or loosely(self.request), loosely(self.channel)

    @property
    def note(self) -> PostNote:
        """Return what the row says, without its place."""
        return PostNote(**{part.name: getattr(self, part.name) for part in fields(PostNote)})


@dataclass(frozen=True, slots=True, kw_only=True)
class PostEvidence:
    """What is known of posts outside the tab (PST-15)."""

    notes: Mapping[PostKey, PostNote] = field(default_factory=dict)  # What is noted, by what is posted and channel
    gone: Sequence[PostNote] = ()  # The notes of receipts that have no row
    put_back: bool = False  # True for evidence that came back from a backup and may miss later posts
    began: str = ""  # Since when there has been evidence, ISO 8601; blank if since ever

    def is_doubtful(self, post: PostNote, repeatable: Collection[str]) -> bool:
        """Return True if a post that waits may have been sent before, so that only a person can tell."""
        is_noted = post.key in self.notes or not self.is_older(post)
        is_known = is_noted and not self.put_back  # after a backup wars may be ruled again
        return not is_known and post.state == WAITING and post.key[1] not in repeatable

    def is_older(self, post: PostNote) -> bool:
        """Return True if a row was written before there was evidence, such as on another computer."""
        return bool(self.began) and not (TIME.fullmatch(post.time) and post.time >= self.began)


NO_EVIDENCE = PostEvidence()


PostKey = tuple[str, str]
"""Number of a receipt, or fingerprint and request of odds; and name of a channel in small letters."""


def read_posts(snapshot: Snapshot, parts: Mapping[str, str] = {}) -> tuple[PostEntry, ...]:
    """Return the rows of the Posts tab by number of the receipt, odds behind the receipts above them.

    Rows that name no receipt, odds or channel are left out.

    Args:
        parts: The war of several battles that a request is part of, by its id in small letters.
    """
    table = Table(PostRow, snapshot.sheet(PostRow.tab.name))
    entries = [
        PostEntry(
            row=row,
            seq=_whole(row.value("seq")),
            request=shown(row.value("request")),
            odds=shown(row.value("odds")),
            channel=shown(row.value("channel")),
            state=shown(row.value("state")),
            reference=shown(row.value("reference")),
            attempts=_whole(row.value("attempts")),
            time=shown(row.value("time")),
            action=shown(row.value("action")),
            part_of=parts.get(loosely(shown(row.value("request"))), ""),
        )
        for row in table
    ]
    named = [entry for entry in entries if (entry.seq or (entry.odds and entry.request)) and entry.channel]
    places = accumulate((entry.seq for entry in named), max)  # for odds, the last receipt above
    order = {entry.row.number: entry.seq or place for entry, place in zip(named, places, strict=True)}
    return tuple(sorted(named, key=lambda entry: (order[entry.row.number], entry.row.number)))


def _whole(value: Any) -> int:
    digits = shown(value)
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PostOutcome:
    """What became of a post that was sent."""

    claim: str  # The claim under which it was sent
    state: str  # Its new state
    reference: str = ""  # The id of the post, if it is known
    message: str = ""  # Why it waits, failed or is unsure, a sentence
    until: str = ""  # Until when the channel asked to be left alone, ISO 8601; blank if it did not

    def is_of(self, entry: PostEntry) -> bool:
        """Return True if it may be written into a row: nobody else sends it, and no post that arrived is denied."""
        if entry.state == SENDING:
            return entry.reference == self.claim
        return self.state == POSTED and entry.state in (UNSURE, WAITING)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostStep:
    """One step of whoever works the Posts tab off."""

    changes: ChangeSet  # What is to be written
    claimed: PostEntry | None  # The row that is claimed by it; it may be sent once a later look finds the claim in it
    needs_person: tuple[PostEntry, ...]  # The rows that a person has to see to, after the step
    waiting: tuple[PostEntry, ...]  # The rows that still wait or are sent, after the step
    rows: tuple[PostEntry, ...] = ()  # All rows, after the step
    held: str = ""  # Why nothing is sent because of the workbook, in sentences; blank if it is


def claim_of(post: PostNote, word: str) -> str:
    """Return the claim on a row: what is posted, channel, and a word that is used once (PST-10)."""
    return f"{' '.join(post.key)} {word}"


def plan_step(
    entries: Sequence[PostEntry],
    *,
    outcomes: Mapping[PostKey, PostOutcome],
    ready: Collection[str],
    repeatable: Collection[str],
    undone: Mapping[int, int],
    threaded: Collection[str] = (),
    now: str,
    abandoned: str,
    word: str,
    evidence: PostEvidence = NO_EVIDENCE,
) -> PostStep:
    """Plan one step: write outcomes, carry out people's actions, give up abandoned claims, claim the next row.

    Args:
        entries: The rows, by number of the receipt.
        ready: The names, in small letters, of the channels that may be sent to now.
        repeatable: The names of the channels, likewise, on which a post that is sent twice appears once.
        undone: The number of each undo's receipt to that of the ruling that it undoes.
        threaded: The names of the channels, in small letters, in which the posts of a war share a thread, so that a
            later one waits until it is known where the first one is.
        now: The time, UTC, ISO 8601.
        abandoned: The time before which a claim was given up by whoever made it, likewise.
        word: A word that was never used, for a new claim.
        evidence: What is known of posts outside the tab.
    """
    changes = Changes()
    counts = Counter(entry.key for entry in entries)
    copies = {key for key, number in counts.items() if number > 1}
    after = [_settled(entry, copies, outcomes, repeatable, now, abandoned, evidence, changes) for entry in entries]
    states = {entry.key: entry.state for entry in after}
    claimed = None
    stopped: set[str] = set()
    unsure: dict[tuple[str, str], str] = {}
    for entry in after:
        _, channel = entry.key
        awaited = unsure.get(entry.war, "")
        if states.get((str(undone.get(entry.seq)), channel)) == UNSURE:
            awaited = f"receipt {undone[entry.seq]}"
        if entry.state == UNSURE and channel in threaded:
            unsure.setdefault(entry.war, entry.title)
        if entry.state == SENDING or (
            entry.state == FAILED and not (entry.is_standing or entry.is_report)  # a player may take no messages
        ):
            stopped.add(channel)  # later posts wait for it, so that they come in their order
        elif entry.state == WAITING and channel not in stopped and entry.key not in copies:
            if awaited:
                changes.set(entry.row, "message", WAITS_FOR.format(awaited))
                continue
            stopped.add(channel)
            if claimed is None and channel in ready:
                claimed = replace(entry, reference=claim_of(entry, word), attempts=entry.attempts + 1)
                _write(changes, replace(claimed, state=SENDING, time=now), "")
    return PostStep(
        changes=changes.finish(None),
        claimed=claimed,
        needs_person=tuple(
            entry
            for entry in after
            if entry.state in (UNSURE, FAILED) or (entry.key in copies and entry.state != POSTED)
        ),
        waiting=tuple(entry for entry in after if entry.state in (WAITING, SENDING)),
        rows=tuple(
            replace(claimed, state=SENDING) if claimed and entry.row is claimed.row else entry for entry in after
        ),
    )


def _settled(
    entry: PostEntry,
    copies: Collection[PostKey],
    outcomes: Mapping[PostKey, PostOutcome],
    repeatable: Collection[str],
    now: str,
    abandoned: str,
    evidence: PostEvidence,
    changes: Changes,
) -> PostEntry:
    """Return a row after outcome, action or abandoned claim; `copies` are in several rows, the rest as `plan_step`."""
    if entry.key in copies:
        changes.set(entry.row, "message", TWICE)
        return entry
    outcome = outcomes.get(entry.key)
    if outcome is not None and outcome.is_of(entry):
        new = replace(entry, state=outcome.state, reference=outcome.reference, time=outcome.until or now)
        _write(changes, new, outcome.message)
        return new
    note, is_safe = evidence.notes.get(entry.key), entry.key[1] in repeatable
    if note is not None and note.is_newer_than(entry):
        known = note.after_loss(is_safe=is_safe, now=now)
        new = replace(entry, state=known.state, reference=known.reference, attempts=known.attempts, time=now)
        _write(changes, new, lost_row_says(new, PUT_BACK))
        return new
    if evidence.is_doubtful(entry, repeatable) and not entry.action:
        new = replace(entry.in_doubt(), time=now)
        _write(changes, new, lost_row_says(new, PUT_BACK if evidence.put_back else UNKNOWN))
        return new
    if entry.state == SENDING and not entry.reference.startswith(claim_of(entry, "")):
        new = replace(entry, state=UNSURE, reference="", time=now)  # another row's claim, since rows were moved
        _write(changes, new, OVERWRITTEN)
        return new
    if entry.state == SENDING and not (TIME.fullmatch(entry.time) and entry.time >= abandoned):
        new = replace(entry, state=WAITING if is_safe else UNSURE, reference="", time=now)
        _write(changes, new, "" if is_safe else NO_OUTCOME)
        return new
    return acted(entry, now, changes)


def acted(entry: PostEntry, now: str, changes: Changes) -> PostEntry:
    """Return a row after the action that a person typed, if any."""
    if not entry.action:
        return entry
    action, _, reference = loosely(entry.action).partition(" ")
    if loosely(entry.action) == loosely(SEND_AGAIN) and entry.state in (UNSURE, FAILED):
        new = replace(entry, state=WAITING, reference="", time=now, action="")
    elif action == loosely(POSTED) and entry.state in (UNSURE, FAILED, WAITING):
        new = replace(entry, state=POSTED, reference=_typed_id(reference), time=now, action="")
    else:
        changes.set(entry.row, "message", NO_ACTION.format(quoted(entry.action), entry.state or "without a state"))
        return entry
    _write(changes, new, "")
    changes.set(entry.row, "action", None)
    return new


def rows_again(
    tab: Table, looks: TabSpec | None, evidence: PostEvidence, repeatable: Collection[str], now: str
) -> ChangeSet:
    """Return the rows that are gone from the tab, with what is known of them (PST-15); of a tab that is gone, the tab.

    Args:
        looks: How it looks if it is made.
        evidence: What is known of posts outside the tab.
        repeatable: The names of the channels, in small letters, on which a post that is sent twice appears once.
        now: The time, UTC, ISO 8601.
    """
    changes = Changes()
    for note in evidence.gone:
        new = note.after_loss(is_safe=note.key[1] in repeatable, now=now)
        new = new.in_doubt() if evidence.is_doubtful(note, repeatable) else new
        cells = {name: getattr(new, name) for name in ("seq", "request", "channel", "state", "reference", "attempts")}
        changes.append(tab, {**cells, "time": now, "message": lost_row_says(new, GONE)}, looks)
    return changes.finish(None)


def lost_row_says(post: PostNote, what: str) -> str:
    """Return the message of a row that was gone, or older than what is known of its post."""
    return f"{what}{DOUBT if post.state == UNSURE else '.'}"


def _typed_id(typed: str) -> str:
    """Return the id of a post that a person typed, or that an address ends with, behind that of its thread."""
    parts = typed.split("/")
    has_thread = len(parts) > 1 and all(part.isascii() and part.isdecimal() for part in parts[-2:])
    return "/".join(parts[-2:] if has_thread else parts[-1:])


def _write(changes: Changes, entry: PostEntry, message: str) -> None:
    for name in ("state", "reference", "attempts", "time"):
        changes.set(entry.row, name, getattr(entry, name))
    changes.set(entry.row, "message", shortened_message(message))


def shortened_message(message: str) -> str:
    """Return a message on one line, cut to 500 characters."""
    line = one_line(message)
    return line if len(line) <= MESSAGE_MOST else f"{line[: MESSAGE_MOST - 3]}..."


MESSAGE_MOST = 500
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
TWICE = "Two rows have this receipt and channel, so nothing is sent: delete the one that is a copy."
PUT_BACK = "An older version was put back, of the workbook or of the folder beside it"
UNKNOWN = "This computer has not ruled this, and knows nothing of former posts"
GONE = "This row was gone from Posts, and is made again"
DOUBT = "; it is not known whether this was posted: look there, and set Action to Send again or Posted."
WAITS_FOR = "It waits until somebody has said what became of the post of {}."
NO_OUTCOME = (
    "Whoever sent it ended before it was known whether it arrived: look there, and set Action to Send again or Posted."
)
OVERWRITTEN = (
    "Rows were moved while the program wrote here, so it is not known whether it was posted: look there, and set Action"
    " to Send again or Posted."
)
NO_ACTION = (
    "{} does nothing to a post that is {}. For one that is Unsure or Failed use Send again, or Posted; for one that is"
    " Waiting, Posted leaves it out."
)
