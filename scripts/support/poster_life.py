"""The life of a poster: a process of its own on a new machine, which can be killed at any of its requests."""

from __future__ import annotations

import dataclasses
import os
import tempfile
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from secrets import token_hex
from typing import Any, ClassVar

import mwclient  # noqa: F401 - before processes are forked
import mwparserfromhell  # noqa: F401

from scripts.support.workbooks import library
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.forms.rulesets import open_forms
from sheets_algo.posting.channel import Channel, Post, Unanswered
from sheets_algo.posting.discord import DiscordChannel
from sheets_algo.posting.discord_bot import DiscordBotChannel
from sheets_algo.posting.mediawiki import WikiChannel
from sheets_algo.posting.open_channels import open_channels
from sheets_algo.posting.poster import Poster
from sheets_algo.runtime.session.session import Session
from sheets_algo.template.posts_tab import posts_tab
from sheets_algo.workbook.changes import ChangeSet, CommitResult
from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.snapshot import Needs, Snapshot
from sheets_algo.workbook.store import Workbook

open_forms(library())  # before processes are forked, as all imports
posts_tab()

TIMEOUT_S = 5.0


class RemoteWorkbook(Workbook):
    """A workbook that another process holds; each read and each commit is a request to it.

    Args:
        connection: Where it is asked for.
        has_notes: True if it notes posts where people cannot edit, as Google does and a file does not.
    """

    def __init__(self, connection: Connection, *, has_notes: bool) -> None:
        self._connection, self._has_notes = connection, has_notes

    @property
    def name(self) -> str:
        return "season"

    def read(self, tabs: Any, headers_only: Any = (), needs: Needs | Mapping[Any, Any] = {}) -> Snapshot:  # noqa: B006
        return self._ask("read", tabs, headers_only)

    def noted_posts(self) -> str | None:
        return self._ask("noted_posts") if self._has_notes else None

    def commit(self, snapshot: Snapshot, changes: ChangeSet) -> CommitResult:
        return self._ask("commit", snapshot, changes)

    def _ask(self, *request: Any) -> Any:
        self._connection.send(request)
        found = self._connection.recv()
        if isinstance(found, Exception):
            raise found
        return found


class Repeating(DiscordChannel):
    """A webhook whose posts are sent again where no answer came, as if they appeared once."""

    is_repeatable: ClassVar[bool] = True


class Trusting(DiscordChannel):
    """A webhook that takes a post for sent where no answer came."""

    def send(self, post: Post, former: str = "") -> str:
        try:
            return super().send(post, former)
        except Unanswered:
            return "1"


class Blind(DiscordBotChannel):
    """A bot that does not look whether its message is there."""

    def _find_message(self, post: Post, about: Mapping[str, Any]) -> str:
        return ""


class Forgetful(WikiChannel):
    """A wiki whose marks are others each time."""

    def send(self, post: Post, former: str = "") -> str:
        return super().send(dataclasses.replace(post, mark=post.mark + token_hex(2)), former)


CARELESS: Mapping[str, type[Any]] = {kind.__name__: kind for kind in (Repeating, Trusting, Blind, Forgetful)}
"""Channels with a mistake, which the schedules must find out."""


def live(
    connection: Connection,
    channel: ChannelSettings,
    api: str,
    time: float,
    careless: str = "",
    computer: str = "",
    is_copy: bool = False,
) -> None:
    """Work the tab Posts off once, at a time in Unix seconds.

    Args:
        connection: Where the workbook is asked for.
        channel: The channel.
        api: The address of Discord, for bots.
        time: The time.
        careless: One of `CARELESS` instead of the program's own channel; blank for none.
        computer: The folder of a computer that posted before; blank for a new one.
        is_copy: True if it works on a copy, without the season's secret.
    """
    if is_copy:
        os.environ.pop("SHEETS_ALGO_SECRET", None)
        Path(computer).mkdir(exist_ok=True)
    with nullcontext(computer) if computer else tempfile.TemporaryDirectory() as folder:
        session = Session(
            workbook=RemoteWorkbook(connection, has_notes=not computer),
            folder=Path(folder),
            library=library(),
            draws_pictures=False,
            channels=(channel,),
            clock=lambda: datetime.fromtimestamp(time, UTC),
        )
        channels: dict[str, Channel] = {
            name: _for_tests(CARELESS[careless](channel) if careless else found, api)
            for name, found in open_channels([channel]).items()
        }
        with suppress(WorkbookError):  # somebody else was faster five times
            Poster(session, channels, clock=lambda: time).work()
    connection.send(("end",))


def _for_tests(channel: Any, api: str) -> Any:
    changed = dataclasses.replace(channel, timeout_s=TIMEOUT_S)
    return dataclasses.replace(changed, api=api) if isinstance(changed, DiscordBotChannel) else changed
