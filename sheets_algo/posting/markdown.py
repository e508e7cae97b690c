"""Receipts as Markdown for chats, in which names appear as typed, without mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.receipt import Block
from sheets_algo.workbook.redact import one_line

MARKS = re.compile(r"([\\*_~`|<>\[\]#:-])")
LIST = re.compile(r"^(\d+)(?=[.)](?:\s|$))|^(?=\+)")
"""The beginning of an accidental list item, whose sign is escaped."""
BLANK = "\u200b"
"""A zero-width space, which separates signs with a joint meaning."""


def literal(text: str) -> str:
    """Return a text on one line, escaped so that Markdown shows it unchanged, without mentions and links."""
    marked = MARKS.sub(r"\\\1", LIST.sub(r"\1\0", one_line(text))).replace("\0", "\\")
    return marked.replace("@", f"@{BLANK}").replace("//", f"/{BLANK}/")


def lines_of(blocks: tuple[Block, ...], *, is_struck: bool = False) -> Iterator[str]:
    """Yield the items of a receipt, a line each."""
    stroke = "~~" if is_struck else ""
    for block in blocks:
        if block.heading:
            yield f"**{stroke}{literal(block.heading)}{stroke}**"
        for line in block.lines:
            label = f"**{literal(line.label)}:** " if line.label else ""
            yield f"- {stroke}{label}{literal(line.text)}{stroke}"


def paragraphs_of(blocks: tuple[Block, ...], *, is_struck: bool = False) -> Iterator[str]:
    """Yield each block of a receipt as a paragraph, which takes less room than a list."""
    stroke = "~~" if is_struck else ""
    for block in blocks:
        items = [
            f"**{literal(line.label)}:** {literal(line.text)}" if line.label else literal(line.text)
            for line in block.lines
        ]
        heading = f"__{literal(block.heading)}__ " if block.heading else ""
        yield f"{stroke}{heading}{' · '.join(items)}{stroke}"


def text_of(title: str, blocks: tuple[Block, ...]) -> str:
    """Return a receipt as plain text, for a file."""
    lines = [one_line(title)]
    for block in blocks:
        lines += ["", one_line(block.heading)] if block.heading else []
        lines += [f"  {one_line(f'{line.label}: {line.text}' if line.label else line.text)}" for line in block.lines]
    return "\n".join(lines) + "\n"
