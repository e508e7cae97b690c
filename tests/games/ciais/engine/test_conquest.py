"""CI-CAP and what an overthrown player leaves behind (CI-LOSE-2)."""

import dataclasses
from typing import Any

from engine.ciais.inputs import CiaisInputs, CiaisOrder
from engine.ciais.records import CiaisUnit
from tests.games.ciais.engine.games import battle, changed, game, lines, player, ruled, site, unit


def capture(**more: Any) -> CiaisInputs:
    plain: dict[str, Any] = {
        "players": (player(unrest=7.5), player("Bola"), player("Chen")),
        "units": (),
        "sites": (site("Lagos", "Bola", kind="city"), site("Camp", "Bola")),
    }
    return game(CiaisOrder(kind="City captured", player="Anna", city="Lagos"), **plain | more)


def leaving(choice: str, heir: str = "", **more: Any) -> CiaisInputs:
    """Anna was overthrown: one unit left, a city at each end, a base and an outpost."""
    plain: dict[str, Any] = {
        "players": (
            player(status="Lost", loss="CI-LOSE-2", unrest=10),
            player("Bola"),
            player("Chen"),
            player("Dora", status="Lost"),
        ),
        "units": (unit(), unit("Ghost", status="Lost")),
        "sites": (
            site("Rome", kind="city"),
            site("Fort"),
            site("Hut", kind="outpost"),
            site("Pisa", kind="city"),
        ),
    }
    return game(CiaisOrder(kind="Overthrow choice", player="Anna", choice=choice, heir=heir), **plain | more)


def test_ci_cap_ci_unr_06_a_city_changes_hands() -> None:
    assert changed(capture()) == {("Lagos", "Owner"): "Anna", ("Anna", "Unrest"): 2.5}
    assert lines(ruled(capture()), "Capture") == ["Lagos: Bola → Anna"]
    assert ruled(capture()).summary == "Anna: unrest 7.5 → 2.5; Lagos is Anna's"


def test_ci_lose_1_losing_the_last_land_defeats_a_player() -> None:
    """An outpost is no land."""
    inputs = capture(sites=(site("Lagos", "Bola", kind="city"), site("Hut", "Bola", kind="outpost")))

    assert changed(inputs)["Bola", "Loss condition"] == "CI-LOSE-1"
    assert lines(ruled(inputs), "Bola") == ["Lost: CI-LOSE-1 captured: no city and no base left"]


def test_ci_op_28_a_base_alone_keeps_its_owner_in_the_game() -> None:
    assert ("Bola", "Status") not in changed(capture(sites=(site("Lagos", "Bola", kind="city"), site("Fort", "Bola"))))


def test_ci_cap_capturing_the_last_enemy_s_last_city_wins() -> None:
    inputs = capture(players=(player(), player("Bola")), sites=(site("Lagos", "Bola", kind="city"),))

    assert ruled(inputs).figures["Winner"] == "Anna"


def test_a_defeated_player_is_not_defeated_again() -> None:
    players = (player(), player("Bola", status="Lost", loss="CI-LOSE-2"), player("Chen"))
    inputs = capture(players=players, sites=(site("Lagos", "Bola", kind="city"),))

    assert changed(inputs) == {("Lagos", "Owner"): "Anna"}


def test_ci_lose_2a_an_heir_inherits_everything() -> None:
    assert changed(leaving("2a", "Chen")) == {
        ("1st Army", "Owner"): "Chen",
        ("Rome", "Owner"): "Chen",
        ("Fort", "Owner"): "Chen",
        ("Hut", "Owner"): "Chen",
        ("Pisa", "Owner"): "Chen",
        ("Anna", "Loss condition"): "CI-LOSE-2a",
    }
    assert lines(ruled(leaving("2a", "Chen")), "To Chen") == ["Units: 1st Army", "Sites: Rome, Fort, Hut, Pisa"]


def test_ci_lose_2b_ci_op_21_a_drawn_player_gets_the_cities() -> None:
    lucky = set()
    for seed in range(40):
        outcome = ruled(leaving("2b"), seed)
        written = {(update.row, update.field): update.after for update in outcome.updates}
        heir = written["Rome", "Owner"]
        lucky.add(heir)
        assert written == {
            ("1st Army", "Status"): "Lost",
            ("Rome", "Owner"): heir,
            ("Fort", "Owner"): None,
            ("Hut", "Owner"): None,
            ("Pisa", "Owner"): heir,
            ("Anna", "Loss condition"): "CI-LOSE-2b",
        }
        [draw] = [event for event in outcome.events if event.kind == "roll"]
        assert draw.text == f"To {heir}, Drawn: {('Bola', 'Chen').index(heir) + 1} of 2 (Bola, Chen): {heir}"
        assert draw.id == "CI-OP-21"

    assert lucky == {"Bola", "Chen"}


def test_ci_lose_2b_without_a_city_nothing_is_drawn() -> None:
    outcome = ruled(leaving("2b", sites=(site("Fort"),)))

    assert [event for event in outcome.events if event.kind == "roll"] == []
    assert lines(outcome, "Off the board") == ["Removed: 1st Army, Fort", "Cities: none"]


def test_ci_op_21_without_an_opponent_the_cities_have_no_owner() -> None:
    inputs = leaving("2b", players=(player(status="Lost", loss="CI-LOSE-2"), player("Bola", status="Lost")))

    assert changed(inputs)["Rome", "Owner"] is None
    assert "Cities: nobody's, since no opponent plays" in lines(ruled(inputs), "Off the board")


def test_ci_lose_2c_ci_op_22_the_estate_is_listed() -> None:
    assert changed(leaving("2c")) == {("Anna", "Loss condition"): "CI-LOSE-2c"}
    assert lines(ruled(leaving("2c")), "To be shared out by the other players") == [
        "Units: 1st Army",
        "Sites: Rome, Fort, Hut, Pisa",
    ]
    assert lines(ruled(leaving("2c")), "Anna") == ["Choice: CI-LOSE-2c the other players decide"]


def test_an_empty_estate_is_reported() -> None:
    outcome = ruled(leaving("2a", "Bola", units=(), sites=()))

    assert lines(outcome, "To Bola") == ["Units: none", "Sites: none"]


def siege(roll: int = 1, *garrison: CiaisUnit, **more: Any) -> CiaisInputs:
    """Anna attacks the guard of Lagos, where everybody stands, for the city."""
    sites = (site(), site("Lagos", "Bola", kind="city"), site("Camp", "Bola"))
    plain: dict[str, Any] = {"sites": sites, "units": (unit(), unit("Guard", "Bola"), *garrison)}
    inputs = battle(roll, **plain | more)
    return dataclasses.replace(inputs, order=dataclasses.replace(inputs.order, city="Lagos"))


def test_ci_op_38_a_won_battle_takes_the_city_in_the_same_ruling() -> None:
    """−1 for the battle and −5 for the city."""
    inputs = siege(players=(player(unrest=7.5), player("Bola")))

    assert changed(inputs)["Lagos", "Owner"] == "Anna"
    assert changed(inputs)["Anna", "Unrest"] == 1.5
    assert lines(ruled(inputs), "Capture") == ["Lagos: Bola → Anna"]
    assert ruled(inputs).summary.endswith("Lagos Bola → Anna")


def test_ci_op_38_lost_and_prevented_battles_take_no_city() -> None:
    for inputs in (siege(100), siege(units=(unit(longitude=60), unit("Guard", "Bola")))):
        assert ("Lagos", "Owner") not in changed(inputs)
        assert lines(ruled(inputs), "Capture") == []


def test_ci_op_38_a_garrison_holds_the_city() -> None:
    allies = player("Bola", alliance="League"), player("Chen", alliance="league")
    for holder, others in ((unit("Reserve", "Bola"), ()), (unit("Friend", "Chen", latitude=0.9), allies)):
        inputs = siege(1, holder, players=(player(), *(others or (player("Bola"),))))
        assert ("Lagos", "Owner") not in changed(inputs)
        assert lines(ruled(inputs), "Capture") == [f"Lagos: not taken: held by {holder.name}"]


def test_ci_op_38_lost_distant_and_foreign_units_do_not_hold_a_city() -> None:
    away, lost, other = unit("Away", "Bola", latitude=1), unit("Ghost", "Bola", status="Lost"), unit("Spy", "Chen")

    assert (
        changed(siege(1, away, lost, other, players=(player(), player("Bola"), player("Chen"))))["Lagos", "Owner"]
        == "Anna"
    )


def test_ci_op_38_an_own_city_is_not_taken_twice() -> None:
    inputs = siege(
        sites=(site(), site("Lagos", kind="city"), site("Camp", "Bola")), players=(player(unrest=9), player("Bola"))
    )

    assert changed(inputs)["Anna", "Unrest"] == 8
    assert lines(ruled(inputs), "Capture") == ["Lagos: not taken: Anna's already"]


def test_ci_op_38_the_last_land_of_the_last_enemy_wins_the_game() -> None:
    inputs = siege(sites=(site(), site("Lagos", "Bola", kind="city"), site("Post", "Bola", kind="outpost")))

    assert changed(inputs)["Bola", "Loss condition"] == "CI-LOSE-1"
    assert changed(inputs)["Anna", "Status"] == "Won"
