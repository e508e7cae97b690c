"""A row becomes a war as the adapter's numbers say, through a workbook and the ruleset's own form."""

from __future__ import annotations

import functools
from itertools import pairwise
from typing import Any

import pytest
from plausibility.adapter import adapter_numbers, men_of, ships_of
from plausibility.cases import Army, Case
from plausibility.evaluation import changed
from plausibility.fights import read_wars

from engine.autoalgo.inputs import WarInputs
from engine.columns import loosely
from sheets_algo.commands.init import chosen_rulesets
from sheets_algo.forms.autoalgo.form import AutoalgoForm
from sheets_algo.forms.rulesets import open_forms
from tests.helpers.example_budget import spread
from tests.history.rows import BATTLES, arena, battle_case, battles, scenario_case, scenarios

NUMBERS = adapter_numbers()


@functools.cache
def form() -> AutoalgoForm:
    opened, *_ = open_forms(arena().library, chosen_rulesets(["autoalgo"]))
    assert isinstance(opened, AutoalgoForm)
    return opened


def war(case: Case, **numbers: Any) -> WarInputs:
    """The case as a war; numbers of the adapter by path, `__` for `/`."""
    (read,) = read_wars(
        form(), changed(NUMBERS, {path.replace("__", "/"): number for path, number in numbers.items()}), [case]
    )
    return read


def test_every_public_row_becomes_a_war() -> None:
    cases = [row.case for row in (*battles(), *scenarios())]

    assert len(cases) == 155 + 29
    sample = spread(cases, 4)
    assert [read.name for read in read_wars(form(), NUMBERS, sample)] == [case.name for case in sample]


def test_every_archetype_of_the_rows_is_in_the_catalogue() -> None:
    named = {
        kind
        for case in [row.case for row in (*battles(), *scenarios())]
        for army in case.armies
        for kind in (*army.types, army.ship_type)
        if kind
    }

    assert set(map(loosely, named)) - set(map(loosely, form().tables.units)) == set()


def test_a_battle_is_typed_in_as_its_row_says() -> None:
    """Nieuport, 1600: 11,500 Spaniards of training 4.25 against 11,300 Dutch of 5.75."""
    inputs = war(battle_case("cdb90-001"), training__middle=5, training__a_point=1)

    assert (inputs.name, inputs.year, inputs.attacker.military.size, inputs.defender.military.size) == (
        "Nieuport",
        1600,
        11_500,
        11_300,
    )
    assert [unit.tactical_training for unit in inputs.attacker.units[:3] if unit] == [4.25] * 3
    assert [unit.tactical_training for unit in inputs.defender.units[:3] if unit] == [5.75] * 3
    assert inputs.attacker.military.cavalry_proportion == pytest.approx(0.13)
    assert inputs.attacker.nation.civilization_type == "Early Modern"
    assert (
        sum((flank.infantry or 0) + (flank.cavalry or 0) + (flank.artillery or 0) for flank in inputs.attacker.flanks)
        == 11_500
    )


def test_the_attacker_starts_north_of_the_defender_at_the_given_gap() -> None:
    inputs = war(battle_case("cdb90-001"), lines__gap_km=2.0)
    north = {flank.y for flank in inputs.attacker.flanks}
    south = {flank.y for flank in inputs.defender.flanks}

    assert len(north) == len(south) == 1
    assert south.pop() - north.pop() == 2.0 / 0.25  # type: ignore[operator]  # places are given


def test_a_surprised_army_starts_in_column() -> None:
    """Track B of Murten: the attacker surprises by two steps."""
    inputs = war(scenario_case("murten-1476"), surprise__column_km=0.5, surprise__closer_km=0.25, lines__gap_km=2.0)
    column = [flank.y or 0.0 for flank in inputs.defender.flanks]

    assert [after - before for before, after in pairwise(column)] == [2 * 0.5 / 0.25] * 3
    assert min(column) - max(flank.y or 0.0 for flank in inputs.attacker.flanks) == (2.0 - 2 * 0.25) / 0.25


def test_track_a_levels_estimates_and_only_c_uses_the_day() -> None:
    case = battle_case("cdb90-001")

    assert (case.on_track("A").attacker.training, case.on_track("A").leadership) == (5.0, 0.0)
    assert (case.on_track("B").attacker.training, case.on_track("B").leadership) == (4.25, 0.0)
    assert case.on_track("C").leadership == -1.0


def test_a_step_of_leadership_is_worth_its_points_half_on_each_side() -> None:
    """The defender of Nieuport is the better leader by one step of 1.5 points."""
    inputs = war(
        battle_case("cdb90-001"),
        leaders__middle=5,
        leaders__a_point__Attack=1,
        leaders__a_step_of_leadership__Attack=1.5,
    )

    assert inputs.attacker.military_leader is not None
    assert inputs.defender.military_leader is not None
    assert inputs.attacker.military_leader.attack == 5 - 0.75
    assert inputs.defender.military_leader.attack == 5 + 0.75


def test_prepared_defenders_hold_their_ground_and_dig_in() -> None:
    prepared = next(battle.case for battle in battles() if battle.case.posture == "PD")
    inputs = war(prepared, maneuvers__defender__PD="Position")

    assert {flank.maneuver for flank in inputs.defender.flanks} == {"Position"}
    assert inputs.defender.military.mobile_defenses == prepared.mobile_defences
    assert inputs.attacker.military.mobile_defenses == "none"


LINES = {
    "least_men": 300,
    "flanks": [{"arm": "cavalry"}, {"arm": "infantry"}, {"arm": "infantry"}, {"arm": "cavalry"}],
}


def army(size: int, *shares: float) -> Army:
    return Army(name="X", size=size, types=("a", "b", "c"), shares=(shares[0], shares[1], shares[2]), civilization="x")


def test_riders_are_on_the_wings_and_guns_with_the_foot() -> None:
    assert men_of(army(10_000, 0.7, 0.2, 0.1), LINES) == [[0, 1000, 0], [3500, 0, 500], [3500, 0, 500], [0, 1000, 0]]


def test_an_arm_too_small_for_its_wings_joins_the_largest() -> None:
    assert men_of(army(2_000, 0.9, 0.1, 0.0), LINES) == [[450, 50, 0]] * 4
    assert men_of(army(2_000, 0.0, 1.0, 0.0), LINES) == [[0, 500, 0]] * 4


def test_without_flanks_in_the_plan_the_engine_deploys_its_own() -> None:
    inputs = war(battle_case("cdb90-001"), lines__flanks=[])

    assert inputs.attacker.flanks == inputs.defender.flanks == ()


def test_fleets_above_the_bound_shrink_in_proportion() -> None:
    """Salamis: 700 and 370 ships; 500 is the most."""
    assert ships_of(scenario_case("salamis-0480bc")) == (500, 264)


def test_the_readme_names_every_column_of_the_battles() -> None:
    readme = (BATTLES.parent / "README.md").read_text(encoding="utf-8")
    header = BATTLES.read_text(encoding="utf-8").splitlines()[0].split(",")

    assert [name for name in header if f"`{name.replace('def_', 'att_')}`" not in readme] == []
