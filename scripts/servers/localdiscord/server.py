"""Discord on this machine: a webhook and a bot post, edit and read messages, limits are checked, and it can fail.

Shapes from https://docs.discord.com/developers/resources/webhook (execute, edit and get with a token, `thread_id` and
`thread_name`), .../resources/message (message and embed objects, embed limits, allowed mentions, create with `nonce`
and `enforce_nonce`, get, edit), .../resources/channel (get channel, start thread from message, start thread in forum),
.../resources/guild (active threads), .../resources/user (create DM), .../topics/rate-limits (the body of 429) and
.../topics/opcodes-and-status-codes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import HTTP
from typing import Any

from faulty.server import KINDS, Answer, Asked, FaultyServer

WEBHOOK = re.compile(r"/api(?:/v\d+)?/webhooks/(\d+)/([\w-]+)(?:/messages/(\d+))?")
BOT = re.compile(
    r"/api/v\d+/(users/@me(?:/channels)?|guilds/\d+/threads/active|channels/(\d+)(?:/(messages|threads)(?:/(.+))?)?)"
)
LIMITS = {"title": 256, "description": 4096}
EMBED_SUM, CONTENT, EMBEDS, FILE_MOST, NONCE, NAME = 6000, 2000, 10, 10 * 1024 * 1024, 25, 100
ALT, TAGS, REQUIRE_TAG = 1024, 5, 1 << 4
TEXT, DIRECT, FORUM, THREAD = 0, 1, 15, 11
"""Types of channels."""
EPOCH_MS = 1_420_070_400_000
FIRST = 1_772_366_400_000 - EPOCH_MS << 22
"""The id of the first message: ids count time, here from 1 March 2026, 12:00 UTC on."""
GUILD, BOT_ID, WEBHOOK_ID = "9", "5", "1"


@dataclass
class Message:
    """A message of a webhook or a bot.

    Args:
        id: Its id.
        channel: The id of its channel or thread.
        author: The id of its author.
        data: Its content, embeds and so on, as they were sent.
        files: Its attachments by name.
        pings: Whom it has notified.
        alts: The texts of its attachments for those who do not see them, by name.
        edits: The number of its edits.
        thread: The thread that it was sent into by a webhook.
    """

    id: str
    channel: str
    author: str
    data: dict[str, Any]
    files: dict[str, bytes]
    pings: list[str] = field(default_factory=list)
    alts: dict[str, str] = field(default_factory=dict)
    edits: int = 0
    thread: str = ""


@dataclass
class Channel:
    """A channel or thread.

    Args:
        id: Its id.
        name: Its name.
        type: One of the types of channels.
        parent: Of a thread: the id of its channel.
        owner: Likewise: the id of who began it.
        is_archived: Likewise.
        tags: Of a forum: its tags, name to id; of a thread: those that it has.
        requires_tag: Of a forum: True if a thread must have one.
    """

    id: str
    name: str
    type: int = TEXT
    parent: str = ""
    owner: str = ""
    is_archived: bool = False
    tags: dict[str, str] = field(default_factory=dict)
    requires_tag: bool = False


class LocalDiscord(FaultyServer):
    """A guild with a text channel 7, a forum 8, a webhook and a bot.

    Args:
        token: The token of the webhook, whose id is 1.
        retry_after: Of the faults 429 and 429-global, in seconds.
        silence_s: Most seconds of a request that gets no answer.
    """

    kinds = (*KINDS, "429", "429-global", "429-page", "400")

    def __init__(self, token: str = "a-token-that-only-tests-know", retry_after: float = 0.2, silence_s: float = 30.0):
        super().__init__(silence_s)
        self.token = token
        self.bot_token = "a.bot-token.that-only-tests-know"
        self.retry_after = retry_after
        self.is_deleted = False
        self.webhook_channel = "7"
        self.messages: list[Message] = []
        self.channels = {"7": Channel("7", "wars"), "8": Channel("8", "war-forum", FORUM)}
        self.members = {"100000000000000001", "100000000000000002", "100000000000000003"}
        self.silent: set[str] = set()  # the members who take no direct messages
        self._nonces: dict[tuple[str, str], Message] = {}
        self._last = FIRST

    @property
    def webhook(self) -> str:
        """Return the address of the webhook, which is its secret."""
        return f"{self.url}/api/webhooks/{WEBHOOK_ID}/{self.token}"

    @property
    def api(self) -> str:
        """Return the address of the API for bots."""
        return f"{self.url}/api/v10"

    @property
    def threads(self) -> list[Channel]:
        """Return the threads, the oldest first."""
        return [channel for channel in self.channels.values() if channel.type == THREAD]

    def forget_nonces(self) -> None:
        """Let the few minutes pass for which Discord knows a nonce."""
        self._nonces.clear()

    def say(self, text: str, channel: str = "7") -> None:
        """Write a message as a person does."""
        self._add(channel, "77", {"content": text}, {})

    def error(self, kind: str) -> Answer:
        """Return the answer of a fault."""
        if kind == "429-page":
            return Answer(429, b"<html>error code: 1015</html>", {"Retry-After": "1"})
        if kind.startswith("429"):
            body = {"message": "You are being rate limited.", "retry_after": self.retry_after}
            return _json(429, body | {"global": kind.endswith("global")}, {"Retry-After": "1"})
        return _invalid("embeds", "made up") if kind == "400" else super().error(kind)

    def carry_out(self, asked: Asked) -> Answer:
        """Answer a request of the webhook or of the bot."""
        if found := BOT.fullmatch(asked.path):
            return self._for_bot(asked, *found.groups())
        found = WEBHOOK.fullmatch(asked.path)
        if not found or found[1] != WEBHOOK_ID or self.is_deleted:
            return _json(404, {"message": "Unknown Webhook", "code": 10015})
        if found[2] != self.token:
            return _json(401, {"message": "Invalid Webhook Token", "code": 50027})
        match asked.method, found[3]:
            case "GET", None:
                about = {"id": WEBHOOK_ID, "type": 1, "name": "Herald", "channel_id": self.webhook_channel}
                return _json(200, about | {"token": self.token})
            case "POST", None:
                return self._execute(asked)
            case "PATCH", id:
                return self._edit(asked, asked.query.get("thread_id", ""), id, WEBHOOK_ID)
        return _not_allowed()

    def _execute(self, asked: Asked) -> Answer:
        """Execute the webhook: post into its channel, into a thread, or into a new thread of its forum."""
        data, files = _read(asked)
        thread, name = asked.query.get("thread_id", ""), data.pop("thread_name", "")
        is_forum = self.channels[self.webhook_channel].type == FORUM
        if refusal := _refusal(data, files):
            return refusal
        if name and not is_forum:
            return _json(400, {"message": "Webhooks can only create threads in forum channels", "code": 220003})
        if is_forum and not (name or thread):
            text = "Webhooks posted to forum channels must have a thread_name or thread_id"
            return _json(400, {"message": text, "code": 220001})
        if is_forum and thread and thread not in self.channels:
            return _unknown_channel()
        if name:
            tags = data.pop("applied_tags", [])
            forum = self.channels[self.webhook_channel]
            if refusal := _name_refusal(name) or _tag_refusal(forum, tags):
                return refusal
            thread = self.begin_thread(name, self.webhook_channel, WEBHOOK_ID, tags=tags).id
        message = self._add(thread or self.webhook_channel, WEBHOOK_ID, data, files, thread if name else "")
        message.thread = thread
        return _json(200, self._shown(message)) if asked.query.get("wait") == "true" else Answer(204)

    def _for_bot(self, asked: Asked, path: str, id: str | None, kind: str | None, rest: str | None) -> Answer:
        if asked.headers.get("authorization") != f"Bot {self.bot_token}":
            return _json(401, {"message": "401: Unauthorized", "code": 0})
        if path == "users/@me":
            return _json(200, {"id": BOT_ID, "username": "Herald", "bot": True})
        if path == "users/@me/channels":
            return self._direct(str(_read(asked)[0].get("recipient_id")))
        if path.startswith("guilds/"):
            return _json(200, {"threads": [self._about(item) for item in self.threads if not item.is_archived]})
        channel = self.channels.get(str(id))
        if channel is None:
            return _unknown_channel()
        match asked.method, kind, rest:
            case "GET", None, None:
                return _json(200, self._about(channel))
            case "GET", "messages", None:
                return self._list(channel.id, asked)
            case "POST", "messages", None:
                return self._create(channel, asked)
            case "GET", "messages", message_id:
                found = self._message(channel.id, message_id)
                return _json(200, self._shown(found)) if found else _unknown_message()
            case "PATCH", "messages", message_id:
                return self._edit(asked, channel.id, message_id, BOT_ID)
            case "POST", "messages", begins if begins and begins.endswith("/threads"):
                return self._thread_of_message(channel.id, begins.partition("/")[0], asked)
            case "POST", "threads", None:
                return self._post_in_forum(channel, asked)
            case "GET", "threads", "archived/public":
                return self._archived(channel.id, asked)
        return _not_allowed()

    def _direct(self, user: str) -> Answer:
        """Return the channel of direct messages with a user, always the same."""
        if user not in self.members:
            return _json(400, {"message": "Invalid Recipient(s)", "code": 50033})
        id = f"4{user}"
        self.channels.setdefault(id, Channel(id, user, DIRECT))
        return _json(200, {"id": id, "type": DIRECT, "recipients": [{"id": user}]})

    def _create(self, channel: Channel, asked: Asked) -> Answer:
        data, files = _read(asked)
        if channel.type == FORUM:
            return _json(400, {"message": "Cannot send messages in a non-text channel", "code": 50008})
        if channel.type == DIRECT and channel.name in self.silent:
            return _json(403, {"message": "Cannot send messages to this user", "code": 50007})
        if refusal := _refusal(data, files):
            return refusal
        nonce = str(data.pop("nonce", ""))
        if len(nonce) > NONCE:
            return _invalid("nonce", f"Must be {NONCE} or fewer in length.")
        known = self._nonces.get((BOT_ID, nonce)) if data.pop("enforce_nonce", False) and nonce else None
        if known is None:
            known = self._nonces[BOT_ID, nonce] = self._add(channel.id, BOT_ID, data, files)
        return _json(200, self._shown(known))

    def _list(self, channel: str, asked: Asked) -> Answer:
        """Return messages, the newest first; with `after` those that follow it."""
        after, limit = int(asked.query.get("after", 0)), int(asked.query.get("limit", 50))
        found = [message for message in self.messages if message.channel == channel and int(message.id) > after]
        page = found[:limit] if "after" in asked.query else found[-limit:]
        return _json(200, [self._shown(message) for message in reversed(page)])

    def _archived(self, channel: str, asked: Asked) -> Answer:
        """Return archived threads, those that were archived last first; with `before` those archived earlier."""
        own = [self._about(item) for item in self.threads if item.is_archived and item.parent == channel]
        own.sort(key=lambda thread: thread["thread_metadata"]["archive_timestamp"], reverse=True)
        before, limit = asked.query.get("before", "9999"), int(asked.query.get("limit", 50))
        found = [thread for thread in own if thread["thread_metadata"]["archive_timestamp"] < before]
        return _json(200, {"threads": found[:limit], "members": [], "has_more": len(found) > limit})

    def _thread_of_message(self, channel: str, id: str, asked: Asked) -> Answer:
        data, _ = _read(asked)
        if self._message(channel, id) is None:
            return _unknown_message()
        if id in self.channels:
            return _json(400, {"message": "A thread has already been created for this message", "code": 160004})
        if refusal := _name_refusal(data["name"]):
            return refusal
        return _json(201, self._about(self.begin_thread(data["name"], channel, BOT_ID, id)))

    def _post_in_forum(self, channel: Channel, asked: Asked) -> Answer:
        data, files = _read(asked)
        if channel.type != FORUM or "message" not in data:
            return _invalid("type", "only threads of forums are made so here")
        tags = data.get("applied_tags", [])
        refusal = _refusal(data["message"], files) or _name_refusal(data["name"]) or _tag_refusal(channel, tags)
        if refusal:
            return refusal
        thread = self.begin_thread(data["name"], channel.id, BOT_ID, tags=tags)
        message = self._add(thread.id, BOT_ID, data["message"], files, thread.id)
        return _json(201, self._about(thread) | {"message": self._shown(message)})

    def begin_thread(self, name: str, parent: str, owner: str, id: str = "", tags: Sequence[str] = ()) -> Channel:
        """Begin a thread of a channel; without an id it gets the next one."""
        known = self.channels[parent].tags
        own = {name: tag for name, tag in known.items() if tag in tags}
        thread = Channel(id or self._next(), name, THREAD, parent, owner, tags=own)
        self.channels[thread.id] = thread
        return thread

    def _add(self, channel: str, author: str, data: dict[str, Any], files: dict[str, bytes], id: str = "") -> Message:
        pings, alts = self._pings(data), _alts(data)
        self.messages.append(Message(id or self._next(), channel, author, data, files, pings, alts))
        return self.messages[-1]

    def _pings(self, data: dict[str, Any]) -> list[str]:
        """Return whom a message notifies: of the mentions in its content, those that `allowed_mentions` lets through.

        A user is notified who is a member of the guild.
        """
        content, allowed = data.get("content", ""), data.get("allowed_mentions")
        everybody = re.findall(r"@everyone|@here|<@&[0-9]+>", content)
        users = [id for id in re.findall(r"<@!?([0-9]+)>", content) if id in self.members]
        if allowed is None:
            return everybody + users
        kinds = allowed.get("parse", [])
        listed = [id for id in users if "users" in kinds or id in allowed.get("users", [])]
        return (everybody if "everyone" in kinds else []) + listed

    def _next(self) -> str:
        self._last += 1
        return str(self._last)

    def _message(self, channel: str, id: str | None) -> Message | None:
        return next((item for item in self.messages if (item.channel, item.id) == (channel, id)), None)

    def _edit(self, asked: Asked, place: str, id: str | None, author: str) -> Answer:
        """Edit a message; `place` is the thread that a webhook names, or the channel of a bot."""
        message = next((message for message in self.messages if message.id == id), None)
        if message is None or place != (message.thread if author == WEBHOOK_ID else message.channel):
            return _unknown_message()
        if message.author != author:
            return _json(403, {"message": "Cannot edit a message authored by another user", "code": 50005})
        data, files = _read(asked)
        if refusal := _refusal(message.data | data, files):
            return refusal
        message.data |= data
        if "attachments" in data:  # they say which files stay
            message.files = {}
        message.files |= files
        message.pings += self._pings(data)
        message.edits += 1
        return _json(200, self._shown(message))

    def _about(self, channel: Channel) -> dict[str, Any]:
        about: dict[str, Any] = {"id": channel.id, "type": channel.type, "name": channel.name, "guild_id": GUILD}
        about["last_message_id"] = max(
            (message.id for message in self.messages if message.channel == channel.id), key=int, default=None
        )
        if channel.type == FORUM:
            tags = [{"id": id, "name": name, "moderated": False} for name, id in channel.tags.items()]
            about |= {"available_tags": tags, "flags": REQUIRE_TAG if channel.requires_tag else 0}
        if channel.parent:  # archived as soon as it was written to, since an archived one has no messages behind that
            last = int(about["last_message_id"] or channel.id)
            at_us = ((last >> 22) + EPOCH_MS) * 1_000 + (last & 0xFFFF)  # no two threads at once
            at = (datetime.fromtimestamp(0, UTC) + timedelta(microseconds=at_us)).isoformat(timespec="microseconds")
            about["thread_metadata"] = {"archived": channel.is_archived, "archive_timestamp": at}
            about |= {"parent_id": channel.parent, "owner_id": channel.owner, "applied_tags": [*channel.tags.values()]}
        return about

    def _shown(self, message: Message) -> dict[str, Any]:
        attachments = [{"id": str(number), "filename": name} for number, name in enumerate(message.files)]
        kept = {"content": message.data.get("content", ""), "embeds": message.data.get("embeds", [])}
        hook = {"webhook_id": WEBHOOK_ID} if message.author == WEBHOOK_ID else {}
        about = {"id": message.id, "channel_id": message.channel, "author": {"id": message.author}}
        return about | hook | {"attachments": attachments} | kept


def _tag_refusal(forum: Channel, tags: Sequence[str]) -> Answer | None:
    if any(tag not in forum.tags.values() for tag in tags) or len(tags) > TAGS:
        return _invalid("applied_tags", "Unknown tag, or too many.")
    if forum.requires_tag and not tags:
        return _json(400, {"message": "A tag is required to create a forum post in this channel", "code": 40067})
    return None


def _name_refusal(name: str) -> Answer | None:
    return None if 1 <= _length(name) <= NAME else _invalid("name", f"Must be between 1 and {NAME} in length.")


def _unknown_channel() -> Answer:
    return _json(404, {"message": "Unknown Channel", "code": 10003})


def _unknown_message() -> Answer:
    return _json(404, {"message": "Unknown Message", "code": 10008})


def _not_allowed() -> Answer:
    return _json(405, {"message": "405: Method Not Allowed", "code": 0})


def _read(asked: Asked) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the JSON and the files of a body."""
    kind = asked.headers.get("content-type", "")
    if not kind.startswith("multipart/form-data"):
        return json.loads(asked.body), {}
    parsed = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + asked.body, policy=HTTP)
    data: dict[str, Any] = {}
    files: dict[str, bytes] = {}
    for part in parsed.iter_parts():
        content = part.get_payload(decode=True)
        name = part.get_filename()
        assert isinstance(content, bytes)
        if name:
            files[name] = content
        elif part.get_param("name", header="content-disposition") == "payload_json":
            data = json.loads(content)
    return data, files


def _refusal(data: dict[str, Any], files: dict[str, bytes]) -> Answer | None:
    embeds = data.get("embeds", [])
    if not (data.get("content") or embeds or files):
        return _json(400, {"message": "Cannot send an empty message", "code": 50006})
    if _length(data.get("content", "")) > CONTENT:
        return _invalid("content", f"Must be {CONTENT} or fewer in length.")
    if len(embeds) > EMBEDS:
        return _invalid("embeds", f"Must be {EMBEDS} or fewer in length.")
    for embed in embeds:
        for name, most in LIMITS.items():
            if _length(embed.get(name, "")) > most:
                return _invalid(f"embeds.0.{name}", f"Must be {most} or fewer in length.")
    texts = [embed.get(name, "") for embed in embeds for name in LIMITS]
    texts += [embed.get("footer", {}).get("text", "") for embed in embeds]
    if sum(map(_length, texts)) > EMBED_SUM:
        return _invalid("embeds", f"Embed size exceeds maximum size of {EMBED_SUM}")
    allowed = data.get("allowed_mentions") or {}
    if (allowed.get("users") and "users" in allowed.get("parse", [])) or len(allowed.get("users", [])) > 100:
        return _invalid("allowed_mentions", 'parse:["users"] and users: [ids...] are mutually exclusive.')
    if any(_length(alt) > ALT for alt in _alts(data).values()):
        return _invalid("attachments.0.description", f"Must be {ALT} or fewer in length.")
    if any(len(content) > FILE_MOST for content in files.values()):
        return _json(413, {"message": "Request entity too large", "code": 40005})
    return None


def _length(text: str) -> int:
    """Return the length of a text as the strictest reading counts it: in UTF-16."""
    return len(text.encode("utf-16-le")) // 2


def _alts(data: dict[str, Any]) -> dict[str, str]:
    about = data.get("attachments", [])
    return {item["filename"]: item["description"] for item in about if "description" in item}


def _invalid(where: str, message: str) -> Answer:
    errors: dict[str, Any] = {"_errors": [{"code": "BASE_TYPE_MAX_LENGTH", "message": message}]}
    for name in reversed(where.split(".")):
        errors = {name: errors}
    return _json(400, {"message": "Invalid Form Body", "code": 50035, "errors": errors})


def _json(status: int, body: Any, headers: dict[str, str] | None = None) -> Answer:
    return Answer(status, json.dumps(body).encode(), {"Content-Type": "application/json", **(headers or {})})
