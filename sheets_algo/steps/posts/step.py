"""Step of a workbook with channels: receipts, odds, deadlines and reports get rows of the tab Posts (PST-11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from engine.columns import loosely
from engine.ruleset import Plain
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.database.tables import Table
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import SecretForm
from sheets_algo.ruling.plan import Contents
from sheets_algo.ruling.receipts.receipt_tab import FollowingRow
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.step import Announcement, Audience, Step
from sheets_algo.steps.posts.post_row import WAITING, PostRow


@dataclass(frozen=True, slots=True)
class PostFilter:
    """The channels of a workbook, and their choice of receipts."""

    channels: Sequence[ChannelSettings] = ()  # The channels of the settings
    forms: Sequence[Form[Any]] = ()  # The forms of the workbook

    def channels_of(self, receipt: StoredReceipt, ruling: StoredReceipt | None) -> Iterator[str]:
        """Yield the names of the channels to which a receipt is posted (PST-11).

        Receipts of games with secrets, and draws such as that of a leader, are posted nowhere.

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

    def channels_of_news(self, news: Announcement) -> Iterator[str]:
        """Yield the names of the channels that publish odds (PST-13), deadlines (TRN-08) or a player's report (TRN-09).

        Odds of games with secrets are published nowhere.
        """
        for channel in self.channels:
            if news.audience is Audience.PLAYER:
                is_chosen = bool(channel.channel) and _is_for(channel, news.form)
            elif news.audience is Audience.TURNS:
                is_chosen = channel.odds and _is_for(channel, news.form)
            else:
                is_open = channel.odds and not isinstance(news.form, SecretForm)
                is_chosen = is_open and _fits(channel, news.form, news.inputs)
            if is_chosen:
                yield channel.name


def _is_for(channel: ChannelSettings, form: Form[Any]) -> bool:
    return not channel.rulesets or form.ruleset_key in channel.rulesets


def _fits(channel: ChannelSettings, form: Form[Any], inputs: str) -> bool:
    """Return True if a channel is for wars of this ruleset and with these motives."""
    if not _is_for(channel, form):
        return False
    if not channel.motives:
        return True
    try:
        motives = form.motives(form.deserialize(inputs))
    except ValueError:
        return False  # inputs that were edited, which `verify` reports
    return not {*map(loosely, motives)}.isdisjoint(map(loosely, channel.motives))


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
