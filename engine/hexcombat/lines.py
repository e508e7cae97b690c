"""Lines of the tables that make numbers: each sets, adds, subtracts, halves, limits or raises one of them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from engine.entry import Entry, shown, suggestion
from engine.hexcombat.conditions import Condition, Scene, Words, all_of
from engine.hexcombat.fighter import Fighter
from engine.hexcombat.numbers import div

Amount = Callable[[Fighter, Fighter, Scene], int]
"""How much a line sets or adds: of A, P and what is around them."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line.

    Args:
        id: The rule: `HX-ODD-A5`.
        to: The number it changes: `A attack`.
        does: What it does to it: of the number and the amount.
        amount: How much.
        counts: When.
        is_else: It counts only when the lines before it, back to the last one without this, do not.
        is_set: It begins the number anew.
        words: What it stands for: `Aggressive Attack`.
    """

    id: str
    to: str
    does: Callable[[int, int], int]
    amount: Amount
    counts: Condition
    is_else: bool
    is_set: bool
    words: str


@dataclass(frozen=True, slots=True)
class Step:
    """What a line did to its number."""

    line: Line
    before: int
    after: int

    @property
    def change(self) -> int:
        """What it set or added."""
        return self.after if self.line.is_set else self.after - self.before


def apply(
    lines: Iterable[Line], a: Fighter, p: Fighter, scene: Scene, frozen: frozenset[str] = frozenset()
) -> list[Step]:
    """Change `scene.numbers` line by line.

    Args:
        lines: In order.
        a: A.
        p: P.
        scene: Its numbers are changed.
        frozen: Numbers that stay 0 whatever is added: the attack of a unit that cannot fire (HX-DEF-21).

    Returns:
        What changed anything, in order.
    """
    numbers = scene.numbers
    steps = []
    fitted = False
    for line in lines:
        if line.is_else and fitted:
            continue
        fitted = line.counts(a, p, scene)
        if not fitted or line.to in frozen:
            continue
        before = numbers[line.to]
        after = line.does(before, line.amount(a, p, scene))
        if after != before or line.is_set:
            numbers[line.to] = after
            steps.append(Step(line, before, after))
    return steps


def lines(rows: Entry, words: Words, amounts: Mapping[str, Amount], numbers: Iterable[str]) -> tuple[Line, ...]:
    """The lines of a file.

    Args:
        rows: A list of them.
        words: What conditions may name.
        amounts: What amounts may be named.
        numbers: What numbers the lines may change.

    Raises:
        Slip: A line is not as it must be.
    """
    allowed = frozenset(numbers)
    return tuple(_line(row, words, amounts, allowed) for row in rows.each())


def _line(row: Entry, words: Words, amounts: Mapping[str, Amount], numbers: frozenset[str]) -> Line:
    parts = dict(row.items())
    verbs = [verb for verb in DOES if verb in parts]
    if len(verbs) != 1:
        raise row.slip(f"a line has one of {', '.join(DOES)}, not {len(verbs)} of them.")
    verb = verbs[0]
    least = parts["least"].whole() if "least" in parts else 1
    return Line(
        id=row["id"].text(),
        to=row["to"].one_of(numbers, "a number of these lines"),
        does=_subtract(least) if verb == "subtract" else DOES[verb],
        amount=_amount(parts[verb], amounts),
        counts=all_of(parts.get("when"), words),
        is_else="else" in parts,
        is_set=verb == "set",
        words=row["words"].text(),
    )


DOES: Mapping[str, Callable[[int, int], int]] = {
    "set": lambda number, amount: amount,
    "add": operator.add,  # HX-DEF-17
    "subtract": operator.sub,
    "halve": lambda number, amount: div(number, 2),
    "limit": min,
    "raise": max,
}
"""What a line may do to its number."""


def _subtract(least: int) -> Callable[[int, int], int]:
    """HX-DEF-18: never below 1, or where the line says so below another number (HX-OP-29); 0 takes nothing away."""
    return lambda number, amount: max(least, number - amount) if amount else number


def _amount(it: Entry, amounts: Mapping[str, Amount]) -> Amount:
    if it.value is True:
        return lambda a, p, scene: 0
    if not isinstance(it.value, str):
        fixed = it.whole()
        return lambda a, p, scene: fixed
    if it.value not in amounts:
        raise it.slip(f"{shown(it.value)} is not an amount. {suggestion(it.value, amounts)}")
    return amounts[it.value]


def amounts_of(attachments: Iterable[str]) -> dict[str, Amount]:
    """Every amount that a line may name: what a unit gives, once for A and once for P."""
    found: dict[str, Amount] = {}
    for name, amount in (*OF_ONE.items(), *((f"bonus of {it}", _bonus(it)) for it in attachments)):
        found[f"A {name}"] = amount
        found[f"P {name}"] = _swapped(amount)
    return found


def _swapped(amount: Amount) -> Amount:
    return lambda a, p, scene: amount(p, a, scene)


def _bonus(attachment: str) -> Amount:
    def amount(own: Fighter, enemy: Fighter, scene: Scene) -> int:
        return scene.facts.attachments[attachment].bonus if attachment in own.traits else 0

    return amount


def friends(own: Fighter, at: Fighter) -> list[Fighter]:
    """The units on a fighter's side, itself not among them, that stand beside a unit."""
    return [it for it in at.beside if it.side == own.side and it.name != own.name]


def _lent_bars(own: Fighter, enemy: Fighter, scene: Scene) -> int:
    """HX-ODD-E17, HX-ODD-E18: bars of friends beside it, in the same space, with Combat Support."""
    is_air = "Air" in own.kinds
    return sum(it.bars for it in friends(own, own) if "Combat Support" in it.traits and ("Air" in it.kinds) == is_air)


def _observers(own: Fighter, enemy: Fighter, scene: Scene) -> int:
    """HX-ODD-E19: of each friend beside the target with a Forward Observer."""
    bonus = scene.facts.attachments["Forward Observer"].bonus
    return bonus * sum("Forward Observer" in it.traits for it in friends(own, enemy))


def _penalties(own: Fighter, enemy: Fighter, scene: Scene) -> int:
    """HX-INI-14."""
    return sum(scene.facts.attachments[name].penalty for name in own.piece.unit.attachments)


OF_ONE: Mapping[str, Amount] = {
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
"""What one unit gives to a line; `now` is the initiative it has so far."""
