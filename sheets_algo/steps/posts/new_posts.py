"""Cells of new rows of the tab Posts."""

from __future__ import annotations

from collections.abc import Mapping

from engine.ruleset import Plain
from sheets_algo.steps.posts.lost_posts import DOUBT, GONE, UNKNOWN
from sheets_algo.steps.posts.post_row import STANDING, UNSURE, WAITING, PostNote


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


def waiting_post(request: str, channel: str, time: str, **more: Plain) -> Mapping[str, Plain]:
    """Return the cells of a new row, which waits to be posted; `more` are the cells that say what it posts."""
    return {"request": request, "channel": channel, "state": WAITING, "attempts": 0, "time": time, **more}
