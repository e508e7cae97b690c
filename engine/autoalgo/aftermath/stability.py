"""Stability of both nations after the battle (STAB-01 … STAB-04, R-24), in plain numbers."""

from __future__ import annotations

from engine.autoalgo.constants import Stab01, Stab02, Stab03, Stab04
from engine.calculation import WHOLE
from engine.rule import Named, part, rule


@rule("STAB-02", "capital lost")
def capital_factor(numbers: Stab02) -> float:
    """Return the factor of Innate Stability after a battle lost in one's own capital (STAB-02)."""
    return 1.0 - numbers.innate_lost


@rule("STAB-03", "national leader killed")
def leader_factor(is_totalitarian: bool, numbers: Stab03) -> float:
    """Return the factor of Innate Stability after the national leader's death (STAB-03)."""
    return 1.0 - (numbers.innate_lost_totalitarian if is_totalitarian else numbers.innate_lost)


@part(innate="Innate Stability")
def shaken_innate(
    innate: float,
    has_lost_capital: bool,
    has_lost_leader: bool,
    is_totalitarian: bool,
    capital: Stab02,
    leader: Stab03,
) -> float:
    """Return Innate Stability after the losses of capital and leader (DB-12), 0 to 1; both multiply (R-74).

    Args:
        innate: VAR-STAB with its bonus, 0 to 1.
        has_lost_capital: Lost the battle, and the location is the nation's capital (STAB-02).
        has_lost_leader: The national leader was killed, whoever won (STAB-03).
        is_totalitarian: Government under which a leader's death weighs more.
        capital: The tunables of the capital's loss.
        leader: Those of the leader's death.
    """
    if has_lost_capital:
        innate *= capital_factor(capital)
    if has_lost_leader:
        innate *= leader_factor(is_totalitarian, leader)
    return innate


@rule("STAB-04, R-24", "casualties", men=Named("killed and captured", WHOLE), most=Named("maximum military", WHOLE))
def casualty_share(men: float, most: float, numbers: Stab04) -> float:
    """Return the casualties over the maximum military, 0 to `numbers.casualties_most`.

    Args:
        men: Killed and captured (R-24).
        most: The maximum military.
        numbers: The tunables.
    """
    return min(men / most, numbers.casualties_most)


@rule("STAB-04", "hardship", casualties="casualties", economy="Economy", occupation=Named("occupation", silent=1.0))
def hardship(casualties: float, economy: float, occupation: float, numbers: Stab04) -> float:
    """Return the points of Stability that casualties and occupation cost.

    Args:
        casualties: Of `casualty_share`.
        economy: VAR-ECON.
        occupation: The occupation result log(score + 1) for the loser; 1 for the winner, who has no such factor (R-73).
        numbers: The tunables.
    """
    divisor = numbers.economy_factor * max(economy, numbers.economy_least)
    return casualties / divisor * occupation * numbers.occupation_factor


@rule("STAB-04", "Stability", old="before", innate="Innate Stability", toll="hardship", luck="draw")
def changed_stability(old: float, innate: float, toll: float, luck: float, numbers: Stab01) -> float:
    """Return a nation's Stability after the war, `numbers.least` to `numbers.most` (STAB-04).

    Args:
        old: Before the war.
        innate: After `shaken_innate`.
        toll: Of `hardship`.
        luck: Points, 0 to `luck_most` of STAB-04.
        numbers: The tunables.
    """
    return min(numbers.most, max(numbers.least, old * innate - toll + luck))
