"""A battle for a city takes it in the same ruling, once, however the capture is typed besides (CI-OP-38)."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.workbooks import (
    OPTIONS,
    SECRET,
    column,
    forms,
    messages,
    pass_context,
    read,
    rehearse,
    run,
    workbook,
)
from sheets_algo.forecasts.outlook import Outlook
from sheets_algo.replays.replay import verify
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.games.ciais.ruling.games import game, type_in
from tests.ruling.test_lapsed_orders import receipts, says, statuses, take_back

FOR_LAGOS = {
    "Player": "Anna",
    "Order": "Battle",
    "Attacker unit": "1st Army",
    "Defender unit": "Lagos Guard",
    "City": "Lagos",
    "Roll": 1,
}
BY_HAND = {"Player": "Anna", "Order": "City captured", "City": "Lagos"}
END = {"Order": "End round"}


def holder(book: MemoryWorkbook, city: str = "Lagos") -> Any:
    return dict(zip(column(book, "CiAIS Sites", "Site"), column(book, "CiAIS Sites", "Owner"), strict=True))[city]


def test_ci_op_38_check_announces_a_prize_and_undo_returns_it() -> None:
    book = workbook(game(FOR_LAGOS))
    assert [*Outlook().lines(rehearse(read(book), forms()).findings.answers)] == ["C-1: The battle is for Lagos."]

    made = run(book)

    assert (statuses(made), holder(book)) == ({1: "Done"}, "Anna")
    assert "Lagos Bola → Anna" in says(made, 1)
    [ruling] = receipts(book).rulings
    assert "=== Capture ===\n* '''Lagos:''' Bola → Anna" in ruling.wiki
    form = next(form for form in forms() if form.key == "ciais")
    assert verify(ruling, form, pass_context().fingerprints["ciais"], SECRET, OPTIONS).differences == ()
    take_back(book, "C-1")
    assert holder(book) == "Bola"


@pytest.mark.parametrize(
    ("orders", "shown"),
    [
        ((FOR_LAGOS, BY_HAND, END), ["Done", "Lapsed", "Done"]),
        ((BY_HAND, FOR_LAGOS, END), ["Done", "Done", "Done"]),
        ((FOR_LAGOS, FOR_LAGOS, END), ["Done", "Lapsed", "Done"]),
    ],
)
def test_ci_op_38_a_prize_also_ordered_as_a_capture_counts_once(
    orders: tuple[dict[str, Any], ...], shown: list[str]
) -> None:
    book = workbook(game(*orders))
    run(book)
    made = run(book)

    assert [*statuses(made).values()] == shown
    fallen = [ruling.request for ruling in receipts(book).rulings if "enemy city captured −5" in ruling.wiki]
    assert fallen == ["C-1"]
    assert not run(book).writes.changes


def test_ci_op_38_a_typed_owner_gets_no_second_relief() -> None:
    book = workbook(game(FOR_LAGOS))
    for number, city in enumerate(column(book, "CiAIS Sites", "Site"), start=1):
        if city == "Lagos":
            type_in(book, "Owner", number, "Anna", "CiAIS Sites")

    made = run(book)

    assert statuses(made) == {1: "Done"}
    assert "Lagos is Anna's already, so the battle takes nothing" in says(made, 1)
    assert "enemy city captured" not in receipts(book).rulings[0].wiki


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ({"City": "Sydney"}, "Lagos Guard is 188.2° from Sydney. Name the city in which the defender stands"),
        ({"City": "Camp Niger"}, "Camp Niger is a base, not a city"),
        ({"City": "Lagoon"}, 'site not found: "Lagoon". Did you mean "Lagos"?'),
    ],
)
def test_ci_op_38_a_distant_city_cannot_be_a_prize(cells: dict[str, Any], told: str) -> None:
    [(_, status, message)] = messages(run(workbook(game(FOR_LAGOS | cells))))
    assert (status, told in message) == ("Invalid", True), message
