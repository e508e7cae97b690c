"""The example's orders and its finished game, each with its whole receipt."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.support.golden_cases import current_receipt, golden_cases, kept_receipt, ruled

CASES = (*golden_cases("realm"), *golden_cases("realm-rating"))
FOLDERS = {case.name: case for case in CASES}


def test_each_kind_of_order_keeps_its_golden_receipt() -> None:
    assert [case.name for case in CASES] == [
        "brennus-enticed",
        "games",
        "hired",
        "rebels",
        "saboteurs",
        "turn-of-gaul",
        "turn-of-rome",
        "watched",
        "first-war",
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_whole_receipt_matches_its_text(case: Path) -> None:
    """A difference is a change of the rules: name its rule in the commit that runs `scripts/golden --update`."""
    assert current_receipt(case) == kept_receipt(case)


def test_rl_loy_01_lucius_piso_with_the_pay_of_the_worked_example() -> None:
    """Loyalty 60, pay 15 of 10, experience 30, nation −2: 57.8, stored as 57 (RL-EX-15); petty theft costs 1 × 1.9."""
    outcome = ruled(FOLDERS["turn-of-rome"])
    [adjusted] = [event for event in outcome.events if event.id == "RL-LOY-01"]
    [after] = [update.after for update in outcome.updates if (update.row, update.field) == ("Lucius Piso", "Loyalty")]
    assert (adjusted.amount, after) == (57, 56)


def test_rl_ex_06_fire_burns_the_income_of_rome() -> None:
    """150,000 people at 20 % are 120 gold; Capua's 41,800 are 33.44, and twice that burns: 66."""
    outcome = ruled(FOLDERS["turn-of-rome"])
    [treasury] = [update for update in outcome.updates if update.field == "Treasury"]
    assert (treasury.before, treasury.after) == (60, 60 - 1 + 120 - 66)
