"""Discord's webhooks on this machine: messages are posted, edited and read, limits are checked, and it can fail.

Shapes from https://docs.discord.com/developers/resources/webhook (execute, edit and get with a token),
https://docs.discord.com/developers/resources/message (message and embed objects, embed limits, allowed mentions) and
https://docs.discord.com/developers/topics/rate-limits (the body of 429).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from email import message_from_bytes
from email.policy import HTTP
from typing import Any

from faulty.server import KINDS, Answer, Asked, FaultyServer

ROUTE = re.compile(r"/api(?:/v\d+)?/webhooks/(\d+)/([\w-]+)(?:/messages/(\d+))?")
LIMITS = {"title": 256, "description": 4096}
EMBED_SUM, CONTENT, EMBEDS, FILE_MOST = 6000, 2000, 10, 10 * 1024 * 1024


@dataclass
class Message:
    """A message of a webhook.

    Args:
        id: Its id.
        thread: The id of its thread; blank for none.
        data: Its content, embeds and so on, as they were sent.
        files: Its attachments by name.
        pings: Whom it has notified.
        edits: The number of its edits.
    """

    id: str
    thread: str
    data: dict[str, Any]
    files: dict[str, bytes]
    pings: list[str] = field(default_factory=list)
    edits: int = 0


class LocalDiscord(FaultyServer):
    """Webhooks of a Discord server.

    Args:
        token: The token of the webhook, whose id is 1.
        retry_after: Of the faults 429 and 429-global, in seconds.
        silence_s: Most seconds of a request that gets no answer.
    """

    kinds = (*KINDS, "429", "429-global", "429-page", "400")

    def __init__(self, token: str = "a-token-that-only-tests-know", retry_after: float = 0.2, silence_s: float = 30.0):
        super().__init__(silence_s)
        self.token = token
        self.retry_after = retry_after
        self.is_deleted = False
        self.messages: list[Message] = []

    @property
    def webhook(self) -> str:
        """Return the address of the webhook, which is its secret."""
        return f"{self.url}/api/webhooks/1/{self.token}"

    def error(self, kind: str) -> Answer:
        """Return the answer of a fault."""
        if kind == "429-page":
            return Answer(429, b"<html>error code: 1015</html>", {"Retry-After": "1"})
        if kind.startswith("429"):
            body = {"message": "You are being rate limited.", "retry_after": self.retry_after}
            return _json(429, body | {"global": kind.endswith("global")}, {"Retry-After": "1"})
        return _invalid("embeds", "made up") if kind == "400" else super().error(kind)

    def carry_out(self, asked: Asked) -> Answer:
        """Answer a request for the webhook or one of its messages."""
        found = ROUTE.fullmatch(asked.path)
        if not found or found[1] != "1" or self.is_deleted:
            return _json(404, {"message": "Unknown Webhook", "code": 10015})
        if found[2] != self.token:
            return _json(401, {"message": "Invalid Webhook Token", "code": 50027})
        match asked.method, found[3]:
            case "GET", None:
                return _json(200, {"id": "1", "type": 1, "name": "Herald", "channel_id": "7", "token": self.token})
            case "POST", None:
                return self._post(asked)
            case "PATCH", id:
                return self._edit(asked, id)
        return _json(405, {"message": "405: Method Not Allowed", "code": 0})

    def _post(self, asked: Asked) -> Answer:
        data, files = _read(asked)
        if refusal := _refusal(data, files):
            return refusal
        id = str(1_000_000 + len(self.messages))
        self.messages.append(Message(id, asked.query.get("thread_id", ""), data, files, _pings(data)))
        return _json(200, self._shown(self.messages[-1])) if asked.query.get("wait") == "true" else Answer(204)

    def _edit(self, asked: Asked, id: str | None) -> Answer:
        message = next((message for message in self.messages if message.id == id), None)
        if message is None or message.thread != asked.query.get("thread_id", ""):
            return _json(404, {"message": "Unknown Message", "code": 10008})
        data, files = _read(asked)
        if refusal := _refusal(message.data | data, files):
            return refusal
        message.data |= data
        if "attachments" in data:  # they say which files stay
            message.files = {}
        message.files |= files
        message.pings += _pings(data)
        message.edits += 1
        return _json(200, self._shown(message))

    def _shown(self, message: Message) -> dict[str, Any]:
        attachments = [{"id": str(number), "filename": name} for number, name in enumerate(message.files)]
        kept = {"content": message.data.get("content", ""), "embeds": message.data.get("embeds", [])}
        return {"id": message.id, "channel_id": "7", "webhook_id": "1", "attachments": attachments} | kept


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
    if any(len(content) > FILE_MOST for content in files.values()):
        return _json(413, {"message": "Request entity too large", "code": 40005})
    return None


def _length(text: str) -> int:
    """Return the length of a text as the strictest reading counts it: in UTF-16."""
    return len(text.encode("utf-16-le")) // 2


def _pings(data: dict[str, Any]) -> list[str]:
    """Return whom a message notifies: mentions in its content that `allowed_mentions` does not take out."""
    found = re.findall(r"@everyone|@here|<@&?\d+>", data.get("content", ""))
    allowed = data.get("allowed_mentions")
    return found if allowed is None or allowed.get("parse") else []


def _invalid(where: str, message: str) -> Answer:
    errors: dict[str, Any] = {"_errors": [{"code": "BASE_TYPE_MAX_LENGTH", "message": message}]}
    for name in reversed(where.split(".")):
        errors = {name: errors}
    return _json(400, {"message": "Invalid Form Body", "code": 50035, "errors": errors})


def _json(status: int, body: Any, headers: dict[str, str] | None = None) -> Answer:
    return Answer(status, json.dumps(body).encode(), {"Content-Type": "application/json", **(headers or {})})
