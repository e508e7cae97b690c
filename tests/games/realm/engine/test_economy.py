import pytest

from engine.rng import Rng
from engine.settings import Setting
from tests.games.realm.engine.courts import ORDERS, QUIET, after, city, hero, nation, order, realm, said, turn, unit

REALMS, CITIES, LEADERS, UNITS = "Realms", "Realm Cities", "Realm Leaders", "Realm Units"


def test_rl_tax_01_the_income_of_all_cities_is_rounded_down_once() -> None:
    # 20 × 150,999 × 0.00004 = 120.7992
    found = turn(cities=(city(population=100_000), city("Capua", population=50_999)))
    assert after(found, REALMS, "Rome")["Treasury"] == 220


def test_rl_tax_01_cities_of_other_realms_pay_nothing() -> None:
    found = turn(cities=(city(population=100_000), city("Lutetia", owner="Gaul", population=100_000)))
    assert after(found, REALMS, "Rome")["Treasury"] == 180


def test_rl_tax_02_rl_tax_05_happiness_falls_to_its_base_and_keeps_its_fraction() -> None:
    found = turn(realm=realm(tax_rate=31, happiness=90.0))  # 110 − 31 − 0.5 × 9.61
    assert after(found, REALMS, "Rome")["Happiness"] == 74.195


def test_rl_ex_20_rl_tax_04_victories_raise_happiness() -> None:
    victorious = realm(tax_rate=30, happiness=60.0)
    found = turn(realm=victorious, battles_won=12, cities_captured=1)
    assert after(found, REALMS, "Rome")["Happiness"] == 65


@pytest.mark.parametrize(
    ("before", "counts", "happiness"),
    [
        (62, {}, 67),
        (62, {"battles_lost": 2, "cities_lost": 1}, 67),
        (62, {"battles_won": 10}, 67),
        (80, {"battles_lost": 2, "cities_lost": 1}, 68.5),
    ],
)
def test_rl_tax_03_rl_tax_04_results_change_the_base(before: float, counts: dict[str, int], happiness: float) -> None:
    found = turn(realm=realm(tax_rate=30, happiness=before), **counts)
    assert after(found, REALMS, "Rome")["Happiness"] == happiness


def test_rl_op_15_a_city_lost_takes_five_points() -> None:
    found = turn(realm=realm(happiness=88.0), cities_lost=1, battles_lost=1)
    assert after(found, REALMS, "Rome")["Happiness"] == 82


def test_rl_op_14_happiness_is_at_most_100_and_has_a_floor_only_if_one_is_set() -> None:
    easy = turn(realm=realm(tax_rate=0, happiness=98.0))
    assert after(easy, REALMS, "Rome")["Happiness"] == 100
    harsh = realm(tax_rate=100, happiness=50.0)
    assert after(turn(realm=harsh), REALMS, "Rome")["Happiness"] == -40
    floor = (Setting(name="constants/RL-OP-14/happiness_floor", value=10),)
    assert after(turn(realm=harsh, settings=floor), REALMS, "Rome")["Happiness"] == 10


def test_rl_op_27_leaders_are_paid_only_by_setting() -> None:
    staff = (hero("A", upkeep=7.5), hero("B", pay=4.0))
    fixed = "RL-LOY-02=1; RL-LOY-02=1"
    assert "Treasury" not in after(turn(fixed, leaders=staff), REALMS, "Rome")
    pays = (Setting(name="constants/RL-OP-27/charge_leader_pay", value="yes"),)
    assert after(turn(fixed, leaders=staff, settings=pays), REALMS, "Rome")["Treasury"] == 89  # 11.5 are due
    broke = turn(fixed, leaders=staff, settings=pays, realm=realm(treasury=3))
    assert after(broke, REALMS, "Rome")["Treasury"] == 0  # RL-GEN-04
    assert "'''Leader pay due:''' 11.5 gold, paid 3" in broke.receipt.wiki()


def test_rl_pop_01_cities_grow_by_the_happiness_after_taxes() -> None:
    # 88 % happiness and 2 % growth: × 1.058, whole people
    found = turn(nation=nation(growth=2.0), cities=(city(population=1_001),))
    assert after(found, CITIES, "Roma")["Population"] == 1_059


def test_rl_pop_01_at_half_happiness_nothing_changes() -> None:
    rome = realm(tax_rate=49, happiness=50.0)  # base 48.995
    assert after(turn(realm=rome, cities=(city(),)), CITIES, "Roma")["Population"] == 99_899
    settled = realm(tax_rate=0, happiness=45.0)  # rises by 5
    assert after(turn(realm=settled, cities=(city(),)), CITIES, "Roma") == {}


def test_rl_hea_01_only_wounded_armies_and_leaders_heal() -> None:
    units = (unit(health=3), unit("Legio II", health=6), unit("Eyes", type="Scouts", health=1))
    leader = hero(health=2, max_health=4)
    found = turn("RL-LOY-02=1; RL-HEA-01=50; RL-HEA-01=51", units=units, leaders=(leader,))
    assert after(found, UNITS, "Legio I")["Health"] == 4
    assert "Health" not in after(found, UNITS, "Legio II")
    assert "Health" not in after(found, UNITS, "Eyes")
    assert "Health" not in after(found, LEADERS, "Piso")
    assert len(said(found, "RL-HEA-01")) == 2


def test_rl_hea_01_a_ruler_s_maximum_is_his_type_s() -> None:
    ruler = hero("Livia", kind="Ruler", loyalty=None, initial_loyalty=None, health=7)
    thug = realm(ruler_type="Ruthless Thug")
    assert after(turn("RL-HEA-01=1", realm=thug, leaders=(ruler,)), LEADERS, "Livia")["Health"] == 8
    hero_type = realm(ruler_type="Conquering Hero")  # 6, and he has 7
    assert said(turn(realm=hero_type, leaders=(ruler,)), "RL-HEA-01") == []


def test_rl_exp_01_survivors_of_a_turn_gain_one_point_of_experience() -> None:
    captive = hero("Captive", status="Prisoner", captor="Gaul")
    found = turn("RL-LOY-02=1", units=(unit(experience=9),), leaders=(hero(experience=4), captive))
    assert after(found, UNITS, "Legio I")["Experience"] == 10
    assert after(found, LEADERS, "Piso")["Experience"] == 5
    assert after(found, LEADERS, "Captive") == {}


def test_rl_op_01_steps_run_in_order_and_the_turn_is_stored() -> None:
    started = realm(agents=4, agents_used=3, last_turn=4, happiness=88.0)
    found = ORDERS.resolve(
        order(
            fixed=f"RL-LOY-02=100; RL-LOY-03=1; RL-REB-01=100; {QUIET}",
            realm=started,
            leaders=(hero(loyalty=1, health=1, max_health=2),),
            cities=(city(),),
        ),
        Rng(1),
    )
    ids = list(dict.fromkeys(event.id for event in found.events))
    assert ids == [
        "RL-LOY-01", "RL-LOY-02", "RL-LOY-03", "RL-LOY-03a", "RL-REC-01", "RL-MER-01", "RL-TAX-01", "RL-TAX-05",
        "RL-POP-01", "RL-HEA-01", "RL-EXP-01", "RL-REB-01", "RL-RND-01",
    ]  # fmt: skip
    assert after(found, REALMS, "Rome")["Agents used"] == 0
    assert after(found, REALMS, "Rome")["Last turn"] == 5
