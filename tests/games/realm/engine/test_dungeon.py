import pytest

from engine.realm.setup.inputs import ENTICE, EXECUTE, GAMES, INTERROGATE, RELEASE, TargetFacts
from engine.ruleset import Outcome
from tests.games.realm.engine.courts import after, done, hero, prisoner, realm, said

LEADERS, REALMS = "Realm Leaders", "Realms"
GAUL = realm("Gaul", nation="Gallic")
SECRETS = TargetFacts(
    realm="Gaul", happiness=75.5, tax_rate=30, population=70_000, leaders=("Celtillus",), treasury=25, legions=3
)


def ordered(name: str, fixed: str = "", **more: object) -> Outcome:
    """An order about Brennus, whom Gaul employs."""
    plain: dict[str, object] = {"target": "Brennus", "target_realm": GAUL, "leaders": (prisoner(),)}
    return done(name, fixed, **plain | more)


def test_rl_dun_01_a_talking_prisoner_reveals_facts_one_by_one() -> None:
    who = prisoner(loyalty=80, experience=24, leadership=3.0, melee=1.0)  # 140 − 80 − 12 − 15 − 4: melee 1 + 1
    fixed = "RL-DUN-01=29; RL-ESP-9 happiness=70; RL-ESP-9 tax rate=71; RL-ESP-9 treasury=1; RL-ESP-9=100"
    found = ordered(INTERROGATE, f"{fixed}; RL-ESP-9=100; RL-ESP-9=100", leaders=(who,), secrets=SECRETS)
    assert found.summary == "Interrogate – talks; Brennus: talks; Found out: happiness: 75.5 %; treasury: 25 gold"
    assert after(found, LEADERS, "Brennus") == {"Interrogated by": "Rome"}  # RL-OP-17
    silent = ordered(INTERROGATE, "RL-DUN-01=30", leaders=(who,), secrets=SECRETS)
    assert silent.summary == "Interrogate – says nothing; Brennus: says nothing"


def test_rl_dun_02_rl_op_18_a_released_prisoner_converts_returns_or_leaves() -> None:
    who = prisoner(loyalty=60, initial_loyalty=65, interrogated_by="Rome")
    converted = after(ordered(RELEASE, "RL-DUN-02=20", leaders=(who,)), LEADERS, "Brennus")
    assert converted == {
        "Status": "Employed", "Employer": "Rome", "Captor": "", "Former rulers": "Gaul", "Loyalty": 65,
        "Interrogated by": "",
    }  # fmt: skip
    home = after(ordered(RELEASE, "RL-DUN-02=21; RL-DUN-02=60", leaders=(who,)), LEADERS, "Brennus")
    assert home == {"Status": "Employed", "Captor": "", "Interrogated by": ""}
    free = after(ordered(RELEASE, "RL-DUN-02=21; RL-DUN-02=61", leaders=(who,)), LEADERS, "Brennus")
    assert (free["Status"], free["Employer"], free["Former rulers"], free["Loyalty"]) == ("Freelance", "", "Gaul", 65)


def test_rl_loy_05_prisoners_never_convert_to_a_former_ruler() -> None:
    who = prisoner(loyalty=0, former_rulers=("Rome",))
    found = ordered(RELEASE, "RL-DUN-02=1", leaders=(who,))
    assert said(found, "RL-DUN-02")[0] == "Brennus, conversion: 0 %, never"


def test_rl_op_39_a_released_ruler_goes_home() -> None:
    found = ordered(RELEASE, leaders=(prisoner(kind="Ruler", loyalty=None, initial_loyalty=None),))
    assert after(found, LEADERS, "Brennus") == {"Status": "Employed", "Captor": ""}
    assert found.figures["Target message"] == "Brennus was released and returns home."


def test_a_prisoner_without_a_home_becomes_freelance() -> None:
    gone = realm("Gaul", in_play=False)
    found = ordered(RELEASE, "RL-DUN-02=100; RL-DUN-02=1", target_realm=gone)
    assert after(found, LEADERS, "Brennus")["Status"] == "Freelance"


def test_rl_dun_03_enticing_costs_three_gold_and_may_end_in_four_ways() -> None:
    who = prisoner(loyalty=60, experience=30, melee=3.0, stealth=1.0)  # a Warlord: melee 4, stealth 2
    leaders = {"leaders": (who,)}
    stays = ordered(ENTICE, "RL-DUN-03=15; RL-DUN-03=12", **leaders)
    assert after(stays, REALMS, "Rome") == {"Treasury": 97}
    assert after(stays, LEADERS, "Brennus") == {}
    converts = ordered(ENTICE, "RL-DUN-03=14", **leaders)
    assert after(converts, LEADERS, "Brennus")["Employer"] == "Rome"
    home = ordered(ENTICE, "RL-DUN-03=15; RL-DUN-03=11; RL-DUN-03=60", **leaders)
    assert after(home, LEADERS, "Brennus") == {"Status": "Employed", "Captor": ""}
    free = ordered(ENTICE, "RL-DUN-03=15; RL-DUN-03=11; RL-DUN-03=61", **leaders)
    assert after(free, LEADERS, "Brennus")["Status"] == "Freelance"
    assert ordered(ENTICE, "RL-DUN-03=100; RL-DUN-03=100", **leaders).figures["Target message"] == ""


@pytest.mark.parametrize(("kind", "base"), [("Hero", 2), ("Legend", 3), ("Ruler", 5)], ids=["hero", "legend", "ruler"])
def test_rl_dun_05_profit_and_happiness_have_their_base(kind: str, base: int) -> None:
    who = prisoner(kind=kind, melee=0.0, stealth=0.0, experience=0)
    found = ordered(GAMES, "RL-DUN-04=1; RL-DUN-04=100", leaders=(who,), realm=realm(happiness=50.0))
    assert after(found, REALMS, "Rome")["Happiness"] == 50 + base
    assert said(found, "RL-DUN-04")[0] == f"Brennus, profit of the games: moderator's 1 of {base}"


def test_rl_dun_04_rl_op_07_rl_op_37_a_survivor_earns_gold_and_experience() -> None:
    who = prisoner(melee=2.0, stealth=3.0, experience=30)  # a Warlord: melee 3, stealth 4
    found = ordered(GAMES, "RL-DUN-04=11; RL-DUN-04=36; RL-DUN-04=8", leaders=(who,))
    assert after(found, REALMS, "Rome") == {"Treasury": 107, "Happiness": 90}
    assert after(found, LEADERS, "Brennus") == {"Experience": 32}
    assert [text.partition(": ")[2] for text in said(found, "RL-DUN-04")] == [
        "moderator's 11 of 11",
        "moderator's 36 of 100",
        "moderator's 8 of 100",
    ]


def test_rl_dun_04_rl_op_35_a_hero_who_escapes_goes_home() -> None:
    who = prisoner(melee=2.0, stealth=3.0, experience=30)
    found = ordered(GAMES, "RL-DUN-04=1; RL-DUN-04=36; RL-DUN-04=7", leaders=(who,))
    assert after(found, LEADERS, "Brennus") == {"Status": "Employed", "Captor": "", "Experience": 32}
    assert after(found, REALMS, "Rome")["Treasury"] == 97


def test_rl_dun_04_a_loss_is_at_most_the_treasury() -> None:
    found = ordered(GAMES, "RL-DUN-04=1; RL-DUN-04=100; RL-DUN-04=100", realm=realm(treasury=2, happiness=0.0))
    assert after(found, REALMS, "Rome")["Treasury"] == 0


def test_rl_dun_04_dead_prisoners_do_not_escape() -> None:
    found = ordered(GAMES, "RL-DUN-04=1; RL-DUN-04=35", leaders=(prisoner(),))
    assert after(found, LEADERS, "Brennus") == {"Status": "Dead", "Captor": ""}


def test_rl_rul_05_an_escaped_ruler_loses_the_game() -> None:
    ruler = prisoner(kind="Ruler", loyalty=None, initial_loyalty=None, melee=10.0, stealth=100.0)
    found = ordered(GAMES, "RL-DUN-04=1", leaders=(ruler,))
    assert after(found, LEADERS, "Brennus")["Status"] == "Removed"
    assert after(found, REALMS, "Gaul") == {"In play": False}


def test_rl_dun_06_an_execution_costs_five_loyalty_times_the_modifier() -> None:
    own = (hero("Steady", initial_loyalty=100), hero("Wavering", initial_loyalty=60, loyalty=8))
    found = ordered(EXECUTE, leaders=(prisoner(), *own))
    assert after(found, LEADERS, "Brennus") == {"Status": "Dead", "Captor": ""}
    assert after(found, LEADERS, "Steady") == {"Loyalty": 75}
    assert after(found, LEADERS, "Wavering") == {"Loyalty": 0}  # 5 × 2.2 = 11


def test_rl_op_19_executing_a_ruler_costs_no_loyalty_and_ends_his_game() -> None:
    ruler = prisoner(kind="Ruler", loyalty=None, initial_loyalty=None)
    found = ordered(EXECUTE, leaders=(ruler, hero()))
    assert after(found, LEADERS, "Piso") == {}
    assert after(found, REALMS, "Gaul") == {"In play": False}
