"""Identities of tabs. A title is what people see and may change; a key is what the program declares."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class TabKey:
    """The identity of a tab in the program, whatever title people give it. It is no text, so no title takes its place.

    Two keys are equal if their names differ only in capitals and in surrounding or repeated spaces.
    """

    folded: str  # The name as it is compared
    name: str = field(compare=False)  # The name as it is declared or typed

    @staticmethod
    @functools.lru_cache(maxsize=1024)
    def named(name: str) -> TabKey:
        """Return the key of the tab that a name means: a constant, a text that a person typed, a title in a store."""
        return TabKey(folded(name), " ".join(name.split()))

    def __str__(self) -> str:
        """Return the name."""
        return self.name


def folded(name: str) -> str:
    """Return the name of a tab or column as stores compare it: without regard to capitals and needless spaces."""
    return " ".join(name.split()).casefold()
