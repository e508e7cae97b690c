"""The next message of each channel, as it would appear."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sheets_algo.posting.channel import Channel, PostRefused
from sheets_algo.posting.ready_post import ready_post
from sheets_algo.runtime.session.session import Session, opened
from sheets_algo.steps.posts.post_row import WAITING, PostRow, read_posts
from sheets_algo.workbook.errors import BadSetting, WorkbookError
from sheets_algo.workbook.findings import Finding, ok, warn


def next_posts(session: Session, channels: Mapping[str, Channel]) -> Iterator[Finding]:
    """Yield the first post that waits for each channel; nothing is posted."""
    try:
        book = opened(session, whole=(PostRow,))
    except WorkbookError:
        return  # another finding gives the reason
    entries = read_posts(book.snapshot, after=book.receipts.forked)
    for name, channel in channels.items():
        about = f"post: {channel.settings.name}"
        entry = next((entry for entry in entries if entry.key[1] == name and entry.state == WAITING), None)
        if entry is None:
            yield ok(about, "no message waits for it.")
            continue
        try:
            text = channel.preview(ready_post(session, book, entry, channel.settings))
        except (BadSetting, PostRefused) as error:
            yield warn(about, f"its next message ({entry.title}) would fail: {error}")
            continue
        yield ok(about, f"its next message ({entry.title}) would appear so:")
        for line in text.splitlines():
            yield ok(about, f"| {line}")
