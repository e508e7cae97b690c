import pytest

from engine.realm.setup.inputs import PROCESS_REBELS, FreeName
from engine.realm.setup.records import City, RealmPlace, RealmUnit, RealmUnitType
from engine.ruleset import Outcome
from tests.games.realm.engine.courts import LEGION, city, done, said, unit

MOB = RealmUnitType(name="Angry Mob", attack=2, max_health=3)
PATRIOTS = RealmUnitType(name="Patriots", attack=4, max_health=4)
PIRATES = RealmUnitType(name="Pirate Ship", attack=5, max_health=5, ship=True)


def rebel_city(name: str = "Alesia", **more: object) -> City:
    return city(name, **{"owner": "rebels"} | more)


def risen(cities: tuple[City, ...], units: tuple[RealmUnit, ...] = (), fixed: str = "", **more: object) -> Outcome:
    types = (MOB, PATRIOTS, PIRATES, LEGION)
    return done(PROCESS_REBELS, fixed, realm=None, nation=None, cities=cities, units=units, **{"types": types} | more)


def moves(outcome: Outcome) -> list[str]:
    return said(outcome, "RL-REB-05")


@pytest.mark.parametrize(
    ("size", "more", "type"),
    [
        ("Town", {}, "Angry Mob"),
        ("City", {}, "Patriots"),
        ("Capital", {}, "Patriots"),  # RL-OP-29
        ("Town", {"coastal": True}, "Angry Mob"),
        ("Town", {"fully_garrisoned": True}, "Angry Mob"),
        ("City", {"coastal": True, "fully_garrisoned": True}, "Pirate Ship"),  # RL-OP-36: instead
    ],
)
def test_rl_reb_03_rl_reb_04_the_city_s_size_decides_the_rising_type(
    size: str, more: dict[str, object], type: str
) -> None:
    found = risen((rebel_city(size=size, **more),), free=(FreeName(stem=f"{type} Alesia", number=4),))
    [row] = found.rows
    assert row.values["Unit"] == f"{type} Alesia 4"
    assert (row.values["Owner"], row.values["Type"], row.values["Location"]) == ("Rebels", type, "Alesia")
    assert row.values["Health"] == row.values["Max health"] == {"Angry Mob": 3, "Patriots": 4, "Pirate Ship": 5}[type]


def test_uprisings_happen_only_in_rebel_cities() -> None:
    assert risen((city(),)).rows == ()
    assert risen((city(),)).summary == "no city is held by rebels"


def test_rl_reb_05_loyalists_inside_rebel_cities_are_attacked_first() -> None:
    inside = unit("Legio II", location="Alesia", health=3)
    found = risen((rebel_city(size="City"), city()), (inside, unit("Legio I", location="Roma")))
    assert moves(found) == ["Patriots Alesia 1: attack Legio II in Alesia (priority 1, threat 4 against 6)"]


def test_rl_reb_05_rebel_cities_are_garrisoned_second() -> None:
    found = risen((rebel_city(fully_garrisoned=True), rebel_city("Cenabum"), city()))
    assert moves(found) == [
        "Angry Mob Alesia 1: occupy Cenabum (priority 2, threat 2)",
        "Angry Mob Cenabum 1: occupy Cenabum (priority 2, threat 2)",
    ]


def test_rl_reb_05_loyalist_cities_are_attacked_third() -> None:
    found = risen((rebel_city(fully_garrisoned=True), city()))
    assert moves(found) == ["Angry Mob Alesia 1: attack Roma of Rome (priority 3, threat 2)"]


def test_rl_op_54_ships_go_to_coasts_only() -> None:
    """Pirates were sent to the nearest city, however far from the sea."""
    nest = rebel_city("Burdigala", coastal=True, fully_garrisoned=True)
    inside = unit("Legio II", location="Alesia", health=3)
    inland = (nest, rebel_city(fully_garrisoned=True), rebel_city("Cenabum"), city())
    by_name = {move.partition(":")[0]: move for move in moves(risen(inland, (inside,)))}
    assert by_name["Pirate Ship Burdigala 1"] == "Pirate Ship Burdigala 1: move at random (priority 6, threat 5)"
    found = moves(risen((*inland, city("Ostia", coastal=True)), (inside,)))
    assert "Pirate Ship Burdigala 1: attack Ostia of Rome (priority 3, threat 5)" in found


def test_rl_reb_05_rl_reb_06_rebels_attack_weaker_units_and_flee_others() -> None:
    full = rebel_city(fully_garrisoned=True)
    band = unit("Band", owner="rebels", type="Legion", location="Woods", health=6, experience=10)
    weak, strong = unit("Weak", location="Woods", health=3), unit("Strong", location="Woods", experience=40)
    types = {"types": (MOB, LEGION)}
    assert moves(risen((full,), (band, weak), **types))[0] == "Band: attack Weak (priority 4, threat 9 against 6)"
    assert (
        moves(risen((full,), (band, strong), **types))[0] == "Band: flee from Strong (priority 5, threat 9 against 11)"
    )
    assert moves(risen((full,), (band,), **types))[0] == "Band: move at random (priority 6, threat 9)"


def test_rl_reb_05_rl_op_24_a_die_chooses_between_equally_near_targets() -> None:
    full = rebel_city(fully_garrisoned=True)
    cities = (full, city(), city("Ostia"))
    assert moves(risen(cities, fixed="RL-OP-24=2")) == [
        "Angry Mob Alesia 1: attack Ostia of Rome, drawn by lot from 2 (priority 3, threat 2)"
    ]
    roads = (RealmPlace(name="Alesia", neighbours=("Ostia",)), RealmPlace(name="Ostia", neighbours=("Roma",)))
    assert moves(risen(cities, places=roads)) == ["Angry Mob Alesia 1: attack Ostia of Rome (priority 3, threat 2)"]
