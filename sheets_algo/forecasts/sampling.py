"""Sampling of battles until the odds are precise enough or the budget is spent (FC-03).

Threads fight the battles in chunks, which grow until one takes long enough. Neither the number nor the order of chunks
affects the result: it is always the first n battles of the seed, and the error is checked only every `STEP` battles.
"""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any, Protocol

import numpy as np

from engine.errors import ExpectedError
from engine.forecast import Replicates, Whole, joined, odds, wins
from engine.ruleset import no_op

STEP = 100
"""Number of battles between two checks of the error."""
LONG_ENOUGH, LONGEST = 0.05, 1.0
"""Seconds that a chunk should take per war, and at most in all, so that its set-up is a small part of it."""
CHUNK_MOST = 5_000
RUNS_MOST = 1_000_000
ERROR = 0.01
SECONDS = 10.0

Fight = Callable[[int, int], Replicates]
"""Fights battles of one war and seed: number of the first, count."""


class PendingResult(Protocol):
    """Result that is not known yet."""

    def result(self) -> Any:
        """Wait for the result and return it."""

    def cancel(self) -> object:
        """Cancel the computation."""


class Executor(Protocol):
    """Pool of threads or cluster that calls functions side by side."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> PendingResult:
        """Let a function be called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleBudget:
    """Conditions that end the sampling."""

    runs: int = RUNS_MOST  # The maximum number of battles per war
    error: float = ERROR  # The error of the odds, 0 to 1, at which sampling ends
    seconds: float = SECONDS  # The maximum time; at least one battle of each war is fought
    threads: int | None = 1  # The number of threads; None for one per processor


class WorkerLost(ExpectedError):
    """Raised when the place where battles are fought is lost; one sentence says why and what to do."""


def sample_budget(*, runs: int | None, error: float | None, seconds: float | None, threads: int | None) -> SampleBudget:
    """Return a budget from typed options, the error in points; only typed limits end the sampling."""
    is_free = runs is not None or error is not None
    return SampleBudget(
        runs=RUNS_MOST if runs is None else runs,
        error=(0.0 if runs is not None else ERROR) if error is None else error / 100,
        seconds=(math.inf if is_free else SECONDS) if seconds is None else seconds,
        threads=threads,
    )


@dataclass(frozen=True, slots=True)
class SampleResult:
    """Battles that were fought."""

    wars: tuple[Replicates, ...]  # The battles of each war, equally many; empty if it was stopped before the first
    end: str  # The reason for the end: `error`, `runs`, `seconds`, `stopped` or `lost`
    why: str = ""  # A sentence on the loss of the executor; blank otherwise

    @property
    def runs(self) -> int:
        """Return the number of battles per war."""
        return len(self.wars[0]) if self.wars else 0


SampleProgress = Callable[[int, float, float, Sequence[int]], None]
"""Receives the number of battles so far, their error, the share of the work done, 0 to 1, and the first war's `wins`.

There are no wins where the rules know no winner.
"""


def available_threads() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def refine(
    fights: Sequence[Any],
    budget: SampleBudget,
    progress: SampleProgress = no_op,
    executor: Executor | None = None,
    long_enough: float = LONG_ENOUGH,
) -> SampleResult:
    """Fight some wars side by side, each with equally many battles.

    Ctrl+C ends it with the results so far.

    Args:
        fights: One per war: a `Fight`, or a reference to one in the executor.
        executor: The executor of the battles; None for a new pool of threads.
        long_enough: The seconds that a chunk should take per war.
    """
    threads = budget.threads or available_threads()
    if executor is not None:
        return _Sampler(fights, budget, progress, executor, threads, long_enough).refine()
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(threads, "battles")
    try:
        return _Sampler(fights, budget, progress, pool, threads, long_enough).refine()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _noted_interrupts() -> Iterator[list[int]]:
    """List each Ctrl+C besides raising KeyboardInterrupt, which Python drops in a finalizer.

    Nothing is changed where Ctrl+C does something else, or in a thread.
    """
    interrupts: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        interrupts.append(number)
        signal.default_int_handler(number, frame)

    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield interrupts
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass
class _Sampler:
    fights: Sequence[Any]
    budget: SampleBudget
    progress: SampleProgress
    pool: Executor
    threads: int
    long_enough: float
    chunk: int = 1
    sent: int = 0
    done: int = 0
    checked: int = 0
    error: float = 1.0

    def __post_init__(self) -> None:
        self.start = time.monotonic()
        self.parts: list[tuple[Replicates, ...]] = []
        self.pending: deque[PendingResult] = deque()
        self.counts = [np.zeros(3, np.int64) for _ in self.fights]
        self.unchecked: list[list[Whole]] = [[] for _ in self.fights]
        self.wins = np.zeros(3, np.int64)

    def refine(self) -> SampleResult:
        try:
            with _noted_interrupts() as interrupts:
                while self._send():
                    if interrupts:
                        return self._result("stopped", self.done)
                    if self._take():
                        return self._result("error", self.checked)
            return self._result("runs" if self.done >= self.budget.runs else "seconds", self.done)
        except KeyboardInterrupt:
            return self._result("stopped", self.done)
        except WorkerLost as lost:
            return replace(self._result("lost", self.done), why=str(lost))
        finally:
            for future in self.pending:
                future.cancel()

    def _send(self) -> bool:
        """Keep the threads at work; return True if any chunk is pending."""
        while len(self.pending) <= self.threads and self.sent < self.budget.runs and not self._is_time_over():
            count = min(self.chunk, self.budget.runs - self.sent)
            self.pending.append(self.pool.submit(_chunk, self.fights, self.sent, count))
            self.sent += count
        return bool(self.pending) and not (self.done and self._is_time_over())

    def _take(self) -> bool:
        """Take the next chunk; return True if the odds are precise enough."""
        wars, took = self.pending.popleft().result()
        self.parts.append(wars)
        self.done += len(wars[0])
        if took < min(LONGEST, self.long_enough * len(self.fights)) and len(wars[0]) == self.chunk:
            self.chunk = min(2 * self.chunk, CHUNK_MOST)
        is_precise = self._is_precise()
        spent = (time.monotonic() - self.start) / self.budget.seconds if self.budget.seconds else 1.0
        share = max(self.done / self.budget.runs, spent, (self.budget.error / self.error) ** 2)
        if wars[0].winner is not None:
            self.wins += wins(wars[0].winner)
        self.progress(self.done, self.error, min(1.0, share), self.wins.tolist() if self.wins.any() else ())
        return is_precise

    def _is_precise(self) -> bool:
        """Check the error at each step that was reached since the last check."""
        last = self.parts[-1]
        first = self.done - len(last[0])
        unchecked = [np.concatenate([*self.unchecked[war], _winner(part, first)]) for war, part in enumerate(last)]
        position = 0
        while self.done >= self.checked + STEP:
            self.checked += STEP
            for counts, winner in zip(self.counts, unchecked, strict=True):
                counts += wins(winner[position : position + STEP])
            position += STEP
            self.error = max(odds(int(count), self.checked).error for counts in self.counts for count in counts)
            if self.error <= self.budget.error:
                return True
        self.unchecked = [[winner[position:]] for winner in unchecked]
        return False

    def _is_time_over(self) -> bool:
        return self.sent > 0 and time.monotonic() - self.start >= self.budget.seconds

    def _result(self, end: str, count: int) -> SampleResult:
        if not self.parts:
            return SampleResult((), end)
        wars = (joined([part[war] for part in self.parts]) for war in range(len(self.fights)))
        return SampleResult(tuple(war.first(count) for war in wars), end)


def _winner(replicates: Replicates, first: int) -> Whole:
    """Return the winners; without one in the rules, alternating sides, for which the error is largest."""
    return np.arange(first, first + len(replicates)) % 2 if replicates.winner is None else replicates.winner


def _chunk(fights: Sequence[Fight], first: int, count: int) -> tuple[tuple[Replicates, ...], float]:
    """Fight the same battles of every war; return them with the seconds they took."""
    start = time.monotonic()
    return tuple(fight(first, count) for fight in fights), time.monotonic() - start
