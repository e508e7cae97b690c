"""The rules of jousts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from engine.columns import TabDeclaration, text, whole
from engine.declare import entry, read_table, table
from engine.receipt import Block, Line, ReceiptText
from engine.rng import Rng
from engine.ruleset import Event, LogSink, Outcome, Ruleset, Update, no_op
from engine.settings import Raw, Setting, overridden, typed_lines
from engine.shapes import Number

DIE, GUARD = 0, 1
"""The purposes of the draws."""


@table("jousts", "Joust")
class JoustTable:
    """The numbers of a joust."""

    faces: int = entry(Number(2, 1000, whole=True), "Faces of the die.", "JO-02/")
    guard: int = entry(Number(1, 1000, whole=True), "Faces of the die of the challenged knight.", "JO-02/")


class JoustTables:
    """The numbers of jousts, and those of a workbook with settings of its own."""

    def __init__(self, raw: Raw) -> None:
        self.raw = raw
        self.having(())

    def having(self, settings: Sequence[Setting]) -> JoustTable:
        """Return the numbers in force."""
        return read_table(JoustTable, overridden(self.raw, settings))


@dataclass(frozen=True, slots=True, kw_only=True)
class Knight:
    """One row of the Knights tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration("Knights", key="name", one="knight", about="Who may fight.")

    name: str = text("Knight", id="JO-01", required=True, note="The name, unique.")
    skill: int = whole("Skill", id="JO-01", low=0, high=100, required=True, note="0 to 100.")
    wins: int = whole("Wins", id="JO-03", low=0, default=0, note="Jousts won; the program counts them.")


@dataclass(frozen=True, slots=True, kw_only=True)
class JoustInputs:
    """All that a joust depends on."""

    name: str
    challenger: Knight
    challenged: Knight
    die: int | None = None
    guard: int | None = None
    settings: tuple[Setting, ...] = ()


@dataclass(frozen=True, slots=True)
class Joust(Ruleset[JoustInputs]):
    """Ruleset of jousts."""

    tables: JoustTables

    def resolve(self, inputs: JoustInputs, rng: Rng, log: LogSink = no_op) -> Outcome:
        """Roll the die, compare (JO-02), and count the win (JO-03)."""
        numbers = self.tables.having(inputs.settings)
        roll = rng.whole(DIE, 1, numbers.faces) if inputs.die is None else inputs.die
        guard = rng.whole(GUARD, 1, numbers.guard) if inputs.guard is None else inputs.guard
        reached, limit = roll + inputs.challenger.skill, guard + inputs.challenged.skill
        side, winner = ("Attacker", inputs.challenger) if reached > limit else ("Defender", inputs.challenged)
        summary = f"{winner.name} wins, {reached} against {limit}"
        rolled = Event(None, "", "", "roll", float(reached), "JO-02", summary)
        log([rolled.brief_line()])
        return Outcome(
            winner=side,
            summary=summary,
            receipt=ReceiptText(
                inputs.name, (Block("", (Line("Result", summary), *typed_lines(inputs.settings))),), (summary,)
            ),
            figures={"Winner": winner.name},
            events=(rolled,),
            updates=(Update("Knights", winner.name, "Wins", winner.wins, winner.wins + 1),),
            typed=tuple(
                f"{name} {die}" for name, die in (("die", inputs.die), ("guard", inputs.guard)) if die is not None
            ),
            is_drawn=None in (inputs.die, inputs.guard),
        )

    def sides(self, inputs: JoustInputs) -> tuple[str, str]:
        """Return both knights."""
        return inputs.challenger.name, inputs.challenged.name

    def chance(self, inputs: JoustInputs) -> float:
        """Return the exact chance of the challenger."""
        numbers = self.tables.having(inputs.settings)
        dice = range(1, numbers.faces + 1) if inputs.die is None else (inputs.die,)
        guards = range(1, numbers.guard + 1) if inputs.guard is None else (inputs.guard,)
        ahead = inputs.challenger.skill - inputs.challenged.skill
        return sum(die + ahead > guard for die in dice for guard in guards) / len(dice) / len(guards)
