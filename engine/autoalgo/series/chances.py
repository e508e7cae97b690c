"""The attacker's chance to win hour by hour: a war continued from each state with new luck (FC-28)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.autoalgo.battle.state import ATTACKER
from engine.autoalgo.fight.battlefield import Battlefield, packed
from engine.autoalgo.fight.kernel import PLAIN, Kernel
from engine.autoalgo.fight.recorded import RecordedBattle
from engine.forecast import odds, shift_of_share
from engine.recording import Chances, HourlyChance

EVERY = (1, 2, 5, 10)
"""Hours from one chance to the next: the least that gives at most `POINTS_MOST` chances with `BATTLES_WANTED` each."""
POINTS_MOST = 30
BATTLES_MOST, BATTLES_WANTED, BATTLES_LEAST = 400, 50, 20
"""Battles from each state; where fewer than the least could be fought, there are no chances."""
WORK_COMPILED, WORK_PLAIN = 30_000, 600
"""Flanks times whole battles that are fought for all chances: Python fights as many as for FC-07."""
HOURS_PLAIN = 60_000
"""Flanks times hours of battles that Python fights for all chances at most: some five seconds."""


def chances(start: Battlefield, kernel: Kernel = PLAIN) -> Chances | None:
    """Return the attacker's chance before the first hour, at every few hours until the decision, and then.

    Args:
        kernel: The kernel for the battles, numbers 1, 2, 3 ... of the seed from each state.

    Returns:
        The chances; None if too few battles could be fought.
    """
    ruling = start.fight(0, 1, kernel).ends
    hours = int(ruling.hours[0])
    last = int(ruling.decided[0]) or hours
    flanks = len(start.battle.side)
    work = (WORK_COMPILED if kernel.is_compiled else min(WORK_PLAIN, HOURS_PLAIN / max(1, hours))) / flanks
    every, battles = _budget(hours, last, work)
    if battles < BATTLES_LEAST:
        return None
    hourly: list[HourlyChance] = []
    earlier = np.zeros(0, np.bool_)
    for field in states(start, every, last, kernel):
        has_won = field.fight(1, battles, kernel).ends.winner == ATTACKER
        shift = shift_of_share(earlier, has_won) if hourly else None
        hourly.append(HourlyChance(field.battle.hours, odds(int(np.count_nonzero(has_won)), battles), shift))
        earlier = has_won
    return Chances(battles, tuple(hourly))


def _budget(hours: int, last: int, work: float) -> tuple[int, int]:
    """Return the hours between two chances and the number of battles of each, for a budget of whole battles."""
    battles = 0
    for every in EVERY:
        points = [*range(0, last, every), last]
        battles = min(BATTLES_MOST, int(work / sum(1 - hour / max(1, hours) for hour in points[:-1])))
        if len(points) <= POINTS_MOST and battles >= BATTLES_WANTED:
            return every, battles
    return EVERY[-1], battles


def states(start: Battlefield, every: int, last: int, kernel: Kernel = PLAIN) -> list[Battlefield]:
    """Return the ruling's battle at hour 0, at every `every`-th hour and at hour `last`, ready to be continued.

    The fortunes of the day are open before the first hour, and those of the ruling from then on.
    """
    fought = RecordedBattle(start.recording(kernel=kernel, frames=1), kernel)
    kept = [
        packed(fought.battle)[0] for hour, _ in fought.hours() if hour == last or (hour < last and hour % every == 0)
    ]
    return [replace(start, battle=state, fortunes_of=0 if state.hours else -1) for state in kept]
