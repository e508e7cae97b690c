"""A channel of a Discord webhook: a message for each receipt, which an undo strikes through.

Shapes: https://docs.discord.com/developers/resources/webhook (execute, get and edit with a token; `thread_id` and
`thread_name` of a forum).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sheets_algo.posting.channel import Post, Unanswered
from sheets_algo.posting.discord_api import UNKNOWN_CHANNEL, DiscordSender, id_of, parts_of
from sheets_algo.posting.discord_message import edited, message_of, thread_name
from sheets_algo.posting.http import Reply
from sheets_algo.workbook.redact import one_line

WEBHOOK = re.compile(
    r"(?:https://(?:\w+\.)?discord(?:app)?\.com|http://127\.0\.0\.1:\d+)/api/(?:v\d+/)?webhooks/\d+/[\w-]+"
)
"""The address of a webhook, at Discord or, for tests, on this machine."""
WAIT: Mapping[str, str] = {"wait": "true"}
"""Query parameters that request the posted message as the answer."""


@dataclass(frozen=True)
class DiscordChannel(DiscordSender):
    """A channel that posts to a webhook; in a forum, each war may have a thread of its own."""

    secret_pattern = WEBHOOK
    secret_name = "address of a Discord webhook"

    def send(self, post: Post, former: str = "") -> str:
        """Post a message; return its id, after that of its thread if the war has one: `thread/message`."""
        payload, files = message_of(post)
        thread = parts_of(former)[0] if self.settings.threads else self.settings.thread
        if thread:
            fine = (UNKNOWN_CHANNEL,) if self.settings.threads else ()
            reply = self._ask("POST", query={**WAIT, "thread_id": thread}, payload=payload, files=files, fine=fine)
            if reply.data.get("code") != UNKNOWN_CHANNEL:  # somebody deleted it otherwise
                return self._reference_of(reply)
        named: dict[str, Any] = {"thread_name": thread_name(post)} if self.settings.threads else {}
        named |= {"applied_tags": [*self.settings.tags]} if self.settings.tags else {}
        return self._reference_of(self._ask("POST", query=WAIT, payload=payload | named, files=files))

    def correct(self, post: Post, reference: str, former: str = "") -> str:
        """Strike the message of the ruling through; without its id, post a message of its own."""
        if not parts_of(reference)[1] or post.undoes is None:
            return self.send(post, former)
        self._patch(reference, edited(post.undoes, undone=post))
        return reference

    def edit(self, post: Post, reference: str) -> bool:
        """Change a message; return False if it was deleted."""
        return self._patch(reference, edited(post))

    def _patch(self, reference: str, payload: Mapping[str, Any]) -> bool:
        of_thread, message = parts_of(reference)
        thread = of_thread if self.settings.threads else self.settings.thread
        return self._change(f"/messages/{message}", payload, {"thread_id": thread} if thread else {})

    def describe(self) -> str:
        """Query the webhook, and return its name; nothing is posted."""
        webhook = self._ask("GET").data
        return f"Discord knows the webhook {one_line(str(webhook.get('name', '')))[:80]}; nothing was posted."

    def _access(self, secret: str) -> tuple[str, Mapping[str, str]]:
        return secret, {}

    def _reference_of(self, reply: Reply) -> str:
        id, thread = id_of(reply.data), str(reply.data.get("channel_id"))
        if not id:
            raise Unanswered("Discord answered without the id of a message.")
        return f"{thread}/{id}" if self.settings.threads and thread.isdecimal() else id
