from collections import Counter
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from engine.rng import Rng
from engine.scorecard.general import CommanderRolls, bonus, fate, odds, roll
from tests.games.scorecard.engine.wars import CONSTANTS, TABLES, attacker, defender, leader
from tests.helpers.example_budget import LAW


def fates(rolls: list[int], ratio: Fraction) -> list[str]:
    return [fate(rolled, ratio, TABLES.fates).text for rolled in rolls]


def test_sc_ex_10_sc_03a_superior_numbers_worsen_the_fate() -> None:
    assert [fate(rolled, Fraction(3, 2), TABLES.fates).f for rolled in (3, 4, 5, 6)] == [4.5, 6, 7.5, 9]
    assert fates([3, 4, 5, 6], Fraction(3, 2)) == ["fine", "wounded (3 turns)", "severely wounded", "killed"]


def test_sc_ex_11_sc_03a_equal_armies_keep_the_rolled_fate() -> None:
    assert fates([5, 6, 7, 8], Fraction(1)) == ["fine", "wounded (3 turns)", "severely wounded", "killed"]


def test_sc_op_05_bands_leave_no_gap() -> None:
    cases = [
        ("5.8", "fine"),
        ("5.85", "fine"),
        ("5.8999", "fine"),
        ("5.9", "wounded (2 turns)"),
        ("5.9999", "wounded (2 turns)"),
        ("6.8", "wounded (3 turns)"),
        ("6.8999", "wounded (3 turns)"),
        ("6.9", "severely wounded"),
        ("7.95", "severely wounded"),
        ("8", "killed"),
        ("900", "killed"),
    ]
    assert [(f, name, fates([1], Fraction(f)), [name]) for f, name in cases if fates([1], Fraction(f)) != [name]] == []


@LAW
@given(rolled=st.integers(0, 9), ratios=st.lists(st.fractions(0, 20), min_size=2, max_size=2).map(sorted))
def test_invariant_11_more_enemies_never_improve_the_fate(rolled: int, ratios: list[Fraction]) -> None:
    milder, harder = (fate(rolled, ratio, TABLES.fates) for ratio in ratios)

    assert TABLES.fates.index(harder.band) <= TABLES.fates.index(milder.band)


def test_sc_op_11_unknown_numbers_count_as_equal_ones() -> None:
    many, few = attacker(soldiers=20_000), defender(soldiers=30_000)

    assert odds(many, few) == Fraction(3, 2)
    assert odds(few, many) == Fraction(2, 3)
    assert odds(many, defender()) == odds(defender(), many) == 1


def test_sc_ex_05_sc_op_06_three_wins_of_five_give_their_bonus() -> None:
    worth = bonus(leader(wins=3, battles=5), 5, CONSTANTS)

    assert (worth.record, worth.exactly, worth.points) == ("4/6", Fraction(17, 3), 6)


def test_sc_ex_06_sc_op_22_the_bonus_is_multiplied_before_rounding() -> None:
    worth = bonus(leader(wins=7, battles=7), 5, CONSTANTS)

    assert (worth.exactly, worth.points) == (Fraction("7.8"), 8)


def test_sc_ex_12_sc_03b_a_new_general_has_a_bonus() -> None:
    assert bonus(leader(wins=0, battles=0), 4, CONSTANTS).points == 5


def test_sc_03b_the_factor_takes_more_than_three_battles_and_no_defeat() -> None:
    cases = [(3, 3, 5), (4, 4, 7), (4, 5, 5)]
    assert [
        (wins, battles, bonus(leader(wins=wins, battles=battles), 4, CONSTANTS).points) for wins, battles, _ in cases
    ] == cases


def test_sc_03b_ten_times_1_3_is_exactly_13() -> None:
    assert bonus(leader(wins=4, battles=4), 9, CONSTANTS).points == 13


def test_sc_op_08_exp_is_drawn_evenly_from_0_to_9() -> None:
    side = attacker(general=leader(exp=None))
    drawn = Counter(roll(side, Rng(seed)).exp for seed in range(2000))

    assert set(drawn) == set(range(10))
    assert all(140 < count < 260 for count in drawn.values())


def test_sc_03a_the_fate_is_drawn_evenly_and_independently() -> None:
    ours, theirs = attacker(general=leader(exp=None)), defender(general=leader(exp=None))
    draws = [(roll(ours, Rng(seed)), roll(theirs, Rng(seed))) for seed in range(2000)]

    assert {own.fate for own, _ in draws} == set(range(10))
    assert 140 < sum(own.fate == own.exp for own, _ in draws) < 260
    assert 140 < sum(own.fate == enemy.fate for own, enemy in draws) < 260


def test_given_numbers_are_never_drawn() -> None:
    side = attacker(general=leader(exp=7), general_roll=2)

    assert {roll(side, Rng(seed)) for seed in range(50)} == {CommanderRolls(fate=2, exp=7)}
    assert roll(attacker(general_roll=2), Rng(1)) == CommanderRolls()
