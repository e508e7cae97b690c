"""A fixed random sample of schedules, larger with a larger budget."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import TypeVar

from scripts.support.live.runner import play_schedule
from scripts.support.live.schedules import Schedule
from tests.helpers.example_budget import BUDGET

Item = TypeVar("Item")


def sample(items: Iterable[Item], number: int) -> list[Item]:
    """Return a sample of this size times the budget, the same in every run."""
    all = list(items)
    return random.Random(1066).sample(all, min(len(all), max(1, round(number * BUDGET))))


def violations_of(schedules: Iterable[Schedule]) -> dict[str, list[str]]:
    """Return the violations of each schedule that has any."""
    found = {str(schedule): play_schedule(schedule) for schedule in schedules}
    return {schedule: violations for schedule, violations in found.items() if violations}
