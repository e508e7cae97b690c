"""A channel that is a webhook of Discord: a message for each receipt, which an undo strikes through.

Shapes: https://docs.discord.com/developers/resources/webhook (execute, get and edit with a token; `thread_id` and
`thread_name` of a forum).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.channel import Channel, NotSent, Post, PostRefused, Unanswered
from sheets_algo.posting.discord_api import UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, ask_discord, id_of, parts_of
from sheets_algo.posting.discord_message import Files, as_text, edited, message_of, struck_through, thread_name
from sheets_algo.posting.http import TIMEOUT_S, Reply
from sheets_algo.posting.secret import ChannelSecret, read_secret, secret_warning
from sheets_algo.workbook.findings import Finding, ok, warn
from sheets_algo.workbook.redact import one_line

WEBHOOK = re.compile(
    r"(?:https://(?:\w+\.)?discord(?:app)?\.com|http://127\.0\.0\.1:\d+)/api/(?:v\d+/)?webhooks/\d+/[\w-]+"
)
"""The address of a webhook, at Discord or, for tests, on this machine."""


@dataclass(frozen=True)
class DiscordChannel(Channel):
    """A channel that posts to a webhook; in a forum, each war may have a thread of its own."""

    settings: ChannelSettings
    timeout_s: float = TIMEOUT_S  # Most seconds for a request

    def send(self, post: Post, former: str = "") -> str:
        """Post a message; return its id, behind that of its thread if the war has one: `thread/message`."""
        payload, files = message_of(post)
        thread = parts_of(former)[0] if self.settings.threads else self.settings.thread
        if thread:
            fine = (UNKNOWN_CHANNEL,) if self.settings.threads else ()
            reply = self._ask("POST", {"wait": "true", "thread_id": thread}, payload, files, fine=fine)
            if reply.data.get("code") != UNKNOWN_CHANNEL:  # somebody deleted it otherwise
                return self._posted(reply)
        named: dict[str, Any] = {"thread_name": thread_name(post)} if self.settings.threads else {}
        named |= {"applied_tags": [*self.settings.tags]} if self.settings.tags else {}
        return self._posted(self._ask("POST", {"wait": "true"}, payload | named, files))

    def correct(self, post: Post, reference: str, former: str = "") -> str:
        """Strike the message of the ruling through; without its id, post a message of its own."""
        if not parts_of(reference)[1] or post.undoes is None:
            return self.send(post, former)
        self._patch(reference, struck_through(post.undoes, post))
        return reference

    def edit(self, post: Post, reference: str) -> bool:
        """Change a message; return False if somebody deleted it."""
        return self._patch(reference, edited(post))

    def preview(self, post: Post) -> str:
        """Return a message as text."""
        return as_text(post)

    def _patch(self, reference: str, payload: Mapping[str, Any]) -> bool:
        of_thread, message = parts_of(reference)
        thread = of_thread if self.settings.threads else self.settings.thread
        query, fine = {"thread_id": thread} if thread else {}, (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL)
        try:
            reply = self._ask("PATCH", query, payload, {}, f"/messages/{message}", fine=fine)
        except Unanswered as error:
            raise NotSent(str(error)) from None  # an edit that is repeated changes nothing
        return reply.data.get("code") not in fine

    def examine(self) -> Iterator[Finding]:
        """Ask for the webhook, and yield whether it is there; nothing is posted."""
        name = f"post: {self.settings.name}"
        if warning := secret_warning(self.settings):
            yield warn(name, warning)
        try:
            reply = self._ask("GET", {}, None, {})
        except (NotSent, PostRefused, Unanswered) as error:
            yield warn(name, str(error))
            return
        yield ok(
            name, f"Discord knows the webhook {one_line(str(reply.data.get('name', '')))[:80]}; nothing was posted."
        )

    def _ask(
        self,
        method: str,
        query: Mapping[str, str],
        payload: Mapping[str, Any] | None,
        files: Files,
        path: str = "",
        fine: tuple[int, ...] = (),
    ) -> Reply:
        secret = self._secret()
        return ask_discord(
            self.settings,
            secret,
            self.timeout_s,
            method,
            secret.text + path,
            query=query,
            payload=payload,
            files=files,
            fine=fine,
        )

    def _secret(self) -> ChannelSecret:
        secret = read_secret(self.settings)
        if not WEBHOOK.fullmatch(secret.text):
            place = self.settings.secret_env or self.settings.secret_file
            raise NotSent(f"What is in {place} is no address of a Discord webhook: copy it there as Discord shows it.")
        return secret

    def _posted(self, reply: Reply) -> str:
        id, thread = id_of(reply.data), str(reply.data.get("channel_id"))
        if not id:
            raise Unanswered("Discord answered without the id of a message.")
        return f"{thread}/{id}" if self.settings.threads and thread.isdecimal() else id
