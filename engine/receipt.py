"""The receipt: what players read, kept as structure and worded as wiki markup, Markdown or plain text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One statement: `label: text`, or only a text.

    Args:
        label: Printed bold; blank for a line without one.
        text: Any text; names may hold wiki markup and keep it (RCPT-02).
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

    def wiki(self) -> str:
        """Wiki markup: headings and bullet lists, no tables, so that it pastes into any page."""
        return self._worded("== {} ==", "=== {} ===", "'''{}:''' ", "* ")

    def markdown(self) -> str:
        """Markdown for chats."""
        return self._worded("## {}", "### {}", "**{}:** ", "- ")

    def text(self) -> str:
        """Plain text for a terminal."""
        return self._worded("{}", "{}", "{}: ", "  ")

    def _worded(self, title: str, heading: str, label: str, bullet: str) -> str:
        lines = [title.format(self.title)]
        for block in self.blocks:
            if block.heading:
                lines.append(heading.format(block.heading))
            lines += [bullet + (label.format(line.label) if line.label else "") + line.text for line in block.lines]
        return "\n".join(lines)


def on_one_line(text: str) -> str:
    """A name or date from a cell, which may hold line breaks; a heading must not."""
    return " ".join(text.split())
