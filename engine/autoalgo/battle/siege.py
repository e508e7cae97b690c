"""The siege (SIEGE) day by day: storm, terms, sally, relief and leaving by the law of R-100, or as printed."""

from __future__ import annotations

from engine.autoalgo.battle.draw_ids import KILLED_WHOLE, SIEGE_FIGHT, SIEGE_MIND
from engine.autoalgo.battle.events import (
    BREACH,
    FELL,
    FELL_IN_SALLY,
    FELL_TO_RELIEF,
    LIFTED,
    RELIEF,
    RELIEF_FELL,
    RELIEVED,
    REPULSED,
    SALLY,
    SIEGE,
    SIEGE_DRAWS,
    STARVED_OUT,
    STORES_OUT,
    STORM,
    TAKEN,
    TERMS_MADE,
    Events,
    SiegeStart,
    Toll,
    keep,
    note,
)
from engine.autoalgo.battle.flank import ground_at, is_out, waste
from engine.autoalgo.battle.siege_law import (
    breach_an_hour,
    by_odds,
    capacity_under_siege,
    captured_on_terms,
    chance_of_siege,
    days_in_store,
    killed_in_siege,
    leaving_weight,
    odds_at_works,
    odds_in_open,
    relief_weight,
    sally_weight,
    share_fallen,
    storm_weight,
    terms_weight,
    unfed_camp,
    unfed_garrison,
)
from engine.autoalgo.battle.state import (
    ATTACKER,
    DEFENDER,
    FIRST_CONTACT,
    INACTIVE,
    NO_SIEGE,
    NORMAL,
    POSITION,
    RETREATING,
    SIEGE_BEGUN,
    WINNER,
    Battle,
    Ground,
    Real,
    SiegeDay,
    Tunables,
)

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
    draw, storming, outside = draws[SIEGE_MIND, ATTACKER], tunables.country.storming, share_outside(battle)
    if hour == 1 and draw >= 1.0 - storming:
        battle.tally[SIEGE_BEGUN] = NO_SIEGE
    is_possible = tunables.country.is_fortified and outside < 1.0 and battle.tally[SIEGE_BEGUN] != NO_SIEGE
    if not is_possible or fit_men(battle, ATTACKER) == 0:
        return False
    if battle.tally[SIEGE_BEGUN] == 0:
        if outside > 0.0 and (hour > 1 or draw >= chance_of_siege(storming, outside)):
            return False
        begin_siege(battle, tunables, outside, draw, events, hour)
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
    if minds[ATTACKER] < by_odds(storm_weight(day, numbers)):
        keep_day(events, day, minds[ATTACKER], fights[ATTACKER], 0.0)
        fight(battle, tunables, STORM, day, day.walls, draws, events, hour)
        if fights[ATTACKER] < by_odds(odds_at_works(day)):
            capture_garrison(battle, events, hour)
            return
        note(events, hour, REPULSED, DEFENDER, -1, -1, 0.0, 0.0, 0.0)
    if minds[DEFENDER] < by_odds(terms_weight(day, numbers)):
        lay_down_arms(battle, day, minds[DEFENDER], draws, events, hour)
        return
    if minds[DEFENDER] >= 1.0 - by_odds(sally_weight(day, numbers)):
        keep_day(events, day, minds[DEFENDER], fights[DEFENDER], 0.0)
        fight(battle, tunables, SALLY, day, 0.0, draws, events, hour)
        if fights[DEFENDER] >= by_odds(odds_in_open(day)):
            battle.tally[WINNER] = DEFENDER
            return
        note(events, hour, REPULSED, ATTACKER, -1, -1, 0.0, 0.0, 0.0)
    if day.coming > 0.0:
        keep_day(events, day, minds[ATTACKER], 0.0, 0.0)
        fight_relief(battle, tunables, day, draws, events, hour)
    if minds[ATTACKER] >= 1.0 - by_odds(leaving_weight(day, numbers)):
        battle.tally[WINNER] = DEFENDER
        is_relieved = minds[ATTACKER] >= 1.0 - by_odds(relief_weight(day, numbers))
        keep_day(events, day, minds[ATTACKER], 0.0, 0.0)
        note(events, hour, RELIEVED if is_relieved else LIFTED, ATTACKER, -1, -1, 0.0, 0.0, 0.0)
    elif day.coming > 0.0:
        note(events, hour, REPULSED, ATTACKER, -1, -1, 0.0, 0.0, 0.0)


def fight(
    battle: Battle, tunables: Tunables, kind: int, day: SiegeDay, walls: float, draws: Real, events: Events, hour: int
) -> None:
    """Fight a storm or a sally, in which men of both sides fall (R-100).

    Args:
        walls: Share of the hits on the garrison that its walls stop.
    """
    numbers, outside, inside = tunables.constants.r_100, day.besiegers, day.garrison
    meet(battle, hour)
    side, fell = (ATTACKER, FELL) if kind == STORM else (DEFENDER, FELL_IN_SALLY)
    note(events, hour, kind, side, -1, -1, 0.0, 0.0, 0.0)
    cut_down(battle, tunables, fell, ATTACKER, share_fallen(outside, inside, 0.0, numbers), draws, events, hour)
    cut_down(battle, tunables, fell, DEFENDER, share_fallen(inside, outside, walls, numbers), draws, events, hour)


def fight_relief(battle: Battle, tunables: Tunables, day: SiegeDay, draws: Real, events: Events, hour: int) -> None:
    """Fight a typed relief outside the works: besiegers fall, and men of the relief, whom no flank holds (WAR-19)."""
    numbers, outside = tunables.constants.r_100, day.besiegers
    meet(battle, hour)
    note(events, hour, RELIEF, DEFENDER, -1, -1, day.coming, 0.0, 0.0)
    share = share_fallen(outside, day.coming, 0.0, numbers)
    cut_down(battle, tunables, FELL_TO_RELIEF, ATTACKER, share, draws, events, hour)
    share, draw = share_fallen(day.coming, outside, 0.0, numbers), draws[SIEGE_FIGHT, ATTACKER]
    keep(events, 0, Toll(day.coming, draw, 0.0, share, 0.0, 0.0, 0.0, 0.0))
    killed = killed_in_siege(int(day.coming), share, draw)
    note(events, hour, RELIEF_FELL, DEFENDER, -1, -1, killed, 0.0, 0.0)


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
    begun = battle.tally[SIEGE_BEGUN]
    days = (hour - begun) / hours
    is_relief_day = int(hour / hours) - int((begun - 1) / hours) == country.relief_day
    coming = country.coming if is_relief_day else 0.0
    return SiegeDay(
        besiegers=besiegers,
        garrison=float(fit_men(battle, DEFENDER)),
        quality=country.quality,
        walls=country.walls * (1.0 - opened),
        opened=opened,
        unfed_besiegers=unfed(battle, tunables, ATTACKER),
        unfed_garrison=unfed(battle, tunables, DEFENDER),
        days_besiegers=battle.stores[ATTACKER] / hours,
        days_garrison=battle.stores[DEFENDER] / hours,
        relief=country.relief,
        lost=1.0 - besiegers / start,
        arrived=days / (days + constants.r_100.days),
        coming=coming,
        relief_quality=country.relief_quality,
    )


def keep_day(events: Events, day: SiegeDay, mind: float, fight: float, men: float) -> None:
    """Keep the deciding numbers of the siege event noted next: the day, the two draws, and the men of who yields."""
    keep(events, 0, day)
    keep(events, SIEGE_DRAWS, (mind, fight, men))


def unfed(battle: Battle, tunables: Tunables, side: int) -> float:
    """Return the share of a side's men in a siege without incoming supplies (R-100)."""
    country, garrison = tunables.country, float(fit_men(battle, DEFENDER))
    besiegers = float(fit_men(battle, ATTACKER))
    if besiegers == 0.0 or garrison == 0.0:  # it ended this hour
        return 0.0
    if side == ATTACKER:
        return unfed_camp(besiegers, country.local_population[side], battle.capacity[side])
    return unfed_garrison(besiegers, garrison, country.berths)


def share_outside(battle: Battle) -> float:
    """Return the share of the defender's men who are not inside, on Position or Normal, or who flee (R-100)."""
    men, outside = 0, 0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == DEFENDER and not is_out(battle.status[flank]):
            men += battle.men[flank]
            if battle.maneuver[flank] not in (POSITION, NORMAL) or battle.status[flank] == RETREATING:
                outside += battle.men[flank]
    return outside / men if men > 0 else 1.0


def begin_siege(battle: Battle, tunables: Tunables, outside: float, draw: float, events: Events, hour: int) -> None:
    """Begin the siege: the garrison mans the works and gets their food (R-100)."""
    battle.tally[SIEGE_BEGUN] = hour
    garrison = fit_men(battle, DEFENDER)
    people, capacity = float(tunables.country.local_population[DEFENDER]), float(battle.capacity[DEFENDER])
    constants = tunables.constants
    battle.stores[DEFENDER] += days_in_store(people, capacity, garrison, constants.r_100) * constants.r_99.hours
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == DEFENDER:
            battle.maneuver[flank] = POSITION
    besiegers = float(fit_men(battle, ATTACKER))
    of_camp = battle.capacity[ATTACKER]
    keep(events, 0, SiegeStart(float(garrison), capacity, gunners(battle), besiegers, of_camp, outside, draw))
    note(events, hour, SIEGE, DEFENDER, -1, -1, 0.0, 0.0, 0.0)


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
    battle: Battle, tunables: Tunables, kind: int, side: int, share: float, draws: Real, events: Events, hour: int
) -> None:
    """Kill a share of the men of every flank of a side in a fight of a siege (R-100, R-26)."""
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] != side or is_out(battle.status[flank]):
            continue
        men, draw = battle.men[flank], draws[KILLED_WHOLE, flank]
        killed = killed_in_siege(men, share, draw)
        if killed > 0:
            battle.killed[flank] += killed
            keep(events, 0, Toll(float(men), draw, 0.0, share, 0.0, 0.0, 0.0, 0.0))
            note(events, hour, kind, side, flank, -1, killed, 0.0, 0.0)
            waste(battle, tunables.constants.strat_04, flank, killed, events, hour)


def lay_down_arms(battle: Battle, day: SiegeDay, mind: float, draws: Real, events: Events, hour: int) -> None:
    """Capture a share of a yielding garrison, flank by flank; the rest march out (R-100).

    With food for a day it yields on terms, otherwise from hunger.
    """
    share = captured_on_terms(day)
    kind = TERMS_MADE if day.days_garrison >= 1.0 else STARVED_OUT
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == DEFENDER and not is_out(battle.status[flank]):
            men, draw = battle.men[flank], draws[KILLED_WHOLE, flank]
            keep_day(events, day, mind, draw, float(men))
            captives = killed_in_siege(men, share, draw)
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
