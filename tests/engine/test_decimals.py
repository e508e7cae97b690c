"""Sums of what people typed come out as on paper."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.decimals import cell, exact, printed, signed


def test_a_difference_of_typed_numbers_is_exact() -> None:
    assert exact(52.5) - exact(48.1) == Decimal("4.4")
    assert sum((exact(0.1) for _ in range(100)), Decimal(0)) == 10


def test_digits_after_the_fifteenth_are_ignored() -> None:
    assert exact(52.5 - 48.1) == Decimal("4.4")
    assert exact(0.1 + 0.2) == Decimal("0.3")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_infinity_and_nan_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="is not a number of a cell"):
        exact(value)


@given(st.integers(-(10**14), 10**14), st.integers(0, 4))
def test_a_number_survives_its_cell(digits: int, places: int) -> None:
    value = Decimal(digits).scaleb(-places)

    assert exact(cell(value)) == value


def test_a_whole_number_is_an_int_in_its_cell() -> None:
    assert [repr(cell(Decimal(text))) for text in ("10.0", "-3", "0.25", "1E+3")] == ["10", "-3", "0.25", "1000"]


def test_numbers_are_printed_with_all_their_decimals() -> None:
    cases = [
        ("10.0", "10"),
        ("-0.60", "−0.6"),
        ("12500", "12,500"),
        ("1E+3", "1,000"),
        ("0", "0"),
        ("-0", "0"),
        ("1E-7", "0.0000001"),
    ]
    assert [(value, printed(Decimal(value))) for value, _ in cases] == cases


def test_numbers_have_signs() -> None:
    assert [signed(Decimal(text)) for text in ("0.5", "-1", "0")] == ["+0.5", "−1", "+0"]
