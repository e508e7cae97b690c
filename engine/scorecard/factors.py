"""The thirteen factors of section 1.1: one function each, from one side's inputs to points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from engine.calculation import Calculation
from engine.exact import exact, printed, ratio, separated
from engine.receipt import counted
from engine.rule import Label, TracedNumber, named, plain, rule
from engine.scorecard.chance import chance
from engine.scorecard.general import Bonus, CommanderFate, CommanderRolls, bonus, commander_points, exactly
from engine.scorecard.inputs import DEFENDER, ScoredSide, ScoreInputs
from engine.scorecard.tables import ScoreConstants, ScoreTables
from engine.terms import explained, in_keys


@dataclass(frozen=True, slots=True)
class FactorInputs:
    """Inputs of one side's factors."""

    war: ScoreInputs  # The war's inputs
    own: ScoredSide  # The side that is scored
    enemy: ScoredSide  # The other side
    rolls: CommanderRolls  # The own commander's random numbers
    fate: CommanderFate | None  # The own commander's fate; None without a commander or before the roll
    tables: ScoreTables  # The tables, with the workbook's settings in place

    @property
    def constants(self) -> ScoreConstants:
        """Return the tables' single numbers."""
        return self.tables.constants


Text = str | Callable[[], str]
"""A text, or a function that returns it."""


@dataclass(frozen=True, slots=True)
class Factor:
    """One line of a side's score, derived on demand."""

    points: Fraction  # The exact points that count
    spell: Callable[[], str]  # The function that returns the input, printed in brackets on the receipt
    derive: Callable[..., Calculation]  # The function that returns the derivation, given name and id
    id: str = ""  # The rule id: `SC-01`
    name: str = ""  # The factor's name: `Location`
    side: str = ""  # `Attacker` or `Defender`
    ruled: bool = False  # True if a moderator typed the points

    @property
    def input_text(self) -> str:
        """Return the input, as text."""
        return self.spell()

    @property
    def explained(self) -> Calculation:
        """Return the derivation of the points."""
        return self.derive(name=f"{self.name}, {self.side}", id=self.id)

    @property
    def text(self) -> str:
        """Return the points as text; a ratio always has two decimals (SC-OP-11)."""
        return ratio(self.points) if self.id == "SC-13" and not self.ruled else printed(self.points)


def factors(view: FactorInputs) -> Iterator[Factor]:
    """Yield one side's factors in the order of section 1.1; a moderator's points replace the rules' (SC-OP-27)."""
    overrides = {override.factor: exact(override.points) for override in view.own.overrides}
    for rule_id, score in FACTORS:
        scored = score(view)
        if rule_id in overrides:
            scored = _overridden(overrides[rule_id], scored)
        if scored is not None:
            name = view.tables.factors[rule_id]
            yield replace(scored, id=rule_id, name=name, side=view.own.side, ruled=rule_id in overrides)


def location(view: FactorInputs) -> Factor:
    """Score the location by label, or by points typed as a number (SC-01, SC-OP-12)."""
    value = view.own.location
    if isinstance(value, str):
        return _given(view.tables.locations[value], value)
    return _given(exact(value), "typed as a number")


def tactical_advantage(view: FactorInputs) -> Factor:
    """Score the tactical advantage by label or level, at least high ground against a landing (SC-02, SC-02a)."""
    value, tactics = view.own.tactical, view.tables.tactics
    points = tactics[value].points if isinstance(value, str) else exact(value)
    text = (
        value if isinstance(value, str) else next((label for label in tactics if tactics[label].points == points), "")
    )
    beach = tactics[view.tables.beach].points
    if view.war.beach_landing and view.own.side == DEFENDER and points < beach:
        return _given(beach, f"{view.tables.beach}: meets a landing at the beach")
    return _given(points, text)


def general(view: FactorInputs) -> Factor:
    """Score the commander's bonus (SC-03): 0 without a commander or if killed; wounds do not lower it (SC-OP-17)."""
    commander = view.own.general
    if commander is None:
        return _given(Fraction(0), "no commander", None)
    earned = bonus(commander, view.rolls.exp or 0, view.constants)
    fate = view.fate
    gen = Label("Gen") if fate is None else Label("Gen", spell=lambda _: fate.text)
    notes = ["nothing if he is killed (SC-03a)"] if fate is None else []
    if view.rolls.exp is None:
        notes.append("Exp is not fixed yet: 0 to 9 more (SC-OP-08)")
    arguments = *earned.terms, named(1 if fate is None else fate.band.gen, gen)
    return _scored(
        partial(_commander, commander.name, earned, fate), commander_points, *arguments, note="; ".join(notes)
    )


def _commander(name: str, earned: Bonus, fate: CommanderFate | None) -> str:
    formula = in_keys(exactly, *earned.terms)
    if earned.exactly != earned.points:
        formula += f" = {printed(earned.exactly)}"
    return f"{name}: {formula}; {'fate not rolled yet' if fate is None else f'{fate.text}, f = {printed(fate.f)}'}"


def nations(view: FactorInputs) -> Factor:
    """Score the sum of all letters on the side's list; other nations do not count (SC-04, SC-OP-02, SC-OP-03)."""
    letters = view.tables.letters
    points_by_nation = [
        (belligerent, sum((letters[letter] for letter in belligerent.letters), Fraction(0)))
        for belligerent in view.own.listed
    ]
    listed = ", ".join(f"{belligerent} {printed(points)}" for belligerent, points in points_by_nation)
    return _scored(listed, total, [named(points, Label(str(nation))) for nation, points in points_by_nation])


def motive(view: FactorInputs) -> Factor:
    """Score the one motive given to the army (SC-05)."""
    return _given(view.tables.motives[view.own.motive], view.own.motive)


def stability(view: FactorInputs) -> Factor:
    """Score half the current stability (SC-06)."""
    own, divisor = view.own.nation.stability, view.constants.stability_divisor
    return _scored(None, divided, _entered("Stability", own), named(divisor, Label("", spell=printed)))


def army(view: FactorInputs) -> Factor:
    """Score the army score of the database, always multiplied (SC-07, SC-OP-13)."""
    return _scored(None, multiplied, _entered("Army score", view.own.nation.army_score), view.constants.army_factor)


def industry(view: FactorInputs) -> Factor:
    """Score the industry; only the defender's counts (SC-08)."""
    if view.own.side != DEFENDER:
        return _given(Fraction(0), "defender only", None)
    own = _entered("Industry score", view.own.nation.industry_score)
    return _scored(None, multiplied, own, view.constants.industry_factor)


def navy(view: FactorInputs) -> Factor:
    """Score the navy, if the battle is near water and the navy is stationed nearby (SC-09)."""
    if not view.war.near_water:
        return _given(Fraction(0), "not near water", None)
    if not view.own.navy_nearby:
        return _given(Fraction(0), "no navy nearby", None)
    return _scored(None, multiplied, _entered("Navy score", view.own.nation.navy_score), view.constants.navy_factor)


def expansion(view: FactorInputs) -> Factor:
    """Subtract a point for each turn of expansion; the sheet holds the count (SC-10, SC-OP-19)."""
    turns = view.own.nation.expansion_turns
    return _scored(
        counted(turns, "turn"), multiplied, _entered("Expansion turns", turns), view.constants.expansion_points
    )


def chance_points(view: FactorInputs) -> Factor:
    """Score the side's chance from its own clock time and the opponent nation's edits (SC-11, SC-OP-21).

    Raises:
        ValueError: Neither a time nor a moderator's chance is given.
    """
    own = view.own
    if own.chance is not None:
        return _given(Fraction(own.chance), "given by the moderator")
    if own.declared_at is None:
        raise ValueError(f"{own.title} has neither Declared at nor Chance (SC-11)")
    edits = view.enemy.nation.edits if own.opponent_edits is None else own.opponent_edits
    drawn = chance(own.declared_at, edits, view.constants.chance_scale)
    count = counted(edits, "edit")
    digit = Label(f"{view.constants.chance_digit} digit of X", spell=lambda _: drawn.text)
    note = f"P {drawn.product}, {count}"
    return _given(Fraction(drawn.digit), f"{own.declared_at}, {count}, X = {drawn.text}", digit, note)


def participation(view: FactorInputs) -> Factor:
    """Score the participation, once for each side (SC-12)."""
    return _given(view.constants.participation_points, "every side")


def troops(view: FactorInputs) -> Factor | None:
    """Score friendly ÷ enemy soldiers, exactly; None for both sides if either number is missing (SC-13, SC-OP-11)."""
    if view.own.soldiers is None or view.enemy.soldiers is None:
        return None
    own, enemy = _entered("soldiers", view.own.soldiers), exact(view.enemy.soldiers)
    text = partial(in_keys, divided, own, enemy, spell=separated)
    return _scored(text, divided, own, named(enemy, Label("enemy soldiers", spell=separated)))


FACTORS: tuple[tuple[str, Callable[[FactorInputs], Factor | None]], ...] = (
    ("SC-01", location),
    ("SC-02", tactical_advantage),
    ("SC-03", general),
    ("SC-04", nations),
    ("SC-05", motive),
    ("SC-06", stability),
    ("SC-07", army),
    ("SC-08", industry),
    ("SC-09", navy),
    ("SC-10", expansion),
    ("SC-11", chance_points),
    ("SC-12", participation),
    ("SC-13", troops),
)
"""Rule ids with their functions, in the order of the receipt."""


def _scored(input_text: Text | None, formula: Callable[..., Any], *arguments: Any, note: str = "") -> Factor:
    """Return the points of a formula; the input is printed as the formula's own text unless given."""
    text = (lambda: input_text) if isinstance(input_text, str) else input_text or partial(in_keys, formula, *arguments)
    points = Fraction(formula(*map(plain, arguments)))
    return Factor(points, text, partial(explained, formula, *arguments, note=note))


def _entered(name: str, value: float) -> TracedNumber:
    return named(exact(value), Label(name))


@rule("SC-07", "points", each="each")
def multiplied(value: Fraction, each: Fraction) -> Fraction:
    """Return a number times the points for each (SC-07 ... SC-10)."""
    return value * each


@rule("SC-06", "points")
def divided(value: Fraction, divisor: Fraction) -> Fraction:
    """Return a share of a number (SC-06, SC-13)."""
    return value / divisor


@rule("SC-04", "points")
def total(points: Sequence[Fraction]) -> Fraction:
    """Return the sum of points from a table, or from a moderator (SC-04)."""
    return sum(points, Fraction(0))


def _given(points: Fraction, input_text: str, name: Label | str | None = "", note: str = "") -> Factor:
    """Return points without a formula; `name` is their name in the explanation."""
    title = Label(name or input_text) if isinstance(name, str) else name
    return _scored(input_text, total, [named(points, title) if title else points], note=note)


def _overridden(points: Fraction, scored: Factor | None) -> Factor:
    replaced = (
        "the rules leave it out" if scored is None else f"the rules give {printed(scored.points)}: {scored.input_text}"
    )
    return _given(points, f"mod ruling; {replaced}", "mod ruling", replaced)
