"""Orders that players write themselves: a Form's responses and tabs of players (TRN-10, TRN-11, TRN-12)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from scripts.support.toys.rounds.form import RoundForm
from scripts.support.workbooks import (
    Rows,
    check,
    column,
    forms,
    grids,
    pass_context,
    read,
    undo,
)
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.workbook.errors import StaleWorkbook
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.values import CellError, PerCent
from tests.helpers.sent_orders import AFTER, BEFORE, FORM, LATER, TURNS, at, look, says, seen
from tests.ruling.test_lapsed_orders import game

ROUNDS, PLAYERS = "Round Requests", "Round Players"
THIRD = {"Turn": 3, "Deadline": "2026-03-01 20:00", "Orders From": FORM}
HEADS = ("Timestamp", "Email Address", "Order", "Tax %", "Notes")
END = {"Order": "End round"}


def season(*responses: tuple[Any, ...], turn: Any = THIRD, heads: Any = HEADS, orders: Any = ()) -> MemoryWorkbook:
    """Return the game of the toy `rounds` in round 3, in which a Form collects the orders."""
    rows: Rows = game(*orders) | {TURNS: [dict(turn), {"Turn": 4, "Deadline": "2026-03-02 20:00"}]}
    for player in rows[PLAYERS]:
        player["Contact"] = f"{player['Player']}@Games.example"
    return MemoryWorkbook(grids(rows) | {FORM: [list(heads), *map(list, responses)]})


def tax(who: str, rate: Any, second: int, notes: str | None = None) -> tuple[Any, ...]:
    return at(second), f"{who}@games.example", "Set tax", rate, notes


def orders(book: MemoryWorkbook) -> list[tuple[Any, ...]]:
    """Return player, order, tax and status of each request."""
    return [*zip(*(column(book, ROUNDS, head) for head in ("Player", "Order", "Tax %", "Status")), strict=True)]


def status(book: MemoryWorkbook, turn: int = 0) -> str:
    return str(column(book, TURNS, "Status")[turn])


def sealed(book: MemoryWorkbook) -> list[str]:
    """Return the texts of the receipts of orders that were sent."""
    return [receipt.wiki for receipt, _ in read_receipts(read(book)).sealed]


def test_trn_12_responses_become_orders_at_the_deadline_and_are_ruled_once() -> None:
    book = season(tax("ANNA", 12, 1), tax("chen", 9, 2, "please"))
    look(book, BEFORE)
    assert status(book) == "Open: 0 orders fit, 2 sent by players"
    assert column(book, TURNS, "Ordered")[0] == "Anna, Chen"
    assert orders(book) == []

    for _ in range(3):
        look(book, AFTER)

    assert orders(book) == [
        ("Anna", "Set tax", 12, "Done"),
        ("Chen", "Set tax", 9, "Done"),
        (None, "End round", None, "Done"),
    ]
    assert column(book, ROUNDS, "Notes")[1] == "please"
    assert status(book) == f"Ended at {AFTER} by receipt 5"
    [text] = sealed(book)
    assert text.startswith("Round 3: 2 orders of players, by the time of the spreadsheet. Closed for Anna, Bola, Chen")
    assert "* R-0001: Anna, sent 2026-03-01 18:00:01, SHA-256 " in text
    assert "games.example" not in text  # everybody may read receipts


def test_trn_12_copies_and_their_receipt_are_one_write_before_any_ruling() -> None:
    book = season(tax("Anna", 12, 1))
    snapshot = seen(book)

    plan = plan_pass(snapshot, pass_context(), AFTER)

    assert not plan.rulings
    assert [(row.tab.name, row.values[:1]) for row in plan.writes.changes.rows] == [
        (ROUNDS, ("R-0001",)),
        ("Receipts", (2,)),
    ]
    assert plan.writes.changes.guard == 2
    book.commit(snapshot, plan.writes.changes)
    with pytest.raises(StaleWorkbook):  # another watcher, which read the same, comes too late
        book.commit(snapshot, plan.writes.changes)
    look(book, AFTER)
    assert [row[3] for row in orders(book)] == ["Done", "Done"]


def test_trn_12_orders_sent_or_edited_after_the_deadline_count_for_the_next_round() -> None:
    book = season(tax("Anna", 12, 1))
    look(book, AFTER)
    book.type_in(FORM, 2, 1, datetime(2026, 3, 1, 20, 5))  # Forms writes an edited response over the first one
    book.type_in(FORM, 2, 4, 13)
    for place, cell in enumerate(tax("Bola", 8, 4000), start=1):
        book.type_in(FORM, 3, place, cell)

    look(book, LATER)
    assert len(orders(book)) == 2
    assert status(book, 1) == "Open: 0 orders fit, 2 sent by players"
    look(book, "2026-03-02T20:00:00Z")

    assert orders(book)[2:4] == [("Bola", "Set tax", 8, "Done"), ("Anna", "Set tax", 13, "Done")]
    assert column(book, ROUNDS, "Round") == [3, 3, 4, 4, 4]


def test_trn_12_the_last_of_similar_orders_counts() -> None:
    """The one is a correction, or a second press of the button; a raid of another player is another order."""
    heads = ("Timestamp", "Email Address", "Order", "Target", "Tax %", "Notes")
    raided = ("Canada", "Iberia")
    rows: list[tuple[Any, ...]] = [(at(n), "anna@games.example", "Raid", name) for n, name in enumerate(raided)]
    rows += [(at(10), "anna@games.example", "set  TAX", None, 12), (at(20), "anna@games.example", *rows[0][2:])]
    rows += [(at(15), "anna@games.example", "Set tax", None, 14, "I meant this")]
    book = season(*rows, heads=heads)

    look(book, AFTER)

    assert [(order, rate) for _, order, rate, _ in orders(book)[:-1]] == [
        ("Raid", None),
        ("Set tax", 14),
        ("Raid", None),
    ]
    assert column(book, ROUNDS, "Target")[:3] == ["Iberia", None, "Canada"]
    assert "Of orders of one thing the last counts, without 2 earlier ones." in sealed(book)[0]


def test_trn_11_the_address_identifies_the_player_whatever_is_typed() -> None:
    heads = ("Timestamp", "Email Address", "Player", "Order", "Tax %", "Die", "Action", "Seed")
    mine = (at(1), "bola@games.example", "Anna", "Set tax", 90, 99, "Rule again", 7)
    book = season(mine, heads=heads)

    plan = look(book, BEFORE)

    assert f"'{FORM}'!C2 (Player): warning: \"Anna\" is not who sent it; the order counts for Bola. [TRN-11]" in says(
        plan
    )
    look(book, AFTER)
    assert orders(book)[0] == ("Bola", "Set tax", 90, "Done")
    assert [column(book, ROUNDS, head)[0] for head in ("Die", "Action", "Seed")] == [None, None, None]


@pytest.mark.parametrize("order", ["Give gold", "give  GOLD", "Take the crown", "Close the game"])
def test_trn_11_players_cannot_send_moderators_orders(order: str) -> None:
    heads = ("Timestamp", "Email Address", "Order", "Gold ¤")
    book = season((at(1), "bola@games.example", order, 1000), heads=heads)

    plan = look(book, AFTER)

    assert [row[1] for row in orders(book)] == ["End round"]
    assert any(
        "is not an order of players. Order it yourself, or delete the row. [TRN-11]" in text for text in says(plan)
    )


def test_trn_11_a_player_ends_only_his_own_round_with_funding() -> None:
    heads = ("Timestamp", "Email Address", "Order", "Gift ¤", "Player")
    ends = [(at(1), "chen@games.example", "End round", 100, None), (at(2), "anna@games.example", "End round", 0, "")]
    book = season(*ends, heads=heads, turn=THIRD | {"Deadline": None}, orders=(END,))

    look(book, BEFORE)

    assert [(who, state) for who, _, _, state in orders(book)] == [(None, "Done"), ("Chen", "Done"), ("Anna", "Done")]
    assert column(book, PLAYERS, "Round") == [4, 4, 4, 4, 4, 3]  # the last one has lost before


def test_trn_12_a_ticked_end_takes_sent_orders_even_from_above_them() -> None:
    book = season(tax("Anna", 12, 1), turn=THIRD | {"Deadline": None}, orders=(END,))

    look(book, BEFORE)

    assert orders(book) == [(None, "End round", None, "Done"), ("Anna", "Set tax", 12, "Done")]


def test_trn_12_a_ticked_end_takes_sent_orders_despite_a_mistyped_deadline() -> None:
    book = season(tax("Anna", 12, 1), turn=THIRD | {"Deadline": "tomorrow"}, orders=(END,))

    look(book, AFTER)

    assert orders(book) == [(None, "End round", None, "Done"), ("Anna", "Set tax", 12, "Done")]


def test_num_03_a_tax_below_1_per_cent_is_copied_as_intended() -> None:
    """A plain number is copied as it is, since nobody knows which he means; its request says what to type."""
    book = season(tax("Anna", "0.5 %", 1), tax("Bola", PerCent(0.005), 2), tax("Chen", 0.5, 3), tax("Eve", "0.5", 4))

    look(book, AFTER)

    assert orders(book)[:4] == [
        ("Anna", "Set tax", "0.5 %", "Done"),
        ("Bola", "Set tax", "0.5 %", "Done"),
        ("Chen", "Set tax", 0.5, "Lapsed"),
        ("Eve", "Set tax", "0.5", "Done"),
    ]
    assert "0.5 could mean 0.5 % or 50 %" in str(column(book, ROUNDS, "Message")[2])


def test_trn_12_a_round_with_errors_takes_no_further_orders() -> None:
    book = season(tax("Anna", "much", 1), turn=THIRD | {"Deadline": None}, orders=(END,))
    look(book, BEFORE)
    assert [row[3] for row in orders(book)] == ["Waiting", "Invalid"]
    for place, cell in enumerate(tax("Bola", 8, 60), start=1):
        book.type_in(FORM, 3, place, cell)
    look(book, AFTER)
    assert len(orders(book)) == 2
    book.type_in(ROUNDS, 3, grids({ROUNDS: []})[ROUNDS][0].index("Tax %") + 1, 15)

    plan = look(book, LATER)

    assert [row[3] for row in orders(book)] == ["Done", "Done"]
    assert 'Not as it was sent: Tax % was "much"' in plan.findings.answers[1].cells.message


def test_trn_12_a_deadline_with_ask_closes_the_round_until_it_is_moved() -> None:
    book = season(tax("Anna", 12, 1), turn=THIRD | {"At Deadline": "Ask"})
    look(book, AFTER)
    assert [row[3] for row in orders(book)] == ["Done"]
    for place, cell in enumerate(tax("Bola", 8, 60), start=1):
        book.type_in(FORM, 3, place, cell)
    look(book, LATER)
    assert len(orders(book)) == 1

    book.type_in(TURNS, 2, grids({TURNS: []})[TURNS][0].index("Deadline") + 1, "2026-03-01 21:00")
    look(book, LATER)
    assert status(book) == "Open: 1 order fits, 1 sent by players"
    look(book, "2026-03-01T21:00:00Z")

    assert [row[:3] for row in orders(book)] == [("Anna", "Set tax", 12), ("Bola", "Set tax", 8)]


def test_trn_12_a_round_with_an_undone_end_takes_orders_again_but_none_twice() -> None:
    book = season(tax("Anna", 12, 1))
    look(book, AFTER)
    snapshot = seen(book)
    book.commit(snapshot, undo(snapshot, forms(), "R-0002", LATER)[1])
    for place, cell in enumerate(tax("Bola", 8, 60), start=1):
        book.type_in(FORM, 3, place, cell)
    look(book, LATER)

    book.type_in(TURNS, 2, grids({TURNS: []})[TURNS][0].index("Deadline") + 1, "2026-03-01 21:00")
    look(book, "2026-03-01T21:00:00Z")

    assert [row[:3] for row in orders(book)] == [
        ("Anna", "Set tax", 12),
        (None, "End round", None),
        ("Bola", "Set tax", 8),
        (None, "End round", None),
    ]


def test_trn_12_deleting_or_moving_a_taken_response_changes_nothing() -> None:
    book = season(tax("Anna", 12, 1), tax("Chen", 9, 2))
    snapshot = seen(book)
    book.commit(snapshot, plan_pass(snapshot, pass_context(), AFTER).writes.changes)
    for place, cell in enumerate(tax("Chen", 9, 2), start=1):
        book.type_in(FORM, 2, place, cell)
        book.type_in(FORM, 3, place, None)

    look(book, AFTER)
    look(book, "2026-03-02T20:00:00Z")

    assert [row[:3] for row in orders(book)] == [
        ("Anna", "Set tax", 12),
        ("Chen", "Set tax", 9),
        (None, "End round", None),
        (None, "End round", None),
    ]


def test_trn_12_lost_receipts_duplicate_no_order_with_a_row() -> None:
    book = season(tax("Anna", 12, 1))
    snapshot = seen(book)
    plan = plan_pass(snapshot, pass_context(), AFTER)
    rows = [row for row in plan.writes.changes.rows if row.tab.name == ROUNDS]
    assert len(rows) == 1
    for place, cell in enumerate(rows[0].values, start=1):
        book.type_in(ROUNDS, 2, place, cell)

    look(book, AFTER)

    assert [row[:2] for row in orders(book)] == [("Anna", "Set tax"), (None, "End round")]


def own_tabs(*rows: tuple[Any, ...], title: str = "Orders of Chen", **more: Any) -> MemoryWorkbook:
    """Return the game with a tab of one player beside the Form."""
    book = season(turn=THIRD | {"Orders From": title} | more)
    tabs = {tab: book.rows(tab) for tab in book.tabs if tab != FORM}
    return MemoryWorkbook(tabs | {title: [["Round", "Player", "Order", "Tax %"], *map(list, rows)]})


def test_trn_10_a_tab_belongs_to_the_player_in_its_title() -> None:
    rows = [(3, "Anna", "Set tax", 7), (4, None, "Set tax", 8), (2, None, "Set tax", 6), (None, None, "Set tax", 5)]
    book = own_tabs(*rows)

    plan = look(book, AFTER)

    assert orders(book)[0] == ("Chen", "Set tax", 7, "Done")
    assert len(orders(book)) == 2
    told = [text for text in says(plan) if text.startswith("'Orders of Chen'!")]
    assert told == [
        "'Orders of Chen'!B2 (Player): warning: \"Anna\" is not who sent it; the order counts for Chen. [TRN-11]",
        "'Orders of Chen'!A4 (Round): warning: the order is for round 2, which is over. Type a later round, or delete"
        " the row. [TRN-12]",
        "'Orders of Chen'!C5 (Order): warning: has neither the time of a Form nor a round, so nobody knows of which"
        " round it is. Type the round. [TRN-12]",
    ]
    look(book, "2026-03-02T20:00:00Z")
    assert orders(book)[2] == ("Chen", "Set tax", 8, "Done")
    book.type_in("Orders of Chen", 2, 4, 9)  # a round that is over
    told = " ".join(says(look(book, "2026-03-02T20:00:01Z")))
    assert all(f"is for round {past}, which is over. Type" in told for past in (2, 3))


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"turn": THIRD | {"Orders From": "Form Response 1"}}, 'no tab is called "Form Response 1". Did you mean'),
        ({"turn": THIRD | {"Orders From": ROUNDS}}, f'"{ROUNDS}" is a tab of the program. Name the tab'),
        ({"heads": ("Timestamp", "Email Address", "What?", "Tax %")}, 'no column "Order" found in row 1. Call'),
        (
            {"heads": ("Timestamp", "Who are you?", "Order", "Tax %")},
            'no column "Email Address" found in row 1, and no',
        ),
        (
            {"heads": ("Timestamp", "Email Address", "Order", "Tax%%")},
            'the header "Tax%%" looks like "Tax %", which is',
        ),
        ({"heads": ("Timestamp", "Email Address", "Order", "Tax %", "Tax %")}, 'a second column "Tax %", of which'),
    ],
)
def test_trn_10_an_unreadable_tab_holds_the_round(more: Any, found: str) -> None:
    book = season(tax("Anna", 12, 1), **more)

    plan = look(book, AFTER)

    assert orders(book) == []
    assert any(found in text and text.endswith("[TRN-10]") for text in says(plan))
    assert found in status(book)
    assert status(book).startswith("The deadline is over, and the turn ends once all is ruled: 0 orders fit")
    assert any(found in str(problem) for problem in check(seen(book), forms()))
    for place, head in enumerate(HEADS, start=1):
        book.type_in(FORM, 1, place, head)
    book.type_in(TURNS, 2, grids({TURNS: []})[TURNS][0].index("Orders From") + 1, FORM)
    look(book, LATER)
    assert [row[3] for row in orders(book)] == ["Done", "Done"]


def test_trn_11_strangers_and_hostile_cells_neither_block_nor_lose_orders() -> None:
    long = "x" * 50_000
    rows = [
        (at(1), "nobody@elsewhere.example", "Set tax", 1),
        (at(2), None, "Set tax", 1),
        (at(3), "anna@games.example", '=IMPORTRANGE("https://example.org","A1")', 1),
        (at(4), "bola@games.example", "Set tax", CellError("#REF!")),
        (at(5), "chen@games.example", "Set tax", "=1+1"),
        (at(6), "chen@games.example", "Set tax", 8, long),
        (at(6), "eve@games.example", long[:16_000], 3),
        ("Timestamp", "Email Address", "Order", "Tax %"),
        (at(7), "dmitri@games.example", "Set tax", 11),
    ]
    book = season(*rows)

    plan = look(book, AFTER)

    assert [(row[0], row[3]) for row in orders(book)] == [
        ("Anna", "Lapsed"),
        ("Bola", "Lapsed"),
        ("Chen", "Lapsed"),
        ("Eve", "Lapsed"),
        ("Dmitri", "Done"),
        (None, "Done"),
    ]
    assert column(book, ROUNDS, "Order")[0] == '=IMPORTRANGE("https://example.org","A1")'
    told = "Notes): warning: 50,000 characters are more than the 16,383 that are copied. Shorten it. [TRN-12]"
    assert any(told in text for text in says(plan))
    told, *others = [text for text in says(plan) if "TRN-11" in text]
    assert [text.partition(" is the")[0].partition("warning: ")[2] for text in others] == ['""', '"email address"']
    assert told == (
        f"'{FORM}'!B2: warning: \"nobody@elsewhere.example\" is the address of no player."
        " Type it beside its player, or delete the row. [TRN-11]"
    )
    assert len(column(book, FORM, "Order")) == len(rows)


def test_trn_12_an_invalid_order_is_reported_with_its_cell_before_the_end() -> None:
    heads = ("Timestamp", "Email Address", "Order", "Tax %", "Target", "Notes")
    rows = [
        (at(1), "anna@games.example", "Set tax", "abc"),
        (at(2), "bola@games.example", "Sit tax", 8),
        (at(3), "chen@games.example", "Raid", None, "Chn", "abc"),
        (at(4), "dmitri@games.example", "Set tax", "12,5", None, 7),
    ]
    book = season(*rows, heads=heads)

    for told in (says(look(book, BEFORE)), [str(problem) for problem in check(seen(book), forms())]):
        [tax_rate, order, target] = [text for text in told if FORM in text]
        assert tax_rate.startswith(f"'{FORM}'!D2 (Tax %): warning: \"abc\" is not a number.")
        assert order.startswith(f"'{FORM}'!C3 (Order): warning: \"Sit tax\" is not allowed.")
        assert target.startswith(f"'{FORM}'!E4 (Target): warning: player not found: \"Chn\".")

    look(book, AFTER)
    assert [row[3] for row in orders(book)] == ["Lapsed", "Lapsed", "Lapsed", "Done", "Done"]


def test_trn_12_the_problem_of_a_taken_order_is_no_longer_reported() -> None:
    book = own_tabs((3, None, "Set tax", "abc"))
    told = "'Orders of Chen'!D2 (Tax %): warning: \"abc\" is not a number"
    assert told in " ".join(says(look(book, BEFORE)))

    look(book, AFTER)

    assert orders(book)[0] == ("Chen", "Set tax", "abc", "Lapsed")
    assert told not in " ".join(str(problem) for problem in check(seen(book), forms()))


def test_trn_12_thousands_of_responses_of_one_player_count_as_a_hundred() -> None:
    heads = ("Timestamp", "Email Address", "Order", "Target")
    flood = [(at(n % 3600), "anna@games.example", "Raid", f"Enemy {n}") for n in range(2_000)]
    book = season(*flood, (at(5), "chen@games.example", "Raid", "Iberia"), heads=heads)

    look(book, AFTER)

    assert [row[0] for row in orders(book)].count("Anna") == 100
    assert ("Chen", "Raid") in [row[:2] for row in orders(book)]
    assert "Of Anna 2,000, of which 100 count." in sealed(book)[0]


def test_trn_12_orders_beyond_the_room_are_left_to_the_next_pass() -> None:
    book = season(*(tax(who, 11, n, "x" * 900) for n, who in enumerate(("Anna", "Bola", "Chen", "Dmitri", "Eve"))))

    look(book, AFTER, most=1_500)

    assert [row[0] for row in orders(book)] == ["Anna", "Bola", "Chen", "Dmitri", "Eve", None]
    assert len(sealed(book)) > 1
    assert ["Closed for" in text for text in sealed(book)] == [False] * (len(sealed(book)) - 1) + [True]


def test_trn_10_a_game_without_player_names_takes_no_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RoundForm, "player_orders", None)

    told = says(look(season(), BEFORE))

    says_so = "the orders of rounds name no player, so players cannot send them. Clear the cell. [TRN-10]"
    assert any(says_so in text for text in told)


def test_trn_11_an_address_of_several_players_requires_a_name() -> None:
    heads = ("Timestamp", "Email Address", "Player", "Order", "Tax %")
    taxes = [(at(1), "ADA@x.example", "Bola", "Set tax", 7), (at(2), "ada@x.example", None, "Set tax", 8)]
    book = season(*taxes, heads=heads)
    place = grids({PLAYERS: []})[PLAYERS][0].index("Contact") + 1
    for row, address in ((2, "Ada; ada@x.example, 123456789012345678"), (3, "ada@x.example")):
        book.type_in(PLAYERS, row, place, address)

    plan = look(book, AFTER)

    assert orders(book)[0] == ("Bola", "Set tax", 7, "Done")
    assert len(orders(book)) == 2
    assert any(
        '"ada@x.example" is the address of more than one player. Name Anna or Bola in the row' in text
        for text in says(plan)
    )


def test_trn_11_each_stranger_is_reported_once_with_his_further_rows() -> None:
    """The first one to be told hid all others."""
    rows = [(at(minute), sender, "Set tax", minute) for minute, sender in enumerate(("eve@x.org", "ann@x.org") * 2, 1)]
    plan = look(season(*rows), AFTER)

    assert [text for text in says(plan) if "TRN-11" in text] == [
        f"'{FORM}'!B{row}: warning: \"{sender}\" is the address of no player; row {row + 2} likewise."
        " Type it beside its player, or delete the row. [TRN-11]"
        for row, sender in ((2, "eve@x.org"), (3, "ann@x.org"))
    ]
