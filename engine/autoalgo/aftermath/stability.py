"""Stability of both nations after the battle (STAB-01 … STAB-04, R-24, R-110), in plain numbers."""

from __future__ import annotations

from engine.autoalgo.constants import R110, Stab01, Stab02, Stab03, Stab04
from engine.calculation import WHOLE
from engine.rule import Label, part, rule


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
    innate: float, has_lost_capital: bool, has_lost_leader: bool, is_totalitarian: bool, capital: Stab02, leader: Stab03
) -> float:
    """Return Innate Stability after the losses of capital and leader (DB-12), 0 to 1; both multiply (R-74).

    Args:
        innate: VAR-STAB with its bonus, 0 to 1.
        has_lost_capital: Lost the battle, and the location is the nation's capital (STAB-02).
        has_lost_leader: The national leader was killed, in victory or defeat (STAB-03).
        is_totalitarian: True for a government under which a leader's death weighs more.
    """
    if has_lost_capital:
        innate *= capital_factor(capital)
    if has_lost_leader:
        innate *= leader_factor(is_totalitarian, leader)
    return innate


@rule("STAB-04, R-24", "casualties", men=Label("killed and captured", WHOLE), most=Label("maximum military", WHOLE))
def casualty_share(men: float, most: float, numbers: Stab04) -> float:
    """Return the casualties over the maximum military, 0 to `numbers.casualties_most`.

    Args:
        men: Killed and captured (R-24).
    """
    return min(men / most, numbers.casualties_most)


@rule("STAB-04", "hardship", casualties="casualties", economy="Economy", occupation=Label("occupation", silent=1.0))
def hardship(casualties: float, economy: float, occupation: float, numbers: Stab04) -> float:
    """Return the points of Stability lost to casualties and occupation.

    Args:
        casualties: Of `casualty_share`.
        economy: VAR-ECON.
        occupation: The occupation result log(score + 1) for the loser; 1 for the winner, who has no such factor (R-73).
    """
    divisor = numbers.economy_factor * max(economy, numbers.economy_least)
    return casualties / divisor * occupation * numbers.occupation_factor


@rule("STAB-04", "Stability", old="before", innate="Innate Stability", toll="hardship", luck="draw")
def changed_stability(old: float, innate: float, toll: float, luck: float, numbers: Stab01) -> float:
    """Return a nation's Stability after the war, `numbers.least` to `numbers.most` (STAB-04).

    Args:
        innate: After `shaken_innate`.
        toll: Of `hardship`.
        luck: Points, 0 to `luck_most` of STAB-04.
    """
    return min(numbers.most, max(numbers.least, old * innate - toll + luck))


@rule("R-110", "half stake", most=Label("maximum military", WHOLE), people=Label("Population", WHOLE))
def half_stake(most: float, people: float, numbers: R110) -> float:
    """Return the number of men at which a war has half its weight for a nation (R-110).

    Args:
        most: The maximum military, which may be the whole population.
        people: The population.
    """
    return min(most, people * numbers.military_most) * numbers.half_stake


@rule("R-110", "sensitivity", innate="Innate Stability", economy="Economy", luck="draw")
def sensitivity(innate: float, economy: float, luck: float, numbers: R110) -> float:
    """Return a nation's sensitivity to the points of a war (R-110).

    Args:
        innate: VAR-STAB with its bonus.
        economy: VAR-ECON.
        luck: In [0, 1).
    """
    return (luck * numbers.luck_most + numbers.luck_least) / max(innate + economy, numbers.bearing_least)


@rule("R-110", "weight of the war", men=Label("men", WHOLE), half="half stake", sensitivity="sensitivity")
def weight(men: float, half: float, sensitivity: float) -> float:
    """Return the weight of a war for a nation, by the men it stakes (R-110).

    Args:
        men: At the start of the battle.
        half: Of `half_stake`.
        sensitivity: Of `sensitivity`.
    """
    return men / (half + men) * sensitivity


@rule("R-110", "losses", lost=Label("lost", WHOLE), men=Label("men", WHOLE))
def losses(lost: float, men: float, numbers: R110) -> float:
    """Return the points for the share of men killed, dead or captured (R-110)."""
    return lost / max(men, 1.0) * numbers.losses


@rule(
    "R-110",
    "hold of the winner",
    silent=0.0,
    occupation="occupation",
    capital=Label("capital", silent=1.0, id="STAB-02"),
    men=Label("men at stake", WHOLE),
    half="half stake",
    sensitivity="sensitivity",
)
def hold(occupation: float, capital: float, men: float, half: float, sensitivity: float, numbers: R110) -> float:
    """Return the points of Stability lost to the winner's occupation (R-110).

    Args:
        occupation: Result of the occupation; above 1 it counts as 1.
        capital: Factor of the loser's capital, 1 for any other place.
        men: The loser's, or the larger army's if he defends the place: an empty place is as great a loss.
        half: Of `half_stake`.
        sensitivity: Of `sensitivity`.
    """
    return min(occupation, 1.0) * numbers.hold * capital * men / (half + men) * sensitivity


@rule(
    "R-110",
    "length",
    hours=Label("hours", WHOLE),
    men=Label("men of the smaller army", WHOLE),
    half="half stake",
    sensitivity="sensitivity",
)
def length(hours: float, men: float, half: float, sensitivity: float, numbers: R110) -> float:
    """Return the points of Stability lost by the length of the battle, scaled by the smaller army (R-110)."""
    return hours * numbers.an_hour * men / (half + men) * sensitivity


@rule(
    "R-110",
    "gain",
    silent=0.0,
    men=Label("men of the smaller army", WHOLE),
    half="half stake",
    sensitivity="sensitivity",
)
def gain(men: float, half: float, sensitivity: float, is_loser: bool, numbers: R110) -> float:
    """Return the points of Stability gained by a victory, scaled by the smaller army (R-110)."""
    return 0.0 if is_loser else men / (half + men) * sensitivity * numbers.victory


@rule(
    "R-110",
    "cost",
    weight="weight of the war",
    lost="losses",
    hold=Label("hold of the winner", silent=0.0),
    length="length",
)
def cost(weight: float, lost: float, hold: float, length: float) -> float:
    """Return the points of Stability lost by a war (R-110)."""
    return lost * weight + hold + length


@rule(
    "R-110",
    "Stability",
    old="before",
    leader=Label("national leader killed", silent=1.0),
    gain=Label("gain", silent=0.0),
    cost="cost",
)
def weighed_stability(old: float, leader: float, gain: float, cost: float, numbers: Stab01) -> float:
    """Return a nation's Stability after the war, `numbers.least` to `numbers.most` (R-110).

    Args:
        leader: Of `leader_factor`, 1 if none is killed.
        gain: Of `gain`, 0 for the loser.
        cost: Of `cost`.
    """
    return min(numbers.most, max(numbers.least, old * leader + gain - cost))
