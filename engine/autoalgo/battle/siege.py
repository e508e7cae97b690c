"""The siege (SIEGE): hunger, breach, terms, storm and sally (R-83, R-100, R-101), or the source's loss of Capacity."""

from __future__ import annotations

import math

from engine.autoalgo.battle.events import (
    BREACH,
    GARRISON,
    HUNGERED,
    LIFTED,
    SALLY,
    SIEGE,
    SIEGE_CAPACITY,
    SIEGE_GUNNERS,
    SIEGE_MEN,
    STARVED_OUT,
    STORM,
    TAKEN,
    TERMS_MADE,
    Events,
    keep,
    note,
)
from engine.autoalgo.battle.flank import ground_at, is_out
from engine.autoalgo.battle.state import (
    ATTACKER,
    DEFENDER,
    FOUGHT_OUT,
    INACTIVE,
    LINES_CLOSED,
    NORMAL,
    POSITION,
    RETREATING,
    SIEGE_BEGUN,
    WINNER,
    Battle,
    Ground,
    Tunables,
)
from engine.autoalgo.constants import R83, R100, R101, Siege02
from engine.calculation import WHOLE
from engine.rule import Label, rule

ARTILLERY = 2
"""Index of the artillery among the types."""


def besiege(battle: Battle, tunables: Tunables, events: Events, hour: int) -> bool:
    """Return True while besiegers and garrison face each other and nobody moves or attacks (R-100).

    The siege begins (SIEGE-01), batters the works (SIEGE-02, R-101), and ends by terms, a storm or a sally.
    """
    constants = tunables.constants
    if not constants.r_100.applies:
        weaken_as_printed(battle, tunables, events, hour)
        return False
    if battle.tally[FOUGHT_OUT] > 0 or not tunables.country.is_fortified:
        return False
    besiegers = fit_men(battle, ATTACKER)
    garrison = fit_men(battle, DEFENDER)
    if not stays_inside(battle, besiegers > garrison, constants.r_100):
        return False
    if garrison >= constants.r_100.odds * besiegers:
        fight_out(battle, SALLY, events, hour)
        return False
    lost, men = dead_of_hardship(battle, ATTACKER)
    is_spent = lost > 0 and hungered(lost, men) >= constants.r_100.share
    is_going = is_spent or is_in_vain(battle, tunables, tunables.end_rules.hours_most - hour)
    if is_going and besiegers >= constants.r_100.storm * garrison:
        fight_out(battle, STORM, events, hour)
        return False
    if is_spent:
        battle.tally[WINNER] = DEFENDER
        keep(events, HUNGERED, lost)
        keep(events, GARRISON, men)
        note(events, hour, LIFTED, ATTACKER, -1, -1, 0.0, 0.0, 0.0)
        return True
    if battle.tally[SIEGE_BEGUN] == 0:
        begin_siege(battle, tunables, garrison, events, hour)
    closed = besiegers >= men_for_lines(garrison, tunables.country.works, constants.r_83)
    battle.tally[LINES_CLOSED] = 1 if closed and not tunables.country.is_fed_by_sea else 0
    was_open = battle.breach[0] >= 1.0
    battle.breach[0] += breach_an_hour(gunners(battle), garrison, tunables.country.breach_rate)
    is_open = battle.breach[0] >= 1.0
    if is_open and not was_open:
        note(events, hour, BREACH, DEFENDER, -1, -1, 0.0, 0.0, 0.0)
    is_hungry = battle.tally[LINES_CLOSED] > 0 and battle.stores[DEFENDER] <= 0.0
    if besiegers >= constants.r_100.escalade * garrison:
        fight_out(battle, STORM, events, hour)
        return False
    if not is_open and not is_hungry:
        return True
    if is_worn(battle, constants.r_83) and besiegers >= constants.r_100.yields * garrison:
        lay_down_arms(battle, TERMS_MADE if is_open else STARVED_OUT, events, hour)
    elif is_worn(battle, constants.r_83) and is_hungry:
        fight_out(battle, SALLY, events, hour)
        return False
    elif is_open and besiegers >= constants.r_100.storm * garrison:
        fight_out(battle, STORM, events, hour)
        return False
    return True


def is_in_vain(battle: Battle, tunables: Tunables, hours: int) -> bool:
    """Return True if the attack is soon abandoned, hunger comes too late, and no fleet feeds the garrison (R-100).

    Args:
        hours: Hours that are left; behind closed lines a garrison eats an hour of its stores in each.
    """
    is_late = hours < tunables.constants.r_100.last and battle.stores[DEFENDER] > hours
    return bool(is_late and not tunables.country.is_fed_by_sea)


def stays_inside(battle: Battle, is_outnumbered: bool, numbers: R100) -> bool:
    """Return True if the defender does not come out: on Position, or on Normal while he is outnumbered (R-100).

    A share of his men who do otherwise, or flee, do not change that.
    """
    inside, outside = 0, 0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] != DEFENDER or is_out(battle.status[flank]):
            continue
        stays = battle.maneuver[flank] == POSITION or (battle.maneuver[flank] == NORMAL and is_outnumbered)
        if stays and battle.status[flank] != RETREATING:
            inside += battle.men[flank]
        else:
            outside += battle.men[flank]
    return bool(inside > 0 and outside < numbers.outside * (inside + outside))


def begin_siege(battle: Battle, tunables: Tunables, garrison: int, events: Events, hour: int) -> None:
    """Begin the siege: the garrison mans the works, with the food that was brought in (R-100)."""
    battle.tally[SIEGE_BEGUN] = hour
    people, capacity = float(tunables.country.local_population[DEFENDER]), float(battle.capacity[DEFENDER])
    constants = tunables.constants
    battle.stores[DEFENDER] += days_in_store(people, capacity, garrison, constants.r_100) * constants.r_99.hours
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == DEFENDER:
            battle.maneuver[flank] = POSITION
    keep(events, SIEGE_MEN, garrison)
    keep(events, SIEGE_CAPACITY, capacity)
    keep(events, SIEGE_GUNNERS, gunners(battle))
    note(events, hour, SIEGE, DEFENDER, -1, -1, 0.0, 0.0, 0.0)


@rule(
    "R-100",
    "days of food in the works",
    people=Label("people who feed it", WHOLE),
    capacity="Capacity",
    men=Label("men", WHOLE),
)
def days_in_store(people: float, capacity: float, men: float, numbers: R100) -> float:
    """Return the days for which the food in the works lasts: by the eighth root of those fed over the garrison."""
    return numbers.days * math.sqrt(math.sqrt(math.sqrt(people * capacity / men)))


@rule("R-83", "men who close the lines", garrison=Label("garrison", WHOLE), works="Defense of the works")
def men_for_lines(garrison: float, works: float, numbers: R83) -> float:
    """Return the besiegers without whom supply passes (R-83)."""
    return garrison + works * numbers.works


@rule("R-101", "breach in an hour", men=Label("gunners", WHOLE), garrison=Label("garrison", WHOLE), rate="breach rate")
def breach_an_hour(men: float, garrison: float, rate: float) -> float:
    """Return the share of a breach that the artillery opens in an hour (R-101)."""
    return math.sqrt(men / garrison) * rate


@rule(
    "R-101",
    "breach rate",
    siege_rate="Siege Rate",
    power="Power of the artillery",
    needed="Power that the works need",
    works="Defense of the works",
    hours="hours a day",
)
def breach_rate(siege_rate: float, power: float, needed: float, works: float, hours: float, numbers: R101) -> float:
    """Return the breach in an hour by as many gunners as the garrison; guns too weak for the works take longer."""
    fit = min(power / needed, 1.0)
    return siege_rate * (fit * fit) / (works * numbers.days * hours)


def gunners(battle: Battle) -> float:
    """Return the attacker's men of the artillery slot who are fit to fight."""
    men = 0.0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == ATTACKER and battle.status[flank] < RETREATING:
            men += battle.men[flank] * battle.share[flank, ARTILLERY]
    return men


def is_worn(battle: Battle, numbers: R83) -> bool:
    """Return True if hunger and hardship have taken their share of the garrison (R-83)."""
    dead, men = dead_of_hardship(battle, DEFENDER)
    return bool(dead > 0 and hungered(dead, men) >= numbers.share)


def dead_of_hardship(battle: Battle, side: int) -> tuple[int, int]:
    """Return the men of a side who died of natural attrition, and its men at the start."""
    dead, men = 0, 0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == side:
            dead += battle.died[flank]
            men += battle.men_start[flank]
    return dead, men


@rule(
    "R-83, R-100", "share of the men whom hunger took", dead=Label("dead", WHOLE), men=Label("men at the start", WHOLE)
)
def hungered(dead: int, men: int) -> float:
    """Return the share of a besieged side's men who died of natural attrition (R-83)."""
    return dead / men


def lay_down_arms(battle: Battle, kind: int, events: Events, hour: int) -> None:
    """Capture the garrison that yields, flank by flank (R-83); `kind` says why."""
    dead, men = dead_of_hardship(battle, DEFENDER)
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == DEFENDER and not is_out(battle.status[flank]):
            keep(events, HUNGERED, dead)
            keep(events, GARRISON, men)
            capture(battle, flank, kind, events, hour)


def capture(battle: Battle, flank: int, kind: int, events: Events, hour: int) -> None:
    """Capture the men of a flank, which ends it."""
    captives = battle.men[flank]
    battle.captured[flank] += captives
    battle.men[flank] = 0
    battle.morale[flank] = 0.0
    battle.status[flank] = INACTIVE
    note(events, hour, kind, DEFENDER, flank, -1, captives, 0.0, 0.0)


def fight_out(battle: Battle, kind: int, events: Events, hour: int) -> None:
    """End a siege by a storm or a sally (R-100): those who stood go for the enemy, in a storm the attackers alone."""
    battle.tally[FOUGHT_OUT] = hour
    battle.tally[LINES_CLOSED] = 0
    for flank in range(battle.side.shape[0]):
        if battle.maneuver[flank] == POSITION and (kind == SALLY or battle.side[flank] == ATTACKER):
            battle.maneuver[flank] = NORMAL
    note(events, hour, kind, DEFENDER if kind == SALLY else ATTACKER, -1, -1, 0.0, 0.0, 0.0)


def take_works(battle: Battle, tunables: Tunables, events: Events, hour: int) -> None:
    """Capture who is left of a garrison whose works were stormed (R-100)."""
    if battle.tally[WINNER] != ATTACKER or not tunables.constants.r_100.applies or not tunables.country.is_fortified:
        return
    for flank in range(battle.side.shape[0]):
        is_inside = battle.maneuver[flank] == POSITION or battle.tally[SIEGE_BEGUN] > 0
        if battle.side[flank] == DEFENDER and is_inside and battle.men[flank] > 0:
            capture(battle, flank, TAKEN, events, hour)


def fit_men(battle: Battle, side: int) -> int:
    """Return the men of a side who neither flee nor are out; of the defender also those who flee (R-83)."""
    men = 0
    for flank in range(battle.side.shape[0]):
        status = battle.status[flank]
        if battle.side[flank] == side and not is_out(status) and (side == DEFENDER or status < RETREATING):
            men += battle.men[flank]
    return men


def weaken_as_printed(battle: Battle, tunables: Tunables, events: Events, hour: int) -> None:
    """Begin the source's siege if its conditions hold, and reduce the defender's Capacity (SIEGE-01, SIEGE-02)."""
    country = tunables.country
    if battle.tally[SIEGE_BEGUN] == 0 and country.is_fortified and holds_the_heights(battle, tunables.ground):
        battle.tally[SIEGE_BEGUN] = hour
        note(events, hour, SIEGE, DEFENDER, -1, -1, 0.0, 0.0, 0.0)
    if battle.tally[SIEGE_BEGUN] > 0:
        battle.capacity[DEFENDER] *= capacity_under_siege(country.siege_rate, tunables.constants.siege_02)


@rule("SIEGE-02", "share of its Capacity left each hour", siege_rate="Siege Rate")
def capacity_under_siege(siege_rate: float, numbers: Siege02) -> float:
    """Return the share of the defender's Capacity that an hour of siege leaves (SIEGE-02)."""
    return 1.0 - siege_rate / numbers.divisor


def holds_the_heights(battle: Battle, ground: Ground) -> bool:
    """Return True if all the defender's flanks (R-20) are on Position, on High ground or Cliffs.

    Flanks out of the battle do not count; a retreating flank ignores its maneuver, so it is not on Position (R-57).
    """
    has_flank = False
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] != DEFENDER or is_out(battle.status[flank]):
            continue
        if battle.maneuver[flank] != POSITION or battle.status[flank] == RETREATING:
            return False
        if not ground.is_stronghold[ground_at(ground, battle.x_m[flank], battle.y_m[flank])]:
            return False
        has_flank = True
    return has_flank
