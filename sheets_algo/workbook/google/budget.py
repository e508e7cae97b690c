"""How many requests a minute the program allows itself, so that another program on the account still works.

Google counts 60 reads and 60 writes a minute for each account, a batch as one, and says nothing before it refuses.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from sheets_algo.workbook.google.backoff import Pace

Kind = Literal["read", "write"]

WINDOW_S = 60.0
PROBE_S = 10.0
"""Least time between two requests of a kind in the minute after Google refused one."""


@dataclass(slots=True)
class _Refusal:
    """Google's limit as it was last run into; all shares of a budget are of one account."""

    over: float = float("-inf")
    next_probe: float = float("-inf")


@dataclass(slots=True)
class _Lane:
    """One kind of request: at most `limit` of them in any `window_s` seconds."""

    limit: int
    window_s: float
    refusal: _Refusal
    taken: deque[float] = field(default_factory=deque)

    def wait(self, now: float) -> float:
        """Seconds until the next one is allowed, 0 if it is now."""
        while self.taken and now - self.taken[0] >= self.window_s:
            self.taken.popleft()
        full = self.taken[-self.limit] + self.window_s - now if len(self.taken) >= self.limit else 0.0
        probe = self.refusal.next_probe - now if now < self.refusal.over else 0.0
        return max(full, probe, 0.0)


class Budget:
    """Requests of one account, at most so many in any minute; safe between threads.

    Args:
        reads: A minute.
        writes: A minute.
        pace: Clock and waiting.

    Raises:
        ValueError: Less than 1 a minute.
    """

    def __init__(self, reads: int = 45, writes: int = 45, *, pace: Pace | None = None) -> None:
        if min(reads, writes) < 1:
            raise ValueError("a budget allows at least one request a minute")
        self._pace = pace or Pace()
        self._lock = threading.Lock()
        self._lanes: dict[Kind, _Lane] = {
            "read": _Lane(reads, WINDOW_S, _Refusal()),
            "write": _Lane(writes, WINDOW_S, _Refusal()),
        }

    def take(self, kind: Kind, stop: threading.Event | None = None) -> float:
        """Wait until one request is allowed, and count it.

        Returns:
            The seconds that were waited.

        Raises:
            Interrupted: `stop` was set meanwhile.
        """
        waited = 0.0
        while wait := self._claim(kind):
            self._pace.wait(wait, stop)
            waited += wait
        return waited

    def wait(self, kind: Kind) -> float:
        """Seconds until a request would be allowed, 0 if it is now."""
        with self._lock:
            return self._lanes[kind].wait(self._pace.now())

    def refused(self, kind: Kind) -> None:
        """Note that Google's own limit was met (429): one request per 10 seconds until the minute is over."""
        with self._lock:
            now, refusal = self._pace.now(), self._lanes[kind].refusal
            refusal.over = now + WINDOW_S
            refusal.next_probe = now + self._probe()

    def share(self, parts: int) -> tuple[Budget, ...]:
        """The budget in equal parts, one for each of several workbooks; together they never take more than this one.

        More parts than requests a minute: each part is one request in as many minutes as needed.
        """
        return tuple(self._part(parts) for _ in range(parts))

    @property
    def left(self) -> Mapping[Kind, int]:
        """How many requests of each kind could be sent at once now."""
        with self._lock:
            now = self._pace.now()
            return {kind: 0 if lane.wait(now) else lane.limit - len(lane.taken) for kind, lane in self._lanes.items()}

    def _claim(self, kind: Kind) -> float:
        """Count a request if it is allowed now and return 0, else the seconds until it may be."""
        with self._lock:
            now, lane = self._pace.now(), self._lanes[kind]
            wait = lane.wait(now)
            if not wait:
                lane.taken.append(now)
                if now < lane.refusal.over:
                    lane.refusal.next_probe = now + self._probe()
            return wait

    def _probe(self) -> float:
        return PROBE_S * (1 + self._pace.chance() / 2)

    def _part(self, parts: int) -> Budget:
        part = Budget(pace=self._pace)
        part._lock = self._lock
        part._lanes = {
            kind: _Lane(max(1, lane.limit // parts), lane.window_s * max(1.0, parts / lane.limit), lane.refusal)
            for kind, lane in self._lanes.items()
        }
        return part
