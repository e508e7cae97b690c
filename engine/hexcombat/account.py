"""What a combat tells as it happens: lines of the receipt, events of the log, numbers with their terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.explained import Explained, Term
from engine.hexcombat.fighter import ATTACKER, DEFENDER, Fighter
from engine.hexcombat.lines import Step
from engine.hexcombat.numbers import minus, signed
from engine.outcome import Event
from engine.receipt import Block, Line


@dataclass(slots=True)
class Account:
    """Everything told so far.

    Args:
        is_kept: No in the combats of a forecast, which nobody reads.
        blocks: Heading and lines of the receipt.
        events: Of the log.
        explained: Numbers and their terms, in the order in which they were made.
        chances: Of every step that needs a die, as a forecast tells them.
    """

    is_kept: bool = True
    blocks: list[tuple[str, list[Line]]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    explained: list[Explained] = field(default_factory=list)
    chances: list[str] = field(default_factory=list)

    def begin(self, heading: str) -> None:
        """Go on under another heading of the receipt."""
        if self.is_kept:
            self.blocks.append((heading, []))

    def tell(
        self, label: str, text: str, id: str, kind: str, amount: float | None = None, of: Fighter | None = None
    ) -> None:
        """A line of the receipt, and of the log."""
        if self.is_kept:
            self.blocks[-1][1].append(Line(label, text))
            self.note(f"{label}: {text}", id, kind, amount, of)

    def note(self, text: str, id: str, kind: str, amount: float | None = None, of: Fighter | None = None) -> None:
        """A line of the log alone."""
        if self.is_kept:
            side = of.role if of is not None and of.role in (ATTACKER, DEFENDER) else ""
            self.events.append(Event(None, side, of.name if of else "", kind, amount, id, text))

    def explain(
        self, numbers: Sequence[tuple[str, str, str, int, str]], steps: Sequence[Step], names: dict[str, str]
    ) -> None:
        """Numbers that lines made: each line as an event, each number with its terms.

        Args:
            numbers: Number as the lines call it, its name, rule id, value, and a note.
            steps: The lines that changed anything.
            names: Number as the lines call it to its short name: `Tank's attack`.
        """
        if not self.is_kept:
            return
        for step in steps:
            self.note(f"{names[step.line.to]}: {_shown(step)}", step.line.id, "line", step.change)
        for key, name, id, value, note in numbers:
            terms = tuple(Term(it.line.words, "", it.change) for it in steps if it.line.to == key)
            self.explained.append(Explained(name, id, value, terms, "sum", note=note))

    def receipt_blocks(self) -> Iterator[Block]:
        """The receipt's blocks that have lines."""
        for heading, lines in self.blocks:
            if lines:
                yield Block(heading, tuple(lines))


def _shown(step: Step) -> str:
    """`9 (ground defence)`, `+1 (experience bars), makes 10`."""
    if step.line.is_set:
        return f"{minus(step.after)} ({step.line.words})"
    return f"{signed(step.change)} ({step.line.words}), makes {minus(step.after)}"
