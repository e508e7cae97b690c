"""Battles upon battles until the odds are sure enough, or the budget is spent (FC-03).

Battles are fought in chunks by threads; the chunks grow until one takes long enough to be worth its while. Neither
their number nor their order shows in the result: it is always the first n battles of the seed, and whether the odds
are sure enough is asked only every `STEP` battles.
"""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from engine.forecast import Replicates, Whole, joined, odds, wins

STEP = 100
"""Battles after which the error is looked at."""
LONG_ENOUGH, LONGEST = 0.05, 1.0
"""Seconds of a chunk of one war, and of however many: each has to be set up anew, which shall not be most of it."""
CHUNK_MOST = 5_000
RUNS_MOST = 1_000_000
ERROR = 0.01
SECONDS = 10.0

Fight = Callable[[int, int], Replicates]
"""Battles of one war and seed: number of the first, how many."""


class Pending(Protocol):
    """What somebody is finding out."""

    def result(self) -> Any:
        """Wait for it."""
        ...

    def cancel(self) -> object:
        """Nobody wants it any more."""
        ...


class Executes(Protocol):
    """Who calls functions side by side: a pool of threads, a cluster."""

    def submit(self, function: Callable[..., Any], /, *given: Any) -> Pending:
        """Have a function called."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """When it is enough.

    Args:
        runs: Most battles of each war.
        error: Of the odds, 0 to 1; enough when it is reached.
        seconds: Most time; at least one battle of each war is fought.
        threads: That fight side by side; None for as many as there are.
    """

    runs: int = RUNS_MOST
    error: float = ERROR
    seconds: float = SECONDS
    threads: int | None = 1


class Lost(Exception):
    """Battles can be fought no longer where they were; one sentence says why and what to do."""


def budget_of(*, runs: int | None, error: float | None, seconds: float | None, threads: int | None) -> Budget:
    """From what was typed, the error in points; what was not typed does not end it before what was."""
    is_free = runs is not None or error is not None
    return Budget(
        runs=RUNS_MOST if runs is None else runs,
        error=(0.0 if runs is not None else ERROR) if error is None else error / 100,
        seconds=(math.inf if is_free else SECONDS) if seconds is None else seconds,
        threads=threads,
    )


@dataclass(frozen=True, slots=True)
class Fought:
    """What came of it.

    Args:
        wars: The battles of each war, equally many; none when it was stopped before the first.
        end: What ended it: `error`, `runs`, `seconds`, `stopped` or `lost`.
        why: Of what was lost, a sentence; blank otherwise.
    """

    wars: tuple[Replicates, ...]
    end: str
    why: str = ""

    @property
    def runs(self) -> int:
        """Battles of each war."""
        return len(self.wars[0]) if self.wars else 0


Heard = Callable[[int, float, float], None]
"""Hears battles so far, their error and how much of the work is done, 0 to 1."""


def unheard(runs: int, error: float, share: float) -> None:
    """Nobody watches."""


def threads_at_hand() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def refine(
    fights: Sequence[Any],
    budget: Budget,
    heard: Heard = unheard,
    clock: Callable[[], float] = time.monotonic,
    executor: Executes | None = None,
    long_enough: float = LONG_ENOUGH,
) -> Fought:
    """Fight some wars side by side, each with equally many battles.

    Ctrl+C ends it with what is known so far.

    Args:
        fights: One a war: a `Fight`, or what stands for it where the executor is.
        budget: When it is enough.
        heard: Who watches.
        clock: Seconds that never go back.
        executor: Where the battles are fought; threads of its own without one.
        long_enough: Seconds of a chunk of one war.
    """
    threads = budget.threads or threads_at_hand()
    if executor is not None:
        return _Refining(fights, budget, heard, clock, executor, threads, long_enough).refine()
    pool = ThreadPoolExecutor(threads, "battles")
    try:
        return _Refining(fights, budget, heard, clock, pool, threads, long_enough).refine()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class _Refining:
    def __init__(
        self,
        fights: Sequence[Any],
        budget: Budget,
        heard: Heard,
        clock: Callable[[], float],
        pool: Executes,
        threads: int,
        long_enough: float,
    ) -> None:
        self.fights = fights
        self.budget = budget
        self.heard = heard
        self.clock = clock
        self.pool = pool
        self.threads = threads
        self.long_enough = long_enough
        self.began = clock()
        self.parts: list[tuple[Replicates, ...]] = []
        self.waiting: deque[Pending] = deque()
        self.chunk = 1
        self.sent = 0
        self.done = 0
        self.looked_at = 0
        self.counts = [np.zeros(3, np.int64) for _ in fights]
        self.unseen: list[list[Whole]] = [[] for _ in fights]
        self.error = 1.0

    def refine(self) -> Fought:
        try:
            while self._send():
                if self._take():
                    return self._fought("error", self.looked_at)
            return self._fought("runs" if self.done >= self.budget.runs else "seconds", self.done)
        except KeyboardInterrupt:
            return self._fought("stopped", self.done)
        except Lost as lost:
            return replace(self._fought("lost", self.done), why=str(lost))
        finally:
            for future in self.waiting:
                future.cancel()

    def _send(self) -> bool:
        """Keep the threads at work; whether anything is under way."""
        while len(self.waiting) <= self.threads and self.sent < self.budget.runs and not self._is_late():
            count = min(self.chunk, self.budget.runs - self.sent)
            self.waiting.append(self.pool.submit(_chunk, self.fights, self.sent, count))
            self.sent += count
        return bool(self.waiting) and not (self.done and self._is_late())

    def _take(self) -> bool:
        """Take the next chunk; whether the odds are sure enough now."""
        wars, took = self.waiting.popleft().result()
        self.parts.append(wars)
        self.done += len(wars[0])
        if took < min(LONGEST, self.long_enough * len(self.fights)) and len(wars[0]) == self.chunk:
            self.chunk = min(2 * self.chunk, CHUNK_MOST)
        is_sure = self._is_sure()
        spent = (self.clock() - self.began) / self.budget.seconds if self.budget.seconds else 1.0
        share = max(self.done / self.budget.runs, spent, (self.budget.error / self.error) ** 2)
        self.heard(self.done, self.error, min(1.0, share))
        return is_sure

    def _is_sure(self) -> bool:
        """Look at each step that was reached since the last look."""
        first = self.done - len(self.parts[-1][0])
        unseen = [np.concatenate([*self.unseen[war], _winner(it, first)]) for war, it in enumerate(self.parts[-1])]
        seen = 0
        while self.done >= self.looked_at + STEP:
            self.looked_at += STEP
            for counts, winner in zip(self.counts, unseen, strict=True):
                counts += wins(winner[seen : seen + STEP])
            seen += STEP
            self.error = max(odds(int(it), self.looked_at).error for counts in self.counts for it in counts)
            if self.error <= self.budget.error:
                return True
        self.unseen = [[winner[seen:]] for winner in unseen]
        return False

    def _is_late(self) -> bool:
        return self.sent > 0 and self.clock() - self.began >= self.budget.seconds

    def _fought(self, end: str, count: int) -> Fought:
        if not self.parts:
            return Fought((), end)
        wars = (joined([part[war] for part in self.parts]) for war in range(len(self.fights)))
        return Fought(tuple(war.first(count) for war in wars), end)


def _winner(it: Replicates, first: int) -> Whole:
    """Who won; where the rules know no winner, each side in turn: no share of so many battles is less sure."""
    return np.arange(first, first + len(it)) % 2 if it.winner is None else it.winner


def _chunk(fights: Sequence[Fight], first: int, count: int) -> tuple[tuple[Replicates, ...], float]:
    """The same battles of every war, and the seconds they took."""
    began = time.monotonic()
    return tuple(fight(first, count) for fight in fights), time.monotonic() - began
