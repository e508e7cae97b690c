"""The ruleset: one combat between two units, with everything that may fire before, during and after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.explained import Explained
from engine.forecast import Replicates
from engine.hexcombat.inputs import CombatInputs
from engine.hexcombat.tables import Tables
from engine.luck import Luck
from engine.outcome import Listener, Outcome, silent


@dataclass(frozen=True, slots=True)
class HexCombat:
    """One unit attacks another."""

    name: ClassVar[str] = "hexcombat"
    tables: Tables

    def resolve(self, inputs: CombatInputs, luck: Luck, tell: Listener = silent) -> Outcome:
        """Rule one combat."""
        raise NotImplementedError

    def explain(self, inputs: CombatInputs) -> tuple[Explained, ...]:
        """Attack, defence and initiative of both units, without a die."""
        raise NotImplementedError

    def replicates(self, inputs: CombatInputs, seed: int, first: int, count: int) -> Replicates:
        """Combats number `first` and so on of a seed; number 0 is its ruling."""
        raise NotImplementedError

    def hasten(self, inputs: CombatInputs, cache: str | None, battles: int) -> str:
        """A combat is a few dozen dice: machine code would gain nothing."""
        return ""

    def course(self, inputs: CombatInputs, found: Replicates) -> str:
        """The forecast by formula (HX-FOR-1), nothing drawn."""
        return self.forecast(inputs)

    def forecast(self, inputs: CombatInputs) -> str:
        """Expected losses by formula, and the chance of every step that needs a die (HX-OP-23)."""
        raise NotImplementedError
