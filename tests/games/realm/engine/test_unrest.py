from typing import Any

from engine.ruleset import Outcome
from tests.games.realm.engine.courts import after, city, hero, realm, said, turn, unit

REALMS, CITIES, LEADERS, UNITS = "Realms", "Realm Cities", "Realm Leaders", "Realm Units"


def befallen(roll: int, fixed: str = "", **more: Any) -> Outcome:
    """A turn with this event; cities keep faith."""
    return turn(f"RL-RND-01={roll}; RL-REB-01=100; RL-REB-01=100; {fixed}", **more)


def test_rl_reb_01_rl_reb_02_each_city_may_leave_the_realm() -> None:
    found = turn("RL-REB-01 Roma=7; RL-REB-01 Capua=6", cities=(city(), city("Capua", size="Town")))  # 6 %
    assert after(found, CITIES, "Roma").keys() == {"Population"}
    assert after(found, CITIES, "Capua")["Owner"] == "Rebels"
    assert after(found, CITIES, "Capua")["Former owner"] == "Rome"


def test_rl_op_16_a_city_lost_to_rebels_costs_no_happiness() -> None:
    found = turn("RL-REB-01=1", cities=(city(),))
    assert "Happiness" not in after(found, REALMS, "Rome")


def test_rl_rnd_01_the_roll_decides_the_event_by_bands() -> None:
    for roll, event in [
        (1, "nothing"),
        (60, "nothing"),
        (61, "fire"),
        (70, "fire"),
        (71, "plague"),
        (75, "plague"),
        (76, "royal birth"),
        (80, "royal birth"),
        (81, "great writer"),
        (85, "great writer"),
        (86, "desertion"),
        (90, "desertion"),
        (91, "oracle's prophecy"),
        (95, "oracle's prophecy"),
        (96, "assassination attempt"),
        (100, "assassination attempt"),
    ]:
        assert befallen(roll).summary.endswith(f"event: {event}")


def test_rl_rnd_02_rl_op_30_fire_burns_a_tenth_and_twice_the_income() -> None:
    towns = (city(population=10_000), city("Capua", population=19_000))
    found = befallen(65, "RL-RND-02=2", cities=towns)
    # 88 % happiness: × 1.038; Capua 19,722, whose income of 15.7776 burns twice: 31; income of the turn 23.2
    assert after(found, CITIES, "Capua")["Population"] == 17_749
    assert after(found, CITIES, "Roma")["Population"] == 10_380
    assert after(found, REALMS, "Rome")["Treasury"] == 100 + 23 - 31


def test_rl_rnd_03_plague_halves_a_city() -> None:
    found = befallen(71, cities=(city(population=10_001),))
    assert after(found, CITIES, "Roma")["Population"] == 5_190  # 10,381 ÷ 2


def test_rl_rnd_04_a_royal_birth_raises_happiness_up_to_100() -> None:
    assert after(befallen(76), REALMS, "Rome")["Happiness"] == 100
    poor = realm(tax_rate=60, happiness=20.0)
    assert after(befallen(80, realm=poor), REALMS, "Rome")["Happiness"] == 55  # 25 after taxes


def test_rl_rnd_05_a_writer_raises_fame() -> None:
    assert after(befallen(81, realm=realm(fame=3)), REALMS, "Rome")["Fame"] == 8


def test_rl_rnd_06_a_military_unit_deserts() -> None:
    units = (unit(), unit("Eyes", type="Scouts"), unit("Legio II"))
    found = befallen(86, "RL-RND-06=2", units=units)
    assert after(found, UNITS, "Legio II") == {"Owner": "", "Fate": "Deserted", "Experience": 1}
    assert said(found, "RL-RND-06") == ["which unit deserts: moderator's 2 of 2", "desertion: Legio II is gone"]


def test_rl_rnd_07_only_heroes_get_a_prophecy() -> None:
    staff = (hero(loyalty=80), hero("Xanthippe", kind="Legend"), hero("Best", loyalty=99, pay=20.0))
    found = befallen(91, "RL-LOY-02=1; RL-LOY-02=1; RL-LOY-02=1", leaders=staff)
    assert after(found, LEADERS, "Piso")["Loyalty"] == 84  # 79 + 5
    assert after(found, LEADERS, "Xanthippe")["Loyalty"] == 79
    assert after(found, LEADERS, "Best")["Loyalty"] == 100


def test_rl_rnd_08_rl_op_40_an_attempt_keeps_agents_at_home_in_the_next_turn() -> None:
    assert after(befallen(96), REALMS, "Rome")["Espionage blocked until"] == 6


def test_rl_op_31_an_event_without_a_target_has_no_effect() -> None:
    cases = [61, 71, 86, 91]
    assert [
        roll
        for roll in cases
        if not said(befallen(roll), f"RL-RND-0{ {61: 2, 71: 3, 86: 6, 91: 7}[roll] }")[-1].endswith("no effect")
    ] == []
