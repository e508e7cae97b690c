from collections import Counter
from typing import Any

import pytest

from engine.realm.setup.inputs import PROCESS_TURN
from engine.realm.setup.records import RealmLeader
from engine.rng import Rng
from tests.games.realm.engine.courts import ORDERS, QUIET, after, hero, nation, near, order, realm, said, turn, unit

LEADERS, REALMS = "Realm Leaders", "Realms"


def disloyal(action: int) -> str:
    """Piso, with 40 % loyalty after the adjustment, is disloyal with this ACTION: 12 of it is (100 − 40) ÷ 5."""
    return f"RL-LOY-02 Piso=100; RL-LOY-03 Piso={action - 12}"


def piso(**more: Any) -> RealmLeader:
    """Paid nothing, his 50 % become 40; his initial loyalty multiplies losses by 2.2."""
    return hero(**{"loyalty": 50, "pay": 0.0, "initial_loyalty": 60} | more)


def test_rl_loy_01_a_turn_adjusts_only_employed_heroes_and_legends() -> None:
    ruler = hero("Livia", kind="Ruler", loyalty=None, initial_loyalty=None)
    legend = hero("Xanthippe", kind="Legend", experience=30)
    # 80 − 10 + 10 × 1 × 0.95 = 79.5; with 30 experience 76.9; the ruler has no loyalty
    found = turn("RL-LOY-02=1; RL-LOY-02=1", leaders=(hero(), legend, ruler))
    assert after(found, LEADERS, "Piso")["Loyalty"] == 79
    assert after(found, LEADERS, "Xanthippe")["Loyalty"] == 76
    assert "Loyalty" not in after(found, LEADERS, "Livia")


def test_rl_loy_01_the_nation_modifies_loyalty() -> None:
    found = turn("RL-LOY-02=1", nation=nation(loyalty=1.0), leaders=(hero(),))
    assert said(found, "RL-LOY-01") == ["Piso: loyalty 80 becomes 80"]  # 80.5, its fraction dropped


def test_rl_op_14_loyalty_stays_from_0_to_100() -> None:
    rich, poor = hero("Rich", loyalty=99, pay=100.0), hero("Poor", loyalty=3, pay=0.0)
    found = turn("RL-LOY-02=1; RL-LOY-02=1; RL-LOY-03=1", leaders=(rich, poor))
    assert after(found, LEADERS, "Rich")["Loyalty"] == 100
    assert after(found, LEADERS, "Poor")["Loyalty"] == 0


def test_rl_loy_02_a_roll_up_to_the_loyalty_passes() -> None:
    # paid nothing, 50 becomes 40
    assert said(turn("RL-LOY-02=40", leaders=(piso(),)), "RL-LOY-03") == []
    assert len(said(turn("RL-LOY-02=41; RL-LOY-03=1", leaders=(piso(),)), "RL-LOY-03")) == 1


def test_rl_loy_02_rulers_are_never_checked() -> None:
    found = turn(leaders=(hero("Livia", kind="Ruler", loyalty=None, initial_loyalty=None),))
    assert said(found, "RL-LOY-02") == []


def test_rl_loy_03_the_missing_loyalty_is_added_to_the_action() -> None:
    found = turn("RL-LOY-02=100; RL-LOY-03=20", leaders=(piso(loyalty=51),))  # 41: 59 ÷ 5 = 11.8, 11 of it
    assert "ACTION 31, embezzles" in said(found, "RL-LOY-03b")[-1]


def test_rl_loy_03a_petty_disloyalty_costs_one_point_times_the_modifier() -> None:
    found = turn(disloyal(30), leaders=(piso(),))
    assert after(found, LEADERS, "Piso")["Loyalty"] == 38  # 40 − 1 × 2.2, its fraction dropped


def test_rl_loy_03b_rl_op_13_an_embezzler_takes_at_most_the_treasury() -> None:
    found = turn(f"{disloyal(31)}; RL-LOY-03b=3", leaders=(piso(),))
    assert after(found, REALMS, "Rome")["Treasury"] == 97
    broke = turn(f"{disloyal(50)}; RL-LOY-03b=3", leaders=(piso(),), realm=realm(treasury=2))
    assert after(broke, REALMS, "Rome")["Treasury"] == 0


def test_rl_loy_03c_rl_op_23_information_is_offered_to_the_nearest_enemy() -> None:
    found = after(turn(disloyal(51), leaders=(piso(),), near=(near(),)), LEADERS, "Piso")
    assert (found["Offer"], found["Offered to"], found["Loyalty"]) == ("Information", "Gaul", 36)


def test_rl_loy_03d_a_battle_is_offered_to_the_commander_of_the_nearest_enemy_unit() -> None:
    found = after(turn(disloyal(71), leaders=(piso(),), near=(near(),)), LEADERS, "Piso")
    assert (found["Offer"], found["Offered to"], found["Loyalty"]) == ("Thrown battle", "Germania", 34)


def test_rl_loy_03d_without_an_enemy_unit_only_the_loss_remains() -> None:
    found = after(turn(disloyal(80), leaders=(piso(),), near=(near(commanders=()),)), LEADERS, "Piso")
    assert ("Offer" in found, found["Loyalty"]) == (False, 34)


def test_rl_op_24_the_moderator_names_the_nearest_enemy() -> None:
    by_row = turn(disloyal(51), leaders=(piso(),), near=(near(),), nearest_enemy="Germania")
    assert after(by_row, LEADERS, "Piso")["Offered to"] == "Germania"
    by_cell = turn(disloyal(51), leaders=(piso(nearest_enemy="Germania"),), near=(near(),))
    assert after(by_cell, LEADERS, "Piso")["Offered to"] == "Germania"
    out_of_play = turn(disloyal(51), leaders=(piso(nearest_enemy="Carthage"),), near=(near(),))
    assert after(out_of_play, LEADERS, "Piso")["Offered to"] == "Gaul"


def test_rl_loy_03e_rl_loy_05_an_absconding_leader_joins_the_legends_list() -> None:
    found = turn(f"{disloyal(81)}; RL-LOY-03e=16", leaders=(piso(),), near=(near(),))
    assert after(found, REALMS, "Rome")["Treasury"] == 80  # 4 + 16 gold
    assert after(found, LEADERS, "Piso") == {
        "Status": "Legends list",
        "Employer": "",
        "Former rulers": "Rome",
        "Loyalty": 60,
    }


def test_rl_loy_03f_service_is_offered_to_a_rival_he_never_worked_for() -> None:
    rivals = ("Gaul", "Germania")
    leader = piso(former_rulers=("Gaul",))
    found = after(turn(disloyal(91), leaders=(leader,), near=(near(),), rivals=rivals), LEADERS, "Piso")
    assert (found["Offer"], found["Offered to"], found["Loyalty"]) == ("Defection", "Germania", 40)
    second = turn(f"{disloyal(99)}; RL-LOY-03f=2", leaders=(piso(),), near=(near(),), rivals=rivals)
    assert after(second, LEADERS, "Piso")["Offered to"] == "Germania"


def test_rl_loy_03g_rl_op_26_a_rebel_takes_the_nearest_units_to_the_nearest_enemy() -> None:
    units = tuple(unit(f"Legio {letter}") for letter in "ABCD")
    around = near(units=(("Legio C",), ("Legio D",), ("Legio A",), ("Legio B",)))
    fixed = f"{disloyal(100)}; RL-LOY-03g=2"  # 1 + RND(4) units: 3
    found = turn(fixed, leaders=(piso(former_rulers=("Gaul",)),), near=(around,), units=units)
    assert after(found, LEADERS, "Piso") == {
        "Employer": "Germania",
        "Former rulers": "Gaul; Rome",
        "Loyalty": 60,
        "Experience": 1,
        "Last turn": 5,
    }
    owners = {update.row: update.after for update in found.updates if update.field == "Owner"}
    assert owners == {"Legio A": "Germania", "Legio C": "Germania", "Legio D": "Germania"}


@pytest.mark.parametrize("action", [81, 91, 100])
def test_rl_loy_06_a_leader_who_served_every_realm_throws_a_battle(action: int) -> None:
    leader = piso(former_rulers=("Gaul", "Germania"))
    found = after(turn(disloyal(action), leaders=(leader,), near=(near(),)), LEADERS, "Piso")
    assert (found["Offer"], found["Offered to"], found["Loyalty"]) == ("Thrown battle", "Germania", 34)


def test_rl_op_22_rl_op_23_old_offers_lapse_before_anything_else() -> None:
    comer = hero("Atilius", status="Available", employer="", offer="Service", offered_to="Rome")
    traitor = hero(offer="Information", offered_to="Gaul")
    sold = unit("Slingers", owner="", offered_to="Rome", mercenary=True)
    found = turn("RL-LOY-02=1", leaders=(traitor, comer), units=(sold,))
    assert after(found, LEADERS, "Atilius") == {"Offer": "", "Offered to": ""}
    assert after(found, LEADERS, "Piso")["Offer"] == ""
    assert after(found, "Realm Units", "Slingers") == {"Offered to": "", "Fate": "Lapsed"}


def test_rl_op_20_rl_loy_04_higher_pay_lowers_the_loss_of_loyalty() -> None:
    veteran = hero(experience=80, pay=20.0)  # 80 − 10 + 10 × 2 × ½ × 0.95
    assert said(turn("RL-LOY-02=1", leaders=(veteran,)), "RL-LOY-01") == ["Piso: loyalty 80 becomes 79"]


EQUAL = (("Carthage", "Gaul", "Germania"),)


@pytest.mark.parametrize(("action", "offer"), [(51, "Information"), (71, "Thrown battle")])
def test_rl_op_24_a_die_chooses_between_equally_near_enemies(action: int, offer: str) -> None:
    around = near(enemies=EQUAL, commanders=EQUAL)
    found = turn(f"{disloyal(action)}; RL-OP-24 Piso=2", leaders=(piso(),), near=(around,))
    changed = after(found, LEADERS, "Piso")
    assert (changed["Offer"], changed["Offered to"]) == (offer, "Gaul")
    assert "(to Gaul, drawn by lot from 3)" in found.receipt.text()
    assert said(found, "RL-OP-24") == ["Piso, nearest enemy of Carthage, Gaul, Germania: moderator's 2 of 3"]


def test_rl_op_24_names_do_not_decide_between_enemies() -> None:
    asked = order(PROCESS_TURN, f"{disloyal(51)}; {QUIET}", leaders=(piso(),), near=(near(enemies=EQUAL),))
    chosen = Counter(after(ORDERS.resolve(asked, Rng(seed)), LEADERS, "Piso")["Offered to"] for seed in range(60))
    assert chosen.keys() == {*EQUAL[0]}
    assert min(chosen.values()) >= 10


def test_rl_op_24_a_rebel_takes_equally_near_units_by_lot() -> None:
    names = ("Legio A", "Legio B", "Legio C")
    fixed = f"{disloyal(100)}; RL-LOY-03g=1; RL-OP-24 Piso=3; RL-OP-24 Piso=2"
    units = tuple(unit(name) for name in names)
    found = turn(fixed, leaders=(piso(),), near=(near(units=(names,)),), units=units)
    assert "to Gaul with Legio C, Legio B" in found.summary
    former = turn(f"{disloyal(100)}; RL-LOY-03g=1; RL-OP-24 Piso=2", leaders=(piso(former_rulers=("Gaul",)),),
                  near=(near(enemies=EQUAL),))  # fmt: skip
    assert "to Germania, drawn by lot from 2, alone" in former.summary
