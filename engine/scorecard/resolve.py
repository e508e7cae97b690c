"""The ruleset: score both sides, compare them, and derive the consequences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from engine.calculation import Calculation
from engine.decisions import UNDECIDED, DecidableResult, RulingDecisions
from engine.exact import cell
from engine.forecast import ATTACKER, DEFENDER, NOBODY, Kinds, Measure, Replicates
from engine.rng import Rng
from engine.ruleset import Event, LogSink, Outcome, RowResult, Ruleset, no_op
from engine.scorecard.aftermath import (
    WINNER,
    ScoreRuling,
    decidable_results,
    decided_scores,
    fate_text,
    ruling,
    updates,
    winner_text,
    with_territory,
)
from engine.scorecard.forecast import forecast
from engine.scorecard.general import CommanderRolls, is_open, known_rolls, roll
from engine.scorecard.inputs import ScoredSide, ScoreInputs
from engine.scorecard.receipt import events, receipt, summary, typed_rolls
from engine.scorecard.score import Score, score, scores
from engine.scorecard.tables import ScoreTables

SIDES_TAB = "Score Sides"


@dataclass(frozen=True, slots=True)
class Scorecard(Ruleset[ScoreInputs]):
    """Ruleset in which two sides score points per factor and the higher grand total wins."""

    tables: ScoreTables

    def resolve(self, inputs: ScoreInputs, rng: Rng, log_sink: LogSink = no_op) -> Outcome:
        """Rule one war.

        Raises:
            ValueError: The inputs were not checked: no time and no chance, an edit count of 0, an unknown setting.
        """
        return self.decided(inputs, rng, UNDECIDED, log_sink)

    def results(self, inputs: ScoreInputs) -> tuple[DecidableResult, ...]:
        """Return winner, territory and the commanders' fates (OVR-12)."""
        return tuple(decidable_results(inputs))

    def decided(self, inputs: ScoreInputs, rng: Rng, decisions: RulingDecisions, log_sink: LogSink = no_op) -> Outcome:
        """Rule one war as `resolve` does, with the results that a moderator decided.

        Raises:
            ValueError: As in `resolve`.
        """
        tables = self.tables.having(inputs.settings)
        rolls = roll(inputs.attacker, rng), roll(inputs.defender, rng)  # SC-03a comes before every bonus
        scored = scores(inputs, *rolls, tables)  # SC-01 ... SC-13, SC-20, SC-23
        scored = decided_scores(scored, decisions.results, tables)
        winner = str(decisions.results.get(WINNER, ""))
        ruled = ruling(inputs, *scored, tables, winner)  # SC-24, SC-21, SC-22
        ruled = with_territory(ruled, decisions.results)
        war_events = tuple(events(ruled))
        log_sink(map(Event.brief_line, war_events))
        return Outcome(
            winner="" if ruled.is_tie else ruled.winner.side.side,
            summary=summary(ruled),
            receipt=receipt(ruled, rng.seed),
            figures={
                "Winner": winner_text(ruled),
                "Attacker Total": cell(ruled.attacker.total),
                "Defender Total": cell(ruled.defender.total),
            },
            updates=updates(ruled, tables),
            results=_results(ruled),
            events=war_events,
            explanations=partial(_explained, scored),
            typed=tuple(words for score in ruled.scores for words in typed_rolls(score)),
            is_drawn=any(map(is_open, (inputs.attacker, inputs.defender))),
        )

    def sides(self, inputs: ScoreInputs) -> tuple[str, str]:
        """Return the names of both sides' nations."""
        return inputs.attacker.nation.name, inputs.defender.nation.name

    def explain(self, inputs: ScoreInputs) -> tuple[Calculation, ...]:
        """Return every factor of both sides before anything is drawn; a commander with an open fate counts as alive."""
        rolls = known_rolls(inputs.attacker), known_rolls(inputs.defender)
        scored = scores(inputs, *rolls, self.tables.having(inputs.settings))
        return tuple(_explained(scored))

    def replicates(self, inputs: ScoreInputs, seed: int, first: int, count: int) -> Replicates:
        """Return `count` wars of a seed, numbered from `first`; number 0 is its ruling; a tie is a win of neither."""
        tables = self.tables.having(inputs.settings)
        rngs = [Rng(seed, first + number) for number in range(count)]
        attackers = _scored(inputs, inputs.attacker, inputs.defender, tables, rngs)
        defenders = _scored(inputs, inputs.defender, inputs.attacker, tables, rngs)
        winner = [
            ATTACKER if own.total > enemy.total else DEFENDER if own.total < enemy.total else NOBODY
            for own, enemy in zip(attackers, defenders, strict=True)
        ]
        numbers, words = {}, {}
        for drawn in (attackers, defenders):
            side = drawn[0].side
            totals = np.array([float(one.total) for one in drawn], np.float64)
            numbers[f"{side.side} total"] = Measure(totals, "points")
            if side.general is not None:
                names = tuple(band.name for band in tables.fates)
                codes = [names.index(one.fate.band.name) if one.fate else -1 for one in drawn]
                words[f"{side.side} general"] = Kinds(np.array(codes, np.int64), names)
        return Replicates(np.array(winner, np.int64), numbers, words, tuple(numbers))

    def forecast(self, inputs: ScoreInputs) -> str:
        """Return the exact shares, with all outcomes of the open rolls counted alike and nothing drawn."""
        return forecast(inputs, self.tables.having(inputs.settings)).line()


def _scored(war: ScoreInputs, own: ScoredSide, enemy: ScoredSide, tables: ScoreTables, rngs: list[Rng]) -> list[Score]:
    """Score a side once for each distinct pair of rolls, of which there are at most a hundred."""
    known: dict[CommanderRolls, Score] = {}
    drawn = []
    for rng in rngs:
        rolls = roll(own, rng)
        if rolls not in known:
            known[rolls] = score(war, own, enemy, rolls, tables)
        drawn.append(known[rolls])
    return drawn


def _explained(scores: tuple[Score, Score]) -> Iterator[Calculation]:
    return (factor.explained for score in scores for factor in score.factors)


def _results(ruled: ScoreRuling) -> tuple[RowResult, ...]:
    """Return Total and Fate for the attacker's row 0 and the defender's row 1."""
    return tuple(
        RowResult(SIDES_TAB, row, {"Total": cell(score.total), "Fate": fate_text(score)})
        for row, score in enumerate(ruled.scores)
    )
