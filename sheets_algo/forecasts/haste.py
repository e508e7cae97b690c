"""Machine code for the battles of a forecast: made once on each machine, with a word to whoever waits."""

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

from engine.outcome import Ruleset
from sheets_algo.forecasts.asked import Asked
from sheets_algo.forecasts.refining import SECONDS, STEP, Budget, Fought, Heard, refine

VARIABLE = "SHEETS_ALGO_FAST"
"""0 leaves every battle to Python."""
SLOW = "that takes about fifteen seconds"
PATIENCE = 2.0
"""Seconds before somebody who waits wants to know for what."""
MANY = 5_000
"""Battles of which somebody would notice that Python fights them."""

KEPT_MOST = 8
"""Folders of machine code; a version of the program has two."""

_tried: dict[tuple[str, bool], str] = {}


def refine_in_haste(wars: Sequence[Asked], budget: Budget, heard: Heard) -> Fought:
    """Fight some wars side by side as fast as this machine can; they end alike however they are fought.

    Ctrl+C ends it with what is known so far; while the compiler works, with a few battles fought by Python.

    Args:
        wars: At least one.
        budget: When it is enough.
        heard: Who watches.
    """
    fights = [war.fight for war in wars]
    if _is_in_haste(wars, budget):
        return refine(fights, budget, heard)
    few = refine(fights, replace(budget, runs=min(budget.runs, STEP)), heard)
    return replace(few, end="stopped")


def _is_in_haste(wars: Sequence[Asked], budget: Budget) -> bool:
    """Whether the rulesets fight as fast as they can by now; False when Ctrl+C was pressed meanwhile."""
    battles = len(wars) * budget.runs if budget.seconds >= SECONDS else 0
    tried = (wars[0].form.key, battles >= MANY)
    if tried in _tried or not is_wanted():
        return True
    # Beside the main thread, or Ctrl+C would be heard only when the compiler is done.
    worker = Thread(target=_hasten, args=(wars[0], battles, tried), daemon=True)
    worker.start()
    try:
        worker.join(PATIENCE)
        if worker.is_alive():
            click.echo(f"Compiling the battles for this machine, once; {SLOW}.", err=True)
            worker.join()
    except KeyboardInterrupt:
        return False
    if battles >= MANY and _tried.get(tried):
        click.echo(f"Python fights the battles, about a hundred times slower than need be: {_tried[tried]}.", err=True)
    return True


def _hasten(war: Asked, battles: int, tried: tuple[str, bool]) -> None:
    _tried[tried] = hastened(war.form.ruleset, war.inputs, battles)


def use_what_is_kept(ruleset: Ruleset[Any], inputs: Any) -> None:
    """Fight as machine code from now on if this machine has it already; nothing is compiled."""
    if is_wanted():
        hastened(ruleset, inputs, 0)


def hastened(ruleset: Ruleset[Any], inputs: Any, battles: int) -> str:
    """Have a ruleset fight as fast as it can, with machine code that the account keeps; why it cannot, a clause.

    Args:
        ruleset: Changed.
        inputs: Of a war that is about to be fought.
        battles: How many are to be fought.
    """
    folder = user_cache_path("sheets-algo") / "kernel"
    why_not = ruleset.hasten(inputs, str(folder), battles)
    forget_old(folder)
    return why_not


def is_wanted() -> bool:
    """Whether nobody on this machine has asked for Python."""
    return os.environ.get(VARIABLE, "").strip() != "0"


def forget_old(folder: Path) -> None:
    """Throw away the machine code of versions before the last few; who still runs one compiles it again."""
    try:
        kept = sorted((it for it in folder.iterdir() if it.is_dir()), key=lambda it: it.stat().st_mtime, reverse=True)
    except OSError:  # nothing is kept, or another process tidies up too
        return
    for old in kept[KEPT_MOST:]:
        rmtree(old, ignore_errors=True)
