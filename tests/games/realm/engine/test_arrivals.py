from engine.realm.turn.arrivals import mercenary_cost
from engine.rng import Rng
from engine.ruleset import Outcome
from tests.games.realm.engine.courts import LEGION, ORDERS, TABLES, order, unit

LEADERS = "Realm Leaders"


def turn(fixed: str, **more: object) -> Outcome:
    return ORDERS.resolve(order(fixed=f"{fixed}; RL-RND-01=1", **more), Rng(1))


def test_rl_mer_02_a_waiting_mercenary_has_the_cost_of_its_level() -> None:
    cases = [(0, 24), (10, 24), (24, 24), (25, 36), (40, 48), (70, 48)]
    assert [
        (experience, mercenary_cost(unit(experience=experience), LEGION, TABLES)) for experience, _ in cases
    ] == cases
