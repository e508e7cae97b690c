"""Database tabs of `realm`: realms, nations, cities, leaders, units and unit types, one record class each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.columns import TabDeclaration, choice, number, reference, references, text, whole, yes_no

MOST = 1_000_000_000_000
"""Upper bound of all numbers in these tabs."""

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

    name: str = text("Realm", required=True, id="RL-GEN-04", note="The realm's name, unique.")
    player: str = text(
        "Player",
        id="RL-RAT-01",
        note="Who plays it, with ; between them: a bot sends reports to an id of Discord, as text (TRN-09); orders of a"
        " Google Form are known by the address (TRN-11).",
    )
    nation: str = reference(
        "Nation type",
        "Realm Nations",
        required=True,
        id="RL-LOY-01",
        note="Loyalty, espionage and growth come from it.",
    )
    ruler_type: str = choice(
        "Ruler type",
        "Ruler type",
        default="",
        id="RL-RUL-05",
        note="What its ruler is, where his own row leaves attributes and health blank.",
    )
    tax_rate: int = whole("Tax rate", low=0, high=100, default=10, id="RL-TAX-01", unit="per cent", note="0 to 100.")
    happiness: float = number(
        "Happiness", low=-MOST, high=100, default=100, id="RL-OP-14", unit="per cent", note="At most 100; no floor."
    )
    treasury: int = whole(
        "Treasury", low=0, high=MOST, default=0, id="RL-GEN-04", unit="gold", note="Gold; never below 0."
    )
    fame: int = whole("Fame", low=0, high=MOST, default=0, id="RL-REC-01", note="Draws leaders and mercenaries.")
    agents: int = whole("Agents", low=0, high=MOST, default=0, id="RL-ESP-A", note="Agents it has.")
    agents_used: int = whole(
        "Agents used", low=0, high=MOST, default=0, id="RL-ESP-A", note="Of these, sent out this turn already."
    )
    espionage_blocked_until: int | None = whole(
        "Espionage blocked until",
        low=0,
        high=MOST,
        id="RL-OP-40",
        note="Up to this turn it can send no agents; blank: not blocked.",
    )
    last_turn: int = whole("Last turn", low=0, high=MOST, default=0, id="RL-OP-01", note="The last turn processed.")
    in_play: bool = yes_no("In play", default=True, id="RL-RUL-05", note="No: its player is out of the game.")
    rating: int = whole(
        "Rating",
        low=-MOST_RATED,
        high=MOST_RATED,
        default=500,
        id="RL-RAT-01",
        note="The player's global rating; a new one has 500.",
    )
    battles_won: int = whole("Battles won", low=0, high=MOST, default=0, id="RL-OP-57", note=COUNTED_NOTE)
    battles_lost: int = whole("Battles lost", low=0, high=MOST, default=0, id="RL-OP-57", note=COUNTED_NOTE)
    cities_captured: int = whole("Cities captured", low=0, high=MOST, default=0, id="RL-OP-58", note=COUNTED_NOTE)
    cities_lost: int = whole("Cities lost", low=0, high=MOST, default=0, id="RL-OP-58", note=COUNTED_NOTE)

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

    name: str = text("Nation type", required=True, id="RL-LOY-01", note="Its name, unique.")
    loyalty: float = number(
        "Loyalty", low=-2, high=1, default=0, id="RL-LOY-01", note="Added to every leader's loyalty each turn."
    )
    espionage: float = number(
        "Espionage", low=-100, high=100, default=0, id="RL-ESP-A", unit="per cent", note="Added to missions' success."
    )
    growth: float = number(
        "Growth in %", low=-100, high=100, default=0, id="RL-POP-01", unit="per cent", note="Added to growth."
    )
    mercenaries: tuple[str, ...] = references(
        "Mercenary units",
        "Realm Unit Types",
        id="RL-MER-03",
        note="Unit types that may offer service; with semicolons.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class City:
    """One row of the Realm Cities tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Realm Cities", key="name", one="city", about="Towns, cities and capitals."
    )

    name: str = text("City", required=True, id="RL-POP-01", note="The city's name, unique.")
    owner: str = reference("Owner", "Realms", also=(REBELS,), required=True, id="RL-REB-02", note="A realm, or Rebels.")
    former_owner: str = reference(
        "Former owner", "Realms", default="", id="RL-REB-02", note="The realm that lost it to rebels."
    )
    size: str = choice("Size", "Size", default=TOWN, id="RL-REB-03", note="Town, City or Capital.")
    population: int = whole(
        "Population", low=0, high=MOST, required=True, id="RL-POP-01", unit="people", note="People who pay taxes."
    )
    coastal: bool = yes_no("Coastal", id="RL-REB-04", note="Yes: a port.")
    fully_garrisoned: bool = yes_no(
        "Fully garrisoned", id="RL-REB-04", note="Yes: all its hexes hold units; rebels on a coast then build ships."
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

    name: str = text("Place", required=True, id="RL-OP-24", note="A city, or a text used as a Location; unique.")
    neighbours: tuple[str, ...] = references(
        "Neighbours", "Realm Places", id="RL-OP-24", note="Places one step away, in both directions; with semicolons."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmLeader:
    """One row of the Realm Leaders tab: a hero, a legend or a ruler."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Realm Leaders", key="name", one="leader", about="Heroes, legends and rulers."
    )

    name: str = text("Leader", required=True, id="RL-GEN-05", note="The leader's name, unique.")
    kind: str = choice("Kind", "Kind", required=True, id="RL-GEN-05", note="Hero, Legend or Ruler.")
    nation: str = reference(
        "Nation type", "Realm Nations", default="", id="RL-REC-02", note="Realms of this nation may draw the hero."
    )
    status: str = choice("Status", "Leader status", default=AVAILABLE, id="RL-OP-38", note="Where the leader stands.")
    offer: str = choice("Offer", "Offer", default="", id="RL-OP-22", note="What the leader offers; blank: nothing.")
    offered_to: str = reference("Offered to", "Realms", default="", id="RL-OP-22", note="The realm that may accept.")
    employer: str = reference(
        "Employer", "Realms", default="", id="RL-OP-18", note="Whom the leader serves, in a dungeon too."
    )
    captor: str = reference("Captor", "Realms", default="", id="RL-OP-17", note="Whose prisoner the leader is.")
    former_rulers: tuple[str, ...] = references(
        "Former rulers", "Realms", id="RL-LOY-05", note="Realms that the leader never serves again; with semicolons."
    )
    leadership: str | float | None = choice(
        "Leadership", "Attribute", numeric=True, low=0, high=100, id="RL-OP-06", note="Base value, without the level's."
    )
    melee: str | float | None = choice(
        "Melee", "Attribute", numeric=True, low=0, high=100, id="RL-OP-06", note="Base value, without the level's."
    )
    stealth: str | float | None = choice(
        "Stealth", "Attribute", numeric=True, low=0, high=100, id="RL-OP-06", note="Base value, without the level's."
    )
    health: int | None = whole("Health", low=0, high=MOST, id="RL-HEA-01", note="Current health; blank: the maximum.")
    max_health: int | None = whole(
        "Max health", low=0, high=MOST, id="RL-HEA-01", note="Blank: a ruler's by the ruler type, nobody else heals."
    )
    spotting: float | None = number("Spotting", low=0, high=MOST, id="RL-RUL-01", note="No rule here reads it.")
    experience: int = whole("Experience", low=0, high=MOST, default=0, id="RL-EXP-05", note="Makes the level.")
    loyalty: int | None = whole(
        "Loyalty", low=0, high=100, id="RL-LOY-01", unit="per cent", note="Whole, 0 to 100; blank: the initial loyalty."
    )
    initial_loyalty: int | None = whole(
        "Initial loyalty", low=0, high=100, id="RL-LOY-04", unit="per cent", note="A hero or legend needs one."
    )
    pay: float | None = number("Pay", low=0, high=MOST, id="RL-LOY-01", unit="gold", note="Blank: the upkeep.")
    upkeep: float = number("Upkeep", low=0, high=MOST, default=0, id="RL-LOY-01", unit="gold", note="What is due.")
    initial_cost: int = whole(
        "Initial cost", low=0, high=MOST, default=0, id="RL-OP-22", unit="gold", note="The price of hiring."
    )
    location: str = text("Location", id="RL-OP-24", note="Any text, best a name of Realm Places; finds what is near.")
    nearest_enemy: str = reference(
        "Nearest enemy", "Realms", default="", id="RL-OP-24", note="Named by the moderator; blank: by location."
    )
    negated_in_turn: int | None = whole(
        "Leadership negated in turn", low=0, high=MOST, id="RL-OP-40", note="The turn of a battle that was sold."
    )
    interrogated_by: str = reference(
        "Interrogated by", "Realms", default="", id="RL-OP-17", note="The captor that interrogated, once."
    )
    last_turn: int | None = whole("Last turn", low=0, high=MOST, id="RL-OP-46", note=LAST_TURN_NOTE)

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

    name: str = text("Unit", required=True, id="RL-MER-04", note="The unit's name, unique.")
    owner: str = reference(
        "Owner", "Realms", also=(REBELS,), default="", id="RL-REB-03", note="A realm or Rebels; blank: nobody (yet)."
    )
    type: str = reference("Type", "Realm Unit Types", required=True, id="RL-REB-06", note="What it is.")
    experience: int = whole("Experience", low=0, high=MOST, default=0, id="RL-EXP-04", note="Makes the level.")
    health: int | None = whole("Health", low=0, high=MOST, id="RL-HEA-01", note="Current health; blank: the maximum.")
    max_health: int | None = whole("Max health", low=0, high=MOST, id="RL-HEA-01", note="Blank: the unit type's.")
    location: str = text("Location", id="RL-OP-24", note="Any text, as the name of a city.")
    mercenary: bool = yes_no("Mercenary", id="RL-MER-02", note="Yes: it came for money.")
    offered_to: str = reference("Offered to", "Realms", default="", id="RL-OP-22", note="The realm that may hire it.")
    fate: str = choice("Fate", "Fate", default="", id="RL-RND-06", note="Why it is gone; blank: it is not.")
    last_turn: int | None = whole(
        "Last turn", low=0, high=MOST, id="RL-OP-46", note=f"{LAST_TURN_NOTE} Of rebels the turn in which they rose."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmUnitType:
    """One row of the Realm Unit Types tab; a ruling never changes it."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Realm Unit Types", key="name", one="unit type", about="Kinds of units; a ruling never changes them."
    )

    name: str = text("Type", required=True, id="RL-MER-03", note="Its name, unique.")
    initial_cost: int = whole(
        "Initial cost", low=0, high=MOST, default=0, id="RL-MER-02", unit="gold", note="Mercenaries cost a multiple."
    )
    attack: float = number("Attack", low=0, high=MOST, default=0, id="RL-REB-06", note="Part of the threat.")
    max_health: int = whole("Max health", low=1, high=MOST, default=1, id="RL-HEA-01", note="Of a new unit.")
    ship: bool = yes_no("Ship", id="RL-MER-04", note="Yes: it lies in a port.")
    military: bool = yes_no("Military", default=True, id="RL-RND-06", note="No: no army; it neither heals nor learns.")
