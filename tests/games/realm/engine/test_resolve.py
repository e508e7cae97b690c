import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.exact import exact, percent
from engine.realm.resolve import RealmRating
from engine.realm.series.chances import bounded
from engine.realm.setup import inputs as orders
from engine.realm.setup.inputs import RatingInputs
from engine.rng import Rng
from engine.settings import Setting
from tests.games.realm.engine.courts import (
    ORDERS,
    TABLES,
    after,
    city,
    done,
    hero,
    nation,
    near,
    order,
    prisoner,
    realm,
    said,
    turn,
    unit,
)

RATING = RealmRating(TABLES)
STANDING = (realm("A", rating=500), realm("B", rating=500), realm("C", rating=600))


def explained(name: str, **more: Any) -> dict[str, float]:
    return {variable.name: variable.value for variable in ORDERS.explain(order(name, **more))}


def test_a_turn_s_receipt_matches_its_text() -> None:
    found = turn(
        "RL-LOY-02 Piso=100; RL-LOY-03=40; RL-LOY-03b=2; RL-REB-01 Roma=100; RL-REB-01 Ostia=1; RL-RND-05=3",
        leaders=(hero(loyalty=60, initial_loyalty=60),),
        cities=(city(), city("Ostia", population=10_000)),
        battles_won=1,
        near=(near(),),
    )
    assert found.receipt.text().splitlines() == [
        "Rome, turn 5",
        "Treasury",
        "  Income: 88 gold",
        "  Leader pay due: 10 gold, not charged",
        "  Treasury: 100 → 186",
        "Happiness",
        "  Base: 88, battles +1",
        "  Happiness: 88 → 89",
        "Cities",
        "  Roma: 100,000 → 103,900",
        "  Ostia: 10,000 → 10,390, leaves the realm",
        "Leaders",
        "  Piso: loyalty 60 → 57, embezzles (2 gold)",
        "Event",
        "  nothing",
        "Moderator's rulings",
        "  Fixed roll RL-LOY-02 Piso=100",
        "  Fixed roll RL-LOY-03=40",
        "  Fixed roll RL-LOY-03b=2",
        "  Fixed roll RL-REC-01=100",
        "  Fixed roll RL-MER-01=100",
        "  Fixed roll RL-REB-01 Roma=100",
        "  Fixed roll RL-REB-01 Ostia=1",
        "  Fixed roll RL-RND-01=1",
        "  Fixed roll RL-RND-05=3: nothing was rolled for it",
    ]


def test_settings_and_a_given_seed_are_on_the_receipt() -> None:
    settings = (Setting(name="constants/RL-TAX-05/rise_most", value=9),)
    found = turn(settings=settings, seed_given=True)
    assert "Setting rise_most: 9" in found.receipt.text()
    assert "Seed: 1" in found.receipt.text()
    assert said(found, "SET-06") == ["constants/RL-TAX-05/rise_most is 9 in this workbook, not 5 as in the tables"]


def test_rl_op_44_chances_are_summarized_in_one_line() -> None:
    who = prisoner(loyalty=60, experience=30, melee=3.0, stealth=1.0)
    asked = {"target": "Brennus", "leaders": (who,), "target_realm": realm("Gaul")}
    assert ORDERS.forecast(order(orders.ENTICE, **asked)) == "Enters service 14 %; Else escapes 11 %"
    spying = {"agents": 4, "target_realm": realm("Gaul"), "rivals": ("Germania",)}
    line = ORDERS.forecast(order(orders.SABOTAGE, **spying))
    assert line == "Detected 18 %; Another is blamed, if unseen 12 %"
    assert ORDERS.forecast(order(orders.PROCESS_TURN)) == ""
    assert ORDERS.forecast(order(orders.INTERROGATE, **asked)).startswith("Talks ")
    assert ORDERS.forecast(order(orders.GAMES, **asked)) == "Dies 30 %; Else escapes 5.2 %"


def test_explain_derives_a_turn() -> None:
    found = explained(
        orders.PROCESS_TURN,
        realm=realm(fame=20, happiness=60.0),
        leaders=(hero(loyalty=60, pay=15.0, experience=30),),
        nation=nation(loyalty=-2.0),
        cities=(city(population=150_000),),
    )
    assert round(found.pop("Loyalty of Piso"), 1) == 57.8
    assert found == {
        "A leader arrives": 29,
        "Mercenaries come": 14,
        "Income": 120,
        "Base happiness": 88,
        "battles": 0,
        "cities": 0,
        "happiness": 65,
        "Each city's people are multiplied by": 1.015,
        "Each city rebels": 17.5,
    }


@given(happiness=st.integers(0, 100), tax=st.integers(0, 100), growth=st.integers(-5, 5), won=st.integers(0, 3))
def test_rl_pop_01_rl_reb_01_explain_has_the_factor_and_the_chance_of_the_turn(
    happiness: int, tax: int, growth: int, won: int
) -> None:
    asked = order(
        orders.PROCESS_TURN,
        realm=realm(happiness=float(happiness), tax_rate=tax),
        nation=nation(growth=float(growth)),
        cities=(city(population=100_000),),
        battles_won=won,
    )
    explains = {each.name: each.value for each in ORDERS.explain(asked)}
    factor, chance = explains["Each city's people are multiplied by"], explains["Each city rebels"]
    found = ORDERS.resolve(asked, Rng(1))

    [grown] = [event for event in found.events if event.id == "RL-POP-01"]
    assert [each.value for each in grown.calculations()] == [factor]
    assert grown.amount == math.trunc(100_000 * exact(factor))
    assert f" {percent(bounded(chance))}" in said(found, "RL-REB-01")[0]


def test_rl_loy_01_rl_loy_05_each_term_is_explained() -> None:
    asked = order(
        orders.PROCESS_TURN, leaders=(hero(loyalty=60, pay=15.0, experience=30),), nation=nation(loyalty=-2.0)
    )
    loyalty, _, _, _, base, *_ = [variable.line() for variable in ORDERS.explain(asked)]
    assert loyalty == (
        "Loyalty of Piso 57.818 = loyalty 60 − nation 2 − each turn 10"
        ' + 10 × pay "1.5 of the upkeep" 1.5 × 1 ÷ (1 + experience 30 ÷ 80) × (0.75 + loyalty 60 ÷ 400) [RL-LOY-01]'
    )
    assert base == "Base happiness 88 = base 110 − tax 20 − 0.5 × tax 20 × 0.1 × tax 20 × 0.1 [RL-TAX-02]"
    captive = prisoner(loyalty=0, former_rulers=("Rome",))
    [converts, _] = ORDERS.explain(order(orders.RELEASE, target="Brennus", leaders=(captive,)))
    assert converts.line() == "Enters service 0 [RL-DUN-02] (per cent)"


def test_explain_derives_missions_and_prisoners() -> None:
    leaders = (hero("Brennus", employer="Gaul", loyalty=60),)
    asked: dict[str, Any] = {"agents": 4, "target_realm": realm("Gaul"), "leaders": leaders}
    assert explained(orders.BRIBE, **asked) == {"Brennus refuses": 60}
    assert explained(orders.SCOUT, **asked, target="Alesia") == {"Succeeds": 50, "Detected": 18}
    assert explained(orders.INTERCEPT, **asked) == {"Succeeds, before the luck of the agents": 10}
    held: dict[str, Any] = {"target": "Brennus", "leaders": (prisoner(loyalty=55),), "target_realm": realm("Gaul")}
    assert explained(orders.RELEASE, **held) == {"Enters service": 25, "Else goes home": 55}
    assert explained(orders.EXECUTE, **held) == {}


def test_the_log_names_the_rule_of_every_line() -> None:
    heard: list[str] = []
    ORDERS.resolve(order(fixed="RL-RND-01=1"), Rng(1), heard.extend)
    assert heard[-1] == "nothing [RL-RND-01]"
    assert all(line.endswith("]") for line in heard)


def test_rl_ex_18_rl_rat_01_a_game_changes_ratings() -> None:
    found = RATING.resolve(RatingInputs(game="First game", standing=STANDING), Rng(0))
    assert {update.row: (update.before, update.after) for update in found.updates} == {
        "A": (500, 536),
        "B": (500, 504),
        "C": (600, 560),
    }
    assert found.receipt.text().splitlines() == [
        "First game",
        "Ratings",
        "  A: 500 → 536 (2 won, 0 lost: B +16, C +20)",
        "  B: 500 → 504 (1 won, 1 lost: A −16, C +20)",
        "  C: 600 → 560 (0 won, 2 lost: A −20, B −20)",
    ]
    assert realm().rating == 500


def test_a_game_is_explained_and_forecast_without_luck() -> None:
    game = RatingInputs(game="First game", standing=STANDING)
    assert [(variable.name, variable.value) for variable in RATING.explain(game)] == [
        ("Rating of A", 536),
        ("Rating of B", 504),
        ("Rating of C", 560),
    ]
    drawn = RATING.replicates(game, 1, 0, 3)
    assert drawn.winner is None
    assert drawn.numbers["Rating of C"].values.tolist() == [560, 560, 560]
    assert RATING.course(game, drawn) == "A 536 (+36), B 504 (+4), C 560 (−40)"


def test_units_and_cities_of_others_are_unchanged() -> None:
    found = turn(cities=(city(owner="Gaul"),), units=(unit(owner="Gaul", offered_to="", health=1),))
    assert {update.tab for update in found.updates} == {"Realms"}
    assert after(found, "Realms", "Rome") == {"Last turn": 5}


def test_an_order_without_chances_reports_its_result() -> None:
    assert done(orders.AWARD, target="Piso", deed="Colosseum", leaders=(hero(),)).summary == (
        "Award experience – awarded; Piso: Colosseum: +2, 2 in all (Tyro)"
    )
