"""The siege (SIEGE): a day's chances of storm, terms, sally, relief and leaving (R-100, R-101), or as printed."""

from __future__ import annotations

import math

from engine.autoalgo.battle.draw_ids import KILLED_WHOLE, SIEGE_FIGHT, SIEGE_MIND
from engine.autoalgo.battle.events import (
    BESIEGERS_CAPACITY,
    BREACH,
    DRAW,
    FELL,
    LIFTED,
    MEN,
    RELIEVED,
    REPULSED,
    SALLY,
    SHARE,
    SIEGE,
    SIEGE_BESIEGERS,
    SIEGE_CAPACITY,
    SIEGE_GUNNERS,
    SIEGE_MEN,
    STARVED_OUT,
    STORES_OUT,
    STORM,
    TAKEN,
    TERMS_MADE,
    WHO_YIELD,
    Events,
    keep,
    keep_siege,
    note,
)
from engine.autoalgo.battle.flank import average, dead_of, ground_at, is_out, waste
from engine.autoalgo.battle.state import (
    ATTACKER,
    DEFENDER,
    FIRST_CONTACT,
    FOUGHT_OUT,
    INACTIVE,
    NORMAL,
    POSITION,
    RETREATING,
    SHIP,
    SIEGE_BEGUN,
    WINNER,
    Battle,
    Ground,
    Real,
    SiegeDay,
    Tunables,
)
from engine.autoalgo.constants import R100, R101, Siege02
from engine.calculation import WHOLE
from engine.rule import Label, rule

ARTILLERY = 2
"""Index of the artillery among the types."""


def besiege(battle: Battle, tunables: Tunables, draws: Real, events: Events, hour: int) -> bool:
    """Return True while besiegers and garrison face each other without moves or attacks (R-100).

    Draws have the shape (purposes, n). The siege begins (SIEGE-01) and is decided at the end of each day.
    """
    constants = tunables.constants
    if not constants.r_100.applies:
        weaken_as_printed(battle, tunables, events, hour)
        return False
    if battle.tally[FOUGHT_OUT] > 0 or not tunables.country.is_fortified or not stays_inside(battle, constants.r_100):
        return False
    if fit_men(battle, ATTACKER) == 0:
        return False
    if battle.tally[SIEGE_BEGUN] == 0:
        begin_siege(battle, tunables, fit_men(battle, DEFENDER), events, hour)
    if int(hour / constants.r_99.hours) * constants.r_99.hours == hour:
        besiege_a_day(battle, tunables, draws, events, hour)
    return True


def besiege_a_day(battle: Battle, tunables: Tunables, draws: Real, events: Events, hour: int) -> None:
    """Feed both sides, open the breach, and decide by the day's luck on an event (R-100)."""
    numbers, hours = tunables.constants.r_100, tunables.constants.r_99.hours
    for side in range(2):
        if battle.stores[side] > 0.0:
            battle.stores[side] = max(battle.stores[side] - unfed(battle, tunables, side) * hours, 0.0)
            if battle.stores[side] == 0.0:
                note(events, hour, STORES_OUT, side, -1, -1, 0.0, 0.0, 0.0)
    was_open = battle.breach[0] >= 1.0
    garrison = fit_men(battle, DEFENDER)
    battle.breach[0] += breach_an_hour(gunners(battle), garrison, tunables.country.breach_rate) * hours
    if battle.breach[0] >= 1.0 and not was_open:
        note(events, hour, BREACH, DEFENDER, -1, -1, 0.0, 0.0, 0.0)
    day = day_of_siege(battle, tunables, hour)
    minds, fights = draws[SIEGE_MIND], draws[SIEGE_FIGHT]
    outside, inside = day.besiegers, day.garrison
    if minds[ATTACKER] < in_a_day(storm_weight(day, numbers)):
        meet(battle, hour)
        keep_siege(events, day, minds[ATTACKER], fights[ATTACKER])
        note(events, hour, STORM, ATTACKER, -1, -1, 0.0, 0.0, 0.0)
        cut_down(battle, tunables, ATTACKER, share_fallen(outside, inside, 1.0, numbers), draws, events, hour)
        cut_down(
            battle, tunables, DEFENDER, share_fallen(inside, outside, 1.0 - day.walls, numbers), draws, events, hour
        )
        if fights[ATTACKER] < by_odds(odds_at_works(day)):
            capture_garrison(battle, events, hour)
            return
        note(events, hour, REPULSED, DEFENDER, -1, -1, 0.0, 0.0, 0.0)
    if minds[DEFENDER] < in_a_day(terms_weight(day, numbers)):
        lay_down_arms(battle, day, minds[DEFENDER], draws, events, hour)
        return
    if minds[DEFENDER] >= 1.0 - in_a_day(sally_weight(day, numbers)):
        meet(battle, hour)
        keep_siege(events, day, minds[DEFENDER], fights[DEFENDER])
        note(events, hour, SALLY, DEFENDER, -1, -1, 0.0, 0.0, 0.0)
        if fights[DEFENDER] >= by_odds(odds_in_open(day)):
            cut_down(battle, tunables, ATTACKER, share_fallen(outside, inside, 1.0, numbers), draws, events, hour)
            battle.tally[WINNER] = DEFENDER
            return
        cut_down(battle, tunables, DEFENDER, share_fallen(inside, outside, 1.0, numbers), draws, events, hour)
        note(events, hour, REPULSED, ATTACKER, -1, -1, 0.0, 0.0, 0.0)
    if minds[ATTACKER] >= 1.0 - in_a_day(leaving_weight(day, numbers)):
        battle.tally[WINNER] = DEFENDER
        is_relieved = minds[ATTACKER] >= 1.0 - in_a_day(relief_weight(day, numbers))
        keep_siege(events, day, minds[ATTACKER], 0.0)
        note(events, hour, RELIEVED if is_relieved else LIFTED, ATTACKER, -1, -1, 0.0, 0.0, 0.0)


def day_of_siege(battle: Battle, tunables: Tunables, hour: int) -> SiegeDay:
    """Return the state that decides the day of a siege (R-100)."""
    constants, country = tunables.constants, tunables.country
    hours = constants.r_99.hours
    start = 0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == ATTACKER:
            start += battle.men_start[flank]
    besiegers = float(fit_men(battle, ATTACKER))
    opened = battle.breach[0] / (1.0 + battle.breach[0])
    days = (hour - battle.tally[SIEGE_BEGUN]) / hours
    return SiegeDay(
        besiegers=besiegers,
        garrison=float(fit_men(battle, DEFENDER)),
        own_efficiency=efficiency_of(battle, tunables, ATTACKER),
        efficiency=efficiency_of(battle, tunables, DEFENDER),
        ground=ground_of_garrison(battle, tunables),
        walls=country.walls * (1.0 - opened),
        opened=opened,
        unfed_besiegers=unfed(battle, tunables, ATTACKER),
        unfed_garrison=unfed(battle, tunables, DEFENDER),
        days_besiegers=battle.stores[ATTACKER] / hours,
        days_garrison=battle.stores[DEFENDER] / hours,
        relief=country.relief,
        lost=1.0 - besiegers / start,
        arrived=days / (days + constants.r_100.days),
    )


def unfed(battle: Battle, tunables: Tunables, side: int) -> float:
    """Return the share of a side's men in a siege without incoming supplies (R-100)."""
    country, garrison = tunables.country, float(fit_men(battle, DEFENDER))
    besiegers = float(fit_men(battle, ATTACKER))
    if besiegers == 0.0 or garrison == 0.0:  # it ended this hour
        return 0.0
    if side == ATTACKER:
        return unfed_camp(besiegers, country.local_population[side], battle.capacity[side])
    return unfed_garrison(besiegers, garrison, country.berths)


@rule(
    "R-100",
    "share of the besiegers whom the country does not feed",
    men=Label("men", WHOLE),
    people=Label("people who feed them", WHOLE),
    capacity="Capacity",
)
def unfed_camp(men: float, people: float, capacity: float) -> float:
    """Return the share of the besiegers not fed by the country: one half if they are as many as it feeds."""
    fed = people * capacity
    return men * men / (men * men + fed * fed)


@rule(
    "R-100",
    "share of the garrison whom nothing that comes in feeds",
    besiegers=Label("besiegers", WHOLE),
    garrison=Label("garrison", WHOLE),
    berths=Label("berths past the besiegers", silent=0.0),
)
def unfed_garrison(besiegers: float, garrison: float, berths: float) -> float:
    """Return the share of a garrison without supplies past the lines, by land or by sea.

    Args:
        berths: Capacity in people of the defender's ships past the besiegers' (R-18).
    """
    passing = garrison / (garrison + besiegers)
    return (1.0 - passing * passing) * (garrison / (garrison + berths))


@rule("R-100", "want", unfed="unfed", days="days of food")
def want(unfed: float, days: float) -> float:
    """Return the want of a side: its unfed share, lowered by its stores (R-100)."""
    return unfed / (1.0 + days)


@rule("R-100", "overcrowding of a camp", camp="camp", share="share", unfed="unfed", days="days of food")
def load_in_siege(camp: float, share: float, unfed: float, days: float, numbers: R100) -> float:
    """Return the overcrowding of a side in a siege: by its camp, and by want (R-100, ATT-05).

    Args:
        camp: The hardship of camps in this climate and season (R-114).
        share: The side's share in it: 1 for besiegers, one half for a garrison under roofs.
    """
    return 1.0 + camp * share + numbers.hunger * want(unfed, days)


@rule(
    "R-100",
    "quality",
    own_efficiency="Efficiency of the besiegers",
    efficiency="Efficiency of the garrison",
    ground="ground",
)
def quality(day: SiegeDay) -> float:
    """Return the superiority of the besiegers' men on this ground, by the third power of their Efficiency (R-100)."""
    better = day.own_efficiency / day.efficiency
    return better * better * better * day.ground


@rule("R-100", "odds in the open", besiegers="besiegers", garrison="garrison")
def odds_in_open(day: SiegeDay) -> float:
    """Return the ratio of the besiegers' strength to the garrison's outside its works (R-100)."""
    return day.besiegers / day.garrison * quality(day)


@rule("R-100", "odds at the works", besiegers="besiegers", garrison="garrison", walls="walls")
def odds_at_works(day: SiegeDay) -> float:
    """Return the besiegers' strength over the garrison's in its works, by the root of all men (R-100, ATK-03).

    Walls protect as in a battle (R-69), and want weakens the garrison.
    """
    weakness = 1.0 + want(day.unfed_garrison, day.days_garrison)
    return math.sqrt(day.besiegers / day.garrison) * quality(day) * (1.0 - day.walls) * (weakness * weakness)


@rule("R-100", "chance of the besiegers", odds="odds")
def by_odds(odds: float) -> float:
    """Return the besiegers' chance to win a fight: one half at odds of 1, rising with their third power (R-100)."""
    cube = odds * odds * odds
    return cube / (1.0 + cube)


@rule("R-100", "chance in a day", weight="weight")
def in_a_day(weight: float) -> float:
    """Return the chance per day of an event of this weight, against a weight of 1 for none (R-100)."""
    return weight / (1.0 + weight)


@rule(
    "R-100",
    "weight of a storm",
    besiegers="besiegers",
    garrison="garrison",
    unfed_besiegers="unfed",
    days_besiegers="days of their food",
    days_garrison="days of the garrison's food",
)
def storm_weight(day: SiegeDay, numbers: R100) -> float:
    """Return the weight of a storm: by its odds, by numbers, and by want, the besiegers' and the garrison's (R-100)."""
    promise = by_odds(odds_at_works(day))
    hurry = 1.0 + day.unfed_besiegers * (1.0 + day.days_garrison) / (1.0 + day.days_besiegers)
    return numbers.eager * (day.besiegers / day.garrison) * (promise * promise) * hurry


@rule(
    "R-100",
    "hope of relief",
    relief=Label("men who may come", WHOLE),
    garrison="garrison",
    besiegers="besiegers",
)
def hope(day: SiegeDay) -> float:
    """Return the hope of relief: by the men that the nation can arm, and by the size of the garrison (R-100)."""
    army = math.sqrt(day.relief * day.garrison)
    return army / (army + day.besiegers)


@rule("R-100", "weight of terms", besiegers="besiegers", garrison="garrison", opened="breach")
def terms_weight(day: SiegeDay, numbers: R100) -> float:
    """Return the weight of terms: by want and a breach, reduced by hope (R-100)."""
    promise = by_odds(odds_at_works(day))
    despair = want(day.unfed_garrison, day.days_garrison) + day.opened * (promise * promise)
    return numbers.terms * despair * (day.besiegers / (day.besiegers + day.garrison)) * (1.0 - hope(day))


@rule("R-100", "share of the garrison captured")
def captured_on_terms(day: SiegeDay) -> float:
    """Return the share of a yielding garrison that is captured: one half, rising to all in full want (R-100)."""
    return (1.0 + want(day.unfed_garrison, day.days_garrison)) / 2.0


@rule("R-100", "weight of a sally")
def sally_weight(day: SiegeDay, numbers: R100) -> float:
    """Return the weight of a sally, greater against weaker besiegers (R-100)."""
    odds = odds_in_open(day)
    return numbers.leaves / (odds * odds)


@rule("R-100", "weight of relief", arrived="arrived")
def relief_weight(day: SiegeDay, numbers: R100) -> float:
    """Return the weight of an army of relief that lifts the siege (R-100)."""
    return numbers.leaves * day.arrived * hope(day)


@rule("R-100", "weight of leaving", arrived="arrived", lost="share lost")
def leaving_weight(day: SiegeDay, numbers: R100) -> float:
    """Return the weight of leaving: by relief, and by want and losses, reduced by the odds of a storm (R-100)."""
    misery = want(day.unfed_besiegers, day.days_besiegers) + day.lost
    weary = (1.0 - by_odds(odds_at_works(day))) * (1.0 + numbers.misery * misery)
    return relief_weight(day, numbers) + numbers.leaves * day.arrived * weary


@rule("R-100", "share who fall", own="men", enemy="enemies", exposed="exposed")
def share_fallen(own: float, enemy: float, exposed: float, numbers: R100) -> float:
    """Return the share of a side killed in a storm or a sally, smaller for a stronger side (R-100).

    Args:
        exposed: Share of the hits that find a man: less than 1 behind walls (R-69).
    """
    hits = numbers.cost * math.sqrt(enemy / own) * exposed
    return hits / (1.0 + hits)


def efficiency_of(battle: Battle, tunables: Tunables, side: int) -> float:
    """Return the Efficiency of a side, averaged over its men in the battle; of crews that of their ships.

    Without any men it is 1, because it is a divisor.
    """
    total, men = 0.0, 0.0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == side and not is_out(battle.status[flank]):
            value = average(battle, tunables.units.efficiency, flank)
            total += battle.men[flank] * (value if value > 0.0 else tunables.units.efficiency[battle.army[flank], SHIP])
            men += battle.men[flank]
    return total / men if total > 0.0 else 1.0


def ground_of_garrison(battle: Battle, tunables: Tunables) -> float:
    """Return the factor of the ground on hits on a garrison on Position, averaged over its men (R-86)."""
    total, men = 0.0, 0.0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == DEFENDER and not is_out(battle.status[flank]):
            total += battle.men[flank] * tunables.traits.ground[flank, 0]
            men += battle.men[flank]
    return total / max(men, 1.0)


def stays_inside(battle: Battle, numbers: R100) -> bool:
    """Return True if the defender stays inside: on Position or Normal (R-100).

    A small share of his men may do otherwise, or flee.
    """
    inside, outside = 0, 0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] != DEFENDER or is_out(battle.status[flank]):
            continue
        if battle.maneuver[flank] in (POSITION, NORMAL) and battle.status[flank] != RETREATING:
            inside += battle.men[flank]
        else:
            outside += battle.men[flank]
    return bool(inside > 0 and outside < numbers.outside * (inside + outside))


def begin_siege(battle: Battle, tunables: Tunables, garrison: int, events: Events, hour: int) -> None:
    """Begin the siege: the garrison mans the works and gets their food (R-100)."""
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
    keep(events, SIEGE_BESIEGERS, fit_men(battle, ATTACKER))
    keep(events, BESIEGERS_CAPACITY, battle.capacity[ATTACKER])
    note(events, hour, SIEGE, DEFENDER, -1, -1, 0.0, 0.0, 0.0)


@rule(
    "R-100",
    "days of food in the works",
    people=Label("people who feed it", WHOLE),
    capacity="Capacity",
    men=Label("men", WHOLE),
)
def days_in_store(people: float, capacity: float, men: float, numbers: R100) -> float:
    """Return the days of food in the works: by the eighth root of fed people over the garrison."""
    return numbers.days * math.sqrt(math.sqrt(math.sqrt(people * capacity / men)))


@rule("R-101", "breach in an hour", men=Label("gunners", WHOLE), garrison=Label("garrison", WHOLE), rate="breach rate")
def breach_an_hour(men: float, garrison: float, rate: float) -> float:
    """Return the share of a breach opened by the artillery in an hour (R-101)."""
    return men / garrison * rate


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
    """Return the breach in an hour by as many gunners as the garrison, slower with guns too weak for the works."""
    fit = min(power / needed, 1.0)
    return siege_rate * (fit * fit) / (works * numbers.days * hours)


def gunners(battle: Battle) -> float:
    """Return the number of the attacker's fit men in the artillery slot."""
    men = 0.0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == ATTACKER and battle.status[flank] < RETREATING:
            men += battle.men[flank] * battle.share[flank, ARTILLERY]
    return men


def meet(battle: Battle, hour: int) -> None:
    """Note the hour of the first blow of a siege (R-29)."""
    if battle.tally[FIRST_CONTACT] == 0:
        battle.tally[FIRST_CONTACT] = hour


def cut_down(
    battle: Battle, tunables: Tunables, side: int, share: float, draws: Real, events: Events, hour: int
) -> None:
    """Kill a share of the men of every flank of a side in a storm or a sally (R-100, R-26)."""
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] != side or is_out(battle.status[flank]):
            continue
        men, draw = battle.men[flank], draws[KILLED_WHOLE, flank]
        killed = killed_in_siege(men, share, draw)
        if killed > 0:
            battle.killed[flank] += killed
            keep(events, MEN, men)
            keep(events, SHARE, share)
            keep(events, DRAW, draw)
            note(events, hour, FELL, side, flank, -1, killed, 0.0, 0.0)
            waste(battle, tunables.constants.strat_04, flank, killed, events, hour)


@rule("R-100, R-26", "killed", WHOLE, men=Label("men", WHOLE), share="share", draw="draw")
def killed_in_siege(men: int, share: float, draw: float) -> int:
    """Return the number of a flank's men killed in a storm or a sally; the draw, in [0, 1), rounds it (R-26)."""
    return dead_of(men * share, draw, men)


def lay_down_arms(battle: Battle, day: SiegeDay, mind: float, draws: Real, events: Events, hour: int) -> None:
    """Capture a share of a yielding garrison, flank by flank; the rest march out (R-100).

    With food for a day it yields on terms, otherwise from hunger.
    """
    share = captured_on_terms(day)
    kind = TERMS_MADE if day.days_garrison >= 1.0 else STARVED_OUT
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == DEFENDER and not is_out(battle.status[flank]):
            keep_siege(events, day, mind, draws[KILLED_WHOLE, flank])
            keep(events, WHO_YIELD, battle.men[flank])
            captives = killed_in_siege(battle.men[flank], share, draws[KILLED_WHOLE, flank])
            capture(battle, flank, captives, kind, events, hour)


def capture(battle: Battle, flank: int, captives: int, kind: int, events: Events, hour: int) -> None:
    """Capture some men of a flank, which ends it; the rest march out."""
    battle.captured[flank] += captives
    battle.men[flank] -= captives
    battle.morale[flank] = 0.0
    battle.status[flank] = INACTIVE
    note(events, hour, kind, DEFENDER, flank, -1, captives, 0.0, 0.0)


def capture_garrison(battle: Battle, events: Events, hour: int) -> None:
    """Capture the rest of a garrison whose works are taken (R-100)."""
    for flank in range(battle.side.shape[0]):
        is_inside = battle.maneuver[flank] == POSITION or battle.tally[SIEGE_BEGUN] > 0
        is_left = battle.men[flank] > 0 and battle.status[flank] != INACTIVE
        if battle.side[flank] == DEFENDER and is_inside and is_left:
            capture(battle, flank, battle.men[flank], TAKEN, events, hour)


def take_works(battle: Battle, tunables: Tunables, events: Events, hour: int) -> None:
    """Capture the rest of a garrison beaten in its works (R-100)."""
    if battle.tally[WINNER] == ATTACKER and tunables.constants.r_100.applies and tunables.country.is_fortified:
        capture_garrison(battle, events, hour)


def fit_men(battle: Battle, side: int) -> int:
    """Return the number of a side's men neither fleeing nor out; for the defender including those in flight (R-100)."""
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
    """Return the share of the defender's Capacity left by an hour of siege (SIEGE-02)."""
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
