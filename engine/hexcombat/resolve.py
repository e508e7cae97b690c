"""The ruleset: one combat between two units with all supporting fire."""

from __future__ import annotations

from dataclasses import dataclass

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
from engine.hexcombat.tables import HexTables
from engine.hexcombat.updates import updates
from engine.rng import Rng
from engine.ruleset import Event, LogSink, Outcome, Ruleset, no_op
from engine.settings import setting_events


@dataclass(frozen=True, slots=True)
class HexCombat(Ruleset[CombatInputs]):
    """Ruleset in which one unit attacks another; it names no winner, only the losses and fates of both."""

    releases = ("0.1", "0.2")
    tables: HexTables

    def resolve(self, inputs: CombatInputs, rng: Rng, log: LogSink = no_op) -> Outcome:
        """Rule one combat.

        Raises:
            ValueError: The inputs were not checked: a mounted unit without transport, an attack without Defender, a
                typed die out of range, an unknown setting.
        """
        account = Account()
        account.events.extend(setting_events(self.tables.raw, inputs.settings))  # SET-06
        fate = Rolled(DiceInOrder(inputs.dice, rng), account)
        combat = fight(inputs, self.tables.having(inputs.settings), fate, account)  # HX-NC, HX-BAR, HX-G2A
        log(map(_line, account.events))
        return Outcome(
            winner="",
            summary=summary(combat),
            receipt=receipt(combat, rng.seed),
            figures=figures(combat),
            updates=updates(combat),
            events=tuple(account.events),
            explained=tuple(account.explained),
        )

    def explain(self, inputs: CombatInputs) -> tuple[Explained, ...]:
        """Return attack, defence and initiative of all units that fire, as the formula expects them, without dice."""
        return tuple(forecast(inputs, self.tables).account.explained)

    def replicates(self, inputs: CombatInputs, seed: int, first: int, count: int) -> Replicates:
        """Return `count` combats of a seed, numbered from `first`; number 0 is its ruling."""
        return replicates(inputs, self.tables, seed, first, count)

    def course(self, inputs: CombatInputs, found: Replicates) -> str:
        """Return the expectation by the rules' own formula (HX-FOR-1)."""
        return self.forecast(inputs)

    def forecast(self, inputs: CombatInputs) -> str:
        """Return expected losses by formula and the chance of every step that needs a die (HX-OP-23)."""
        return line(forecast(inputs, self.tables))


def _line(event: Event) -> str:
    """Return an event as a line of the log."""
    return f"{event.text} [{event.id}]"
