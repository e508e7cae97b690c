"""One side's score: the factors, then SC-20, then SC-23."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from engine.exact import printed, signed
from engine.scorecard.factors import Factor, View, factors
from engine.scorecard.general import Fate, Rolls, fate, odds
from engine.scorecard.inputs import DEFENDER, ScoreInputs, Side
from engine.scorecard.records import RULER
from engine.scorecard.tables import Constants, Tables


@dataclass(frozen=True, slots=True)
class Modifier:
    """What changes a sum of factors.

    Args:
        id: `SC-20`.
        name: `Civil disarray`.
        shown: `× 1.5`.
        total: The total after it.
    """

    id: str
    name: str
    shown: str
    total: Fraction


@dataclass(frozen=True, slots=True)
class Score:
    """One side's score.

    Args:
        side: Whose.
        rolls: The commander's random numbers.
        fate: The commander's; None without one or before a roll.
        is_leader_killed: Whether SC-23 applies.
        factors: In the order of the receipt.
        sum: Of the factors.
        modifiers: SC-20 and SC-23 where they apply, in this order (SC-OP-09).
    """

    side: Side
    rolls: Rolls
    fate: Fate | None
    is_leader_killed: bool
    factors: tuple[Factor, ...]
    sum: Fraction
    modifiers: tuple[Modifier, ...]

    @property
    def total(self) -> Fraction:
        """The grand total."""
        return self.modifiers[-1].total if self.modifiers else self.sum


def score(war: ScoreInputs, own: Side, enemy: Side, rolls: Rolls, tables: Tables) -> Score:
    """Score one side.

    Args:
        war: The war.
        own: The side.
        enemy: The other side.
        rolls: Of the own commander; without a fate he counts as alive.
        tables: Lists, points and single numbers, the workbook's own already in place.
    """
    suffered = None if rolls.fate is None else fate(rolls.fate, odds(own, enemy), tables.fates)
    is_leader_killed = own.leader_killed or _is_ruler_killed(own, suffered)
    scored = tuple(factors(View(war, own, enemy, rolls, suffered, tables)))
    sum_of_factors = sum((factor.points for factor in scored), Fraction(0))
    modifiers = _modifiers(own, sum_of_factors, is_leader_killed, tables.constants)
    return Score(own, rolls, suffered, is_leader_killed, scored, sum_of_factors, modifiers)


def scores(war: ScoreInputs, attacker: Rolls, defender: Rolls, tables: Tables) -> tuple[Score, Score]:
    """Both sides, the attacker first."""
    return (
        score(war, war.attacker, war.defender, attacker, tables),
        score(war, war.defender, war.attacker, defender, tables),
    )


def _is_ruler_killed(own: Side, suffered: Fate | None) -> bool:
    """SC-OP-07: a ruler who falls in command is the side's leader; a general only loses his bonus."""
    return own.general is not None and own.general.role == RULER and suffered is not None and suffered.band.gen == 0


def _modifiers(own: Side, total: Fraction, is_leader_killed: bool, constants: Constants) -> tuple[Modifier, ...]:
    """SC-20 multiplies the defender's sum, then SC-23 subtracts, once for a side (SC-OP-09)."""
    found = []
    if own.side == DEFENDER and own.nation.civil_disarray:
        total *= constants.disarray_factor
        found.append(Modifier("SC-20", "Civil disarray", f"× {printed(constants.disarray_factor)}", total))
    if is_leader_killed:
        total += constants.leader_killed_points
        found.append(Modifier("SC-23", "Leader killed", signed(constants.leader_killed_points), total))
    return tuple(found)
