"""CI-OP-29: what Forecast says, exactly and by drawing."""

import numpy as np
from hypothesis import given

from engine.ciais.inputs import CiaisInputs, CiaisOrder
from engine.forecast import joined, summed_up
from engine.rng import Rng
from engine.ruleset import MachineCode
from tests.games.ciais.engine.games import CIAIS, GAMES, SEEDS, battle, end_round, game, player, site, unit
from tests.helpers.example_budget import LAW


def leaving(*others: str) -> CiaisInputs:
    players = (player(status="Lost", loss="CI-LOSE-2"), *map(player, others))
    return game(
        CiaisOrder(kind="Overthrow choice", player="Anna", choice="2b"), players=players, sites=(site(kind="city"),)
    )


def test_a_battle_s_forecast_has_attrition_and_odds() -> None:
    inputs = battle(None, sites=(site(latitude=10), site("Camp", "Bola")))

    assert CIAIS.forecast(inputs) == (
        "1st Army wins 44 %, Guard wins 56 %; attrition: 1st Army 10 (5 → 4), Guard 0 (5 → 5)"
    )


def test_a_battle_prevented_by_attrition_is_forecast() -> None:
    inputs = battle(None, sites=(site(latitude=60), site("Camp", "Bola")))
    drawn = CIAIS.replicates(inputs, 1, 0, 20)

    assert CIAIS.forecast(inputs).startswith("no battle: 1st Army dies of attrition; attrition: 1st Army 60 (5 → 0)")
    assert drawn.winner is not None
    assert set(drawn.winner) == {-1}


def test_drawn_odds_agree_with_exact_ones() -> None:
    inputs = battle(None, sites=(site(latitude=10), site("Camp", "Bola")))
    found = summed_up(CIAIS.replicates(inputs, 7, 0, 4000))

    assert found.winners is not None
    assert found.winners.attacker.low < 0.44 < found.winners.attacker.high
    assert found.winners.undecided.share == 0
    assert list(found.numbers) == ["Anna unrest", "Bola unrest"]


def test_a_given_roll_makes_the_result_certain() -> None:
    drawn = CIAIS.replicates(battle(45), 7, 0, 50)

    assert drawn.winner is not None
    assert set(drawn.winner) == {0}


def test_other_orders_forecast_bank_unrest_and_status() -> None:
    players = (player(unrest=9.9, tax=20, bank=10), player("Bola"), player("Chen"))
    drawn = CIAIS.replicates(end_round(players=players), 7, 0, 3)

    assert drawn.winner is None
    assert {name: set(measure.values) for name, measure in drawn.numbers.items()} == {
        "Anna bank": {210},
        "Anna unrest": {10.4},
    }
    assert {name: [kinds.names[code] for code in kinds.codes] for name, kinds in drawn.words.items()} == {
        "Anna status": ["Lost"] * 3
    }
    assert CIAIS.forecast(end_round(players=players)) == (
        "Anna: bank 10 → 210 ¤, unrest 9.9 → 10.4, lost, overthrown [CI-LOSE-2]"
    )


def test_a_round_of_all_forecasts_every_player() -> None:
    drawn = CIAIS.replicates(end_round(""), 7, 0, 1)

    assert list(drawn.numbers) == ["Anna bank", "Anna unrest", "Bola bank", "Bola unrest"]


def test_a_captured_city_forecasts_both_players() -> None:
    order = CiaisOrder(kind="City captured", player="Anna", city="Lagos")
    drawn = CIAIS.replicates(game(order, sites=(site("Lagos", "Bola", kind="city"),), units=()), 7, 0, 1)

    assert list(drawn.words) == ["Anna status", "Bola status"]
    assert drawn.words["Bola status"].names[drawn.words["Bola status"].codes[0]] == "Lost"


def test_the_end_of_the_game_forecasts_all_players() -> None:
    order = CiaisOrder(kind="Check victory", time_is_up=True)
    drawn = CIAIS.replicates(
        game(order, players=(player(bank=1), player("Bola"), player("Dora", status="Lost"))), 7, 0, 1
    )

    assert [kinds.names[kinds.codes[0]] for kinds in drawn.words.values()] == ["Won", "Lost"]


def test_drawn_opponents_are_forecast() -> None:
    cases = [
        ((), "choice 2b"),
        (("Bola",), "choice 2b, to Bola"),
        (("Bola", "Chen"), "each 1 in 2: choice 2b, to Bola | choice 2b, to Chen"),
    ]
    assert [(others, CIAIS.forecast(leaving(*others))) for others, _ in cases] == cases


@LAW
@given(GAMES, SEEDS)
def test_replicate_0_is_the_ruling(inputs: CiaisInputs, seed: int) -> None:
    drawn = CIAIS.replicates(inputs, seed, 0, 1)
    ruled = CIAIS.resolve(inputs, Rng(seed))
    written = {(update.row, update.field): update.after for update in ruled.updates}

    for name, measure in drawn.numbers.items():
        who, what = name.rsplit(" ", 1)
        before = next(row for row in inputs.players if row.name == who)
        field, old = ("Bank ¤", before.bank) if what == "bank" else ("Unrest", before.unrest)
        assert measure.values[0] == written.get((who, field), old)
    if drawn.winner is not None:
        assert {0: "Attacker", 1: "Defender", -1: ""}[int(drawn.winner[0])] == ruled.winner


def test_chunks_do_not_change_the_results() -> None:
    inputs = battle(None, units=(unit(), unit("Guard", "Bola")))
    whole = CIAIS.replicates(inputs, 3, 0, 30)
    parts = joined([CIAIS.replicates(inputs, 3, 0, 7), CIAIS.replicates(inputs, 3, 7, 23)])

    assert whole.winner is not None
    assert parts.winner is not None
    assert np.array_equal(whole.winner, parts.winner)


def test_machine_code_is_not_offered() -> None:
    assert CIAIS.compile(battle(), lambda function, instead: "refused", MachineCode()) == ""
