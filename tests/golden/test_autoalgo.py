"""The five wars of the 1066 workbook as `init` begins them, two of them by the rules of `source` too (RCPT-01)."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.autoalgo.inputs import SIDES
from scripts.support.golden_cases import current_receipt, golden_cases, kept_receipt, ruled

CASES = golden_cases("autoalgo")


def test_all_wars_are_kept() -> None:
    assert [case.name for case in CASES] == [
        "fulford",
        "hastings",
        "hastings-by-source",
        "jerusalem",
        "manzikert",
        "manzikert-by-source",
        "relief-of-bari",
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_rcpt_01_the_whole_receipt(case: Path) -> None:
    """A difference is a change of the rules: name its rule in the commit that runs `scripts/golden --update`."""
    assert current_receipt(case) == kept_receipt(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_updates_say_what_the_receipt_says(case: Path) -> None:
    outcome = ruled(case)
    text = outcome.receipt.text()
    stabilities = [update for update in outcome.updates if update.field == "Stability"]
    assert len(stabilities) == len(SIDES)
    assert all(f"{update.before:g} → {update.after:g} (" in text for update in stabilities)
    killed = [update.row for update in outcome.updates if update.field == "Status"]
    assert all(f"{leader}, killed" in text for leader in killed)
    assert text.count(", killed") == len(killed)
