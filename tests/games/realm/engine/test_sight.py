"""What an order looks at: the nearest without a map (RL-OP-24), who is available (RL-OP-38), and nothing more."""

import dataclasses
from typing import Any

from engine.realm.setup import inputs as orders
from engine.realm.setup.inputs import OrderInputs
from engine.realm.setup.records import City, Realm, RealmLeader, RealmPlace, RealmUnit, RealmUnitType
from engine.realm.turn.sight import World, needed_types, secrets_of, select_records
from engine.rng import Rng
from tests.games.realm.engine.courts import (
    LEGION,
    ORDERS,
    SCOUTS,
    TABLES,
    city,
    hero,
    nation,
    order,
    prisoner,
    realm,
    unit,
)

REALMS = (realm(), realm("Gaul"), realm("Carthage", in_play=False), realm("Germania"))


def world(**tabs: Any) -> World:
    rows: dict[type, Any] = {
        Realm: tabs.get("realms", REALMS),
        City: tabs.get("cities", ()),
        RealmLeader: tabs.get("leaders", ()),
        RealmUnit: tabs.get("units", ()),
        RealmUnitType: tabs.get("types", (LEGION, SCOUTS)),
        RealmPlace: tabs.get("places", ()),
    }
    return World(lambda record: rows[record])


def looked(
    name: str = orders.PROCESS_TURN, number: int = 1, fields: dict[str, Any] | None = None, **tabs: Any
) -> OrderInputs:
    return select_records(order(name, types=(), **(fields or {})), world(**tabs), TABLES, lambda stem: number)


ROADS = (
    RealmPlace(name="Alesia", neighbours=("Gergovia", "Roma")),
    RealmPlace(name="Gergovia"),
    RealmPlace(name="Roma", neighbours=("Capua",)),
    RealmPlace(name="Capua"),
)


def test_rl_op_24_without_neighbours_only_the_same_place_is_near() -> None:
    leader = hero(location="Alesia")
    for here in (
        {"units": (unit("Chatti", owner="Germania", location="Alesia"),)},
        {"leaders": (leader, hero("Gannascus", employer="Germania", location="Alesia"))},
        {"cities": (city("Alesia", owner="Germania"),)},
    ):
        [near] = looked(**{"leaders": (leader,), **here}).near[:1]
        assert near.enemies == (("Germania",), ("Gaul",))  # Carthage is out of play
    assert looked(leaders=(hero(location=""),)).near[0].enemies == (("Gaul", "Germania"),)


def test_rl_op_24_with_places_the_fewest_steps_are_nearest() -> None:
    cities = (city("Gergovia", owner="Gaul"), city("Capua", owner="Germania"))
    at = {place: looked(leaders=(hero(location=place),), cities=cities, places=ROADS).near[0].enemies
          for place in ("Roma", "Alesia", "Capua", "Thule", "")}  # fmt: skip
    assert at == {
        "Roma": (("Germania",), ("Gaul",)),
        "Alesia": (("Gaul",), ("Germania",)),
        "Capua": (("Germania",), ("Gaul",)),
        "Thule": (("Gaul", "Germania"),),
        "": (("Gaul", "Germania"),),
    }


def test_rl_op_24_the_commander_is_the_owner_of_the_nearest_enemy_unit() -> None:
    units = (
        unit("Mob", owner="rebels", location="Alesia"),
        unit("Sacred Band", owner="Carthage", location="Alesia"),
        unit("Spears", owner="Gaul", location="Gergovia"),
        unit("Chatti", owner="Germania", location="Alesia"),
    )
    assert looked(leaders=(hero(location="Alesia"),), units=units).near[0].commanders == (("Germania",), ("Gaul",))
    assert looked(leaders=(hero(location="Thule"),), units=units).near[0].commanders == (("Gaul", "Germania"),)
    assert looked(leaders=(hero(location="Gergovia"),), units=units, places=ROADS).near[0].commanders[0] == ("Gaul",)
    assert looked(leaders=(hero(),), units=units[:2]).near[0].commanders == ()


def test_rl_op_24_own_units_are_sorted_by_distance() -> None:
    units = (
        unit("A", location="Gergovia"),
        unit("B", location="Alesia"),
        unit("C", owner="Gaul", location="Alesia"),
        unit("D", location="Capua"),
    )
    leaders = (hero(location="Alesia"),)
    assert looked(leaders=leaders, units=units).near[0].units == (("B",), ("A", "D"))
    assert looked(leaders=leaders, units=units, places=ROADS).near[0].units == (("B",), ("A",), ("D",))


def test_rl_op_38_available_leaders_are_listed() -> None:
    free: dict[str, Any] = {"status": "Available", "employer": ""}
    leaders = (
        hero("Free", **free),
        hero("Freelance", status="Freelance", employer=""),
        hero("Foreign", **free | {"nation": "Gallic"}),
        hero("Elsewhere", **free, offer="Service", offered_to="Gaul"),
        hero("Lapsing", **free, offer="Service", offered_to="Rome"),
        hero("Former", **free, former_rulers=("Rome",)),
        hero("Employed"),
        hero("Dead", status="Dead", employer=""),
        hero("Listed", status="Legends list", employer="", nation="Gallic"),
        hero("Legend", **free | {"kind": "Legend", "nation": "Gallic"}),
        hero("Fled", status="Legends list", employer="", former_rulers=("Rome",)),
    )
    found = looked(leaders=leaders)
    assert found.heroes == ("Free", "Freelance", "Lapsing")
    assert found.legends == ("Listed", "Legend")


def test_rl_reb_03_an_uprising_reads_the_rising_types() -> None:
    found = looked(orders.PROCESS_REBELS, 7, cities=(city("Alesia", owner="rebels"), city()))
    assert [(name.stem, name.number) for name in found.free] == [("Angry Mob Alesia", 7)]
    assert needed_types(found, TABLES) == ("Angry Mob",)
    assert found.types == ()  # nobody has typed what a mob is worth


def test_rl_mer_03_mercenaries_are_named_after_their_type_and_the_realm() -> None:
    found = looked(fields={"nation": nation(mercenaries=("Legion",))})
    assert [name.stem for name in found.free] == ["Legion Rome"]
    assert found.types == (LEGION,)


def test_rl_esp_9_state_secrets_are_the_six_facts() -> None:
    database = world(
        cities=(city(population=5), city("Ostia", population=6), city("Alesia", owner="Gaul", population=9)),
        leaders=(hero(), hero("Captive", status="Prisoner", captor="Gaul"), hero("Other", employer="Gaul")),
        units=(unit(), unit("Eyes", type="Scouts"), unit("Theirs", owner="Gaul")),
    )
    found = secrets_of(realm(tax_rate=20, treasury=3, happiness=70.0), database)
    assert (found.population, found.leaders, found.legions, found.treasury) == (11, ("Piso",), 1, 3)


def test_rl_esp_5_rl_esp_6_scouts_find_units_and_cities() -> None:
    units = (unit("Spears", owner="Gaul", location="Alesia"), unit("Gone", owner="", location="Alesia"))
    fields = {"target": "Alesia", "target_realm": realm("Gaul"), "agents": 1}
    assert looked(orders.SCOUT, fields=fields, units=units).found == ("Spears (Legion)",)
    towns = (city("Alesia", owner="Gaul"), city(), city("Gergovia", owner="Gaul"))
    assert looked(orders.LOCATE, fields=fields, cities=towns).found == ("Alesia", "Gergovia")


def test_rl_esp_d_actor_and_target_cannot_be_blamed() -> None:
    found = looked(orders.SABOTAGE, fields={"target_realm": realm("Gaul"), "agents": 1})
    assert found.rivals == ("Germania",)


def test_unread_records_do_not_change_an_order() -> None:
    strangers = {
        "cities": (city("Lutetia", owner="Gaul"),),
        "leaders": (hero("Stranger", employer="Germania"),),
        "units": (unit("Strange", owner="Germania", location="Lutetia"),),
    }
    captive = prisoner()
    fields = {"target": "Brennus", "target_realm": realm("Gaul")}
    few = looked(orders.RELEASE, fields=fields, leaders=(captive,))
    many = looked(
        orders.RELEASE, fields=fields, **{**strangers, "leaders": (*strangers["leaders"], captive)}
    )  # fmt: skip
    assert few == many
    assert ORDERS.resolve(few, Rng(3)) == ORDERS.resolve(dataclasses.replace(many), Rng(3))
