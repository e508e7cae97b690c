"""Check says nothing from which the luck of a game of realm could be learnt (FC-01)."""

from __future__ import annotations

from tests.helpers.check_luck import check_says_the_same_under_every_secret, twice


def test_fc_01_check_gives_the_same_output_under_every_secret() -> None:
    check_says_the_same_under_every_secret(twice("realm", "Turn Requests")())
