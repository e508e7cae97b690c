"""Identities of tabs. A title is what people see and may change; a key is what the program declares."""

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

    folded: str  # The name as it is compared, without the ending
    name: str = field(compare=False)  # The name as it is declared or typed

    @staticmethod
    @functools.lru_cache(maxsize=1024)
    def named(name: str) -> TabKey:
        """Return the key of the tab that a name means: a constant, a text that a person typed, a title in a store."""
        return TabKey(folded(name).removesuffix(ENDING), " ".join(name.split()))

    @property
    def has_ending(self) -> bool:
        """Return True if the name has the ending, so that it never means a tab of people's own."""
        return folded(self.name).endswith(ENDING)

    @property
    def beside(self) -> TabKey:
        """Return the same key under the title that the tab gets beside a tab of people's own."""
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
    """Return the name of a tab or column as stores compare it: without regard to capitals and needless spaces."""
    return " ".join(name.split()).casefold()
