"""Cells of new rows of the tab Posts."""

from __future__ import annotations

from collections.abc import Mapping

from engine.ruleset import Plain
from sheets_algo.ruling.receipts.lost_posts import DOUBT, GONE, UNKNOWN
from sheets_algo.ruling.receipts.post_row import REPORT, STANDING, UNSURE, WAITING, PostNote
from sheets_algo.ruling.receipts.receipts import StoredReceipt

ODDS_DIGITS = 16
"""Of the fingerprint by which odds are known."""


def new_post(receipt: StoredReceipt, channel: str) -> Mapping[str, Plain]:
    """Return the cells of a new row."""
    return {"seq": receipt.seq, **_waiting(receipt.request, channel, receipt.time)}


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
    return {**_waiting(request, channel, time), "odds": fingerprint[:ODDS_DIGITS]}


def new_turn_post(game: str, turn: int, what: str, deadline: str, channel: str, time: str) -> Mapping[str, Plain]:
    """Return the cells of a new row that announces the deadline of a turn, or reminds of it, as `what` says."""
    return {**_waiting(f"{game} {turn}", channel, time), "odds": f"{what} {deadline}"}


def new_report_post(
    game: str, turn: int, reader: str, player: str, seq: int, channel: str, time: str
) -> Mapping[str, Plain]:
    """Return the cells of a new row for the report of a turn, which ended with receipt `seq`, to an id of Discord."""
    return {**_waiting(f"{game} {turn} {reader}", channel, time), "odds": f"{REPORT} {seq} {player}"}


def _waiting(request: str, channel: str, time: str) -> Mapping[str, Plain]:
    """Return the cells that all rows have which wait to be posted."""
    return {"request": request, "channel": channel, "state": WAITING, "attempts": 0, "time": time}
