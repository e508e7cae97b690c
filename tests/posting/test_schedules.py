"""PST-10: posters that are killed, answers that are lost or late, busy channels: nothing twice, nothing lost.

`scripts/soak_posts.py` plays as many schedules as one asks for.
"""

from __future__ import annotations

import pytest

from tests.helpers.example_budget import BUDGET
from tests.helpers.post_schedules import KINDS, play


@pytest.mark.parametrize("seed", range(round(4 * BUDGET)))
@pytest.mark.parametrize("kind", KINDS)
def test_no_schedule_posts_twice_or_forgets_and_what_nobody_can_know_is_unsure(kind, seed):
    assert play(kind, seed).faults == []


@pytest.mark.parametrize(
    ("kind", "careless", "says"),
    [
        ("webhook", "Repeating", "is there 2 times"),
        ("webhook", "Trusting", "is Posted and is not there"),
        ("bot", "Blind", "is there 2 times"),
        ("wiki", "Forgetful", "is there 2 times"),
    ],
)
def test_the_schedules_find_out_a_channel_with_a_mistake(kind, careless, says):
    found = (fault for seed in range(60) for fault in play(kind, seed, careless).faults)
    assert any(says in fault for fault in found)
