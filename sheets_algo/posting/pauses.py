"""Pauses of channels, during which a poster sends nothing to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

FIRST_S, LONGEST_S = 15.0, 600.0
"""Seconds until a channel that failed is tried again; they double with each failure."""
SHORTEST_S = 1.0
"""Minimum seconds of a pause that a channel requests."""


@dataclass
class Pauses:
    """The pauses of the channels of one poster, by their names."""

    clock: Callable[[], float]  # A clock in seconds that never goes back
    _ends: dict[str, float] = field(default_factory=dict)
    _lengths: dict[str, float] = field(default_factory=dict)  # Of the last unrequested pause

    def begin(self, name: str, asked_s: float | None) -> float:
        """Pause a channel for the requested time, or twice the last pause; return the seconds."""
        if asked_s is None:
            length_s = self._lengths[name] = min(2 * self._lengths.get(name, FIRST_S / 2), LONGEST_S)
        else:
            self._lengths.pop(name, None)
            length_s = max(asked_s, SHORTEST_S)
        self._ends[name] = self.clock() + length_s
        return length_s

    def forget(self, name: str) -> None:
        """Forget the failures of a channel, since it answered."""
        self._ends.pop(name, None)
        self._lengths.pop(name, None)

    def is_known(self, name: str) -> bool:
        """Return True if a channel has failed since it last answered."""
        return name in self._ends

    def over(self, names: Iterable[str]) -> list[str]:
        """Return those channels that may be tried now."""
        now = self.clock()
        return [name for name in names if self._ends.get(name, now) <= now]

    @property
    def left_s(self) -> float | None:
        """Return the seconds until a channel that failed may be tried again; None if none failed."""
        return max(0.0, min(self._ends.values()) - self.clock()) if self._ends else None

    @property
    def asked_left_s(self) -> float | None:
        """Return the seconds until the first requested pause ends; None without one."""
        ends = [end for name, end in self._ends.items() if name not in self._lengths]
        return max(0.0, min(ends) - self.clock()) if ends else None
