"""Indices and spans after rows or columns are inserted, deleted or moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Shift(Protocol):
    """A change of the order of rows or columns."""

    def index(self, at: int) -> int | None:
        """Return the index of a row or column afterwards; None if it is gone."""
        ...

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return a span (end excluded) afterwards; None if nothing is left of it."""
        ...


@dataclass(frozen=True, slots=True)
class Inserted:
    """An insertion of `count` rows or columns before `start`."""

    start: int
    count: int

    def index(self, at: int) -> int:
        """Return the index afterwards: those behind move on."""
        return at + self.count if at >= self.start else at

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span afterwards: it grows if they are inserted inside it."""
        return self.index(start), end + self.count if end > self.start else end


@dataclass(frozen=True, slots=True)
class Deleted:
    """A deletion of the rows or columns from `start` up to `end`."""

    start: int
    end: int

    def index(self, at: int) -> int | None:
        """Return the index afterwards: those behind move up."""
        return None if self.start <= at < self.end else self._edge(at)

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the rest of the span."""
        first, last = self._edge(start), self._edge(end)
        return (first, last) if first < last else None

    def _edge(self, at: int) -> int:
        return at if at <= self.start else max(self.start, at - (self.end - self.start))


@dataclass(frozen=True, slots=True)
class Moved:
    """A move of the rows or columns from `start` up to `end` before the one at `to`."""

    start: int
    end: int
    to: int

    def index(self, at: int) -> int:
        """Return the index afterwards: the moved ones keep their order."""
        size = self.end - self.start
        landing = self.to - size if self.to > self.start else self.to
        if self.start <= at < self.end:
            return landing + at - self.start
        rest = at - size if at >= self.end else at
        return rest + size if rest >= landing else rest

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the span afterwards: a span inside moves too, others lose the moved ones or grow where they land."""
        if self.start <= start and end <= self.end:
            return self.index(start), self.index(end - 1) + 1
        left = Deleted(self.start, self.end).span(start, end)
        if left is None:
            return None
        size = self.end - self.start
        return Inserted(self.to - size if self.to > self.start else self.to, size).span(*left)
