"""The ruleset: score both sides, compare, write down what follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.exact import cell
from engine.explained import Explained
from engine.forecast import Replicates
from engine.luck import Luck
from engine.outcome import Listener, Outcome, RowResult, silent
from engine.scorecard import log
from engine.scorecard.aftermath import Ruling, fate_shown, ruling, updates, winner_shown
from engine.scorecard.forecast import Forecast, forecast
from engine.scorecard.general import known_rolls, roll
from engine.scorecard.inputs import ScoreInputs
from engine.scorecard.receipt import receipt, summary
from engine.scorecard.replicates import replicates
from engine.scorecard.score import scores
from engine.scorecard.tables import Tables

SIDES_TAB = "Score Sides"


@dataclass(frozen=True, slots=True)
class Scorecard:
    """Two sides, points per factor, the higher grand total wins."""

    name: ClassVar[str] = "scorecard"
    tables: Tables

    def resolve(self, inputs: ScoreInputs, luck: Luck, tell: Listener = silent) -> Outcome:
        """Rule one war.

        Raises:
            ValueError: Something the form never lets through: no time and no chance, an edit count of 0, a setting
                that does not exist.
        """
        tables = self.tables.having(inputs.settings)
        rolls = roll(inputs.attacker, luck), roll(inputs.defender, luck)  # SC-03a comes before every bonus
        scored = scores(inputs, *rolls, tables)  # SC-01 ... SC-13, SC-20, SC-23
        ruled = ruling(inputs, *scored, tables)  # SC-24, SC-21, SC-22
        events = tuple(log.events(ruled))
        tell(map(log.line, events))
        return Outcome(
            winner=ruled.winner.side.side,
            summary=summary(ruled),
            receipt=receipt(ruled, luck.seed),
            figures={
                "Winner": winner_shown(ruled),
                "Attacker Total": cell(ruled.attacker.total),
                "Defender Total": cell(ruled.defender.total),
            },
            updates=updates(ruled, tables),
            results=_results(ruled),
            events=events,
            explained=tuple(factor.explained for score in scored for factor in score.factors),
        )

    def explain(self, inputs: ScoreInputs) -> tuple[Explained, ...]:
        """Every factor of both sides before anything is drawn: a commander whose fate is open counts as alive."""
        rolls = known_rolls(inputs.attacker), known_rolls(inputs.defender)
        scored = scores(inputs, *rolls, self.tables.having(inputs.settings))
        return tuple(factor.explained for score in scored for factor in score.factors)

    def replicates(self, inputs: ScoreInputs, seed: int, first: int, count: int) -> Replicates:
        """Wars number `first` and so on of a seed; number 0 is its ruling."""
        return replicates(inputs, self.tables, seed, first, count)

    def hasten(self, inputs: ScoreInputs, cache: str | None, battles: int) -> str:
        """A score is one sum: machine code would gain nothing."""
        return ""

    def course(self, inputs: ScoreInputs, found: Replicates) -> str:
        """The exact shares: every roll that is still open counted alike, nothing drawn."""
        return self.forecast(inputs).line()

    def forecast(self, inputs: ScoreInputs) -> Forecast:
        """Shares and spans over every roll that is not given."""
        return forecast(inputs, self.tables)


def _results(ruled: Ruling) -> tuple[RowResult, ...]:
    """Total and Fate of the attacker's row 0 and the defender's row 1."""
    return tuple(
        RowResult(SIDES_TAB, row, {"Total": cell(score.total), "Fate": fate_shown(score)})
        for row, score in enumerate(ruled.scores)
    )
