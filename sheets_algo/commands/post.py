"""The command `post`: send the posts of the tab Posts once, or show their plan."""

from __future__ import annotations

import time
from math import inf
from typing import Any

from engine.columns import loosely
from sheets_algo.commands.opening import new_session
from sheets_algo.commands.report import Report
from sheets_algo.database.changes import Changes
from sheets_algo.database.problems import count
from sheets_algo.posting.channel import PostRefused
from sheets_algo.posting.open_channels import open_channels
from sheets_algo.posting.post_step import acted
from sheets_algo.posting.poster import Poster
from sheets_algo.posting.ready_post import ready_post
from sheets_algo.runtime.session.record import season_hold
from sheets_algo.runtime.session.session import Session, opened
from sheets_algo.steps.posts.post_row import WAITING, PostEntry, PostRow, read_posts
from sheets_algo.workbook.errors import BadSetting
from sheets_algo.workbook.redact import one_line

PATIENCE_S = 60.0
"""Seconds to wait for channels that name the time of the next attempt."""
NOTHING = "Nothing to post."
HELD = "Nothing is posted now. {}"
"""Message for a workbook that does not post (PST-14)."""


def post(*, dry: bool, force: bool, verbose: bool, **options: Any) -> Report:
    """Post the receipts that wait in the tab Posts, oldest first.

    Returns:
        A report with exit code 0 if nothing is left, 1 if a person has to see to a post, 3 if posts still wait.

    Raises:
        BadSetting: The settings name no channel, or an invalid template.
        WorkbookError: The workbook cannot be read or written.
    """
    session = new_session(**options)
    if not session.channels:
        raise BadSetting(
            "There is no channel to post to: docs/posting.md says how to add one to sheets-algo.toml, with [[post]]."
        )
    return _planned_posts(session) if dry else work_off(session, forced=force)


def work_off(session: Session, *, forced: bool, most_s: float = inf) -> Report:
    """Send the waiting posts, as the command does.

    Args:
        forced: True to write into a protected tab too.
        most_s: The seconds after which no further post is begun.
    """
    lines: list[str] = []
    channels = open_channels(session.channels)
    poster = Poster(session, channels, lambda sentence, is_trouble: lines.append(sentence), forced=forced)
    began = time.monotonic()

    def is_over() -> bool:
        return time.monotonic() > began + most_s

    step = poster.work(is_over)
    end = began + PATIENCE_S
    while (wait_s := poster.pauses.asked_left_s) is not None and step.waiting and time.monotonic() + wait_s <= end:
        time.sleep(wait_s)
        step = poster.work(is_over)
    known = {loosely(channel.name) for channel in session.channels}
    strangers = dict.fromkeys(entry.channel for entry in step.waiting if entry.key[1] not in known)
    lines += [f"The settings have no channel {one_line(name)}, for which posts wait." for name in strangers]
    lines += [_line(entry, "needs you: see its Message in Posts") for entry in step.needs_person]
    if step.held:
        lines.append(HELD.format(step.held))
    if step.waiting:
        lines.append(f"{count(len(step.waiting), 'post')} still to be sent.")
    if not lines:
        lines.append(NOTHING)
    data = {
        "waiting": [_data(entry) for entry in step.waiting],
        "needs_person": [_data(entry) for entry in step.needs_person],
        "held": step.held,
    }
    return Report(
        data, lines, 3 if step.held else 1 if step.needs_person or poster.needs_person else 3 if step.waiting else 0
    )


def _planned_posts(session: Session) -> Report:
    """Return the planned posts; no channel is contacted, and no secret is read."""
    book = opened(session, whole=(PostRow,))
    by_seq = book.receipts.by_seq
    channels = open_channels(session.channels)
    posts: list[dict[str, Any]] = []
    lines: list[str] = []
    refused = 0
    if held := season_hold(session, book.receipts):
        return Report({"posts": [], "held": held}, [HELD.format(held)], 3)
    entries = read_posts(book.snapshot, after=book.receipts.forked)
    for entry in (acted(entry, session.now(), Changes()) for entry in entries):
        channel = channels.get(entry.key[1])
        if entry.state != WAITING or channel is None or (entry.seq and entry.seq not in by_seq):
            continue
        try:
            post = ready_post(session, book, entry, channel.settings, is_whole=False)
        except PostRefused as error:
            refused += 1
            posts.append(_data(entry) | {"refused": str(error)})
            lines.append(_line(entry, f"would fail (dry run): {error}"))
            continue
        text = channel.preview(post)
        posts.append(_data(entry) | {"title": post.title, "text": text})
        lines += [_line(entry, "would be posted (dry run):"), *(f"  {line}" for line in text.splitlines())]
    return Report({"posts": posts}, lines or [NOTHING], 1 if refused else 0)


def _line(entry: PostEntry, says: str) -> str:
    what = f"Receipt {entry.seq} ({one_line(entry.request)})" if entry.seq else entry.heading
    return f"{what}, {one_line(entry.channel)}: {says}"


def _data(entry: PostEntry) -> dict[str, Any]:
    return {"seq": entry.seq, "channel": entry.channel, "state": entry.state, "attempts": entry.attempts}
