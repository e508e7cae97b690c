"""Rows of Flanks that say what the rules do without rows: the same battle, bit for bit (STRAT-01, STRAT-14, R-86)."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from engine.autoalgo.inputs import SIDES, WarInputs
from engine.autoalgo.setup.strategy import flank_table
from engine.rng import Rng
from scripts.support.smallest_war import war_rows
from scripts.support.workbooks import Rows, read, workbook
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.database.records import Database
from sheets_algo.forms.base import Form
from sheets_algo.forms.rulesets import open_forms
from tests.helpers.example_budget import BUDGET

WORKS: tuple[dict[str, Any], ...] = ({}, {"Mobile Defenses": "Wooden stakes"}, {"Mobile Defenses": "Earthenworks"})
FORTS = ({}, {"Fortifications": "Palisade"}, {"Fortifications": "Castle"})
MAPS = ("Plain", "Hillcountry", "Normal River", "Mountain Pass", "Island")


@cache
def form() -> Form[Any]:
    """Return the form of War Requests with the numbers of the release."""
    return next(form for form in open_forms(ConfigLoader()) if form.key == "autoalgo")


@cache
def ages() -> tuple[tuple[str, int], ...]:
    """Return some ages, each with a year in it."""
    named = form().vocabulary.lists["Age"].values
    return tuple(
        (name, year) for name, year in zip(named[:: max(1, len(named) // 6)], range(-400, 1900, 400), strict=False)
    )


def inputs(rows: Rows) -> WarInputs:
    book = Database(read(workbook(rows)), form().records(), form().vocabulary)
    war = form().read(next(iter(book.table(form().request))), book).inputs
    assert isinstance(war, WarInputs)
    return war


def rows_of(age: tuple[str, int], ground: str, works: int, fort: int, *flanks: dict[str, Any]) -> Rows:
    """Return a war of two nations of an age, whose defender has works."""
    rows = war_rows(*flanks, Terrain_Map=ground, Year=age[1])
    for nation in rows["Nations"]:
        nation |= {"Age": age[0], "Year Founded": age[1] - 100, "Year Crisis": age[1] - 40}
    rows["Militaries"][1] |= WORKS[works]
    rows["Locations"][0] |= FORTS[fort]
    return rows


CASES = [
    (age, ground, works, fort, side)
    for age in range(6)
    for ground in MAPS
    for works, fort in ((0, 0), (1, 0), (2, 0), (0, 1), (2, 2))
    for side in (0, 1)
]


@pytest.mark.parametrize("case", CASES[:: max(1, round(12 / BUDGET))])
def test_written_defaults_fight_the_same_battle(case: tuple[Any, ...]) -> None:
    number, ground, works, fort, side = case
    age = ages()[number % len(ages())]
    plain = inputs(rows_of(age, ground, works, fort))
    default = flank_table(plain, side, form().ruleset.tables)
    written = [{"Side": SIDES[side], "Flank": plan.label} for plan in default]
    typed = [row | {"X": plan.x, "Y": plan.y} for row, plan in zip(written, default, strict=True)]
    expected = form().ruleset.resolve(plain, Rng(7))

    for rows in (written, typed):
        war = inputs(rows_of(age, ground, works, fort, *rows))
        outcome = form().ruleset.resolve(war, Rng(7))
        assert outcome.receipt.wiki() == expected.receipt.wiki()
        assert outcome.updates == expected.updates


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("empty", [1, 3, 12])
@pytest.mark.parametrize("works", range(len(WORKS)))
def test_strat_14_rows_with_only_a_side_have_no_effect(side: str, empty: int, works: int) -> None:
    """One such row moved the odds of an attack on works by 30 points."""
    age = ages()[2]
    alone = [{"Side": side}] * empty
    other = {"Side": side, "X": 180, "Y": 150 if side == "Attacker" else 250}

    assert inputs(rows_of(age, "Plain", works, 0, *alone)) == inputs(rows_of(age, "Plain", works, 0))
    assert inputs(rows_of(age, "Plain", works, 0, other, *alone)) == inputs(rows_of(age, "Plain", works, 0, other))


def test_strat_14_a_row_with_only_a_side_is_noted() -> None:
    rows = rows_of(ages()[2], "Plain", 0, 0, {"Side": "Attacker"}, {"Side": "Attacker", "Flanks": 1})
    book = Database(read(workbook(rows)), form().records(), form().vocabulary)

    assert [str(problem.cell) for problem in form().check(book) if problem.id == "STRAT-14"] == ["Flanks!B2"]


@pytest.mark.parametrize(
    ("works", "maneuvers"), [(0, ("Normal", "Normal")), (2, ("Normal", "Position"))], ids=["in the open", "in works"]
)
def test_r_86_a_blank_maneuver_is_the_default_of_its_side(works: int, maneuvers: tuple[str, str]) -> None:
    flanks = ({"Side": side, "Flanks": 1} for side in SIDES)
    war = inputs(rows_of(ages()[2], "Plain", works, 0, *flanks))

    assert (war.attacker.flanks[0].maneuver, war.defender.flanks[0].maneuver) == maneuvers
