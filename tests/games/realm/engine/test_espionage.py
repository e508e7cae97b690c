import pytest

from engine.realm.setup import inputs as orders
from engine.realm.setup.inputs import TargetFacts
from engine.ruleset import Outcome
from tests.games.realm.engine.courts import after, done, hero, nation, realm, said

LEADERS, REALMS = "Realm Leaders", "Realms"
RIVALS = ("Germania", "Carthage")


def sent(name: str, fixed: str = "", **more: object) -> Outcome:
    """Four of the ten agents of Rome, to Gaul."""
    plain: dict[str, object] = {
        "agents": 4,
        "realm": realm(agents=10, agents_used=1),
        "target_realm": realm("Gaul", nation="Gallic", agents=5, treasury=50, happiness=60.0),
        "rivals": RIVALS,
    }
    return done(name, fixed, **plain | more)


def message(outcome: Outcome) -> object:
    return outcome.figures["Target message"]


def test_rl_esp_1_rl_op_12_agents_are_killed_by_an_unknown_hand() -> None:
    found = sent(orders.ASSASSINATE, "RL-ESP-1=1; RL-ESP-B=29; RL-ESP-D=23")  # 0.4 × 4 = 1.6; 28 %; 22 %
    assert after(found, REALMS, "Gaul") == {"Agents": 4}
    assert after(found, REALMS, "Rome") == {"Agents used": 5}
    assert message(found) == "Assassins killed 1 agent: culprit unknown."
    assert said(found, "RL-ESP-1") == ["effect: moderator's 1 of 1"]


def test_rl_esp_d_the_blamed_realm_is_drawn() -> None:
    found = sent(orders.SABOTAGE, "RL-ESP-2=3; RL-ESP-B=19; RL-ESP-D=12; RL-ESP-D=2")  # 18 %; 12 %
    assert after(found, REALMS, "Gaul") == {"Treasury": 47}
    assert message(found) == "Saboteurs destroyed 3 gold: agents of Carthage were caught (Aid saboteurs)."
    assert "'''Blamed:''' Carthage" in found.receipt.wiki()


def test_rl_esp_d_no_realm_is_blamed_if_seen_or_without_effect_or_others() -> None:
    seen = sent(orders.SABOTAGE, "RL-ESP-2=3; RL-ESP-B=18; RL-ESP-D=1; RL-ESP-E=1")
    assert message(seen) == "Saboteurs destroyed 3 gold: agents of Rome were caught (Aid saboteurs)."
    idle = sent(orders.SABOTAGE, "RL-ESP-B=100; RL-ESP-D=1", target_realm=realm("Gaul", treasury=0))
    assert (message(idle), said(idle, "RL-ESP-D")) == ("", [])  # RL-OP-11: no effect, no success
    alone = sent(orders.SABOTAGE, "RL-ESP-2=3; RL-ESP-B=100; RL-ESP-D=1", rivals=())
    assert message(alone) == "Saboteurs destroyed 3 gold: culprit unknown."


def test_rl_esp_e_rl_op_42_lost_agents_are_removed_and_not_counted_as_used() -> None:
    found = sent(orders.SABOTAGE, "RL-ESP-2=1; RL-ESP-B=1; RL-ESP-E=3")
    assert after(found, REALMS, "Rome") == {"Agents": 7, "Agents used": 2}


def test_rl_esp_2_rl_op_13_sabotage_destroys_at_most_the_treasury() -> None:
    found = sent(orders.SABOTAGE, "RL-ESP-2=4; RL-ESP-B=100; RL-ESP-D=100", target_realm=realm("Gaul", treasury=2))
    assert after(found, REALMS, "Gaul") == {"Treasury": 0}
    assert "2 gold destroyed" in found.summary


def test_rl_op_13_at_most_all_agents_are_killed() -> None:
    found = sent(orders.ASSASSINATE, "RL-ESP-1=3; RL-ESP-B=100; RL-ESP-D=100", agents=9, target_realm=realm("Gaul"))
    assert "0 agents killed" in found.summary


def test_rl_esp_3_rl_op_34_each_agent_bribes_a_random_leader() -> None:
    leaders = (
        hero("Celtillus", kind="Ruler", employer="Gaul", loyalty=None, initial_loyalty=None),
        hero("Brennus", employer="Gaul", loyalty=60, initial_loyalty=60),
        hero("Camulogenus", kind="Legend", employer="Gaul", loyalty=40),
    )
    # Brennus twice: seen at 60 %, the second time he takes 2 × 2.2 loyalty; then Camulogenus at 50 %, bought for 1
    fixed = (
        "RL-ESP-3=1; RL-ESP-B=60; RL-ESP-3=1; RL-ESP-B=61; RL-ESP-3=2; RL-ESP-3=2; RL-ESP-B=51; RL-ESP-3=1;"
        " RL-ESP-3=2; RL-ESP-B=49"
    )
    found = sent(orders.BRIBE, fixed, leaders=leaders)
    assert after(found, REALMS, "Rome") == {"Treasury": 92, "Agents": 8, "Agents used": 3}
    assert after(found, LEADERS, "Brennus") == {"Loyalty": 56}
    assert after(found, LEADERS, "Camulogenus") == {"Loyalty": 39}
    assert message(found) == "Brennus, Camulogenus refused bribes of Rome."
    assert found.summary.startswith("Bribe leaders – succeeds, detected")


def test_rl_op_34_bribes_without_a_target_are_lost_unnoticed() -> None:
    found = sent(orders.BRIBE)
    assert after(found, REALMS, "Rome") == {"Treasury": 92, "Agents used": 5}
    assert message(found) == ""


def test_rl_esp_4_rl_esp_a_the_nation_s_agents_read_messages_unseen() -> None:
    able = nation(espionage=5.0)
    found = sent(orders.INTERCEPT, "RL-ESP-4=3; RL-ESP-4=18", nation=able)  # 10 + 3 + 5 per cent
    assert found.summary == "Intercept messages – succeeds, not detected; Found: messages are read"
    assert sent(orders.INTERCEPT, "RL-ESP-4=3; RL-ESP-4=19", nation=able).summary.startswith("Intercept messages – fai")
    assert said(found, "RL-ESP-B") == []


@pytest.mark.parametrize(
    ("roll", "detection", "outcome"),
    [(50, 19, "succeeds, not detected"), (50, 18, "succeeds, detected"), (51, 19, "fails, not detected"),
     (51, 18, "fails, detected")],
)  # fmt: skip
def test_rl_esp_5_rl_esp_c_success_and_detection_are_independent(roll: int, detection: int, outcome: str) -> None:
    found = sent(orders.SCOUT, f"RL-ESP-5={roll}; RL-ESP-B={detection}", found=("Spears (Spearmen)",))
    assert found.summary.startswith(f"Scout garrison – {outcome}")
    assert ("Spears (Spearmen)" in found.summary) == (roll == 50)
    assert (after(found, REALMS, "Rome").get("Agents") == 6) == (detection == 18)  # all four


def test_rl_esp_6_cities_are_located() -> None:
    found = sent(orders.LOCATE, "RL-ESP-6=22; RL-ESP-B=26", found=("Gergovia", "Alesia"))  # 10 + 3 × 4; 5 + 5 × 4
    assert found.summary == "Locate cities – succeeds, not detected; Found: Gergovia; Alesia"
    assert message(found) == ""


def test_rl_esp_7_slander_works_even_if_detected() -> None:
    found = sent(orders.SLANDER, "RL-ESP-7=2; RL-ESP-B=32")  # RND(2); 20 + 3 × 4
    assert after(found, REALMS, "Gaul") == {"Happiness": 58}
    assert after(found, REALMS, "Rome") == {"Agents": 6}
    assert message(found) == "Slander cost 2 happiness: agents of Rome were caught (Slander)."


def test_rl_op_12_half_an_agent_has_no_effect() -> None:
    found = sent(orders.SLANDER, "RL-ESP-B=100", agents=1)
    assert (after(found, REALMS, "Gaul"), message(found)) == ({}, "")


def test_rl_esp_8_rl_op_10_a_detected_watch_costs_the_hero_s_loyalty() -> None:
    watched = hero("Brennus", employer="Gaul", loyalty=60, initial_loyalty=60)
    plain = {"target": "Brennus", "leaders": (watched,)}
    seen = sent(orders.WATCH, "RL-ESP-B=28; RL-ESP-E=2", **plain)  # 20 + 2 × 4
    assert after(seen, LEADERS, "Brennus") == {"Loyalty": 54}  # 3 × 2.2 = 6.6
    assert after(seen, REALMS, "Rome") == {"Agents": 8, "Agents used": 3}
    assert seen.summary.startswith("Watch hero – fails, detected")
    learnt = sent(orders.WATCH, "RL-ESP-B=29; RL-ESP-8=40", **plain)  # 20 + 5 × 4
    assert learnt.summary == "Watch hero – succeeds, not detected; Found: Brennus has loyalty 60"
    assert sent(orders.WATCH, "RL-ESP-B=29; RL-ESP-8=41", **plain).summary.startswith("Watch hero – fails, not")


def test_rl_esp_9_each_secret_is_rolled_for() -> None:
    known = TargetFacts(
        realm="Gaul", happiness=60.0, tax_rate=30, population=70_000, leaders=("Brennus",), treasury=25, legions=3
    )
    facts = "RL-ESP-9 happiness=71; RL-ESP-9 tax rate=70; RL-ESP-9 population=60; RL-ESP-9 leaders=40"
    fixed = f"RL-ESP-9=35; {facts}; RL-ESP-9 treasury=31; RL-ESP-9 legions=20; RL-ESP-B=100"
    found = sent(orders.SECRETS, fixed, secrets=known)
    told = "tax rate: 30 %; population: 70,000; leaders: Brennus; legions: 3"
    assert found.summary == f"Gather state secrets – succeeds, not detected; Found: {told}"
    assert "nothing found out" in sent(orders.SECRETS, "RL-ESP-9=36; RL-ESP-B=100", secrets=known).summary


def test_rl_esp_b_more_agents_are_detected_more_often() -> None:
    few, many = (sent(orders.ASSASSINATE, agents=count, realm=realm(agents=40)) for count in (1, 30))
    assert said(few, "RL-ESP-B")[0].startswith("detection, 22 %")
    assert said(many, "RL-ESP-B")[0].startswith("detection, 80 %")
