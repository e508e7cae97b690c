"""Requests to Discord, its answers as errors, and a channel of a webhook, in which an undo strikes a message through.

Answers: https://docs.discord.com/developers/topics/rate-limits and .../topics/opcodes-and-status-codes. Shapes:
https://docs.discord.com/developers/resources/webhook (execute, get and edit with a token; `thread_id` and `thread_name`
of a forum).
"""

from __future__ import annotations

import json
import re
from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.columns import loosely
from engine.receipt import counted
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.channel import (
    Channel,
    ChannelSecret,
    NotReady,
    NotSent,
    Post,
    PostRefused,
    Unanswered,
    read_secret,
)
from sheets_algo.posting.discord_message import Files, as_text, edited, message_of, thread_name
from sheets_algo.posting.http import TIMEOUT_S, Reply, ask
from sheets_algo.workbook.redact import one_line

UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, HAS_THREAD = 10_003, 10_008, 160_004
"""Discord's codes for a missing channel or thread, a missing message, and a message that already begins a thread."""
NEEDS_TAG = 40_067
"""Discord's code for a thread without the tag that a forum requires; it is sent once the settings name one."""
ID = re.compile(r"[0-9]{1,20}")
"""An id of Discord, which counts time: a whole number of 64 bits."""
BUSY_S = 60.0
"""Seconds until another attempt if Discord is busy and does not say for how long."""
HINTS = {
    50_001: "let the bot see the channel",
    50_007: "the player takes no direct messages from this server, which is a setting of Discord",
    50_013: "give the bot the permissions that docs/posting-discord.md lists",
    NEEDS_TAG: "the forum requires a tag: write the names of its tags as tags",
    220_001: "the channel is a forum: write threads = true, or the id of a thread as thread",
    220_003: "webhooks begin threads in forums only: make the webhook in a forum, or leave threads out",
}
"""Remedies by Discord's code of an error."""


@dataclass(frozen=True)
class DiscordSender(Channel):
    """The common base of webhooks and bots of Discord."""

    secret_pattern: ClassVar[re.Pattern[str]]
    secret_name: ClassVar[str]
    """Description of its secret, for a sentence."""
    settings: ChannelSettings
    timeout_s: float = TIMEOUT_S  # Maximum seconds for a request

    def preview(self, post: Post) -> str:
        """Return a message as text."""
        return as_text(post)

    def correct(self, post: Post, reference: str, former: str = "") -> str:
        """Strike the message of the ruling through; without its id, post a message of its own."""
        if not parts_of(reference)[1] or post.undoes is None:
            return self.send(post, former)
        self._patch(reference, edited(post.undoes, self._mark(post.undoes), undone=post))
        return reference

    def edit(self, post: Post, reference: str) -> bool:
        """Change a message; return False if it was deleted."""
        return self._patch(reference, edited(post, self._mark(post)))

    def _mark(self, post: Post) -> str:
        """Return the mark by which a channel finds its message; blank for one that does not."""
        return post.mark if self.is_repeatable else ""

    @abstractmethod
    def _patch(self, reference: str, payload: Mapping[str, Any]) -> bool:
        """Change the message of a reference; return False if it was deleted."""

    @abstractmethod
    def _access(self, secret: str) -> tuple[str, Mapping[str, str]]:
        """Return the base address of paths, and the headers of a request."""

    def _ask(
        self,
        method: str,
        path: str = "",
        *,
        query: Mapping[str, str | int] | None = None,
        payload: Mapping[str, Any] | None = None,
        files: Files | None = None,
        fine: Collection[int] = (),
    ) -> Reply:
        """Send a request; return the answer of a success.

        Args:
            payload: The JSON, None for none.
            fine: Discord's codes of errors that are returned.
        """
        secret = read_secret(self.settings)
        if not self.secret_pattern.fullmatch(secret.text):
            place = self.settings.secret_env or self.settings.secret_file
            raise NotReady(f"What is in {place} is no {self.secret_name}: copy it there as Discord shows it.")
        address, headers = self._access(secret.text)
        body: dict[str, Any] = {"json": payload} if payload is not None else {}
        if files:
            body = {"files": {"payload_json": (None, json.dumps(payload or {}), "application/json"), **files}}
        reply = ask(
            "Discord", method, address + path, self.timeout_s, params=dict(query or {}), headers=dict(headers), **body
        )
        if (200 <= reply.status < 300 and reply.read is not None) or reply.data.get("code") in fine:
            return reply
        raise _error(reply, self.settings, secret)

    def _change(self, path: str, payload: Mapping[str, Any], query: Mapping[str, str | int] | None = None) -> bool:
        """Change a message; return False if it was deleted. The change can be repeated, so it raises NotSent."""
        fine = (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL)
        try:
            reply = self._ask("PATCH", path, query=query, payload=payload, fine=fine)
        except Unanswered as error:
            raise NotSent(str(error)) from None
        return reply.data.get("code") not in fine


def _error(reply: Reply, settings: ChannelSettings, secret: ChannelSecret) -> NotSent | PostRefused | Unanswered:
    """Return the error for an answer that is not a success."""
    status, code = reply.status, reply.data.get("code")
    if status == 429:
        wait_s = BUSY_S if reply.retry_after_s is None else reply.retry_after_s
        whole = " for all posts of this machine" if reply.data.get("global") is True else ""
        return NotSent(f"Discord asks to wait {counted(wait_s, 'second')}{whole}.", wait_s)
    if 300 <= status < 400:
        return NotSent("Discord names another address, which is not followed.")
    if not 400 <= status < 500:
        return Unanswered(f"Discord answered with the status {status}, and no message.")
    place = settings.secret_env or settings.secret_file
    if status == 401 and settings.channel:
        return PostRefused(f"Discord does not know the bot (status 401): put its token into {place}.")
    if status in (401, 404) and not settings.channel and code != UNKNOWN_CHANNEL:
        return PostRefused(f"Discord knows no such webhook (status {status}): put the address of one into {place}.")
    if code == UNKNOWN_CHANNEL:
        id = settings.channel or settings.thread
        return PostRefused(f"Discord knows no such channel (status {status}): correct {id} in the settings.")
    hint = HINTS.get(code, "") if isinstance(code, int) else ""
    said = [str(reply.data.get("message", "")), *_errors(reply.data.get("errors")), hint]
    text = secret.without(one_line("; ".join(filter(None, said))))[:300]
    sentence = f"Discord refuses it (status {status}{f': {text}' if text else ''})."
    return NotSent(sentence) if code == NEEDS_TAG else PostRefused(sentence)


def id_of(item: Mapping[str, Any]) -> str:
    """Return the id of a message or thread as Discord shows it; blank if it has none."""
    id = item.get("id")
    return id if isinstance(id, str) and ID.fullmatch(id) else ""


def parts_of(reference: str) -> tuple[str, str]:
    """Return thread and message of a reference `thread/message` or `message`; blank for anything else."""
    thread, _, message = reference.rpartition("/")
    is_one = message.isdecimal() and (thread.isdecimal() or not thread)
    return (thread, message) if is_one else ("", "")


def tag_ids(names: Collection[str], about: Mapping[str, Any]) -> list[str]:
    """Return the ids of a forum's tags by their names, or of those that are ids already.

    Raises:
        NotSent: The forum has no such tag.
    """
    tags = about.get("available_tags")
    known = {loosely(str(tag.get("name"))): id_of(tag) for tag in tags if isinstance(tag, dict)} if tags else {}
    ids = [known.get(loosely(name)) or (name if ID.fullmatch(name) else "") for name in names]
    for name, id in zip(names, ids, strict=True):
        if not id:
            there = ", ".join(one_line(str(tag.get("name"))) for tag in tags or ()) or "none"
            raise NotSent(
                f'The forum has no tag "{one_line(name)}"; it has {there[:200]}. Correct tags in the settings.'
            )
    return ids


def _errors(errors: Any, path: str = "") -> Iterable[str]:
    if not isinstance(errors, dict):
        return
    for name, value in list(errors.items())[:20]:
        if name == "_errors" and isinstance(value, list):
            yield from (f"{path}: {item.get('message', '')}" for item in value if isinstance(item, dict))
        elif len(path) < 100:
            yield from _errors(value, f"{path}.{name}".lstrip("."))


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
