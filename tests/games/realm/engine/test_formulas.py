"""The worked examples of the rules, formula by formula (RL-EX-01 ... RL-EX-20)."""

from fractions import Fraction

import pytest

from engine.realm.rating import rate, raw_stake
from engine.realm.setup import formulas
from engine.realm.turn.course import attributes
from engine.settings import Setting
from tests.games.realm.engine.courts import NUMBERS, TABLES, hero, realm, unit


def test_rl_ex_01_rl_loy_04_initial_loyalty_60_multiplies_losses_by_2_2() -> None:
    assert formulas.loyalty_modifier(60, NUMBERS) == Fraction("2.2")
    assert formulas.loyalty_loss(2, 60, NUMBERS) == 4


def test_rl_ex_02_rl_dun_01_an_interrogation_has_its_worked_chance() -> None:
    assert formulas.interrogation_chance(80, 30, Fraction(3), Fraction(2), NUMBERS) == 26


def test_rl_ex_03_rl_dun_03_an_enticement_has_its_worked_chances() -> None:
    assert formulas.entice_conversion_chance(60, 30, NUMBERS) == 14
    assert formulas.entice_escape_chance(Fraction(4), Fraction(2), 30, NUMBERS) == 11


def test_rl_ex_04_rl_dun_04_quintus_fabius_dies_or_escapes_as_worked_out() -> None:
    assert formulas.games_death_chance(Fraction(3), NUMBERS) == 35
    assert formulas.games_escape_chance(Fraction(4), 30, NUMBERS) == 7
    assert formulas.games_escape_chance(Fraction(4), 32, NUMBERS) == Fraction("7.2")  # RL-OP-35: still 7 of 100


def test_rl_ex_05_rl_op_07_the_profit_s_die_has_eleven_faces_or_the_printed_eight() -> None:
    assert formulas.games_faces(2, Fraction(3), 30, NUMBERS) == 11
    by_example = TABLES.having([Setting(name="constants/RL-OP-07/games_melee_factor", value=1)]).constants
    assert formulas.games_faces(2, Fraction(3), 30, by_example) == 8


def test_rl_ex_06_rl_tax_01_a_tax_of_20_gives_its_income() -> None:
    assert formulas.income(20, 150_000, NUMBERS) == 120


def test_rl_ex_07_rl_ex_14_rl_tax_02_rl_op_03_taxes_lower_base_happiness() -> None:
    cases = [(30, "75.5"), (100, "-40"), (0, "110"), (10, "99.5"), (20, "88"), (40, "62"), (50, "47.5")]
    assert [
        (tax, base, formulas.base_happiness(tax, NUMBERS), Fraction(base))
        for tax, base in cases
        if formulas.base_happiness(tax, NUMBERS) != Fraction(base)
    ] == []


def test_rl_ex_09_rl_pop_01_a_happy_city_grows_by_a_twentieth() -> None:
    assert formulas.growth_factor(Fraction(100), Fraction(0), NUMBERS) == Fraction("1.05")


def test_rl_op_08_the_nation_s_growth_is_inside_the_factor() -> None:
    assert formulas.growth_factor(Fraction(100), Fraction(2), NUMBERS) == Fraction("1.07")
    assert formulas.growth_factor(Fraction(0), Fraction(-100), NUMBERS) == 0  # never fewer than nobody


def test_rl_ex_10_rl_rat_04_rl_op_33_the_higher_rating_wins() -> None:
    assert float(raw_stake(1000, 900, NUMBERS)) == pytest.approx(11.518, abs=0.001)
    assert rated("A 1000", "B 900") == {"A": 1012, "B": 888}


def test_rl_ex_11_rl_rat_04_the_lower_rating_wins() -> None:
    assert float(raw_stake(900, 1000, NUMBERS)) == pytest.approx(20.482, abs=0.001)
    assert rated("B 900", "A 1000") == {"B": 920, "A": 980}


def test_rl_ex_12_rl_rat_03_fourth_of_nine_has_five_wins_and_three_losses() -> None:
    fourth = rate([realm(str(place)) for place in range(1, 10)], NUMBERS)[3]
    assert (fourth.wins, fourth.losses) == (5, 3)


def test_rl_ex_13_rl_op_05_rl_exp_05_melee_3_with_50_experience_is_5() -> None:
    found = attributes(hero(melee=3.0, leadership=2.0, stealth=2.0, experience=50), None, TABLES)
    assert (found.melee, found.leadership, found.stealth) == (5, 3, 3)


@pytest.mark.parametrize(
    ("loyalty", "pay", "experience", "of_nation", "stored"),
    [(80, Fraction(1), 0, 0.0, 79), (80, Fraction(1), 30, 0.0, 76), (60, Fraction(15, 10), 30, -2.0, 57)],
)
def test_rl_ex_15_rl_loy_01_rl_gen_03_loyalty_is_adjusted_and_rounded(
    loyalty: int, pay: Fraction, experience: int, of_nation: float, stored: int
) -> None:
    found = formulas.adjusted_loyalty(loyalty, of_nation, pay, experience, NUMBERS)
    assert formulas.bounded(found) == stored


def test_rl_ex_15_adjusted_loyalty_is_exact_before_rounding() -> None:
    assert formulas.adjusted_loyalty(80, 0, Fraction(1), 0, NUMBERS) == Fraction("79.5")
    assert float(formulas.adjusted_loyalty(80, 0, Fraction(1), 30, NUMBERS)) == pytest.approx(76.9, abs=0.01)
    assert float(formulas.adjusted_loyalty(60, -2, Fraction(3, 2), 30, NUMBERS)) == pytest.approx(57.8, abs=0.05)


def test_rl_ex_16_rl_rec_01_rl_op_02_hired_leaders_count_squared() -> None:
    assert [formulas.arrival_chance(20, hired, NUMBERS) for hired in range(6)] == [30, 29, 26, 21, 14, 5]


def test_rl_ex_17_rl_reb_06_wounds_lower_the_threat() -> None:
    assert formulas.threat(8, Fraction(2), 3, 6, NUMBERS) == Fraction("7.5")


def test_rl_ex_18_ratings_of_three_players_change_as_worked_out() -> None:
    assert rated("A 500", "B 500", "C 600") == {"A": 536, "B": 504, "C": 560}


def test_rl_ex_19_rl_rat_05_the_least_change_is_one() -> None:
    assert float(raw_stake(1500, 500, NUMBERS)) == pytest.approx(0.10, abs=0.005)
    assert rated("A 1500", "B 500") == {"A": 1501, "B": 499}


def test_rl_ex_20_rl_tax_03_rl_tax_04_rl_tax_05_a_realm_recovers_by_five() -> None:
    base = formulas.base_happiness(30, NUMBERS)
    base += formulas.battle_points(12, 0, NUMBERS) + formulas.city_points(1, 0, NUMBERS)
    assert base == Fraction("95.5")
    assert formulas.moved_happiness(Fraction(60), base, NUMBERS) == 65


def test_rl_tax_03_battles_count_at_most_ten_either_way() -> None:
    assert formulas.battle_points(0, 30, NUMBERS) == -10
    assert formulas.battle_points(3, 5, NUMBERS) == -2


def test_rl_mer_01_fame_draws_mercenaries() -> None:
    assert formulas.mercenary_chance(12, NUMBERS) == Fraction("12.4")


def test_rl_op_28_without_upkeep_pay_counts_as_full() -> None:
    assert formulas.pay_modifier(0, 0) == 1
    assert formulas.pay_modifier(7.5, 10) == Fraction(3, 4)


def test_rl_exp_04_rl_op_04_levels_of_armies() -> None:
    cases = [(0, "Green"), (9, "Green"), (10, "Regular"), (25, "Veteran"), (40, "Elite"), (99, "Elite")]
    assert [(experience, TABLES.army_level(experience).name) for experience, _ in cases] == cases


@pytest.mark.parametrize(
    ("experience", "level", "bonus"),
    [
        (0, "Tyro", (0, 0, 0)),
        (10, "Adventurer", (0, 0, 1)),
        (25, "Warlord", (1, 1, 1)),
        (40, "Champion", (1, 1, 2)),
        (60, "Superhero", (2, 2, 2)),
        (90, "Demigod", (3, 3, 3)),
    ],
)
def test_rl_exp_05_levels_of_leaders(experience: int, level: str, bonus: tuple[int, int, int]) -> None:
    found = TABLES.leader_level(experience)
    assert (found.name, (found.leadership, found.stealth, found.melee)) == (level, bonus)


@pytest.mark.parametrize(
    ("id", "ruler", "words", "health"),
    [
        ("RL-RUL-01", "Conquering Hero", ("brilliant", "good", "average"), 6),
        ("RL-RUL-02", "Craven Survivor", ("good", "average", "brilliant"), 6),
        ("RL-RUL-03", "Ruthless Thug", ("good", "brilliant", "good"), 8),
        ("RL-RUL-04", "Crafty Weasel", ("exceptional", "good", "exceptional"), 6),
    ],
)
def test_rulers_have_their_kinds(id: str, ruler: str, words: tuple[str, str, str], health: int) -> None:
    found = TABLES.rulers[ruler]
    assert (found.id, (found.leadership, found.melee, found.stealth), found.health) == (id, words, health)


def test_rl_op_06_rl_gen_05_words_have_the_numbers_of_the_tables() -> None:
    found = attributes(hero(leadership="brilliant", melee="poor", stealth="average"), None, TABLES)
    assert (found.leadership, found.melee, found.stealth) == (5, 1, 2)


def test_rl_rul_01_a_ruler_s_blank_attributes_are_his_type_s() -> None:
    ruler = hero(kind="Ruler", leadership=None, melee=1.0, stealth=None)
    found = attributes(ruler, TABLES.rulers["Crafty Weasel"], TABLES)
    assert (found.leadership, found.melee, found.stealth) == (4, 1, 4)


def rated(*players: str) -> dict[str, int]:
    """`A 1000` as realm and rating, the best first."""
    standing = [realm(name, rating=int(rating)) for name, rating in map(str.split, players)]
    return {player.name: player.after for player in rate(standing, NUMBERS)}


def test_units_without_experience_are_green() -> None:
    assert TABLES.army_level(unit().experience).modifier == 0
