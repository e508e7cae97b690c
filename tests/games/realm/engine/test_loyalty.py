from collections import Counter
from typing import Any

from engine.realm.setup.inputs import PROCESS_TURN
from engine.realm.setup.records import RealmLeader
from engine.rng import Rng
from tests.games.realm.engine.courts import ORDERS, QUIET, after, hero, near, order

LEADERS, REALMS = "Realm Leaders", "Realms"


def disloyal(action: int) -> str:
    """Piso, with 40 % loyalty after the adjustment, is disloyal with this ACTION: 12 of it is (100 − 40) ÷ 5."""
    return f"RL-LOY-02 Piso=100; RL-LOY-03 Piso={action - 12}"


def piso(**more: Any) -> RealmLeader:
    """Paid nothing, his 50 % become 40; his initial loyalty multiplies losses by 2.2."""
    return hero(**{"loyalty": 50, "pay": 0.0, "initial_loyalty": 60} | more)


EQUAL = (("Carthage", "Gaul", "Germania"),)


def test_rl_op_24_names_do_not_decide_between_enemies() -> None:
    asked = order(PROCESS_TURN, f"{disloyal(51)}; {QUIET}", leaders=(piso(),), near=(near(enemies=EQUAL),))
    chosen = Counter(after(ORDERS.resolve(asked, Rng(seed)), LEADERS, "Piso")["Offered to"] for seed in range(60))
    assert chosen.keys() == {*EQUAL[0]}
    assert min(chosen.values()) >= 10
