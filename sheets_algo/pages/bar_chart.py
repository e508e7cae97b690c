"""Figures in pairs as a table with bars, whose numbers and bars keep their size on every screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sheets_algo.forms.bars import PairedBars

PairRow = tuple[str, float, float]


def bar_chart(bars: PairedBars) -> dict[str, Any]:
    """Return a table for the template: its heads, and rows of cells with a number and a bar in per cent.

    The rows have one scale, and the total has its own; bars of numbers below 0 go to the left.
    """
    return {
        "title": bars.title,
        "series": bars.series,
        "rows": [*_rows(bars.rows), *(_rows([bars.total], is_total=True) if bars.total else ())],
    }


def _rows(rows: Sequence[PairRow], *, is_total: bool = False) -> list[dict[str, Any]]:
    numbers = [number for _, *pair in rows for number in pair]
    low, high = min([0.0, *numbers]), max([0.0, *numbers])
    span = high - low or 1.0

    def cell(number: float) -> dict[str, str]:
        return {
            "text": f"{number:,.2f}".rstrip("0").rstrip(".").replace("-", "−"),
            "x": f"{100 * (min(number, 0.0) - low) / span:.1f}",
            "width": f"{100 * abs(number) / span:.1f}",
        }

    return [{"label": label, "cells": [*map(cell, pair)], "is_total": is_total} for label, *pair in rows]
