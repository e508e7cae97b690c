from fractions import Fraction

import pytest

from engine.exact import cell, cut, exact, printed, ratio, separated, signed


def test_a_typed_decimal_is_exact() -> None:
    assert exact(0.2) == Fraction(1, 5)
    assert exact(1e-7) == Fraction(1, 10_000_000)
    assert exact(7) == 7


def test_infinity_is_refused() -> None:
    with pytest.raises(ValueError, match="inf"):
        exact(float("inf"))


def test_sc_op_29_two_decimals_at_most_and_halves_away_from_zero() -> None:
    cases = [
        ("97", "97"),
        ("97.5", "97.5"),
        ("0.125", "0.13"),
        ("-0.125", "−0.13"),
        ("0.004", "0"),
        ("-0.004", "0"),
        ("-2", "−2"),
        ("10.996", "11"),
        ("2/3", "0.67"),
    ]
    assert [(value, printed(Fraction(value))) for value, _ in cases] == cases


def test_sc_op_11_a_fractional_ratio_has_two_decimals() -> None:
    cases = [("1", "1"), ("3/2", "1.50"), ("2/3", "0.67"), ("1/1000", "0.00")]
    assert [(value, ratio(Fraction(value))) for value, _ in cases] == cases


def test_cut_never_rounds() -> None:
    assert cut(Fraction("175.70479"), 4) == "175.7047"
    assert cut(Fraction("0.99999"), 4) == "0.9999"
    assert cut(Fraction(986), 4) == "986.0000"


def test_a_result_cell_holds_the_printed_number() -> None:
    assert cell(Fraction(287, 3)) == 95.67
    assert cell(Fraction(-1, 8)) == -0.13
    assert isinstance(cell(Fraction(97)), int)


def test_numbers_have_signs_and_thousands_separators() -> None:
    assert (signed(Fraction(4)), signed(Fraction(-10)), signed(Fraction(0))) == ("+4", "−10", "+0")
    assert (separated(Fraction(20_000)), separated(Fraction("0.5"))) == ("20,000", "0.5")
