"""Processes that are killed at any request, and two that watch one spreadsheet in bad weather."""

from __future__ import annotations

import itertools

import pytest

from scripts.support.live.processes import WHENS, kill_run, two_watchers
from tests.live.sampling import BUDGET, sample

pytestmark = pytest.mark.slow

SENT = 12
"""Number of requests of `run` until all is ruled."""


@pytest.mark.parametrize(("at", "when"), [(4, "late"), *sample(itertools.product(range(1, SENT + 1), WHENS), 4)])
def test_the_next_process_follows_one_killed_at_a_request(at, when):
    assert kill_run(at, when) == []


def test_two_watchers_with_faults_rule_every_request_once():
    assert two_watchers(wars=round(20 * min(BUDGET, 10)), seed=1066).violations == []
