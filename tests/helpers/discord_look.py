"""Messages of the local Discord as a page that looks like Discord's app, to see what a player sees.

Of Discord's Markdown it knows what posts use: bold, struck through, links, lists, spoilers, escapes and mentions. What
a line is and where it breaks is up to the browser.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable, Mapping

from localdiscord.server import Message

STYLE = """
body{background:#313338;color:#dbdee1;font:16px/1.375 "gg sans","Noto Sans",sans-serif;margin:0;padding:16px}
.message{margin:0 0 17px;display:flex;gap:16px}.face{flex:0 0 40px;height:40px;border-radius:50%;background:#5865f2}
.who{font-weight:500;color:#f2f3f5}.app{background:#5865f2;color:#fff;font-size:10px;padding:1px 4px;border-radius:3px}
.place{color:#949ba4;font-size:12px}.body{min-width:0;flex:1}.mention{background:#5865f24d;color:#c9cdfb;padding:0 2px}
.embed{background:#2b2d31;border-left:4px solid #1e1f22;border-radius:4px;max-width:516px;padding:8px 16px 16px 12px;
overflow-wrap:anywhere;margin-top:4px}.title{font-weight:600;margin-top:8px;color:#f2f3f5}
.text{font-size:14px;line-height:18px;margin-top:8px;white-space:pre-line}.foot{font-size:12px;margin-top:8px}
.spoiler{background:#1e1f22;color:transparent;border-radius:4px}.spoiler *{color:transparent}.spoiler.open,
.spoiler.open *{color:inherit}a{color:#00a8fc;text-decoration:none}img{max-width:100%;border-radius:8px}
.edited{font-size:10px;color:#949ba4}
"""
MARKS = (
    (re.compile(r"\|\|(.+?)\|\|", re.DOTALL), r'<span class="spoiler">\1</span>'),
    (re.compile(r"\*\*(.+?)\*\*"), r"<b>\1</b>"),
    (re.compile(r"__(.+?)__"), r"<u>\1</u>"),
    (re.compile(r"~~(.+?)~~"), r"<s>\1</s>"),
    (re.compile(r"\[([^\]]+)\]\((https?://[^)\s]+)\)"), r'<a href="\2">\1</a>'),
    (re.compile(r"^- ", re.MULTILINE), "• "),
)


def page_of(messages: Iterable[Message], channels: Mapping[str, str], players: Mapping[str, str] = {}) -> str:
    """Return messages as a page.

    Args:
        messages: The messages, the oldest first.
        channels: The name of each channel or thread by its id.
        players: The names of users by id.
    """
    shown = "".join(_message(message, channels.get(message.channel, message.channel), players) for message in messages)
    return f'<!doctype html><meta charset="utf-8"><title>Discord</title><style>{STYLE}</style>{shown}'


def _message(message: Message, channel: str, players: Mapping[str, str]) -> str:
    content = _marked(message.data.get("content", ""), players)
    edited = '<span class="edited">(edited)</span>' if message.edits else ""
    files = "".join(
        f'<img alt="{html.escape(message.alts.get(name, ""))}" src="data:image/png;base64,'
        f'{base64.b64encode(file).decode()}">' if name.endswith(".png") else f"<p>📎 {html.escape(name)}</p>"
        for name, file in message.files.items()
    )  # fmt: skip
    embeds = "".join(_embed(embed, players) for embed in message.data.get("embeds", ()))
    who = '<span class="who">Herald</span> <span class="app">APP</span>'
    head = f'{who} <span class="place">{html.escape(channel)}</span>'
    body = f'{head}<div class="content">{content}{edited}</div>{files}{embeds}'
    return f'<div class="message"><div class="face"></div><div class="body">{body}</div></div>'


def _embed(embed: Mapping[str, object], players: Mapping[str, str]) -> str:
    title, text, foot = (_marked(str(embed.get(name, "")), players) for name in ("title", "description", "footer"))
    foot = html.escape(str(dict(embed.get("footer") or {}).get("text", "")))  # type: ignore[call-overload]
    title = f'<a href="{html.escape(str(embed["url"]))}">{title}</a>' if embed.get("url") else title
    parts = f'<div class="title">{title}</div><div class="text">{text}</div><div class="foot">{foot}</div>'
    return f'<div class="embed" style="border-color:#{embed.get("color", 0x1E1F22):06x}">{parts}</div>'


def _marked(text: str, players: Mapping[str, str]) -> str:
    """Return a text of Discord's Markdown as HTML; escaped signs mark nothing."""
    kept = re.sub(r"\\(.)", lambda found: f"\ue000{ord(found[1]):x}\ue001", text)
    made = html.escape(kept, quote=False)
    made = re.sub(
        r"&lt;@!?([0-9]+)&gt;",
        lambda found: f'<span class="mention">@{html.escape(players.get(found[1], "unknown"))}</span>',
        made,
    )
    for mark, shown in MARKS:
        made = mark.sub(shown, made)
    return re.sub("\ue000([0-9a-f]+)\ue001", lambda found: html.escape(chr(int(found[1], 16))), made)
