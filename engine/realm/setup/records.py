"""Database tabs of `realm`: realms, nations, cities, leaders, units and unit types, one record class each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from engine import columns
from engine.columns import TabDeclaration, choice, reference, references, text, yes_no

MOST = 1_000_000_000_000
"""Upper bound of all numbers in these tabs."""
number, whole = partial(columns.number, high=MOST), partial(columns.whole, high=MOST)

MOST_RATED = 100_000
"""Upper bound of ratings."""

REBELS = "rebels"
"""Owner of cities and units that rebelled, as read; the sheet spells it `Rebels`."""

HERO, LEGEND, RULER = "Hero", "Legend", "Ruler"
EMPLOYED, AVAILABLE, LEGENDS_LIST, FREELANCE = "Employed", "Available", "Legends list", "Freelance"
PRISONER, DEAD, REMOVED = "Prisoner", "Dead", "Removed"
SERVICE, INFORMATION, THROWN_BATTLE, DEFECTION = "Service", "Information", "Thrown battle", "Defection"
DESERTED, LAPSED = "Deserted", "Lapsed"
TOWN, CITY, CAPITAL = "Town", "City", "Capital"
COUNTED_NOTE = "Of this turn, counted by the orders Battle won, Battle lost and City captured."
COUNTS = ("battles_won", "battles_lost", "cities_captured", "cities_lost")
"""Attributes of a turn's counts, in the realm's row and in its order."""
LAST_TURN_NOTE = "The last turn that was processed before a change of sides; it counts once that turn."


@dataclass(frozen=True, slots=True, kw_only=True)
class Realm:
    """One row of the Realms tab: a nation with its player, between two turns."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Realms", key="name", one="realm", about="The realms of the game; turns and orders keep their figures."
    )

    name: str = text("Realm", "RL-GEN-04", "The realm's name, unique.", required=True)
    player: str = text(
        "Player",
        "RL-RAT-01",
        "Who plays it, with ; between them: a bot sends reports to an id of Discord, as text (TRN-09); orders of a"
        " Google Form are known by the address (TRN-11).",
    )
    nation: str = reference(
        "Nation type", "Realm Nations", "RL-LOY-01", "Loyalty, espionage and growth come from it.", required=True
    )
    ruler_type: str = choice(
        "Ruler type",
        "Ruler type",
        "RL-RUL-05",
        "What its ruler is, where his own row leaves attributes and health blank.",
        default="",
    )
    tax_rate: int = whole("Tax rate", "RL-TAX-01", "0 to 100.", high=100, default=10, unit="per cent")
    happiness: float = number(
        "Happiness", "RL-OP-14", "At most 100; no floor.", low=-MOST, high=100, default=100, unit="per cent"
    )
    treasury: int = whole("Treasury", "RL-GEN-04", "Gold; never below 0.", default=0, unit="gold")
    fame: int = whole("Fame", "RL-REC-01", "Draws leaders and mercenaries.", default=0)
    agents: int = whole("Agents", "RL-ESP-A", "Agents it has.", default=0)
    agents_used: int = whole("Agents used", "RL-ESP-A", "Of these, sent out this turn already.", default=0)
    espionage_blocked_until: int | None = whole(
        "Espionage blocked until", "RL-OP-40", "Up to this turn it can send no agents; blank: not blocked."
    )
    last_turn: int = whole("Last turn", "RL-OP-01", "The last turn processed.", default=0)
    in_play: bool = yes_no("In play", "RL-RUL-05", "No: its player is out of the game.", default=True)
    rating: int = whole(
        "Rating",
        "RL-RAT-01",
        "The player's global rating; a new one has 500.",
        low=-MOST_RATED,
        high=MOST_RATED,
        default=500,
    )
    battles_won: int = whole("Battles won", "RL-OP-57", COUNTED_NOTE, default=0)
    battles_lost: int = whole("Battles lost", "RL-OP-57", COUNTED_NOTE, default=0)
    cities_captured: int = whole("Cities captured", "RL-OP-58", COUNTED_NOTE, default=0)
    cities_lost: int = whole("Cities lost", "RL-OP-58", COUNTED_NOTE, default=0)

    @property
    def turn(self) -> int:
        """Return the current turn, one after the last processed (RL-OP-01)."""
        return self.last_turn + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmNation:
    """One row of the Realm Nations tab; a ruling never changes it."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Realm Nations", key="name", one="nation type", about="Kinds of nations; a ruling never changes them."
    )

    name: str = text("Nation type", "RL-LOY-01", "Its name, unique.", required=True)
    loyalty: float = number(
        "Loyalty", "RL-LOY-01", "Added to every leader's loyalty each turn.", low=-2, high=1, default=0
    )
    espionage: float = number(
        "Espionage", "RL-ESP-A", "Added to missions' success.", low=-100, high=100, default=0, unit="per cent"
    )
    growth: float = number(
        "Growth in %", "RL-POP-01", "Added to growth.", low=-100, high=100, default=0, unit="per cent"
    )
    mercenaries: tuple[str, ...] = references(
        "Mercenary units", "Realm Unit Types", "RL-MER-03", "Unit types that may offer service; with semicolons."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class City:
    """One row of the Realm Cities tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Realm Cities", key="name", one="city", about="Towns, cities and capitals."
    )

    name: str = text("City", "RL-POP-01", "The city's name, unique.", required=True)
    owner: str = reference("Owner", "Realms", "RL-REB-02", "A realm, or Rebels.", also=(REBELS,), required=True)
    former_owner: str = reference(
        "Former owner", "Realms", "RL-REB-02", "The realm that lost it to rebels.", default=""
    )
    size: str = choice("Size", "Size", "RL-REB-03", "Town, City or Capital.", default=TOWN)
    population: int = whole("Population", "RL-POP-01", "People who pay taxes.", required=True, unit="people")
    coastal: bool = yes_no("Coastal", "RL-REB-04", "Yes: a port.")
    fully_garrisoned: bool = yes_no(
        "Fully garrisoned", "RL-REB-04", "Yes: all its hexes hold units; rebels on a coast then build ships."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmPlace:
    """One row of the Realm Places tab; a ruling never changes it."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Realm Places",
        key="name",
        one="place",
        about="Optional: which places are next to each other, to find what is nearest.",
        optional=True,
    )

    name: str = text("Place", "RL-OP-24", "A city, or a text used as a Location; unique.", required=True)
    neighbours: tuple[str, ...] = references(
        "Neighbours", "Realm Places", "RL-OP-24", "Places one step away, in both directions; with semicolons."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmLeader:
    """One row of the Realm Leaders tab: a hero, a legend or a ruler."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Realm Leaders", key="name", one="leader", about="Heroes, legends and rulers."
    )

    name: str = text("Leader", "RL-GEN-05", "The leader's name, unique.", required=True)
    kind: str = choice("Kind", "Kind", "RL-GEN-05", "Hero, Legend or Ruler.", required=True)
    nation: str = reference(
        "Nation type", "Realm Nations", "RL-REC-02", "Realms of this nation may draw the hero.", default=""
    )
    status: str = choice("Status", "Leader status", "RL-OP-38", "Where the leader stands.", default=AVAILABLE)
    offer: str = choice("Offer", "Offer", "RL-OP-22", "What the leader offers; blank: nothing.", default="")
    offered_to: str = reference("Offered to", "Realms", "RL-OP-22", "The realm that may accept.", default="")
    employer: str = reference("Employer", "Realms", "RL-OP-18", "Whom the leader serves, in a dungeon too.", default="")
    captor: str = reference("Captor", "Realms", "RL-OP-17", "Whose prisoner the leader is.", default="")
    former_rulers: tuple[str, ...] = references(
        "Former rulers", "Realms", "RL-LOY-05", "Realms that the leader never serves again; with semicolons."
    )
    leadership: str | float | None = choice(
        "Leadership", "Attribute", "RL-OP-06", "Base value, without the level's.", numeric=True, low=0, high=100
    )
    melee: str | float | None = choice(
        "Melee", "Attribute", "RL-OP-06", "Base value, without the level's.", numeric=True, low=0, high=100
    )
    stealth: str | float | None = choice(
        "Stealth", "Attribute", "RL-OP-06", "Base value, without the level's.", numeric=True, low=0, high=100
    )
    health: int | None = whole("Health", "RL-HEA-01", "Current health; blank: the maximum.")
    max_health: int | None = whole("Max health", "RL-HEA-01", "Blank: a ruler's by the ruler type, nobody else heals.")
    spotting: float | None = number("Spotting", "RL-RUL-01", "No rule here reads it.")
    experience: int = whole("Experience", "RL-EXP-05", "Makes the level.", default=0)
    loyalty: int | None = whole(
        "Loyalty", "RL-LOY-01", "Whole, 0 to 100; blank: the initial loyalty.", high=100, unit="per cent"
    )
    initial_loyalty: int | None = whole(
        "Initial loyalty", "RL-LOY-04", "A hero or legend needs one.", high=100, unit="per cent"
    )
    pay: float | None = number("Pay", "RL-LOY-01", "Blank: the upkeep.", unit="gold")
    upkeep: float = number("Upkeep", "RL-LOY-01", "What is due.", default=0, unit="gold")
    initial_cost: int = whole("Initial cost", "RL-OP-22", "The price of hiring.", default=0, unit="gold")
    location: str = text("Location", "RL-OP-24", "Any text, best a name of Realm Places; finds what is near.")
    nearest_enemy: str = reference(
        "Nearest enemy", "Realms", "RL-OP-24", "Named by the moderator; blank: by location.", default=""
    )
    negated_in_turn: int | None = whole("Leadership negated in turn", "RL-OP-40", "The turn of a battle that was sold.")
    interrogated_by: str = reference(
        "Interrogated by", "Realms", "RL-OP-17", "The captor that interrogated, once.", default=""
    )
    last_turn: int | None = whole("Last turn", "RL-OP-46", LAST_TURN_NOTE)

    @property
    def is_sworn(self) -> bool:
        """Return True for a hero or a legend, the only leaders with loyalty."""
        return self.kind != RULER

    @property
    def loyal(self) -> int:
        """Return the current loyalty; 0 for a ruler."""
        loyalty = self.initial_loyalty if self.loyalty is None else self.loyalty
        return 0 if loyalty is None else loyalty


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmUnit:
    """One row of the Realm Units tab: an army or a ship."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Realm Units", key="name", one="unit", about="Armies and ships, offered ones too."
    )

    name: str = text("Unit", "RL-MER-04", "The unit's name, unique.", required=True)
    owner: str = reference(
        "Owner", "Realms", "RL-REB-03", "A realm or Rebels; blank: nobody (yet).", also=(REBELS,), default=""
    )
    type: str = reference("Type", "Realm Unit Types", "RL-REB-06", "What it is.", required=True)
    experience: int = whole("Experience", "RL-EXP-04", "Makes the level.", default=0)
    health: int | None = whole("Health", "RL-HEA-01", "Current health; blank: the maximum.")
    max_health: int | None = whole("Max health", "RL-HEA-01", "Blank: the unit type's.")
    location: str = text("Location", "RL-OP-24", "Any text, as the name of a city.")
    mercenary: bool = yes_no("Mercenary", "RL-MER-02", "Yes: it came for money.")
    offered_to: str = reference("Offered to", "Realms", "RL-OP-22", "The realm that may hire it.", default="")
    fate: str = choice("Fate", "Fate", "RL-RND-06", "Why it is gone; blank: it is not.", default="")
    last_turn: int | None = whole("Last turn", "RL-OP-46", f"{LAST_TURN_NOTE} Of rebels the turn in which they rose.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmUnitType:
    """One row of the Realm Unit Types tab; a ruling never changes it."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Realm Unit Types", key="name", one="unit type", about="Kinds of units; a ruling never changes them."
    )

    name: str = text("Type", "RL-MER-03", "Its name, unique.", required=True)
    initial_cost: int = whole("Initial cost", "RL-MER-02", "Mercenaries cost a multiple.", default=0, unit="gold")
    attack: float = number("Attack", "RL-REB-06", "Part of the threat.", default=0)
    max_health: int = whole("Max health", "RL-HEA-01", "Of a new unit.", low=1, default=1)
    ship: bool = yes_no("Ship", "RL-MER-04", "Yes: it lies in a port.")
    military: bool = yes_no("Military", "RL-RND-06", "No: no army; it neither heals nor learns.", default=True)
