"""The orders of the example game, each with its whole receipt."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.support.golden_cases import current_receipt, golden_cases, kept_receipt

CASES = golden_cases("ciais")


def test_each_order_keeps_its_golden_receipt() -> None:
    assert [case.name for case in CASES] == [
        "battle",
        "captured-city",
        "economic-failure",
        "no-battle",
        "overthrow",
        "round-of-everybody",
        "round-of-one",
        "set-tax",
        "time-is-up",
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_whole_receipt_matches_its_text(case: Path) -> None:
    """A difference is a change of the rules: name its rule in the commit that runs `scripts/golden --update`."""
    assert current_receipt(case) == kept_receipt(case)
