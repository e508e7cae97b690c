"""What decides where a die would: dice in a real combat, expectation in a forecast (HX-OP-23)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from engine.hexcombat import purposes
from engine.hexcombat.account import Account
from engine.hexcombat.dice import Dice
from engine.hexcombat.fighter import ATTACKER, DEFENDER, Fighter
from engine.hexcombat.losses import FACES, Aim, Losses, expected, hit, suffered
from engine.hexcombat.numbers import minus, signed

PERCENT = (1, 100)
"""Of the die that decides a chance."""
INITIATIVE = (1, 3)
"""HX-INI-10."""


class Fate(Protocol):
    """Decides, and tells what it decided by."""

    @property
    def is_real(self) -> bool:
        """Whether dice are rolled."""
        ...

    def happens(self, percent: int, what: str, id: str, purpose: int) -> bool:
        """Whether something of a chance happens.

        Args:
            percent: The chance.
            what: `Evading`.
            id: The rule.
            purpose: Of the die.
        """
        ...

    def points(self, low: int, high: int, what: str, id: str, purpose: int, least: int = 0) -> int | None:
        """Points from low to high, never less than the least; None where no die is rolled."""
        ...

    def initiatives(self, attacker: Fighter, defender: Fighter) -> Mapping[str, int]:
        """HX-INI-10: a die for each role; none in a forecast."""
        ...

    def shoot(self, aim: Aim, a: Fighter, p: Fighter, number: int) -> Losses:
        """What one fire does to P (HX-LOS).

        Args:
            aim: How it is rolled.
            a: Active unit.
            p: Passive unit.
            number: Of the fire in this combat: 0 the Attacker's, 1 the Defender's, from 2 on in support.
        """
        ...


class Rolled:
    """Dice decide; each is an event of the log, in drawing order (HX-DEF-24).

    Args:
        dice: Where they come from.
        account: Hears of each.
    """

    is_real = True

    def __init__(self, dice: Dice, account: Account) -> None:
        self._dice = dice
        self._account = account

    def happens(self, percent: int, what: str, id: str, purpose: int) -> bool:
        """Dice(1,100) up to the chance; certain things need no die."""
        if not 0 < percent < 100:
            self._account.tell(what, f"{percent} %", id, "chance", percent)
            return percent >= 100
        die = self._dice.roll(*PERCENT, purpose)
        does = die.value <= percent
        self._account.note(f"{what}: die {die.shown}", id, "die", die.value)
        self._account.tell(what, f"{percent} %, {die.shown}: {'yes' if does else 'no'}", id, "chance", percent)
        return does

    def points(self, low: int, high: int, what: str, id: str, purpose: int, least: int = 0) -> int | None:
        """One die."""
        die = self._dice.roll(low, high, purpose)
        self._account.note(f"{what}: die {die.shown} of {low} to {high}", id, "die", die.value)
        return max(least, die.value)

    def initiatives(self, attacker: Fighter, defender: Fighter) -> Mapping[str, int]:
        """The Attacker's die, then the Defender's."""
        found = {}
        for index, (role, it) in enumerate(((ATTACKER, attacker), (DEFENDER, defender))):
            die = self._dice.roll(*INITIATIVE, purposes.INITIATIVE, 0, index)
            self._account.note(f"Initiative of {it.name}: die {die.shown}", "HX-INI-10", "die", die.value, it)
            found[role] = die.value
        return found

    def shoot(self, aim: Aim, a: Fighter, p: Fighter, number: int) -> Losses:
        """One die a shot."""
        rolled = [self._dice.roll(1, FACES, purposes.SHOT, number, shot) for shot in range(aim.shots)]
        if self._account.is_kept:
            for shot, die in enumerate(rolled, start=1):
                text = (
                    f"{a.name} at {p.name}, shot {shot}: {die.shown}{_added(die.value, aim)}, {_does(die.value, aim)}"
                )
                self._account.note(text, "HX-LOS-4", "die", die.value, a)
        return suffered([die.value for die in rolled], aim, p)


class Expected:
    """No die is rolled: chances are told and assumed not to come, kills are those of the formula (HX-OP-23).

    Args:
        account: Hears of each chance.
    """

    is_real = False

    def __init__(self, account: Account) -> None:
        self._account = account

    def happens(self, percent: int, what: str, id: str, purpose: int) -> bool:
        """Only what is certain."""
        self._account.tell(what, f"{percent} %", id, "chance", percent)
        self._account.chances.append(f"{what[:1].lower()}{what[1:]} {percent} %")
        return percent >= 100

    def points(self, low: int, high: int, what: str, id: str, purpose: int, least: int = 0) -> int | None:
        """None, but the span is told."""
        low, high = max(least, low), max(least, high)
        span = f"{low} to {high}" if low < high else f"{high}"
        self._account.tell(what, span, id, "chance")
        self._account.chances.append(f"{what[:1].lower()}{what[1:]} {span}")
        return None

    def initiatives(self, attacker: Fighter, defender: Fighter) -> Mapping[str, int]:
        """None: HX-INI-10 is of real combats only."""
        return {}

    def shoot(self, aim: Aim, a: Fighter, p: Fighter, number: int) -> Losses:
        """HX-FOR-1."""
        return expected(aim, p)


def _added(die: int, aim: Aim) -> str:
    """A natural 1 or 20 counts as it is."""
    if die in (1, FACES) or aim.difference == 0:
        return ""
    return f" {signed(aim.difference)[0]} {abs(aim.difference)} = {minus(die + aim.difference)}"


def _does(die: int, aim: Aim) -> str:
    return {(0, 0): "nothing", (0, 2): "suppresses", (1, 1): "kills"}[hit(die, aim)]
