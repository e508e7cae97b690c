"""Disease (DIS): every hour each side is exposed to both nations' endemic diseases."""

from __future__ import annotations

from engine.autoalgo.events import DISEASE as OUTBREAKS
from engine.autoalgo.events import Events, note
from engine.autoalgo.flank import is_out, waste, whole_men
from engine.autoalgo.purposes import DISEASE, DISEASE_WHOLE, OUTBREAK
from engine.autoalgo.state import Battle, Real, Tunables


def disease(battle: Battle, tunables: Tunables, draws: Real, events: Events, hour: int) -> None:
    """DIS-01: test both diseases on both sides; shape of draws (purposes, n)."""
    country = tunables.country
    for side in range(2):
        for carrier in range(2):
            men = men_exposed(battle, side)
            if draws[OUTBREAK + carrier, side] < country.outbreak[side, carrier] * men:  # DIS-02
                dice = draws[DISEASE + carrier, side] * tunables.numbers.disease_dice
                share = country.severity[side, carrier] * dice  # DIS-03, shared by size: the same share of every flank
                strike_side(battle, tunables, side, carrier, share, draws, events, hour)


def strike_side(
    battle: Battle,
    tunables: Tunables,
    side: int,
    carrier: int,
    share: float,
    draws: Real,
    events: Events,
    hour: int,
) -> None:
    """One outbreak of the disease of `carrier`: so large a share of the men of every flank not routed dies."""
    row = events.used[0]  # noted before anything that follows from it, filled in when all dead are counted
    note(events, hour, OUTBREAKS, side, -1, carrier, 0.0, 0.0, 0.0)
    total = 0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] != side or is_out(battle.status[flank]):
            continue
        men = battle.men[flank]
        dead = min(whole_men(share * men, draws[DISEASE_WHOLE + carrier, flank]), men)
        if dead > 0:
            total += dead
            battle.diseased[flank] += dead
            waste(battle, tunables.numbers, flank, dead, events, hour)
    events.amount[row] = total


def men_exposed(battle: Battle, side: int) -> int:
    """Men of the side who are not routed (R-33)."""
    men = 0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == side and not is_out(battle.status[flank]):
            men += battle.men[flank]
    return men
