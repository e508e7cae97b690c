import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.realm.setup.inputs import ACCEPT_OFFER, AWARD, HIRE_LEADER, HIRE_MERCENARY, TargetFacts
from engine.realm.setup.records import City, RealmPlace
from engine.rng import Rng
from tests.games.realm.engine.courts import ORDERS, after, city, done, hero, order, realm, unit

LEADERS, REALMS, UNITS = "Realm Leaders", "Realms", "Realm Units"
GAUL = realm("Gaul", nation="Gallic", last_turn=7)
SECRETS = TargetFacts(realm="Gaul", happiness=60.0, tax_rate=30, population=5, leaders=(), treasury=25, legions=3)


def test_rl_op_22_a_hired_leader_serves_for_the_initial_cost_and_loyalty() -> None:
    who = hero("Atilius", status="Available", employer="", offer="Service", offered_to="Rome", loyalty=5)
    found = done(HIRE_LEADER, target="Atilius", leaders=(who,))
    assert after(found, REALMS, "Rome") == {"Treasury": 80}
    assert after(found, LEADERS, "Atilius") == {
        "Status": "Employed", "Employer": "Rome", "Offer": "", "Offered to": "", "Loyalty": 100,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("type", "cities", "place"),
    [
        ("Legion", (city("Ostia", coastal=True), city(size="Capital")), "Roma"),
        ("Trireme", (city(size="Capital"), city("Ostia", coastal=True)), "Ostia"),
        ("Trireme", (city("Ostia", coastal=True), city("Syracusae", size="Capital", coastal=True)), "Syracusae"),
        ("Trireme", (city("Capua"), city(size="Capital")), ""),  # no port at all (RL-OP-43)
        ("Trireme", (city("Ostia", coastal=True), city("Capua"), city("Cumae")), "Ostia"),  # no capital
        ("Legion", (city("Capua"),), "Capua"),
        ("Legion", (), ""),
    ],
)
def test_rl_mer_04_rl_op_43_mercenaries_appear_in_the_capital_or_a_port(
    type: str, cities: tuple[object, ...], place: str
) -> None:
    waiting = unit("Hirelings", type=type, owner="", offered_to="Rome", experience=25, mercenary=True)
    found = done(HIRE_MERCENARY, target="Hirelings", units=(waiting,), cities=cities)
    changed = after(found, UNITS, "Hirelings")
    assert (changed["Owner"], changed["Offered to"], changed.get("Location", "")) == ("Rome", "", place)
    assert after(found, REALMS, "Rome")["Treasury"] == 100 - (36 if type == "Legion" else 30)


def appears(type: str, cities: tuple[City, ...], fixed: str = "", **more: object) -> tuple[str, str]:
    """Place of a mercenary, and the words of the receipt for it."""
    waiting = unit("Hirelings", type=type, owner="", offered_to="Rome", experience=25, mercenary=True)
    found = done(HIRE_MERCENARY, fixed, target="Hirelings", units=(waiting,), cities=cities, **more)
    [said] = [line for line in found.receipt.text().splitlines() if "Location: " in line]
    return after(found, UNITS, "Hirelings").get("Location", ""), said.partition("Location: ")[2]


INLAND = city(size="Capital")
PORTS = (city("Ostia", coastal=True), city("Puteoli", coastal=True))


def test_rl_op_43_a_die_chooses_between_cities_and_is_on_the_receipt() -> None:
    towns = (city("Capua"), city("Cumae"))
    assert appears("Legion", towns, "RL-OP-43=1") == ("Capua", "Capua, drawn by lot from 2")
    assert appears("Legion", towns, "RL-OP-43=2") == ("Cumae", "Cumae, drawn by lot from 2")
    assert appears("Trireme", (INLAND, *PORTS), "RL-OP-43=2") == ("Puteoli", "Puteoli, drawn by lot from 2")


def test_rl_mer_04_a_ship_goes_to_the_port_with_the_fewest_steps_from_the_capital() -> None:
    roads = (
        RealmPlace(name="Roma", neighbours=("Capua",)),
        RealmPlace(name="Capua", neighbours=("Puteoli", "Brundisium")),
        RealmPlace(name="Ostia", neighbours=("Brundisium",)),
        *(RealmPlace(name=name) for name in ("Puteoli", "Brundisium")),
    )
    assert appears("Trireme", (INLAND, *PORTS), places=roads) == ("Puteoli", "Puteoli")


@given(st.lists(st.booleans(), max_size=4), st.integers(0, 3), st.integers(0, 99))
def test_rl_mer_04_a_ship_is_never_placed_inland(coasts: list[bool], capital: int, seed: int) -> None:
    cities = tuple(
        city(f"City {number}", coastal=coastal, size="Capital" if number == capital else "Town")
        for number, coastal in enumerate(coasts)
    )
    waiting = unit("Hirelings", type="Trireme", owner="", offered_to="Rome", experience=25)
    asked = order(HIRE_MERCENARY, target="Hirelings", units=(waiting,), cities=cities)
    place = after(ORDERS.resolve(asked, Rng(seed)), UNITS, "Hirelings").get("Location", "")
    assert place in [found.name for found in cities if found.coastal] or not (place or any(coasts))


def test_rl_op_43_a_realm_without_a_port_places_its_ship_itself() -> None:
    assert appears("Trireme", (INLAND,)) == ("", "nowhere: Rome has no port, so place it yourself")


def test_rl_op_23_information_is_bought_for_five() -> None:
    who = hero("Brennus", employer="Gaul", offer="Information", offered_to="Rome")
    fixed = "RL-ESP-9=1; RL-ESP-9=100; RL-ESP-9=100; RL-ESP-9=100; RL-ESP-9=100; RL-ESP-9=100"
    found = done(ACCEPT_OFFER, fixed, target="Brennus", target_realm=GAUL, leaders=(who,), secrets=SECRETS)
    assert after(found, REALMS, "Rome") == {"Treasury": 95}
    assert after(found, LEADERS, "Brennus") == {"Offer": "", "Offered to": ""}
    assert "Found out: happiness: 60 %" in found.summary


def test_rl_op_40_a_thrown_battle_negates_leadership_in_the_realm_s_next_turn() -> None:
    who = hero("Brennus", employer="Gaul", offer="Thrown battle", offered_to="Rome")
    found = done(ACCEPT_OFFER, target="Brennus", target_realm=GAUL, leaders=(who,))
    assert after(found, REALMS, "Rome") == {"Treasury": 95}
    assert after(found, LEADERS, "Brennus") == {"Offer": "", "Offered to": "", "Leadership negated in turn": 8}


def test_rl_op_09_a_deserter_costs_his_price_and_reveals_all_facts() -> None:
    who = hero("Brennus", employer="Gaul", offer="Defection", offered_to="Rome", loyalty=10, initial_loyalty=70)
    found = done(ACCEPT_OFFER, target="Brennus", target_realm=GAUL, leaders=(who,), secrets=SECRETS)
    assert after(found, REALMS, "Rome") == {"Treasury": 80}
    assert after(found, LEADERS, "Brennus") == {
        "Employer": "Rome", "Offer": "", "Offered to": "", "Former rulers": "Gaul", "Loyalty": 70,
        "Last turn": 7,
    }  # fmt: skip
    wiki = found.receipt.wiki()
    assert [fact in wiki for fact in ("happiness: 60 %", "tax rate: 30 %", "treasury: 25 gold", "legions: 3")] == [
        True
    ] * 4


@pytest.mark.parametrize(
    ("deed", "points", "level"), [("Army won", 5, "Regular"), ("Army lost", 3, "Green")], ids=["won", "lost"]
)
def test_rl_exp_02_armies_gain_experience_in_battle(deed: str, points: int, level: str) -> None:
    found = done(AWARD, target="Legio I", deed=deed, units=(unit(experience=5),))
    assert after(found, UNITS, "Legio I") == {"Experience": 5 + points}
    assert level in found.summary


@pytest.mark.parametrize(
    ("deed", "points"),
    [("Commanded winner", 2), ("Commanded loser", 1), ("Leader vs army", 3), ("Leader vs leader", 3),
     ("Killed a leader", 2), ("Colosseum", 2)],
)  # fmt: skip
def test_rl_exp_03_leaders_gain_experience_by_deeds(deed: str, points: int) -> None:
    found = done(AWARD, target="Piso", deed=deed, leaders=(hero(experience=58),))
    assert after(found, LEADERS, "Piso") == {"Experience": 58 + points}
