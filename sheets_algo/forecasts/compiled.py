"""Forecasts with compiled battles: each machine compiles once, with a message to whoever waits."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from threading import Thread
from typing import Any

import click
from platformdirs import user_cache_path

from engine.ruleset import Ruleset, no_op
from sheets_algo.forecasts.questions import ForecastWar
from sheets_algo.forecasts.sampling import SECONDS, STEP, SampleBudget, SampleProgress, SampleResult, refine

VARIABLE = "SHEETS_ALGO_FAST"
"""Environment variable; 0 lets Python fight every battle."""
SLOW = "that takes about fifteen seconds"
PATIENCE = 2.0
"""Seconds after which a message explains the wait."""
MANY = 5_000
"""Number of battles from which it is noticeable that Python fights them."""

KEPT_MOST = 8
"""Maximum number of folders with machine code; a version of the program has two."""

_compiled: dict[tuple[str, bool], str] = {}


def refine_compiled(
    wars: Sequence[ForecastWar], budget: SampleBudget, progress: SampleProgress = no_op
) -> SampleResult:
    """Fight some wars side by side as fast as this machine can; the results do not depend on the speed.

    Ctrl+C ends it with the results so far; during compilation, with a few battles fought by Python.

    Args:
        wars: The wars, at least one.
        budget: The budget.
        progress: The callback for progress.
    """
    fights = [war.fight for war in wars]
    if _has_compiled(wars, budget):
        return refine(fights, budget, progress)
    few = refine(fights, replace(budget, runs=min(budget.runs, STEP)), progress)
    return replace(few, end="stopped")


def _has_compiled(wars: Sequence[ForecastWar], budget: SampleBudget) -> bool:
    """Compile the rulesets if that pays off; return False if Ctrl+C was pressed meanwhile."""
    battles = len(wars) * budget.runs if budget.seconds >= SECONDS else 0
    key = (wars[0].form.key, battles >= MANY)
    if key in _compiled or not can_compile():
        return True
    # In a thread of its own, since the main thread would handle Ctrl+C only after compilation.
    worker = Thread(target=_compile, args=(wars[0], battles, key), daemon=True)
    worker.start()
    try:
        worker.join(PATIENCE)
        if worker.is_alive():
            click.echo(f"Compiling the battles for this machine, once; {SLOW}.", err=True)
            worker.join()
    except KeyboardInterrupt:
        return False
    if len(wars) * budget.runs >= MANY and _compiled.get(key):
        click.echo(
            f"Python fights the battles, about a hundred times slower than machine code: {_compiled[key]}.", err=True
        )
    return True


def _compile(war: ForecastWar, battles: int, key: tuple[str, bool]) -> None:
    _compiled[key] = compile_ruleset(war.form.ruleset, war.inputs, battles)


def use_cached_code(ruleset: Ruleset[Any], inputs: Any) -> None:
    """Fight as machine code from now on if this machine has it already; compile nothing."""
    if can_compile():
        compile_ruleset(ruleset, inputs, 0)


def compile_ruleset(ruleset: Ruleset[Any], inputs: Any, battles: int) -> str:
    """Let a ruleset fight with machine code cached for the user account; return why it cannot, as a clause.

    Args:
        ruleset: The ruleset, which is changed.
        inputs: The inputs of a war that is about to be fought.
        battles: The number of battles to be fought.
    """
    folder = user_cache_path("sheets-algo") / "kernel"
    reason = ruleset.compile(inputs, str(folder), battles)
    remove_old_code(folder)
    return reason


def can_compile() -> bool:
    """Return True unless the environment asks for Python."""
    return os.environ.get(VARIABLE, "").strip() != "0"


def remove_old_code(folder: Path) -> None:
    """Delete the machine code of all but the last few versions; one still in use is compiled again."""
    try:
        folders = [path for path in folder.iterdir() if path.is_dir()]
        folders.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:  # there is no code yet, or another process deletes it too
        return
    for old in folders[KEPT_MOST:]:
        rmtree(old, ignore_errors=True)
