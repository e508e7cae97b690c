"""The thirteen factors of section 1.1: each a small function of one side's view, with the input it was made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from engine.exact import counted, exact, printed, ratio
from engine.explained import Explained, Term
from engine.scorecard.chance import chance
from engine.scorecard.general import Fate, Rolls, bonus
from engine.scorecard.inputs import DEFENDER, ScoreInputs, Side
from engine.scorecard.tables import Constants, Tables


@dataclass(frozen=True, slots=True)
class View:
    """One side as a factor sees it.

    Args:
        war: The war.
        own: The side that is scored.
        enemy: The other side.
        rolls: The commander's random numbers.
        fate: What came of them; None without a commander or before a roll.
        tables: Lists, points and single numbers, the workbook's own already in place.
    """

    war: ScoreInputs
    own: Side
    enemy: Side
    rolls: Rolls
    fate: Fate | None
    tables: Tables

    @property
    def constants(self) -> Constants:
        """The single numbers."""
        return self.tables.constants


@dataclass(frozen=True, slots=True)
class Scored:
    """What a factor found.

    Args:
        points: Exact.
        found: The input, as it stands in brackets on the receipt.
        terms: What the points were made of.
        how: `sum` or `product` of the terms.
        note: What else `explain` says.
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
        id: `SC-01`.
        name: `Location`.
        side: `Attacker` or `Defender`.
        points: What counts.
        found: The input.
        ruled: A moderator typed the points.
        explained: How the points came about.
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
        """The points as they are printed; a ratio always has its two decimals (SC-OP-11)."""
        return ratio(self.points) if self.id == "SC-13" and not self.ruled else printed(self.points)


def factors(view: View) -> Iterator[Factor]:
    """Every factor of one side in the order of section 1.1, a moderator's points in place of the rules' (SC-OP-27)."""
    overrides = {it.factor: exact(it.points) for it in view.own.overrides}
    for rule_id, rule in RULES:
        scored = rule(view)
        if rule_id in overrides:
            scored = _overridden(overrides[rule_id], scored)
        if scored is not None:
            name = view.tables.factors[rule_id]
            title = f"{name}, {view.own.side}"
            explained = Explained(title, rule_id, float(scored.points), scored.terms, scored.how, note=scored.note)
            yield Factor(rule_id, name, view.own.side, scored.points, scored.found, rule_id in overrides, explained)


def location(view: View) -> Scored:
    """SC-01: by label, or points typed as a number (SC-OP-12)."""
    found = view.own.location
    if isinstance(found, str):
        return _from_table(view.tables.locations[found], found)
    return _from_table(exact(found), "typed as a number")


def tactical_advantage(view: View) -> Scored:
    """SC-02: by label or level; a landing met at the beach gives the defender high ground at least (SC-02a)."""
    found, tactics = view.own.tactical, view.tables.tactics
    points = tactics[found].points if isinstance(found, str) else exact(found)
    text = found if isinstance(found, str) else next((it for it in tactics if tactics[it].points == points), "")
    beach = tactics[view.tables.beach].points
    if view.war.beach_landing and view.own.side == DEFENDER and points < beach:
        return _from_table(beach, f"{view.tables.beach}: meets a landing at the beach")
    return _from_table(points, text)


def general(view: View) -> Scored:
    """SC-03: nothing without a commander or when he is killed, else his bonus; wounds do not lower it (SC-OP-17)."""
    commander = view.own.general
    if commander is None:
        return Scored(Fraction(0), "no commander")
    worth = bonus(commander, view.rolls.exp or 0, view.constants)
    formula = f"{worth.record} + {worth.exp}"
    if worth.multiplier != 1:
        formula = f"({formula}) × {printed(worth.multiplier)}"
    if worth.exactly != worth.points:
        formula += f" = {printed(worth.exactly)}"
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
        Term("undefeated", "", float(worth.multiplier)),
        Term("record + Exp", f"{worth.record} + {worth.exp}", float(worth.exactly / worth.multiplier)),
    )
    return Scored(Fraction(gen * worth.points), f"{commander.name}: {formula}", terms, "product", "; ".join(notes))


def nations(view: View) -> Scored:
    """SC-04: the sum of all letters on the list; only letters that are listed count (SC-OP-02, SC-OP-03)."""
    letters = view.tables.letters
    worth = [(it, sum((letters[letter] for letter in it.letters), Fraction(0))) for it in view.own.listed]
    terms = tuple(Term(str(it), "", float(points)) for it, points in worth)
    found = ", ".join(f"{it} {printed(points)}" for it, points in worth)
    return Scored(sum((points for _, points in worth), Fraction(0)), found, terms)


def motive(view: View) -> Scored:
    """SC-05: the one motive told to the army."""
    return _from_table(view.tables.motives[view.own.motive], view.own.motive)


def stability(view: View) -> Scored:
    """SC-06: half the current stability."""
    divisor = view.constants.stability_divisor
    value = exact(view.own.nation.stability)
    terms = (Term("Stability", "", float(value)), Term("share", f"1/{printed(divisor)}", float(1 / divisor)))
    return Scored(value / divisor, f"{printed(value)} ÷ {printed(divisor)}", terms, "product")


def army(view: View) -> Scored:
    """SC-07: the database score, always multiplied (SC-OP-13)."""
    return _multiplied("Army score", view.own.nation.army_score, view.constants.army_factor)


def industry(view: View) -> Scored:
    """SC-08: only for the defender."""
    if view.own.side != DEFENDER:
        return Scored(Fraction(0), "defender only")
    return _multiplied("Industry score", view.own.nation.industry_score, view.constants.industry_factor)


def navy(view: View) -> Scored:
    """SC-09: only when the battle is near water and the navy is stationed nearby."""
    if not view.war.near_water:
        return Scored(Fraction(0), "not near water")
    if not view.own.navy_nearby:
        return Scored(Fraction(0), "no navy nearby")
    return _multiplied("Navy score", view.own.nation.navy_score, view.constants.navy_factor)


def expansion(view: View) -> Scored:
    """SC-10: a point less for each turn of expansion; the sheet holds the count (SC-OP-19)."""
    turns, each = view.own.nation.expansion_turns, view.constants.expansion_points
    terms = (Term("Expansion turns", "", turns), Term("each", "", float(each)))
    return Scored(turns * each, f"{turns} turn{'' if turns == 1 else 's'}", terms, "product")


def chance_points(view: View) -> Scored:
    """SC-11: one roll a side, from its own clock time and the opponent nation's edits (SC-OP-21).

    Raises:
        ValueError: Neither a time nor a moderator's chance.
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


def participation(view: View) -> Scored:
    """SC-12: once for each side."""
    return _from_table(view.constants.participation_points, "every side")


def troops(view: View) -> Scored | None:
    """SC-13: friendly ÷ enemy soldiers, exact; left out for both sides when either number is missing (SC-OP-11)."""
    if view.own.soldiers is None or view.enemy.soldiers is None:
        return None
    own, enemy = exact(view.own.soldiers), exact(view.enemy.soldiers)
    terms = (Term("soldiers", "", float(own)), Term("share", f"1/{counted(enemy)}", float(1 / enemy)))
    return Scored(own / enemy, f"{counted(own)} ÷ {counted(enemy)}", terms, "product")


RULES: tuple[tuple[str, Callable[[View], Scored | None]], ...] = (
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
"""Rule id and function, in the order of the receipt."""


def _from_table(points: Fraction, found: str) -> Scored:
    return Scored(points, found, (Term(found, "", float(points)),))


def _multiplied(input: str, score: float, factor: Fraction) -> Scored:
    value = exact(score)
    terms = (Term(input, "", float(value)), Term("each", "", float(factor)))
    return Scored(value * factor, f"{printed(value)} × {printed(factor)}", terms, "product")


def _overridden(points: Fraction, scored: Scored | None) -> Scored:
    instead = "the rules leave it out" if scored is None else f"the rules give {printed(scored.points)}: {scored.found}"
    return Scored(points, f"mod ruling; {instead}", (Term("mod ruling", "", float(points)),), note=instead)
