"""The kinds of channels: each is opened from its settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.columns import loosely
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.apprise_channel import AppriseChannel
from sheets_algo.posting.channel import Channel, Post
from sheets_algo.posting.command import CommandChannel
from sheets_algo.posting.discord import DiscordChannel
from sheets_algo.posting.discord_bot import DiscordBotChannel
from sheets_algo.posting.mediawiki import WikiChannel
from sheets_algo.posting.templates import texts_of


def open_channels(settings: Iterable[ChannelSettings]) -> Mapping[str, Channel]:
    """Return the channels by name, in small letters; secrets are read when they are needed.

    Raises:
        BadSetting: A template is none; the text names line and reason.
    """
    settings = tuple(settings)
    for channel in settings:
        if channel.template is not None:
            texts_of(channel.template, ())
    variables = {channel.secret_env for channel in settings} - {""}
    return {loosely(channel.name): _opened(channel, variables) for channel in settings}


def with_text(post: Post, channel: ChannelSettings) -> Post:
    """Return a post with the text that the template of its channel makes, and so the ruling that it undoes.

    Raises:
        BadSetting: The template is none; the text names line and reason.
        PostRefused: The template fails on this post, likewise.
    """
    if channel.template is None:
        return post
    text, *rest = texts_of(channel.template, (post, post.undoes) if post.undoes else (post,))
    return replace(post, text=text, undoes=replace(post.undoes, text=rest[0]) if post.undoes else None)


def _opened(channel: ChannelSettings, variables: Iterable[str]) -> Channel:
    match channel.to:
        case "command":
            return CommandChannel(channel, frozenset(variables))
        case "discord":
            return DiscordBotChannel(channel) if channel.channel else DiscordChannel(channel)
        case "apprise":
            return AppriseChannel(channel)
        case "mediawiki":
            return WikiChannel(channel)
    raise AssertionError(f"unknown kind of channel: {channel.to}")
