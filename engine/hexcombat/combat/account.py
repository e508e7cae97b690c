"""Record of a combat: lines of the receipt, events of the log, and numbers with their terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.calculation import WHOLE, Calculation, KeyFormula, Part
from engine.hexcombat.setup.fighter import ATTACKER, DEFENDER, Fighter
from engine.hexcombat.setup.lines import LineChange
from engine.hexcombat.setup.numbers import minus, signed
from engine.receipt import Block, Line
from engine.ruleset import Event


@dataclass(slots=True)
class Account:
    """Everything recorded so far."""

    is_kept: bool = True  # False if nothing is recorded, as in the combats of a forecast
    blocks: list[tuple[str, list[Line]]] = field(default_factory=list)  # The receipt's headings with their lines
    events: list[Event] = field(default_factory=list)  # The events of the log
    # The numbers with their terms, in the order of computation.
    explained: list[Calculation] = field(default_factory=list)
    chances: list[str] = field(default_factory=list)  # The chances of steps that need a die, for a forecast

    def begin(self, heading: str) -> None:
        """Start another heading of the receipt."""
        if self.is_kept:
            self.blocks.append((heading, []))

    def tell(
        self, label: str, text: str, id: str, kind: str, amount: float | None = None, fighter: Fighter | None = None
    ) -> None:
        """Add a line to the receipt and to the log."""
        if self.is_kept:
            self.blocks[-1][1].append(Line(label, text))
            self.note(f"{label}: {text}", id, kind, amount, fighter)

    def note(self, text: str, id: str, kind: str, amount: float | None = None, fighter: Fighter | None = None) -> None:
        """Add a line to the log only."""
        if self.is_kept:
            side = fighter.role if fighter is not None and fighter.role in (ATTACKER, DEFENDER) else ""
            self.events.append(Event(None, side, fighter.name if fighter else "", kind, amount, id, text))

    def explain(
        self,
        numbers: Sequence[tuple[str, str, str, int, str]],
        steps: Sequence[LineChange],
        names: dict[str, str],
        earlier: Sequence[LineChange] = (),
    ) -> None:
        """Add numbers computed by lines: each line as an event, each number with its terms.

        Args:
            numbers: Tuples of a number's key in the lines, its name, rule id, value and a note.
            steps: The lines that changed a number.
            names: Short names by key: `Tank's attack`.
            earlier: The previous lines, which are events already.
        """
        if not self.is_kept:
            return
        for step in steps:
            self.note(f"{names[step.line.to]}: {_step_text(step)}", step.line.id, "line", step.change)
        for key, name, id, value, note in numbers:
            of_number = [step for step in (*earlier, *steps) if step.line.to == key]
            parts = tuple(Part("+" if place else "", step.line.words, WHOLE) for place, step in enumerate(of_number))
            changes = tuple(float(step.change) for step in of_number)
            self.explained.append(Calculation(KeyFormula(name, id, parts, WHOLE), value, changes, note))

    def receipt_blocks(self) -> Iterator[Block]:
        """Yield the receipt's blocks that have lines."""
        for heading, lines in self.blocks:
            if lines:
                yield Block(heading, tuple(lines))


def _step_text(step: LineChange) -> str:
    """Return a step as text: `9 (ground defence)`, `+1 (experience bars), makes 10`."""
    if step.line.is_set:
        return f"{minus(step.after)} ({step.line.words})"
    return f"{signed(step.change)} ({step.line.words}), makes {minus(step.after)}"
