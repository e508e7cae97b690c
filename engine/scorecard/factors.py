"""The thirteen factors of section 1.1: one function each, from one side's inputs to points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from engine.exact import counted, exact, printed, ratio
from engine.explained import Explained, Term
from engine.scorecard.chance import chance
from engine.scorecard.general import CommanderFate, CommanderRolls, bonus
from engine.scorecard.inputs import DEFENDER, ScoredSide, ScoreInputs
from engine.scorecard.tables import ScoreConstants, ScoreTables


@dataclass(frozen=True, slots=True)
class FactorInputs:
    """Inputs of one side's factors.

    Args:
        war: The war's inputs.
        own: The side that is scored.
        enemy: The other side.
        rolls: The own commander's random numbers.
        fate: The own commander's fate; None without a commander or before the roll.
        tables: The tables, with the workbook's settings in place.
    """

    war: ScoreInputs
    own: ScoredSide
    enemy: ScoredSide
    rolls: CommanderRolls
    fate: CommanderFate | None
    tables: ScoreTables

    @property
    def constants(self) -> ScoreConstants:
        """Return the tables' single numbers."""
        return self.tables.constants


@dataclass(frozen=True, slots=True)
class Scored:
    """Points of a factor with their derivation.

    Args:
        points: The exact points.
        found: The input, printed in brackets on the receipt.
        terms: The terms of which the points were made.
        how: The way the terms are combined: `sum` or `product`.
        note: A remark for `explain`.
    """

    points: Fraction
    found: str
    terms: tuple[Term, ...] = ()
    how: str = "sum"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Factor:
    """One line of a side's score.

    Args:
        id: The rule id: `SC-01`.
        name: The factor's name: `Location`.
        side: `Attacker` or `Defender`.
        points: The points that count.
        found: The input, as text.
        ruled: True if a moderator typed the points.
        explained: The derivation of the points.
    """

    id: str
    name: str
    side: str
    points: Fraction
    found: str
    ruled: bool
    explained: Explained

    @property
    def shown(self) -> str:
        """Return the points as text; a ratio always has two decimals (SC-OP-11)."""
        return ratio(self.points) if self.id == "SC-13" and not self.ruled else printed(self.points)


def factors(view: FactorInputs) -> Iterator[Factor]:
    """Yield one side's factors in the order of section 1.1; a moderator's points replace the rules' (SC-OP-27)."""
    overrides = {override.factor: exact(override.points) for override in view.own.overrides}
    for rule_id, rule in RULES:
        scored = rule(view)
        if rule_id in overrides:
            scored = _overridden(overrides[rule_id], scored)
        if scored is not None:
            name = view.tables.factors[rule_id]
            title = f"{name}, {view.own.side}"
            explained = Explained(title, rule_id, float(scored.points), scored.terms, scored.how, note=scored.note)
            yield Factor(rule_id, name, view.own.side, scored.points, scored.found, rule_id in overrides, explained)


def location(view: FactorInputs) -> Scored:
    """Score the location by label, or by points typed as a number (SC-01, SC-OP-12)."""
    value = view.own.location
    if isinstance(value, str):
        return _from_table(view.tables.locations[value], value)
    return _from_table(exact(value), "typed as a number")


def tactical_advantage(view: FactorInputs) -> Scored:
    """Score the tactical advantage by label or level (SC-02).

    A landing met at the beach gives the defender at least high ground (SC-02a).
    """
    value, tactics = view.own.tactical, view.tables.tactics
    points = tactics[value].points if isinstance(value, str) else exact(value)
    text = (
        value if isinstance(value, str) else next((label for label in tactics if tactics[label].points == points), "")
    )
    beach = tactics[view.tables.beach].points
    if view.war.beach_landing and view.own.side == DEFENDER and points < beach:
        return _from_table(beach, f"{view.tables.beach}: meets a landing at the beach")
    return _from_table(points, text)


def general(view: FactorInputs) -> Scored:
    """Score the commander's bonus (SC-03): 0 without a commander or if killed; wounds do not lower it (SC-OP-17)."""
    commander = view.own.general
    if commander is None:
        return Scored(Fraction(0), "no commander")
    earned = bonus(commander, view.rolls.exp or 0, view.constants)
    formula = f"{earned.record} + {earned.exp}"
    if earned.multiplier != 1:
        formula = f"({formula}) × {printed(earned.multiplier)}"
    if earned.exactly != earned.points:
        formula += f" = {printed(earned.exactly)}"
    gen = 1 if view.fate is None else view.fate.band.gen
    if view.fate is None:
        formula += "; fate not rolled yet"
    else:
        formula += f"; {view.fate.shown}, f = {printed(view.fate.f)}"
    notes = ["rounded up"]
    if view.fate is None:
        notes.append("nothing if he is killed (SC-03a)")
    if view.rolls.exp is None:
        notes.append("Exp is not fixed yet: 0 to 9 more (SC-OP-08)")
    terms = (
        Term("Gen", "" if view.fate is None else view.fate.shown, gen),
        Term("undefeated", "", float(earned.multiplier)),
        Term("record + Exp", f"{earned.record} + {earned.exp}", float(earned.exactly / earned.multiplier)),
    )
    return Scored(Fraction(gen * earned.points), f"{commander.name}: {formula}", terms, "product", "; ".join(notes))


def nations(view: FactorInputs) -> Scored:
    """Score the sum of all letters on the side's list; other nations do not count (SC-04, SC-OP-02, SC-OP-03)."""
    letters = view.tables.letters
    points_by_nation = [
        (belligerent, sum((letters[letter] for letter in belligerent.letters), Fraction(0)))
        for belligerent in view.own.listed
    ]
    terms = tuple(Term(str(belligerent), "", float(points)) for belligerent, points in points_by_nation)
    found = ", ".join(f"{belligerent} {printed(points)}" for belligerent, points in points_by_nation)
    return Scored(sum((points for _, points in points_by_nation), Fraction(0)), found, terms)


def motive(view: FactorInputs) -> Scored:
    """Score the one motive given to the army (SC-05)."""
    return _from_table(view.tables.motives[view.own.motive], view.own.motive)


def stability(view: FactorInputs) -> Scored:
    """Score half the current stability (SC-06)."""
    divisor = view.constants.stability_divisor
    value = exact(view.own.nation.stability)
    terms = (Term("Stability", "", float(value)), Term("share", f"1/{printed(divisor)}", float(1 / divisor)))
    return Scored(value / divisor, f"{printed(value)} ÷ {printed(divisor)}", terms, "product")


def army(view: FactorInputs) -> Scored:
    """Score the army score of the database, always multiplied (SC-07, SC-OP-13)."""
    return _multiplied("Army score", view.own.nation.army_score, view.constants.army_factor)


def industry(view: FactorInputs) -> Scored:
    """Score the industry; only the defender's counts (SC-08)."""
    if view.own.side != DEFENDER:
        return Scored(Fraction(0), "defender only")
    return _multiplied("Industry score", view.own.nation.industry_score, view.constants.industry_factor)


def navy(view: FactorInputs) -> Scored:
    """Score the navy, if the battle is near water and the navy is stationed nearby (SC-09)."""
    if not view.war.near_water:
        return Scored(Fraction(0), "not near water")
    if not view.own.navy_nearby:
        return Scored(Fraction(0), "no navy nearby")
    return _multiplied("Navy score", view.own.nation.navy_score, view.constants.navy_factor)


def expansion(view: FactorInputs) -> Scored:
    """Subtract a point for each turn of expansion; the sheet holds the count (SC-10, SC-OP-19)."""
    turns, each = view.own.nation.expansion_turns, view.constants.expansion_points
    terms = (Term("Expansion turns", "", turns), Term("each", "", float(each)))
    return Scored(turns * each, f"{turns} turn{'' if turns == 1 else 's'}", terms, "product")


def chance_points(view: FactorInputs) -> Scored:
    """Score the side's chance from its own clock time and the opponent nation's edits (SC-11, SC-OP-21).

    Raises:
        ValueError: There is neither a time nor a moderator's chance.
    """
    own = view.own
    if own.chance is not None:
        return _from_table(Fraction(own.chance), "given by the moderator")
    if own.declared_at is None:
        raise ValueError(f"{own.title} has neither Declared at nor Chance (SC-11)")
    edits = view.enemy.nation.edits if own.opponent_edits is None else own.opponent_edits
    drawn = chance(own.declared_at, edits, view.constants.chance_scale)
    count = f"{counted(Fraction(edits))} edits"
    terms = (Term(f"{view.constants.chance_digit} digit of X", drawn.shown, drawn.digit),)
    found = f"{own.declared_at}, {count}, X = {drawn.shown}"
    return Scored(Fraction(drawn.digit), found, terms, note=f"P {drawn.product}, {count}")


def participation(view: FactorInputs) -> Scored:
    """Score the participation, once for each side (SC-12)."""
    return _from_table(view.constants.participation_points, "every side")


def troops(view: FactorInputs) -> Scored | None:
    """Score friendly ÷ enemy soldiers, exactly; None for both sides if either number is missing (SC-13, SC-OP-11)."""
    if view.own.soldiers is None or view.enemy.soldiers is None:
        return None
    own, enemy = exact(view.own.soldiers), exact(view.enemy.soldiers)
    terms = (Term("soldiers", "", float(own)), Term("share", f"1/{counted(enemy)}", float(1 / enemy)))
    return Scored(own / enemy, f"{counted(own)} ÷ {counted(enemy)}", terms, "product")


RULES: tuple[tuple[str, Callable[[FactorInputs], Scored | None]], ...] = (
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


def _from_table(points: Fraction, found: str) -> Scored:
    return Scored(points, found, (Term(found, "", float(points)),))


def _multiplied(input: str, score: float, factor: Fraction) -> Scored:
    value = exact(score)
    terms = (Term(input, "", float(value)), Term("each", "", float(factor)))
    return Scored(value * factor, f"{printed(value)} × {printed(factor)}", terms, "product")


def _overridden(points: Fraction, scored: Scored | None) -> Scored:
    replaced = (
        "the rules leave it out" if scored is None else f"the rules give {printed(scored.points)}: {scored.found}"
    )
    return Scored(points, f"mod ruling; {replaced}", (Term("mod ruling", "", float(points)),), note=replaced)
