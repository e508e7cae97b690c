"""CI-RND: income, funding, unrest, attrition and land at the end of a round."""

from typing import Any

import pytest

from engine.ciais.inputs import CiaisOrder
from engine.rng import Rng
from engine.settings import Setting
from tests.games.ciais.engine.games import (
    CIAIS,
    changed,
    end_round,
    game,
    lines,
    player,
    reading,
    ruled,
    site,
    unit,
    unit_type,
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


def test_ci_ex_08_ci_unr_08_unrest_of_10_causes_overthrow() -> None:
    players = (player(tax=20, unrest=9.5, bank=50), player("Bola"), player("Chen"))

    assert changed(end_round(players=players, units=())) == {
        ("Anna", "Bank ¤"): 250,
        ("Anna", "Round"): 2,
        ("Anna", "Unrest"): 10,
        ("Anna", "Status"): "Lost",
        ("Anna", "Loss condition"): "CI-LOSE-2",
    }


def test_ci_op_25_a_hundred_tenths_are_exactly_ten() -> None:
    """Rounds of 16 % tax from 0 on: 9.9 after 99 of them, 10 and not 9.99999 after the hundredth."""
    unrest = 0.0
    for _ in range(99):
        unrest = changed(end_round(players=(player(tax=16, unrest=unrest), player("Bola")), units=()))["Anna", "Unrest"]
    assert unrest == 9.9
    last = changed(end_round(players=(player(tax=16, unrest=unrest), player("Bola")), units=()))
    assert (last["Anna", "Unrest"], last["Anna", "Status"]) == (10, "Lost")


def test_ci_ex_10_ci_op_17_only_full_hundreds_reduce_unrest() -> None:
    """250 ¤ are spent, and 100 come in."""
    inputs = end_round(players=(player(unrest=6, bank=400), player("Bola")), units=(), funding=250)

    assert changed(inputs) == {("Anna", "Bank ¤"): 250, ("Anna", "Round"): 2, ("Anna", "Unrest"): 5.8}
    assert lines(ruled(inputs), "Anna") == [
        "Income: 100 ¤ at 10 % tax",
        "Domestic funding: 250 ¤",
        "Bank: 400 → 250 ¤ (−150)",
        "Unrest: 6 → 5.8 (domestic funding −0.2)",
    ]


def test_ci_op_18_the_order_of_causes_does_not_matter() -> None:
    """9.9 + 0.2 − 0.2: no rebellion on the way; 0.1 − 0.5 + 0.2 is 0 and not 0.2."""
    rising = end_round(players=(player(unrest=9.9, tax=17, bank=900), player("Bola")), units=(), funding=200)
    falling = end_round(players=(player(unrest=0.1, tax=17, bank=900), player("Bola")), units=(), funding=500)

    assert "Unrest: 9.9 → 9.9 (tax 17 % +0.2, domestic funding −0.2)" in lines(ruled(rising), "Anna")
    assert changed(falling)["Anna", "Unrest"] == 0


def test_ci_op_16_a_recovered_balance_is_not_negative() -> None:
    players = (player(bank=-40, was_negative=True), player("Bola"))

    assert changed(end_round(players=players, units=())) == {
        ("Anna", "Bank ¤"): 60,
        ("Anna", "Bank was negative"): False,
        ("Anna", "Round"): 2,
    }


def test_ci_op_16_a_balance_still_below_0_fails_only_once() -> None:
    players = (player(bank=-400, was_negative=True), player("Bola"))

    assert changed(end_round(players=players, units=())) == {("Anna", "Bank ¤"): -300, ("Anna", "Round"): 2}


def test_ci_tax_02_a_rate_given_with_the_round_is_set_first() -> None:
    assert changed(end_round(tax=20, round=1, **QUIET)) == {
        ("Anna", "Tax %"): 20,
        ("Anna", "Tax changed in round"): 1,
        ("Anna", "Bank ¤"): 200,
        ("Anna", "Round"): 2,
        ("Anna", "Unrest"): 0.5,
    }


def test_ci_log_05_attrition_kills_units_at_the_end_of_a_round() -> None:
    units = (unit(latitude=51), unit("2nd Army", latitude=50), unit("Ghost", latitude=80, status="Lost"))
    inputs = end_round(units=units)

    assert changed(inputs) == {
        ("Anna", "Bank ¤"): 100,
        ("Anna", "Round"): 2,
        ("1st Army", "Attrition"): 51,
        ("1st Army", "Status"): "Lost",
        ("2nd Army", "Attrition"): 50,
    }
    assert "Lost to attrition: 1st Army (multi-l 5 → −0.1 at 51 points)" in lines(ruled(inputs), "Anna")


def test_ci_op_19_deaths_at_the_end_of_a_round_cause_no_unrest() -> None:
    assert "Unrest: 0 → 0" in lines(ruled(end_round(units=(unit(latitude=80),))), "Anna")


def test_ci_op_27_units_without_supply_keep_their_attrition() -> None:
    inputs = end_round(sites=(site("City", kind="city"),), units=(unit(latitude=80, attrition=3),))

    assert "Without supply: 1st Army: attrition stays as it is" in lines(ruled(inputs), "Anna")
    assert not {row for row, _ in changed(inputs)} & {"1st Army"}


def test_ci_lose_1_a_player_without_city_and_base_has_lost() -> None:
    players = (player(), player("Bola"), player("Chen"))
    inputs = end_round(players=players, units=(), sites=(site(kind="outpost"),))

    assert changed(inputs)["Anna", "Loss condition"] == "CI-LOSE-1"
    assert lines(ruled(inputs), "Anna")[-1] == "Lost: CI-LOSE-1 captured: no city and no base left"


def test_ci_op_27_an_empty_tab_of_sites_defeats_no_player() -> None:
    assert ("Anna", "Status") not in changed(end_round(units=(), sites=(), has_land_rows=False))


def test_ci_op_30_a_round_of_all_ends_for_every_player() -> None:
    """Chen has ended it, Dora has lost: Anna and Bola end round 1."""
    players = (player(), player("Bola", tax=5), player("Chen", round=2), player("Dora", status="Lost"))
    outcome = ruled(end_round("", players=players))

    assert {
        (update.row, update.field): update.after for update in outcome.updates if update.tab == "CiAIS Players"
    } == {
        ("Anna", "Bank ¤"): 100,
        ("Anna", "Round"): 2,
        ("Bola", "Bank ¤"): 50,
        ("Bola", "Round"): 2,
    }
    assert outcome.receipt.title == "Round 1: End round, all players"
    assert lines(outcome, "Chen") == ["Round: 1 was ended already"]
    assert lines(outcome, "Dora") == []


def test_ci_op_31_row_order_does_not_change_overthrows() -> None:
    """Both are overthrown: the first one's fall does not make the second a winner."""
    players = (player(tax=50, unrest=9), player("Bola", tax=50, unrest=9))
    outcome = ruled(end_round("", players=players, units=()))

    assert [(update.row, update.after) for update in outcome.updates if update.field == "Status"] == [
        ("Anna", "Lost"),
        ("Bola", "Lost"),
    ]
    assert outcome.figures["Winner"] is None


def test_ci_win_1_the_last_player_standing_after_a_round_wins() -> None:
    players = (player(tax=50, unrest=9), player("Bola"))

    assert ruled(end_round("", players=players, units=())).figures["Winner"] == "Bola"


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
        ' + domestic funding "CI-UNR-07" -0.1), at least 0 [CI-OP-18]',
    ]


def test_the_log_has_a_line_for_each_unit() -> None:
    heard: list[str] = []
    CIAIS.resolve(end_round(units=(unit(latitude=6.2),)), Rng(1), heard.extend)

    assert "Anna, Attrition: 1st Army: 6 by 6.2° to Home [CI-LOG-03]" in heard


def test_ci_op_26_cost_range_and_cooldown_are_not_enforced() -> None:
    """A unit may attack at any distance, again and again, whatever it costs."""
    order = CiaisOrder(kind="Battle", player="Anna", attacker="1st Army", defender="Guard", roll=1)
    types = (unit_type(cost=1, range=0, cost_t=1, cooldown="Infinity"),)
    units = (unit(), unit("Guard", "Bola", latitude=40))

    assert ruled(game(order, types=types, units=units)).winner == "Attacker"
