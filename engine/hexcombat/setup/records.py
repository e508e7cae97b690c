"""Database tabs of `hexcombat`: unit types, units, terrain, sides and facilities, one record class each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from engine import columns
from engine.columns import TabDeclaration, choice, choices, reference, text, yes_no

MOST = 1_000
"""Upper bound of attack, defence and other values of a unit."""
whole = partial(columns.whole, high=MOST)
MOST_STORES = 100_000
"""Upper bound of ammo, fuel and experience."""
MOST_PRESTIGE = 1_000_000_000
LAST_TURN = 1_000_000
"""Upper bound of a turn."""
ACTIVE, DESTROYED, SUNK, SURRENDERED = "Active", "Destroyed", "Sunk", "Surrendered"
"""Statuses of a unit; with any but the first it is out of the game (HX-OP-45)."""
RETREATED, EVADED, FLED = "Retreated", "Evaded", "Fled"
"""Reasons for displacing a unit; the moderator moves it and clears the cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terrain:
    """One row of the Hex Terrain tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Hex Terrain",
        key="name",
        one="terrain",
        about="Optional: terrains with other numbers than the rules' own, and new ones.",
        optional=True,
    )

    name: str = text("Terrain", "HX-TER", "The terrain's name, unique.", required=True)
    cap: int = whole(
        "Initiative cap",
        "HX-TER",
        "Limits the initiative of two land units: on close ground that of the defender's hex if the attacker has"
        " not moved, else the higher one of both hexes, as between adjacent units on other ground. 99 limits nobody.",
        default=99,
    )
    entrenchment: int = whole(
        "Base entrenchment",
        "HX-RET-2",
        "A land unit that is not dug in deeper than this can be driven out of it; a New turn digs it in so deep.",
        default=0,
    )
    traits: tuple[str, ...] = choices(
        "Traits",
        "Terrain trait",
        "HX-OP-56",
        "Which rules it meets, separated by semicolons. Blank: those of the rules' terrain of this name, if there"
        " is one.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HexUnitType:
    """One row of the Hex Unit Types tab; a ruling never changes it."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Hex Unit Types",
        key="name",
        one="unit type",
        about="What units are made of: class, values and attributes; a ruling never changes them.",
    )

    name: str = text("Type", "HX-DEF-11", "The type's name, unique.", required=True)
    unit_class: str = choice("Class", "Class", "HX-DEF-04", "Decides which rules it follows.", required=True)
    target: str = choice(
        "Target", "Target", "HX-ODD-A1", "Which attack value an enemy fires at it with.", required=True
    )
    soft_attack: int = whole("SA", "HX-DEF-11", "Attack against soft targets.", default=0)
    hard_attack: int = whole("HA", "HX-DEF-11", "Attack against hard targets.", default=0)
    air_attack: int = whole("AA", "HX-DEF-11", "Attack against air targets.", default=0)
    naval_attack: int = whole("NA", "HX-DEF-11", "Attack against naval targets.", default=0)
    ground_defence: int = whole("GD", "HX-DEF-11", "Ground defence.", default=0)
    air_defence: int = whole("AD", "HX-DEF-11", "Defence against planes.", default=0)
    close_defence: int = whole("CD", "HX-DEF-11", "Close defence.", default=0)
    initiative: int = whole("Initiative", "HX-INI-7", "Who fires first.", default=0)
    range: int = whole("Range", "HX-DEF-21", "How far it fires; 0 like 1: adjacent.", high=20, default=0, unit="hexes")
    rdm: int = whole("RDM", "HX-DEF-11", "Range defence modifier: more defence far away.", default=0)
    max_ammo: int = whole("Max ammo", "HX-DEF-21", "0: it never needs ammo.", high=MOST_STORES, default=0)
    max_fuel: int = whole("Max fuel", "HX-BOM-3", "0: it needs no fuel.", high=MOST_STORES, default=0)
    movement: int = whole(
        "Movement",
        "HX-BOM-3",
        "Move allowance; bombers always leave fuel for one move. 0: it cannot retreat.",
        default=0,
        unit="hexes",
    )
    bomb_code: int = whole("BombCode", "HX-BOM-1", "How heavily it bombs; 0: not at all.", default=0)
    organic_transport: bool = yes_no("Organic transport", "HX-ODD-D4", "Whether it has a transport of its own.")
    attributes: tuple[str, ...] = choices(
        "Attributes", "Attribute", "HX-DEF-23", "Special abilities, separated by semicolons."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HexUnit:
    """One row of the Hex Units tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Hex Units", key="name", one="unit", about="Every unit on the map; a ruling writes down what became of it."
    )

    name: str = text("Unit", "HX-DEF-01", "The unit's name, unique.", required=True)
    side: str = reference("Side", "Hex Sides", "HX-DEF-01", "Whom it fights for.", required=True)
    type: str = reference("Type", "Hex Unit Types", "HX-DEF-11", "What it is.", required=True)
    strength: int = whole("Strength", "HX-DEF-07", "Strength points.", default=10)
    suppressed: int = whole(
        "Suppressed",
        "HX-OP-27",
        "Strength points suppressed by bombers until a moderator clears them; they do not fire.",
        default=0,
    )
    experience: int = whole("Experience", "HX-EXP-4", "100 make a bar, up to 5 bars.", high=MOST_STORES, default=0)
    ammo: int | None = whole("Ammo", "HX-DEF-21", "Shots left. Blank: all the type can carry.", high=MOST_STORES)
    fuel: int | None = whole("Fuel", "HX-BOM-3", "Fuel left. Blank: all the type can carry.", high=MOST_STORES)
    entrenchment: int = whole("Entrenchment", "HX-ODD-D12", "How deep it is.", default=0)
    hits: int = whole("Hits", "HX-OP-21", "Enemies that fired at it this turn; a New turn clears it.", default=0)
    mounted: bool = yes_no("Mounted", "HX-OP-32", "Yes: it fights with its transport's values.")
    transport: str | None = reference(
        "Transport type", "Hex Unit Types", "HX-OP-32", "What carries it when it is mounted."
    )
    terrain: str = reference(
        "Terrain", "Hex Terrain", "HX-TER", "Where it stands; a request may say otherwise.", default="Clear"
    )
    hex: str = text("Hex", "HX-DEF-03", "Where it stands, column and row: 12,7. Blank: the request says.")
    leaders: tuple[str, ...] = choices("Leaders", "Leader", "HX-UPD", "Leaders, separated by semicolons.")
    attachments: tuple[str, ...] = choices(
        "Attachments", "Attachment", "HX-INI-14", "At most two, separated by semicolons.", count=2
    )
    attributes: tuple[str, ...] = choices(
        "Extra attributes", "Attribute", "HX-DEF-23", "Attributes besides those of its type."
    )
    sabotaged: bool = yes_no("Sabotaged", "HX-SAB-6", "Cannot attack until a moderator clears it.")
    intercepted: bool = yes_no("Intercepted this turn", "HX-INT", "It has; a New turn clears it.")
    supported: bool = yes_no("Supported this turn", "HX-FS", "It has; a New turn clears it.")
    status: str = choice("Status", "Unit status", "HX-OP-45", "Only Active units fight.", default=ACTIVE)
    displaced: str = choice(
        "Displaced",
        "Displaced",
        "HX-RET-3",
        "Why it must stand elsewhere: the moderator moves it and clears the cell.",
        default="",
    )
    turn: int | None = whole(
        "Turn",
        "HX-OP-50",
        "The turn that its Hits, Intercepted and Supported belong to; those of another turn do not count."
        " Blank: the current turn.",
        low=-LAST_TURN,
        high=LAST_TURN,
    )

    def marks_count_in(self, turn: int | None) -> bool:
        """Return True if the unit's marks belong to a turn, None in a game without turns (HX-OP-50)."""
        return None in (turn, self.turn) or self.turn == turn


@dataclass(frozen=True, slots=True, kw_only=True)
class HexSide:
    """One row of the Hex Sides tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Hex Sides", key="name", one="side", about="The sides of the game and their prestige."
    )

    name: str = text("Side", "HX-DEF-01", "The side's name, unique.", required=True)
    prestige: int = whole(
        "Prestige",
        "HX-STR-1",
        "Strategic bombing of its cities lowers it.",
        low=-MOST_PRESTIGE,
        high=MOST_PRESTIGE,
        default=0,
    )
    turn: int | None = whole(
        "Turn",
        "HX-OP-49",
        "The game's current turn, for all sides; a New turn raises it. Blank: the game has no turns.",
        low=-LAST_TURN,
        high=LAST_TURN,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Facility:
    """One row of the Hex Facilities tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Hex Facilities",
        key="hex",
        one="facility",
        about="Optional: what stands in which hex, so that a ruling can write down that it was blown up.",
        optional=True,
    )

    hex: str = text("Hex", "HX-STR-2", "Column and row: 12,7.", required=True)
    facility: str = choice("Facility", "Facility", "HX-STR-2", "What stands there.", required=True)
    owner: str | None = reference("Owner", "Hex Sides", "HX-STR-1", "Whose it is.")
    blown: bool = yes_no("Blown", "HX-STR-4", "Whether it has been blown up.")
