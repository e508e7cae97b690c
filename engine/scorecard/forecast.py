"""What may come of a war: every roll that is still open, each face counted alike, nothing drawn (section 2.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from engine.exact import percent, printed
from engine.scorecard.general import FACES, Rolls, known_rolls
from engine.scorecard.inputs import ScoreInputs, Side
from engine.scorecard.score import score
from engine.scorecard.tables import Tables


@dataclass(frozen=True, slots=True)
class Span:
    """Lowest and highest total of a side."""

    lowest: Fraction
    highest: Fraction

    def __str__(self) -> str:
        """`56`, or `50 to 56`."""
        if self.lowest == self.highest:
            return printed(self.lowest)
        return f"{printed(self.lowest)} to {printed(self.highest)}"


@dataclass(frozen=True, slots=True)
class Forecast:
    """Shares of all cases, each counted alike.

    Args:
        cases: How many: 10 for one commander whose fate is open, 100 for two, ten times more for each whose Exp is
            open as well (SC-OP-26).
        attacker_wins: Cases with a higher total of the attacker.
        defender_wins: Cases with a higher total of the defender.
        stalemates: Cases with equal totals, in which the defender holds.
        attacker: Its totals.
        defender: Its totals.
    """

    cases: int
    attacker_wins: int
    defender_wins: int
    stalemates: int
    attacker: Span
    defender: Span

    def share(self, count: int) -> Fraction:
        """Of all cases, 0 to 1."""
        return Fraction(count, self.cases)

    def line(self) -> str:
        """`Attacker wins 20 %, defender 79 %, stalemate 1 %; totals 50 to 56 and 55; 10 cases`."""
        attacker, defender, tie = (
            percent(100 * self.share(count)) for count in (self.attacker_wins, self.defender_wins, self.stalemates)
        )
        odds = f"Attacker wins {attacker}, defender wins {defender}, stalemate (defender holds) {tie}"
        cases = "nothing left to chance" if self.cases == 1 else f"{self.cases:,} cases"
        return f"{odds}; totals: attacker {self.attacker}, defender {self.defender}; {cases}"


def forecast(war: ScoreInputs, tables: Tables) -> Forecast:
    """Count every case of the rolls that are not given."""
    tables = tables.having(war.settings)

    def totals(own: Side, enemy: Side) -> Mapping[Fraction, int]:
        # A side's total depends on its own rolls alone, so the two sides are counted apart.
        return Counter(score(war, own, enemy, rolls, tables).total for rolls in _open(own))

    ours, theirs = totals(war.attacker, war.defender), totals(war.defender, war.attacker)
    outcomes: Counter[int] = Counter()
    for (own, count), (enemy, enemy_count) in product(ours.items(), theirs.items()):
        outcomes[(own > enemy) - (own < enemy)] += count * enemy_count
    return Forecast(
        outcomes.total(),
        outcomes[1],
        outcomes[-1],
        outcomes[0],
        Span(min(ours), max(ours)),
        Span(min(theirs), max(theirs)),
    )


def _open(side: Side) -> list[Rolls]:
    if side.general is None:
        return [Rolls()]
    known = known_rolls(side)
    faces = range(FACES[0], FACES[1] + 1)
    fates = faces if known.fate is None else [known.fate]
    exps = faces if known.exp is None else [known.exp]
    return [Rolls(fate, exp) for fate, exp in product(fates, exps)]
