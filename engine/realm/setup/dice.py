"""Dice RND(n) and chances (RL-GEN-01, RL-GEN-02), drawn or given by a moderator, and each one logged."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.exact import percent
from engine.realm.setup.distance import Tiers
from engine.realm.setup.purposes import PURPOSES
from engine.rng import Rng
from engine.ruleset import Event

HUNDRED = 100
PARTS = 1_000_000
"""Faces of the die for the fraction of a chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedRoll:
    """A moderator's number in place of a die (RL-OP-41)."""

    rule: str  # The die's rule id
    number: int  # The number shown, at least 1; a die with fewer faces shows its highest
    whose: str = ""  # The leader, city, unit or fact of the roll; blank for the next die of that rule

    def __str__(self) -> str:
        """Return `RL-LOY-02 Brennus=97`."""
        return f"{f'{self.rule} {self.whose}'.rstrip()}={self.number}"


class RealmDice:
    """The dice of one order, in the order in which they are rolled.

    Args:
        events: The log, to which every die is added.
    """

    def __init__(self, rng: Rng, fixed: Sequence[FixedRoll], events: list[Event]) -> None:
        self._rng = rng
        self._remaining = list(fixed)
        self.events = events
        self._rolled: Counter[str] = Counter()
        self.used: list[FixedRoll] = []

    @property
    def unused(self) -> Sequence[FixedRoll]:
        """Return the moderator's numbers for which no die was rolled."""
        return self._remaining

    @property
    def typed(self) -> tuple[str, ...]:
        """Return the moderator's numbers that were rolled, in words (LUCK-12)."""
        return tuple(f"fixed roll {fixed}" for fixed in self.used)

    @property
    def is_drawn(self) -> bool:
        """Return True if any die was drawn."""
        return bool(self._rolled)

    def roll(self, faces: Fraction | int, id: str, what: str, whose: str = "") -> int:
        """Return a whole number from 1 to the faces, rounded down; 0 if that is less than 1 (RL-GEN-01).

        Args:
            id: The rule id, one of `PURPOSES`.
            whose: The leader, city, unit or fact of the roll.
        """
        return self._throw(faces, id, what, whose)[0]

    def _throw(self, faces: Fraction | int, id: str, what: str, whose: str) -> tuple[int, bool]:
        """Return the number of a die, and True if it is the moderator's."""
        n = math.floor(faces)
        if n < 1:
            return 0, False
        fixed = self._take_fixed(id, whose)
        number = min(fixed.number, n) if fixed else self._draw(id, n)
        source = "moderator's" if fixed else "rolled"
        label = f"{whose}, {what}" if whose else what
        self.events.append(Event(None, "", "", "die", number, id, f"{label}: {source} {number} of {n}"))
        return number, fixed is not None

    def succeeds(self, chance: Fraction, id: str, what: str, whose: str = "") -> bool:
        """Return True if RND(100) is at most the chance (RL-GEN-02).

        A chance of 0 or less always fails and one of 100 or more always succeeds, both without a roll. If the die shows
        the number above a chance with a fraction, a second die decides whether the fraction is enough.

        Args:
            whose: The leader, city, unit or fact that it is rolled for.
        """
        if 0 < chance < HUNDRED:
            number, is_fixed = self._throw(HUNDRED, id, f"{what}, {percent(chance)}", whose)
            part = chance - (number - 1)
            if is_fixed or not 0 < part < 1:
                return number <= chance
            return self.roll(PARTS, id, f"{what}, the fraction {percent(part * HUNDRED)} of it", whose) <= part * PARTS
        label = f"{whose}, {what}" if whose else what
        is_sure = chance >= HUNDRED
        text = f"{label}: {percent(chance)}, {'always' if is_sure else 'never'}"
        self.events.append(Event(None, "", "", "chance", float(chance), id, text))
        return is_sure

    def pick(self, names: Sequence[str], id: str, what: str, whose: str = "") -> str:
        """Return one of some names, all equally likely; at least one is required."""
        return names[self.roll(len(names), id, what, whose) - 1]

    def nearest(self, tiers: Tiers, id: str, what: str, whose: str = "") -> tuple[str, str]:
        """Return one of the nearest names, drawn if there are several, and what the receipt adds to it (RL-OP-24)."""
        names = tiers[0]
        if len(names) == 1:
            return names[0], ""
        text = f"{what} of {', '.join(names)}"
        return self.pick(names, id, text, whose), f", drawn by lot from {len(names)}"

    def between(self, least: Fraction, most: Fraction, id: str, what: str, whose: str = "") -> int:
        """Return a whole number in a range, all equally likely: 4 + RND(16) for 5 to 20 (RL-OP-25)."""
        return math.floor(least) - 1 + self.roll(most - least + 1, id, what, whose)

    def _draw(self, id: str, n: int) -> int:
        index = self._rolled[id]
        self._rolled[id] += 1
        return self._rng.whole(PURPOSES[id], 1, n, index=index)

    def _take_fixed(self, id: str, whose: str) -> FixedRoll | None:
        for fixed in self._remaining:
            if fixed.rule == id and fixed.whose in ("", whose):
                self._remaining.remove(fixed)
                self.used.append(fixed)
                return fixed
        return None
