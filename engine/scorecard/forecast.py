"""Exact forecast of a war: all outcomes of the open rolls, with equal weight, without drawing (section 2.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from engine.exact import percent, printed
from engine.scorecard.general import FACES, CommanderRolls, fate, known_rolls, odds
from engine.scorecard.inputs import ScoredSide, ScoreInputs
from engine.scorecard.score import score
from engine.scorecard.tables import ScoreTables


@dataclass(frozen=True, slots=True)
class Span:
    """Lowest and highest total of a side."""

    lowest: Fraction
    highest: Fraction

    def __str__(self) -> str:
        """Return `56`, or `50 to 56`."""
        if self.lowest == self.highest:
            return printed(self.lowest)
        return f"{printed(self.lowest)} to {printed(self.highest)}"


@dataclass(frozen=True, slots=True)
class ScoreForecast:
    """Shares of all cases, with equal weight."""

    # The number of cases: 10 for one commander with an open fate, 100 for two, ten times as many for each with an open
    # Exp (SC-OP-26).
    cases: int
    attacker_wins: int  # The number of cases in which the attacker has the higher total
    defender_wins: int  # The number of cases in which the defender has the higher total
    stalemates: int  # The number of stalemates, in which the defender holds
    attacker: Span  # The span of the attacker's totals
    defender: Span  # The span of the defender's totals

    def share(self, count: int) -> Fraction:
        """Return `count` as a share of all cases, 0 to 1."""
        return Fraction(count, self.cases)

    def line(self) -> str:
        """Return `Attacker wins 20 %, defender 79 %, stalemate 1 %; totals 50 to 56 and 55; 10 cases`."""
        attacker, defender, tie = (
            percent(100 * self.share(count)) for count in (self.attacker_wins, self.defender_wins, self.stalemates)
        )
        shares = f"Attacker wins {attacker}, defender wins {defender}, stalemate (defender holds) {tie}"
        cases = "nothing left to chance" if self.cases == 1 else f"{self.cases:,} cases"
        return f"{shares}; totals: attacker {self.attacker}, defender {self.defender}; {cases}"


def forecast(war: ScoreInputs, tables: ScoreTables) -> ScoreForecast:
    """Count every case of the rolls that are not given."""

    def totals(own: ScoredSide, enemy: ScoredSide) -> Mapping[Fraction, int]:
        # A side's total depends only on its own rolls, so the two sides can be counted separately. Rolls with equal Exp
        # and survival of the commander are scored once.
        alike: dict[tuple[int, int | None], list[CommanderRolls]] = {}
        ratio = odds(own, enemy)
        for rolls in _possible_rolls(own):
            lives = 1 if rolls.fate is None else fate(rolls.fate, ratio, tables.fates).band.gen
            alike.setdefault((lives, rolls.exp), []).append(rolls)
        counts: Counter[Fraction] = Counter()
        for cases in alike.values():
            counts[score(war, own, enemy, cases[0], tables).total] += len(cases)
        return counts

    attacker_totals, defender_totals = totals(war.attacker, war.defender), totals(war.defender, war.attacker)
    outcomes: Counter[int] = Counter()
    for (own, count), (enemy, enemy_count) in product(attacker_totals.items(), defender_totals.items()):
        outcomes[(own > enemy) - (own < enemy)] += count * enemy_count
    return ScoreForecast(
        outcomes.total(),
        outcomes[1],
        outcomes[-1],
        outcomes[0],
        Span(min(attacker_totals), max(attacker_totals)),
        Span(min(defender_totals), max(defender_totals)),
    )


def _possible_rolls(side: ScoredSide) -> list[CommanderRolls]:
    if side.general is None:
        return [CommanderRolls()]
    known = known_rolls(side)
    faces = range(FACES[0], FACES[1] + 1)
    fates = faces if known.fate is None else [known.fate]
    exps = faces if known.exp is None else [known.exp]
    return [CommanderRolls(fate, exp) for fate, exp in product(fates, exps)]
