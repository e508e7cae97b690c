"""The siege (SIEGE, R-83), which starves a defender who stays on high ground in a fortified location."""

from __future__ import annotations

from engine.autoalgo.battle.events import GARRISON, HUNGERED, SIEGE, STARVED_OUT, Events, keep, note
from engine.autoalgo.battle.flank import ground_at, is_out
from engine.autoalgo.battle.state import (
    DEFENDER,
    INACTIVE,
    POSITION,
    RETREATING,
    SIEGE_BEGUN,
    Battle,
    Ground,
    Tunables,
)
from engine.autoalgo.constants import Siege02
from engine.calculation import WHOLE
from engine.rule import Named, rule


def besiege(battle: Battle, tunables: Tunables, events: Events, hour: int) -> None:
    """Begin the siege if all conditions hold, and reduce the defender's Capacity (SIEGE-01, SIEGE-02, R-33, R-83)."""
    if not closes_the_lines(battle, tunables.constants.r_83.besiegers):
        return
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


def starve_out(battle: Battle, tunables: Tunables, events: Events, hour: int) -> None:
    """Let a besieged garrison lay down its arms once hunger has taken its share of it (R-83)."""
    numbers = tunables.constants.r_83
    if battle.tally[SIEGE_BEGUN] == 0 or not closes_the_lines(battle, numbers.besiegers):
        return
    dead, men = 0, 0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == DEFENDER:
            dead += battle.died[flank]
            men += battle.men_start[flank]
    if dead == 0 or hungered(dead, men) < numbers.share:
        return
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == DEFENDER and not is_out(battle.status[flank]):
            captives = battle.men[flank]
            battle.captured[flank] += captives
            battle.men[flank] = 0
            battle.morale[flank] = 0.0
            battle.status[flank] = INACTIVE
            keep(events, HUNGERED, dead)
            keep(events, GARRISON, men)
            note(events, hour, STARVED_OUT, DEFENDER, flank, -1, captives, 0.0, 0.0)


@rule("R-83", "share of the garrison that hunger took", dead=Named("dead", WHOLE), men=Named("men at the start", WHOLE))
def hungered(dead: int, men: int) -> float:
    """Return the share of a besieged side's men who died of natural attrition (R-83)."""
    return dead / men


def closes_the_lines(battle: Battle, besiegers_a_man: float) -> bool:
    """Return True if the besiegers who neither flee nor are out are enough for the garrison that is left (R-83)."""
    besiegers, garrison = 0, 0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == DEFENDER:
            if not is_out(battle.status[flank]):
                garrison += battle.men[flank]
        elif battle.status[flank] < RETREATING:
            besiegers += battle.men[flank]
    return bool(besiegers >= besiegers_a_man * garrison)


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
