"""The same battle many times, each with luck of its own (R-25): what forecasts are made of.

The loop is plain Python over arrays like the steps it calls, so it runs as it stands or compiled (`Kernel`), with the
same bits. Battle number 0 of a seed is the ruling.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, get_type_hints

import numpy as np

from engine.autoalgo.battle import begin, blank_orders, fight_hour
from engine.autoalgo.consequences import Consequences, blank_consequences, note_consequences
from engine.autoalgo.deploy import deploy
from engine.autoalgo.ends import Ends, blank_ends, note_end
from engine.autoalgo.events import Events, blank_events
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.purposes import BATTLE_PURPOSES, FORTUNE_FLANK, FORTUNE_SIDE
from engine.autoalgo.stakes import Stakes, stakes_of
from engine.autoalgo.state import HOURS, WINNER, Battle, Orders, Real, Tunables, Whole
from engine.autoalgo.tables import Tables
from engine.autoalgo.variables import side_variables
from engine.luck import Luck, draw, draw_singly, fill, fill_singly, within


class Series(NamedTuple):
    """What a series of battles begins with, and which they are.

    Args:
        whole: Every whole number of `Battle` before the first hour, in the order of its fields, shape (w,).
        real: Every other number of it, shape (r,).
        fortune_side: Most that the fortune of a side differs from 1 (R-28).
        fortune_flank: Most that the fortune of a flank does.
        seed: 0 to 2**64 - 1.
        first: Number of the first battle.
    """

    whole: Whole
    real: Real
    fortune_side: float
    fortune_flank: float
    seed: int
    first: int


class Room(NamedTuple):
    """Where the battles of one thread are fought, one after the other.

    Args:
        whole: The numbers that `battle` shows, shape (w,).
        real: Likewise, shape (r,).
        draws: Of the hour, shape (purposes, n).
    """

    whole: Whole
    real: Real
    draws: Real


def fight_all(
    series: Series,
    room: Room,
    battle: Battle,
    orders: Orders,
    tunables: Tunables,
    stakes: Stakes,
    events: Events,
    ends: Ends,
    consequences: Consequences,
) -> None:
    """Fight as many battles of the series as `ends` has rows, each to what follows from it.

    Events are written as ever; when an hour might not find room for them, those before are forgotten.
    """
    hourly = 12 * battle.side.shape[0] + 16
    for row in range(ends.winner.shape[0]):
        replicate = series.first + row
        room.whole[:] = series.whole
        room.real[:] = series.real
        fill(series.seed, replicate, 0, room.draws)
        meet_fortune(battle, series, room.draws)
        begin(battle, tunables.numbers, events)
        while battle.tally[WINNER] < 0:
            if events.used[0] + hourly > events.hour.shape[0]:
                events.used[0] = 0
            fill(series.seed, replicate, int(battle.tally[HOURS]) + 1, room.draws)
            fight_hour(battle, orders, tunables, room.draws, events)
        note_end(battle, tunables.numbers, ends, row)
        note_consequences(ends, row, stakes, series.seed, replicate, consequences)


def meet_fortune(battle: Battle, series: Series, draws: Real) -> None:
    """R-28: the fortunes of the day, from the draws of hour 0, shape (purposes, n)."""
    for side in range(2):
        battle.fortune_side[side] = within(
            draws[FORTUNE_SIDE, side], 1.0 - series.fortune_side, 1.0 + series.fortune_side
        )
    for flank in range(battle.side.shape[0]):
        battle.fortune_flank[flank] = within(
            draws[FORTUNE_FLANK, flank], 1.0 - series.fortune_flank, 1.0 + series.fortune_flank
        )


@dataclass(frozen=True, slots=True)
class Kernel:
    """Who fights the battles.

    Args:
        fight: `fight_all`, or what it was compiled to.
        why_not: Why it is not compiled, a clause; empty when it is.
    """

    fight: Callable[..., None]
    why_not: str = ""

    @property
    def is_compiled(self) -> bool:
        """Whether this is machine code."""
        return not self.why_not


PLAIN = Kernel(fight_all, "Python was asked for")


def compiled_kernel(cache: str | None = None) -> Kernel:
    """The battle as machine code, if the `[fast]` extra is installed and reckons as Python does; else as it stands.

    Compiling happens at the first battle, in about ten seconds, and is kept in the folder `cache` for other processes.
    """
    try:
        from engine import compiled
    except ImportError as error:
        return Kernel(fight_all, f"the fast extra is not installed ({error.name or error})")
    why_not = compiled.differs(cache)
    if why_not:
        return Kernel(fight_all, why_not)
    return Kernel(compiled.compiled(fight_all, {fill: fill_singly, draw: draw_singly}, cache))


class Stage(NamedTuple):
    """The arguments of `fight_all`."""

    series: Series
    room: Room
    battle: Battle
    orders: Orders
    tunables: Tunables
    stakes: Stakes
    events: Events
    ends: Ends
    consequences: Consequences


class Fought(NamedTuple):
    """How so many battles ended and what followed them, row by row."""

    ends: Ends
    consequences: Consequences


@dataclass(frozen=True, slots=True)
class Battlefield:
    """One war, deployed, to be fought as often as anybody likes.

    Args:
        seed: 0 to 2**64 - 1.
        battle: Before its first hour; nobody changes it.
        tunables: As the compiled code wants them, read only.
        stakes: Likewise.
        fortune_side: As in `Series`.
        fortune_flank: As in `Series`.
    """

    seed: int
    battle: Battle
    tunables: Tunables
    stakes: Stakes
    fortune_side: float
    fortune_flank: float

    @classmethod
    def of(cls, inputs: WarInputs, tables: Tables, seed: int) -> Battlefield:
        """Deploy a war.

        Args:
            inputs: Read and checked.
            tables: Having the war's settings already (`Autoalgo.tables_having`).
            seed: The same as a ruling's for the same battles.

        Raises:
            ValueError: A strategy that cannot run (STRAT-07).
        """
        variables = side_variables(inputs, 0, tables), side_variables(inputs, 1, tables)
        battle, tunables = deploy(inputs, variables, tables, Luck(seed))
        strategy = tables.strategy
        stakes = stakes_of(inputs, battle, tunables, variables, tables)
        return cls(seed, battle, read_only(tunables), read_only(stakes), strategy.fortune_side, strategy.fortune_flank)

    def fight(self, first: int, count: int, kernel: Kernel = PLAIN) -> Fought:
        """Battles number `first` to `first + count - 1`; any number of threads may do so at once.

        Args:
            first: 0 is the ruling.
            count: How many.
            kernel: Who fights them.
        """
        stage = self.stage(first, count, kernel)
        kernel.fight(*stage)
        return Fought(stage.ends, stage.consequences)

    def stage(self, first: int, count: int, kernel: Kernel = PLAIN, events: Events | None = None) -> Stage:
        """Everything that `fight` hands to the kernel, which changes what is not named read only.

        `events` is where they are noted, for whoever wants them; a long enough one holds those of all battles.
        """
        flanks = self.battle.side.shape[0]
        battle, whole, real = packed(self.battle)
        seed: Any = np.uint64(self.seed) if kernel.is_compiled else self.seed  # or it would not fit machine code's int
        return Stage(
            series=Series(whole.copy(), real.copy(), float(self.fortune_side), float(self.fortune_flank), seed, first),
            room=Room(whole, real, np.zeros((BATTLE_PURPOSES, flanks))),
            battle=battle,
            orders=blank_orders(flanks),
            tunables=self.tunables,
            stakes=self.stakes,
            events=blank_events(flanks) if events is None else events,
            ends=blank_ends(count),
            consequences=blank_consequences(count),
        )


def packed(battle: Battle) -> tuple[Battle, Whole, Real]:
    """A copy whose arrays are pieces of two long ones, so that a battle is set up anew by two copies."""
    whole = np.concatenate([it.ravel() for it in battle if it.dtype == np.int64])
    real = np.concatenate([it.ravel() for it in battle if it.dtype == np.float64])
    pieces, at = [], {np.dtype(np.int64): 0, np.dtype(np.float64): 0}
    for it in battle:
        long = whole if it.dtype == np.int64 else real
        begin_at = at[it.dtype]
        pieces.append(long[begin_at : begin_at + it.size].reshape(it.shape))
        at[it.dtype] += it.size
    return Battle._make(pieces), whole, real


def read_only(record: Any) -> Any:
    """A named tuple with the types that any other of its class has too, so that one set of machine code serves all.

    Arrays are laid out row by row and cannot be written; numbers are what the class says, whole or not.
    """
    classes = get_type_hints(type(record))
    values = []
    for name, value in zip(record._fields, record, strict=True):
        if isinstance(value, np.ndarray):
            array = np.ascontiguousarray(value).view()
            array.setflags(write=False)
            values.append(array)
        else:
            values.append(read_only(value) if isinstance(value, tuple) else classes[name](value))
    return type(record)._make(values)
