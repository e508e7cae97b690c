"""The example game in one pass: each order sees what those before it changed; receipts hold, and can be undone."""

from __future__ import annotations

from typing import Any

from engine.columns import columns, tab_of
from scripts.support.workbooks import (
    NOW,
    OPTIONS,
    SECRET,
    Rows,
    column,
    example,
    forms,
    messages,
    pass_context,
    read,
    ruled_example,
    run,
    undo,
    workbook,
)
from sheets_algo.database.changes import shows
from sheets_algo.forms.rulesets import load_all
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.receipts.receipt_tab import read_receipts

PLAYERS = "CiAIS Players"


def of_players(book: Any, header: str) -> dict[Any, Any]:
    return dict(zip(column(book, PLAYERS, "Player"), column(book, PLAYERS, header), strict=True))


def test_the_example_game_is_ruled_in_one_pass() -> None:
    book, made = ruled_example("ciais")

    assert [status for _, status, _ in messages(made)] == ["Done", "Done", "Waiting", *["Done"] * 5, "Waiting"]
    assert of_players(book, "Round") == {"Anna": 4, "Bola": 4, "Chen": 4, "Dmitri": 4, "Eve": 4, "Farid": 3}
    assert of_players(book, "Bank ¤") == {
        "Anna": 1025,  # 1200 − 350 + 175 at 17.5 %
        "Bola": 0,
        "Chen": 2350,
        "Dmitri": 250,
        "Eve": 110,
        "Farid": 600,
    }
    assert of_players(book, "Loss condition")["Dmitri"] == "CI-LOSE-2"
    assert of_players(book, "Loss condition")["Farid"] == "CI-LOSE-2b"


def test_later_orders_of_a_pass_see_what_earlier_ones_changed() -> None:
    """Anna takes Bola's last city, which ends his part; then his End round lapses, and a second tax (REQ-18)."""
    rows = example("ciais")
    rows["CiAIS Sites"] = [row for row in rows["CiAIS Sites"] if row["Site"] not in ("Camp Niger", "São Paulo")]
    orders: list[dict[str, Any]] = [
        {"Player": "Anna", "Order": "City captured", "City": "Lagos"},
        {"Player": "Bola", "Order": "End round"},
        {"Player": "Anna", "Order": "Set tax", "Tax %": 15},
        {"Player": "Anna", "Order": "Set tax", "Tax %": 16},
        {"Player": "Anna", "Order": "End round"},
        {"Player": "Anna", "Order": "Set tax", "Tax %": 16},
    ]
    rows["CiAIS Requests"] = [{"Request": f"C-{number}", "Ready": True} | order for number, order in enumerate(orders)]
    found = messages(run(workbook(rows)))

    assert [status for _, status, _ in found] == ["Done", "Lapsed", "Done", "Lapsed", "Done", "Done"]
    assert (
        found[0][2] == "Anna: unrest 1 → 0; Bola: lost, captured: no city and no base left [CI-LOSE-1]; Lagos is Anna's"
    )
    assert "Bola has lost" in found[1][2]


def test_ci_rnd_a_round_ends_only_once() -> None:
    """Invariant 13, and rounds that are numbered follow one another."""
    rows = example("ciais")
    orders: list[dict[str, Any]] = [
        {"Order": "End round", "Round": 3},
        {"Order": "End round", "Round": 3},
        {"Order": "End round", "Player": "Anna", "Round": 3},
        {"Order": "End round", "Round": 4},
    ]
    rows["CiAIS Requests"] = [{"Request": f"C-{number}", "Ready": True} | order for number, order in enumerate(orders)]
    book = workbook(rows)
    found = messages(run(book))

    assert [status for _, status, _ in found] == ["Done", "Lapsed", "Lapsed", "Done"]
    assert of_players(book, "Round")["Anna"] == 5


def one_battle() -> Rows:
    rows = example("ciais")
    rows["CiAIS Requests"] = [row for row in rows["CiAIS Requests"] if row["Order"] == "Battle"][:1]
    return rows


def test_cells_corrected_by_a_moderator_are_read_again() -> None:
    rows = one_battle()
    del rows["CiAIS Unit Types"][0]["multi-a"]
    book = workbook(rows)
    assert messages(run(book))[0][1] == "Invalid"

    rows["CiAIS Unit Types"][0]["multi-a"] = 0
    assert messages(run(workbook(rows)))[0][1] == "Done"


def test_ci_rnd_a_round_of_all_runs_in_sheet_order() -> None:
    rows = example("ciais")
    rows["CiAIS Players"].reverse()
    rows["CiAIS Requests"] = [{"Request": "C-1", "Order": "End round", "Ready": True}]
    [ruling] = run(workbook(rows)).rulings

    assert [block.heading for block in ruling.outcome.receipt.blocks] == ["Eve", "Dmitri", "Chen", "Bola", "Anna"]


def test_rulings_verify_and_undo_completely() -> None:
    rows = example("ciais")
    book = workbook(rows)
    run(book)
    form = next(form for form in forms() if form.key == "ciais")
    rulings = list(read_receipts(read(book)).rulings)
    assert [
        verify(row, form, pass_context().fingerprints["ciais"], SECRET, OPTIONS).differences for row in rulings
    ] == [()] * 7

    for receipt in reversed(rulings):
        snapshot = read(book)
        book.commit(snapshot, undo(snapshot, forms(), receipt.request, NOW)[1])
    records = {tab_of(record).name: record for kind in load_all() if kind.key == "ciais" for record in kind.database}
    for tab, record in records.items():
        for _, declared in columns(record):
            found = column(book, tab, declared.header)
            typed = [row.get(declared.header) for row in rows[tab]]
            assert all(shows(*pair) for pair in zip(found, typed, strict=True)), (tab, declared.header)
