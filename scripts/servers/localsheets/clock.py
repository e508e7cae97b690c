"""The server's time: the machine's, or a clock that stands still until it is moved."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class Clock:
    """A clock in Unix seconds.

    Args:
        start: The time of a stopped clock; None follows the machine.
    """

    def __init__(self, start: float | None = None) -> None:
        self._stopped = start
        self._ahead = 0.0

    @property
    def is_stopped(self) -> bool:
        """Return True if only `set` and `advance` move the clock."""
        return self._stopped is not None

    def now(self) -> float:
        """Return the time in Unix seconds."""
        return self._stopped if self._stopped is not None else time.time() + self._ahead

    def stop(self) -> None:
        """Stop the clock at its present time."""
        self._stopped = self.now()

    def run(self) -> None:
        """Start the clock again, from its present time at the machine's pace."""
        here, self._stopped = self.now(), None
        self._ahead = here - time.time()

    def set(self, seconds: float) -> None:
        """Set the time, in Unix seconds; a stopped clock stays stopped."""
        if self._stopped is not None:
            self._stopped = seconds
        else:
            self._ahead = seconds - time.time()

    def advance(self, seconds: float) -> None:
        """Add some seconds to the time."""
        self.set(self.now() + seconds)


def written(seconds: float) -> str:
    """Return a time as Drive writes it: `2023-07-20T08:47:44.700Z`."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
