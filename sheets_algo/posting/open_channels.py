"""Opening of channels from their settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.columns import loosely
from sheets_algo.config.post_settings import ChannelSettings, channel_kind
from sheets_algo.plugins import load_name
from sheets_algo.posting.channel import Channel, Post
from sheets_algo.posting.templates import texts_of


def open_channels(settings: Iterable[ChannelSettings]) -> Mapping[str, Channel]:
    """Return the channels by name, in small letters; secrets are read when they are needed.

    Raises:
        BadPlugin: A kind of channel cannot be loaded.
        BadSetting: A template is invalid; the text names line and reason.
    """
    settings = tuple(settings)
    for channel in settings:
        if channel.template is not None:
            texts_of(channel.template, ())
    hidden = frozenset(channel.secret_env for channel in settings) - {""}
    return {loosely(channel.name): _open(replace(channel, hidden=hidden)) for channel in settings}


def _open(channel: ChannelSettings) -> Channel:
    made: Channel = load_name(channel_kind(channel.to).opens, f"The kind {channel.to} of channels")(channel)
    return made


def with_text(post: Post, channel: ChannelSettings) -> Post:
    """Return a post with the text of its channel's template, and likewise the ruling that it undoes.

    Raises:
        BadSetting: The template is invalid; the text names line and reason.
        PostRefused: The template fails on this post, likewise.
    """
    if channel.template is None:
        return post
    text, *rest = texts_of(channel.template, (post, post.undoes) if post.undoes else (post,))
    return replace(post, text=text, undoes=replace(post.undoes, text=rest[0]) if post.undoes else None)
