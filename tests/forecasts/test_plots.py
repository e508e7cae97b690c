"""Forecasts drawn: bars that show how often numbers came about, and nothing else."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from engine.forecast import Kinds, Measure, Replicates
from sheets_algo.forecasts.plots import draw_distribution, write_plot
from sheets_algo.forecasts.report import ForecastCase
from tests.forecasts.test_serialise import asked


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


def test_fractions_are_drawn_too():
    assert sum(bars([0.5, 0.75, 1.25])) == pytest.approx(100)


@pytest.mark.parametrize("values", [[0, 0], [3, 3], [0, 4], [np.nan, 7]])
def test_whatever_comes_of_it_is_drawn(values, tmp_path):
    """Nothing but zeros, always the same, different ones, a number that one battle lacks; as a forecast, as a sweep."""
    told = {"Treasury": Measure(np.array(values, dtype=float), "gold")}
    runs = Replicates(None, told, {"Event": Kinds(np.array([0, 1]), ("nothing", "fire"))})
    case = ForecastCase("a$=1", asked("T-0006", "realm", "Turn Requests"))

    write_plot(tmp_path / "one.png", [case], [runs])
    write_plot(tmp_path / "sweep.png", [replace(case, value=1.0), replace(case, value=2.0)], [runs, runs])

    for name in ("one.png", "sweep.png"):
        with Image.open(tmp_path / name) as picture:
            assert picture.format == "PNG"
