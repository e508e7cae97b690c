"""Inputs of one order: its row and the records that the rules read."""

from __future__ import annotations

from dataclasses import dataclass

from engine.realm.setup.dice import FixedRoll
from engine.realm.setup.distance import Tiers
from engine.realm.setup.records import City, Realm, RealmLeader, RealmNation, RealmPlace, RealmUnit, RealmUnitType
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
BATTLE_WON, BATTLE_LOST, CAPTURE = "Battle won", "Battle lost", "City captured"

DUNGEON = (INTERROGATE, RELEASE, ENTICE, GAMES, EXECUTE)
ESPIONAGE = (ASSASSINATE, SABOTAGE, BRIBE, INTERCEPT, SCOUT, LOCATE, SLANDER, WATCH, SECRETS)
BATTLES = (BATTLE_WON, BATTLE_LOST)
OF_NO_REALM = (PROCESS_ALL, PROCESS_REBELS)
"""Orders that belong to no single realm."""
TARGETED = (HIRE_LEADER, HIRE_MERCENARY, ACCEPT_OFFER, *DUNGEON, WATCH, SCOUT, AWARD, CAPTURE)
"""Orders that need a Target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Surroundings of a leader, by groups of equal distance, the nearest first (RL-OP-24)."""

    leader: str  # The leader's name
    enemies: Tiers = ()  # The other realms in play
    commanders: Tiers = ()  # Those of them that have units, by the distance of their units
    units: Tiers = ()  # The units of the own realm


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetFacts:
    """Facts about a realm that agents may find out (RL-ESP-9)."""

    realm: str  # The realm's name
    happiness: float  # The happiness in per cent
    tax_rate: int  # The tax rate in per cent
    population: int  # The population of all its cities
    leaders: tuple[str, ...]  # The names of the leaders that it employs
    treasury: int  # The treasury in gold
    legions: int  # The number of its military units


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeName:
    """First free name of a new unit, e.g. `Patriots Gergovia` and 2."""

    stem: str  # The name without its number
    number: int  # The first number that no unit has


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderInputs:
    """One row of Turn Requests with all the records that it needs."""

    order: str
    turn: int  # The number of the turn
    realm: Realm | None = None  # The realm that gives the order; None for Process rebels and Process all turns
    nation: RealmNation | None = None  # The realm's nation type; None as the realm
    realms: tuple[Realm, ...] = ()  # For Process all turns: all realms in play
    nations: tuple[RealmNation, ...] = ()  # For Process all turns: their nation types
    target_realm: Realm | None = None  # The target of agents, or the target leader's realm
    target: str = ""  # The name of a leader, unit, city or, of a battle, place
    agents: int = 0  # The number of agents sent on the mission
    deed: str = ""  # The deed for which experience is awarded
    awarded: tuple[str, ...] = ()  # Armies and leaders with a row of their own for the experience of a battle
    battles_won: int = 0  # The battles won this turn
    battles_lost: int = 0  # The battles lost this turn
    cities_captured: int = 0  # The cities captured this turn
    cities_lost: int = 0  # The cities lost to realms this turn
    nearest_enemy: str = ""  # The moderator's choice of the nearest enemy; blank to decide by location
    fixed: tuple[FixedRoll, ...] = ()  # The moderator's dice
    rivals: tuple[str, ...] = ()  # The other realms in play, by name; for a mission without its target
    cities: tuple[City, ...] = ()  # The cities that the order reads
    leaders: tuple[RealmLeader, ...] = ()  # The leaders that the order reads
    units: tuple[RealmUnit, ...] = ()  # The units that the order reads
    types: tuple[RealmUnitType, ...] = ()  # The types of these units and of new ones
    places: tuple[RealmPlace, ...] = ()  # The places with their neighbours, for orders that depend on distance
    near: tuple[Surroundings, ...] = ()  # The surroundings of the realm's leaders
    legends: tuple[str, ...] = ()  # The names of available leaders of the legends list
    heroes: tuple[str, ...] = ()  # The names of available heroes of the realm's nation
    secrets: TargetFacts | None = None  # The facts about the target realm
    found: tuple[str, ...] = ()  # Units of a garrison, cities of a realm; receipts store this name
    free: tuple[FreeName, ...] = ()  # The names for new units
    has_rebels: bool = False  # For Process all turns: True if the rebels' turn follows (RL-OP-56)
    settings: tuple[Setting, ...] = ()  # The numbers of the tables that this order replaces (SET-04)
    seed_given: bool = False  # True if the moderator typed the seed; the receipt then prints it


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingInputs:
    """One row of Rating Requests."""

    game: str  # The game's name
    standing: tuple[Realm, ...]  # The players' realms with their ratings before the game, the best first (RL-OP-32)
    settings: tuple[Setting, ...] = ()  # The numbers of the tables that this game replaces (SET-04)
    seed_given: bool = False  # True if the moderator typed a seed, although nothing is drawn
