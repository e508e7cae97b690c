"""Score wars drawn many times over."""

import numpy as np
import pytest

from engine.rng import Rng
from engine.scorecard.forecast import forecast
from tests.games.scorecard.engine.wars import SCORECARD, TABLES, attacker, defender, leader, war


def open_war():
    return war(attacker=attacker(general=leader(nation="Spain", exp=None)), defender=defender(general=leader(exp=None)))


def test_war_0_of_a_seed_is_its_ruling():
    for seed in range(20):
        found = SCORECARD.replicates(open_war(), seed, 0, 1)

        ruled = SCORECARD.resolve(open_war(), Rng(seed))
        totals = [float(found.numbers[f"{side} total"].values[0]) for side in ("Attacker", "Defender")]
        assert totals == pytest.approx([ruled.figures["Attacker Total"], ruled.figures["Defender Total"]], abs=0.01)
        fates = [kinds.names[kinds.codes[0]] for kinds in found.words.values()]
        assert [str(result.values["Fate"]).split(" (")[0] for result in ruled.results] == fates


def test_equal_totals_are_a_win_for_neither_side():
    assert SCORECARD.replicates(war(), 1, 0, 3).winner.tolist() == [-1, -1, -1]


def test_drawn_shares_are_close_to_exact_ones():
    """2,000 draws: three standard errors are at most 3.4 points."""
    exact = forecast(open_war(), TABLES)

    found = SCORECARD.replicates(open_war(), 7, 0, 2000).winner

    for code, cases in ((0, exact.attacker_wins), (1, exact.defender_wins), (-1, exact.stalemates)):
        assert np.mean(found == code) == pytest.approx(float(exact.share(cases)), abs=0.034)


def test_the_course_shows_the_exact_shares():
    found = SCORECARD.replicates(open_war(), 1, 0, 1)

    assert SCORECARD.course(open_war(), found) == SCORECARD.forecast(open_war())
