"""The kinds of channels: each is opened from its settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.columns import loosely
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.channel import Channel
from sheets_algo.posting.command import CommandChannel
from sheets_algo.posting.discord import DiscordChannel
from sheets_algo.posting.mediawiki import WikiChannel


def open_channels(settings: Iterable[ChannelSettings]) -> Mapping[str, Channel]:
    """Return the channels by name, in small letters; secrets are read when they are needed."""
    settings = tuple(settings)
    variables = {channel.secret_env for channel in settings} - {""}
    return {loosely(channel.name): _opened(channel, variables) for channel in settings}


def _opened(channel: ChannelSettings, variables: Iterable[str]) -> Channel:
    match channel.to:
        case "command":
            return CommandChannel(channel, frozenset(variables))
        case "discord":
            return DiscordChannel(channel)
        case "mediawiki":
            return WikiChannel(channel)
    raise AssertionError(f"unknown kind of channel: {channel.to}")
