"""Time for threads that goes on as soon as each of them waits, so that hours pass in the time of their work."""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Callable

from sheets_algo.workbook.errors import Interrupted


class SimulatedTime:
    """A clock for a number of threads; once each of them has waited, one at a time is awake.

    Args:
        start: The time in Unix seconds.
        threads: The number of threads that will wait by it.
        on_moved: A function that is called with the new time.

    Attributes:
        stop: The event of the end; from then on nobody waits.
    """

    def __init__(self, start: float, threads: int, on_moved: Callable[[float], None]) -> None:
        self.stop = threading.Event()
        self._now, self._awake, self._on_moved = start, threads, on_moved
        self._lock = threading.Lock()
        self._waiting: list[tuple[float, int, threading.Event]] = []
        self._numbers = itertools.count()

    def now(self) -> float:
        """Return the time in Unix seconds."""
        return self._now

    def wait(self, seconds: float) -> None:
        """Wait for some seconds, or until the end."""
        turn = threading.Event()
        with self._lock:
            if self.stop.is_set():
                return
            heapq.heappush(self._waiting, (self._now + max(seconds, 0.0), next(self._numbers), turn))
            self._awake -= 1
            self._wake()
        turn.wait()

    def pause(self, seconds: float, stop: threading.Event | None) -> None:
        """Wait as the client of Google does (`Pace.wait`).

        Raises:
            Interrupted: The end has come.
        """
        self.wait(seconds)
        if self.stop.is_set():
            raise Interrupted

    def leave(self) -> None:
        """Go on without the calling thread."""
        with self._lock:
            self._awake -= 1
            self._wake()

    def end(self) -> None:
        """Wake everybody."""
        with self._lock:
            self.stop.set()
            for _, _, turn in self._waiting:
                turn.set()

    def _wake(self) -> None:
        """Wake whoever waits for the earliest time, if nobody is awake."""
        if self._awake or not self._waiting:
            return
        self._now, _, turn = heapq.heappop(self._waiting)
        self._on_moved(self._now)
        self._awake += 1
        turn.set()
