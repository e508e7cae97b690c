"""A battle fought once: its events and frames, the source of log, account, replay and picture (LOG-03)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.autoalgo.battle import events as kinds
from engine.autoalgo.battle.events import Happening, happenings
from engine.autoalgo.battle.frames import Frames
from engine.autoalgo.battle.state import RETREATING, WINNER, Battle, Ground
from engine.autoalgo.fight.battlefield import KernelArgs
from engine.autoalgo.fight.kernel import Kernel


class RecordedBattle:
    """One battle with its events and frames.

    Args:
        stage: The arguments of the kernel, with room for frames (`Battlefield.recording`).
    """

    def __init__(self, stage: KernelArgs, kernel: Kernel) -> None:
        self.stage, self._kernel = stage, kernel
        self.happened: list[Happening] = []
        """All events so far."""
        self._frames: list[Frames] = []

    @property
    def battle(self) -> Battle:
        """Return the present state of the battle."""
        return self.stage.battle

    def hours(self) -> Iterator[tuple[int, list[Happening]]]:
        """Fight the battle and its aftermath, and yield each hour with its events; 0 is before the first."""
        events, frames = self.stage.events, self.stage.frames
        hour = 0
        while not self._frames or self.battle.tally[WINNER] < 0:
            self._kernel.fight(*self.stage)
            count = int(frames.used[0])
            rows = [*happenings(events)]
            self.happened += rows
            self._frames.append(Frames._make(column[:count].copy() for column in frames))
            events.used[0] = frames.used[0] = 0
            place = 0
            for now in range(hour, hour + count):
                first = place
                while place < len(rows) and rows[place].hour == now:
                    place += 1
                yield now, rows[first:place]
            hour += count

    @cached_property
    def frames(self) -> Frames:
        """Return the flanks before the first hour and after each, of a finished battle."""
        _, *columns = zip(*self._frames, strict=True)
        count = np.array([len(part.x_m) for part in self._frames])
        return Frames(count, *(np.stack([row for part in column for row in part]) for column in columns))

    @cached_property
    def on_water(self) -> NDArray[np.int64]:
        """Return 1 for each flank of a frame that is on Water, shape (frames, n)."""
        ground, frames = self.stage.tunables.ground, self.frames
        on_water: NDArray[np.int64] = ground.is_water[
            ground.codes[_pixels(frames.y_m, ground), _pixels(frames.x_m, ground)]
        ]
        return on_water

    @property
    def is_naval(self) -> bool:
        """Return True if a flank on Water attacked one on Water, or ships were sunk (RCPT-01, R-77).

        An attacking flank does not move in the same hour, so it fought from its present place.
        """
        on_water = self.on_water.tolist()
        return any(
            event.kind == kinds.SUNK
            or (event.kind == kinds.ATTACK and on_water[event.hour][event.flank] and on_water[event.hour][event.target])
            for event in self.happened
        )

    def fighting_men(self, hour: int) -> tuple[int, int]:
        """Return the men of both sides' flanks that neither retreat nor are out of the battle after an hour (R-92)."""
        flanks = zip(
            self.battle.side.tolist(),
            self.frames.status[hour].tolist(),
            self.frames.men[hour].tolist(),
            strict=True,
        )
        men = [0, 0]
        for side, status, present in flanks:
            men[side] += present if status < RETREATING else 0
        return men[0], men[1]


def _pixels(metres: NDArray[np.float64], ground: Ground) -> Any:
    """Return the rows or columns of pixels of coordinates (R-33)."""
    last = ground.codes.shape[0] - 1
    pixels = (metres / ground.metres).astype(np.int64)
    return np.where(pixels > last, last, pixels)
