"""Forecasts in slices: the same whatever the slices are, and never in the way for long."""

import re
from dataclasses import dataclass, field

import numpy as np
import pytest

from engine.forecast import ATTACKER, DEFENDER, NOBODY, Measure, Replicates
from scripts.support.workbooks import example, forms, read, workbook
from sheets_algo.database.records import Database
from sheets_algo.forecasts.questions import from_row
from sheets_algo.forecasts.queue import ForecastQueue
from sheets_algo.ruling.forecast.forecast_rows import BATTLES, PendingForecast, cells_of, line

WARS, JOUSTS = (form for form in forms() if form.key in ("autoalgo", "jousts"))


@pytest.fixture(autouse=True)
def _python_alone(monkeypatch):
    """Nothing is looked for in the cache of whoever runs the tests."""
    monkeypatch.setenv("SHEETS_ALGO_FAST", "0")


def wanted(request="W-0004", form=WARS, name="1066"):
    book = Database(read(workbook(example(name))), form.records(), form.vocabulary)
    asked = from_row(form, book, book.table(form.request).by_request[request.casefold()][0], None)
    return PendingForecast(form, asked.request, asked.war, asked.frozen, "rules")


@dataclass
class Clock:
    """One second later at every look."""

    seconds: list[int] = field(default_factory=list)

    def __call__(self) -> float:
        self.seconds.append(len(self.seconds))
        return float(len(self.seconds))


def test_slices_do_not_change_results():
    one = wanted()
    whole, sliced = ForecastQueue(battles=60), ForecastQueue(Clock(), battles=60)

    assert whole.work([one], 3600)
    looks = 1
    while not sliced.work([one], 4):
        looks += 1

    assert looks > 5
    assert sliced.finished == whole.finished
    assert whole.finished[one.key].cells["runs"] == 60


def test_the_queue_follows_sheet_order():
    both = [wanted("W-0003"), wanted("W-0004")]
    slices = ForecastQueue(Clock(), battles=8)

    while not slices.work(both, 4):
        assert not slices.finished

    assert list(slices.finished) == [both[0].key]


def test_unneeded_forecasts_are_dropped():
    slices = ForecastQueue(battles=2)
    slices.work([wanted("W-0003")], 60)

    slices.work([wanted("W-0004")], 60)

    assert list(slices.finished) == [wanted("W-0004").key]


def test_a_failing_battle_is_reported_and_not_repeated(monkeypatch):
    one = wanted()
    slices = ForecastQueue(battles=2)
    monkeypatch.setattr(type(one.form), "deserialize", lambda self, frozen: 1 / 0)

    assert slices.work([one], 60)
    assert not slices.work([one], 60)

    assert slices.finished[one.key].failure.startswith("ZeroDivisionError: division by zero\nTraceback")


def test_a_listener_may_stop_the_queue():
    def begins(what, request, number):
        raise InterruptedError(f"{what} {request} {number}")

    with pytest.raises(InterruptedError, match="Forecast W-0004 1"):
        ForecastQueue(battles=2).work([wanted()], 60, begins)


def test_fc_04_a_row_has_the_odds_of_four_hundred_battles():
    """FC-14 ... FC-24 in one row; the shares of who wins are all there are."""
    one = wanted("W-0003")
    slices = ForecastQueue()

    slices.work([one], 3600)

    cells = slices.finished[one.key].cells
    assert (cells["runs"], cells["ruleset"], cells["war"]) == (BATTLES, "autoalgo", "Channel interception")
    assert cells["attacker_wins"] + cells["defender_wins"] + cells["undecided"] == pytest.approx(100, abs=0.11)
    assert 0 < cells["error"] < 4.9
    assert cells["attacker_losses"].count("; ") == 4
    assert cells["occupation"] == "nothing is taken 100 %"  # no attacker won
    assert [side.split(":")[0] for side in cells["stability"].splitlines()] == ["Attacker", "Defender"]
    assert "Hours to contact: 2; 2; 2; 2; 2" in cells["details"].splitlines()
    said = line(cells)
    assert said.startswith("Forecast: attacker wins ")
    assert re.search(r" points?, 400 battles\). Attacker loses ", said)
    assert " in 9 of 10 battles. Most likely Normandy wins after " in said


def test_a_possible_stalemate_is_reported():
    one = wanted("J-0001", JOUSTS, "jousts")
    winner = np.array([ATTACKER] * 50 + [DEFENDER] * 30 + [NOBODY] * 20)
    cells = cells_of(one, Replicates(winner, {"Attacker total": Measure(np.arange(100.0), "points")}, {}))

    assert (cells["attacker_wins"], cells["defender_wins"], cells["undecided"]) == (50, 30, 20)
    assert ", nobody wins 20 %" in line(cells)
    assert cells["attacker_losses"] == ""
    assert cells["details"].splitlines()[0].startswith("Attacker total: ")
