"""The text of each term says what is computed: read as arithmetic, with numbers for the names, it gives the number."""

from __future__ import annotations

import inspect
import math
import re
from types import FunctionType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.autoalgo.setup import formulas
from engine.symbols import Symbol

HELPERS = {"logarithm", "log10", "root", "cube_root", "power", "describe"}
ALL = [
    function
    for name, function in vars(formulas).items()
    if isinstance(function, FunctionType) and function.__module__ == formulas.__name__ and name not in HELPERS
    and not name.startswith("<")
]  # fmt: skip
SIGNS = {"·": "*", "^": "**", "√": "sqrt", "−": "-"}


def read(text: str, numbers: dict[str, float]) -> float:
    """Return the value of a text; a number may follow `log` without brackets."""
    text = re.sub(r"log (\d+)", r"log(\1)", text)
    for sign, operator in SIGNS.items():
        text = text.replace(sign, operator)
    return float(eval(text, {"__builtins__": {}}, {"log": math.log10, "sqrt": math.sqrt, **numbers}))


@pytest.mark.parametrize("formula", ALL, ids=lambda formula: formula.__name__)
@given(numbers=st.lists(st.integers(2, 900), min_size=8, max_size=8))
def test_var_05_a_term_s_text_states_its_formula(formula: FunctionType, numbers: list[int]) -> None:
    names = list(inspect.signature(formula).parameters)
    values = dict(zip(names, map(float, numbers), strict=False))
    text = formulas.describe(formula, *names)

    if re.search(r"log\((?!.* \+ 1\))", text) and formula(**values) == 0:
        return  # a logarithm of less than 1 counts as 0
    assert read(text, values) == pytest.approx(formula(**values), rel=1e-9)


def test_formulas_have_brackets_only_where_needed() -> None:
    cases = [
        ((Symbol("a") + 1) * Symbol("b"), "(a + 1)·b"),
        (Symbol("a") / (Symbol("b") / Symbol("c")), "a/(b/c)"),
        (1 - Symbol("a") * 2, "1 − a·2"),
        (2 / (Symbol("a") + Symbol("b")), "2/(a + b)"),
        (Symbol("a") - (Symbol("b") + 1), "a − (b + 1)"),
    ]
    assert [(made, made.text) for made, _ in cases] == cases


def test_formulas_show_the_numbers_of_the_tables() -> None:
    assert formulas.describe(formulas.of_towns, "Urban", 8, 10) == "Urban^(1/log 8)·10"
    assert formulas.describe(formulas.of_energy, "Power", 8760) == "log(Power/8,760 + 1)"
    assert formulas.describe(formulas.training_root, "Training", 10) == "√(Training/10)"
