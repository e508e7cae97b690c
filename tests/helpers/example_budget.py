"""The number of examples of slow tests: `scripts/test` plays a part of a whole sample, `--all` ten samples."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TypeVar

from hypothesis import HealthCheck, settings

BUDGET = float(os.environ.get("SHEETS_ALGO_BUDGET", "0.4"))
LAW = settings(deadline=None, max_examples=max(5, round(12 * BUDGET)), suppress_health_check=[HealthCheck.too_slow])
"""Settings for a law of whole rulings; no time limit for one example, since the machine may be busy."""
Item = TypeVar("Item")


def spread(items: Iterable[Item], step: int, first: int = 0) -> Sequence[Item]:
    """Return each item that is this many after another one, all with a budget as large as the step.

    A step that has no factor in common with the number of kinds, which take turns, gets each kind at other places.
    """
    return list(items)[first :: max(1, round(step / BUDGET))] if step > BUDGET else list(items)
