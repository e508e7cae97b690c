"""Promises that nobody could keep, since a ruling before them has killed a leader (LUCK-13)."""

from __future__ import annotations

from typing import Any

from scripts.support.beacon_rounds import INPUTS, BeaconSeason, after_round, before_round, luck_line
from scripts.support.smallest_war import war_form, war_rows
from sheets_algo.replays.promise_problems import promise_problems
from sheets_algo.ruling.luck.draw import Secret
from sheets_algo.ruling.promises.promises import Promises

REFUSES = INPUTS.replace("warn", "refuse")
DEADLY = Secret(b"a secret under which Harold dies, number 0")
"""The first of some secrets under which Harold leads the first war, in which he is killed."""


def led_by_harold(**decided: str) -> BeaconSeason:
    """Return a season of three promised wars, the first two of which Harold leads and only the first survives."""
    rows = war_rows()
    rows["Leaders"] = [{"Name": name, "Nation": "Left", "Martial": 10} for name in ("Harold", "Gyrth")]
    first, other = rows["Militaries"]
    rows["Militaries"] = [first | {"Leader": "Harold", "Size": 3_000}, other, first | {"Name": "Reserve"}]
    rows["War Requests"] = [
        rows["War Requests"][0]
        | {"Request": f"W-{number}", "War": f"Quarrel {number}", "Year": 1000 + number, "Attacker Military": army}
        for number, army in enumerate(("Host of Left", "Host of Left", "Reserve"), start=1)
    ]
    rows["Overrides"] = [decided] if decided else []
    wars = BeaconSeason(rows, DEADLY, REFUSES)
    wars.run(before_round(123))
    return wars


def line(wars: BeaconSeason, request: str) -> str:
    """Return what the receipt of a request says of its promises."""
    return luck_line(wars.receipts.ruling_of(request)).partition(" promised in receipt ")[2].partition(". ")[2]


def is_sound(wars: BeaconSeason) -> bool:
    """Tell whether anybody finds every ruling and promise as it should be."""
    known = wars.receipts
    assert not [*promise_problems(Promises(known), {"autoalgo": war_form()})]
    rulings = [ruling.request for ruling in known.rulings if not known.is_undone(ruling)]
    return all(wars.verified(request, DEADLY).is_equal for request in rulings)


def statuses(wars: BeaconSeason) -> list[Any]:
    header, *rows = wars.book.rows("War Requests")
    return [row[header.index("Status")] for row in rows]


def test_luck_13_a_promise_with_a_killed_leader_is_not_blamed() -> None:
    wars = led_by_harold()
    wars.run(after_round(123))
    assert statuses(wars) == ["Done", "Invalid", "Done"]
    assert line(wars, "W-3") == "First promise."
    assert is_sound(wars)
    said = (
        "Promises: 2 kept, 0 withdrawn before their round, 0 after, 1 that could not be kept, as a leader was killed,"
    )
    assert Promises(wars.receipts).summary() == f"{said} 0 open."


def test_luck_13_another_leader_is_a_new_promise_with_the_reason() -> None:
    wars = led_by_harold()
    wars.run(after_round(123))
    wars.edit("Militaries", 2, "Leader", "Gyrth")
    wars.run(before_round(1000))
    wars.run(after_round(1000))
    said = (
        "Second promise; one that could not be kept, as a leader was killed (receipt 5). Changed by people: leader of"
    )
    assert line(wars, "W-2").startswith(f"{said} Host of Left (Left): Harold → Gyrth.")
    assert is_sound(wars)


def test_luck_13_a_leader_killed_by_a_decision_excuses_nothing() -> None:
    wars = led_by_harold(
        Request="W-1", Kind="Result", What="Left Leader", Value="killed", Reason="so it was", By="Anna"
    )
    wars.run(after_round(123))
    assert statuses(wars) == ["Done", "Invalid", "Done"]
    assert line(wars, "W-3") == "First promise; one of the same parties promised earlier and not ruled (receipt 3)."
    assert is_sound(wars)


def test_luck_13_deaths_out_of_order_or_in_undone_rulings_excuse_nothing() -> None:
    wars = led_by_harold()
    wars.edit("War Requests", 2, "Ready", False)  # the deadly war, which comes first
    wars.edit("War Requests", 3, "Ready", False)
    wars.run(after_round(123))
    assert "two of the same parties promised earlier and not ruled (receipts 2, 3)" in line(wars, "W-3")
    undone = led_by_harold()
    undone.edit("War Requests", 4, "Ready", False)
    undone.run(after_round(123))
    undone.edit("War Requests", 3, "Ready", False)
    undone.undo("W-1", after_round(123) + 1)
    undone.edit("War Requests", 4, "Ready", True)
    undone.run(after_round(123) + 2)
    assert "two of the same parties promised earlier and not ruled (receipts 2, 3)" in line(undone, "W-3")
    assert is_sound(wars)
    assert is_sound(undone)


def test_luck_13_a_promise_delayed_until_its_leader_s_death_is_reported() -> None:
    wars = led_by_harold()
    wars.edit("War Requests", 2, "Year", 1009)  # the deadly war becomes the last of the promises
    wars.edit("War Requests", 3, "Ready", False)
    wars.edit("War Requests", 4, "Ready", False)
    wars.run(before_round(1000))
    wars.run(after_round(1000))
    wars.edit("War Requests", 4, "Ready", True)
    wars.run(after_round(1000) + 1)
    assert "of the same parties promised earlier and not ruled (receipts" in line(wars, "W-3")
