"""Step of a workbook with channels: receipts, odds, deadlines and reports get rows of the tab Posts (PST-11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from engine.ruleset import Plain
from sheets_algo.database.tables import Table
from sheets_algo.ruling.contents import Contents
from sheets_algo.ruling.receipts.receipt_tab import FollowingRow
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.step import Announcement, Step
from sheets_algo.steps.posts.post_filter import PostFilter
from sheets_algo.steps.posts.post_row import WAITING, PostRow


class PostsStep(Step):
    """The posts of one pass.

    Args:
        contents: What the pass has read.
    """

    headed = (PostRow,)

    def __init__(self, contents: Contents) -> None:
        context = contents.context
        self._filter = PostFilter(context.writing.channels, context.forms)
        self._looks = context.writing.looks.get(PostRow.tab.name)
        self._tab = Table.of(contents.snapshot, PostRow)
        self._now = contents.now

    @classmethod
    def of(cls, contents: Contents) -> Self | None:
        """Return the step of a workbook with channels."""
        return cls(contents) if contents.context.writing.channels else None

    def after(self, receipts: Receipts, receipt: StoredReceipt) -> Iterator[FollowingRow]:
        """Yield a row for each channel to which a new receipt is posted."""
        ruling = receipt if receipt.kind == "Ruling" else receipts.ruling_of(receipt.request)
        if ruling and ruling.seq <= receipts.forked:
            return
        for channel in self._filter.channels_of(receipt, ruling):
            yield self._waiting(receipt.request, channel, receipt.time, seq=receipt.seq)

    def publish(self, news: Announcement) -> Iterator[FollowingRow]:
        """Yield a row for each channel that publishes news; none if Posts is a tab of people."""
        if self._tab.header_row and "odds" not in self._tab.places:
            return
        for channel in self._filter.channels_of_news(news):
            yield self._waiting(news.request, channel, self._now, odds=news.what)

    def _waiting(self, request: str, channel: str, time: str, **what: Plain) -> FollowingRow:
        """Return a waiting row; `what` are the cells that identify the post."""
        cells = {"request": request, "channel": channel, "state": WAITING, "attempts": 0, "time": time, **what}
        return FollowingRow(self._tab, cells, self._looks)
