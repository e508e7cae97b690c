"""Warnings of a siege, and of a war in which nobody attacks (R-13, R-100, R-101)."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.smallest_war import war_rows
from scripts.support.workbooks import Rows, messages, run, workbook

NO_GUNS = "Host of Left has no artillery, so there is no breach: hunger decides, or the order Storm. [R-101]"
OUTSIDE = "men soon comes out of its works before so few besiegers. [R-100]"
HUNGRY = "so they cannot stay for long. Fewer men, a fleet that feeds them, or the order Storm. [R-100]"
NOBODY = "both sides are on Position: neither attacks, and after 1,200 hours the attack is abandoned."


def position(*sides: str) -> tuple[dict[str, Any], ...]:
    return tuple({"Side": side, "Flank": "all", "Maneuver": "Position"} for side in sides)


def siege(besiegers: int, garrison: int, *flanks: dict[str, Any], fortifications: str | None = "Castle") -> Rows:
    """Return the smallest war before a castle, of armies without artillery."""
    rows = war_rows(*flanks)
    rows["Locations"][0]["Fortifications"] = fortifications
    for army, size in zip(rows["Militaries"], (besiegers, garrison), strict=True):
        army["Size"] = size
    return rows


def told(rows: Rows) -> str:
    [(_, status, message)] = messages(run(workbook(rows)))
    assert status == "Done"  # a warning keeps no war from being ruled
    return message


@pytest.mark.parametrize(
    ("besiegers", "garrison", "says"),
    [
        (9_000, 2_000, (NO_GUNS,)),
        (900, 901, (f"901 {OUTSIDE}", NO_GUNS)),
        (400_000, 2_000, (HUNGRY, NO_GUNS)),
        (20, 100_000, (f"100,000 {OUTSIDE}", NO_GUNS)),
    ],
)
def test_impossible_siege_orders_give_warnings(besiegers: int, garrison: int, says: tuple[str, ...]) -> None:
    message = told(siege(besiegers, garrison, *position("Defender")))

    assert message.count("warning:") == len(says)
    for warning in says:
        assert warning in message


@pytest.mark.parametrize(
    "rows",
    [
        siege(9_000, 2_000, {"Side": "Attacker", "Flank": "all", "Maneuver": "Storm"}),
        siege(9_000, 2_000, {"Side": "Defender", "Flank": "all", "Maneuver": "Hit and run"}),
        siege(1_000, 900, fortifications=None),
    ],
    ids=["an assault", "a defender who comes out", "no works"],
)
def test_wars_without_a_siege_give_no_siege_warnings(rows: Rows) -> None:
    assert "warning:" not in told(rows)


def test_guns_can_open_a_breach() -> None:
    rows = siege(9_000, 2_000, *position("Defender"))
    rows["Militaries"][0] |= {"Artillery Type": "Trebuchet", "Artillery Proportion": 0.1}

    assert "R-101" not in told(rows)


def test_two_sides_on_position_in_the_open_give_a_warning() -> None:
    both = position("Attacker", "Defender")

    assert NOBODY in told(siege(9_000, 9_000, *both, fortifications=None))
    assert NOBODY not in told(siege(9_000, 2_000, *both))  # that is a siege
    assert NOBODY not in told(siege(9_000, 9_000, *position("Defender"), fortifications=None))


def test_a_siege_before_its_nation_was_founded_is_refused_in_one_sentence() -> None:
    """The warning asked the rules about a war that they do not take, and ended the whole pass."""
    rows = siege(9_000, 2_000)
    rows["War Requests"][0]["Year"] = 1
    [(_, status, message)] = messages(run(workbook(rows)))
    assert status == "Invalid"
    assert "900" in message
