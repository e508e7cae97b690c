"""Columns of the Combat Requests and Hex Settings tabs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.columns import Kind, TabDeclaration, choice, choices, reference, references, result, text, whole, yes_no
from engine.hexcombat.setup.inputs import ATTACK, FAIR, NO_MISSION
from engine.hexcombat.setup.records import LAST_TURN
from sheets_algo.forms.hexcombat.cells import FARTHEST, NOBODY
from sheets_algo.forms.request_columns import OrderRequest, notes_column, request_tab
from sheets_algo.forms.settings_tab import SettingRow, settings_tab

FROM_MAP = f"Blank: those that the Hex cells show; {NOBODY}: nobody."
SUPPORTERS = f"Unit; Unit@3: the number is its distance in hexes to what it fires at, else by the Hex cells. {FROM_MAP}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatRequest(OrderRequest):
    """One row of the Combat Requests tab: one combat, or a new turn."""

    tab: ClassVar[TabDeclaration] = request_tab(
        "Combat Requests",
        "One row is one combat between two units, with everybody who fires before, during and after it; or a new turn.",
        one="combat",
    )

    war: str = text(
        "Combat", "HX-DEF-01", "Title of the receipt; blank: Attacker – Defender.", longest=20_000, decides=False
    )
    turn: int | None = whole(
        "Turn",
        "HX-OP-49",
        "The current turn of the game, on a New turn the one that ends; blank: the current one. Before the first"
        " New turn only printed.",
        low=-LAST_TURN,
        high=LAST_TURN,
    )
    kind: str = choice("Kind", "Kind", "HX-NC", "What happens.", default=ATTACK)
    attacker: str = reference(
        "Attacker",
        "Hex Units",
        "HX-DEF-01",
        "Who starts it: in surprise contact the unit that moved, in an interception the plane. Required but for a"
        " New turn.",
        default="",
        column_required=True,
    )
    defender: str = reference(
        "Defender",
        "Hex Units",
        "HX-DEF-01",
        "Who is attacked: in surprise contact the hidden unit, in an interception the gun; in a barrage the"
        " hidden unit in the hex, or blank. Blank on a Forecast of an Attack: all targets in range. Else required but"
        " for a barrage and a New turn.",
        default="",
    )
    range: int | None = whole(
        "Range",
        "HX-DEF-03",
        "Hexes between the two; blank: counted from the Hex columns, else 1.",
        high=FARTHEST,
        unit="hexes",
    )
    target_hex: str = text(
        "Target hex", "HX-BAR-1", "The hex that is attacked, column and row: 12,7. Blank: the Hex of the defender."
    )
    attacker_terrain: str = reference(
        "Attacker terrain", "Hex Terrain", "HX-TER", "Blank: the Terrain of the unit.", default=""
    )
    defender_terrain: str = reference(
        "Defender terrain",
        "Hex Terrain",
        "HX-TER",
        "Of the hex that is attacked. Blank: the Terrain of the unit; in a barrage without a unit, Clear.",
        default="",
    )
    attacker_hex: tuple[str, ...] = choices(
        "Attacker hex", "Hex", "HX-ODD-E5", "What else is in the attacker's hex, separated by semicolons."
    )
    defender_hex: tuple[str, ...] = choices(
        "Defender hex",
        "Hex",
        "HX-ODD-E4",
        "What else is in the hex that is attacked; a city that Hex Facilities calls blown is one.",
    )
    weather: str = choice("Weather", "Weather", "HX-DEF-16", "All but Fair is bad weather.", default=FAIR)
    attacker_moved: bool = yes_no(
        "Attacker moved", "HX-ODD-C7", "Whether it has moved this turn before it attacks.", default=True
    )
    mission: str = choice(
        "Air mission", "Air mission", "HX-INT", "Of the attacker; needs air_missions.", default=NO_MISSION
    )
    defender_mission: str = choice(
        "Defender mission", "Defender mission", "HX-LOS-1", "Needs air_missions.", default=NO_MISSION
    )
    interceptors: str = text("Interceptors", "HX-INT", f"Fighters beside the defender. {SUPPORTERS}")
    air_defence: str = text("Air defence", "HX-AD", f"Guns that fire at the attacking plane. {SUPPORTERS}")
    fire_support: str = text("Fire support", "HX-FS", f"Guns that fire at the attacking unit. {SUPPORTERS}")
    naval_support: str = text(
        "Naval support", "HX-NS", f"A destroyer beside the defender; needs extended_naval_rules. {FROM_MAP}"
    )
    counter_battery: str = text(
        "Counter-battery", "HX-CBF", f"Who may answer the attacker's fire; the first that can does. {SUPPORTERS}"
    )
    beside_attacker: tuple[str, ...] = references(
        "Beside attacker",
        "Hex Units",
        "HX-ODD-E17",
        f"Units of both sides beside the attacker: those with Combat Support or a Forward Observer matter. {FROM_MAP}",
        also=(NOBODY,),
    )
    beside_defender: tuple[str, ...] = references(
        "Beside defender",
        "Hex Units",
        "HX-ODD-E18",
        f"Units of both sides beside the defender. {FROM_MAP}",
        also=(NOBODY,),
    )
    retreat_free: bool = yes_no(
        "Retreat hex free",
        "HX-RET-3",
        "Whether the defender can evade, flee or retreat. Blank: yes, unless by the Hex cells units stand all round.",
        default=True,
    )
    plane_move: str = choice(
        "Plane's move", "Plane's move", "HX-G2A-3", "Interception: where the plane is.", default="Passing"
    )
    interceptor_hidden: bool = yes_no(
        "Interceptor hidden", "HX-G2A-3", "Interception: whether the gun was not spotted.", default=True
    )
    enemies_beside: int = whole(
        "Enemies beside defender",
        "HX-EVA-2",
        "The attacker among them; each beyond the first may make evading harder (zoc_evade). Blank: by the Hex"
        " cells, else 1.",
        high=FARTHEST,
        default=1,
    )
    facility: str = choice(
        "Facility",
        "Facility",
        "HX-STR-2",
        "In the hex that is attacked; blank: that of Hex Facilities, or City, Port, Airfield as the terrain.",
    )
    facility_owner: str = reference(
        "Facility owner",
        "Hex Sides",
        "HX-STR-1",
        "Blank: that of Hex Facilities, else the defender's side.",
        default="",
    )
    dice: str = text(
        "Dice", "HX-DEF-24", "Fixed rolls in the order of the dice: 20, 7, 13. Those that they do not reach are drawn."
    )
    notes: str = notes_column("HX-DEF-01")
    sequence: str = result("Sequence", "HX-INI", "Who fired first.")
    attacker_kills: int = result(
        "Attacker kills", "HX-LOS-6", "Strength points that the attacker lost.", kind=Kind.WHOLE
    )
    attacker_suppressed: int = result(
        "Attacker suppressed", "HX-LOS-6", "Of the attacker's strength points.", kind=Kind.WHOLE
    )
    defender_kills: int = result(
        "Defender kills", "HX-LOS-6", "Strength points that the defender lost.", kind=Kind.WHOLE
    )
    defender_suppressed: int = result(
        "Defender suppressed", "HX-LOS-6", "Of the defender's strength points.", kind=Kind.WHOLE
    )
    outcome: str = result("Result", "HX-NC-17", "What became of the two units, in one line.")


@dataclass(frozen=True, slots=True, kw_only=True)
class HexSetting(SettingRow):
    """One row of the Hex Settings tab: a variable or option that this workbook overrides."""

    tab: ClassVar[TabDeclaration] = settings_tab(
        "Hex Settings", "variables and options that this game has otherwise, by name"
    )
