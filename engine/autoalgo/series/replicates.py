"""One deployed war, fought any number of times for forecasts (R-25)."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, get_type_hints

import numpy as np

from engine.autoalgo.aftermath.battle_end import Ends, blank_ends
from engine.autoalgo.aftermath.consequences import Consequences, blank_consequences
from engine.autoalgo.aftermath.inputs import AftermathInputs, aftermath_inputs
from engine.autoalgo.battle.draw_ids import BATTLE_PURPOSES
from engine.autoalgo.battle.events import Events, blank_events
from engine.autoalgo.battle.hour import blank_orders
from engine.autoalgo.battle.state import Battle, Orders, Real, Tunables, Whole
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.series.kernel import PLAIN, BatchSpec, Buffers, Kernel
from engine.autoalgo.setup.deploy import deploy
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import side_variables
from engine.rng import Rng


class KernelArgs(NamedTuple):
    """The arguments of `fight_all`."""

    batch: BatchSpec
    buffers: Buffers
    battle: Battle
    orders: Orders
    tunables: Tunables
    aftermath: AftermathInputs
    events: Events
    ends: Ends
    consequences: Consequences


class BattleResults(NamedTuple):
    """Results and aftermaths of many battles, one row for each battle."""

    ends: Ends
    consequences: Consequences


@dataclass(frozen=True, slots=True)
class Battlefield:
    """One deployed war, to be fought any number of times."""

    seed: int  # 0 to 2**64 - 1
    battle: Battle  # Before its first hour; never changed
    tunables: Tunables  # In the types of the compiled code, read only
    aftermath: AftermathInputs  # Likewise
    fortune_side: float  # As in `BatchSpec`
    fortune_flank: float  # As in `BatchSpec`
    fortune_panic: float  # As in `BatchSpec`
    fortunes_of: int = -1  # As in `BatchSpec`

    @classmethod
    def of(cls, inputs: WarInputs, tables: Tables, seed: int) -> Battlefield:
        """Deploy a war.

        Args:
            tables: The tables with the war's settings (`Autoalgo.tables_having`).
            seed: The ruling's seed.

        Raises:
            ValueError: A strategy that cannot run (STRAT-07).
        """
        variables = side_variables(inputs, 0, tables), side_variables(inputs, 1, tables)
        battle, tunables = deploy(inputs, variables, tables, Rng(seed))
        strategy = tables.strategy
        aftermath = aftermath_inputs(inputs, battle, tunables, variables, tables)
        return cls(
            seed,
            battle,
            read_only(tunables),
            read_only(aftermath),
            strategy.fortune_side,
            strategy.fortune_flank,
            strategy.fortune_panic,
        )

    def fight(self, first: int, count: int, kernel: Kernel = PLAIN) -> BattleResults:
        """Fight the battles `first` to `first + count - 1`; any number of threads may call this at once.

        Args:
            first: 0 is the ruling.
        """
        stage = self.stage(first, count, kernel)
        kernel.fight(*stage)
        return BattleResults(stage.ends, stage.consequences)

    def stage(self, first: int, count: int, kernel: Kernel = PLAIN, events: Events | None = None) -> KernelArgs:
        """Return the arguments of the kernel, which writes to all that are not marked as read-only.

        `events` receives the events; if long enough, those of all battles.
        """
        flanks = self.battle.side.shape[0]
        battle, whole, real = packed(self.battle)
        seed: Any = np.uint64(self.seed) if kernel.is_compiled else self.seed  # too large for machine code's int
        return KernelArgs(
            batch=BatchSpec(
                whole.copy(),
                real.copy(),
                float(self.fortune_side),
                float(self.fortune_flank),
                float(self.fortune_panic),
                seed,
                first,
                self.fortunes_of,
            ),
            buffers=Buffers(whole, real, np.zeros((BATTLE_PURPOSES, flanks))),
            battle=battle,
            orders=blank_orders(flanks),
            tunables=self.tunables,
            aftermath=self.aftermath,
            events=blank_events(flanks) if events is None else events,
            ends=blank_ends(count),
            consequences=blank_consequences(count),
        )


def packed(battle: Battle) -> tuple[Battle, Whole, Real]:
    """Return a copy whose arrays are pieces of two long ones, so that two copies set up a battle again."""
    whole = np.concatenate([array.ravel() for array in battle if array.dtype == np.int64])
    real = np.concatenate([array.ravel() for array in battle if array.dtype == np.float64])
    pieces, at = [], {np.dtype(np.int64): 0, np.dtype(np.float64): 0}
    for array in battle:
        long = whole if array.dtype == np.int64 else real
        begin_at = at[array.dtype]
        pieces.append(long[begin_at : begin_at + array.size].reshape(array.shape))
        at[array.dtype] += array.size
    return Battle._make(pieces), whole, real


def read_only(record: Any) -> Any:
    """Return a read-only named tuple of uniform types, so that all of a class share their machine code.

    Arrays are laid out row by row and are not writable; numbers are converted to the declared types.
    """
    kind: type = type(record)  # mypy takes type[Any] for the class's own instances
    classes = _classes_of(kind)
    values = []
    for name, value in zip(record._fields, record, strict=True):
        if isinstance(value, np.ndarray):
            array = np.ascontiguousarray(value).view()
            array.setflags(write=False)
            values.append(array)
        else:
            values.append(read_only(value) if isinstance(value, tuple) else classes[name](value))
    return type(record)._make(values)


@functools.cache
def _classes_of(record: type) -> Mapping[str, Any]:
    """Return each field with its declared class; the cache saves a third of the time of deploying a war."""
    return get_type_hints(record)
