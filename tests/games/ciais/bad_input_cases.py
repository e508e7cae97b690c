"""Mistakes in the tabs of `ciais`, and the line a moderator then sees."""

# ruff: noqa: E501 - what is shown stands here as it is shown

from __future__ import annotations

from scripts.support.bad_input import Case, cells, spoiled
from scripts.support.moderator import Rows


def two_attacks(rows: Rows) -> None:
    """Anna's army, whose cooldown is 1, wins a battle and begins another one in the same round."""
    battle = {"Player": "Anna", "Order": "Battle", "Attacker unit": "1st Army", "Ready": True}
    rows["CiAIS Requests"] = [
        battle | {"Request": "C-1", "Defender unit": "Lagos Guard", "Roll": 1},
        battle | {"Request": "C-2", "Defender unit": "Gulf Squadron"},
    ]


CASES: tuple[Case, ...] = (
    Case(
        "CiAIS Requests",
        "An attack on a unit of an ally",
        "'CiAIS Requests'!F3 (C-0002, Defender unit): Sydney Scouts belongs to an ally: Anna and Chen are in the same alliance. Name a unit of a player outside the alliance. [CI-BAT]",
        cells("CiAIS Requests", "C-0002", {"Defender unit": "Sydney Scouts"}, "ciais"),
    ),
    Case(
        "CiAIS Requests",
        "A round that is over",
        "'CiAIS Requests'!B7 (C-0006, Round): the order is for round 2, which is over. Enter the current round to have it ruled now, or clear Ready. [REQ-10]",
        cells("CiAIS Requests", "C-0006", {"Round": 2}, "ciais"),
    ),
    Case(
        "CiAIS Requests",
        "More funding than money",
        "'CiAIS Requests'!H7 (C-0006, Domestic funding ¤): 300 ¤ is more than Bola has after this round's income. Enter at most 250. [CI-UNR-07]",
        cells("CiAIS Requests", "C-0006", {"Domestic funding ¤": 300}, "ciais"),
    ),
    Case(
        "CiAIS Players",
        "A balance below 0 typed by hand",
        "'CiAIS Players'!B3 (Bola, Bank ¤): −5 ¤ is below 0, but Bank was negative is not ticked. Enter at least 0 and use the order Adjust bank, or tick Bank was negative. [CI-OP-16]",
        cells("CiAIS Players", "Bola", {"Bank ¤": -5}, "ciais"),
    ),
    Case(
        "CiAIS Unit Types",
        "A unit type without a multiplier",
        "'CiAIS Unit Types'!D2 (Army, multi-l): required, but empty. Enter a number from 0 to 10. [CI-BASE-01]",
        cells("CiAIS Unit Types", "Army", {"multi-l": None}, "ciais"),
    ),
    Case(
        "CiAIS Units",
        "A place that is not on the globe",
        "'CiAIS Units'!D2 (1st Army, Latitude): 91 is out of range. Enter a number from -90 to 90. [CI-BASE-04]",
        cells("CiAIS Units", "1st Army", {"Latitude": 91}, "ciais"),
    ),
    Case(
        "CiAIS Sites",
        "A base without coordinates",
        "'CiAIS Sites'!D3 (Fort Oder, Latitude): required for a base, but empty. Enter a number from -90 to 90. [CI-BASE-04]",
        cells("CiAIS Sites", "Fort Oder", {"Latitude": None}, "ciais"),
    ),
    Case(
        "CiAIS Requests",
        "A battle out of range",
        "'CiAIS Requests'!E3 (C-0002, Attacker unit): warning: Lagos Guard is 49.8° away, and the range of 1st Army is 20°. [CI-OP-26]",
        cells("CiAIS Unit Types", "Army", {"range": 20}, "ciais"),
        code=0,
    ),
    Case(
        "CiAIS Requests",
        "An attack before the cooldown is over",
        "'CiAIS Requests'!E3 (C-2, Attacker unit): warning: 1st Army attacked in round 3 and waits until round 5. [CI-OP-26]",
        spoiled(two_attacks, "ciais"),
        code=0,
    ),
)
