"""Hand to hand few fall while lines stand, and many in flight (R-127)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.autoalgo.battle.blow import Blows, Hearts, lose_heart, share_killed
from engine.autoalgo.constants import R127
from engine.autoalgo.fight.battlefield import Battlefield
from scripts.support.pinned_tables import shipped_tables, tables
from scripts.support.small_battles import SOLDIER, army, war
from tests.helpers.machine_code import kernel

NUMBERS = R127(stand=0.3, flight=5.0)
hearts = st.floats(1, 20)


@given(is_in_contact=st.booleans(), flees=st.booleans(), psychology=hearts)
def test_r_127_in_the_source_contact_kills_like_fire(is_in_contact: bool, flees: bool, psychology: float) -> None:
    printed = tables().constants
    assert share_killed(is_in_contact, flees, psychology, printed.r_127) == 1.0


@pytest.mark.parametrize(
    ("psychology", "standing", "fleeing"), [(1.0, 0.3, 5.0), (2.0, 0.6, 2.5), (4.0, 1.0, 1.25), (10.0, 1.0, 1.0)]
)
def test_r_127_the_share_killed_matches_a_hand_calculation(psychology: float, standing: float, fleeing: float) -> None:
    assert share_killed(True, False, psychology, NUMBERS) == pytest.approx(standing)
    assert share_killed(True, True, psychology, NUMBERS) == pytest.approx(fleeing)
    assert share_killed(False, False, psychology, NUMBERS) == 1.0
    assert share_killed(False, True, psychology, NUMBERS) == 1.0


@given(few=hearts, many=hearts)
def test_r_127_ranged_units_are_unaffected(few: float, many: float) -> None:
    """The more a unit shakes, the more of its hits kill who stands, and the fewer beyond Mercy who flees."""
    few, many = sorted((few, many))
    standing = [share_killed(True, False, psychology, NUMBERS) for psychology in (few, many)]
    fleeing = [share_killed(True, True, psychology, NUMBERS) for psychology in (few, many)]
    assert standing == sorted(standing)
    assert fleeing == sorted(fleeing, reverse=True)


@given(hits=st.floats(0, 1e6), share=st.floats(0, 1), psychology=hearts)
def test_r_127_men_hit_but_not_killed_are_demoralised(hits: float, share: float, psychology: float) -> None:
    """So a flank breaks after as many hits as before, whatever share of them kills."""
    blows, of_all = Blows(hits, 0.0, 0.0, 0.0), Hearts(psychology, 1.0, 1.0, 1.0)
    shaken = lose_heart(blows, of_all, 1.0, 1.0, 1.0 - share)
    assert hits * share + shaken == pytest.approx(hits + lose_heart(blows, of_all, 1.0, 1.0, 0.0))


def test_r_127_hand_to_hand_the_victor_loses_a_tenth_the_loser_a_third() -> None:
    """Winners lost a fifth, whatever the arms; the sources have 2 to 10 % (early_battles.csv)."""
    spear = replace(SOLDIER, long_range=2, medium_range=2, short_range=2, psychology=1.0)
    armies = [replace(army(name), units=(spear, *army(name).units[1:])) for name in "AB"]
    lost = {}
    for stand, flight in ((1.0, 1.0), (0.3, 5.0)):
        shipped = shipped_tables()
        numbers = replace(shipped, constants=shipped.constants._replace(r_127=R127(stand, flight)))
        ends = Battlefield.of(war(*armies), numbers, 1).fight(0, 60, kernel()).ends
        share = 1.0 - ends.left / 9_000
        lost[stand] = share[range(60), ends.winner].mean(), share[range(60), 1 - ends.winner].mean()
    assert lost[0.3][0] < 0.5 * lost[1.0][0]
    assert lost[0.3][0] < 0.12
    assert 0.2 < lost[0.3][1] < 0.6
