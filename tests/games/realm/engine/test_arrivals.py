import pytest

from engine.realm.setup.inputs import FreeName
from engine.realm.turn.arrivals import mercenary_cost
from engine.rng import Rng
from engine.ruleset import Outcome
from tests.games.realm.engine.courts import LEGION, ORDERS, TABLES, after, hero, nation, order, realm, said, unit

LEADERS = "Realm Leaders"


def turn(fixed: str, **more: object) -> Outcome:
    return ORDERS.resolve(order(fixed=f"{fixed}; RL-RND-01=1", **more), Rng(1))


def test_rl_rec_01_rl_op_20_the_ruler_does_not_count_as_hired() -> None:
    ruler = hero("Livia", kind="Ruler", initial_loyalty=None, loyalty=None)
    staff = (hero("A"), hero("B", kind="Legend"), ruler)
    found = turn("RL-LOY-02=1; RL-LOY-02=1; RL-MER-01=100", realm=realm(fame=20), leaders=staff)
    assert said(found, "RL-REC-01")[0].startswith("a leader arrives, 26 %")


def test_rl_rec_02_rl_op_22_a_hero_of_the_nation_offers_service() -> None:
    found = turn("RL-REC-01=10; RL-REC-02=2; RL-MER-01=100", heroes=("Atilius", "Norbanus"))
    assert after(found, LEADERS, "Norbanus") == {"Offer": "Service", "Offered to": "Rome"}


def test_rl_rec_02_legends_require_fame_above_ten() -> None:
    who = {"legends": ("Xanthippe",), "heroes": ("Atilius",)}
    famous = turn("RL-REC-01=1; RL-REC-02=20; RL-MER-01=100", realm=realm(fame=11), **who)
    assert after(famous, LEADERS, "Xanthippe")["Offer"] == "Service"
    unlucky = turn("RL-REC-01=1; RL-REC-02=21; RL-MER-01=100", realm=realm(fame=11), **who)
    assert after(unlucky, LEADERS, "Atilius")["Offer"] == "Service"
    unknown = turn("RL-REC-01=1; RL-REC-02=1; RL-MER-01=100", realm=realm(fame=10), **who)
    assert after(unknown, LEADERS, "Atilius")["Offer"] == "Service"


def test_rl_op_21_a_hero_arrives_if_no_legend_is_available() -> None:
    found = turn("RL-REC-01=1; RL-REC-02=1; RL-MER-01=100", realm=realm(fame=30), heroes=("Atilius",))
    assert after(found, LEADERS, "Atilius")["Offer"] == "Service"


def test_rl_rec_03_nobody_arrives_if_nobody_is_available() -> None:
    found = turn("RL-REC-01=1; RL-MER-01=100")
    assert said(found, "RL-REC-03") == ["nobody is available, so nobody arrives"]
    assert [update for update in found.updates if update.tab == LEADERS] == []


@pytest.mark.parametrize(
    ("rolled", "level", "experience", "cost"),
    [(1, "Regular", 10, 24), (30, "Regular", 10, 24), (31, "Veteran", 25, 36), (80, "Veteran", 25, 36),
     (81, "Elite", 40, 48), (100, "Elite", 40, 48)],
)  # fmt: skip
def test_rl_mer_01_rl_mer_02_mercenaries_wait_in_a_new_row(rolled: int, level: str, experience: int, cost: int) -> None:
    found = turn(
        f"RL-REC-01=100; RL-MER-01=10; RL-MER-03=1; RL-MER-02={rolled}",
        nation=nation(mercenaries=("Legion", "Trireme")),
        free=(FreeName(stem="Legion Rome", number=3),),
    )
    [row] = found.rows
    assert row.tab == "Realm Units"
    assert row.values == {
        "Unit": "Legion Rome 3",
        "Type": "Legion",
        "Experience": experience,
        "Health": 6,
        "Max health": 6,
        "Mercenary": True,
        "Offered to": "Rome",
    }
    assert f"Legion Rome 3 ({level}) offers service for {cost} gold" in said(found, "RL-MER-02")


def test_rl_mer_03_a_nation_without_mercenary_types_gets_none() -> None:
    found = turn("RL-REC-01=100; RL-MER-01=1")
    assert found.rows == ()
    assert said(found, "RL-MER-03") == ["no unit type comes to this nation as mercenaries"]


def test_rl_mer_02_a_waiting_mercenary_has_the_cost_of_its_level() -> None:
    cases = [(0, 24), (10, 24), (24, 24), (25, 36), (40, 48), (70, 48)]
    assert [
        (experience, mercenary_cost(unit(experience=experience), LEGION, TABLES)) for experience, _ in cases
    ] == cases
