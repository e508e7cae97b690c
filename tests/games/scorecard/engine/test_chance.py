import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.scorecard.chance import PI, chance
from tests.games.scorecard.engine.wars import CLOCKS
from tests.helpers.example_budget import LAW

HUNDREDTHS, THOUSANDTHS = 100, 1000
EDITS = st.integers(1, 10_000_000)
ALL_CLOCKS = [f"{hour:02}:{minute:02}" for hour, minute in product(range(24), range(60))]


def machin_pi(digits: int) -> Fraction:
    """π by Machin's formula, in integers: another way to the same digits than the constant under test."""

    def arctan_of_one_by(x: int) -> int:
        term, total, odd = 10 ** (digits + 10) // x, 0, 1
        while term:
            total += term // odd if odd % 4 == 1 else -(term // odd)
            term //= x * x
            odd += 2
        return total

    return Fraction(4 * (4 * arctan_of_one_by(5) - arctan_of_one_by(239)), 10 ** (digits + 10))


def test_pi_has_fifty_correct_decimals() -> None:
    assert abs(PI - machin_pi(80)) < Fraction(1, 10**50)


@pytest.mark.parametrize(
    ("clock", "edits", "product", "value", "digit"),
    [
        ("09:05", 1200, 45, "83.7758", 7),
        ("19:59", 100, 405, "12.7234", 2),
        ("00:00", 1, 1, "3.1415", 4),
        ("10:00", 314, 1, "986.4600", 6),
    ],
)
def test_sc_ex_09_sc_11_digits_match_hand_calculations(
    clock: str, edits: int, product: int, value: str, digit: int
) -> None:
    found = chance(clock, edits, HUNDREDTHS)

    assert (found.product, found.text, found.digit) == (product, value, digit)


def test_sc_ex_07_sc_op_01_sc_op_18_both_readings_give_the_worked_digits() -> None:
    found = chance("21:17", 783, HUNDREDTHS)

    assert (found.product, found.text) == (14, "175.7047")
    assert found.digit == 0
    assert chance("21:17", 783, THOUSANDTHS).digit == 4


def test_sc_op_01_the_sample_percentage_yields_3() -> None:
    """123.8377 % is 1.238377 as a plain number."""
    assert math.floor(Fraction("1.238377") * HUNDREDTHS) % 10 == 3


def test_sc_11_the_product_ranges_from_1_to_405() -> None:
    products = {chance(clock, 1, HUNDREDTHS).product for clock in ALL_CLOCKS}

    assert (min(products), max(products)) == (1, 405)


def test_sc_11_every_clock_time_agrees_with_pi_of_eighty_digits() -> None:
    exact_pi = machin_pi(80)
    for clock in ALL_CLOCKS:
        for edits in (1, 7, 113, 783, 355 * 113, 9_999_991, 10_000_000):
            found = chance(clock, edits, HUNDREDTHS)
            share = Fraction(found.product, edits)
            assert found.digit == math.floor(max(share, 1 / share) * exact_pi * 100) % 10, (clock, edits)


@LAW
@given(clock=CLOCKS, edits=EDITS, scale=st.sampled_from([HUNDREDTHS, THOUSANDTHS]))
def test_sc_11_the_digit_agrees_with_the_printed_value(clock: str, edits: int, scale: int) -> None:
    found = chance(clock, edits, scale)
    decimals = found.text.partition(".")[2]

    assert found.digit == int(decimals[1 if scale == HUNDREDTHS else 2])
    assert found.value >= PI


@LAW
@given(clock=CLOCKS, edits=EDITS, data=st.data())
def test_invariant_7_only_the_non_zero_digits_count(clock: str, edits: int, data: st.DataObject) -> None:
    digits = sorted(digit for digit in clock if digit in "123456789")
    alike = [other for other in ALL_CLOCKS if sorted(digit for digit in other if digit in "123456789") == digits]

    assert chance(data.draw(st.sampled_from(alike)), edits, HUNDREDTHS) == chance(clock, edits, HUNDREDTHS)


def test_invariant_7_agrees_with_the_rules_wording() -> None:
    assert chance("12:30", 783, HUNDREDTHS) == chance("03:21", 783, HUNDREDTHS)


def test_sc_op_16_zero_edits_are_refused() -> None:
    with pytest.raises(ValueError, match=r"at least 1 .*SC-OP-16"):
        chance("21:17", 0, HUNDREDTHS)
