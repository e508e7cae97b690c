"""The worked wars of the score rules: whole receipts, and their factors as the page has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.ruleset import Outcome
from scripts.support.golden_cases import current_receipt, golden_cases, kept_receipt, ruled

CASES = golden_cases("scorecard")
FOLDERS = {case.name: case for case in CASES}


def played(case: str) -> Outcome:
    return ruled(FOLDERS[case])


def points(outcome: Outcome, side: str) -> list[float]:
    """A side's factors in the order of the receipt."""
    return [variable.value for variable in outcome.explained if variable.name.endswith(f", {side}")]


def totals(outcome: Outcome) -> tuple[object, object]:
    return outcome.figures["Attacker Total"], outcome.figures["Defender Total"]


def test_all_worked_wars_keep_their_golden_receipts() -> None:
    assert [case.name for case in CASES] == [
        "example-war",
        "example-war-hundredths",
        "example-war-thousandths",
        "five-banners",
        "tarija",
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_whole_receipt_matches_its_text(case: Path) -> None:
    """A difference is a change of the rules: name its rule in the commit that runs `scripts/golden --update`."""
    assert current_receipt(case) == kept_receipt(case)


@pytest.mark.parametrize("case", ["example-war", "example-war-thousandths"])
def test_sc_ex_01_france_scores_as_worked_out(case: str) -> None:
    """With the page's digit typed, or with the reading that reproduces it (SC-OP-01)."""
    assert points(played(case), "Defender") == [4, 3, 6, 5, 10, 38, 10, 4, 3, 0, 4, 10]
    assert totals(played(case))[1] == 97


def test_sc_ex_01_france_scores_by_the_default_reading() -> None:
    assert points(played("example-war-hundredths"), "Defender") == [4, 3, 6, 5, 10, 38, 10, 4, 3, 0, 0, 10]
    assert totals(played("example-war-hundredths"))[1] == 93


def test_sc_ex_02_spain_scores_as_worked_out() -> None:
    """The page lists no industry and no navy: both are 0."""
    assert points(played("example-war"), "Attacker") == [3, 1, 8, 3, 6, 20, 2, 0, 0, -2, 5, 10]
    assert totals(played("example-war"))[0] == 56


def test_sc_ex_03_france_wins_by_41() -> None:
    assert played("example-war").summary == "France (Defender) wins by 41; attacker 56, defender 97"


def test_sc_ex_08_tarija_scores_as_worked_out() -> None:
    outcome = played("tarija")

    assert points(outcome, "Attacker") == [4, 2, 0, 0, 6, 58, 15, 0, 0, 0, 0, 10]
    assert points(outcome, "Defender") == [4, 3, 0, 0, 10, 25, 10, 0, 0, 0, 0, 10]
    assert totals(outcome) == (95, 62)


def test_sc_ex_04_sc_ex_12_sc_ex_13_parts_of_scores_are_as_worked_out() -> None:
    """China's list is worth 13, its new general 5; Formosa's 63.5, with a drawn Exp of 4, is worth 63.5 × 1.5 − 10."""
    outcome = played("five-banners")

    assert points(outcome, "Attacker")[2:4] == [5, 13]
    assert [update.after for update in outcome.updates if update.field == "Exp"] == [4]
    assert totals(outcome) == (95.67, 85.25)
