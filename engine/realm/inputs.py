"""What one order is made of: the row, and of the database what the rules will look at."""

from __future__ import annotations

from dataclasses import dataclass

from engine.realm.dice import FixedRoll
from engine.realm.records import City, Leader, Nation, Realm, Unit, UnitType
from engine.settings import Setting

PROCESS_TURN, PROCESS_REBELS = "Process turn", "Process rebels"
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
TARGETED = (HIRE_LEADER, HIRE_MERCENARY, ACCEPT_OFFER, *DUNGEON, WATCH, SCOUT, AWARD)
"""Orders that need a Target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """What is nearest to a leader, without a map (RL-OP-24).

    Args:
        leader: Whose surroundings.
        enemies: Every other realm in play, the nearest first.
        commander: The realm of the nearest enemy unit; blank where no enemy has one.
        units: Units of the own realm, the nearest first.
    """

    leader: str
    enemies: tuple[str, ...] = ()
    commander: str = ""
    units: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """What state secrets are about (RL-ESP-9).

    Args:
        realm: Whose.
        happiness: Per cent.
        tax_rate: Per cent.
        population: Of all its cities.
        leaders: Names of those it employs.
        treasury: Gold.
        legions: How many military units it has.
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
    """The first number that makes a name of a new unit: `Patriots Gergovia` and 2.

    Args:
        stem: The name without its number.
        number: The first that no unit has.
    """

    stem: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderInputs:
    """One row of Turn Requests with everything that it needs.

    Args:
        order: What is ordered.
        turn: In which turn.
        realm: Whose order; None for Process rebels.
        nation: The realm's nation type; None for Process rebels.
        target_realm: Whom agents are sent to, or whom the leader in question serves.
        target: Name of a leader, unit or city.
        agents: Sent on the mission.
        deed: What experience is awarded for.
        battles_won: This turn.
        battles_lost: This turn.
        cities_captured: This turn.
        cities_lost: This turn, to realms.
        nearest_enemy: The moderator's; blank: by location.
        fixed: The moderator's dice.
        rivals: Other realms in play, by name; for a mission without its target.
        cities: Those that the order looks at.
        leaders: Those that the order looks at.
        units: Those that the order looks at.
        types: The types of these units, and of new ones.
        near: The surroundings of the realm's leaders.
        legends: Who may come from the legends list.
        heroes: Who may come from the realm's nation.
        secrets: About the target realm.
        found: What scouts would find: units of a garrison, cities of a realm.
        free: Names for new units.
        settings: Single numbers of the tables that this order has otherwise (SET-04).
        seed_given: The moderator typed the seed; the receipt names it.
    """

    order: str
    turn: int
    realm: Realm | None = None
    nation: Nation | None = None
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
    leaders: tuple[Leader, ...] = ()
    units: tuple[Unit, ...] = ()
    types: tuple[UnitType, ...] = ()
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
        game: Its name.
        standing: The players' realms with their ratings before the game, the best first (RL-OP-32).
        settings: Single numbers of the tables that this game has otherwise (SET-04).
        seed_given: The moderator typed a seed, which nothing asks for.
    """

    game: str
    standing: tuple[Realm, ...]
    settings: tuple[Setting, ...] = ()
    seed_given: bool = False
