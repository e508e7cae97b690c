"""Counter-based random numbers (R-25): every draw is a function of seed, replicate, hour, index and purpose.

There is no state, so any battle can be replayed alone and the order of evaluation does not matter. The hash is
SplitMix64's finaliser, chained over the counters and cut to 53 bits. Purposes are numbers that a ruleset assigns once
and never changes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
FIRST = 0xBF58476D1CE4E5B9
SECOND = 0x94D049BB133111EB


def uniforms(
    seed: int, replicate: int, hour: int, indices: NDArray[np.uint64], purposes: NDArray[np.uint64]
) -> NDArray[np.float64]:
    """Return draws in [0, 1), shape (purposes, indices), each equal to the result of `draw` for its counters.

    Args:
        replicate: The number of the battle among those of one seed; a ruling is replicate 0.
        indices: Flank or side numbers, shape (indices,).
    """
    start = _mixed(_mixed(_mixed(seed) ^ replicate) ^ hour)
    by_purpose = _mixed_block(np.uint64(start) ^ purposes)
    bits: NDArray[np.uint64] = _mixed_block(by_purpose[:, None] ^ indices[None, :]) >> np.uint64(11)
    return bits.astype(np.float64) * (1.0 / (1 << 53))


def fill(seed: int, replicate: int, hour: int, first: int, end: int, draws: NDArray[np.float64]) -> None:
    """Write the draws of an hour for the purposes from `first` up to, not including, `end` into their rows.

    Args:
        draws: Shape (purposes, indices), both counted from 0.
    """
    indices, purposes = np.arange(draws.shape[1], dtype=np.uint64), np.arange(end, dtype=np.uint64)
    draws[first:end] = uniforms(seed, replicate, hour, indices, purposes[first:])


def fill_singly(seed: int, replicate: int, hour: int, first: int, end: int, draws: NDArray[np.float64]) -> None:
    """Write the same draws as `fill`, hashed one by one, for compiled code."""
    by_seed = _mixed_block(np.uint64(seed)) ^ np.uint64(replicate)
    by_hour = _mixed_block(_mixed_block(by_seed) ^ np.uint64(hour))
    for purpose in range(first, end):
        by_purpose = _mixed_block(by_hour ^ np.uint64(purpose))
        for index in range(draws.shape[1]):
            bits = _mixed_block(by_purpose ^ np.uint64(index)) >> np.uint64(11)
            draws[purpose, index] = float(bits) * (1.0 / (1 << 53))


def whole_by_chance(amount: float, draw: float) -> int:
    """Round at random to a whole number whose expectation is the amount; `draw` is in [0, 1) (R-26)."""
    return math.ceil(amount - draw)


def ranked(draws: NDArray[np.float64], order: NDArray[np.int64], count: int) -> None:
    """Sort the first `count` indices of draws in `order`, which ascend, by their draws, the lowest first."""
    order[:count] = sorted(order[:count].tolist(), key=draws.tolist().__getitem__)


def ranked_singly(draws: NDArray[np.float64], order: NDArray[np.int64], count: int) -> None:
    """Sort indices as `ranked` does by Shell's sort, without another array, for compiled code."""
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for place in range(gap, count):
            index = order[place]
            draw = draws[index]
            hole = place
            while hole >= gap:
                other = order[hole - gap]
                if draws[other] < draw or (draws[other] == draw and other < index):
                    break
                order[hole] = other
                hole -= gap
            order[hole] = index
        gap //= 3


def draw(seed: int, replicate: int, hour: int, purpose: int, index: int) -> float:
    """Return one draw in [0, 1)."""
    state = _mixed(_mixed(_mixed(seed) ^ replicate) ^ hour)
    return (_mixed(_mixed(state ^ purpose) ^ index) >> 11) * (1.0 / (1 << 53))


def draw_singly(seed: int, replicate: int, hour: int, purpose: int, index: int) -> float:
    """Return the same draw as `draw`, in 64-bit arithmetic, for compiled code."""
    by_seed = _mixed_block(np.uint64(seed)) ^ np.uint64(replicate)
    state = _mixed_block(_mixed_block(by_seed) ^ np.uint64(hour))
    bits = _mixed_block(_mixed_block(state ^ np.uint64(purpose)) ^ np.uint64(index)) >> np.uint64(11)
    return float(bits) * (1.0 / (1 << 53))


def within(draw: float, low: float, high: float) -> float:
    """Map a draw in [0, 1) to a number in [low, high)."""
    return low + (high - low) * draw


@dataclass(frozen=True, slots=True)
class Rng:
    """Source of the draws of one battle."""

    seed: int  # The seed, 0 to 2**64 - 1
    replicate: int = 0  # The battle's number: 0 for a ruling, counted up in forecasts

    def uniform(self, purpose: int, hour: int = 0, index: int = 0, low: float = 0.0, high: float = 1.0) -> float:
        """Return a number in [low, high)."""
        return within(draw(self.seed, self.replicate, hour, purpose, index), low, high)

    def whole(self, purpose: int, low: int, high: int, hour: int = 0, index: int = 0) -> int:
        """Return a whole number from low to high, both included, all equally likely."""
        return low + math.floor(self.uniform(purpose, hour, index) * (high - low + 1))

    def block(self, hour: int, indices: int, purposes: int) -> NDArray[np.float64]:
        """Return all draws of an hour, shape (purposes, indices), both counted from 0."""
        draws = np.zeros((purposes, indices))
        fill(self.seed, self.replicate, hour, 0, purposes, draws)
        return draws


def _mixed(value: int) -> int:
    value = (value + GOLDEN) & MASK
    value = ((value ^ (value >> 30)) * FIRST) & MASK
    value = ((value ^ (value >> 27)) * SECOND) & MASK
    return value ^ (value >> 31)


def _mixed_block(values: Any) -> Any:
    """Apply `_mixed` to one `np.uint64` or to an array of them."""
    values = values + np.uint64(GOLDEN)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(FIRST)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(SECOND)
    return values ^ (values >> np.uint64(31))
