"""Database tabs of `hexcombat`: unit types, units, terrain, sides and facilities, one record class each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.columns import TabDeclaration, choice, choices, reference, text, whole, yes_no

MOST = 1_000
"""Upper bound of attack, defence and other values of a unit."""
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

    name: str = text("Terrain", required=True, id="HX-TER", note="The terrain's name, unique.")
    cap: int = whole(
        "Initiative cap",
        low=0,
        high=MOST,
        default=99,
        id="HX-TER",
        note="Limits the initiative of two land units: on close ground that of the defender's hex if the attacker has"
        " not moved, else the higher one of both hexes, as between adjacent units on other ground. 99 limits nobody.",
    )
    entrenchment: int = whole(
        "Base entrenchment",
        low=0,
        high=MOST,
        default=0,
        id="HX-RET-2",
        note="A land unit that is not dug in deeper than this can be driven out of it; a New turn digs it in so deep.",
    )
    traits: tuple[str, ...] = choices(
        "Traits",
        "Terrain trait",
        id="HX-OP-56",
        note="Which rules it meets, separated by semicolons. Blank: those of the rules' terrain of this name, if there"
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

    name: str = text("Type", required=True, id="HX-DEF-11", note="The type's name, unique.")
    unit_class: str = choice("Class", "Class", required=True, id="HX-DEF-04", note="Decides which rules it follows.")
    target: str = choice(
        "Target", "Target", required=True, id="HX-ODD-A1", note="Which attack value an enemy fires at it with."
    )
    soft_attack: int = whole("SA", low=0, high=MOST, default=0, id="HX-DEF-11", note="Attack against soft targets.")
    hard_attack: int = whole("HA", low=0, high=MOST, default=0, id="HX-DEF-11", note="Attack against hard targets.")
    air_attack: int = whole("AA", low=0, high=MOST, default=0, id="HX-DEF-11", note="Attack against air targets.")
    naval_attack: int = whole("NA", low=0, high=MOST, default=0, id="HX-DEF-11", note="Attack against naval targets.")
    ground_defence: int = whole("GD", low=0, high=MOST, default=0, id="HX-DEF-11", note="Ground defence.")
    air_defence: int = whole("AD", low=0, high=MOST, default=0, id="HX-DEF-11", note="Defence against planes.")
    close_defence: int = whole("CD", low=0, high=MOST, default=0, id="HX-DEF-11", note="Close defence.")
    initiative: int = whole("Initiative", low=0, high=MOST, default=0, id="HX-INI-7", note="Who fires first.")
    range: int = whole(
        "Range", low=0, high=20, default=0, id="HX-DEF-21", unit="hexes", note="How far it fires; 0 like 1: adjacent."
    )
    rdm: int = whole(
        "RDM", low=0, high=MOST, default=0, id="HX-DEF-11", note="Range defence modifier: more defence far away."
    )
    max_ammo: int = whole(
        "Max ammo", low=0, high=MOST_STORES, default=0, id="HX-DEF-21", note="0: it never needs ammo."
    )
    max_fuel: int = whole("Max fuel", low=0, high=MOST_STORES, default=0, id="HX-BOM-3", note="0: it needs no fuel.")
    movement: int = whole(
        "Movement",
        low=0,
        high=MOST,
        default=0,
        id="HX-BOM-3",
        unit="hexes",
        note="Move allowance; bombers always leave fuel for one move. 0: it cannot retreat.",
    )
    bomb_code: int = whole(
        "BombCode", low=0, high=MOST, default=0, id="HX-BOM-1", note="How heavily it bombs; 0: not at all."
    )
    organic_transport: bool = yes_no("Organic transport", id="HX-ODD-D4", note="Whether it has a transport of its own.")
    attributes: tuple[str, ...] = choices(
        "Attributes", "Attribute", id="HX-DEF-23", note="Special abilities, separated by semicolons."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HexUnit:
    """One row of the Hex Units tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Hex Units", key="name", one="unit", about="Every unit on the map; a ruling writes down what became of it."
    )

    name: str = text("Unit", required=True, id="HX-DEF-01", note="The unit's name, unique.")
    side: str = reference("Side", "Hex Sides", required=True, id="HX-DEF-01", note="Whom it fights for.")
    type: str = reference("Type", "Hex Unit Types", required=True, id="HX-DEF-11", note="What it is.")
    strength: int = whole("Strength", low=0, high=MOST, default=10, id="HX-DEF-07", note="Strength points.")
    suppressed: int = whole(
        "Suppressed",
        low=0,
        high=MOST,
        default=0,
        id="HX-OP-27",
        note="Strength points suppressed by bombers until a moderator clears them; they do not fire.",
    )
    experience: int = whole(
        "Experience", low=0, high=MOST_STORES, default=0, id="HX-EXP-4", note="100 make a bar, up to 5 bars."
    )
    ammo: int | None = whole(
        "Ammo", low=0, high=MOST_STORES, id="HX-DEF-21", note="Shots left. Blank: all the type can carry."
    )
    fuel: int | None = whole(
        "Fuel", low=0, high=MOST_STORES, id="HX-BOM-3", note="Fuel left. Blank: all the type can carry."
    )
    entrenchment: int = whole("Entrenchment", low=0, high=MOST, default=0, id="HX-ODD-D12", note="How deep it is.")
    hits: int = whole(
        "Hits",
        low=0,
        high=MOST,
        default=0,
        id="HX-OP-21",
        note="Enemies that fired at it this turn; a New turn clears it.",
    )
    mounted: bool = yes_no("Mounted", id="HX-OP-32", note="Yes: it fights with its transport's values.")
    transport: str | None = reference(
        "Transport type", "Hex Unit Types", id="HX-OP-32", note="What carries it when it is mounted."
    )
    terrain: str = reference(
        "Terrain", "Hex Terrain", default="Clear", id="HX-TER", note="Where it stands; a request may say otherwise."
    )
    hex: str = text("Hex", id="HX-DEF-03", note="Where it stands, column and row: 12,7. Blank: the request says.")
    leaders: tuple[str, ...] = choices("Leaders", "Leader", id="HX-UPD", note="Leaders, separated by semicolons.")
    attachments: tuple[str, ...] = choices(
        "Attachments", "Attachment", id="HX-INI-14", count=2, note="At most two, separated by semicolons."
    )
    attributes: tuple[str, ...] = choices(
        "Extra attributes", "Attribute", id="HX-DEF-23", note="Attributes besides those of its type."
    )
    sabotaged: bool = yes_no("Sabotaged", id="HX-SAB-6", note="Cannot attack until a moderator clears it.")
    intercepted: bool = yes_no("Intercepted this turn", id="HX-INT", note="It has; a New turn clears it.")
    supported: bool = yes_no("Supported this turn", id="HX-FS", note="It has; a New turn clears it.")
    status: str = choice("Status", "Unit status", default=ACTIVE, id="HX-OP-45", note="Only Active units fight.")
    displaced: str = choice(
        "Displaced",
        "Displaced",
        default="",
        id="HX-RET-3",
        note="Why it must stand elsewhere: the moderator moves it and clears the cell.",
    )
    turn: int | None = whole(
        "Turn",
        low=-LAST_TURN,
        high=LAST_TURN,
        id="HX-OP-50",
        note="The turn that its Hits, Intercepted and Supported belong to; those of another turn do not count."
        " Blank: the current turn.",
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

    name: str = text("Side", required=True, id="HX-DEF-01", note="The side's name, unique.")
    prestige: int = whole(
        "Prestige",
        low=-MOST_PRESTIGE,
        high=MOST_PRESTIGE,
        default=0,
        id="HX-STR-1",
        note="Strategic bombing of its cities lowers it.",
    )
    turn: int | None = whole(
        "Turn",
        low=-LAST_TURN,
        high=LAST_TURN,
        id="HX-OP-49",
        note="The game's current turn, for all sides; a New turn raises it. Blank: the game has no turns.",
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

    hex: str = text("Hex", required=True, id="HX-STR-2", note="Column and row: 12,7.")
    facility: str = choice("Facility", "Facility", required=True, id="HX-STR-2", note="What stands there.")
    owner: str | None = reference("Owner", "Hex Sides", id="HX-STR-1", note="Whose it is.")
    blown: bool = yes_no("Blown", id="HX-STR-4", note="Whether it has been blown up.")
