"""The orders Set tax and Adjust bank."""

from typing import Any

from engine.ciais.inputs import CiaisInputs, CiaisOrder
from tests.games.ciais.engine.games import CIAIS, changed, game, player


def set_tax(rate: float, **of_anna: Any) -> CiaisInputs:
    return game(CiaisOrder(kind="Set tax", player="Anna", tax=rate), players=(player(**of_anna), player("Bola")))


def adjust(amount: float, **of_anna: Any) -> CiaisInputs:
    return game(
        CiaisOrder(kind="Adjust bank", player="Anna", amount=amount), players=(player(**of_anna), player("Bola"))
    )


def test_explain_gives_the_income_of_a_rate() -> None:
    [line] = [variable.line() for variable in CIAIS.explain(set_tax(17.5))]

    assert line == "Tax, Anna 17.5 [CI-TAX-02] (175 ¤ and +0.25 unrest a round)"


def test_ci_op_25_cents_add_up_exactly() -> None:
    assert changed(adjust(-0.1, bank=0.3)) == {("Anna", "Bank ¤"): 0.2}
