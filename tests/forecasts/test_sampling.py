"""Battles upon battles: what ends them, and that threads and chunks do not show."""

import signal

import numpy as np
import pytest

from engine.forecast import Measure, Replicates, summed_up, wins
from engine.rng import Rng
from sheets_algo.forecasts.sampling import STEP, SampleBudget, refine, sample_budget


def coin(chance, seed=7):
    """Battles that the attacker wins with this chance; their losses are drawn too."""

    def fight(first, count):
        lucks = [Rng(seed, first + number) for number in range(count)]
        winner = np.array([0 if luck.uniform(1) < chance else 1 for luck in lucks], np.int64)
        losses = np.array([float(luck.whole(2, 0, 900)) for luck in lucks])
        return Replicates(winner, {"Attacker losses": Measure(losses, "men")}, {}, ("Attacker losses",))

    return fight


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_threads_do_not_change_results(threads):
    fought = refine([coin(0.4)], SampleBudget(runs=3_333, error=0, seconds=60, threads=threads))

    assert (fought.end, fought.runs) == ("runs", 3_333)
    assert summed_up(fought.wars[0]) == summed_up(coin(0.4)(0, 3_333))


def test_fc_03_sampling_stops_at_the_first_sufficient_step():
    """Half and half, ± 4 points: 600 battles or so, and always a whole number of steps."""
    fought = refine([coin(0.5)], SampleBudget(error=0.04, seconds=60, threads=3))

    one_step_less = summed_up(coin(0.5)(0, fought.runs - STEP))
    assert fought.end == "error"
    assert fought.runs % STEP == 0
    assert summed_up(fought.wars[0]).error <= 0.04 < one_step_less.error


def test_a_certain_result_needs_few_battles():
    """Wilson: 0 of 400 is at most 0.95 %, 0 of 300 at most 1.26 %."""
    assert refine([coin(0.0)], SampleBudget(error=0.01, seconds=60)).runs == 400


def test_the_least_certain_war_decides_when_to_stop():
    fought = refine([coin(0.0), coin(0.5)], SampleBudget(error=0.04, seconds=60, threads=2))

    assert len(fought.wars[0]) == len(fought.wars[1]) == refine([coin(0.5)], SampleBudget(error=0.04, seconds=60)).runs


def test_at_least_one_battle_is_fought_within_any_time_limit():
    fought = refine([coin(0.5)], SampleBudget(error=0, seconds=0, threads=2))

    assert fought.end == "seconds"
    assert fought.runs >= 1
    assert fought.wars[0].winner.tolist() == coin(0.5)(0, fought.runs).winner.tolist()


def test_ctrl_c_keeps_finished_battles():
    def heard(runs, error, share, won):
        if runs >= 500:
            raise KeyboardInterrupt

    fought = refine([coin(0.5)], SampleBudget(error=0, runs=1_000_000, seconds=60, threads=2), heard)

    assert fought.end == "stopped"
    assert fought.runs >= 500
    assert fought.wars[0].winner.tolist() == coin(0.5)(0, fought.runs).winner.tolist()


def test_progress_is_reported():
    heard = []

    refine([coin(0.5)], SampleBudget(error=0, runs=1_000, seconds=60), lambda *told: heard.append(told))

    assert [runs for runs, _, _, _ in heard] == sorted({runs for runs, _, _, _ in heard})
    assert heard[-1][0] == 1_000
    assert heard[-1][2] == 1.0
    assert all(tuple(won) == wins(coin(0.5)(0, runs).winner) for runs, _, _, won in heard)


def test_errors_of_a_battle_are_raised():
    def broken(first, count):
        raise ValueError("no such map")

    with pytest.raises(ValueError, match="no such map"):
        refine([broken], SampleBudget(seconds=60))


@pytest.mark.parametrize(
    ("typed", "runs", "error", "seconds"),
    [
        ({}, 1_000_000, 0.01, 10.0),
        ({"runs": 500}, 500, 0.0, float("inf")),
        ({"error": 0.5}, 1_000_000, 0.005, float("inf")),
        ({"runs": 500, "error": 2.0, "seconds": 3.0}, 500, 0.02, 3.0),
    ],
)
def test_a_typed_limit_overrides_the_ten_seconds(typed, runs, error, seconds):
    given = {"runs": None, "error": None, "seconds": None, "threads": 4} | typed

    assert sample_budget(**given) == SampleBudget(runs=runs, error=error, seconds=seconds, threads=4)


@pytest.fixture
def ctrl_c():
    """Let Ctrl+C raise KeyboardInterrupt, which a shell's background job ignores."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_in_a_finalizer_stops_the_run():
    """Python drops the exception there, as in those of Dask, and a forecast of a million battles went on."""

    class Dropped:
        def __del__(self):
            signal.raise_signal(signal.SIGINT)

    def heard(runs, error, share, won):
        if runs <= STEP:
            Dropped()

    fought = refine([coin(0.5)], SampleBudget(error=0, runs=1_000_000, seconds=20, threads=2), heard)

    assert (fought.end, fought.runs < 1_000_000) == ("stopped", True)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
