"""A channel of a Discord bot: each receipt appears exactly once, with a thread for each war.

Each message has a mark in its footer. Before a message is sent, the bot searches for the mark in the channel and its
threads; a message that arrives after the search has the same `nonce`, so Discord merges both (`enforce_nonce`). A
thread in a text channel has the id of the message that begins it, so it cannot begin twice; one in a forum begins with
a request without a nonce, so a person must resolve a lost answer to it. Shapes:
https://docs.discord.com/developers/resources/message (create, edit, get) and .../resources/channel (get, start thread).
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.channel import NotSent, Post, PostRefused, Unanswered
from sheets_algo.posting.discord import (
    HAS_THREAD,
    DiscordChannel,
    DiscordSender,
    id_of,
    parts_of,
    tag_ids,
)
from sheets_algo.posting.discord_message import message_of, thread_name
from sheets_algo.workbook.redact import one_line

API = "https://discord.com/api/v10"
TOKEN = re.compile(r"[\w.-]{20,200}")
AGENT = "DiscordBot (https://github.com/sheets-algo, 1)"
"""The user agent in the form of Discord's reference."""
FORUMS = (15, 16)
"""Types of channels in which each post begins a thread."""
REQUIRES_TAG = 1 << 4
"""The flag of a forum in which a thread must have a tag."""
EPOCH_MS = 1_420_070_400_000
PAGE, PAGES_MOST = 100, 100
"""Messages of one request, and maximum number of requests: beyond 10,000 messages a person must search."""
SKEW = timedelta(hours=1)
"""Maximum lead of the ruling machine's clock over Discord's."""
TOO_MUCH = "More than 10,000 {} came since this receipt: post it by hand, and set Action to Posted."


def open_discord(settings: ChannelSettings) -> DiscordSender:
    """Return a channel to which a bot posts, or a webhook if the settings name no channel."""
    return DiscordBotChannel(settings) if settings.channel else DiscordChannel(settings)


@dataclass(frozen=True)
class DiscordBotChannel(DiscordSender):
    """A channel to which a bot posts."""

    is_repeatable = True
    secret_pattern = TOKEN
    secret_name = "token of a bot"
    api: str = API  # The address of Discord, replaced in tests

    def send(self, post: Post, former: str = "") -> str:
        """Send a message unless it exists; return its id, after that of its thread."""
        if post.recipient:
            return self._send_directly(post)
        about = self._ask("GET", f"/channels/{self.settings.channel}").data
        is_forum = about.get("type") in FORUMS
        if is_forum and not self.settings.threads:
            raise PostRefused("The channel is a forum: write threads = true into the settings of the channel.")
        if reference := self._find_message(post, about):
            return reference
        thread = self._thread_of(former)
        if is_forum and not thread:
            return self._begin_in_forum(post, about)
        if thread and not is_forum:
            self._begin_thread(thread, post)
        return self._send_to(post, thread or self.settings.channel)

    def _send_directly(self, post: Post) -> str:
        """Send a message to one player unless it exists; return its reference."""
        channel = self._ask("POST", "/users/@me/channels", payload={"recipient_id": post.recipient}).data
        bot_id, place = id_of(self._ask("GET", "/users/@me").data), id_of(channel)
        if not place:
            raise NotSent("Discord answered without the id of a channel.")
        return self._find_in(place, post, bot_id) or self._send_to(post, place)

    def correct(self, post: Post, reference: str, former: str = "") -> str:
        """Strike the message of the ruling through; if it is missing, post another message."""
        if not parts_of(reference)[1] and post.undoes is not None:  # a person set Posted without an id
            reference = self._find_message(post.undoes, self._ask("GET", f"/channels/{self.settings.channel}").data)
        return super().correct(post, reference, former)

    def _patch(self, reference: str, payload: Mapping[str, Any]) -> bool:
        thread, message = parts_of(reference)
        return self._change(f"/channels/{thread or self.settings.channel}/messages/{message}", payload)

    def describe(self) -> str:
        """Ask for bot and channel, and return their names; nothing is posted."""
        bot = self._ask("GET", "/users/@me").data
        channel = self._ask("GET", f"/channels/{self.settings.channel}").data
        tag_ids(self.settings.tags, channel)
        who, where = (one_line(str(item.get(key, "")))[:80] for item, key in ((bot, "username"), (channel, "name")))
        if channel.get("type") in FORUMS and not self.settings.threads:
            raise PostRefused(f"{where} is a forum: write threads = true.")
        if int(channel.get("flags") or 0) & REQUIRES_TAG and not self.settings.tags:
            tags = ", ".join(one_line(str(tag.get("name"))) for tag in channel.get("available_tags") or ())
            raise PostRefused(f'the forum {where} requires a tag: write tags = ["..."], of {tags[:200]}.')
        return f"the bot {who} sees the channel {where}; nothing was posted."

    def _send_to(self, post: Post, place: str) -> str:
        """Send a message to the channel or to a thread; return its reference."""
        payload, files = message_of(post, post.mark)
        nonce = hashlib.sha256(f"{self.settings.channel} {post.mark}".encode()).hexdigest()[:25]  # Discord takes 25
        payload |= {"nonce": nonce, "enforce_nonce": True}
        sent = self._ask("POST", f"/channels/{place}/messages", payload=payload, files=files).data
        if not id_of(sent):
            raise Unanswered("Discord answered without the id of a message.")
        return self._reference(str(sent.get("channel_id") or place), sent)  # elsewhere if it is the same one in transit

    def _reference(self, place: str, message: Mapping[str, Any]) -> str:
        return id_of(message) if place == self.settings.channel else f"{place}/{id_of(message)}"

    def _find_message(self, post: Post, about: Mapping[str, Any]) -> str:
        """Return the reference of this bot's message with the mark of a post; blank if there is none.

        It may be elsewhere than its destination now: people sort rows of Posts and restore backups.
        """
        bot_id = id_of(self._ask("GET", "/users/@me").data)
        places = [] if about.get("type") in FORUMS else [self.settings.channel]
        for place in itertools.chain(places, self._threads(post, about) if self.settings.threads else ()):
            if reference := self._find_in(place, post, bot_id):
                return reference
        return ""

    def _find_in(self, place: str, post: Post, bot_id: str) -> str:
        """Return the reference of the bot's message with the mark of a post in a channel or thread; blank for none."""
        after = _first_id(post)
        for _ in range(PAGES_MOST):
            query: dict[str, str | int] = {"limit": PAGE, "after": str(after)}
            page = _items(self._ask("GET", f"/channels/{place}/messages", query=query).read)
            for message in page:
                if _has_mark(message, post.mark, bot_id):
                    return self._reference(place, message)
            if len(page) < PAGE:
                return ""
            after = max(int(id_of(message) or 0) for message in page)
        raise PostRefused(TOO_MUCH.format("messages"))

    def _thread_of(self, former: str) -> str:
        """Return the thread that belongs to an earlier post of the war; in a text channel its first message."""
        thread, message = parts_of(former) if self.settings.threads else ("", "")
        return message if thread in ("", self.settings.channel) else thread

    def _begin_thread(self, message: str, post: Post) -> None:
        """Begin the thread of a message, unless it has one."""
        path = f"/channels/{self.settings.channel}/messages/{message}/threads"
        self._ask("POST", path, payload={"name": thread_name(post)}, fine=(HAS_THREAD,))

    def _begin_in_forum(self, post: Post, about: Mapping[str, Any]) -> str:
        """Begin a thread of a forum with a post; return its reference."""
        payload, files = message_of(post, post.mark)
        whole = {"name": thread_name(post), "message": payload}
        if self.settings.tags:
            whole["applied_tags"] = tag_ids(self.settings.tags, about)
        try:
            id = id_of(self._ask("POST", f"/channels/{self.settings.channel}/threads", payload=whole, files=files).data)
        except Unanswered as error:
            raise Unanswered(str(error), is_repeatable=False) from None
        if not id:
            raise Unanswered("Discord answered without the id of a thread.", is_repeatable=False)
        return f"{id}/{id}"

    def _threads(self, post: Post, about: Mapping[str, Any]) -> Iterator[str]:
        """Yield the threads of the channel that have messages since a receipt, the active ones first."""
        guild = str(about.get("guild_id"))
        threads = self._ask("GET", f"/guilds/{guild}/threads/active").data.get("threads") if guild.isdecimal() else []
        yield from self._recent(_items(threads), post)
        path = f"/channels/{self.settings.channel}/threads/archived/public"
        query: dict[str, str | int] = {"limit": PAGE}
        for _ in range(PAGES_MOST):
            page = self._ask("GET", path, query=query).data
            threads = _items(page.get("threads"))
            yield from self._recent(threads, post)
            ends = [thread.get("thread_metadata") for thread in threads if page.get("has_more")]
            before = str(ends[-1].get("archive_timestamp") or "") if ends and isinstance(ends[-1], dict) else ""
            if before < _since(post).isoformat():  # both are UTC; archived last, it has no messages since the receipt
                return
            query["before"] = before
        raise PostRefused(TOO_MUCH.format("threads"))

    def _recent(self, threads: Sequence[Mapping[str, Any]], post: Post) -> Iterator[str]:
        for thread in threads:
            last = thread.get("last_message_id")
            is_recent = not (isinstance(last, str) and last.isdecimal()) or int(last) >= _first_id(post)
            if thread.get("parent_id") == self.settings.channel and is_recent and id_of(thread):
                yield id_of(thread)

    def _access(self, secret: str) -> tuple[str, Mapping[str, str]]:
        return self.api, {"Authorization": f"Bot {secret}", "User-Agent": AGENT}


def _items(items: Any) -> Sequence[Mapping[str, Any]]:
    if not isinstance(items, list):
        raise NotSent("Discord answered without the messages or threads of the channel.")
    return [item for item in items if isinstance(item, dict)]


def _first_id(post: Post) -> int:
    """Return the least possible id of objects since a receipt: ids count time."""
    return max(0, (int(_since(post).timestamp() * 1_000) - EPOCH_MS) << 22)


def _since(post: Post) -> datetime:
    return datetime.fromisoformat(post.time) - SKEW


def _has_mark(message: Mapping[str, Any], mark: str, author: str) -> bool:
    """Return True if a message of an author has a mark in the footer of one of its embeds."""
    embeds = message.get("embeds")
    footers = [item.get("footer") for item in embeds if isinstance(item, dict)] if isinstance(embeds, list) else []
    texts = [str(footer.get("text", "")) for footer in footers if isinstance(footer, dict)]
    by = message.get("author")
    is_own = isinstance(by, dict) and id_of(by) == author
    return is_own and any(text.partition(" · ")[0] == mark for text in texts)
