"""Forecasts drawn: bars that show how often numbers came about, and nothing else."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from engine.forecast import Kinds, Measure, Replicates
from sheets_algo.forecasts.plots import draw_distribution, figure_of, write_plot
from sheets_algo.forecasts.report import ForecastCase
from tests.forecasts.test_serialise import asked

pytestmark = pytest.mark.extra


def figure_class() -> Any:
    from matplotlib.figure import Figure  # slow to import, so not by each process that collects tests

    return Figure


def bars(values: list[float]) -> list[float]:
    """Heights of the bars, in per cent."""
    axis = figure_class()().subplots()
    draw_distribution(axis, "Duration", Measure(np.array(values, dtype=float), "hours"))
    return [round(bar.get_height(), 6) for bar in axis.patches]


def test_equally_frequent_integers_have_equal_bars():
    """60 different hours in at most 40 bars: two hours in each."""
    heights = bars(list(range(3, 63)) * 5)

    assert heights == [pytest.approx(100 / 30)] * 30


def test_few_distinct_integers_have_a_bar_each():
    assert bars([1, 1, 2, 4]) == [50, 25, 0, 25]


def test_fractions_are_drawn():
    assert sum(bars([0.5, 0.75, 1.25])) == pytest.approx(100)


@pytest.mark.parametrize("values", [[0, 0], [3, 3], [0, 4], [np.nan, 7]])
def test_every_forecast_can_be_drawn(values, tmp_path):
    """Nothing but zeros, always the same, different ones, a number that one battle lacks; as a forecast, as a sweep."""
    told = {"Treasury": Measure(np.array(values, dtype=float), "gold")}
    runs = Replicates(None, told, {"Event": Kinds(np.array([0, 1]), ("nothing", "fire"))})
    case = ForecastCase("a$=1", asked("P-0001", "plots", "Plot Requests"))

    write_plot(tmp_path / "one.png", [case], [runs])
    write_plot(tmp_path / "sweep.png", [replace(case, value=1.0), replace(case, value=2.0)], [runs, runs])

    for name in ("one.png", "sweep.png"):
        with Image.open(tmp_path / name) as picture:
            assert picture.format == "PNG"


LONG = "Militaries!The Most Serene Republic's Grand Army of the Adriatic!Infantry Type=Musketeer Line, " * 3


@pytest.mark.parametrize("is_sweep", [False, True])
def test_long_names_and_labels_are_not_cut_off(is_sweep, tmp_path):
    """The edge of the picture stays blank; what is cut off would touch it."""
    told = {f"Losses of {LONG}": Measure(np.array([1.0, 5.0]), "men")}
    runs = Replicates(None, told, {"Event": Kinds(np.array([0, 1]), ("nothing at all " * 5, "fire and famine " * 5))})
    war = replace(asked("P-0001", "plots", "Plot Requests"), war="A war whose name has no end, " * 40)
    case = ForecastCase(f"{LONG}=1", war, 1.0 if is_sweep else None)
    cases = [case, replace(case, value=2.0)] if is_sweep else [case]

    write_plot(tmp_path / "long.png", cases, [runs] * len(cases))

    edge = edge_of(tmp_path / "long.png")
    assert (edge == 255).all()


def edge_of(file):
    with Image.open(file) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    return np.concatenate([part.reshape(-1, 3) for part in (pixels[:3], pixels[-3:], pixels[:, :3], pixels[:, -3:])])


def test_a_sensitivity_is_drawn_as_sorted_bars(tmp_path):
    """The attacker wins half of the battles; the first change costs him a tenth of all, the second gives him a half."""
    half, fewer, all_ = (replace(EVEN, winner=np.array([0] * won + [1] * (100 - won))) for won in (50, 40, 100))
    war = asked("P-0001", "plots", "Plot Requests")
    cases = [ForecastCase(label, war) for label in ("", "Units!Spear!Speed 3 → 2", "Militaries!Host!Size 9 → 10")]

    figure = figure_of(figure_class(), cases, [half, fewer, all_], is_ranking=True)

    (axis,) = figure.axes
    assert [text.get_text() for text in axis.get_yticklabels()] == [cases[2].label, cases[1].label]
    assert [round(bar.get_width(), 6) for bar in axis.patches] == [50, -10]
    assert axis.yaxis_inverted()


EVEN = Replicates(np.array([0, 1] * 50), {"Losses": Measure(np.arange(100.0), "men")}, {})


def test_a_sensitivity_without_a_winner_shows_the_first_number(tmp_path):
    (name,) = EVEN.numbers
    more = replace(EVEN, winner=None, numbers={name: Measure(np.arange(100.0) + 7, "men")})
    war = asked("P-0001", "plots", "Plot Requests")

    figure = figure_of(
        figure_class(),
        [ForecastCase("", war), ForecastCase("more", war)],
        [replace(EVEN, winner=None), more],
        is_ranking=True,
    )

    (axis,) = figure.axes
    assert [bar.get_width() for bar in axis.patches] == [7]
    assert "Losses" in axis.get_xlabel()
