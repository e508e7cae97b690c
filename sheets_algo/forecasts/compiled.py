"""Forecasts with compiled battles, and odds so far while they are slow."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace

import click

from engine.ruleset import MachineCode, no_op
from sheets_algo.forecasts.forecast_text import odds_so_far
from sheets_algo.forecasts.machine_code import MANY
from sheets_algo.forecasts.process_code import code_of, is_compiling
from sheets_algo.forecasts.progress import is_bar_shown, is_quiet
from sheets_algo.forecasts.questions import ForecastWar
from sheets_algo.forecasts.sampling import SECONDS, STEP, SampleBudget, SampleProgress, SampleResult, refine

FIRST, FIRST_S, GROWTH = 60, 2.0, 4
"""Battles, or seconds, before the first odds of a slow forecast, and the factor of the battles before the next ones."""


def prepare(war: ForecastWar) -> MachineCode:
    """Return machine code for the battles of many short forecasts; another process compiles missing code."""
    return code_of(war.form, war.inputs, MANY)


def refine_compiled(
    wars: Sequence[ForecastWar], budget: SampleBudget, progress: SampleProgress = no_op
) -> SampleResult:
    """Fight some wars side by side as fast as this machine can; the results do not depend on the speed.

    Another process compiles missing machine code, and Python fights until it is ready. Ctrl+C ends the
    forecast with the results so far.
    """
    battles = len(wars) * budget.runs
    try:
        code = code_of(wars[0].form, wars[0].inputs, battles, is_long=budget.seconds >= SECONDS)
    except KeyboardInterrupt:
        few = refine([war.series() for war in wars], replace(budget, runs=min(budget.runs, STEP)), progress)
        return replace(few, end="stopped")
    early = EarlyOdds(wars[0].request or wars[0].war)

    def report(runs: int, error: float, share: float, won: Sequence[int]) -> None:
        progress(runs, error, share, won)
        if not code.is_compiled and is_compiling(code):
            early.print(won)

    return refine([war.series(code) for war in wars], budget, report)


class EarlyOdds:
    """Odds so far of a slow forecast, for a user without a progress bar."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._due, self._end = FIRST, time.monotonic() + FIRST_S

    def print(self, won: Sequence[int]) -> None:
        """Print the odds of these wins if they are due."""
        battles = sum(won)
        if not battles or is_bar_shown() or is_quiet() or (battles < self._due and time.monotonic() < self._end):
            return
        self._due, self._end = GROWTH * battles, math.inf
        click.echo(f"{self._name} so far: {odds_so_far(won)}", err=True)
