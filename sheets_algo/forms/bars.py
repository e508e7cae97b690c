"""Figures of a receipt that pages draw as bars, two to a row."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from engine.receipt import Line

_NUMBER = re.compile(r"([-−]?)(\d[\d,]*(?:\.\d+)?)(?![\w.])")
"""A number at the beginning of a text, as receipts write it."""


@dataclass(frozen=True, slots=True)
class PairedBars:
    """Two series of figures for a comparison row by row."""

    title: str  # Their subject
    series: tuple[str, str]  # The names of both
    rows: tuple[tuple[str, float, float], ...]  # Label and both figures of each row
    total: tuple[str, float, float] | None = None  # Label and both figures of their sum; None for none


def leading_number(text: str) -> float | None:
    """Return the number with which a text begins, e.g. 20 of `20 (40 ÷ 2)`; None if it begins otherwise."""
    match = _NUMBER.match(text)
    return float(f"{'-' if match[1] else ''}{match[2].replace(',', '')}") if match else None


def figures_of(lines: Iterable[Line]) -> dict[str, float]:
    """Return the figures of the lines of a receipt that begin with one, by label."""
    numbers = ((line.label, leading_number(line.text)) for line in lines)
    return {label: number for label, number in numbers if label and number is not None}
