"""Stability of both nations after the battle (STAB-01 … STAB-04, R-24), in plain numbers."""

from __future__ import annotations

from typing import NamedTuple

from engine.autoalgo.setup.constants import Constants
from engine.calculation import WHOLE
from engine.rule import Named, part, rule


class StabilityRates(NamedTuple):
    """The numbers of section 10 that moderators may tune.

    Args:
        low: Total anarchy (STAB-01).
        high: Fully stable.
        capital_lost: Share of Innate Stability lost with a battle in one's own capital (STAB-02).
        leader_killed: Share lost with the national leader (STAB-03).
        leader_killed_totalitarian: The same where one man was the state.
        casualties_most: Casualties over maximum military count up to this (STAB-04).
        casualties_divisor: 2 in STAB-04.
        casualties_weight: 3 in STAB-04.
        economy_least: Economy counts at least this much.
        luck_most: 5 of rand(0, 5).
    """

    low: float
    high: float
    capital_lost: float
    leader_killed: float
    leader_killed_totalitarian: float
    casualties_most: float
    casualties_divisor: float
    casualties_weight: float
    economy_least: float
    luck_most: float


def rates_of(constants: Constants) -> StabilityRates:
    """From the tables."""
    return StabilityRates(
        low=constants.of("STAB-01", "least"),
        high=constants.of("STAB-01", "most"),
        capital_lost=constants.of("STAB-02", "innate_lost"),
        leader_killed=constants.of("STAB-03", "innate_lost"),
        leader_killed_totalitarian=constants.of("STAB-03", "innate_lost_totalitarian"),
        casualties_most=constants.of("STAB-04", "casualties_most"),
        casualties_divisor=constants.of("STAB-04", "economy_factor"),
        casualties_weight=constants.of("STAB-04", "occupation_factor"),
        economy_least=constants.of("STAB-04", "economy_least"),
        luck_most=constants.of("STAB-04", "luck_most"),
    )


@rule("STAB-02", "capital lost")
def capital_factor(rates: StabilityRates) -> float:
    """Return the factor of Innate Stability after a battle lost in one's own capital (STAB-02)."""
    return 1.0 - rates.capital_lost


@rule("STAB-03", "national leader killed")
def leader_factor(is_totalitarian: bool, rates: StabilityRates) -> float:
    """Return the factor of Innate Stability after the national leader's death (STAB-03)."""
    return 1.0 - (rates.leader_killed_totalitarian if is_totalitarian else rates.leader_killed)


@part(innate="Innate Stability")
def shaken_innate(
    innate: float, has_lost_capital: bool, has_lost_leader: bool, is_totalitarian: bool, rates: StabilityRates
) -> float:
    """Return Innate Stability after the losses of capital and leader (DB-12), 0 to 1; both multiply (R-74).

    Args:
        innate: VAR-STAB with its bonus, 0 to 1.
        has_lost_capital: Lost the battle, and the location is the nation's capital (STAB-02).
        has_lost_leader: The national leader was killed, whoever won (STAB-03).
        is_totalitarian: Government under which a leader's death weighs more.
        rates: The tunables.
    """
    if has_lost_capital:
        innate *= capital_factor(rates)
    if has_lost_leader:
        innate *= leader_factor(is_totalitarian, rates)
    return innate


@rule("STAB-04, R-24", "casualties", men=Named("killed and captured", WHOLE), most=Named("maximum military", WHOLE))
def casualty_share(men: float, most: float, rates: StabilityRates) -> float:
    """Return the casualties over the maximum military, 0 to `rates.casualties_most`.

    Args:
        men: Killed and captured (R-24).
        most: The maximum military.
        rates: The tunables.
    """
    return min(men / most, rates.casualties_most)


@rule("STAB-04", "hardship", casualties="casualties", economy="Economy", occupation=Named("occupation", silent=1.0))
def hardship(casualties: float, economy: float, occupation: float, rates: StabilityRates) -> float:
    """Return the points of Stability that casualties and occupation cost.

    Args:
        casualties: Of `casualty_share`.
        economy: VAR-ECON.
        occupation: The occupation result log(score + 1) for the loser; 1 for the winner, who has no such factor (R-73).
        rates: The tunables.
    """
    divisor = rates.casualties_divisor * max(economy, rates.economy_least)
    return casualties / divisor * occupation * rates.casualties_weight


@rule("STAB-04", "Stability", old="before", innate="Innate Stability", toll="hardship", luck="draw")
def changed_stability(old: float, innate: float, toll: float, luck: float, rates: StabilityRates) -> float:
    """Return a nation's Stability after the war, `rates.low` to `rates.high` (STAB-04).

    Args:
        old: Before the war.
        innate: After `shaken_innate`.
        toll: Of `hardship`.
        luck: Points, 0 to `rates.luck_most`.
        rates: The tunables.
    """
    return min(rates.high, max(rates.low, old * innate - toll + luck))
