"""Where dice come from: those that the moderator typed, in drawing order, then the ruling's luck (HX-DEF-24)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.luck import Luck


class Dice(Protocol):
    """Something that rolls."""

    def roll(self, low: int, high: int, purpose: int, hour: int = 0, index: int = 0) -> Die:
        """HX-DEF-19: a whole number from low to high, all equally likely."""
        ...


@dataclass(frozen=True, slots=True)
class Die:
    """One die.

    Args:
        value: What it shows.
        is_given: The moderator typed it.
    """

    value: int
    is_given: bool = False

    @property
    def shown(self) -> str:
        """`rolled 12`, `12 (given)`."""
        return f"{self.value} (given)" if self.is_given else f"rolled {self.value}"


class WrongDie(ValueError):
    """A typed die shows what this roll cannot show.

    Args:
        number: Which, counted from 1.
        value: What it shows.
        low: Least that the roll can show.
        high: Most.
    """

    def __init__(self, number: int, value: int, low: int, high: int) -> None:
        self.number, self.value, self.low, self.high = number, value, low, high
        super().__init__(f"die number {number} shows {value}, where it can show {low} to {high} (HX-DEF-24)")


class DiceSpent(Exception):
    """No typed die is left, and nothing may be drawn."""


class DiceInOrder:
    """Typed dice first; what they do not reach is drawn.

    A drawn die depends on its purpose and number alone, not on how many were rolled before it.

    Args:
        typed: In drawing order.
        luck: Of the ruling; None where nothing may be drawn.
    """

    def __init__(self, typed: Sequence[int], luck: Luck | None) -> None:
        self._typed = typed
        self._luck = luck
        self.used = 0

    def roll(self, low: int, high: int, purpose: int, hour: int = 0, index: int = 0) -> Die:
        """The next die.

        Raises:
            WrongDie: A typed die is out of range.
            DiceSpent: No typed die is left, and nothing may be drawn.
        """
        if self.used < len(self._typed):
            value = self._typed[self.used]
            self.used += 1
            if not low <= value <= high:
                raise WrongDie(self.used, value, low, high)
            return Die(value, is_given=True)
        if self._luck is None:
            raise DiceSpent
        return Die(self._luck.whole(purpose, low, high, hour, index))
