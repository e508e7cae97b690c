"""Sources of dice: those that the moderator typed, in drawing order, then the ruling's own (HX-DEF-24)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.rng import Rng


@dataclass(frozen=True, slots=True)
class Die:
    """One die."""

    value: int  # The number shown
    is_given: bool = False  # True if the moderator typed it

    @property
    def text(self) -> str:
        """Return `rolled 12` or `12 (given)`."""
        return f"{self.value} (given)" if self.is_given else f"rolled {self.value}"


class WrongDie(ValueError):
    """A typed die shows a number outside its range.

    Args:
        number: The die's number, from 1.
        low: The lowest possible number.
        high: The highest possible number.
    """

    def __init__(self, number: int, value: int, low: int, high: int) -> None:
        self.number, self.value, self.low, self.high = number, value, low, high
        super().__init__(f"die number {number} shows {value}, where it can show {low} to {high} (HX-DEF-24)")


class DiceSpent(Exception):
    """No typed die is left, and none may be drawn."""


class DiceInOrder:
    """Typed dice first, then drawn ones.

    A drawn die depends only on its purpose and number, not on the count of dice before it.

    Args:
        typed: The typed dice, in drawing order.
        rng: The ruling's random numbers; None if nothing may be drawn.
    """

    def __init__(self, typed: Sequence[int], rng: Rng | None) -> None:
        self._typed = typed
        self._rng = rng
        self.used = 0
        self.is_drawn = False

    @property
    def given(self) -> Sequence[int]:
        """Return the typed dice that were rolled."""
        return self._typed[: self.used]

    def roll(self, low: int, high: int, purpose: int, hour: int = 0, index: int = 0) -> Die:
        """Return the next die; all its numbers are equally likely (HX-DEF-19).

        Raises:
            WrongDie: A typed die is out of range.
            DiceSpent: No typed die is left, and none may be drawn.
        """
        if self.used < len(self._typed):
            value = self._typed[self.used]
            self.used += 1
            if not low <= value <= high:
                raise WrongDie(self.used, value, low, high)
            return Die(value, is_given=True)
        if self._rng is None:
            raise DiceSpent
        self.is_drawn = True
        return Die(self._rng.whole(purpose, low, high, hour, index))
