"""One side's score: the factors, then SC-20, then SC-23."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from engine.calculation import Calculation
from engine.exact import exact, printed, signed
from engine.rule import rule
from engine.scorecard.factors import Factor, FactorInputs, factors
from engine.scorecard.general import CommanderFate, CommanderRolls, fate, odds
from engine.scorecard.inputs import DEFENDER, ScoredSide, ScoreInputs
from engine.scorecard.records import RULER
from engine.scorecard.tables import ScoreConstants, ScoreTables
from engine.terms import explained


@rule("SC-20", "Civil disarray", total="sum", disarray_factor="factor")
def in_disarray(total: Fraction, constants: ScoreConstants) -> Fraction:
    """Return the sum of a defender in civil disarray (SC-20)."""
    return total * constants.disarray_factor


@rule("SC-23", "Leader killed", total="sum", leader_killed_points="points")
def leaderless(total: Fraction, constants: ScoreConstants) -> Fraction:
    """Return the sum of a side whose leader was killed (SC-23)."""
    return total + constants.leader_killed_points


@dataclass(frozen=True, slots=True)
class Modifier:
    """A change of the sum of factors."""

    formula: Callable[[Fraction, ScoreConstants], Fraction]  # The rule
    before: Fraction  # The total before the change
    constants: ScoreConstants  # The tables' single numbers

    @property
    def explained(self) -> Calculation:
        """Return the total after the change with its terms, under the rule's name and id."""
        return explained(self.formula, self.before, self.constants)

    @property
    def text(self) -> str:
        """Return the change as text: `× 1.5`."""
        is_factor, change = self.formula is in_disarray, exact(self.explained.numbers[-1])
        return f"× {printed(change)}" if is_factor else signed(change)

    @property
    def total(self) -> Fraction:
        """Return the total after the change."""
        return self.formula(self.before, self.constants)


@dataclass(frozen=True, slots=True)
class Score:
    """One side's score."""

    side: ScoredSide  # The side that is scored
    rolls: CommanderRolls  # The commander's random numbers
    fate: CommanderFate | None  # The commander's fate; None without a commander or before the roll
    is_leader_killed: bool  # True if SC-23 applies
    factors: tuple[Factor, ...]  # The factors, in the order of the receipt
    sum: Fraction  # The sum of the factors
    modifiers: tuple[Modifier, ...]  # The modifiers SC-20 and SC-23, if they apply, in this order (SC-OP-09)

    @property
    def total(self) -> Fraction:
        """Return the grand total."""
        return self.modifiers[-1].total if self.modifiers else self.sum


def score(war: ScoreInputs, own: ScoredSide, enemy: ScoredSide, rolls: CommanderRolls, tables: ScoreTables) -> Score:
    """Score one side; without a roll for the fate of its commander, he counts as alive."""
    commander_fate = None if rolls.fate is None else fate(rolls.fate, odds(own, enemy), tables.fates)
    is_leader_killed = own.leader_killed or _is_ruler_killed(own, commander_fate)
    scored = tuple(factors(FactorInputs(war, own, enemy, rolls, commander_fate, tables)))
    sum_of_factors = sum((factor.points for factor in scored), Fraction(0))
    modifiers = _modifiers(own, sum_of_factors, is_leader_killed, tables.constants)
    return Score(own, rolls, commander_fate, is_leader_killed, scored, sum_of_factors, modifiers)


def scores(
    war: ScoreInputs, attacker: CommanderRolls, defender: CommanderRolls, tables: ScoreTables
) -> tuple[Score, Score]:
    """Return the scores of both sides, the attacker's first."""
    return (
        score(war, war.attacker, war.defender, attacker, tables),
        score(war, war.defender, war.attacker, defender, tables),
    )


def _is_ruler_killed(own: ScoredSide, commander_fate: CommanderFate | None) -> bool:
    """Return True if a ruler was killed in command, i.e. the side's leader (SC-OP-07)."""
    return (
        own.general is not None
        and own.general.role == RULER
        and commander_fate is not None
        and commander_fate.band.gen == 0
    )


def _modifiers(
    own: ScoredSide, total: Fraction, is_leader_killed: bool, constants: ScoreConstants
) -> tuple[Modifier, ...]:
    """Return the modifiers: SC-20 multiplies the defender's sum, then SC-23 subtracts once for a side (SC-OP-09)."""
    modifiers = []
    if own.side == DEFENDER and own.nation.civil_disarray:
        modifiers.append(Modifier(in_disarray, total, constants))
    if is_leader_killed:
        before = modifiers[-1].total if modifiers else total
        modifiers.append(Modifier(leaderless, before, constants))
    return tuple(modifiers)
