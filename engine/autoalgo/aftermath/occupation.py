"""Occupation: the winner's hold on the location after the battle (OCC-01 … OCC-08, R-21, R-22).

Plain numbers in, plain numbers out, one function a step, so that a forecast can compile what a ruling runs.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.autoalgo.battle.attrition import load_of
from engine.autoalgo.constants import R22, Constants, Occ06, Occ07
from engine.calculation import POINTS, WHOLE
from engine.elementary import LOG_2, log, log_10
from engine.rule import Label, part, rule


class Occupier(NamedTuple):
    """The winner after the battle, and the effects of the loser's country."""

    efficiency: float  # Of the unit type that occupies (OCC-02), 0 to 1
    morale: float  # At battle end, at most `morale_share_most` of the full morale, points
    morale_full: float  # Starting men × 20 × Morale Bonus, points
    men: float  # Neither killed, dead nor captured
    overload: float  # L of ATT-04 with those men, 0 to 2
    attrition: float  # The location's hourly constant (ATT-05)
    outbreak_chance: float  # Of the loser's disease each round (OCC-06)
    sickness: float  # log2(Infectivity·Reproduction·Deadliness + 1) · Medicine (OCC-06)


class OccupationState(NamedTuple):
    """State of an occupation after some rounds."""

    score: float  # Before the national leader's Attack (OCC-08)
    efficiency: float  # The growth of the next round
    morale: float  # Points left
    exhausted: float  # Morale points that attrition cost in the last round (OCC-05)
    sickened: float  # Morale points that disease cost in the last round (OCC-06)


_start_rule = rule(
    "OCC-01, R-21",
    "score",
    base="Occupation Base",
    enemy_base="Occupation Base of the loser",
    disease_power="Power of the loser's disease",
    medicine="Medicine",
)


@_start_rule
def start_score(base: float, enemy_base: float, disease_power: float, medicine: float) -> float:
    """Return the winner's Occupation Base over the loser's, lowered by the loser's disease (OCC-01, R-21).

    Args:
        base: Winner's Occupation Base, above 0.
        enemy_base: Loser's Occupation Base, above 0.
        disease_power: Power of the loser's endemic disease.
        medicine: Winner's number for Medicine at the start of an occupation; 0 when vaccinated.
    """
    return base / enemy_base / (1.0 + disease_power * medicine)


@_start_rule
def printed_start_score(base: float, enemy_base: float, disease_power: float, medicine: float) -> float:
    """Return the score as printed, arguments as in `start_score`; a product of 0 counts as 1 (R-21)."""
    divisor = disease_power * medicine
    return base / enemy_base / (divisor if divisor > 0.0 else 1.0)


def best_type(efficiency: tuple[float, ...], is_present: tuple[bool, ...], at_sea: bool) -> int:
    """Return the index of the occupying unit type: the most efficient one, at sea the ship (OCC-02).

    Args:
        is_present: True for each type that the winner has, shape (types,).
        at_sea: The location's climate is the ocean.
    """
    ship = len(efficiency) - 1
    if at_sea:
        return ship
    best = -1
    for kind in range(len(efficiency)):
        if is_present[kind] and (best < 0 or efficiency[kind] > efficiency[best]):
            best = kind
    return ship if best < 0 else best


@rule(
    "R-22, R-70",
    "morale",
    POINTS,
    morale=Label("morale left", POINTS),
    morale_full=Label("morale of all flanks at the start", POINTS),
)
def end_morale(morale: float, morale_full: float, numbers: R22) -> float:
    """Return the morale at the start of the occupation; fresh troops count as slightly worn, so that it ends (R-22)."""
    return min(morale, morale_full * numbers.morale_share_most) if numbers.applies else morale


@rule(
    "ATT-04, OCC-05",
    "overcrowding",
    men=Label("men", WHOLE),
    local_population=Label("people who feed them", WHOLE),
    capacity="Capacity",
)
def occupiers_overcrowding(men: float, local_population: float, capacity: float, limit: float) -> float:
    """Return L of the occupying men (ATT-04, OCC-05)."""
    return load_of(men, local_population * capacity, limit)


@rule("OCC-06", "chance of an outbreak", outbreak="Outbreak", phases="resistance", familiarity="familiarity")
def outbreak_chance(outbreak: float, phases: float, familiarity: float, numbers: Occ06) -> float:
    """Return the chance per round of an outbreak of the loser's disease among the winner's men (OCC-06), at least 0.

    Args:
        phases: Generation · Secular cycle of the winner (DATE-05).
        familiarity: Of `familiarity_with`.
    """
    return outbreak / (phases * familiarity * numbers.divisor)


@part(infectivity="Infectivity", reproduction="Reproduction", deadliness="Deadliness", medicine="Medicine")
def sickness(infectivity: float, reproduction: float, deadliness: float, medicine: float) -> float:
    """Return the strength of the loser's disease before the draw (OCC-06); 0 when vaccinated."""
    return log(infectivity * reproduction * deadliness + 1.0) / LOG_2 * medicine


def begin(score: float, occupier: Occupier) -> OccupationState:
    """Return the state before the first round."""
    efficiency = start_efficiency(occupier.efficiency, occupier.morale)
    return OccupationState(score, efficiency, occupier.morale, 0.0, 0.0)


@rule("OCC-02", "Efficiency", efficiency="Efficiency of the type that occupies")
def start_efficiency(efficiency: float, morale: float) -> float:
    """Return the Efficiency before the first round; 0 without morale (OCC-02, R-22)."""
    return efficiency if morale > 0.0 else 0.0


def advance(
    held: OccupationState, occupier: Occupier, constants: Constants, spread: float, outbreak: float, severity: float
) -> OccupationState:
    """Return the state after one more round: a higher score, lower morale and Efficiency (R-71).

    Args:
        spread: A draw in [0, 1) for attrition.
        outbreak: A draw in [0, 1): disease breaks out if it is below the chance.
        severity: A draw in [0, 1) for the cost of the outbreak.
    """
    score = grown_score(held.efficiency, held.score)
    morale, efficiency = 0.0, 0.0
    if held.morale > 0.0:
        if constants.r_22.applies:
            morale = worn(held.morale, occupier.morale_full)
        else:
            morale = printed_worn(held.morale, occupier.morale_full)
        efficiency = worn_efficiency(held.efficiency, morale, occupier.morale)
    exhausted = 0.0
    if occupier.overload > 1.0:
        die = spread * constants.att_05.luck_most
        a_man = constants.strat_04.morale_a_man
        exhausted = hunger(occupier.attrition, die, occupier.men, occupier.overload, a_man, morale)
    sickened = 0.0
    if outbreak < occupier.outbreak_chance:
        sickened = illness(occupier.sickness, severity, constants.occ_06, morale, exhausted)
    return OccupationState(score, efficiency, kept_morale(morale, exhausted, sickened), exhausted, sickened)


@rule("OCC-03", "score", efficiency="Efficiency", score="score before")
def grown_score(efficiency: float, score: float) -> float:
    """Return the score after a round (OCC-03, R-22)."""
    return (efficiency + 1.0) * score


@part(morale=Label("morale before", POINTS), morale_full=Label("morale at the start", POINTS))
def worn(morale: float, morale_full: float) -> float:
    """Return the morale after a round, before hunger and disease (OCC-04, R-22)."""
    return morale * morale / morale_full


@part(morale=Label("morale before", POINTS), morale_full=Label("morale at the start", POINTS))
def printed_worn(morale: float, morale_full: float) -> float:
    """Return the morale after a round, before hunger and disease, as printed (OCC-04)."""
    return morale - morale * morale / morale_full


@rule(
    "OCC-04, R-22", "Efficiency", efficiency="Efficiency before", morale_after=Label("morale after the battle", POINTS)
)
def worn_efficiency(efficiency: float, left: float, morale_after: float) -> float:
    """Return the Efficiency after a round (OCC-04, R-22), before this round's hunger and disease (R-71).

    Args:
        efficiency: Before the round.
        left: Points of morale after the round.
        morale_after: Points of morale after the battle.
    """
    return left * efficiency / morale_after


@rule(
    "OCC-05",
    "morale lost by hunger",
    POINTS,
    attrition="Attrition",
    die="die",
    men=Label("men", WHOLE),
    overload="overcrowding",
    points_a_man="a man",
)
def hunger(attrition: float, die: float, men: float, overload: float, points_a_man: float, left: float) -> float:
    """Return the points of morale lost to natural attrition in a round, at most those left (OCC-05)."""
    return min((attrition + die) * men * (overload - 1.0) * points_a_man, left)


@rule("OCC-06", "morale lost by disease", POINTS, severity="draw", hungry=Label("hunger", POINTS))
def illness(sick: float, severity: float, numbers: Occ06, left: float, hungry: float) -> float:
    """Return the points of morale lost to an outbreak in a round, at most those left (OCC-06).

    Args:
        sick: Strength of the disease, of `sickness`.
        severity: A draw in [0, 1).
        left: Points of morale after the round, before hunger.
        hungry: Points of morale lost to hunger.
    """
    return min(sick * severity * numbers.luck_most * numbers.morale_factor, left - hungry)


@rule("OCC-04, R-22", "morale", POINTS, hungry=Label("hunger", POINTS), ill=Label("disease", POINTS))
def kept_morale(left: float, hungry: float, ill: float) -> float:
    """Return the morale after a round (OCC-04 to OCC-06)."""
    return left - hungry - ill


def is_over(before: OccupationState, after: OccupationState, rounds: int, numbers: Occ07) -> bool:
    """Return True if the last round changed the score by less than the least change (OCC-07).

    As printed, the last traces of a winner's morale last for thousands of rounds; `rounds_most` ends these.
    """
    return after.score - before.score < numbers.change_least or rounds >= numbers.rounds_most


@rule("OCC-08", "result", score="score", bonus=Label("Attack of the national leader", silent=1.0))
def result(score: float, bonus: float) -> float:
    """Return the result on the receipt, log10(score + 1); the score includes the national leader's Attack (OCC-08)."""
    return log_10(score * bonus + 1.0)
