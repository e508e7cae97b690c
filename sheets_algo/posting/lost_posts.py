"""Rows of the tab Posts that are lost, or older than other evidence of their posts (PST-15)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from engine.ruleset import Plain
from sheets_algo.database.changes import Changes
from sheets_algo.database.tables import Table
from sheets_algo.steps.posts.post_row import STANDING, TIME, UNSURE, WAITING, PostKey, PostNote
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.template_spec import TabSpec


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


NO_EVIDENCE = PostEvidence()


def rows_again(
    tab: Table, looks: TabSpec | None, evidence: PostEvidence, repeatable: Collection[str], now: str
) -> ChangeSet:
    """Return the lost rows of the tab, with the evidence of them (PST-15); for a lost tab, the tab.

    Args:
        looks: The format of a new tab.
        evidence: The evidence of posts outside the tab.
        repeatable: The names of the channels, in small letters, on which a repeated post appears only once.
        now: The time, UTC, ISO 8601.
    """
    changes = Changes()
    for note in evidence.gone:
        new = note.after_loss(is_safe=note.key[1] in repeatable, now=now)
        new = new.in_doubt() if evidence.is_doubtful(note, repeatable) else new
        cells = {name: getattr(new, name) for name in ("seq", "request", "channel", "state", "reference", "attempts")}
        changes.append(tab, {**cells, "time": now, "message": lost_row_says(new, GONE)}, looks)
    return changes.finish(None)


def new_standing_post(
    title: str, digest: str, channel: str, time: str, known: PostNote | None, *, is_safe: bool, is_old: bool
) -> Mapping[str, Plain]:
    """Return the cells of a new row for the standing message, which may exist already.

    Args:
        known: The note of the message; None for none.
        is_safe: True if a repeated post appears only once.
        is_old: True if there may be later posts without a note.
    """
    new = known.after_loss(is_safe=is_safe, now=time) if known else None
    row = {"request": title, "channel": channel, "odds": STANDING if new else digest, "time": time}
    state, attempts, reference = (new.state, new.attempts, new.reference) if new else (WAITING, 0, "")
    if is_old and not is_safe and state == WAITING:
        state, attempts = UNSURE, attempts + 1
    doubt = DOUBT if state == UNSURE else "."
    message = f"{GONE if known else UNKNOWN}{doubt}" if known or state == UNSURE else ""
    return row | {"state": state, "attempts": attempts, "reference": reference, "message": message}


def lost_row_says(post: PostNote, what: str) -> str:
    """Return the message of a row that was lost, or older than the evidence of its post."""
    return f"{what}{DOUBT if post.state == UNSURE else '.'}"


PUT_BACK = "An older version was put back, of the workbook or of the folder beside it"
UNKNOWN = "This computer has not ruled this, and knows nothing of former posts"
GONE = "This row was gone from Posts, and is made again"
DOUBT = "; it is not known whether this was posted: look there, and set Action to Send again or Posted."
