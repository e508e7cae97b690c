"""The ruleset: carry out one order, and say what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.ciais.battle import explained, meet
from engine.ciais.chance import Rolls, drawn_among, roll
from engine.ciais.forecast import expected, replicates
from engine.ciais.game import Game
from engine.ciais.inputs import BATTLE, CiaisInputs
from engine.ciais.odds import percent
from engine.ciais.play import Played, play
from engine.ciais.receipt import events, line, receipt, summary
from engine.ciais.tables import Tables
from engine.explained import Explained
from engine.forecast import Replicates
from engine.luck import Luck
from engine.outcome import Listener, Outcome, Plain, silent


@dataclass(frozen=True, slots=True)
class Ciais:
    """Battles, rounds, taxes and unrest of a board game, one order at a time."""

    name: ClassVar[str] = "ciais"
    tables: Tables

    def resolve(self, inputs: CiaisInputs, luck: Luck, tell: Listener = silent) -> Outcome:
        """Rule one order.

        Raises:
            ValueError: A fighting unit has no supply, which the form never lets through; a setting does not exist.
        """
        played = play(inputs, roll(inputs, luck), self.tables.having(inputs.settings))
        told = tuple(events(played))
        tell(map(line, told))
        return Outcome(
            winner=played.fought.winner if played.fought else "",
            summary=summary(played),
            receipt=receipt(played, luck.seed),
            figures=_figures(played),
            updates=tuple(played.game.updates()),
            events=told,
            explained=tuple(played.game.explained),
        )

    def explain(self, inputs: CiaisInputs) -> tuple[Explained, ...]:
        """How each number comes about that does not wait for a roll."""
        tables = self.tables.having(inputs.settings)
        if inputs.order.kind != BATTLE:
            return tuple(play(inputs, Rolls(opponent=1 if drawn_among(inputs) else None), tables).game.explained)
        return tuple(explained(meet(Game(inputs, tables)), tables.constants))

    def replicates(self, inputs: CiaisInputs, seed: int, first: int, count: int) -> Replicates:
        """Rulings number `first` and so on of a seed; number 0 is its ruling."""
        return replicates(inputs, self.tables, seed, first, count)

    def hasten(self, inputs: CiaisInputs, cache: str | None, battles: int) -> str:
        """One roll at most: machine code would gain nothing."""
        return ""

    def course(self, inputs: CiaisInputs, found: Replicates) -> str:
        """Exactly, without drawing."""
        return self.forecast(inputs)

    def forecast(self, inputs: CiaisInputs) -> str:
        """What may come of it, exactly."""
        return expected(inputs, self.tables)


def _figures(played: Played) -> dict[str, Plain]:
    """Winner and Chance; of a battle the owner of the winning unit, even if that won the game for somebody."""
    fought = played.fought
    if fought is None:
        return {"Winner": ", ".join(played.won) or None, "Chance": None}
    chance = fought.meeting.chance
    return {
        "Winner": fought.sides[0].unit.owner if fought.winner else None,
        "Chance": None if chance is None else percent(chance),
    }
