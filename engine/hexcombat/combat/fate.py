"""Sources of chance: dice in a real combat, expectation in a forecast (HX-OP-23)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.hexcombat.combat.account import Account
from engine.hexcombat.combat.losses import FACES, Aim, HexLosses, expected, hit, hits, modified, suffered, suppression
from engine.hexcombat.setup import purposes
from engine.hexcombat.setup.dice import DiceInOrder
from engine.hexcombat.setup.fighter import ATTACKER, DEFENDER, Fighter
from engine.hexcombat.setup.numbers import minus, signed

PERCENT = (1, 100)
"""Lowest and highest number of the die that decides a chance."""
INITIATIVE = (1, 3)
"""Lowest and highest number of an initiative die (HX-INI-10)."""


class RolledFate:
    """Source of chance that rolls dice; each die is an event of the log, in drawing order (HX-DEF-24)."""

    is_real = True

    def __init__(self, dice: DiceInOrder, account: Account) -> None:
        self._dice = dice
        self._account = account

    def happens(self, percent: int, what: str, id: str, purpose: int) -> bool:
        """Roll Dice(1,100) against the chance; certain and impossible events need no die."""
        if not 0 < percent < 100:
            self._account.tell(what, f"{percent} %", id, "chance", percent)
            return percent >= 100
        die = self._dice.roll(*PERCENT, purpose)
        has_happened = die.value <= percent
        self._account.note(f"{what}: die {die.text}", id, "die", die.value)
        self._account.tell(what, f"{percent} %, {die.text}: {'yes' if has_happened else 'no'}", id, "chance", percent)
        return has_happened

    def points(self, low: int, high: int, what: str, id: str, purpose: int, least: int = 0) -> int | None:
        """Return one die, but not below `least`."""
        die = self._dice.roll(low, high, purpose)
        self._account.note(f"{what}: die {die.text} of {low} to {high}", id, "die", die.value)
        return max(least, die.value)

    def initiatives(self, attacker: Fighter, defender: Fighter) -> Mapping[str, int]:
        """Return the Attacker's die and the Defender's die by role."""
        dice = {}
        for index, (role, unit) in enumerate(((ATTACKER, attacker), (DEFENDER, defender))):
            die = self._dice.roll(*INITIATIVE, purposes.INITIATIVE, 0, index)
            self._account.note(f"Initiative of {unit.name}: die {die.text}", "HX-INI-10", "die", die.value, unit)
            dice[role] = die.value
        return dice

    def shoot(self, aim: Aim, a: Fighter, p: Fighter, number: int) -> HexLosses:
        """Roll one die for each shot of a fire, which has its number in this combat."""
        rolled = [self._dice.roll(1, FACES, purposes.SHOT, number, shot) for shot in range(aim.shots)]
        if self._account.is_kept:
            for shot, die in enumerate(rolled, start=1):
                text = f"{a.name} at {p.name}, shot {shot}: {die.text}{_added(die.value, aim)}, {_does(die.value, aim)}"
                self._account.note(text, "HX-LOS-4", "die", die.value, a)
            self._explain_suppression([die.value for die in rolled], aim, a, p)
        return suffered([die.value for die in rolled], aim, p)

    def _explain_suppression(self, dice: Sequence[int], aim: Aim, a: Fighter, p: Fighter) -> None:
        kills, halves = hits(dice, aim)
        if halves:
            points, left = suppression(halves), max(p.strength - kills, 0)
            limit = f", at most {left} (strength left)" if points > left else ""
            text = f"{a.name} at {p.name}: suppression {halves} ÷ 2 = {points}{limit}"
            self._account.note(text, "HX-LOS-5", "line", min(points, left), a)


class ExpectedFate:
    """Source without dice: chances are recorded and assumed not to happen, kills follow the formula (HX-OP-23)."""

    is_real = False

    def __init__(self, account: Account) -> None:
        self._account = account

    def happens(self, percent: int, what: str, id: str, purpose: int) -> bool:
        """Return True only if the event is certain."""
        self._account.tell(what, f"{percent} %", id, "chance", percent)
        self._account.chances.append(f"{what[:1].lower()}{what[1:]} {percent} %")
        return percent >= 100

    def points(self, low: int, high: int, what: str, id: str, purpose: int, least: int = 0) -> int | None:
        """Return None, after recording the range."""
        low, high = max(least, low), max(least, high)
        span = f"{low} to {high}" if low < high else f"{high}"
        self._account.tell(what, span, id, "chance")
        self._account.chances.append(f"{what[:1].lower()}{what[1:]} {span}")
        return None

    def initiatives(self, attacker: Fighter, defender: Fighter) -> Mapping[str, int]:
        """Return no dice: HX-INI-10 applies only to real combats."""
        return {}

    def shoot(self, aim: Aim, a: Fighter, p: Fighter, number: int) -> HexLosses:
        """Return the expected losses (HX-FOR-1)."""
        return expected(aim, p)


ChanceSource = RolledFate | ExpectedFate
"""A source of chance, which also records its decisions."""


def _added(die: int, aim: Aim) -> str:
    """Return a die's calculation as text; a natural 1 or 20 is not modified."""
    if die in (1, FACES) or aim.difference == 0:
        return ""
    return f" {signed(aim.difference)[0]} {abs(aim.difference)} = {minus(modified(die, aim.difference))}"


def _does(die: int, aim: Aim) -> str:
    return {(0, 0): "nothing", (0, 2): "suppresses: suppression +2", (1, 1): "kills: suppression +1"}[hit(die, aim)]
