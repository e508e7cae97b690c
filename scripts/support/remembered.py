"""Rulesets that fight each battle once, for tests and studies that rule the same wars again and again."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from engine.rng import Rng
from engine.ruleset import LogSink, Outcome, no_op
from sheets_algo.forms.base import Form


class Remembered:
    """A ruleset that fights each battle once.

    A battle is a function of its inputs and seed (R-25), so what was fought before need not be fought again.
    """

    def __init__(self, form: Form[Any]) -> None:
        self._ruleset = ruleset = form.ruleset

        @lru_cache(maxsize=256)
        def fought(inputs: str, seed: int, is_logged: bool) -> tuple[Outcome, list[tuple[str, ...]]]:
            log: list[tuple[str, ...]] = []

            def keep(lines: Iterable[str]) -> None:
                log.append(tuple(lines))

            return ruleset.resolve(form.deserialize(inputs), Rng(seed), keep if is_logged else no_op), log

        self._form, self._fought = form, fought

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ruleset, name)

    def resolve(self, inputs: Any, rng: Rng, log_sink: LogSink = no_op) -> Outcome:
        """Fight a war, or return what was fought before and tell its log."""
        outcome, log = self._fought(self._form.serialize(inputs), rng.seed, log_sink is not no_op)
        for lines in log:
            log_sink(lines)
        return outcome


def remembering(forms: tuple[Form[Any], ...]) -> tuple[Form[Any], ...]:
    """Return the forms with rulesets that fight each battle once."""
    copies = tuple(map(copy.copy, forms))
    for form in copies:
        form.ruleset = Remembered(form)  # type: ignore[assignment]
    return copies
