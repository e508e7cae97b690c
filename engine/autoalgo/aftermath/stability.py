"""Stability of both nations after the battle (STAB-01 … STAB-04, R-24), in plain numbers."""

from __future__ import annotations

from typing import NamedTuple

from engine.autoalgo.setup.constants import Constants


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
        innate *= 1.0 - rates.capital_lost
    if has_lost_leader:
        innate *= 1.0 - (rates.leader_killed_totalitarian if is_totalitarian else rates.leader_killed)
    return innate


def changed_stability(
    old: float,
    innate: float,
    casualty_share: float,
    economy: float,
    occupation: float,
    draw: float,
    rates: StabilityRates,
) -> float:
    """Return a nation's Stability after the war, `rates.low` to `rates.high` (STAB-04).

    Args:
        old: Before the war.
        innate: After `shaken_innate`.
        casualty_share: Killed and captured (R-24) over the maximum military.
        economy: VAR-ECON.
        occupation: The occupation result log(score + 1) for the loser; 1 for the winner, who has no such factor (R-73).
        draw: In [0, 1).
        rates: The tunables.
    """
    new = old * innate - hardship(casualty_share, economy, occupation, rates) + draw * rates.luck_most
    return min(rates.high, max(rates.low, new))


def hardship(casualty_share: float, economy: float, occupation: float, rates: StabilityRates) -> float:
    """Return the points of Stability that casualties and occupation cost; arguments as in `changed_stability`."""
    casualties = min(casualty_share, rates.casualties_most)
    divisor = rates.casualties_divisor * max(economy, rates.economy_least)
    return casualties / divisor * occupation * rates.casualties_weight
