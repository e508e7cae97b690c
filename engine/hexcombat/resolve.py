"""The ruleset: one combat between two units with all supporting fire, or a new turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.calculation import Calculation
from engine.forecast import Measure, Replicates
from engine.hexcombat.combat.account import Account
from engine.hexcombat.combat.fate import RolledFate
from engine.hexcombat.combat.procedures import fight
from engine.hexcombat.report.receipt import receipt
from engine.hexcombat.report.result import figures, place_map, summary, updates
from engine.hexcombat.series import best_target, forecast, line, replicates, targets_replicates, targets_table
from engine.hexcombat.setup.dice import DiceInOrder
from engine.hexcombat.setup.inputs import CombatInputs, HexInputs, NewTurnInputs, TargetsInputs
from engine.hexcombat.setup.tables import HexTables
from engine.hexcombat.turn import begin_turn, new_turn_summary
from engine.rng import Rng
from engine.ruleset import Event, LogSink, Outcome, Ruleset, no_op
from engine.settings import setting_events


@dataclass(frozen=True, slots=True)
class HexCombat(Ruleset[HexInputs]):
    """Ruleset in which one unit attacks another, turn by turn; it names no winner, only losses and fates."""

    tables: HexTables

    def resolve(self, inputs: HexInputs, rng: Rng, log: LogSink = no_op) -> Outcome:
        """Rule one combat, or begin a turn.

        Raises:
            ValueError: The inputs were not checked: a mounted unit without transport, an attack without Defender, a
                typed die out of range, an unknown setting; or they ask for a forecast of all targets.
        """
        if isinstance(inputs, TargetsInputs):
            raise ValueError("all targets of a unit are only forecast (HX-OP-55)")
        account = Account()
        account.events.extend(setting_events(self.tables.raw, inputs.settings))  # SET-06
        if isinstance(inputs, NewTurnInputs):
            outcome = begin_turn(inputs, self._tables(inputs), account, rng.seed)
        else:
            outcome = self._fought(inputs, account, rng)
        log(map(Event.brief_line, outcome.events))
        return outcome

    def _fought(self, inputs: CombatInputs, account: Account, rng: Rng) -> Outcome:
        dice = DiceInOrder(inputs.dice, rng)
        combat = fight(inputs, self._tables(inputs), RolledFate(dice, account), account)  # HX-NC, HX-BAR
        return Outcome(
            winner="",
            summary=summary(combat),
            receipt=receipt(combat, rng.seed),
            figures=figures(combat),
            updates=updates(combat),
            events=tuple(account.events),
            explanations=lambda: account.explained,
            places=place_map(combat),
            typed=(f"dice {', '.join(map(str, dice.given))}",) if dice.used else (),
            is_drawn=dice.is_drawn,
        )

    def explain(self, inputs: HexInputs) -> tuple[Calculation, ...]:
        """Return expected attack, defence and initiative of all firing units, without dice."""
        if isinstance(inputs, NewTurnInputs):
            return ()
        combats, tables = inputs.combats if isinstance(inputs, TargetsInputs) else (inputs,), self._tables(inputs)
        return tuple(line for combat in combats for line in forecast(combat, tables).account.explained)

    def _tables(self, inputs: HexInputs) -> HexTables:
        return self.tables.having(inputs.settings)

    def replicates(self, inputs: HexInputs, seed: int, first: int, count: int) -> Replicates:
        """Return `count` combats of a seed, numbered from `first`; number 0 is its ruling. A new turn is certain."""
        if isinstance(inputs, NewTurnInputs):
            turns = Measure(np.full(count, float(inputs.turn + 1)), "")
            return Replicates(None, {"Turn": turns}, {}, ("Turn",))
        if isinstance(inputs, TargetsInputs):
            return targets_replicates(inputs, self._tables(inputs), seed, first, count)
        return replicates(inputs, self._tables(inputs), seed, first, count)

    def course(self, inputs: HexInputs, results: Replicates) -> str:
        """Return the expectation by the rules' own formula (HX-FOR-1)."""
        return best_target(inputs, self._tables(inputs)) if isinstance(inputs, TargetsInputs) else self.forecast(inputs)

    def forecast(self, inputs: HexInputs) -> str:
        """Return expected losses by formula and the chance of every step that needs a die (HX-OP-23)."""
        if isinstance(inputs, NewTurnInputs):
            return new_turn_summary(inputs, self._tables(inputs))
        if isinstance(inputs, TargetsInputs):
            return targets_table(inputs, self._tables(inputs))
        return line(forecast(inputs, self._tables(inputs)))
