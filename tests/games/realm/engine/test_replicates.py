"""RL-OP-44: every order can be drawn many times; number 0 is the ruling."""

from typing import Any

import numpy as np
import pytest

from engine.forecast import joined
from engine.realm.setup import inputs as orders
from engine.realm.setup.inputs import OrderInputs, TargetFacts
from engine.realm.setup.records import RealmLeader, RealmUnitType
from engine.rng import Rng
from tests.games.realm.engine.courts import ORDERS, city, hero, near, order, prisoner, realm, unit

GAUL = realm("Gaul", agents=5, treasury=30, happiness=50.0)
SECRETS = TargetFacts(realm="Gaul", happiness=50.0, tax_rate=3, population=5, leaders=(), treasury=25, legions=3)
MOB = RealmUnitType(name="Angry Mob", attack=2, max_health=3)


def every_order() -> dict[str, OrderInputs]:
    captive: dict[str, Any] = {"target": "Brennus", "leaders": (prisoner(), hero()), "target_realm": GAUL}
    agents: dict[str, Any] = {
        "agents": 3,
        "realm": realm(agents=9),
        "target_realm": GAUL,
        "rivals": ("Germania",),
        "secrets": SECRETS,
        "target": "Brennus",
        "leaders": (hero("Brennus", employer="Gaul"),),
    }
    offered = hero("Brennus", employer="Gaul", offer="Information", offered_to="Rome")
    return {
        orders.PROCESS_TURN: order(
            leaders=(hero(loyalty=30),), cities=(city(),), near=(near(),), heroes=("Atilius",), units=(unit(),)
        ),
        orders.PROCESS_REBELS: order(orders.PROCESS_REBELS, realm=None, cities=(city(owner="rebels"),), types=(MOB,)),
        orders.HIRE_LEADER: order(orders.HIRE_LEADER, target="Piso", leaders=(hero(),)),
        orders.HIRE_MERCENARY: order(
            orders.HIRE_MERCENARY, target="Legio I", units=(unit(owner="", offered_to="Rome"),)
        ),
        orders.ACCEPT_OFFER: order(
            orders.ACCEPT_OFFER, target="Brennus", leaders=(offered,), target_realm=GAUL, secrets=SECRETS
        ),
        **{
            name: order(name, target="Roma", target_realm=GAUL, leaders=(hero(),), units=(unit(),))
            for name in orders.BATTLES
        },
        orders.CAPTURE: order(
            orders.CAPTURE, target="Alesia", target_realm=GAUL, cities=(city("Alesia", owner="Gaul"),)
        ),
        orders.AWARD: order(orders.AWARD, target="Piso", deed="Colosseum", leaders=(hero(),)),
        **{name: order(name, **captive) for name in orders.DUNGEON},
        **{name: order(name, **agents) for name in orders.ESPIONAGE},
    }


CASES = every_order()


@pytest.mark.parametrize("name", CASES)
def test_rl_op_44_every_order_can_be_forecast(name: str) -> None:
    found = ORDERS.replicates(CASES[name], 5, 0, 20)
    assert (found.winner, len(found)) == (None, 20)
    assert found.headlines
    assert set(found.headlines) <= set(found.numbers)
    assert all(0 <= code < len(kinds.names) for kinds in found.words.values() for code in kinds.codes)
    assert ORDERS.course(CASES[name], found).startswith("Most likely ")


@pytest.mark.parametrize("name", CASES)
def test_number_0_is_the_ruling(name: str) -> None:
    found = ORDERS.replicates(CASES[name], 5, 0, 1)
    ruled = ORDERS.resolve(CASES[name], Rng(5))
    written = {(update.row, update.field): update.after for update in ruled.updates}
    if "Treasury" in found.numbers:
        assert found.numbers["Treasury"].values[0] == written.get(("Rome", "Treasury"), 100)
        assert found.numbers["Happiness"].values[0] == written.get(("Rome", "Happiness"), 88)
    if "Outcome" in found.words and name != orders.PROCESS_REBELS:
        kinds = found.words["Outcome"]
        assert kinds.names[kinds.codes[0]] in ruled.summary


def test_chunks_do_not_change_the_results() -> None:
    asked = CASES[orders.PROCESS_TURN]
    whole = ORDERS.replicates(asked, 5, 0, 12)
    parts = joined([ORDERS.replicates(asked, 5, 0, 5), ORDERS.replicates(asked, 5, 5, 7)])
    for name, measure in whole.numbers.items():
        assert np.array_equal(measure.values, parts.numbers[name].values)
    for name, kinds in whole.words.items():
        assert (kinds.names, kinds.codes.tolist()) == (parts.words[name].names, parts.words[name].codes.tolist())


@pytest.mark.parametrize(
    "absent",
    [
        hero("Brennus", employer="Rome", status="Prisoner", captor="Gaul"),
        hero("Brennus", employer="Rome", last_turn=1),  # RL-OP-46: processed under the realm that he left this turn
    ],
    ids=["a prisoner", "a newcomer"],
)
def test_rl_op_44_a_turn_is_forecast_with_an_unchecked_leader(absent: RealmLeader) -> None:
    asked = order(leaders=(hero(loyalty=30), absent), turn=1)

    found = ORDERS.replicates(asked, 5, 0, 20)

    assert "Piso" in found.words
    assert "Brennus" not in found.words


def test_rl_rnd_01_six_turns_of_ten_have_no_event() -> None:
    kinds = ORDERS.replicates(order(), 5, 0, 4000).words["Event"]
    shares = np.bincount(kinds.codes, minlength=8) / 4000
    assert np.allclose(shares, [0.6, 0.1, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05], atol=0.03)
