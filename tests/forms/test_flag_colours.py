"""The column Color of the Nations tab, which changes the looks of pictures and nothing else (NAT-27)."""

from __future__ import annotations

import pytest

from scripts.support.smallest_war import ruling, war, war_form, war_rows
from scripts.support.workbooks import Rows, run, workbook
from sheets_algo.database.colours import PALETTE, colour_of, nation_colours


def flags(header: str = "Color", **colours: object) -> Rows:
    rows = war_rows(Seed=1)
    for row in rows["Nations"]:
        row[header] = colours.get(row["Name"])
    return rows


def test_a_colour_may_be_a_code_or_a_name() -> None:
    cases = {
        "#ff8000": (255, 128, 0),
        "FF8000": (255, 128, 0),
        "#f80": (255, 136, 0),
        "navy": (0, 0, 128),
        " Royal  Blue ": (65, 105, 225),
        "1122": (0, 17, 34),
        "ultramarine": None,
        "#ff80": None,
        "": None,
    }
    assert {typed: colour_of(typed) for typed in cases} == cases


@pytest.mark.parametrize("header", ["Color", "Flag Colour"])
def test_nat_27_a_nation_fights_under_its_colour(header: str) -> None:
    rows = flags(header, Left="navy")
    headers = dict.fromkeys(head for row in rows["Nations"] for head in row)
    [scene] = run(workbook(rows, {"Nations": headers})).rulings[0].outcome.scenes

    assert (scene.attacker.colour, scene.defender.colour) == ((0, 0, 128), PALETTE[0])


def test_nat_27_a_colour_changes_neither_inputs_nor_receipt() -> None:
    """So the seed is, and a request that was ruled is the same request after somebody chose another colour."""
    plain, painted = war_rows(Seed=1), flags(Left="navy", Right="#00ff00")

    assert war_form().serialize(war(painted)) == war_form().serialize(war(plain))
    assert ruling(painted).receipt == ruling(plain).receipt


def test_nat_27_an_invalid_colour_gives_a_warning_and_counts_as_blank() -> None:
    made = run(workbook(flags(Left="blu")))

    [warning] = made.findings.answers[0].problems
    assert str(warning).endswith(
        '(Left, Color): warning: "blu" is not a colour; the cell counts as blank. Did you mean "blue"? Enter'
        " #rrggbb or a common name such as red, navy or gold. [NAT-27]"
    )
    assert made.rulings[0].outcome.scenes[0].attacker.colour == PALETTE[0]


def test_default_colours_differ_from_each_other_and_from_typed_ones() -> None:
    colours = nation_colours({"Aland": None, "Bland": (50, 110, 170), "Cland": None})

    assert colours["Bland"] == (50, 110, 170)
    assert len({colours["Aland"], colours["Cland"], PALETTE[0]}) == 3
