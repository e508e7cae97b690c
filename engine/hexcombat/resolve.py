"""The ruleset: one combat between two units, with everything that may fire before, during and after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.explained import Explained
from engine.forecast import Replicates
from engine.hexcombat.account import Account
from engine.hexcombat.dice import DiceInOrder
from engine.hexcombat.fate import Rolled
from engine.hexcombat.forecast import forecast, line
from engine.hexcombat.inputs import CombatInputs
from engine.hexcombat.procedures import fight
from engine.hexcombat.receipt import receipt
from engine.hexcombat.replicates import replicates
from engine.hexcombat.result import figures, summary
from engine.hexcombat.tables import Tables
from engine.hexcombat.updates import updates
from engine.luck import Luck
from engine.outcome import Event, Listener, Outcome, silent
from engine.settings import told


@dataclass(frozen=True, slots=True)
class HexCombat:
    """One unit attacks another; the rules name no winner, only what became of both."""

    name: ClassVar[str] = "hexcombat"
    tables: Tables

    def resolve(self, inputs: CombatInputs, luck: Luck, tell: Listener = silent) -> Outcome:
        """Rule one combat.

        Raises:
            ValueError: Something the form never lets through: a unit mounted on nothing, an attack on nobody, a typed
                die out of range, a setting that does not exist.
        """
        account = Account()
        account.events.extend(told(self.tables.raw, inputs.settings))  # SET-06
        fate = Rolled(DiceInOrder(inputs.dice, luck), account)
        combat = fight(inputs, self.tables.having(inputs.settings), fate, account)  # HX-NC, HX-BAR, HX-G2A
        tell(map(_line, account.events))
        return Outcome(
            winner="",
            summary=summary(combat),
            receipt=receipt(combat, luck.seed),
            figures=figures(combat),
            updates=updates(combat),
            events=tuple(account.events),
            explained=tuple(account.explained),
        )

    def explain(self, inputs: CombatInputs) -> tuple[Explained, ...]:
        """Attack, defence and initiative of everybody who fires, as the formula expects it, without a die."""
        return tuple(forecast(inputs, self.tables).account.explained)

    def replicates(self, inputs: CombatInputs, seed: int, first: int, count: int) -> Replicates:
        """Combats number `first` and so on of a seed; number 0 is its ruling."""
        return replicates(inputs, self.tables, seed, first, count)

    def hasten(self, inputs: CombatInputs, cache: str | None, battles: int) -> str:
        """A combat is a few dozen dice: machine code would gain nothing."""
        return ""

    def course(self, inputs: CombatInputs, found: Replicates) -> str:
        """What the source's own formula expects, beside the dice (HX-FOR-1)."""
        return self.forecast(inputs)

    def forecast(self, inputs: CombatInputs) -> str:
        """Expected losses by formula, and the chance of every step that needs a die (HX-OP-23)."""
        return line(forecast(inputs, self.tables))


def _line(event: Event) -> str:
    """As a person reads it in the log."""
    return f"{event.text} [{event.id}]"
