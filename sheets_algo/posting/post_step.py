"""A step of a poster: outcomes, people's actions, abandoned claims, and the next claim (PST-10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.columns import loosely
from engine.ruleset import Plain
from sheets_algo.database.changes import Changes
from sheets_algo.database.problems import quoted
from sheets_algo.steps.posts.post_row import (
    FAILED,
    POSTED,
    SEND_AGAIN,
    SENDING,
    TIME,
    UNSURE,
    WAITING,
    PostEntry,
    PostKey,
    PostNote,
    claim_of,
)
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.redact import one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class PostEvidence:
    """Knowledge of posts from outside the tab (PST-15)."""

    notes: Mapping[PostKey, PostNote] = field(default_factory=dict)  # The notes, by post and channel
    gone: Sequence[PostNote] = ()  # The notes of receipts that have no row
    put_back: bool = False  # True for evidence from a backup, which may lack later posts
    began: str = ""  # The beginning of the evidence, ISO 8601; blank if it is complete

    def is_doubtful(self, post: PostNote, repeatable: Collection[str]) -> bool:
        """Return True if a waiting post may have been sent before, so that a person must check."""
        is_noted = post.key in self.notes or not self.is_older(post)
        is_known = is_noted and not self.put_back  # after a backup wars may be ruled again
        return not is_known and post.state == WAITING and post.key[1] not in repeatable

    def is_older(self, post: PostNote) -> bool:
        """Return True if a row is older than the evidence, such as one from another computer."""
        return bool(self.began) and not (TIME.fullmatch(post.time) and post.time >= self.began)


NO_EVIDENCE, NO_CHANGES = PostEvidence(), ChangeSet()


def row_again(note: PostNote, *, is_known: bool, is_safe: bool, is_doubtful: bool, now: str) -> Mapping[str, Plain]:
    """Return the cells of a row in place of a lost one, or of a first one whose post may exist already (PST-15).

    Args:
        note: The evidence of the post.
        is_known: False if nothing but its absence is known.
        is_safe: True if a repeated post appears only once.
        is_doubtful: True if there may be later posts without a note.
        now: The time, UTC, ISO 8601.
    """
    new = note.after_loss(is_safe=is_safe, now=now)
    if is_doubtful and not is_safe and new.state == WAITING:
        new = new.in_doubt()
    cells = {name: getattr(new, name) for name in ("request", "channel", "state", "reference", "attempts", "time")}
    message = lost_row_says(new, GONE if is_known else UNKNOWN) if is_known or new.state == UNSURE else ""
    what: dict[str, Plain] = {"seq": new.seq} if new.seq else {"odds": new.odds}
    return {**what, **cells, "message": message}


def lost_row_says(post: PostNote, what: str) -> str:
    """Return the message of a row that was lost, or older than the evidence of its post."""
    return f"{what}{DOUBT if post.state == UNSURE else '.'}"


PUT_BACK = "An older version was put back, of the workbook or of the folder beside it"
UNKNOWN = "This computer has not ruled this, and knows nothing of former posts"
GONE = "This row was gone from Posts, and is made again"
DOUBT = "; it is not known whether this was posted: look there, and set Action to Send again or Posted."


@dataclass(frozen=True, slots=True, kw_only=True)
class PostOutcome:
    """The outcome of a sent post."""

    claim: str  # The claim under which it was sent
    state: str  # Its new state
    reference: str = ""  # The id of the post, if it is known
    message: str = ""  # The reason why it waits, failed or is unsure, a sentence
    until: str = ""  # The end of the pause that the channel requested, ISO 8601; blank for none

    def is_of(self, entry: PostEntry) -> bool:
        """Return True if it may be written into a row: no other claim took over, and no successful post is denied."""
        if entry.state == SENDING:
            return entry.reference == self.claim
        return self.state == POSTED and entry.state in (UNSURE, WAITING)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostStep:
    """One step of a poster through the tab Posts."""

    changes: ChangeSet = NO_CHANGES  # The changes to write
    claimed: PostEntry | None = None  # The row that it claims; it may be sent once a later reading confirms the claim
    needs_person: tuple[PostEntry, ...] = ()  # The rows that need a person, after the step
    waiting: tuple[PostEntry, ...] = ()  # The rows that still wait or are being sent, after the step
    rows: tuple[PostEntry, ...] = ()  # All rows, after the step
    held: str = ""  # The obstacles in the workbook to all posts, in sentences; blank for none


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
        ready: The names, in small letters, of the channels that accept posts now.
        repeatable: The names of the channels, likewise, on which a repeated post appears only once.
        undone: The number of each undo's receipt to that of the ruling that it undoes.
        threaded: The names of the channels, in small letters, in which the posts of a war share a thread, so that a
            later one waits for the place of the first one.
        now: The time, UTC, ISO 8601.
        abandoned: The time before which a claim counts as abandoned, likewise.
        word: A word that was never used, for a new claim.
        evidence: What is known of posts outside the tab.
    """
    changes = Changes()
    counts = Counter(entry.key for entry in entries)
    copies = {key for key, number in counts.items() if number > 1}
    after = [_settle(entry, copies, outcomes, repeatable, now, abandoned, evidence, changes) for entry in entries]
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


def _settle(
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


def _typed_id(typed: str) -> str:
    """Return the id of a post from a typed id or address, after that of its thread."""
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
TWICE = "Two rows have this receipt and channel, so nothing is sent: delete the one that is a copy."
WAITS_FOR = "It waits until somebody has said whether the post of {} arrived."
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
