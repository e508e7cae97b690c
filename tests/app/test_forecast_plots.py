"""Forecasts drawn: bars that show how often numbers came about, and nothing else."""

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from engine.forecast import Measure
from sheets_algo.forecasts.plots import draw_distribution


def bars(values: list[float]) -> list[float]:
    """Heights of the bars, in per cent."""
    axis = Figure().subplots()
    draw_distribution(axis, "Duration", Measure(np.array(values, dtype=float), "hours"))
    return [round(bar.get_height(), 6) for bar in axis.patches]


def test_whole_numbers_that_are_equally_frequent_have_bars_of_one_height():
    """60 different hours in at most 40 bars: two hours in each."""
    heights = bars(list(range(3, 63)) * 5)

    assert heights == [pytest.approx(100 / 30)] * 30


def test_few_whole_numbers_have_a_bar_each():
    assert bars([1, 1, 2, 4]) == [50, 25, 0, 25]


def test_fractions_and_a_single_value_are_drawn_too():
    assert sum(bars([0.5, 0.75, 1.25])) == pytest.approx(100)
    assert bars([7, 7]) == [100]
    assert sum(bars([0.5, 0.5])) == pytest.approx(100)
