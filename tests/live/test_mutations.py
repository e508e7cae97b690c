"""Schedules notice when a safeguard is missing: each careless program breaks at least one of them, ours none."""

from __future__ import annotations

import pytest

from tests.live.mutants import MUTANTS, noticed
from tests.live.sampling import violated

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", MUTANTS)
def test_a_missing_safeguard_is_noticed(name):
    assert noticed(MUTANTS[name]), f"a program {name} breaks none of its schedules"


def test_the_program_as_it_is_breaks_none_of_them():
    every = [make() for mutant in MUTANTS.values() for make in mutant.schedules]
    assert violated(dict.fromkeys(every)) == {}
