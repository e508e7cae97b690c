"""Progress bar of a forecast, and the conditions for showing it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Self

import click

LENGTH = 1_000
QUIET = "sheets_algo.quiet"
"""Key of the option `--quiet` in the `meta` of a command's context."""


def is_quiet() -> bool:
    """Return True if the command prints nothing when all is well."""
    context = click.get_current_context(silent=True)
    return bool(context and context.meta.get(QUIET))


def is_bar_shown() -> bool:
    """Return True if a progress bar may be drawn: on a terminal, and not under `--quiet`."""
    return sys.stderr.isatty() and not is_quiet()


class BarContext:
    """A context at whose end its progress bar is finished, if it has begun one."""

    _bar: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.render_finish()


class Bar(BarContext):
    """Progress bar of one request's forecast, shown only on a terminal."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._at = 0

    def update(self, runs: int, error: float, share: float, won: Sequence[int]) -> None:
        """Show the odds so far and the share of the work done (0 to 1).

        Args:
            won: Battles won by attacker, defender and nobody; empty where the rules know no winner.
        """
        if not is_bar_shown():
            return
        if self._bar is None:
            self._bar = click.progressbar(length=LENGTH, label=self._label, file=sys.stderr, item_show_func=str)
        from sheets_algo.forecasts.forecast_text import odds_so_far  # slow to import

        now = max(self._at, round(share * LENGTH))
        self._bar.update(now - self._at, odds_so_far(won) if won else f"{runs:,} battles, ± {100 * error:.1f} points")
        self._at = now
