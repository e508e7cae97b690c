"""One deployed war, fought any number of times for its ruling and forecasts (R-25)."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, get_type_hints

import numpy as np

from engine.autoalgo.aftermath.battle_end import Ends, blank_ends
from engine.autoalgo.aftermath.consequences import Consequences, blank_consequences
from engine.autoalgo.aftermath.inputs import AftermathInputs, aftermath_inputs
from engine.autoalgo.battle.draw_ids import BATTLE_PURPOSES
from engine.autoalgo.battle.draw_names import FixedDraw
from engine.autoalgo.battle.events import Events, blank_events
from engine.autoalgo.battle.frames import Frames, blank_frames
from engine.autoalgo.battle.hour import blank_orders
from engine.autoalgo.battle.state import Battle, Orders, Real, Tunables, Whole
from engine.autoalgo.fight.kernel import PLAIN, BatchSpec, Buffers, Kernel, SetDraws
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.setup.deploy import deploy
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import SideVariables, side_variables

EVENTS_SPARE, ROUNDS_KEPT = 400, 64
"""Spare events of a recorded battle beside those of an hour, and rounds of its occupation."""
FLANK_HOURS = 600
"""Hours times flanks of a recorded battle after which the kernel returns, so that they are reported."""


class KernelArgs(NamedTuple):
    """The arguments of `fight_all`."""

    batch: BatchSpec
    buffers: Buffers
    battle: Battle
    orders: Orders
    tunables: Tunables
    aftermath: AftermathInputs
    events: Events
    frames: Frames
    set_draws: SetDraws
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
    variables: tuple[SideVariables, SideVariables]  # The attacker's and the defender's
    battle: Battle  # Before its first hour, without luck; never changed
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
        battle, tunables = deploy(inputs, variables, tables)
        strategy = tables.strategy
        aftermath = aftermath_inputs(inputs, battle, tunables, variables, tables)
        return cls(
            seed,
            variables,
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

    def stage(
        self,
        first: int,
        count: int,
        kernel: Kernel = PLAIN,
        events: Events | None = None,
        frames: int = 0,
        fixed: Sequence[FixedDraw] = (),
        rounds: int = 0,
    ) -> KernelArgs:
        """Return the arguments of the kernel, which writes to all that are not marked as read-only.

        Args:
            events: The buffer of events, for those of all battles if long enough.
            frames: The number of frames after which the kernel returns; 0 to record none.
            fixed: The draws set by a moderator (OVR-11).
            rounds: The number of rounds of the occupation that are kept.
        """
        flanks = self.battle.side.shape[0]
        battle, whole, real = packed(self.battle)
        seed: Any = np.uint64(self.seed) if kernel.is_compiled else self.seed  # too large for machine code's int
        fortunes = float(self.fortune_side), float(self.fortune_flank), float(self.fortune_panic)
        return KernelArgs(
            batch=BatchSpec(whole.copy(), real.copy(), *fortunes, seed, first, self.fortunes_of),
            buffers=Buffers(whole, real, np.zeros((BATTLE_PURPOSES, flanks)), np.zeros(1, np.int64)),
            battle=battle,
            orders=blank_orders(flanks),
            tunables=self.tunables,
            aftermath=self.aftermath,
            events=events or blank_events(flanks),
            frames=blank_frames(frames, flanks),
            set_draws=set_draws_of(fixed),
            ends=blank_ends(count),
            consequences=blank_consequences(count, rounds),
        )

    def recording(
        self, number: int = 0, kernel: Kernel = PLAIN, fixed: Sequence[FixedDraw] = (), frames: int = 0
    ) -> KernelArgs:
        """Return the arguments of the kernel for one recorded battle, some hours at a time.

        Args:
            number: The number of the battle; 0 is the ruling.
            fixed: The draws set by a moderator (OVR-11).
            frames: The number of frames after which the kernel returns; 0 for as many as are fought in a moment.
        """
        flanks = self.battle.side.shape[0]
        events = blank_events(flanks, EVENTS_SPARE, with_terms=True)
        return self.stage(number, 1, kernel, events, frames or max(2, FLANK_HOURS // flanks), fixed, ROUNDS_KEPT)


def set_draws_of(fixed: Sequence[FixedDraw]) -> SetDraws:
    """Return the draws set by a moderator, as arrays for the kernel."""
    rows = [(each, purpose) for each in fixed for purpose in each.place.purposes]
    return SetDraws(
        hour=np.array([each.hour for each, _ in rows], np.int64),
        purpose=np.array([purpose for _, purpose in rows], np.int64),
        place=np.array([each.place.index for each, _ in rows], np.int64),
        value=np.array([each.decided.value for each, _ in rows], np.float64),
    )


def packed(battle: Battle) -> tuple[Battle, Whole, Real]:
    """Return a copy whose arrays are pieces of two long ones, so that two copies set up a battle again."""
    sizes = [sum(array.size for array in battle if array.dtype == kind) for kind in (np.int64, np.float64)]
    whole, real = np.zeros(sizes[0], np.int64), np.zeros(sizes[1])
    pieces, at = [], [0, 0]
    for array in battle:
        is_real = array.dtype == np.float64
        piece = (real if is_real else whole)[at[is_real] : at[is_real] + array.size]
        piece[:] = array.reshape(array.size)
        pieces.append(piece.reshape(array.shape))
        at[is_real] += array.size
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
