"""Sensitivity of the schedules: each program without a safeguard breaks at least one of them, the real one none."""

from __future__ import annotations

import pytest

from scripts.support.live.mutants import MUTANTS, detect
from tests.helpers.example_budget import spread
from tests.live.sampling import violations_of

pytestmark = pytest.mark.slow
NAMES = spread(MUTANTS, 2)


@pytest.mark.parametrize("name", NAMES)
def test_the_schedules_detect_each_missing_safeguard(name):
    assert detect(MUTANTS[name]), f"a program {name} breaks none of its schedules"


def test_the_complete_program_breaks_no_invariant():
    every = [make() for name in NAMES for make in MUTANTS[name].schedules]
    assert violations_of(dict.fromkeys(every)) == {}
