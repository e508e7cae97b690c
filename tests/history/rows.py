"""The rows of history and one arena for all tests of a process."""

from __future__ import annotations

import functools
from pathlib import Path

from plausibility.cases import Army, Battle, Case, Scenario, read_battles, read_scenarios
from plausibility.fights import Arena, Prediction

from sheets_algo.config.loader import ConfigLoader
from tests.helpers import machine_code

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data" / "history"
BATTLES = DATA / "battles_public.csv"
SCENARIOS = DATA / "scenarios_public.csv"


@functools.cache
def battles() -> tuple[Battle, ...]:
    return tuple(read_battles(BATTLES))


@functools.cache
def scenarios() -> tuple[Scenario, ...]:
    return tuple(read_scenarios(SCENARIOS))


@functools.cache
def library() -> ConfigLoader:
    """The tables of the project; unlike an arena, they need no compiler while tests are collected."""
    return ConfigLoader()


@functools.cache
def arena() -> Arena:
    """Machine code where there is a compiler, else these tests take a minute; the bits are the same (R-25)."""
    return Arena(library(), machine_code.kernel(), threads=1)


def battle_case(id: str) -> Case:
    return next(battle.case for battle in battles() if battle.case.id == id)


def scenario_case(id: str) -> Case:
    return next(scenario.case for scenario in scenarios() if scenario.case.id == id)


def fought(
    winner: str = "attacker",
    p: float = 0.5,
    *,
    sizes: tuple[int, int] = (10_000, 10_000),
    lost: tuple[float | None, float | None] = (0.1, 0.2),
    predicted: tuple[float, float] = (0.1, 0.2),
    by_outcome: tuple[float, float] = (0.1, 0.2),
    hours: tuple[float | None, float] = (6.0, 6.0),
    more: float = 1.0,
    equal: bool = True,
    clear_cut: bool = True,
) -> tuple[Battle, Prediction]:
    """A battle with an outcome and a prediction of it; losses are the attacker's, then the defender's."""
    armies = [
        Army(name="X", size=size, types=("a", "", ""), shares=(1, 0, 0), civilization="Industrial") for size in sizes
    ]
    case = Case(id="x", name="x", year=1800, attacker=armies[0], defender=armies[1])
    battle = Battle(
        case=case,
        era="1800-1849",
        winner=winner,
        losses=lost,
        hours=hours[0],
        is_equal=equal,
        is_clear_cut=clear_cut,
    )
    prediction = Prediction(
        id="x",
        p_attacker=p,
        losses=predicted,
        low=predicted,
        high=predicted,
        winner_loss=by_outcome[0],
        loser_loss=by_outcome[1],
        loser_more=more,
        hours=hours[1],
        hours_most=hours[1],
        ships_lost=(0, 0),
        men_lost=(0, 0),
        losses_if=(predicted, predicted),
        hours_if=(hours[1], hours[1]),
    )
    return battle, prediction
