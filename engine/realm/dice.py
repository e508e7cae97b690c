"""RND(n) and chances (RL-GEN-01, RL-GEN-02): drawn, or a moderator's in their place, and each one noted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.exact import percent
from engine.luck import Luck
from engine.outcome import Event
from engine.realm.purposes import PURPOSES

HUNDRED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedRoll:
    """A moderator's number in place of a die (RL-OP-41).

    Args:
        rule: The die's rule id.
        number: What it shows, at least 1; a die with fewer faces shows its highest.
        whose: The leader, city, unit or fact that it is rolled for; blank for the next die of that rule.
    """

    rule: str
    number: int
    whose: str = ""

    def __str__(self) -> str:
        """`RL-LOY-02 Brennus=97`."""
        return f"{f'{self.rule} {self.whose}'.rstrip()}={self.number}"


class Dice:
    """The dice of one order, in the order in which they are rolled.

    Args:
        luck: Where numbers come from.
        fixed: What the moderator laid on the table instead.
        events: The log, which every die is added to.
    """

    def __init__(self, luck: Luck, fixed: Sequence[FixedRoll], events: list[Event]) -> None:
        self._luck = luck
        self._left = list(fixed)
        self._events = events
        self._rolled: Counter[str] = Counter()
        self.used: list[FixedRoll] = []

    @property
    def unused(self) -> Sequence[FixedRoll]:
        """What the moderator fixed and nobody rolled for."""
        return self._left

    def roll(self, faces: Fraction | int, id: str, what: str, whose: str = "") -> int:
        """RL-GEN-01: a whole number from 1 to the faces, fractions of them dropped; 0 where there is not even one.

        Args:
            faces: Any number.
            id: The rule that asks, one of `PURPOSES`.
            what: What for: `loyalty check`.
            whose: For which leader, city, unit or fact.
        """
        n = math.floor(faces)
        if n < 1:
            return 0
        fixed = self._fixed(id, whose)
        number = min(fixed.number, n) if fixed else self._drawn(id, n)
        how = "moderator's" if fixed else "rolled"
        named = f"{whose}, {what}" if whose else what
        self._events.append(Event(None, "", "", "die", number, id, f"{named}: {how} {number} of {n}"))
        return number

    def succeeds(self, chance: Fraction, id: str, what: str, whose: str = "") -> bool:
        """RL-GEN-02: RND(100) is at most the chance; one of 0 or less never, one of 100 or more always, unrolled.

        Args:
            chance: Per cent.
            id: The rule that asks.
            what: What for: `conversion`.
            whose: For which leader, city, unit or fact.
        """
        if 0 < chance < HUNDRED:
            return self.roll(HUNDRED, id, f"{what}, {percent(chance)}", whose) <= chance
        text = f"{whose}, {what}" if whose else what
        is_sure = chance >= HUNDRED
        found = f"{text}: {percent(chance)}, {'always' if is_sure else 'never'}"
        self._events.append(Event(None, "", "", "chance", float(chance), id, found))
        return is_sure

    def pick(self, names: Sequence[str], id: str, what: str) -> str:
        """One of some names, all equally likely; at least one of them."""
        return names[self.roll(len(names), id, what) - 1]

    def between(self, least: Fraction, most: Fraction, id: str, what: str, whose: str = "") -> int:
        """A whole number between two, all equally likely: 4 + RND(16) for 5 to 20 (RL-OP-25)."""
        return math.floor(least) - 1 + self.roll(most - least + 1, id, what, whose)

    def _drawn(self, id: str, n: int) -> int:
        index = self._rolled[id]
        self._rolled[id] += 1
        return self._luck.whole(PURPOSES[id], 1, n, index=index)

    def _fixed(self, id: str, whose: str) -> FixedRoll | None:
        for it in self._left:
            if it.rule == id and it.whose in ("", whose):
                self._left.remove(it)
                self.used.append(it)
                return it
        return None
