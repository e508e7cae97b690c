"""Columns of the Combat Requests and Hex Settings tabs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.columns import Kind, TabDeclaration, choice, choices, reference, references, result, text, whole, yes_no
from engine.hexcombat.setup.inputs import ATTACK, FAIR, NO_MISSION
from engine.hexcombat.setup.records import LAST_TURN
from sheets_algo.forms.hexcombat.cells import FARTHEST, NOBODY
from sheets_algo.forms.request_columns import OrderRequest, request_tab
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
        "Combat",
        id="HX-DEF-01",
        longest=20_000,
        decides=False,
        note="Title of the receipt; blank: Attacker – Defender.",
    )
    turn: int | None = whole(
        "Turn",
        id="HX-OP-49",
        low=-LAST_TURN,
        high=LAST_TURN,
        note="The current turn of the game, on a New turn the one that ends; blank: the current one. Before the first"
        " New turn only printed.",
    )
    kind: str = choice("Kind", "Kind", id="HX-NC", default=ATTACK, note="What happens.")
    attacker: str = reference(
        "Attacker",
        "Hex Units",
        id="HX-DEF-01",
        default="",
        column_required=True,
        note="Who starts it: in surprise contact the unit that moved, in an interception the plane. Required but for a"
        " New turn.",
    )
    defender: str = reference(
        "Defender",
        "Hex Units",
        id="HX-DEF-01",
        default="",
        note="Who is attacked: in surprise contact the hidden unit, in an interception the gun; in a barrage the"
        " hidden unit in the hex, or blank. Blank on a Forecast of an Attack: all targets in range. Else required but"
        " for a barrage and a New turn.",
    )
    range: int | None = whole(
        "Range",
        id="HX-DEF-03",
        low=0,
        high=FARTHEST,
        unit="hexes",
        note="Hexes between the two; blank: counted from the Hex columns, else 1.",
    )
    target_hex: str = text(
        "Target hex",
        id="HX-BAR-1",
        note="The hex that is attacked, column and row: 12,7. Blank: the Hex of the defender.",
    )
    attacker_terrain: str = reference(
        "Attacker terrain", "Hex Terrain", id="HX-TER", default="", note="Blank: the Terrain of the unit."
    )
    defender_terrain: str = reference(
        "Defender terrain",
        "Hex Terrain",
        id="HX-TER",
        default="",
        note="Of the hex that is attacked. Blank: the Terrain of the unit; in a barrage without a unit, Clear.",
    )
    attacker_hex: tuple[str, ...] = choices(
        "Attacker hex", "Hex", id="HX-ODD-E5", note="What else is in the attacker's hex, separated by semicolons."
    )
    defender_hex: tuple[str, ...] = choices(
        "Defender hex",
        "Hex",
        id="HX-ODD-E4",
        note="What else is in the hex that is attacked; a city that Hex Facilities calls blown is one.",
    )
    weather: str = choice("Weather", "Weather", id="HX-DEF-16", default=FAIR, note="All but Fair is bad weather.")
    attacker_moved: bool = yes_no(
        "Attacker moved", id="HX-ODD-C7", default=True, note="Whether it has moved this turn before it attacks."
    )
    mission: str = choice(
        "Air mission", "Air mission", id="HX-INT", default=NO_MISSION, note="Of the attacker; needs air_missions."
    )
    defender_mission: str = choice(
        "Defender mission", "Defender mission", id="HX-LOS-1", default=NO_MISSION, note="Needs air_missions."
    )
    interceptors: str = text("Interceptors", id="HX-INT", note=f"Fighters beside the defender. {SUPPORTERS}")
    air_defence: str = text("Air defence", id="HX-AD", note=f"Guns that fire at the attacking plane. {SUPPORTERS}")
    fire_support: str = text("Fire support", id="HX-FS", note=f"Guns that fire at the attacking unit. {SUPPORTERS}")
    naval_support: str = text(
        "Naval support", id="HX-NS", note=f"A destroyer beside the defender; needs extended_naval_rules. {FROM_MAP}"
    )
    counter_battery: str = text(
        "Counter-battery",
        id="HX-CBF",
        note=f"Who may answer the attacker's fire; the first that can does. {SUPPORTERS}",
    )
    beside_attacker: tuple[str, ...] = references(
        "Beside attacker",
        "Hex Units",
        id="HX-ODD-E17",
        also=(NOBODY,),
        note="Units of both sides beside the attacker: those with Combat Support or a Forward Observer matter."
        f" {FROM_MAP}",
    )
    beside_defender: tuple[str, ...] = references(
        "Beside defender",
        "Hex Units",
        id="HX-ODD-E18",
        also=(NOBODY,),
        note=f"Units of both sides beside the defender. {FROM_MAP}",
    )
    retreat_free: bool = yes_no(
        "Retreat hex free",
        id="HX-RET-3",
        default=True,
        note="Whether the defender can evade, flee or retreat. Blank: yes, unless by the Hex cells"
        " units stand all round.",
    )
    plane_move: str = choice(
        "Plane's move", "Plane's move", id="HX-G2A-3", default="Passing", note="Interception: where the plane is."
    )
    interceptor_hidden: bool = yes_no(
        "Interceptor hidden", id="HX-G2A-3", default=True, note="Interception: whether the gun was not spotted."
    )
    enemies_beside: int = whole(
        "Enemies beside defender",
        id="HX-EVA-2",
        low=0,
        high=FARTHEST,
        default=1,
        note="The attacker among them; each beyond the first may make evading harder (zoc_evade). Blank: by the Hex"
        " cells, else 1.",
    )
    facility: str = choice(
        "Facility",
        "Facility",
        id="HX-STR-2",
        note="In the hex that is attacked; blank: that of Hex Facilities, or City, Port, Airfield as the terrain.",
    )
    facility_owner: str = reference(
        "Facility owner",
        "Hex Sides",
        id="HX-STR-1",
        default="",
        note="Blank: that of Hex Facilities, else the defender's side.",
    )
    dice: str = text(
        "Dice",
        id="HX-DEF-24",
        note="Fixed rolls in the order of the dice: 20, 7, 13. Those that they do not reach are drawn.",
    )
    notes: str = text(
        "Notes", id="HX-DEF-01", longest=100_000, decides=False, note="Anything; the program does not read it."
    )
    sequence: str = result("Sequence", id="HX-INI", note="Who fired first.")
    attacker_kills: int = result(
        "Attacker kills", id="HX-LOS-6", kind=Kind.WHOLE, note="Strength points that the attacker lost."
    )
    attacker_suppressed: int = result(
        "Attacker suppressed", id="HX-LOS-6", kind=Kind.WHOLE, note="Of the attacker's strength points."
    )
    defender_kills: int = result(
        "Defender kills", id="HX-LOS-6", kind=Kind.WHOLE, note="Strength points that the defender lost."
    )
    defender_suppressed: int = result(
        "Defender suppressed", id="HX-LOS-6", kind=Kind.WHOLE, note="Of the defender's strength points."
    )
    outcome: str = result("Result", id="HX-NC-17", note="What became of the two units, in one line.")


@dataclass(frozen=True, slots=True, kw_only=True)
class HexSetting(SettingRow):
    """One row of the Hex Settings tab: a variable or option that this workbook overrides."""

    tab: ClassVar[TabDeclaration] = settings_tab(
        "Hex Settings", "variables and options that this game has otherwise, by name"
    )
