"""R-96: logarithms, exponentials and roots, against decimals of 60 digits."""

from __future__ import annotations

import ast
import math
from decimal import Context, Decimal
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.elementary import LOG_2, LOG_10, cube_root, exp, log, log10, power, sine
from tests.helpers.games import facts

MANY_DIGITS = Context(prec=60)
ENGINE = Path(__file__).parents[2] / "engine"
SAME_EVERYWHERE = {
    "sqrt", "floor", "ceil", "trunc", "frexp", "ldexp", "fsum", "isnan", "isfinite", "inf", "nan", "prod", "copysign",
}  # fmt: skip
"""Names of `math` whose results IEEE 754 fixes, or which are exact."""
POWERS_MAY = {
    "engine/case.py",
    "engine/exact.py",
    "engine/forecast.py",
    *(module for modules in facts("POWERS_MAY") for module in modules),
}
"""Modules with powers of whole numbers, of decimals, or of 10.0 and 2.0 to a small whole number, which are exact."""
positive = st.floats(min_value=1e-300, max_value=1e300)


def ulps(found: float, expected: Decimal) -> float:
    """The error of a result, in units of the last place of the best one."""
    return float(abs(Decimal(found) - expected) / Decimal(math.ulp(float(expected))))


@settings(deadline=None)
@given(positive | st.floats(min_value=0.5, max_value=2.0).filter(lambda value: value != 1.0))
def test_a_logarithm_is_off_by_less_than_one_unit(value):
    assert ulps(log(value), MANY_DIGITS.ln(Decimal(value))) < 1.0


def test_a_sine_agrees_with_the_c_library():
    """Which differ from machine to machine."""
    for number in range(-200, 201):
        turns = number / 97
        assert abs(sine(turns) - math.sin(2 * math.pi * turns)) < 4e-15
    assert [round(sine(turns), 20) for turns in (0.0, 0.25, 0.5, 0.75)] == [0.0, 1.0, 0.0, -1.0]


@settings(deadline=None)
@given(st.floats(min_value=-700, max_value=700))
def test_an_exponential_is_off_by_less_than_one_unit(value):
    assert ulps(exp(value), MANY_DIGITS.exp(Decimal(value))) < 1.0


@settings(deadline=None)
@given(positive, st.floats(min_value=-2, max_value=2))
def test_other_elementary_functions_are_correctly_rounded(value, exponent):
    assert log10(value) == float(MANY_DIGITS.log10(Decimal(value)))
    assert power(value / 1e150 if value > 1 else value * 1e150, exponent) > 0
    third = MANY_DIGITS.divide(Decimal(1), Decimal(3))
    assert cube_root(value) == float(MANY_DIGITS.power(Decimal(value), third))


def test_exact_results_are_exact():
    assert (log(1.0), exp(0.0), log10(1000.0), cube_root(27.0), cube_root(0.0)) == (0.0, 1.0, 3.0, 3.0, 0.0)
    assert (log(2.0), log(0.5), log(10.0)) == (LOG_2, -LOG_2, LOG_10)
    assert power(4.0, 0.5) == 2.0
    assert [exp(step * LOG_2) for step in (1, 2, -1)] == [2.0, 4.0, 0.5]


def test_the_rules_call_no_function_that_c_libraries_round_differently():
    modules = sorted(ENGINE.rglob("*.py"))
    found = {
        module.relative_to(ENGINE.parent).as_posix(): machine_words(module.read_text("utf-8")) for module in modules
    }
    assert {place for place, words in found.items() if "**" in words} <= POWERS_MAY
    assert {place: words - {"**"} for place, words in found.items() if words - {"**"}} == {}


NUMPY_FUNCTIONS = {"exp", "expm1", "log", "log2", "log10", "log1p", "power", "cbrt", "hypot", "sin", "cos", "tan"}


def machine_words(source: str) -> set[str]:
    """What a module uses whose last bit is a machine's own: functions of `math` and `np`, and powers."""
    words = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(value=ast.Name(id="math"), attr=name) if name not in SAME_EVERYWHERE:
                words.add(f"math.{name}")
            case ast.Attribute(value=ast.Name(id="np"), attr=name) if name in NUMPY_FUNCTIONS:
                words.add(f"np.{name}")
            case ast.ImportFrom(module="math"):
                words.add("from math")
            case ast.Pow():
                words.add("**")
    return words


def test_a_call_of_a_c_library_s_function_is_detected():
    cases = [
        ("math.sqrt(x) + np.floor(x) * x", set()),
        ("math.sin(x)", {"math.sin"}),
        ("function = np.power", {"np.power"}),
        ("from math import exp", {"from math"}),
        ("x **= 2", {"**"}),
    ]
    assert [(source, machine_words(source)) for source, _ in cases] == cases
