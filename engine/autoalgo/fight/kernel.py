"""The loop of one battle or many, each with luck of its own (R-25), in Python or as machine code.

The loop is plain Python over arrays, like its steps, and runs interpreted or compiled with the same bits. Battle
number 0 of a seed is the ruling, whose events and frames are recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from engine.autoalgo.aftermath.battle_end import Ends, note_end
from engine.autoalgo.aftermath.casualties import note_casualties
from engine.autoalgo.aftermath.consequences import Consequences, note_consequences
from engine.autoalgo.aftermath.inputs import AftermathInputs
from engine.autoalgo.battle.attrition import side_men
from engine.autoalgo.battle.disease import outbreak_chance
from engine.autoalgo.battle.draw_ids import (
    BATTLE_PURPOSES,
    FORTUNE_FLANK,
    FORTUNE_PANIC,
    FORTUNE_SIDE,
    HOURLY,
    OUTBREAK,
    RARE,
)
from engine.autoalgo.battle.events import Events, most_an_hour
from engine.autoalgo.battle.frames import Frames, note_frame
from engine.autoalgo.battle.hour import begin, fight_hour
from engine.autoalgo.battle.state import HOURS, WINNER, Battle, Orders, Real, Tunables, Whole
from engine.elementary import LOG_2, exp
from engine.rng import fill


class BatchSpec(NamedTuple):
    """Inputs of a series of battles, and the numbers of its battles."""

    whole: Whole  # Every whole number of `Battle` before the first hour, in the order of its fields, shape (w,)
    real: Real  # Every other number of it, shape (r,)
    fortune_side: float  # Greatest fortune of a side, in doublings
    fortune_flank: float  # Likewise, of a flank
    fortune_panic: float  # Likewise, of a side's panic
    seed: int  # 0 to 2**64 - 1
    first: int  # Number of the first battle
    fortunes_of: int  # Number of the battle whose fortunes of the day all share; -1 for separate ones


class Buffers(NamedTuple):
    """Arrays of one thread, reused from battle to battle."""

    whole: Whole  # The integers of `battle`, shape (w,)
    real: Real  # The floats of `battle`, shape (r,)
    draws: Real  # Of the hour, shape (purposes, n)
    begun: Whole  # 1 during a battle, shape (1,)


class SetDraws(NamedTuple):
    """The draws set by a moderator (OVR-11), `d` of them, usually none."""

    hour: Whole  # Hour of the battle, 0 for a fortune of the day, shape (d,)
    purpose: Whole  # Id of the draw (`draw_ids`), shape (d,)
    place: Whole  # Index of the flank or side, shape (d,)
    value: Real  # The draw, in [0, 1), shape (d,)


def fight_all(
    batch: BatchSpec,
    buffers: Buffers,
    battle: Battle,
    orders: Orders,
    tunables: Tunables,
    inputs: AftermathInputs,
    events: Events,
    frames: Frames,
    set_draws: SetDraws,
    ends: Ends,
    consequences: Consequences,
) -> None:
    """Fight a battle of the series, with its aftermath, for each row of `ends`.

    Before an hour that might not fit, it drops earlier events, or, where frames are recorded, returns to be called
    again.
    """
    hourly = most_an_hour(battle.side.shape[0])
    for row in range(ends.winner.shape[0]):
        replicate = batch.first + row
        if buffers.begun[0] == 0:
            buffers.begun[0] = 1
            if frames.target.shape[0] == 0 and events.used[0] + hourly > events.hour.shape[0]:
                events.used[0] = 0  # a battle may end before its first hour
            set_up(batch, buffers)
            luck_of = replicate if batch.fortunes_of < 0 else batch.fortunes_of
            fill(batch.seed, luck_of, 0, 0, BATTLE_PURPOSES, buffers.draws)
            replace_draws(set_draws, 0, buffers.draws)
            draw_fortunes(battle, batch, buffers.draws)
            begin(battle, tunables.end_rules, events)
            note_frame(frames, battle, orders)
        while battle.tally[WINNER] < 0:
            is_full = events.used[0] + hourly > events.hour.shape[0]
            if frames.target.shape[0] > 0 and (is_full or frames.used[0] == frames.target.shape[0]):
                return
            if is_full:
                events.used[0] = 0
            hour = int(battle.tally[HOURS]) + 1
            fill(batch.seed, replicate, hour, HOURLY, RARE, buffers.draws)
            replace_draws(set_draws, hour, buffers.draws)
            if may_be_rare(battle, tunables, buffers.draws, hour):
                fill(batch.seed, replicate, hour, RARE, BATTLE_PURPOSES, buffers.draws)
                replace_draws(set_draws, hour, buffers.draws)
            fight_hour(battle, orders, tunables, buffers.draws, events)
            note_frame(frames, battle, orders)
        buffers.begun[0] = 0
        note_end(battle, tunables.end_rules, ends, row)
        attackers, defenders = inputs.attacker.wounded_share, inputs.defender.wounded_share
        note_casualties(battle, attackers, defenders, inputs.constants.r_125, ends, row)
        note_consequences(ends, row, inputs, batch.seed, replicate, consequences)


def set_up(batch: BatchSpec, buffers: Buffers) -> None:
    """Set the battle to its state before the first hour, element by element: slices would make more machine code."""
    for place in range(batch.whole.shape[0]):
        buffers.whole[place] = batch.whole[place]
    for place in range(batch.real.shape[0]):
        buffers.real[place] = batch.real[place]


def replace_draws(set_draws: SetDraws, hour: int, draws: Real) -> None:
    """Replace draws of an hour by those set by a moderator, shape (purposes, n) (OVR-11)."""
    for row in range(set_draws.hour.shape[0]):
        if set_draws.hour[row] == hour:
            draws[set_draws.purpose[row], set_draws.place[row]] = set_draws.value[row]


def may_be_rare(battle: Battle, tunables: Tunables, draws: Real, hour: int) -> bool:
    """Return True if the hour may need its rare draws: the first, the last of a day, or an outbreak (R-100, DIS-02)."""
    hours = tunables.constants.r_99.hours
    if hour == 1 or int(hour / hours) * hours == hour:
        return True
    for side in range(2):
        men = side_men(battle, side)
        for carrier in range(2):
            if draws[OUTBREAK + carrier, side] < outbreak_chance(tunables.country.outbreak[side, carrier], men):
                return True
    return False


def draw_fortunes(battle: Battle, batch: BatchSpec, draws: Real) -> None:
    """Set the fortunes of the day from the draws of hour 0, shape (purposes, n) (R-28)."""
    for side in range(2):
        battle.fortune_side[side] = fortune(draws[FORTUNE_SIDE, side], batch.fortune_side)
        battle.fortune_panic[side] = fortune(draws[FORTUNE_PANIC, side], batch.fortune_panic)
    for flank in range(battle.side.shape[0]):
        battle.fortune_flank[flank] = fortune(draws[FORTUNE_FLANK, flank], batch.fortune_flank)


def fortune(draw: float, doublings: float) -> float:
    """Return a fortune of the day (R-28): a factor from 2**-doublings to 2**doublings, of evenly distributed logarithm.

    Args:
        draw: A random number in [0, 1).
        doublings: Width of the distribution, at least 0, which means no fortune; 1.5 means 0.35 to 2.83.
    """
    return exp(LOG_2 * doublings * (2.0 * draw - 1.0))


@dataclass(frozen=True, slots=True)
class Kernel:
    """Functions that fight battles, in machine code or in Python."""

    fight: Callable[..., None]  # `fight_all`, or its compiled form
    why_not: str = ""  # The reason for not being compiled, a clause; empty if it is compiled

    @property
    def is_compiled(self) -> bool:
        """Return True if the functions are machine code."""
        return not self.why_not


PLAIN = Kernel(fight_all, "Python was asked for")
