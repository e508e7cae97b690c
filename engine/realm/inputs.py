"""Inputs of one order: its row and the records that the rules read."""

from __future__ import annotations

from dataclasses import dataclass

from engine.realm.dice import FixedRoll
from engine.realm.distance import Tiers
from engine.realm.records import City, Realm, RealmLeader, RealmNation, RealmPlace, RealmUnit, RealmUnitType
from engine.settings import Setting

PROCESS_TURN, PROCESS_ALL, PROCESS_REBELS = "Process turn", "Process all turns", "Process rebels"
HIRE_LEADER, HIRE_MERCENARY, ACCEPT_OFFER = "Hire leader", "Hire mercenary", "Accept offer"
INTERROGATE, RELEASE, ENTICE, GAMES, EXECUTE = "Interrogate", "Release", "Entice", "Send to games", "Execute"
ASSASSINATE, SABOTAGE, BRIBE, INTERCEPT, SCOUT = (
    "Assassinate agents",
    "Aid saboteurs",
    "Bribe leaders",
    "Intercept messages",
    "Scout garrison",
)
LOCATE, SLANDER, WATCH, SECRETS = "Locate cities", "Slander", "Watch hero", "Gather state secrets"
AWARD = "Award experience"

DUNGEON = (INTERROGATE, RELEASE, ENTICE, GAMES, EXECUTE)
ESPIONAGE = (ASSASSINATE, SABOTAGE, BRIBE, INTERCEPT, SCOUT, LOCATE, SLANDER, WATCH, SECRETS)
OF_NO_REALM = (PROCESS_ALL, PROCESS_REBELS)
"""Orders that belong to no single realm."""
TARGETED = (HIRE_LEADER, HIRE_MERCENARY, ACCEPT_OFFER, *DUNGEON, WATCH, SCOUT, AWARD)
"""Orders that need a Target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """Surroundings of a leader, by groups of equal distance, the nearest first (RL-OP-24).

    Args:
        leader: The leader's name.
        enemies: The other realms in play.
        commanders: Those of them that have units, by the distance of their units.
        units: The units of the own realm.
    """

    leader: str
    enemies: Tiers = ()
    commanders: Tiers = ()
    units: Tiers = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """Facts about a realm that agents may find out (RL-ESP-9).

    Args:
        realm: The realm's name.
        happiness: The happiness in per cent.
        tax_rate: The tax rate in per cent.
        population: The population of all its cities.
        leaders: The names of the leaders that it employs.
        treasury: The treasury in gold.
        legions: The number of its military units.
    """

    realm: str
    happiness: float
    tax_rate: int
    population: int
    leaders: tuple[str, ...]
    treasury: int
    legions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeName:
    """First free name of a new unit, e.g. `Patriots Gergovia` and 2.

    Args:
        stem: The name without its number.
        number: The first number that no unit has.
    """

    stem: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderInputs:
    """One row of Turn Requests with all the records that it needs.

    Args:
        order: The order.
        turn: The number of the turn.
        realm: The realm that gives the order; None for Process rebels and Process all turns.
        nation: The realm's nation type; None as the realm.
        realms: For Process all turns: all realms in play.
        nations: For Process all turns: their nation types.
        target_realm: The realm to which agents are sent, or which the target leader serves.
        target: The name of a leader, unit or city.
        agents: The number of agents sent on the mission.
        deed: The deed for which experience is awarded.
        battles_won: The battles won this turn.
        battles_lost: The battles lost this turn.
        cities_captured: The cities captured this turn.
        cities_lost: The cities lost to realms this turn.
        nearest_enemy: The moderator's choice of the nearest enemy; blank to decide by location.
        fixed: The moderator's dice.
        rivals: The other realms in play, by name; for a mission without its target.
        cities: The cities that the order reads.
        leaders: The leaders that the order reads.
        units: The units that the order reads.
        types: The types of these units and of new ones.
        places: The places with their neighbours, for an order that finds out what is near.
        near: The surroundings of the realm's leaders.
        legends: The names of available leaders of the legends list.
        heroes: The names of available heroes of the realm's nation.
        secrets: The facts about the target realm.
        found: The discoveries of scouts: units of a garrison, cities of a realm.
        free: The names for new units.
        settings: The numbers of the tables that this order replaces (SET-04).
        seed_given: True if the moderator typed the seed; the receipt then prints it.
    """

    order: str
    turn: int
    realm: Realm | None = None
    nation: RealmNation | None = None
    realms: tuple[Realm, ...] = ()
    nations: tuple[RealmNation, ...] = ()
    target_realm: Realm | None = None
    target: str = ""
    agents: int = 0
    deed: str = ""
    battles_won: int = 0
    battles_lost: int = 0
    cities_captured: int = 0
    cities_lost: int = 0
    nearest_enemy: str = ""
    fixed: tuple[FixedRoll, ...] = ()
    rivals: tuple[str, ...] = ()
    cities: tuple[City, ...] = ()
    leaders: tuple[RealmLeader, ...] = ()
    units: tuple[RealmUnit, ...] = ()
    types: tuple[RealmUnitType, ...] = ()
    places: tuple[RealmPlace, ...] = ()
    near: tuple[Near, ...] = ()
    legends: tuple[str, ...] = ()
    heroes: tuple[str, ...] = ()
    secrets: Secrets | None = None
    found: tuple[str, ...] = ()
    free: tuple[FreeName, ...] = ()
    settings: tuple[Setting, ...] = ()
    seed_given: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingInputs:
    """One row of Rating Requests.

    Args:
        game: The game's name.
        standing: The players' realms with their ratings before the game, the best first (RL-OP-32).
        settings: The numbers of the tables that this game replaces (SET-04).
        seed_given: True if the moderator typed a seed, although nothing is drawn.
    """

    game: str
    standing: tuple[Realm, ...]
    settings: tuple[Setting, ...] = ()
    seed_given: bool = False
