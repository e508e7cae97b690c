"""Which receipts, odds, deadlines and reports go to which channel (PST-11, PST-13, TRN-08, TRN-09)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.columns import loosely
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import SecretForm
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.workbook.template_spec import TabSpec


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
        """Yield the names of the channels in which a war is announced with its odds (PST-13); secrets as above."""
        channels = () if isinstance(form, SecretForm) else self.channels
        return (channel.name for channel in channels if channel.odds and _fits(channel, form, inputs))

    def channels_of_turns(self, form: Form[Any]) -> Iterator[str]:
        """Yield the names of the channels in which deadlines of a game are announced, as its wars are (TRN-08)."""
        return (channel.name for channel in self.channels if channel.odds and _is_for(channel, form))

    def channels_of_reports(self, form: Form[Any]) -> Iterator[str]:
        """Yield the names of the bots that send players their reports (TRN-09)."""
        return (channel.name for channel in self.channels if channel.channel and _is_for(channel, form))


NO_POSTS = PostFilter()


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
