"""Machine code that this process uses, compiled by another one, with a message for the waiting user."""

from __future__ import annotations

import logging
import pickle
from threading import Thread
from typing import Any

import click

from engine.ruleset import NOT_COMPILED, MachineCode
from sheets_algo.forecasts.machine_code import MANY, cache_folder, can_compile, compile_ruleset, has_room
from sheets_algo.forms.base import Form

SLOW = "that takes about ten seconds"
ASIDE = "Compiling the battles for this machine, once, in the background; until it is done, Python fights them."
AWAITED = f"Compiling the battles for this machine, once; {SLOW}."
PYTHON = "Python fights the battles, about a hundred times slower than machine code: {}."
FAILED = "numba cannot compile them here"
STOPPED = "the process that compiled them was stopped; the next forecast begins anew"
NOT_KEPT = "it could not be kept in {}, which must be a folder that can be written, with a megabyte of room"
READY = "Machine code fights the battles from now on."
_codes: dict[str, MachineCode] = {}
"""Machine code in use or being compiled, by the key of its form."""
_tried: set[tuple[str, bool]] = set()
"""Keys of the forms whose code was looked for, and True for those whose battles justified compiling it."""
_said: set[str] = set()
"""Sentences about machine code that were printed; each is printed once."""


def code_of(
    form: Form[Any], inputs: Any, battles: int = 0, *, is_long: bool = True, wait_s: float = 0.0
) -> MachineCode:
    """Return the machine code of a ruleset, empty until it exists; if worthwhile, another process compiles it.

    Args:
        inputs: The inputs of the next war.
        battles: The number of battles; compilation is worthwhile from some number on.
        is_long: True if the battles may take as long as compilation.
        wait_s: The longest wait for that process, in seconds.
    """
    code, is_worth_it = _codes.setdefault(form.key, MachineCode()), battles >= MANY
    attempt = form.key, is_worth_it and is_long
    if code.is_compiled or attempt in _tried or not can_compile():
        return code
    if is_worth_it or any(cache_folder().glob("*/*")):  # else llvmlite need not be imported
        reason = compile_ruleset(form.ruleset, inputs, 0, code)
        if reason and is_worth_it:
            if reason == NOT_COMPILED and is_long:
                _tried.add(attempt)
                compile_aside(form, inputs, battles, code, wait_s)
            else:
                say_python(reason)
    _tried.add(attempt)
    return code


def is_compiling(code: MachineCode) -> bool:
    """Return True if another process was asked for this code."""
    return any(_codes[key] is code for key, is_worth_it in _tried if is_worth_it)


def compile_aside(form: Form[Any], inputs: Any, battles: int, code: MachineCode, wait_s: float = 0.0) -> None:
    """Compile in another process, and switch to machine code when it is done, for which so many seconds are waited."""
    if not has_room(cache_folder()):
        say_python(NOT_KEPT.format(cache_folder()))
        return
    from sheets_algo.forecasts import compile_job, serialise  # import much, for few

    job = serialise.Job(serialise.RULES, pickle.dumps(form.ruleset), pickle.dumps(inputs), 0, battles, is_fast=True)
    process = compile_job.begin(job, gently=not wait_s)
    _say(AWAITED if wait_s else ASIDE)

    def use() -> None:
        exit_code = process.wait()
        reason = compile_ruleset(form.ruleset, inputs, 0, code)
        if reason == NOT_COMPILED:
            reason = STOPPED if exit_code < 0 else FAILED if exit_code else NOT_KEPT.format(cache_folder())
        if reason:
            say_python(reason)
        else:
            _say(READY)

    thread = Thread(target=use, daemon=True)
    thread.start()
    thread.join(wait_s)


def say_python(reason: str) -> None:
    """Print the reason why Python fights the battles, a clause, once."""
    _say(PYTHON.format(reason))


def _say(sentence: str) -> None:
    if sentence not in _said:
        _said.add(sentence)
        if logging.getLogger().handlers:  # a watcher, whose lines are for programs too
            logging.getLogger("sheets_algo").info("%s", sentence, extra={"event": "compile"})
        else:
            click.echo(sentence, err=True)
