"""Forecasts with compiled battles: each machine compiles once, with a message for the waiting user."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Sequence
from dataclasses import replace
from threading import Thread
from typing import Any

import click

from engine.ruleset import NOT_COMPILED, MachineCode, no_op
from sheets_algo.forecasts import compile_job, serialise
from sheets_algo.forecasts.forecast_text import odds_so_far
from sheets_algo.forecasts.machine_code import MANY, cache_folder, can_compile, compile_ruleset, has_room
from sheets_algo.forecasts.progress import is_bar_shown, is_quiet
from sheets_algo.forecasts.questions import ForecastWar
from sheets_algo.forecasts.sampling import SECONDS, STEP, SampleBudget, SampleProgress, SampleResult, refine
from sheets_algo.forms.base import Form

SLOW = "that takes about ten seconds"
ASIDE = "Compiling the battles for this machine, once, in the background; until it is done, Python fights them."
AWAITED = f"Compiling the battles for this machine, once; {SLOW}."
PYTHON = "Python fights the battles, about a hundred times slower than machine code: {}."
FAILED = "numba cannot compile them here"
STOPPED = "the process that compiled them was stopped; the next forecast begins anew"
NOT_KEPT = "it could not be kept in {}, which must be a folder that can be written, with a megabyte of room"
READY = "Machine code fights the battles from now on."
FIRST, FIRST_S, GROWTH = 60, 2.0, 4
"""Battles, or seconds, before the first odds of a slow forecast, and the factor of the battles before the next ones."""
_codes: dict[str, MachineCode] = {}
"""Machine code in use or being compiled, by the key of its form."""
_said: set[str] = set()
"""Sentences about machine code that were printed; each is printed once."""


def prepare(war: ForecastWar) -> MachineCode:
    """Return machine code for the battles of many short forecasts; another process compiles missing code."""
    return _machine_code(war, MANY, is_long=True)


def refine_compiled(
    wars: Sequence[ForecastWar], budget: SampleBudget, progress: SampleProgress = no_op
) -> SampleResult:
    """Fight some wars side by side as fast as this machine can; the results do not depend on the speed.

    Another process compiles missing machine code, and Python fights until it is ready. Ctrl+C ends the
    forecast with the results so far.
    """
    battles = len(wars) * budget.runs
    try:
        code = _machine_code(wars[0], battles, is_long=budget.seconds >= SECONDS)
    except KeyboardInterrupt:
        few = refine([war.series() for war in wars], replace(budget, runs=min(budget.runs, STEP)), progress)
        return replace(few, end="stopped")
    early = EarlyOdds(wars[0].request or wars[0].war)

    def report(runs: int, error: float, share: float, won: Sequence[int]) -> None:
        progress(runs, error, share, won)
        if not code.is_compiled and _codes.get(wars[0].form.key) is code:
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


def _machine_code(war: ForecastWar, battles: int, *, is_long: bool) -> MachineCode:
    """Return machine code if there is any; otherwise, if so many battles justify it, compile in another process."""
    if not can_compile():
        return MachineCode()
    if war.form.key in _codes:
        return _codes[war.form.key]
    code = MachineCode()
    reason = compile_ruleset(war.form.ruleset, war.inputs, 0, code)
    if not reason:
        _codes[war.form.key] = code
    elif reason == NOT_COMPILED and battles >= MANY and is_long:
        _codes[war.form.key] = code
        _compile_aside(war, battles, code)
    elif battles >= MANY:
        _say(PYTHON.format(reason))
    return code


def _compile_aside(war: ForecastWar, battles: int, code: MachineCode, wait_s: float = 0.0) -> None:
    """Compile in another process, and switch to machine code when it is done, for which so many seconds are waited."""
    if not has_room(cache_folder()):
        _say(PYTHON.format(NOT_KEPT.format(cache_folder())))
        return
    process = compile_job.begin(serialise.pack_job(war, battles), gently=not wait_s)
    _say(AWAITED if wait_s else ASIDE)

    def use() -> None:
        exit_code = process.wait()
        reason = compile_ruleset(war.form.ruleset, war.inputs, 0, code)
        if reason == NOT_COMPILED:
            reason = STOPPED if exit_code < 0 else FAILED if exit_code else NOT_KEPT.format(cache_folder())
        _say(PYTHON.format(reason) if reason else READY)

    thread = Thread(target=use, daemon=True)
    thread.start()
    thread.join(wait_s)


def _say(sentence: str) -> None:
    if sentence not in _said:
        _said.add(sentence)
        if logging.getLogger().handlers:  # a watcher, whose lines are for programs too
            logging.getLogger("sheets_algo").info("%s", sentence, extra={"event": "compile"})
        else:
            click.echo(sentence, err=True)


def use_cached_code(form: Form[Any], inputs: Any, code: MachineCode, battles: int = 0, *, wait_s: float = 0.0) -> None:
    """Use cached machine code; otherwise, if so many battles justify it, compile in another process.

    Args:
        wait_s: The longest wait for that process, in seconds.
    """
    if not can_compile():
        return
    earlier, is_worth_it = _codes.get(form.key), battles >= MANY
    if earlier is not None and earlier.is_compiled:
        code.kernel = earlier.kernel
    elif is_worth_it or any(cache_folder().glob("*/*")):  # else llvmlite need not be imported
        reason = compile_ruleset(form.ruleset, inputs, 0, code)
        if not reason:
            _codes[form.key] = code
        elif reason == NOT_COMPILED and is_worth_it and earlier is None:
            _codes[form.key] = code
            _compile_aside(ForecastWar("", "", form, form.serialize(inputs), seed=0), battles, code, wait_s)
