"""Mistakes in the tabs of `hexcombat`, and the line a moderator then sees."""

# ruff: noqa: E501 - what is shown stands here as it is shown

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scripts.support.bad_input import Arrange, Case, cells, spoiled
from scripts.support.moderator import Rows


def in_turn_4(*requests: Mapping[str, Any]) -> Arrange:
    """A game of hex combats in its fourth turn, with these requests."""

    def change(rows: Rows) -> None:
        rows["Combat Requests"] = [{"Request": f"H-{id}", "Ready": True, **row} for id, row in enumerate(requests, 1)]
        for side in rows["Hex Sides"]:
            side["Turn"] = 4

    return spoiled(change, "hexcombat")


def without_enemies(rows: Rows) -> None:
    """The 8th Foot, whose only neighbour has gone, are to be forecast against all targets."""
    next(row for row in rows["Combat Requests"] if row["Request"] == "H-0013").update(
        {"Attacker": "8th Foot", "Defender": None}
    )
    next(row for row in rows["Hex Units"] if row["Unit"] == "21st Rifles").update({"Hex": "20,20"})


CASES: tuple[Case, ...] = (
    Case(
        "Combat Requests",
        "Nobody and somebody as supporter",
        "'Combat Requests'!V2 (H-0001, Beside attacker): \"none\" stands beside names. Use it alone. [HX-ODD-E17]",
        cells("Combat Requests", "H-0001", {"Beside attacker": "none; 8th Foot"}, "hexcombat"),
    ),
    Case(
        "Combat Requests",
        "A cell that leaves out a battery in range",
        "'Combat Requests'!S2 (H-0001, Fire support): warning: by the Hex cells, Long Toms@3 could be listed too. Add it if it takes part. [HX-OP-53]",
        cells("Hex Units", "Long Toms", {"Hex": "7,5"}, "hexcombat"),
        code=0,
    ),
    Case(
        "Hex Units",
        "A battery that had to retreat and was not moved",
        "'Hex Units'!V4 (84th Battery, Displaced): warning: it counts as nowhere while Displaced says Retreated. Move it, enter its Hex and clear Displaced. [HX-OP-53]",
        cells("Hex Units", "84th Battery", {"Displaced": "Retreated"}, "hexcombat"),
        code=0,
    ),
    Case(
        "Combat Requests",
        "A forecast of all targets of a plane without a hex",
        "'Combat Requests'!E15 (H-0014, Attacker): 4th Stukas has no Hex, so it is not known what it reaches. Enter it in Hex Units, or enter a Defender. [HX-OP-55]",
        cells("Combat Requests", "H-0014", {"Defender": None}, "hexcombat"),
    ),
    Case(
        "Combat Requests",
        "A forecast of all targets where there is none",
        "'Combat Requests'!E14 (H-0013, Attacker): no enemy is in range of 8th Foot at 8,18. Enter a Defender. [HX-OP-55]",
        spoiled(without_enemies, "hexcombat"),
    ),
    Case(
        "Combat Requests",
        "A forecast of all targets at one range",
        "'Combat Requests'!G14 (H-0013, Range): a forecast of all targets does not use it. Empty the cell, or enter a Defender. [HX-OP-55]",
        cells("Combat Requests", "H-0013", {"Defender": None, "Range": 1}, "hexcombat"),
    ),
    Case(
        "Combat Requests",
        "A defender that is also a supporter",
        "'Combat Requests'!S2 (H-0001, Fire support): 716th Rifles is the attacker or the defender, so it cannot give fire support. Name other units. [HX-FS]",
        cells("Combat Requests", "H-0001", {"Fire support": "716th Rifles@1"}, "hexcombat"),
    ),
    Case(
        "Combat Requests",
        "A battery that is out of range",
        "'Combat Requests'!S2 (H-0001, Fire support): 84th Battery cannot give fire support: it has a range of 3, and its target is 5 hexes away. [HX-DEF-21]",
        cells("Combat Requests", "H-0001", {"Fire support": "84th Battery@5"}, "hexcombat"),
    ),
    Case(
        "Combat Requests",
        "A supporter listed twice",
        "'Combat Requests'!S2 (H-0001, Fire support): 84th Battery is listed twice. List it once. [HX-DEF-24]",
        cells("Combat Requests", "H-0001", {"Fire support": "84th Battery@2; 84th Battery"}, "hexcombat"),
    ),
    Case(
        "Combat Requests",
        "Both units on one side",
        "'Combat Requests'!F3 (H-0002, Defender): 2nd Armoured and 8th Foot are both on the side Allies. Name a unit of another side. [HX-DEF-01]",
        cells("Combat Requests", "H-0002", {"Defender": "2nd Armoured", "Range": 1}, "hexcombat"),
    ),
    Case(
        "Combat Requests",
        "An attack without a defender",
        "'Combat Requests'!F3 (H-0002, Defender): required, but empty. Enter a name from Hex Units. [HX-DEF-01]",
        cells("Combat Requests", "H-0002", {"Defender": None}, "hexcombat"),
    ),
    Case(
        "Combat Requests",
        "An attack on a submarine that cannot be attacked",
        "'Combat Requests'!F10 (H-0009, Defender): 57th Heavies cannot attack the submarine U-47. Allowed: a tactical bomber or destroyer, ASW or a submarine in port. [HX-SUB]",
        cells("Combat Requests", "H-0009", {"Attacker": "57th Heavies", "Defender": "U-47", "Range": 1}, "hexcombat"),
    ),
    Case(
        "Combat Requests",
        "An interception too far away",
        "'Combat Requests'!G8 (H-0007, Range): 2 hexes are too far for an interception from the ground. Use 1, or 0 where the plane's move has ended. [HX-G2A-3]",
        cells("Combat Requests", "H-0007", {"Range": 2}, "hexcombat"),
    ),
    Case(
        "Combat Requests",
        "A mission without the option",
        "'Combat Requests'!O4 (H-0003, Air mission): the mission WildWeasel needs the option air_missions, which is off. Leave the cell blank, or set air_missions to yes in Hex Settings. [HX-OP-24]",
        cells("Combat Requests", "H-0003", {"Air mission": "WildWeasel"}, "hexcombat"),
    ),
    Case(
        "Combat Requests",
        "A roll that is too high for its die",
        "'Combat Requests'!AD13 (H-0012, Dice): roll 1 is 101, but that die shows only 1 to 100. Enter the rolls in the order in which the log lists the dice. [HX-DEF-24]",
        cells("Combat Requests", "H-0012", {"Dice": "101"}, "hexcombat"),
    ),
    Case(
        "Combat Requests",
        "A combat without an attacker",
        "'Combat Requests'!E3 (H-0002, Attacker): required, but empty. Enter a name from Hex Units. [HX-DEF-01]",
        cells("Combat Requests", "H-0002", {"Attacker": None}, "hexcombat"),
    ),
    Case(
        "Combat Requests",
        "A combat of a turn that is over",
        "'Combat Requests'!C2 (H-1, Turn): the order is for turn 3, which is over. Enter the current turn to have it ruled now, or clear Ready. [REQ-10]",
        in_turn_4({"Turn": 3, "Attacker": "5th Armoured", "Defender": "44th Rifles"}),
    ),
    Case(
        "Combat Requests",
        "A second new turn in one run",
        "'Combat Requests'!C3 (H-2, Turn): warning: another row ends turn 4. Enter 5, or clear Ready. [REQ-10]",
        in_turn_4({"Kind": "New turn"}, {"Kind": "New turn"}),
        code=0,
    ),
    Case(
        "Combat Requests",
        "A new turn with an attacker",
        "'Combat Requests'!E2 (H-1, Attacker): a New turn does not use it. Empty the cell, or choose another Kind. [HX-OP-49]",
        in_turn_4({"Kind": "New turn", "Attacker": "5th Armoured"}),
    ),
    Case(
        "Hex Terrain",
        "An unknown trait of a new terrain",
        '\'Hex Terrain\'!D2 (Jungle, Traits): "covr" is not allowed. Did you mean "cover"? Use close, cover, water, City, Port, Airfield, Fortification or none, separated by semicolons. [HX-OP-56]',
        spoiled(
            lambda rows: rows.update({"Hex Terrain": [{"Terrain": "Jungle", "Traits": "close; covr"}]}), "hexcombat"
        ),
    ),
    Case(
        "Hex Sides",
        "A turn that is no number",
        "'Hex Sides'!C2 (Allies, Turn): \"four\" is not a number. Enter a whole number from -1,000,000 to 1,000,000. [HX-OP-49]",
        cells("Hex Sides", "Allies", {"Turn": "four"}, "hexcombat"),
    ),
    Case(
        "Hex Units",
        "A destroyed unit as attacker",
        "'Combat Requests'!E2 (H-0001, Attacker): 2nd Armoured is destroyed. Name a unit whose Status is Active. [HX-OP-45]",
        cells("Hex Units", "2nd Armoured", {"Status": "Destroyed"}, "hexcombat"),
    ),
    Case(
        "Hex Units",
        "More suppressed points than strength points",
        "'Hex Units'!E2 (2nd Armoured, Suppressed): 11 of 10 strength points are suppressed. Enter at most as many as Strength. [HX-DEF-07]",
        cells("Hex Units", "2nd Armoured", {"Suppressed": 11}, "hexcombat"),
    ),
    Case(
        "Hex Units",
        "A hex that the spreadsheet changed into a number",
        "'Hex Units'!N2 (2nd Armoured, Hex): 4.5 is a number, which could mean 4,5 or 4,50. Enter column and row as text: 12,7. [HX-DEF-03]",
        cells("Hex Units", "2nd Armoured", {"Hex": 4.5}, "hexcombat"),
    ),
    Case(
        "Hex Units",
        "Three attachments",
        "'Hex Units'!P2 (2nd Armoured, Attachments): \"Recon; Support; Bridging\" has 3 values. Keep at most 2 of them. [HX-INI-14]",
        cells("Hex Units", "2nd Armoured", {"Attachments": "Recon; Support; Bridging"}, "hexcombat"),
    ),
    Case(
        "Hex Unit Types",
        "A unit type without a target",
        "'Hex Unit Types'!C4 (Medium Tank, Target): required, but empty. Use Soft, Hard, Air or Naval. [HX-ODD-A1]",
        cells("Hex Unit Types", "Medium Tank", {"Target": None}, "hexcombat"),
    ),
)
