"""Who has won and who has lost."""

from typing import Any

from engine.ciais.inputs import CiaisInputs, CiaisOrder
from engine.ciais.records import Player
from tests.games.ciais.engine.games import changed, game, lines, player, ruled


def check(*players: Player, **order: Any) -> CiaisInputs:
    return game(CiaisOrder(kind="Check victory", **order), players=players, units=(), sites=())


def statuses(inputs: CiaisInputs) -> dict[str, str]:
    return {row: after for (row, field), after in changed(inputs).items() if field == "Status"}


def losses(inputs: CiaisInputs) -> dict[str, str]:
    return {row: after for (row, field), after in changed(inputs).items() if field == "Loss condition"}


def lost(name: str, **more: Any) -> Player:
    return player(name, status="Lost", loss="CI-LOSE-1", **more)


def test_two_remaining_players_have_not_won() -> None:
    outcome = ruled(check(player(), player("Bola"), lost("Chen")))

    assert (outcome.updates, outcome.summary) == ((), "Nobody has won yet")
    assert outcome.receipt.headline == "Nobody has won yet."


def test_ci_win_1_the_last_player_wins() -> None:
    outcome = ruled(check(player(), lost("Bola"), lost("Chen")))

    assert lines(outcome, "Anna") == ["Won: CI-WIN-1 last man standing"]
    assert outcome.figures == {"Winner": "Anna", "Chance": None}


def test_defeated_players_are_named_with_the_condition() -> None:
    outcome = ruled(check(player(), lost("Bola"), player("Chen", status="Lost")))

    assert lines(outcome, "Bola") == ["Lost: CI-LOSE-1, before"]
    assert lines(outcome, "Chen") == ["Lost: by the moderator, before"]


def test_ci_win_1_precedes_an_alliance_with_defeated_players() -> None:
    """Invariant 11: one condition at most."""
    inputs = check(player(alliance="East"), lost("Bola", alliance="East"), lost("Chen"))

    assert lines(ruled(inputs), "Anna") == ["Won: CI-WIN-1 last man standing"]


def test_ci_win_2_all_remaining_players_of_one_alliance_win() -> None:
    players = (player(alliance="East"), lost("Bola"), player("Chen", alliance="EAST"), lost("Dora", alliance="East"))
    outcome = ruled(check(*players))

    assert statuses(check(*players)) == {"Anna": "Won", "Chen": "Won"}
    assert lines(outcome, "Chen") == ["Won: CI-WIN-2 allied victory"]
    assert outcome.figures["Winner"] == "Anna, Chen"


def test_ci_win_2_two_alliances_have_not_won() -> None:
    assert statuses(check(player(alliance="East"), player("Bola", alliance="West"), lost("Chen"))) == {}
    assert statuses(check(player(), player("Bola"), lost("Chen"))) == {}


def test_ci_op_32_a_victory_needs_a_defeated_player() -> None:
    cases = [
        (player(),),
        (player(alliance="East"), player("Bola", alliance="East")),
        (player(alliance="East"), player("Bola", alliance="East"), lost("Chen", alliance="East")),
        (lost("Anna"), lost("Bola")),
        (player(), player("Bola", status="Won")),
    ]
    assert [(players, statuses(check(*players))) for players in cases if statuses(check(*players)) != {}] == []


def test_ci_win_3_ci_lose_3_the_highest_balance_wins_when_time_is_up() -> None:
    """CI-OP-24: not even the winner's ally wins; who had lost stays lost as before."""
    players = (player(bank=-5, alliance="East"), player("Bola", bank=70, alliance="East"), lost("Chen", bank=900))
    inputs = check(*players, player("Dora", bank=69.99), time_is_up=True)

    assert statuses(inputs) == {"Anna": "Lost", "Bola": "Won", "Dora": "Lost"}
    assert losses(inputs) == {"Anna": "CI-LOSE-3", "Dora": "CI-LOSE-3"}
    assert lines(ruled(inputs), "Balances") == ["Anna: −5 ¤", "Bola: 70 ¤", "Dora: 69.99 ¤"]
    assert lines(ruled(inputs), "Bola") == ["Won: CI-WIN-3 time is up, highest balance"]


def test_ci_op_23_equal_balances_win_together() -> None:
    inputs = check(player(bank=70), player("Bola", bank=70), player("Chen"), time_is_up=True)

    assert statuses(inputs) == {"Anna": "Won", "Bola": "Won", "Chen": "Lost"}
    assert ruled(inputs).figures["Winner"] == "Anna, Bola"


def test_ci_win_4_ci_lose_4_ci_op_24_a_nominated_player_wins() -> None:
    players = (player(alliance="East"), player("Bola", alliance="East"), player("Chen"), lost("Dora"))
    inputs = check(*players, nominee="Anna")

    assert statuses(inputs) == {"Anna": "Won", "Chen": "Lost"}
    assert losses(inputs) == {"Chen": "CI-LOSE-4"}
    assert lines(ruled(inputs), "Bola") == ["Ally of the winner: neither wins nor loses"]
    assert lines(ruled(inputs), "Anna") == ["Won: CI-WIN-4 nominated winner"]
