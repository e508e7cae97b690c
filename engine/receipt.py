"""The receipt that players read, kept as structure and printed as wiki markup, Markdown or plain text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

ACCOUNT = "Account"
"""The heading of the sentences below the items of a receipt (RCPT-04)."""


@dataclass(frozen=True, slots=True)
class Line:
    """One statement: `label: text`, or only a text.

    Args:
        label: The label, printed bold; blank for a line without one.
        text: Any text; names may hold wiki markup (RCPT-02).
        in_days: The text in a season that counts a battle in days; blank if it is the same (RCPT-01).
    """

    label: str
    text: str
    in_days: str = ""

    def beside(self, other: Line, which: str) -> Line:
        """Return the line with the text of another one behind its own, if it is another: `3; without it 4`."""
        pairs = ((self.text, other.text), (self.in_days, other.in_days))
        return Line(self.label, *(own if own == its else f"{own}; {which} {its}" for own, its in pairs))


@dataclass(frozen=True, slots=True)
class Block:
    """A group of lines under a heading; a blank heading is not printed."""

    heading: str
    lines: tuple[Line, ...]

    def counted_in_days(self) -> Block:
        """Return the block in a season that counts a battle in days (RCPT-01)."""
        return Block(self.heading, tuple(Line(line.label, line.in_days or line.text) for line in self.lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonOptions:
    """Options of all rulings of a season (RCP-13); the defaults are those of a season whose row names none.

    Args:
        escape_markup: True to show markup inside texts as it was typed (RCP-08); otherwise it acts as markup.
        short_account: True to print the account below the receipt, if it has one (RCPT-04).
        losses: `apply` if rulings subtract losses from the armies in the database, `tell` if the account only says
            what to subtract, blank if it says nothing (R-94).
        turns_wait: True if a turn does not end before every order of it is ruled (REQ-12).
        dead_leaders: `refuse` if a war waits whose leader is dead, `warn` if he leads with a warning; blank likewise,
            and receipts call him alive or killed as they did before the option existed (LDR-11).
        rules_name: The rule set by which wars are fought (R-98).
        in_hours: True to count a battle in hours (RCPT-01); otherwise in days, but in the account in hours.
    """

    escape_markup: bool = False
    short_account: bool = False
    losses: Literal["", "tell", "apply"] = ""
    turns_wait: bool = False
    dead_leaders: Literal["", "warn", "refuse"] = ""
    in_hours: bool = False
    rules_name: Literal["history", "source"] = "history"

    @property
    def applies_losses(self) -> bool:
        """Return True if rulings subtract losses from the armies in the database."""
        return self.losses == "apply"


PLAIN = SeasonOptions()
"""The options of a season whose row names none."""


@dataclass(frozen=True, slots=True)
class ReceiptText:
    """A whole receipt, in reading order.

    Args:
        title: The name of what was ruled.
        blocks: The items of the receipt.
        account: Sentences that tell what happened; only the wiki markup shows them, where the season wants them.
        losses: The last sentence of the account, if it has one, by what the season does with losses (R-94).
        rules: The rule set by which the war was fought; blank if the ruleset has only one (R-98).
        former_words: Words in lines, by those of a season whose row names `dead_leaders`, for one whose row does not.
    """

    title: str
    blocks: tuple[Block, ...]
    account: tuple[str, ...] = ()
    losses: Mapping[str, str] = field(default_factory=dict)
    rules: str = ""
    former_words: Mapping[str, str] = field(default_factory=dict)

    def wiki(self, options: SeasonOptions = PLAIN) -> str:
        """Return wiki markup: headings and bullet lists, no tables, so that it can be pasted into any page.

        Args:
            options: The options of the season.
        """
        escape = without_markup if options.escape_markup else str
        return self._format(self.all_blocks(options), "== {} ==", "=== {} ===", "'''{}:''' ", "* ", escape)

    def all_blocks(self, options: SeasonOptions) -> tuple[Block, ...]:
        """Return the items of the receipt, and its account where the season wants it."""
        told = (*self.account, self.losses.get(options.losses, "")) if options.short_account else ()
        lines = tuple(Line("", text) for text in told if text)
        blocks = self.blocks if options.in_hours else tuple(block.counted_in_days() for block in self.blocks)
        blocks = blocks if options.dead_leaders else tuple(map(self._in_former_words, blocks))
        blocks = self._with_rules(blocks)
        return (*blocks, Block(ACCOUNT, lines)) if lines else blocks

    def _with_rules(self, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        if not self.rules or not blocks:
            return blocks
        return (*blocks[:-1], Block(blocks[-1].heading, (*blocks[-1].lines, Line("Rules", self.rules))))

    def _in_former_words(self, block: Block) -> Block:
        lines = block.lines
        for words, former in self.former_words.items():
            lines = tuple(Line(line.label, line.text.replace(words, former)) for line in lines)
        return Block(block.heading, lines)

    def markdown(self) -> str:
        """Return Markdown for chats."""
        return self._format(self._with_rules(self.blocks), "## {}", "### {}", "**{}:** ", "- ")

    def text(self) -> str:
        """Return plain text for a terminal."""
        return self._format(self._with_rules(self.blocks), "{}", "{}", "{}: ", "  ")

    def _format(
        self,
        blocks: tuple[Block, ...],
        title: str,
        heading: str,
        label: str,
        bullet: str,
        escape: Callable[[str], str] = str,
    ) -> str:
        lines = [title.format(escape(self.title))]
        for block in blocks:
            if block.heading:
                lines.append(heading.format(escape(block.heading)))
            lines += [
                bullet + (label.format(escape(line.label)) if line.label else "") + escape(line.text)
                for line in block.lines
            ]
        return "\n".join(lines)


_MARKUP = re.compile(
    r"[<{}|]"  # tags, templates, tables
    r"|\[{2,}|\]{2,}|\[(?=\w*:|//)"  # links and files
    r"|'{2,}|^'"  # bold and italic, also together with the bold of a label
    r"|_{2,}|~{3,}"  # behaviour switches like __TOC__, signatures
    r"|&(?=#?\w+;)"  # text that would be read as an entity
    r"|:(?=//)"  # addresses
)


def without_markup(text: str) -> str:
    """Escape a text so that MediaWiki shows it literally, on one line."""
    line = " ".join(text.splitlines())
    return _MARKUP.sub(lambda match: "".join(f"&#{ord(char)};" for char in match[0]), line)


def on_one_line(text: str) -> str:
    """Return a cell's text without line breaks, e.g. for a heading."""
    return " ".join(text.split())
