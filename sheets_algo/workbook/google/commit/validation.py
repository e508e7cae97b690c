"""Checks of cells as requests: they warn and refuse nothing."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from sheets_algo.workbook.google.commit.requests import Request
from sheets_algo.workbook.template_spec import CellCheck

LONGEST_HINT = 400
"""The maximum number of characters of the hint that a cell shows while it is edited."""


def validation(area: Mapping[str, int], condition: Mapping[str, Any], check: CellCheck) -> Request:
    """Return the request for a check of some cells, which warns and refuses nothing."""
    rule: dict[str, Any] = {"condition": condition, "strict": False, "showCustomUi": True}
    if check.hint or check.says:
        rule["inputMessage"] = (check.hint or check.says)[:LONGEST_HINT]
    return {"setDataValidation": {"range": area, "rule": rule}}


def one_of(words: tuple[str, ...]) -> dict[str, Any]:
    """Return the condition of a drop-down list of words."""
    return condition_of("ONE_OF_LIST", *words)


def condition_of(type: str, *values: str) -> dict[str, Any]:
    """Return a condition of the API, with values as they would be typed."""
    return {"type": type, "values": [{"userEnteredValue": value} for value in values]}


def digits(number: float | None) -> str:
    """Return a number in a form that every locale reads: fractions as formulas, since the decimal sign differs."""
    exact = Fraction(str(number))
    return str(exact.numerator) if exact.denominator == 1 else f"={exact.numerator}/{exact.denominator}"
