"""The server's time: the machine's, or one that stands still until it is told to move."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class Clock:
    """Unix seconds.

    Args:
        start: Where a stopped clock stands; None follows the machine.
    """

    def __init__(self, start: float | None = None) -> None:
        self._stopped = start
        self._ahead = 0.0

    @property
    def is_stopped(self) -> bool:
        """Whether only `set` and `advance` move it."""
        return self._stopped is not None

    def now(self) -> float:
        """Unix seconds."""
        return self._stopped if self._stopped is not None else time.time() + self._ahead

    def stop(self) -> None:
        """Stand still here."""
        self._stopped = self.now()

    def run(self) -> None:
        """Go on from here at the machine's pace."""
        here, self._stopped = self.now(), None
        self._ahead = here - time.time()

    def set(self, seconds: float) -> None:
        """Jump to a time, in Unix seconds; a stopped clock stays stopped."""
        if self._stopped is not None:
            self._stopped = seconds
        else:
            self._ahead = seconds - time.time()

    def advance(self, seconds: float) -> None:
        """Jump by so many seconds."""
        self.set(self.now() + seconds)


def written(seconds: float) -> str:
    """As Drive writes a time: `2023-07-20T08:47:44.700Z`."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
