"""Receipts as messages of Discord: an embed within Discord's limits, with what does not fit in files.

Limits: https://docs.discord.com/developers/resources/message (embed limits, allowed mentions).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sheets_algo.posting.channel import Post
from sheets_algo.posting.markdown import lines_of, literal, text_of
from sheets_algo.workbook.redact import one_line

TITLE_MOST, DESCRIPTION_MOST, EMBED_MOST = 256, 4_096, 6_000
NAME_MOST = 100
"""Most characters of the name of a thread."""
FILE_MOST = 8_000_000
"""Most bytes of a file; Discord takes 10 MiB."""
CUT = "… The whole receipt is attached."
MENTIONS: Mapping[str, Sequence[str]] = {"parse": ()}
"""Nobody is notified, whatever a name says."""

Files = Mapping[str, tuple[str, bytes, str]]
"""Name of the form's field to name, content and media type of a file."""


def message_of(post: Post, footer: str = "") -> tuple[dict[str, Any], Files]:
    """Return the message of a post, and its files."""
    embed, rest = embed_of(post, footer=footer)
    return {"embeds": [embed], "allowed_mentions": MENTIONS}, _files(post, rest)


def struck_through(ruling: Post, undo: Post, footer: str = "") -> dict[str, Any]:
    """Return what the message of a ruling becomes by its undo; the files stay."""
    embed, _ = embed_of(ruling, undone=undo, footer=footer)
    return {"embeds": [embed], "allowed_mentions": MENTIONS}


def thread_name(post: Post) -> str:
    """Return the name of the thread of a war, which Discord shows without markup."""
    return _cut(one_line(post.war) or one_line(post.request) or "War", NAME_MOST)


def embed_of(post: Post, undone: Post | None = None, footer: str = "") -> tuple[dict[str, Any], str]:
    """Return the embed of a post, and the whole text if the embed does not hold it.

    Args:
        post: The post.
        undone: The undo by which it is struck through.
        footer: What the footer says before the request; blank for the number of the receipt.
    """
    is_struck = undone is not None
    stroke = "~~" if is_struck else ""
    title = f"{stroke}{_cut(literal(post.title), TITLE_MOST - 4)}{stroke}"
    head = f"Receipt {post.number}" if post.number else "Odds"
    footer = f"{footer or head} · {_cut(one_line(post.request), 100)}"
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
    if post.link:
        embed["url"] = post.link
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
    if post.replay and len(post.replay) <= FILE_MOST:
        files[f"files[{len(files)}]"] = ("replay.html", post.replay, "text/html; charset=utf-8")
    if rest:
        files[f"files[{len(files)}]"] = ("receipt.txt", rest.encode(errors="replace"), "text/plain; charset=utf-8")
    return files
