"""What a hex combat may be: every mistake names its cell, what was found and what is allowed, all of them at once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from engine.hexcombat.setup.inputs import CombatInputs
from engine.rng import Rng
from scripts.support.workbooks import Rows, example, forms, read, workbook
from sheets_algo.database.problems import Rejected
from sheets_algo.database.records import Database

TAB = "'Combat Requests'"
OPTIONS = ("allow_barrage_fire", "air_units_intercepted", "extended_naval_rules", "ships_as_flak", "air_missions")
FORM = next(form for form in forms() if form.key == "hexcombat")


def asked(request: str, units: dict[str, dict[str, Any]] | None = None, **cells: Any) -> Rows:
    """One request of the example alone, with some of its cells and some cells of units changed."""
    rows = example("hexcombat")
    headers = {header.replace("_", " ").replace("Counter ", "Counter-"): value for header, value in cells.items()}
    rows["Combat Requests"] = [row | headers for row in rows["Combat Requests"] if row["Request"] == request]
    for row in rows["Hex Units"]:
        row.update((units or {}).get(row["Unit"], {}))
    return rows


def setting(rows: Rows, name: str, value: Any) -> Rows:
    """With one more or another row of Hex Settings."""
    others = [row for row in rows["Hex Settings"] if row["Setting"] != name]
    return rows | {"Hex Settings": [*others, {"Setting": name, "Value": value}]}


def read_one(rows: Rows) -> CombatInputs:
    """The combat that its only request asks for.

    Raises:
        Rejected: There is something wrong with it.
    """
    book = Database(read(workbook(rows)), FORM.records(), FORM.vocabulary)
    [row] = book.table(FORM.request)
    combat = FORM.read(row, book).inputs
    assert isinstance(combat, CombatInputs)
    return combat


def said(rows: Rows) -> list[str]:
    """Every problem of the only request, without the request's id."""
    try:
        read_one(rows)
    except Rejected as rejection:
        return [str(problem).replace("H-00", "H-") for problem in rejection.problems]
    return []


def not_one_beginning_so(cases: Iterable[tuple[list[str], str]]) -> list[tuple[list[str], str]]:
    """The cases whose problems are not a single one that begins with a text, each with that text."""
    return [(problems, text) for problems, text in cases if [problem[: len(text)] for problem in problems] != [text]]


@pytest.mark.parametrize("request_row", example("hexcombat")["Combat Requests"], ids=lambda row: row["Request"])
def test_every_example_is_valid_and_freezes(request_row: dict[str, Any]) -> None:
    combat = read_one(asked(request_row["Request"]))

    assert FORM.deserialize(FORM.serialize(combat)) == combat


def test_a_blank_request_takes_its_defaults_from_the_units() -> None:
    combat = read_one(asked("H-0001", Combat=None, Range=None))

    assert combat.name == "2nd Armoured – 716th Rifles"
    assert (combat.range, combat.weather, combat.kind) == (1, "Fair", "Attack")
    assert (combat.attacker.ground.terrain.name, combat.target) == ("Clear", combat.attacker.ground)
    assert (combat.attacker_moved, combat.retreat_free, combat.facility) == (True, True, "None")
    assert combat.facility_owner is not None
    assert combat.facility_owner.name == "Axis"


def test_hx_def_03_the_range_is_counted_from_the_hexes() -> None:
    """From 14,26 to 17,27: three columns to the right."""
    assert read_one(asked("H-0011", Range=None)).range == 3
    assert read_one(asked("H-0011", Range=None, Target_hex="16,26")).range == 2
    assert read_one(asked("H-0011", {"30th Rifles": {"Hex": None}}, Range=None)).range == 1


def test_hx_def_03_a_supporter_s_distance_is_typed_or_counted() -> None:
    """84th Battery stands on 6,6 and the attacker on 4,5."""
    typed, counted = (
        read_one(asked("H-0001", Fire_support=cell)).fire_support[0].distance
        for cell in ("84TH battery @ 3", "84th Battery")
    )

    assert (typed, counted) == (3, 2)


def test_terrain_of_the_request_overrides_the_units_own() -> None:
    rows = asked("H-0001", Attacker_terrain="river", Attacker_hex="bridge; Mined", Defender_terrain="Forest")
    combat = read_one(rows)

    ground = combat.attacker.ground
    assert (ground.terrain.name, ground.bridge, ground.mined, ground.blown_city) == ("River", True, True, False)
    assert combat.target.terrain.name == "Forest"


def test_a_workbook_s_terrain_overrides_the_rules() -> None:
    rows = asked("H-0001", Defender_terrain="Jungle", Attacker_terrain="Clear")
    rows["Hex Terrain"] = [{"Terrain": "Jungle", "Initiative cap": 2}, {"Terrain": "Clear", "Initiative cap": 50}]
    combat = read_one(rows)

    assert (combat.target.terrain.cap, combat.attacker.ground.terrain.cap) == (2, 50)


def on_jungle(request: str, traits: str | None, **cells: Any) -> CombatInputs:
    """A combat whose defender stands in a terrain that only the workbook has."""
    rows = asked(request, **({"Defender_terrain": "Jungle"} | cells))
    rows["Hex Terrain"] = [{"Terrain": "Jungle", "Initiative cap": 2, "Base entrenchment": 1, "Traits": traits}]
    return read_one(rows)


def numbers(combat: CombatInputs) -> dict[str, float]:
    """What the rules make of a combat before any die, by name."""
    return {line.name: line.value for line in FORM.ruleset.explain(combat)}


@pytest.mark.parametrize(("traits", "is_close"), [(None, False), ("close; water", False), ("cover", True)])
def test_hx_op_56_infantry_fights_close_combat_in_cover(traits: str | None, is_close: bool) -> None:
    receipt = FORM.ruleset.resolve(on_jungle("H-0002", traits), Rng(7)).receipt.wiki()

    assert ("Close Combat" in receipt) is is_close


@pytest.mark.parametrize(("traits", "initiatives"), [(None, (7, 2)), ("cover", (7, 2)), ("close", (3, 2))])
def test_hx_op_56_close_ground_limits_initiative(traits: str | None, initiatives: tuple[int, int]) -> None:
    """Tanks of initiative 6 with a bar, which have not moved: on close ground both have at most 2, and the bar."""
    found = numbers(on_jungle("H-0013", traits, Attacker_moved=False))

    assert (found["Initiative, 5th Armoured"], found["Initiative, 44th Rifles"]) == initiatives


def test_hx_op_56_units_in_water_are_hit_harder() -> None:
    """HX-ODD-E4: 4 more attack and defence for the attacker, unless there is a bridge."""
    dry, wet = (numbers(on_jungle("H-0013", traits)) for traits in (None, "water"))
    bridged = numbers(on_jungle("H-0013", "water", Defender_hex="Bridge"))

    assert wet["Attack, 5th Armoured"] - dry["Attack, 5th Armoured"] == 4
    assert bridged["Attack, 5th Armoured"] == dry["Attack, 5th Armoured"]


def test_hx_op_56_a_terrain_may_be_a_port_or_a_city() -> None:
    port = on_jungle("H-0010", "Port")

    assert [on_jungle("H-0002", traits).facility for traits in (None, "City", "close; Airfield")] == [
        "None", "City", "Airfield",
    ]  # fmt: skip
    assert "leaves the port" in FORM.ruleset.resolve(port, Rng(7)).receipt.wiki()


@pytest.mark.parametrize(("traits", "is_close"), [(None, True), ("none", False), ("water", False)])
def test_hx_op_56_a_terrain_of_the_rules_keeps_its_traits_unless_others_are_typed(
    traits: str | None, is_close: bool
) -> None:
    rows = asked("H-0002")
    rows["Hex Terrain"] = [{"Terrain": "City", "Initiative cap": 4, "Traits": traits}]
    combat = read_one(rows)

    assert combat.target.terrain.cap == 4
    assert ("Close Combat" in FORM.ruleset.resolve(combat, Rng(7)).receipt.wiki()) is is_close


def test_hx_op_56_traits_are_words_of_the_rules() -> None:
    tables = FORM.tables
    grounds = {trait for traits in tables.facts.traits.values() for trait in traits}

    assert set(tables.lists["Terrain trait"].values) - grounds == {"none"}


def test_hx_op_56_an_unknown_trait_is_reported() -> None:
    rows = asked("H-0001", Defender_terrain="Jungle")
    rows["Hex Terrain"] = [{"Terrain": "Jungle", "Traits": "close; covr"}]

    assert said(rows) == [
        '\'Hex Terrain\'!D2 (Jungle, Traits): "covr" is not allowed. Did you mean "cover"?'
        " Use close, cover, water, City, Port, Airfield, Fortification or none, separated by semicolons. [HX-OP-56]"
    ]


def test_hx_str_2_the_facility_comes_from_hex_or_terrain() -> None:
    by_row = read_one(asked("H-0006", Defender_terrain=None))
    by_terrain = read_one(asked("H-0002"))

    assert (by_row.facility, by_row.facility_owner and by_row.facility_owner.name) == ("Port", "Axis")
    assert by_row.facility_row is not None
    assert (by_terrain.facility, by_terrain.facility_row) == ("City", None)


def test_hx_odd_e3_a_city_that_was_blown_up_lies_in_ruins() -> None:
    rows = asked("H-0005")
    rows["Hex Facilities"][0]["Blown"] = True
    combat = read_one(rows)

    assert combat.defender is not None
    assert (combat.target.blown_city, combat.defender.ground.blown_city) == (True, True)


def test_hx_def_24_dice_are_read_in_any_notation() -> None:
    assert read_one(asked("H-0001", Dice="20, 7;13 4")).dice == (20, 7, 13, 4)
    assert read_one(asked("H-0001", Dice=20)).dice == (20,)


@pytest.mark.parametrize("dice", ["100, 1, 3, 20", "39"])
def test_hx_def_24_possible_rolls_are_accepted(dice: str) -> None:
    """The first one is the commandos' sabotage, of 100, which may end it at once."""
    assert said(asked("H-0012", Dice=dice)) == []


def test_hx_def_24_an_impossible_roll_is_refused() -> None:
    """After sabotage has failed both roll for the initiative, 1 to 3."""
    assert said(asked("H-0012", Dice="100, 7")) == [
        f"{TAB}!AD2 (H-12, Dice): roll 2 is 7, but that die shows only 1 to 3."
        " Enter the rolls in the order in which the log lists the dice. [HX-DEF-24]"
    ]


def test_hx_def_24_unused_rolls_give_a_warning() -> None:
    """Sabotage succeeds at 39 or less, and nobody fires."""
    rows = asked("H-0012", Dice="39, 2, 2")
    book = Database(read(workbook(rows)), FORM.records(), FORM.vocabulary)
    [row] = book.table(FORM.request)

    [warning] = FORM.read(row, book).warnings

    assert warning.says == "3 rolls, and this combat needs 1: the last ones count for nothing"


def test_invalid_requests_are_refused() -> None:
    for rows, problem in [
        (
            asked("H-0001", Attacker="2nd Armourd"),
            f'{TAB}!E2 (H-01, Attacker): unit not found: "2nd Armourd". Did you mean "2nd Armoured"? [HX-DEF-01]',
        ),
        (
            asked("H-0001", Defender=None),
            f"{TAB}!F2 (H-01, Defender): required, but empty. Enter a name from Hex Units. [HX-DEF-01]",
        ),
        (
            asked("H-0001", Defender="2nd Armoured", Fire_support=None),
            f"{TAB}!F2 (H-01, Defender): 2nd Armoured attacks itself. Name a unit of another side. [HX-DEF-01]",
        ),
        (
            asked("H-0001", Defender="8th Foot", Fire_support=None, Range=1),
            f"{TAB}!F2 (H-01, Defender): 8th Foot and 2nd Armoured are both on the side Allies."
            " Name a unit of another side. [HX-DEF-01]",
        ),
        (
            asked("H-0001", Defender_terrain="Citty"),
            f'{TAB}!J2 (H-01, Defender terrain): terrain not found: "Citty". Did you mean "City"? [HX-TER]',
        ),
        (
            asked("H-0001", Range="NaN"),
            f'{TAB}!G2 (H-01, Range): "NaN" is not a number. Enter a whole number from 0 to 20. [HX-DEF-03]',
        ),
        (
            asked("H-0001", Turn="first"),
            f'{TAB}!C2 (H-01, Turn): "first" is not a number.'
            " Enter a whole number from -1,000,000 to 1,000,000. [HX-OP-49]",
        ),
        (
            asked("H-0001", Dice="20, x"),
            f'{TAB}!AD2 (H-01, Dice): "x" is not a roll. Enter whole numbers from 1 to 1,000 in the order of the dice:'
            " 20, 7, 13. [HX-DEF-24]",
        ),
        (
            asked("H-0001", Target_hex="E5"),
            f'{TAB}!H2 (H-01, Target hex): "E5" is not a hex. Enter column and row as text: 12,7. [HX-BAR-1]',
        ),
        (
            asked("H-0001", Range=4),
            f"{TAB}!E2 (H-01, Attacker): 2nd Armoured cannot attack: it has a range of 1, and its target is 4 hexes"
            " away. [HX-DEF-21]",
        ),
        (
            asked("H-0001", Facility_owner="Nobody"),
            f'{TAB}!AC2 (H-01, Facility owner): side not found: "Nobody". Enter a name from Hex Sides. [HX-STR-1]',
        ),
        (
            asked("H-0003", Air_mission="WildWeasel"),
            f"{TAB}!O2 (H-03, Air mission): the mission WildWeasel needs the option air_missions, which is off."
            " Leave the cell blank, or set air_missions to yes in Hex Settings. [HX-OP-24]",
        ),
        (
            asked("H-0003", Defender_mission="Recon"),
            f"{TAB}!P2 (H-03, Defender mission): the mission Recon needs the option air_missions, which is off."
            " Leave the cell blank, or set air_missions to yes in Hex Settings. [HX-OP-24]",
        ),
        (
            setting(asked("H-0001", Air_mission="Recon"), "air_missions", "yes"),
            f"{TAB}!O2 (H-01, Air mission): 2nd Armoured is not a plane, so it cannot fly a Recon mission."
            " Leave the cell blank. [HX-DEF-04]",
        ),
        (
            asked("H-0008", Attacker="57th Heavies", Defender="U-47", Naval_support=None),
            f"{TAB}!F2 (H-08, Defender): 57th Heavies cannot attack the submarine U-47."
            " Allowed: a tactical bomber or destroyer, ASW or a submarine in port. [HX-SUB]",
        ),
        (
            setting(asked("H-0006"), "allow_barrage_fire", "no"),
            f"{TAB}!D2 (H-06, Kind): a barrage needs the option allow_barrage_fire, which is off."
            " Set allow_barrage_fire to yes in Hex Settings. [HX-BAR]",
        ),
        (
            asked("H-0006", Attacker="3rd Stukas", Facility_owner="Allies"),
            f"{TAB}!E2 (H-06, Attacker): 3rd Stukas cannot fire a barrage: its type has no BombCode."
            " Name a unit whose type has a BombCode. [HX-BAR-1]",
        ),
        (
            asked("H-0006", Defender="3rd Stukas"),
            f"{TAB}!F2 (H-06, Defender): 3rd Stukas is a plane, and a barrage cannot hit planes."
            " Name a land or naval unit, or nobody. [HX-BAR-2]",
        ),
        (
            setting(asked("H-0007"), "air_units_intercepted", "no"),
            f"{TAB}!D2 (H-07, Kind): an interception from the ground needs the option air_units_intercepted, which is"
            " off. Set air_units_intercepted to yes in Hex Settings. [HX-G2A]",
        ),
        (
            asked("H-0007", Attacker="9th Panzers", Range=1),
            f"{TAB}!E2 (H-07, Attacker): 9th Panzers is not a plane, so it cannot be intercepted from the ground."
            " Name the plane as Attacker. [HX-G2A]",
        ),
        (
            asked("H-0007", Defender="8th Foot"),
            f"{TAB}!F2 (H-07, Defender): 8th Foot cannot intercept from the ground. Allowed: air defence guns, FlaK"
            " beside the plane, AD Support, Can Air Attack or ships that fire as FlaK. [HX-G2A-1]",
        ),
        (
            asked("H-0007", Defender="7th AA Column", Range=2),
            f"{TAB}!G2 (H-07, Range): 2 hexes are too far for an interception from the ground."
            " Use 1, or 0 where the plane's move has ended. [HX-G2A-3]",
        ),
        (
            asked("H-0007", Range=0),
            f"{TAB}!Y2 (H-07, Plane's move): a plane in the gun's own hex is intercepted only where its move has"
            " ended. Use Ended, or Range 1. [HX-G2A-3]",
        ),
        (
            asked("H-0007", Interceptor_hidden=False),
            f"{TAB}!Z2 (H-07, Interceptor hidden): the gun is spotted, and only hidden ones intercept."
            " Tick the cell, or set g2a_intercept_mode to 2 or 3 in Hex Settings. [HX-G2A-5]",
        ),
        (
            setting(asked("H-0007", Interceptor_hidden=False), "g2a_intercept_mode", 2),
            f"{TAB}!Z2 (H-07, Interceptor hidden): a spotted gun intercepts only a plane whose move has ended beside"
            " it. Plane's move Ended and Range 1, or a hidden gun. [HX-G2A-5]",
        ),
        (
            asked("H-0007", {"Hedge Flak": {"Intercepted this turn": True}}),
            f"{TAB}!F2 (H-07, Defender): Hedge Flak cannot intercept 2nd Scouts: it has intercepted this turn already."
            " [HX-G2A-2]",
        ),
        (
            asked("H-0007", {"2nd Scouts": {"Leaders": "Skilled Assault"}}),
            f"{TAB}!F2 (H-07, Defender): Hedge Flak cannot intercept 2nd Scouts: Skilled Assault of the plane."
            " [HX-G2A-2]",
        ),
    ]:
        assert said(rows) == [problem]


@pytest.mark.parametrize(
    ("attacker", "terrain", "is_allowed"),
    [
        ("4th Stukas", "Ocean", True),  # HX-SUB-1
        ("4th Stukas", "Port", False),  # HX-SUB-3: not by planes
        ("HMS Ardent", "Port", True),
        ("4th Armoured", "Port", True),
        ("4th Armoured", "Ocean", False),
    ],
)
def test_hx_sub_3_a_submarine_in_port_can_be_attacked(attacker: str, terrain: str, is_allowed: bool) -> None:
    rows = asked("H-0009", Attacker=attacker, Defender="U-47", Defender_terrain=terrain, Range=1)

    assert (said(rows) == []) is is_allowed


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        ({"Status": "Destroyed"}, "716th Rifles is destroyed. Name a unit whose Status is Active. [HX-OP-45]"),
        (
            {"Strength": 0},
            "716th Rifles has no strength points. Name a unit with a Strength of at least 1. [HX-DEF-07]",
        ),
    ],
)
def test_eliminated_units_cannot_fight(cells: dict[str, Any], problem: str) -> None:
    assert said(asked("H-0001", {"716th Rifles": cells})) == [f"{TAB}!F2 (H-01, Defender): {problem}"]


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        ({"Ammo": 0}, "2nd Armoured cannot attack: it has no ammo. [HX-DEF-21]"),
        (
            {"Suppressed": 10},
            "2nd Armoured cannot attack: it has no strength points that are not suppressed. [HX-DEF-21]",
        ),
        (
            {"Sabotaged": True},
            "2nd Armoured is sabotaged and cannot attack. Name another unit, or clear its Sabotaged in Hex Units."
            " [HX-SAB-6]",
        ),
        ({"Type": "Truck"}, "2nd Armoured cannot attack: it has no attack against soft targets. [HX-DEF-21]"),
    ],
)
def test_a_unit_unable_to_fire_is_refused_as_attacker(cells: dict[str, Any], problem: str) -> None:
    rows = asked("H-0001", {"2nd Armoured": cells})

    assert said(rows) == [f"{TAB}!E2 (H-01, Attacker): {problem}"]


@pytest.mark.parametrize("cells", [{"Ammo": 0}, {"Suppressed": 10}, {"Sabotaged": True}])
def test_hx_def_13_a_surprised_unit_may_be_unable_to_fire(cells: dict[str, Any]) -> None:
    assert said(asked("H-0004", {"11th Hussars": cells})) == []


def test_invalid_units_are_refused() -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"Type": "Panther"}, 'C2 (2nd Armoured, Type): unit type not found: "Panther". Enter a name from'),
        ({"Leaders": "First Stryke"}, 'O2 (2nd Armoured, Leaders): "First Stryke" is not allowed. Did you mean "First'),
        (
            {"Attachments": "Recon; Support; Bridging"},
            'P2 (2nd Armoured, Attachments): "Recon; Support; Bridging" has 3 values. Keep at most 2 of them.',
        ),
        ({"Attachments": "Recon; Anti Tank"}, 'P2 (2nd Armoured, Attachments): "Anti Tank" is not allowed. Did you'),
        (
            {"Extra attributes": "Jett"},
            'Q2 (2nd Armoured, Extra attributes): "Jett" is not allowed. Did you mean "Jet"',
        ),
        ({"Terrain": "Moon"}, 'M2 (2nd Armoured, Terrain): terrain not found: "Moon". Enter'),
        ({"Side": "Axsis"}, 'B2 (2nd Armoured, Side): side not found: "Axsis". Did you mean "Axis"?'),
        ({"Suppressed": 11}, "E2 (2nd Armoured, Suppressed): 11 of 10 strength points are suppressed. Enter at most"),
        (
            {"Strength": "ten"},
            'D2 (2nd Armoured, Strength): "ten" is not a number. Enter a whole number from 0 to 1,000',
        ),
        ({"Mounted": True}, "L2 (2nd Armoured, Transport type): the unit is mounted, but its Transport type is empty."),
        ({"Hex": 12.7}, "N2 (2nd Armoured, Hex): 12.7 is a number, which could mean 12,7 or 12,70. Enter column"),
    ]
    found = [(said(asked("H-0001", {"2nd Armoured": cells})), f"'Hex Units'!{problem}") for cells, problem in cases]
    assert not_one_beginning_so(found) == []


def test_an_incomplete_unit_type_is_reported() -> None:
    rows = asked("H-0001")
    tank = next(row for row in rows["Hex Unit Types"] if row["Type"] == "Medium Tank")
    del tank["Class"], tank["Target"]

    first, second = said(rows)

    assert first.startswith("'Hex Unit Types'!B4 (Medium Tank, Class): required, but empty. Use one of 22 values:")
    assert second.endswith("C4 (Medium Tank, Target): required, but empty. Use Soft, Hard, Air or Naval. [HX-ODD-A1]")


@pytest.mark.parametrize("tab", ["Hex Unit Types", "Hex Sides", "Hex Units"])
def test_missing_tabs_are_reported(tab: str) -> None:
    rows = asked("H-0001")
    del rows[tab]

    assert any(problem.startswith(f"'{tab}': the tab is missing. Add it") for problem in said(rows))


@pytest.mark.parametrize("tab", ["Hex Terrain", "Hex Facilities", "Hex Settings"])
def test_some_tabs_may_be_missing(tab: str) -> None:
    rows = asked("H-0001")
    rows.pop(tab, None)

    assert said(rows) == []


def test_ineligible_units_cannot_give_fire_support() -> None:
    cases = [
        (
            "30th Rifles@1",
            "30th Rifles cannot give fire support. Allowed: artillery, FireSupport or FlaK with Support",
        ),
        (
            "84th Battery@9",
            "84th Battery cannot give fire support: it has a range of 3, and its target is 9 hexes away.",
        ),
        ("716th Rifles@1", "716th Rifles is the attacker or the defender, so it cannot give fire support. Name other"),
        ("2nd Armoured@1", "2nd Armoured is the attacker or the defender, so it cannot give fire support. Name other"),
        (
            "155th Battery@2",
            "155th Battery is on the side Allies, not Axis. Name units of the defender's side. [HX-FS]",
        ),
        ("84th Battery@2; 84th battery", "84th Battery is listed twice. List it once. [HX-DEF-24]"),
        ("Nobody@2", 'unit not found: "Nobody". Enter names from Hex Units, separated by semicolons. [HX-FS]'),
        ("84th Batery@2", 'unit not found: "84th Batery". Did you mean "84th Battery"? [HX-FS]'),
        ("84th Battery@far", '"84th Battery@far": "far" is not a distance. Write Unit or Unit@3: the number is its'),
        ("@3", '"@3" has no name before the @. Write Unit or Unit@3'),
        ("84th Battery, Long Toms", '"84th Battery, Long Toms": a comma cannot separate names. Separate the names'),
        ("84th Battery@2, Long Toms@3", '"84th Battery@2, Long Toms": a comma cannot separate names.'),
        (";", '";" holds no name. Enter names from Hex Units, separated by semicolons.'),
    ]
    place = f"{TAB}!S2 (H-01, Fire support): "
    found = [(said(asked("H-0001", Fire_support=cell)), place + problem) for cell, problem in cases]
    assert not_one_beginning_so(found) == []


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        ({"Ammo": 0}, "84th Battery cannot give fire support: it has no ammo. [HX-DEF-21]"),
        (
            {"Status": "Surrendered"},
            "84th Battery is surrendered. Name a unit whose Status is Active. [HX-OP-45]",
        ),
        (
            {"Extra attributes": "SingleSupportFire", "Supported this turn": True},
            "84th Battery cannot give fire support: it has supported this turn. Allowed: artillery, FireSupport or"
            " FlaK with Support Fire. [HX-FS]",
        ),
    ],
)
def test_a_battery_that_cannot_fire_gives_no_fire_support(cells: dict[str, Any], problem: str) -> None:
    assert said(asked("H-0001", {"84th Battery": cells})) == [f"{TAB}!S2 (H-01, Fire support): {problem}"]


def test_every_name_of_a_list_is_checked() -> None:
    rows = asked("H-0001", Fire_support="Nobody; 30th Rifles@1; 84th Battery@2; Long Toms@x")

    assert [found.split(": ")[1].split(" cannot")[0] for found in said(rows)] == [
        "unit not found",
        '"Long Toms@x"',
        "30th Rifles",
    ]


def test_ineligible_units_cannot_support() -> None:
    cases = [
        (
            asked("H-0001", Interceptors="401 Squadron@1"),
            "nobody can intercept against 2nd Armoured, which is not a plane",
        ),
        (
            asked("H-0001", Counter_battery="84th Battery@2", Fire_support=None),
            "84th Battery cannot give counter-battery",
        ),
        (
            asked("H-0003", Fire_support="84th Battery@2"),
            "nobody can give fire support against 3rd Stukas, which is no",
        ),
        (
            asked("H-0003", Counter_battery="Long Toms@2"),
            "nobody can give counter-battery fire against 3rd Stukas, which",
        ),
        (
            setting(asked("H-0003", Air_mission="WildWeasel", Air_defence=None), "air_missions", "yes"),
            "nobody can intercept against 3rd Stukas, which flies WildWeasel. Leave the cell blank. [HX-INT]",
        ),
        (asked("H-0006", Fire_support="84th Battery@2"), "nobody can give fire support in a barrage. Leave the cell"),
        (asked("H-0007", Air_defence="Royal Flak@1"), "nobody can give air defence in a ground-to-air interception."),
        (
            setting(asked("H-0008"), "extended_naval_rules", "no"),
            "nobody can give naval support while the option extended_naval_rules is off. Leave the cell blank. [HX-NS]",
        ),
        (
            asked("H-0009", Naval_support="U-47@1"),
            "nobody can give naval support unless a submarine attacks a ship other than a destroyer.",
        ),
        (
            asked("H-0008", Naval_support="HMS Vigil@1; HMS Ardent@1"),
            "2 destroyers, but only one destroyer beside the defender may fire. Name one. [HX-NS]",
        ),
        (
            asked("H-0003", {"401 Squadron": {"Intercepted this turn": True}}),
            "401 Squadron cannot intercept: it has intercepted this turn. Allowed:",
        ),
    ]
    found = [(said(rows), problem) for rows, problem in cases]
    assert [
        (problems, problem) for problems, problem in found if len(problems) != 1 or problem not in problems[0]
    ] == []


def test_hx_int_a_skilled_interceptor_intercepts_again() -> None:
    cells = {"Intercepted this turn": True, "Leaders": "Skilled Interceptor"}

    assert said(asked("H-0003", {"401 Squadron": cells})) == []


def test_hx_ad_2_flak_reaches_two_hexes_only_with_flak_ex2() -> None:
    rows = asked("H-0003", Air_defence="Royal Flak@2")
    [refused] = said(rows)

    assert "Royal Flak cannot give air defence. Allowed: air defence guns, FlaK beside the plane" in refused
    assert said(setting(rows, "flak_ex2", 1)) == []


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        ("2nd Armoured", "2nd Armoured cannot be beside itself. Name other units. [HX-ODD-E17]"),
        ("8th Foot; 8th foot", "8th Foot is listed twice. List it once. [HX-DEF-24]"),
        ("8th Fot", 'unit not found: "8th Fot". Did you mean "8th Foot"? [HX-ODD-E17]'),
    ],
)
def test_distant_units_are_not_adjacent_to_the_attacker(cell: str, problem: str) -> None:
    assert said(asked("H-0001", Beside_attacker=cell)) == [f"{TAB}!V2 (H-01, Beside attacker): {problem}"]


def test_all_problems_are_reported_together() -> None:
    rows = asked("H-0001", {"716th Rifles": {"Strength": "x"}}, Attacker="Nobody", Weather="Hail", Dice="?")

    assert [found.split(" (")[0] for found in said(rows)] == [
        f"{TAB}!E2",
        f"{TAB}!M2",
        "'Hex Units'!D3",
        f"{TAB}!AD2",
    ]


def test_check_reports_mistakes_in_unused_rows() -> None:
    rows = asked("H-0001")
    rows["Hex Units"][-1]["Hex"] = "somewhere"
    rows["Hex Facilities"].append({"Hex": "18, 6", "Facility": "Citty"})
    rows["Hex Settings"].append({"Setting": "evade", "Value": "thirty"})
    book = Database(read(workbook(rows)), FORM.records(), FORM.vocabulary)

    assert [(str(problem.cell), problem.id) for problem in FORM.check(book)] == [
        ("'Hex Units'!N33", "HX-DEF-03"),
        ("'Hex Facilities'!B4", "HX-STR-2"),
        ("'Hex Settings'!B6", "SET-02"),
    ]


def test_hx_str_2_a_hex_has_one_facility_in_any_notation() -> None:
    rows = asked("H-0001")
    rows["Hex Facilities"].append({"Hex": "(18 ; 6)", "Facility": "Airfield"})
    book = Database(read(workbook(rows)), FORM.records(), FORM.vocabulary)

    [problem] = FORM.check(book)

    assert str(problem) == (
        "'Hex Facilities'!A4 ((18 ; 6), Hex): hex 18,6 has its facility in row 2 already."
        " Keep one row for each hex. [HX-STR-2]"
    )


def test_every_setting_on_the_page_exists() -> None:
    page = (Path(__file__).parents[4] / "docs" / "games" / "hexcombat-settings.md").read_text(encoding="utf-8")
    table = page.partition("| Setting | Value |")[2]
    names = [name for line in re.findall(r"^\| (`.*?) \|", table, re.M) for name in re.findall(r"`([^`]+)`", line)]
    words = {"leader_bonus_stacking": "once"} | dict.fromkeys(OPTIONS, "yes")
    rows = asked("H-0001")
    rows["Hex Settings"] = [{"Setting": name, "Value": words.get(name, 1)} for name in names]
    book = Database(read(workbook(rows)), FORM.records(), FORM.vocabulary)

    assert len(names) > 15
    assert [str(problem) for problem in FORM.settings.read(book).problems] == []


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        (
            "air_missons",
            "yes",
            'A6 (air_missons, Setting): "air_missons" is not a setting. Did you mean "air_missions"?',
        ),
        ("air_missions", "maybe", 'B6 (air_missions, Value): "maybe" is not allowed. Use yes or no.'),
        ("critical_hit", -1, "B5 (critical_hit, Value): -1 is not allowed."),
        ("class_evade/Submarine", 101, "B6 (class_evade/Submarine, Value): 101 is not allowed."),
        ("sabotage_max", "seventy", 'B6 (sabotage_max, Value): "seventy" is not a number.'),
    ],
)
def test_hx_op_24_invalid_settings_are_refused(name: str, value: Any, problem: str) -> None:
    [found] = said(setting(asked("H-0001"), name, value))

    assert found.startswith(f"'Hex Settings'!{problem}")


def test_db_05_a_unit_name_with_punctuation_stays_whole_in_a_list() -> None:
    name = "84th Battery, Royal/Horse; B"

    def listed(cell: str) -> list[str]:
        rows = asked("H-0001", Fire_support=cell)
        next(row for row in rows["Hex Units"] if row["Unit"] == "84th Battery")["Unit"] = name
        return said(rows)

    assert listed(f"{name}@2") == listed(name.upper() + "@2") == []
