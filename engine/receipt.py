"""The receipt: what players read, kept as structure and worded as wiki markup, Markdown or plain text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One statement: `label: text`, or only a text.

    Args:
        label: Printed bold; blank for a line without one.
        text: Any text; names may hold wiki markup (RCPT-02).
    """

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """Lines under a heading; a blank heading continues without one."""

    heading: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Receipt:
    """The whole receipt, in reading order."""

    title: str
    blocks: tuple[Block, ...]

    def wiki(self, *, escapes_markup: bool = False) -> str:
        """Wiki markup: headings and bullet lists, no tables, so that it pastes into any page.

        Args:
            escapes_markup: Show markup in names as it was typed, whichever text they stand in (RCP-08). Otherwise it
                acts as markup.
        """
        word = without_markup if escapes_markup else str
        return self._worded("== {} ==", "=== {} ===", "'''{}:''' ", "* ", word)

    def markdown(self) -> str:
        """Markdown for chats."""
        return self._worded("## {}", "### {}", "**{}:** ", "- ")

    def text(self) -> str:
        """Plain text for a terminal."""
        return self._worded("{}", "{}", "{}: ", "  ")

    def _worded(self, title: str, heading: str, label: str, bullet: str, word: Callable[[str], str] = str) -> str:
        lines = [title.format(word(self.title))]
        for block in self.blocks:
            if block.heading:
                lines.append(heading.format(word(block.heading)))
            lines += [
                bullet + (label.format(word(line.label)) if line.label else "") + word(line.text)
                for line in block.lines
            ]
        return "\n".join(lines)


_MARKUP = re.compile(
    r"[<{}|]"  # tags, templates, tables
    r"|\[{2,}|\]{2,}|\[(?=\w*:|//)"  # links and files
    r"|'{2,}|^'"  # bold and italic, also together with the bold of a label
    r"|_{2,}|~{3,}"  # switches like __TOC__, signatures
    r"|&(?=#?\w+;)"  # what would be read as an entity
    r"|:(?=//)"  # addresses
)


def without_markup(text: str) -> str:
    """Write a text so that MediaWiki shows it literally and on one line; one without markup stays as it is."""
    line = " ".join(text.splitlines())
    return _MARKUP.sub(lambda found: "".join(f"&#{ord(sign)};" for sign in found[0]), line)


def on_one_line(text: str) -> str:
    """A name or date from a cell, which may hold line breaks; a heading must not."""
    return " ".join(text.split())
