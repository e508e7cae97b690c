"""Realms for the tests of this ruleset: the packaged tables, plain builders, and dice that a test lays itself."""

from typing import Any

from engine.realm.resolve import RealmOrders
from engine.realm.setup.dice import FixedRoll
from engine.realm.setup.inputs import PROCESS_TURN, OrderInputs, Surroundings
from engine.realm.setup.records import City, Realm, RealmLeader, RealmNation, RealmUnit, RealmUnitType
from engine.realm.setup.tables import RealmTables
from engine.realm.turn.course import Course
from engine.rng import Rng
from engine.ruleset import Outcome
from scripts.support.pinned_tables import SHIPPED, raw_tables

TABLES = RealmTables.of(raw_tables("realm", SHIPPED))
NUMBERS = TABLES.constants
ORDERS = RealmOrders(TABLES)

LEGION = RealmUnitType(name="Legion", initial_cost=12, attack=8, max_health=6)
TRIREME = RealmUnitType(name="Trireme", initial_cost=10, attack=5, max_health=4, ship=True)
SCOUTS = RealmUnitType(name="Scouts", max_health=2, military=False)
TYPES = (LEGION, TRIREME, SCOUTS)


def realm(name: str = "Rome", **more: Any) -> Realm:
    """Tax 20 makes a base happiness of 88; happiness 88 stays where it is."""
    plain: dict[str, Any] = {"name": name, "nation": "Roman", "tax_rate": 20, "happiness": 88.0, "treasury": 100}
    return Realm(**plain | more)


def nation(**more: Any) -> RealmNation:
    return RealmNation(**{"name": "Roman"} | more)


def city(name: str = "Roma", **more: Any) -> City:
    plain: dict[str, Any] = {"name": name, "owner": "Rome", "population": 100_000}
    return City(**plain | more)


def hero(name: str = "Piso", **more: Any) -> RealmLeader:
    """Employed by Rome, whom 100 % loyalty never leaves disloyal."""
    plain: dict[str, Any] = {
        "name": name,
        "kind": "Hero",
        "nation": "Roman",
        "status": "Employed",
        "employer": "Rome",
        "leadership": 3.0,
        "melee": 3.0,
        "stealth": 2.0,
        "loyalty": 80,
        "initial_loyalty": 100,
        "upkeep": 10.0,
        "initial_cost": 20,
    }
    return RealmLeader(**plain | more)


def prisoner(name: str = "Brennus", **more: Any) -> RealmLeader:
    """A Gaul in the dungeon of Rome."""
    plain: dict[str, Any] = {"status": "Prisoner", "employer": "Gaul", "captor": "Rome"}
    return hero(name, **plain | more)


def unit(name: str = "Legio I", **more: Any) -> RealmUnit:
    plain: dict[str, Any] = {"name": name, "owner": "Rome", "type": "Legion"}
    return RealmUnit(**plain | more)


def order(name: str = PROCESS_TURN, fixed: str = "", **more: Any) -> OrderInputs:
    """An order of Rome in turn 5; `fixed` lays dice: `RL-LOY-02 Piso=97; RL-RND-01=1`."""
    plain: dict[str, Any] = {"order": name, "turn": 5, "realm": realm(), "nation": nation(), "types": TYPES}
    return OrderInputs(**plain | more, fixed=laid(fixed))


def laid(fixed: str) -> tuple[FixedRoll, ...]:
    rolls = []
    for part in filter(None, map(str.strip, fixed.split(";"))):
        named, _, number = part.rpartition("=")
        rule, _, whose = named.partition(" ")
        rolls.append(FixedRoll(rule=rule, number=int(number), whose=whose))
    return tuple(rolls)


QUIET = "RL-REC-01=100; RL-MER-01=100; RL-RND-01=1"
"""Nobody arrives and nothing happens."""


def turn(fixed: str = "", **more: Any) -> Outcome:
    """Process turn with nothing left to chance but what a test lays; leaders are loyal unless it says otherwise."""
    return ORDERS.resolve(order(PROCESS_TURN, f"{fixed}; {QUIET}", **more), Rng(1))


def done(name: str, fixed: str = "", **more: Any) -> Outcome:
    return ORDERS.resolve(order(name, fixed, **more), Rng(1))


def course(inputs: OrderInputs) -> Course:
    return Course(inputs, TABLES, Rng(1))


def near(leader: str = "Piso", **more: Any) -> Surroundings:
    plain: dict[str, Any] = {"leader": leader, "enemies": (("Gaul",), ("Germania",)), "commanders": (("Germania",),)}
    return Surroundings(**plain | more)


def after(outcome: Outcome, tab: str, row: str) -> dict[str, Any]:
    """What changed in a row: header to new value."""
    return {update.field: update.after for update in outcome.updates if (update.tab, update.row) == (tab, row)}


def said(outcome: Outcome, id: str) -> list[str]:
    """The lines of the log with a rule id."""
    return [event.text for event in outcome.events if event.id == id]
