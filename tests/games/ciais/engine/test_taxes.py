"""The orders Set tax and Adjust bank."""

from typing import Any

import pytest

from engine.ciais.inputs import CiaisInputs, CiaisOrder
from tests.games.ciais.engine.games import CIAIS, changed, game, lines, player, ruled


def set_tax(rate: float, **of_anna: Any) -> CiaisInputs:
    return game(CiaisOrder(kind="Set tax", player="Anna", tax=rate), players=(player(**of_anna), player("Bola")))


def adjust(amount: float, **of_anna: Any) -> CiaisInputs:
    return game(
        CiaisOrder(kind="Adjust bank", player="Anna", amount=amount), players=(player(**of_anna), player("Bola"))
    )


def test_ci_tax_02_a_rate_applies_from_the_end_of_its_round() -> None:
    assert changed(set_tax(25, round=3)) == {("Anna", "Tax %"): 25, ("Anna", "Tax changed in round"): 3}
    assert lines(ruled(set_tax(25, round=3)), "Anna") == ["Tax: 10 → 25 %"]


def test_explain_gives_the_income_of_a_rate() -> None:
    [line] = [variable.line() for variable in CIAIS.explain(set_tax(17.5))]

    assert line == "Tax, Anna 17.5 [CI-TAX-02] (175 ¤ and +0.25 unrest a round)"


def test_ci_ex_11_ci_unr_03_economic_failure_counts_once() -> None:
    assert changed(adjust(-50, bank=30)) == {
        ("Anna", "Bank ¤"): -20,
        ("Anna", "Bank was negative"): True,
        ("Anna", "Unrest"): 5,
    }
    assert changed(adjust(-50, bank=-20, was_negative=True, unrest=5)) == {("Anna", "Bank ¤"): -70}


@pytest.mark.parametrize(
    ("bank", "amount", "unrest"),
    [(30, -30, 0), (30, -30.01, 5), (0, -1, 5), (-10, 10, 0), (-10, 5, 0), (-10, -5, 0), (5, 5, 0)],
)
def test_ci_op_16_only_falling_below_0_is_a_failure(bank: float, amount: float, unrest: float) -> None:
    written = changed(adjust(amount, bank=bank, was_negative=bank < 0))

    assert written.get(("Anna", "Unrest"), 0) == unrest


def test_ci_op_16_a_recovered_bank_may_fail_again() -> None:
    """A moderator brought it to 10 and left the mark of the last failure."""
    assert changed(adjust(-20, bank=10, was_negative=True)) == {("Anna", "Bank ¤"): -10, ("Anna", "Unrest"): 5}


def test_ci_op_25_cents_add_up_exactly() -> None:
    assert changed(adjust(-0.1, bank=0.3)) == {("Anna", "Bank ¤"): 0.2}


def test_ci_unr_08_economic_failure_may_cause_overthrow() -> None:
    outcome = ruled(adjust(-50, unrest=5))

    assert outcome.summary == "Anna: bank 0 → −50 ¤, unrest 5 → 10, lost, overthrown [CI-LOSE-2]; Bola has won"
    assert outcome.figures["Winner"] == "Bola"


def test_ci_op_18_the_next_order_tests_unrest_raised_by_a_moderator() -> None:
    outcome = ruled(set_tax(10, unrest=12))

    assert ("Anna", "Status", "Lost") in [(update.row, update.field, update.after) for update in outcome.updates]
    assert "Unrest" not in [update.field for update in outcome.updates]


def test_an_order_without_effect_is_reported() -> None:
    assert ruled(adjust(0, bank=7)).summary == "nothing changes"
