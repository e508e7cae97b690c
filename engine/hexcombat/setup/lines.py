"""Formula lines of the tables: each sets, adds, subtracts, halves, limits or raises a number."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.config_value import TableErrors, at, is_one
from engine.hexcombat.setup.conditions import CombatScene, Condition, ConditionWords, all_of
from engine.hexcombat.setup.facts import LineRow
from engine.hexcombat.setup.fighter import Fighter
from engine.hexcombat.setup.numbers import div

Amount = Callable[[Fighter, Fighter, CombatScene], int]
"""Function that returns the amount of a line from A, P and the circumstances."""


@dataclass(frozen=True, slots=True)
class FormulaLine:
    """One line of the tables."""

    id: str  # The rule id: `HX-ODD-A5`
    to: str  # The number that the line changes: `A attack`
    does: Callable[[int, int], int]  # The operation on the number and the amount
    amount: Amount  # The function that returns the amount
    counts: Condition  # The condition under which the line counts
    is_else: bool  # True if the line counts only when no line before it did, back to the last one without this flag
    is_set: bool  # True if the line replaces the number
    words: str  # The line's meaning: `Aggressive Attack`


@dataclass(frozen=True, slots=True)
class LineChange:
    """Change of a number by one line."""

    line: FormulaLine
    before: int
    after: int

    @property
    def change(self) -> int:
        """Return the number that was set, or the difference."""
        return self.after if self.line.is_set else self.after - self.before


def gain(id: str, to: str, words: str, before: int, after: int) -> LineChange:
    """Return the change of a number by a rule without a line in the tables."""
    line = FormulaLine(id, to, operator.add, _fixed(after - before), lambda a, p, scene: True, False, False, words)
    return LineChange(line, before, after)


def apply(
    lines: Iterable[FormulaLine], a: Fighter, p: Fighter, scene: CombatScene, frozen: frozenset[str] = frozenset()
) -> list[LineChange]:
    """Change `scene.numbers` line by line and return the changes, in order.

    Args:
        frozen: The numbers that stay 0: the attack of a unit that cannot fire (HX-DEF-21).
    """
    numbers = scene.numbers
    steps = []
    has_counted = False
    for line in lines:
        if line.is_else and has_counted:
            continue
        has_counted = line.counts(a, p, scene)
        if not has_counted or line.to in frozen:
            continue
        before = numbers[line.to]
        after = line.does(before, line.amount(a, p, scene))
        if after != before or line.is_set:
            numbers[line.to] = after
            steps.append(LineChange(line, before, after))
    return steps


def lines(
    name: str, rows: Sequence[LineRow], words: ConditionWords, amounts: Mapping[str, Amount], numbers: Sequence[str]
) -> tuple[FormulaLine, ...]:
    """Read the lines of a file.

    Args:
        amounts: The amounts that may be named.

    Raises:
        TableError: A line is not valid.
    """
    errors, formula_lines = TableErrors(), []
    for position, row in enumerate(rows):
        with errors.at(name, position):
            formula_lines.append(_line(row, words, amounts, numbers))
    errors.end()
    return tuple(formula_lines)


def _line(row: LineRow, words: ConditionWords, amounts: Mapping[str, Amount], numbers: Sequence[str]) -> FormulaLine:
    given = {"set": row.set, "add": row.add, "subtract": row.subtract, "halve": row.halve, "limit": row.limit}
    verb, amount = next((pair for pair in given.items() if pair[1] is not None), ("raise", row.lift))
    with at("to"):
        is_one(row.to, numbers, "a number of these lines")
    with at("when"):
        counts = all_of(row.when, words)
    return FormulaLine(
        id=row.id,
        to=row.to,
        does=_subtract(row.least) if verb == "subtract" else OPERATIONS[verb],
        amount=amounts[amount] if isinstance(amount, str) else _fixed(0 if amount is True else amount or 0),
        counts=counts,
        is_else=row.is_else,
        is_set=verb == "set",
        words=row.words,
    )


def _fixed(number: int) -> Amount:
    return lambda a, p, scene: number


OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "set": lambda number, amount: amount,
    "add": operator.add,  # HX-DEF-17
    "subtract": operator.sub,
    "halve": lambda number, amount: div(number, 2),
    "limit": min,
    "raise": max,
}
"""Operations by verb."""


def _subtract(least: int) -> Callable[[int, int], int]:
    """Return a subtraction that stops at `least` (HX-DEF-18, HX-OP-29); an amount of 0 changes nothing."""
    return lambda number, amount: max(least, number - amount) if amount else number


def amounts_of(attachments: Iterable[str]) -> dict[str, Amount]:
    """Return all amounts that a line may name, each once for A and once for P."""
    amounts: dict[str, Amount] = {}
    for name, amount in (*UNIT_AMOUNTS.items(), *((f"bonus of {name}", _bonus(name)) for name in attachments)):
        amounts[f"A {name}"] = amount
        amounts[f"P {name}"] = _swapped(amount)
    return amounts


def _swapped(amount: Amount) -> Amount:
    return lambda a, p, scene: amount(p, a, scene)


def _bonus(attachment: str) -> Amount:
    def amount(own: Fighter, enemy: Fighter, scene: CombatScene) -> int:
        return scene.facts.attachments[attachment].bonus if attachment in own.traits else 0

    return amount


def friends(own: Fighter, at: Fighter) -> list[Fighter]:
    """Return the other units of a fighter's side that are adjacent to a unit."""
    return [unit for unit in at.beside if unit.side == own.side and unit.name != own.name]


COMBAT_SUPPORT, FORWARD_OBSERVER = "Combat Support", "Forward Observer"
"""Traits of a unit with an effect on an adjacent friend, and beside an enemy."""


def _lent_bars(own: Fighter, enemy: Fighter, scene: CombatScene) -> int:
    """Return the bars of adjacent friends in the same space with Combat Support (HX-ODD-E17, HX-ODD-E18)."""
    is_air = "Air" in own.kinds
    return sum(
        friend.bars
        for friend in friends(own, own)
        if COMBAT_SUPPORT in friend.traits and ("Air" in friend.kinds) == is_air
    )


def _observers(own: Fighter, enemy: Fighter, scene: CombatScene) -> int:
    """Return the bonus of friends with a Forward Observer adjacent to the target (HX-ODD-E19)."""
    bonus = scene.facts.attachments[FORWARD_OBSERVER].bonus
    return bonus * sum(FORWARD_OBSERVER in friend.traits for friend in friends(own, enemy))


def _penalties(own: Fighter, enemy: Fighter, scene: CombatScene) -> int:
    """Return the attachments' penalties (HX-INI-14)."""
    return sum(scene.facts.attachments[name].penalty for name in own.piece.unit.attachments)


UNIT_AMOUNTS: Mapping[str, Amount] = {
    "attack": lambda own, enemy, scene: own.attack_at(enemy),
    "GD": lambda own, enemy, scene: own.values.ground_defence,
    "AD": lambda own, enemy, scene: own.values.air_defence,
    "CD": lambda own, enemy, scene: own.values.close_defence,
    "RDM": lambda own, enemy, scene: own.values.rdm,
    "half RDM": lambda own, enemy, scene: div(own.values.rdm, 2),
    "initiative": lambda own, enemy, scene: own.values.initiative,
    "bars": lambda own, enemy, scene: own.bars,
    "half bars": lambda own, enemy, scene: div(own.bars + 1, 2),
    "entrenchment": lambda own, enemy, scene: own.entrenchment,
    "hits": lambda own, enemy, scene: own.hits,
    "unsuppressed": lambda own, enemy, scene: own.unsuppressed,
    "less ammo bonus": lambda own, enemy, scene: (
        -scene.facts.attachments["Special Ammo"].bonus if "Special Ammo" in own.traits else 0
    ),
    "friends": _lent_bars,
    "observers": _observers,
    "penalties": _penalties,
    "cap": lambda own, enemy, scene: own.ground.terrain.cap,
    "highest cap": lambda own, enemy, scene: max(own.ground.terrain.cap, enemy.ground.terrain.cap),
    "die": lambda own, enemy, scene: scene.dice.get(own.role, 0),
    "now": lambda own, enemy, scene: scene.numbers["A initiative" if own.role == "Attacker" else "P initiative"],
}
"""Amounts of a single unit by name; `now` is its initiative so far."""
