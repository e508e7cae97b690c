"""Calculations: a line that a pocket calculator follows, and the same as data (VAR-05)."""

from __future__ import annotations

from engine.calculation import EXACT, WHOLE, KeyFormula, Part

FALL = KeyFormula(
    "fall of 100% men",
    "ATK-04, R-26",
    (
        Part("", "infantry", EXACT),
        Part("+", "cavalry", EXACT),
        Part("×", "Mercy"),
        Part("−", "draw"),
        Part("rounded up"),
    ),
    WHOLE,
)


def test_var_05_a_line_has_its_numbers_in_the_order_of_the_keys() -> None:
    made = FALL.of(10.0, 72.139, 25.021, 0.1, 0.6)
    assert made.line() == (
        "fall of 100% men 10 = (infantry 72.14 + cavalry 25.02) × Mercy 0.1 − draw 0.6, rounded up [ATK-04, R-26]"
    )
    assert made.data() == {
        "name": "fall of 100% men",
        "id": "ATK-04, R-26",
        "value": 10.0,
        "keys": [
            {"key": "", "what": "infantry", "value": 72.139},
            {"key": "+", "what": "cavalry", "value": 25.021},
            {"key": "×", "what": "Mercy", "value": 0.1},
            {"key": "−", "what": "draw", "value": 0.6},
            {"key": "rounded up"},
        ],
    }


def test_var_05_a_line_has_brackets_only_where_needed() -> None:
    cases = [
        ((), (), ""),
        ((Part("", "men"), Part("×", "share"), Part("√")), (9, 4), " = √(men 9 × share 4)"),
        ((Part("", parts=(Part("", "a"), Part("−", "b"))), Part("×", "c")), (3, 1, 2), " = (a 3 − b 1) × c 2"),
        ((Part("", "a"), Part("÷", parts=(Part("", "b"), Part("×", "c")))), (8, 2, 2), " = a 8 ÷ (b 2 × c 2)"),
        ((Part("", "a"), Part("−", parts=(Part("", "b"), Part("×", "c")))), (8, 2, 2), " = a 8 − b 2 × c 2"),
        ((Part("", "a"), Part("at most"), Part("×", "b")), (8, 2, 2), " = (a 8, at most 2) × b 2"),
        ((Part("", "a"), Part("+"), Part("log"), Part("÷", "b")), (9, 1, 2), " = log(a 9 + 1) ÷ b 2"),
    ]
    assert [
        (parts, numbers, text, KeyFormula("x", "VAR-05", parts).of(1.0, *numbers).line(), f"x 1{text} [VAR-05]")
        for parts, numbers, text in cases
        if KeyFormula("x", "VAR-05", parts).of(1.0, *numbers).line() != f"x 1{text} [VAR-05]"
    ] == []


def test_var_05_a_line_writes_numbers_as_receipts_do() -> None:
    """A negative term of a sum is subtracted, unless it begins a bracket."""
    fallen = Part("", parts=(Part("", "fallen"), Part("×", "each")))
    cases = [
        ((Part("", "base"), Part("+", "agents")), (20_000, -2), "base 20,000 − agents 2"),
        ((Part("", "base"), Part("−", "agents")), (-20, -2.5), "base −20 + agents 2.5"),
        ((Part("", "base"), fallen._replace(key="+")), (20, -2, 4), "base 20 − fallen 2 × each 4"),
        ((Part("", "base"), fallen._replace(key="+", what="toll")), (20, -2, 4), "base 20 + toll fallen −2 × each 4"),
        ((Part("", "base"), Part("+", parts=(Part("", "a"), Part("+", "b")))), (1, -2, -3), "base 1 + (a −2 − b 3)"),
        ((Part("", "base"), Part("×", "each"), Part("+", "none")), (2, -1, -0.0), "base 2 × each −1 + none 0"),
        ((Part("", "a"), Part("at least")), (1, -1), "a 1, at least −1"),
        ((Part("", "men"), Part("×")), (1_234_567, 0.00004), "men 1,234,567 × 0.00004"),
    ]
    lines = [KeyFormula("x", "VAR-05", parts).of(-1_000_000.25, *numbers).line() for parts, numbers, _ in cases]
    assert lines == [f"x −1,000,000.25 = {text} [VAR-05]" for _, _, text in cases]
