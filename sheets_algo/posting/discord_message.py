"""Receipts as messages of Discord: an embed within Discord's limits, and files for the rest.

Limits: https://docs.discord.com/developers/resources/message (embed limits, allowed mentions).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.players import discord_ids, player_names
from sheets_algo.posting.channel import Post
from sheets_algo.posting.markdown import lines_of, literal, paragraphs_of, text_of
from sheets_algo.workbook.redact import one_line

TITLE_MOST, DESCRIPTION_MOST, EMBED_MOST = 256, 4_096, 6_000
NAME_MOST = 100
"""Maximum number of characters of the name of a thread."""
FILE_MOST = 8_000_000
"""Maximum bytes of a file; Discord takes 10 MiB."""
CUT = "… The whole receipt is attached."
MENTIONS: Mapping[str, Sequence[str]] = {"parse": ()}
"""Mentions notify no user, whatever names contain."""

PLAYERS_MOST, CONTENT_MOST, ALT_MOST = 100, 1_900, 1_000
"""Most users that a message may mention, most characters of its content, and of the text for those who see no picture;
Discord takes 2,000 and 1,024."""
SPOILER = "||"

Files = Mapping[str, tuple[str, bytes, str]]
"""Name of the form's field to name, content and media type of a file."""


def message_of(post: Post, footer: str = "") -> tuple[dict[str, Any], Files]:
    """Return the message of a post, which mentions only its players, and its files with a description of the map."""
    embed, rest = embed_of(post, footer=footer)
    files = _files(post, rest)
    message: dict[str, Any] = {"embeds": [embed], "allowed_mentions": MENTIONS}
    if files:
        alt = {"map.png": _cut(one_line(f"Map of {post.title}. {' '.join(post.sentences)}"), ALT_MOST)}
        message["attachments"] = [
            {"id": number, "filename": name} | ({"description": alt[name]} if name in alt else {})
            for number, (name, *_) in enumerate(files.values())
        ]
    ids = discord_ids(post.players)[:PLAYERS_MOST]
    names = map(literal, player_names(post.players))
    if ids:
        who = " ".join([*(f"<@{id}>" for id in ids), *names])
        message["content"] = f"{_cut(literal(post.first_line), TITLE_MOST)}\n{who}"[:CONTENT_MOST]
        message["allowed_mentions"] = {"parse": (), "users": [id for id in ids if f"<@{id}>" in message["content"]]}
    return message, files


def edited(post: Post, footer: str = "", undone: Post | None = None) -> dict[str, Any]:
    """Return the edited message of a post: a new standing, or an `undone` ruling; the files stay."""
    embed, _ = embed_of(post, undone, footer)
    return {"embeds": [embed], "allowed_mentions": MENTIONS}


def as_text(post: Post) -> str:
    """Return the visible text of a post's message."""
    message, files = message_of(post)
    (embed,) = message["embeds"]
    names = ", ".join(name for name, *_ in files.values())
    parts = (message.get("content", ""), embed["title"], embed["description"], f"[{names}]" if names else "")
    return "\n".join(filter(None, parts)).replace("\\", "")


def thread_name(post: Post) -> str:
    """Return the name of the thread of a war, which Discord shows without markup."""
    return _cut(one_line(post.part_of or post.war) or one_line(post.request) or "War", NAME_MOST)


def embed_of(post: Post, undone: Post | None = None, footer: str = "") -> tuple[dict[str, Any], str]:
    """Return the embed of a post, and the whole text if the embed does not hold it.

    Args:
        undone: The undo by which it is struck through.
        footer: The text of the footer before the request; blank for the number of the receipt.
    """
    is_struck = undone is not None
    stroke = "~~" if is_struck else ""
    title = f"{stroke}{_cut(literal(post.first_line), TITLE_MOST - 4)}{stroke}"
    head = f"Receipt {post.number}" if post.number else post.kind
    footer = f"{footer or head} · {_cut(one_line(post.request), 100)}"
    lines = [*lines_of(post.blocks, is_struck=is_struck)]
    hidden: list[str] = []
    if post.text:
        lines = [f"{stroke}{line}{stroke}" if line.strip() else "" for line in post.text.splitlines()]
    elif post.headline or post.part_of:
        sentences = [f"{stroke}{literal(sentence)}{stroke}" for sentence in post.sentences]
        hidden = [] if post.link else [*paragraphs_of(post.blocks, is_struck=is_struck)]
        lines = [*sentences, *[""][: len(sentences)], f"[The whole receipt]({post.link})"] if post.link else sentences
    if undone is not None:
        lines.insert(0, f"**Undone** by receipt {undone.number}.")
    elif post.kind == "Undo" and not post.text:
        lines.append(literal(f"The ruling of {post.request} is undone."))
    room = min(DESCRIPTION_MOST, EMBED_MOST - _length(title) - _length(footer))
    last = "…" if is_struck else CUT
    kept = _fitting(lines, room, last)
    is_whole = len(kept) == len(lines) and not title.endswith(f"…{stroke}")
    text = "\n".join(kept)
    left = room - _length(text) - 2 - 2 * len(SPOILER)
    if hidden and left < _length(last):
        is_whole = False
    elif hidden:
        spoiler = _fitting(hidden, left, last)
        text = f"{text}\n\n{SPOILER}{chr(10).join(spoiler)}{SPOILER}".lstrip()
        is_whole = is_whole and len(spoiler) == len(hidden)
    embed: dict[str, Any] = {
        "title": title,
        "description": text,
        "footer": {"text": footer},
    } | ({} if post.kind == "Standing" else {"timestamp": post.time})
    if post.link:
        embed["url"] = post.link
    if post.colour is not None:
        red, green, blue = post.colour
        embed["color"] = red * 65_536 + green * 256 + blue
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
    if post.replay and len(post.replay) <= FILE_MOST:
        files[f"files[{len(files)}]"] = ("replay.html", post.replay, "text/html; charset=utf-8")
    if rest:
        files[f"files[{len(files)}]"] = ("receipt.txt", rest.encode(errors="replace"), "text/plain; charset=utf-8")
    return files
