"""Identities of tabs. People see and may change titles; the program declares keys."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")

ENDING = " (algo)"
"""End of the title of a tab of the program beside which people have a tab of their own with the program's name."""


@dataclass(frozen=True, slots=True, order=True)
class TabKey:
    """The identity of a tab in the program, whatever title people give it. It is no text, so no title takes its place.

    Two keys are equal if their names differ only in capitals, in surrounding or repeated spaces, and in the ending.
    """

    folded: str  # The normalised name, without the ending
    name: str = field(compare=False)  # The name as declared or typed

    @staticmethod
    @functools.lru_cache(maxsize=1024)
    def named(name: str) -> TabKey:
        """Return the key of a name: a constant, a typed text, or a title in a store."""
        return TabKey(folded(name).removesuffix(ENDING), " ".join(name.split()))

    @property
    def has_ending(self) -> bool:
        """Return True if the name has the ending, so that it never means a tab of people's own."""
        return folded(self.name).endswith(ENDING)

    @property
    def beside(self) -> TabKey:
        """Return the same key with the title of the program's tab beside a tab of people's own."""
        return self if self.has_ending else TabKey(self.folded, f"{self.name}{ENDING}")

    def __str__(self) -> str:
        """Return the name."""
        return self.name


def meant(key: TabKey, tabs: Iterable[T], title: Callable[[T], str]) -> list[T]:
    """Return the tabs that a key may mean: those whose title has the ending, else those with the plain title.

    Args:
        title: Function that returns the title of a tab.
    """
    named = [tab for tab in tabs if TabKey.named(title(tab)) == key]
    return [tab for tab in named if TabKey.named(title(tab)).has_ending] or ([] if key.has_ending else named)


def folded(name: str) -> str:
    """Return the name of a tab or column normalised for comparison: without capitals and needless spaces."""
    return " ".join(name.split()).casefold()
