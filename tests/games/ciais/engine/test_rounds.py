"""CI-RND: income, funding, unrest, attrition and land at the end of a round."""

from typing import Any

import pytest

from engine.rng import Rng
from engine.settings import Setting
from tests.games.ciais.engine.games import (
    CIAIS,
    changed,
    end_round,
    lines,
    player,
    reading,
    ruled,
    unit,
)

QUIET: dict[str, Any] = {"units": (), "players": (player(), player("Bola"))}


@pytest.mark.parametrize(
    ("tax", "income", "unrest"),
    [
        (10, 100, 5),
        (20, 200, 5.5),
        (25, 250, 6),
        (5, 50, 4.5),
        (0, 0, 4),
        (12, 120, 5),
        (17.5, 175, 5.25),
    ],
)
def test_ci_ex_07_ci_tax_01_ci_op_15_a_rate_gives_income_and_unrest(tax: float, income: float, unrest: float) -> None:
    """CI-EQ-02, CI-EQ-03, CI-EQ-04; CI-UNR-01, CI-UNR-04, CI-TAX-03; the pictures of CI-OP-02, CI-OP-03."""
    written = changed(end_round(players=(player(tax=tax, unrest=5), player("Bola")), units=()))

    assert written.get(("Anna", "Bank ¤"), 0) == income
    assert written.get(("Anna", "Unrest"), 5) == unrest
    assert written["Anna", "Round"] == 2


def test_ci_op_25_a_hundred_tenths_are_exactly_ten() -> None:
    """Rounds of 16 % tax from 0 on: 9.9 after 99 of them, 10 and not 9.99999 after the hundredth."""
    unrest = 0.0
    for _ in range(99):
        unrest = changed(end_round(players=(player(tax=16, unrest=unrest), player("Bola")), units=()))["Anna", "Unrest"]
    assert unrest == 9.9
    last = changed(end_round(players=(player(tax=16, unrest=unrest), player("Bola")), units=()))
    assert (last["Anna", "Unrest"], last["Anna", "Status"]) == (10, "Lost")


def test_ci_op_18_the_order_of_causes_does_not_matter() -> None:
    """9.9 + 0.2 − 0.2: no rebellion on the way; 0.1 − 0.5 + 0.2 is 0 and not 0.2."""
    rising = end_round(players=(player(unrest=9.9, tax=17, bank=900), player("Bola")), units=(), funding=200)
    falling = end_round(players=(player(unrest=0.1, tax=17, bank=900), player("Bola")), units=(), funding=500)

    assert "Unrest: 9.9 → 9.9 (tax 17 % +0.2, domestic funding −0.2)" in lines(ruled(rising), "Anna")
    assert changed(falling)["Anna", "Unrest"] == 0


def test_ci_op_31_row_order_does_not_change_overthrows() -> None:
    """Both are overthrown: the first one's fall does not make the second a winner."""
    players = (player(tax=50, unrest=9), player("Bola", tax=50, unrest=9))
    outcome = ruled(end_round("", players=players, units=()))

    assert [(update.row, update.after) for update in outcome.updates if update.field == "Status"] == [
        ("Anna", "Lost"),
        ("Bola", "Lost"),
    ]
    assert outcome.figures["Winner"] is None


def test_settings_replace_numbers_of_the_round() -> None:
    """SET-03: half the income, rebellion at 5."""
    settings = (
        *reading("death_stat", "literal"),
        Setting(name="constants/CI-TAX-01/income_per_percent", value=5),
        Setting(name="constants/CI-UNR-08/overthrown_at", value=5),
    )
    inputs = end_round(players=(player(unrest=4, tax=25), player("Bola"), player("Chen")), settings=settings, units=())

    assert changed(inputs)["Anna", "Bank ¤"] == 125
    assert changed(inputs)["Anna", "Status"] == "Lost"
    assert lines(ruled(inputs), "Moderator's rulings") == [
        "Setting death_stat: literal",
        "Setting income_per_percent: 5",
        "Setting overthrown_at: 5",
    ]


def test_explain_names_every_term() -> None:
    inputs = end_round(players=(player(unrest=6, bank=400, tax=20), player("Bola")), units=(), funding=100)

    assert [variable.line() for variable in CIAIS.explain(inputs)] == [
        "Bank, Anna 500 = before 400 + income 200 − funding 100 [CI-TAX-01]",
        'Unrest, Anna 6.4 = before 6 + (tax 20 % "CI-UNR-01" 0.5 + economic failure "CI-UNR-03" 0'
        ' − domestic funding "CI-UNR-07" 0.1), at least 0 [CI-OP-18]',
    ]


def test_the_log_has_a_line_for_each_unit() -> None:
    heard: list[str] = []
    CIAIS.resolve(end_round(units=(unit(latitude=6.2),)), Rng(1), heard.extend)

    assert "Anna, Attrition: 1st Army: 6 by 6.2° to Home [CI-LOG-03]" in heard
