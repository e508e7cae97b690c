"""News of a ruling: what each player may know, and what nobody but the moderator."""

import pytest

from engine.realm.setup import inputs as orders
from engine.realm.setup.inputs import TargetFacts
from engine.realm.setup.records import RealmUnitType
from engine.rng import Rng
from engine.ruleset import Beliefs, Outcome
from tests.games.realm.engine.courts import (
    ORDERS,
    after,
    city,
    done,
    hero,
    nation,
    near,
    order,
    prisoner,
    realm,
    turn,
    unit,
)

GAUL = realm("Gaul", nation="Gallic", agents=9)


def read(outcome: Outcome, reader: str, beliefs: Beliefs | None = None) -> list[str]:
    """The lines that are for one reader."""
    return [
        ": ".join(filter(None, (news.block.heading, line.label, line.text)))
        for news in outcome.news({} if beliefs is None else beliefs)
        if news.reader == reader
        for line in news.block.lines
    ]


def heading(outcome: Outcome, reader: str, name: str) -> list[str]:
    return [line for line in read(outcome, reader) if line.startswith(f"{name}: ")]


def test_rl_op_50_a_turn_s_news_goes_to_its_own_player() -> None:
    found = turn(realm=realm(player="Livia", fame=0), cities=(city(),), leaders=(hero(),), units=(unit(health=3),))

    assert read(found, "")[0] == "Realms: Rome: Livia, Roman"
    told = read(found, "Rome")
    assert "Treasury: Treasury: 100 → 180" in told
    assert "Cities: Roma: 100,000 → 103,800" in told
    assert heading(found, "Rome", "Leaders") == ["Leaders: Piso: loyalty 80 → 79, experience 1"]
    assert [line.partition(", health")[0] for line in told if line.startswith("Armies")] == [
        "Armies: Legio I: Legion, experience 1"
    ]


@pytest.mark.parametrize("address", ["livia@x.org", "123456789012345678", "<@123456789012345678>", "Livia l@x.org"])
def test_rl_op_50_news_omits_addresses_and_ids_of_players(address: str) -> None:
    alone, beside = (turn(realm=realm(player=typed)) for typed in (address, f"{address}; Livia, Drusa"))

    assert read(alone, "")[0] == "Realms: Rome: Roman"
    assert read(beside, "")[0] == "Realms: Rome: Livia, Drusa, Roman"


@pytest.mark.parametrize(
    ("action", "offer"), [(55, "Information"), (75, "Thrown battle"), (95, "Defection")], ids=lambda value: str(value)
)
def test_rl_op_51_only_the_addressed_realm_learns_of_an_offer(action: int, offer: str) -> None:
    laid = f"RL-LOY-02 Piso=99; RL-LOY-03 Piso={action - 4}; RL-LOY-03f=1"
    found = turn(
        laid, leaders=(hero(loyalty=80),), near=(near(enemies=(("Gaul",),), commanders=(("Gaul",),)),), rivals=("Gaul",)
    )

    assert f"{offer} of Rome" in " ".join(read(found, "Gaul"))
    assert "offers" in str(found.receipt)  # the moderator reads it
    told = "\n".join((*read(found, "Rome"), *read(found, "")))
    assert "Piso: loyalty 80 → " in told
    assert not any(word in told for word in ("offer", "Gaul", offer))


def test_rl_op_51_news_names_leavers_but_not_embezzlers() -> None:
    fixed = "RL-LOY-02=99; RL-LOY-02=99; RL-LOY-03 Piso=30; RL-LOY-03b=2; RL-LOY-03 Scaurus=80; RL-LOY-03e=7"
    leaders = (hero(), hero("Scaurus"))
    found = turn(fixed, leaders=leaders, near=(near("Piso"), near("Scaurus")), rivals=("Gaul", "Germania"))

    told = read(found, "Rome")
    assert "embezzles" in str(found.receipt)
    assert not any("embezzles" in line for line in told)
    assert "Leaders: Scaurus: absconds (with 11 gold)" in told


def test_rl_op_51_both_realms_learn_of_a_leader_s_rebellion() -> None:
    fixed = "RL-LOY-02=99; RL-LOY-03=100; RL-LOY-03g=1"
    found = turn(fixed, leaders=(hero(),), units=(unit(),), near=(near(units=(("Legio I",),)),), rivals=("Gaul",))

    assert "Leaders: Piso: leads a rebellion (to Gaul with Legio I)" in read(found, "Rome")
    assert read(found, "Gaul") == ["News: Piso comes over from Rome with Legio I."]


def test_rl_op_51_the_addressed_realm_learns_of_a_lapsed_offer() -> None:
    found = turn(leaders=(hero(offer="Information", offered_to="Gaul"),), near=(near(),))

    assert read(found, "Gaul") == ["Offers to you: Piso: Information of Rome: the offer lapses"]
    assert "laps" not in "".join(read(found, "Rome"))


def test_rl_op_52_everybody_learns_of_a_rebelling_city() -> None:
    found = turn("RL-REB-01=1", cities=(city(),))

    assert "News: Roma rises against Rome." in read(found, "")


def test_rl_op_52_the_rebels_moves_stay_secret() -> None:
    lost = city("Ostia", owner="rebels", size="Town")
    found = done(
        orders.PROCESS_REBELS, realm=None, nation=None, cities=(lost,), types=(RealmUnitType(name="Angry Mob"),)
    )

    assert "threat" in found.receipt.text()
    assert [news.reader for news in found.news({})] == [""]
    assert "threat" not in "".join(read(found, ""))


def test_rl_op_50_the_target_of_agents_reads_only_its_message() -> None:
    caught = done(orders.SABOTAGE, "RL-ESP-2=3; RL-ESP-B=1", realm=realm(agents=5), target_realm=GAUL, agents=5)

    assert read(caught, "Gaul") == ["News: Saboteurs destroyed 3 gold: agents of Rome were caught (Aid saboteurs)."]
    assert any("Aid saboteurs: Gaul, agents: 5" in line for line in read(caught, "Rome"))

    unseen = done(orders.SLANDER, "RL-ESP-7=2; RL-ESP-B=100", realm=realm(agents=5), target_realm=GAUL, agents=5)

    assert read(unseen, "Gaul") == ["News: Slander cost 2 happiness: culprit unknown."]

    nothing = done(orders.INTERCEPT, "RL-ESP-4=1", realm=realm(agents=5), target_realm=GAUL, agents=5)

    assert read(nothing, "Gaul") == []


def test_rl_op_50_news_omits_dice_that_reveal_loyalty() -> None:
    target = hero("Camulogenus", employer="Gaul", loyalty=37)
    found = done(orders.BRIBE, "RL-ESP-B=100", realm=realm(agents=1), target_realm=GAUL, agents=1, leaders=(target,))

    assert "48.5 %" in found.receipt.text()  # 30 + 37 ÷ 2
    assert "48.5" not in "".join(read(found, "Rome"))


def test_rl_op_53_a_blamed_realm_is_named_like_a_culprit() -> None:
    def message(fixed: str, by: str) -> str:
        found = done(
            orders.SABOTAGE, f"RL-ESP-2=3; {fixed}", realm=realm(by, agents=5), target_realm=GAUL, agents=5,
            rivals=("Carthage",),
        )  # fmt: skip
        return "".join(read(found, "Gaul"))

    blamed = message("RL-ESP-B=100; RL-ESP-D=1", "Rome")

    assert "Carthage" in blamed
    assert blamed == message("RL-ESP-B=1", "Carthage")


def test_rl_op_52_executions_are_public_and_the_end_of_a_ruler_ends_the_game() -> None:
    found = done(orders.EXECUTE, target="Brennus", leaders=(prisoner(kind="Ruler"),), target_realm=GAUL)

    assert read(found, "") == ["News: Brennus was executed by Rome.", "News: Gaul is out of the game."]


def test_rl_op_52_only_the_two_realms_learn_of_a_prisoner_who_changes_sides() -> None:
    found = done(orders.RELEASE, "RL-DUN-02=1", target="Brennus", leaders=(prisoner(loyalty=20),), target_realm=GAUL)

    assert read(found, "") == []
    assert read(found, "Gaul") == ["News: Brennus was released and enters service."]


def test_rl_op_50_in_a_turn_of_all_players_read_only_their_own_news() -> None:
    gaul = realm("Gaul", treasury=777, last_turn=4)
    inputs = order(orders.PROCESS_ALL, realm=None, realms=(realm(last_turn=4), gaul), nations=(nation(),), nation=None)
    found = ORDERS.resolve(inputs, Rng(3))

    assert any("777" in line for line in read(found, "Gaul"))
    assert not any("777" in line for line in (*read(found, "Rome"), *read(found, "")))


def test_rl_op_54_a_ruler_reads_the_computable_loyalty() -> None:
    """RL-LOY-01 makes 79 of 80 and 78 of 79; the thrown battle that costs 3 of it is not noticed."""
    beliefs: Beliefs = {}
    sold = turn("RL-LOY-02=99; RL-LOY-03=76", leaders=(hero(),), near=(near(),))
    assert after(sold, "Realm Leaders", "Piso")["Loyalty"] == 76
    told = [sold.news(beliefs), turn(leaders=(hero(loyalty=76, experience=1),)).news(beliefs)]

    lines = [
        line.text for news in told for item in news if item.block.heading == "Leaders" for line in item.block.lines
    ]
    assert [line.partition(",")[0] for line in lines] == ["loyalty 80 → 79", "loyalty 79 → 78"]


def test_rl_op_54_embezzlement_is_noticed_when_gold_is_short() -> None:
    beliefs: Beliefs = {("Realms", "Rome", "Treasury"): 3}
    burns = "RL-RND-01=65; RL-RND-02=1"
    rich, poor = (turn(burns, realm=realm(treasury=gold), cities=(city(),)) for gold in (100, 5))

    assert "Treasury: Treasury: 103 → 17" in read(rich, "Rome", beliefs)
    assert "Treasury: Treasury: 8 → 0" in read(poor, "Rome", beliefs)
    assert not beliefs


def test_rl_op_54_spies_report_the_gold_of_the_ruler_s_books() -> None:
    facts = "; ".join(["RL-ESP-9=1"] * 7)
    secrets = TargetFacts(realm="Gaul", happiness=70, tax_rate=10, population=1, leaders=(), treasury=40, legions=1)
    found = done(orders.SECRETS, facts, realm=realm(agents=5), target_realm=GAUL, agents=5, secrets=secrets)

    assert "treasury: 40 gold" in found.receipt.text()
    assert "treasury: 43 gold" in "".join(read(found, "Rome", {("Realms", "Gaul", "Treasury"): 3}))


def test_rl_op_54_executions_and_detected_watches_do_not_reveal_loyalty() -> None:
    beliefs = {("Realm Leaders", "Piso", "Loyalty"): 7}
    killed = done(orders.EXECUTE, target="Brennus", leaders=(prisoner(), hero(loyalty=8)), target_realm=GAUL)
    seen = done(
        orders.WATCH,
        "RL-ESP-B=1",
        realm=GAUL,
        target_realm=realm(),
        target="Piso",
        agents=1,
        leaders=(hero(loyalty=2),),
    )

    assert "Execute: Brennus (Gaul): Piso: loyalty 15 → 10" in read(killed, "Rome", beliefs)
    assert "loses 2 loyalty" in seen.receipt.text()  # all that there was
    assert "Watch hero: Piso (Rome), agents: 1: Effect: Piso saw them" in read(seen, "Gaul", beliefs)


def test_rl_op_54_a_deserter_s_loyalty_starts_anew() -> None:
    beliefs = {("Realm Leaders", "Brennus", "Loyalty"): 7, ("Realm Leaders", "Piso", "Loyalty"): 7}
    done(orders.RELEASE, "RL-DUN-02=1", target="Brennus", leaders=(prisoner(loyalty=20),), target_realm=GAUL).news(
        beliefs
    )
    done(orders.HIRE_LEADER, target="Piso", leaders=(hero(status="Available", employer=""),)).news(beliefs)

    assert beliefs == {}
