"""One line of an exact number: its keys are the formula's (VAR-05)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from engine.rule import Label, named, part, rule
from engine.terms import explained, in_keys

HALF = Fraction(1, 2)


@rule("A-1", "price", base="base", men=Label("men", spell=str))
def price(base: Fraction, men: int, each: Fraction) -> Fraction:
    return base - men * men * each


@part(own="wins", enemy="loses")
def share(own: Fraction, enemy: Fraction) -> Fraction:
    return (100 * own + 0 * enemy) / (own + enemy)


@rule("A-2", "chance")
def chance(own: Fraction, enemy: Fraction) -> Fraction:
    return share(own, enemy)


@rule("A-3", "rest", before="before")
def rest(before: Fraction, changes: Sequence[Fraction]) -> Fraction:
    return max(before + sum(changes), Fraction(0))


@rule("A-4", "troops", own="own", enemy=Label("share", spell=str))
def troops(own: Fraction, enemy: Fraction) -> int:
    return math.floor(own / enemy * HALF)


def test_var_05_an_exact_number_has_keys_and_the_texts_of_its_numbers() -> None:
    changes = [named(Fraction(-3), Label("loss", spell=lambda _: "storm")), named(Fraction(1), Label("gain"))]
    assert [
        explained(price, Fraction(10), 3, HALF).line(),
        explained(chance, Fraction(1), Fraction(0), name="odds", id="A-5").line(),
        explained(rest, Fraction(1), changes).line(),
        explained(troops, Fraction(1_234_567), Fraction(2), note="whole").line(),
    ] == [
        "price 5.5 = base 10 − men 3 × itself 3 × 0.5 [A-1]",
        "odds 100 = (100 × wins 1 + 0 × loses 0) ÷ (wins 1 + loses 0) [A-5]",
        'rest 0 = before 1 + (loss "storm" −3 + gain 1), at least 0 [A-3]',
        "troops 308,641 = own 1,234,567 ÷ share 2 × 0.5, rounded down [A-4] (whole)",
    ]
    assert explained(troops, Fraction(9), Fraction(2), note="whole").data()["note"] == "whole"


def test_var_05_a_formula_in_keys_leaves_out_a_factor_of_1() -> None:
    assert in_keys(price, Fraction(10), 3, Fraction(1)) == "10 − 3 × 3"
    assert in_keys(troops, Fraction(9), Fraction(2)) == "9 ÷ 2 × 0.5, rounded down"
    assert in_keys(price, Fraction(10), 3, HALF) == "10 − 3 × 3 × 0.5"
