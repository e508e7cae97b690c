"""Parser of the stored wiki markup of a receipt."""

from __future__ import annotations

import re

from engine.receipt import Block, Line, ReceiptText

_ESCAPED = re.compile(r"&#(\d{2,3});")
_ITEM = re.compile(r"(?:'''(.*?):''' )?(.*)", re.DOTALL)
TITLE, HEADING, BULLET = re.compile(r"== (.*) =="), re.compile(r"=== (.*) ==="), "* "
BOLD = "'''"


def read_receipt(wiki: str) -> ReceiptText:
    """Return a receipt, as `ReceiptText.wiki` wrote it.

    An unknown line is kept as text. Markup inside texts, which was escaped (RCP-08),
    is shown as it was typed.
    """
    title, account, blocks = "", list[str](), [Block("", ())]
    for line in wiki.split("\n"):
        if match := HEADING.fullmatch(line):
            blocks.append(Block(_literal(match[1]), ()))
        elif not title and (match := TITLE.fullmatch(line)):
            title = _literal(match[1])
        elif blocks == [Block("", ())] and line and not line.startswith(BULLET):
            account.append(_literal(line.removeprefix(BOLD).removesuffix(BOLD)))
        elif line:
            label, text = _ITEM.fullmatch(line.removeprefix(BULLET)).groups()  # type: ignore[union-attr] # all optional
            item = Line(_literal(label or ""), _literal(text))
            blocks[-1] = Block(blocks[-1].heading, (*blocks[-1].lines, item))
    return ReceiptText(title, tuple(block for block in blocks if block.heading or block.lines), tuple(account))


def _literal(text: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1])), text)
