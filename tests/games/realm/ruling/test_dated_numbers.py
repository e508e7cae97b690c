"""Numbers of realm that count from a turn on (SET-07)."""

from __future__ import annotations

from pathlib import Path

from tests.helpers.dated_numbers import a_number_counts_from_a_turn_on


def test_set_07_a_dated_number_applies_from_its_turn_on(tmp_path: Path) -> None:
    a_number_counts_from_a_turn_on(tmp_path, "realm", "happiness_base")
