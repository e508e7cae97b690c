"""The siege (SIEGE), which starves a defender who stays on high ground in a fortified location."""

from __future__ import annotations

from engine.autoalgo.battle.events import SIEGE, Events, note
from engine.autoalgo.battle.flank import ground_at, is_out
from engine.autoalgo.battle.state import DEFENDER, POSITION, RETREATING, SIEGE_BEGUN, Battle, Ground, Tunables
from engine.autoalgo.constants import Siege02
from engine.rule import rule


def besiege(battle: Battle, tunables: Tunables, events: Events, hour: int) -> None:
    """Begin the siege if all conditions hold, and reduce the defender's Capacity (SIEGE-01, SIEGE-02, R-33)."""
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
