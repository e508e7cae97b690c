"""The siege (SIEGE): a defender who only holds his heights behind walls is starved."""

from __future__ import annotations

from engine.autoalgo.events import SIEGE, Events, note
from engine.autoalgo.flank import ground_at, is_out
from engine.autoalgo.state import DEFENDER, POSITION, RETREATING, SIEGE_BEGUN, Battle, Ground, Tunables


def besiege(battle: Battle, tunables: Tunables, events: Events, hour: int) -> None:
    """SIEGE-01, SIEGE-02: begin the siege if all conditions hold, then press it; at the start of the hour (R-33)."""
    country = tunables.country
    if battle.tally[SIEGE_BEGUN] == 0 and country.is_fortified and holds_the_heights(battle, tunables.ground):
        battle.tally[SIEGE_BEGUN] = hour
        note(events, hour, SIEGE, DEFENDER, -1, -1, 0.0, 0.0, 0.0)
    if battle.tally[SIEGE_BEGUN] > 0:
        battle.capacity[DEFENDER] *= 1.0 - country.siege_rate / tunables.numbers.siege_divisor


def holds_the_heights(battle: Battle, ground: Ground) -> bool:
    """Whether all the defender's flanks (R-20) are on Position, on High ground or Cliffs.

    Flanks out of the battle are not asked; a retreating one holds nothing, for it ignores its maneuver (R-57).
    """
    holds = False
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] != DEFENDER or is_out(battle.status[flank]):
            continue
        if battle.maneuver[flank] != POSITION or battle.status[flank] == RETREATING:
            return False
        if not ground.is_stronghold[ground_at(ground, battle.x_m[flank], battle.y_m[flank])]:
            return False
        holds = True
    return holds
