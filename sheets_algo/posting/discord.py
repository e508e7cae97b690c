"""A channel that is a webhook of Discord: an embed for each receipt, which an undo strikes through.

Limits and answers: https://docs.discord.com/developers/resources/webhook and .../resources/message.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.channel import Channel, NotSent, Post, PostRefused, Unanswered
from sheets_algo.posting.http import TIMEOUT_S, Reply, ask
from sheets_algo.posting.markdown import lines_of, literal, text_of
from sheets_algo.posting.secret import ChannelSecret, read_secret, secret_warning
from sheets_algo.workbook.findings import Finding, ok, warn
from sheets_algo.workbook.redact import one_line

WEBHOOK = re.compile(
    r"(?:https://(?:\w+\.)?discord(?:app)?\.com|http://127\.0\.0\.1:\d+)/api/(?:v\d+/)?webhooks/\d+/[\w-]+"
)
"""The address of a webhook, at Discord or, for tests, on this machine."""
TITLE_MOST, DESCRIPTION_MOST, EMBED_MOST = 256, 4_096, 6_000
FILE_MOST = 8_000_000
"""Most bytes of a picture; Discord takes 10 MiB."""
CUT = "… The whole receipt is attached."
UNKNOWN_MESSAGE = 10_008
"""Discord's code for a message that is not there."""
MENTIONS: Mapping[str, Sequence[str]] = {"parse": ()}
"""Nobody is notified, whatever a name says."""
BUSY_S = 60.0
"""Seconds until another attempt if Discord is busy and does not say for how long."""

Files = Mapping[str, tuple[str, bytes, str]]


@dataclass(frozen=True)
class DiscordChannel(Channel):
    """A channel that posts to a webhook.

    Args:
        settings: Its settings.
        timeout_s: Most seconds for a request.
    """

    settings: ChannelSettings
    timeout_s: float = TIMEOUT_S

    def send(self, post: Post) -> str:
        """Post a message; return its id."""
        embed, rest = _embed(post)
        payload: dict[str, Any] = {"embeds": [embed], "allowed_mentions": MENTIONS}
        id = self._id(self._ask("POST", {"wait": "true"}, payload, _files(post, rest)))
        if not id:
            raise Unanswered("Discord answered without the id of a message.")
        return id

    def correct(self, post: Post, reference: str) -> str:
        """Strike the message of the ruling through; without its id, post a message of its own."""
        if not reference.isdecimal() or post.undoes is None:
            return self.send(post)
        embed, _ = _embed(post.undoes, undone=post)
        payload = {"embeds": [embed], "allowed_mentions": MENTIONS}
        try:
            reply = self._ask("PATCH", {}, payload, {}, f"/messages/{reference}", missing_is_fine=True)
        except Unanswered as error:
            raise NotSent(str(error)) from None  # an edit that is repeated changes nothing
        return reference if reply.status == 404 else self._id(reply)

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
        *,
        missing_is_fine: bool = False,
    ) -> Reply:
        """Send a request; return an answer that says that it was carried out.

        Args:
            method: The method.
            query: The query.
            payload: The JSON, None for none.
            files: The files by name of the form's field.
            path: What follows the address of the webhook.
            missing_is_fine: True to return the answer that there is no such message.
        """
        secret = self._secret()
        thread = {"thread_id": self.settings.thread} if self.settings.thread else {}
        body: dict[str, Any] = {"json": payload} if payload is not None else {}
        if files:
            names = [{"id": number, "filename": name} for number, (name, *_) in enumerate(files.values())]
            text = json.dumps({**(payload or {}), "attachments": names})
            body = {"files": {"payload_json": (None, text, "application/json"), **files}}
        reply = ask("Discord", method, secret.text + path, self.timeout_s, params={**query, **thread}, **body)
        if 200 <= reply.status < 300 and reply.data:
            return reply
        if reply.status == 404 and reply.data.get("code") == UNKNOWN_MESSAGE and missing_is_fine:
            return reply
        raise self._error(reply, secret)

    def _error(self, reply: Reply, secret: ChannelSecret) -> NotSent | PostRefused | Unanswered:
        """Return the error of an answer that does not say that the request was carried out."""
        status = reply.status
        if status == 429:
            wait_s = BUSY_S if reply.retry_after_s is None else reply.retry_after_s
            whole = " for all posts of this machine" if reply.data.get("global") is True else ""
            return NotSent(f"Discord asks to wait {wait_s:.0f} seconds{whole}.", wait_s)
        if 300 <= status < 400:
            return NotSent("Discord names another address, which is not followed.")
        if not 400 <= status < 500:
            return Unanswered(f"Discord answered with the status {status}, and no message.")
        place = self.settings.secret_env or self.settings.secret_file
        if status in (401, 404) and not self.settings.thread:
            return PostRefused(f"Discord knows no such webhook (status {status}): put the address of one into {place}.")
        said = [str(reply.data.get("message", "")), *_errors(reply.data.get("errors"))]
        text = secret.without(one_line("; ".join(filter(None, said))))[:200]
        return PostRefused(f"Discord refuses it (status {status}{f': {text}' if text else ''}).")

    def _secret(self) -> ChannelSecret:
        secret = read_secret(self.settings)
        if not WEBHOOK.fullmatch(secret.text):
            place = self.settings.secret_env or self.settings.secret_file
            raise NotSent(f"What is in {place} is no address of a Discord webhook: copy it there as Discord shows it.")
        return secret

    def _id(self, reply: Reply) -> str:
        id = reply.data.get("id")
        return id if isinstance(id, str) and id.isdecimal() else ""


def _embed(post: Post, undone: Post | None = None) -> tuple[dict[str, Any], str]:
    """Return the embed of a post, and the whole text if the embed does not hold it.

    Args:
        post: The post.
        undone: The undo by which it is struck through.
    """
    is_struck = undone is not None
    stroke = "~~" if is_struck else ""
    title = f"{stroke}{_cut(literal(post.title), TITLE_MOST - 4)}{stroke}"
    footer = f"Receipt {post.number} · {_cut(one_line(post.request), 100)}"
    lines = [*lines_of(post.blocks, is_struck=is_struck)]
    if post.text:
        lines = [f"{stroke}{line}{stroke}" if line.strip() else "" for line in post.text.splitlines()]
    if undone is not None:
        lines.insert(0, f"**Undone** by receipt {undone.number}.")
    elif post.kind == "Undo" and not post.text:
        lines.append(literal(f"The ruling of {post.request} is undone."))
    room = min(DESCRIPTION_MOST, EMBED_MOST - _length(title) - _length(footer))
    kept = _fitting(lines, room, "…" if is_struck else CUT)
    embed: dict[str, Any] = {
        "title": title,
        "description": "\n".join(kept),
        "footer": {"text": footer},
        "timestamp": post.time,
    }
    if post.colour is not None:
        red, green, blue = post.colour
        embed["color"] = red * 65_536 + green * 256 + blue
    is_whole = len(kept) == len(lines) and not title.endswith(f"…{stroke}")
    return embed, "" if is_whole else post.text or text_of(post.title, post.blocks)


def _fitting(lines: Sequence[str], room: int, last: str) -> list[str]:
    """Return the first lines that fit, with a last one if some do not."""
    if sum(_length(line) + 1 for line in lines) <= room:
        return [*lines]
    kept: list[str] = []
    room -= _length(last)
    for line in lines:
        room -= _length(line) + 1
        if room < 0:
            break
        kept.append(line)
    return [*kept, last]


def _cut(text: str, most: int) -> str:
    """Return a text cut to some UTF-16 units, in which no sign is divided and no escape is left open."""
    if _length(text) <= most:
        return text
    while _length(text) > most - 1:
        text = text[:-1]
    return text.rstrip("\\") + "…"


def _length(text: str) -> int:
    """Return the length in UTF-16 units, which is never less than Discord counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _files(post: Post, rest: str) -> Files:
    files: dict[str, tuple[str, bytes, str]] = {}
    if post.picture and len(post.picture) <= FILE_MOST:
        files["files[0]"] = ("map.png", post.picture, "image/png")
    if rest:
        files[f"files[{len(files)}]"] = ("receipt.txt", rest.encode(errors="replace"), "text/plain; charset=utf-8")
    return files


def _errors(found: Any, path: str = "") -> Iterable[str]:
    """Yield what Discord says of each field that it refuses."""
    if not isinstance(found, dict):
        return
    for name, value in list(found.items())[:20]:
        if name == "_errors" and isinstance(value, list):
            yield from (f"{path}: {item.get('message', '')}" for item in value if isinstance(item, dict))
        elif len(path) < 100:
            yield from _errors(value, f"{path}.{name}".lstrip("."))
