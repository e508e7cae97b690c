"""One line of an exact number: its terms are the formula's (VAR-05)."""

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


def test_var_05_a_summand_has_the_name_of_its_first_number() -> None:
    assert explained(price, Fraction(10), 3, HALF).line() == 'price 5.5 = base 10 + men, squared "3" -4.5 [A-1]'


def test_var_05_a_sum_of_weighted_numbers_over_their_weights_is_an_average() -> None:
    found = explained(chance, Fraction(1), Fraction(0), name="odds", id="A-5")
    assert found.line() == "odds 100 = (wins 100 ×1 + loses 0 ×0) / 1 [A-5]"
    assert found.how == "average"


def test_var_05_a_reached_limit_is_noted() -> None:
    changes = [named(Fraction(-3), Label("loss")), named(Fraction(1), Label("gain"))]
    assert explained(rest, Fraction(1), changes).line() == "rest 0 = before 1 + loss -3 + gain 1 [A-3] (not below 0)"
    assert explained(rest, Fraction(2), changes, note="why").line().endswith("[A-3] (why)")


def test_var_05_a_divisor_is_a_share_and_rounding_is_left_to_the_note() -> None:
    found = explained(troops, Fraction(9), Fraction(2), note="rounded down")
    assert found.line() == 'troops 2 = own 9 × share "1/2" 0.25 [A-4] (rounded down)'
    assert in_keys(troops, Fraction(9), Fraction(2)) == "9 ÷ 2 × 0.5, rounded down"


def test_var_05_a_formula_in_keys_leaves_out_a_factor_of_1() -> None:
    assert in_keys(price, Fraction(10), 3, Fraction(1)) == "10 − 3 × 3"
    assert in_keys(price, Fraction(10), 3, HALF) == "10 − 3 × 3 × 0.5"
