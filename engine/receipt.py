"""The receipt for players: a structure, printed as wiki markup, Markdown or plain text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Line:
    """One statement: `label: text`, or only a text."""

    label: str  # The label, printed bold; blank for a line without one
    text: str  # Any text; names may hold wiki markup (RCPT-02)

    def beside(self, other: Line, which: str) -> Line:
        """Return the line with a differing text of another one appended: `3; without it 4`."""
        return self if self.text == other.text else Line(self.label, f"{self.text}; {which} {other.text}")


@dataclass(frozen=True, slots=True)
class Block:
    """A group of lines under a heading; a blank heading is not printed."""

    heading: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonOptions:
    """Options of a season from its row, for all its rulings (RCP-13)."""

    # `apply` if rulings subtract losses from the armies in the database, `tell` if the account only says what to
    # subtract.
    losses: Literal["tell", "apply"] = "apply"
    # `refuse` if a war with a dead leader waits, `warn` if the leader leads with a warning (LDR-11).
    dead_leaders: Literal["warn", "refuse"] = "refuse"
    rules_name: Literal["history", "source"] = "history"  # The rule set by which wars are fought

    @property
    def applies_losses(self) -> bool:
        """Return True if rulings subtract losses from the armies in the database."""
        return self.losses == "apply"


USUAL = SeasonOptions()
"""The default options of a season."""


@dataclass(frozen=True, slots=True)
class ReceiptText:
    """A whole receipt, in reading order."""

    title: str  # The name of the ruled request
    blocks: tuple[Block, ...]  # The items of the receipt
    # The headline with the winner, and up to three sentences (RCPT-04); empty where the rules have none.
    account: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """Return the first sentence of the account; blank without one."""
        return self.account[0] if self.account else ""

    @property
    def all_blocks(self) -> tuple[Block, ...]:
        """Return the account as a block, if there is one, and the items."""
        account = (Block("", tuple(Line("", sentence) for sentence in self.account)),) if self.account else ()
        return (*account, *self.blocks)

    def wiki(self) -> str:
        """Return wiki markup: paragraphs, headings and lists, without tables, to be pasted into any page."""
        return self._format("== {} ==", "'''{}'''", "=== {} ===", "'''{}:''' ", "* ", without_markup)

    def markdown(self) -> str:
        """Return Markdown for chats."""
        return self._format("## {}", "**{}**", "### {}", "**{}:** ", "- ")

    def text(self) -> str:
        """Return plain text for a terminal."""
        return self._format("{}", "{}", "{}", "{}: ", "  ")

    def _format(
        self, title: str, headline: str, heading: str, label: str, bullet: str, escape: Callable[[str], str] = str
    ) -> str:
        lines = [
            title.format(escape(self.title)),
            *(headline.format(escape(sentence)) for sentence in self.account[:1]),
        ]
        lines += [literal_start(sentence) if escape is without_markup else sentence for sentence in self.account[1:]]
        for block in self.blocks:
            if block.heading:
                lines.append(heading.format(escape(block.heading)))
            lines += [
                bullet + (label.format(escape(line.label)) if line.label else "") + escape(line.text)
                for line in block.lines
            ]
        return "\n".join(lines)


_PROTOCOLS = ("bitcoin", "geo", "magnet", "mailto", "matrix", "news", "sip", "sips", "sms", "tel", "urn", "xmpp")
"""Protocols that turn `word:text` into a link in MediaWiki; others have `//`."""
_MARKUP = re.compile(
    r"[<{}|]"  # tags, templates, tables
    r"|\[{2,}|\]{2,}|\[(?=\w*:|//)"  # links and files
    r"|'{2,}|^'"  # bold and italic, also together with the bold of a label
    r"|_{2,}|~{3,}"  # behaviour switches like __TOC__, signatures
    r"|&(?=#?\w+;)"  # text that would be read as an entity
    r"|:(?=//)" + "".join(rf"|(?i:(?<=\b{word})):(?=\S)" for word in _PROTOCOLS)  # addresses
)


def without_markup(text: str) -> str:
    """Escape a text so that MediaWiki shows it literally, on one line."""
    line = " ".join(text.splitlines())
    return _MARKUP.sub(lambda match: "".join(f"&#{ord(char)};" for char in match[0]), line)


_START = re.compile(r"^[*#:;=! -]")
"""Signs with a meaning at the beginning of a line of wiki markup: lists, headings, rules and redirects."""


def literal_start(text: str) -> str:
    """Escape a text so that MediaWiki shows it literally at the beginning of a line as well."""
    return _START.sub(lambda match: f"&#{ord(match[0])};", without_markup(text))


def as_sentence(text: str) -> str:
    """Return a text with a capital letter at its beginning and a full stop."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def counted(number: float, noun: str, plural: str = "") -> str:
    """Return a count with its noun, rounded to a whole number: `1 day`, `2 days`, `1,200 men`."""
    whole = round(number)
    return f"{whole:,} {noun if whole == 1 else plural or noun + 's'}"


def on_one_line(text: str) -> str:
    """Return a cell's text without line breaks, e.g. for a heading."""
    line = " ".join(text.split())
    return text if line == text else line  # not a second copy of each of many names
