"""A fixed part of what there is to try, more of it with a budget."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import TypeVar

from tests.laws import BUDGET
from tests.live.runner import Makes, played
from tests.live.schedules import Schedule

It = TypeVar("It")


def some(of: Iterable[It], number: int) -> list[It]:
    """So many of them, the same in every run, times the budget."""
    all = list(of)
    return random.Random(1066).sample(all, min(len(all), max(1, round(number * BUDGET))))


def violated(schedules: Iterable[Schedule], makes: Makes | None = None) -> dict[str, list[str]]:
    """What goes wrong in which of them."""
    found = {str(schedule): played(schedule, makes) for schedule in schedules}
    return {schedule: what for schedule, what in found.items() if what}
