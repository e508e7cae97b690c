"""Opening of channels from their settings, and texts of posts by their templates.

A template is Jinja2 in a sandbox, in a process of its own whose memory and time are limited.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.columns import loosely
from sheets_algo.config.post_settings import ChannelSettings, channel_kind
from sheets_algo.plugins import load_name
from sheets_algo.posting.channel import Channel, Post, PostRefused
from sheets_algo.posting.command import post_data
from sheets_algo.workbook.errors import BadSetting


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


TIMEOUT_S = 30.0
"""Maximum seconds for a template, with the start of its process; of the processor it gets fewer."""
KEPT = ("PATH", "PYTHONPATH", "SYSTEMROOT")
"""Environment variables that a process needs to start; others are withheld, since they may hold secrets."""
EXHAUSTED = "the template takes more memory or time than it may (512 MiB, 5 seconds)"


def texts_of(file: Path, posts: Sequence[Post]) -> Sequence[str]:
    """Return the texts of posts by a template; without posts, the template is only parsed.

    Raises:
        BadSetting: The file cannot be read, or is not a template; the text names line and reason.
        PostRefused: The template fails on a post, likewise.
    """
    try:
        template = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not in UTF-8"
        raise BadSetting(f"template: {file} cannot be read ({why}).") from error
    answer = _ask({"template": template, "posts": [_data(post) for post in posts]})
    if "texts" in answer:
        texts: Sequence[str] = answer["texts"]
        return texts
    line = f", line {answer['line']}" if answer["line"] else ""
    sentence = f"{file}{line}: {answer['why'].rstrip('.')}."
    raise BadSetting(sentence) if answer["is_syntax"] or not posts else PostRefused(sentence)


def _data(post: Post) -> dict[str, Any]:
    lines = {line.label: line.text for block in post.blocks for line in block.lines if line.label}
    return post_data(post) | {"lines": lines, "picture": bool(post.picture)}


def _ask(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the answer of the rendering process, or an error of exhausted limits."""
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "sheets_algo.posting.render_template"],
            input=json.dumps(request).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=TIMEOUT_S,
            env={name: os.environ[name] for name in KEPT if name in os.environ},
            check=True,
        )
        answer: Mapping[str, Any] = json.loads(done.stdout)
    except (subprocess.SubprocessError, ValueError):
        return {"line": 0, "why": EXHAUSTED, "is_syntax": False}
    return answer
