"""Every column of Receipts and Log, and those that all requests share, holds what its note says."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from typing import Any

from scripts.support.smallest_war import receipt_losses, war_rows
from scripts.support.workbooks import (
    NOW,
    SECRET,
    column,
    forms,
    library,
    messages,
    pass_context,
    read,
    run,
    undo,
    workbook,
)
from sheets_algo.database.problems import CELL_MOST
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.tabs import key, keys

LATER = "2026-03-02T00:00:00Z"


def ruled(*flanks: dict[str, Any], **cells: Any) -> MemoryWorkbook:
    book = workbook(war_rows(*flanks, **cells))
    run(book)
    return book


def receipt(book: MemoryWorkbook, header: str) -> Any:
    """A cell of the first ruling, below the season's row."""
    return column(book, "Receipts", header)[1]


def test_rcp_01_rcp_03_rcp_15_receipts_have_number_kind_and_time() -> None:
    book = ruled()
    snapshot = read(book)
    _, changes = undo(snapshot, forms(), "W-1", LATER)
    book.commit(snapshot, changes)

    assert column(book, "Receipts", "Seq") == [1, 2, 3]
    assert column(book, "Receipts", "Kind") == ["Season", "Ruling", "Undo"]
    assert column(book, "Receipts", "Time") == [NOW, NOW, LATER]


def test_rcp_02_a_receipt_longer_than_a_cell_continues_in_part_2() -> None:
    """Sixty flanks with long names: the inputs take several cells, and nothing of them is lost."""
    flanks = [{"Side": "Attacker", "Flank": f"{number} " + "x" * 400} for number in range(60)]
    book = ruled(*flanks)
    parts = column(book, "Receipts", "Part")[1:]
    pieces = [str(cell) for cell in column(book, "Receipts", "Inputs")[1:]]

    assert parts == list(range(1, len(parts) + 1))
    assert len(parts) > 1
    assert all(len(piece) <= CELL_MOST for piece in pieces)
    assert set(column(book, "Receipts", "Seq")[1:]) == {2}
    assert len(json.loads("".join(pieces))["attacker"]["flanks"]) == 60
    assert not plan_pass(read(book), pass_context(), LATER).writes.changes


def test_rcp_04_to_rcp_08_receipts_describe_the_ruling() -> None:
    """RCP-04, RCP-05, RCP-06, RCP-07, RCP-08."""
    book = workbook(war_rows())
    (made,) = run(book).rulings
    winner = {"Left": "Attacker", "Right": "Defender"}[made.outcome.receipt.headline.split()[0]]

    assert [receipt(book, header) for header in ("Request", "War", "Ruleset", "Winner")] == [
        "W-1",
        "Quarrel, 1000",
        "autoalgo",
        winner,
    ]
    luck = "\n=== Luck ===\n* Drawn with the season's secret, which is published in the end: verify rules it again."
    assert receipt(book, "Receipt") == made.outcome.receipt.wiki() + luck


def test_rcp_09_rcp_10_rcp_13_rcp_16_the_seed_comes_from_secret_and_inputs() -> None:
    """HMAC-SHA256 over request and inputs, the first 64 bits; whoever has the secret can reckon it again (R-25)."""
    book = ruled()
    inputs = receipt(book, "Inputs")
    mac = hmac.new(SECRET.key, f"w-1\n{inputs}".encode(), hashlib.sha256).digest()

    assert receipt(book, "Seed") == str(int.from_bytes(mac[:8], "big"))
    assert receipt(book, "Seed Source") == "season"
    assert receipt(book, "Inputs Fingerprint") == hashlib.sha256(inputs.encode()).hexdigest()
    assert json.loads(inputs)["attacker"]["military"]["size"] == 9_000
    assert column(book, "Receipts", "Inputs Fingerprint")[0] == hashlib.sha256(SECRET.key).hexdigest()


def test_rcp_11_receipts_have_the_fingerprint_of_the_tables() -> None:
    assert receipt(ruled(), "Rules Fingerprint") == library().fingerprint("autoalgo")


def test_rcp_12_receipts_list_every_changed_database_cell() -> None:
    rows = war_rows()
    rows["Nations"][0]["Stability"] = 120
    book = workbook(rows)
    run(book)
    after, left = column(book, "Nations", "Stability"), column(book, "Militaries", "Size")

    assert json.loads(receipt(book, "Changes")) == [
        {"tab": "Nations", "row": "Left", "field": "Stability", "before": 120, "after": after[0]},
        {"tab": "Nations", "row": "Right", "field": "Stability", "before": None, "after": after[1]},
        {"tab": "Militaries", "row": "Host of Left (Left)", "field": "Size", "before": 9_000, "after": left[0]},
        {"tab": "Militaries", "row": "Host of Right (Right)", "field": "Size", "before": 9_000, "after": left[1]},
    ]


def test_rcp_14_figures_equal_the_request_s_results() -> None:
    book = ruled()
    figures = json.loads(receipt(book, "Figures"))

    assert figures["message"] == column(book, "War Requests", "Message")[0]
    for header in ("Winner", "Occupation", "Attacker Losses", "Defender Losses", "Duration"):
        assert figures["values"][header] == column(book, "War Requests", header)[0]


def test_rcp_20_to_rcp_28_every_event_has_a_line_of_the_log() -> None:
    """RCP-20, RCP-21, RCP-22, RCP-23, RCP-24, RCP-25, RCP-26, RCP-27, RCP-28."""
    book = workbook(war_rows())
    (made,) = run(book).rulings
    headers = ("Seq", "Request", "Hour", "Side", "Flank", "Event", "Amount", "Rule", "Text")
    lines = list(zip(*(column(book, "Log", header) for header in headers), strict=True))

    assert lines == [
        (2, "W-1", event.hour, event.side or None, event.flank or None, event.kind, event.amount, event.id, event.text)
        for event in made.outcome.events
    ]
    attacks = [line for line in lines if line[5] == "attack"]
    assert {line[3] for line in attacks} == {"Attacker", "Defender"}
    assert {line[7] for line in attacks} == {"ATK-04"}


def test_rcp_26_amounts_of_the_log_add_up_to_the_receipt() -> None:
    """Invariant 24."""
    book = workbook(war_rows())
    (made,) = run(book).rulings
    told_killed = [receipt_losses(made.outcome.receipt, block).total() for block in (1, 2)]
    lines = zip(*(column(book, "Log", header) for header in ("Event", "Side", "Amount")), strict=True)
    killed = {"Attacker": 0.0, "Defender": 0.0}
    for event, side, amount in lines:
        if event == "attack":
            assert isinstance(amount, (int, float))
            killed[{"Attacker": "Defender", "Defender": "Attacker"}[str(side)]] += amount

    assert list(killed.values()) == told_killed


def test_req_02_a_forecast_rules_nothing() -> None:
    book = workbook(war_rows(Action="forecast"))
    made = run(book)

    assert made.rulings == ()
    assert column(book, "War Requests", "Status") == ["Waiting"]
    assert str(column(book, "War Requests", "Message")[0]).startswith("Its odds are being worked out; nothing is ruled")
    assert {cell.tab.name for cell in made.writes.changes.cells} <= {"War Requests"}
    assert made.writes.changes.rows == ()


def test_req_03_a_typed_seed_replays_the_battle_and_is_reported() -> None:
    """A number that a spreadsheet would round must be typed as text, and then is kept to the last digit."""
    book = ruled(Seed="18446744073709551615")

    assert (receipt(book, "Seed"), receipt(book, "Seed Source")) == ("18446744073709551615", "given")
    assert "'''Seed:''' 18446744073709551615, given" in receipt(book, "Receipt")
    assert receipt(ruled(Seed=7), "Receipt") == receipt(ruled(Seed="7"), "Receipt")
    assert receipt(ruled(Seed=8), "Receipt") != receipt(ruled(Seed=7), "Receipt")


def test_req_04_req_05_status_follows_ready() -> None:
    cases = [(True, "Done"), ("x", "Done"), (False, None), ("perhaps", "Invalid")]
    assert [
        (ready, status, column(ruled(Ready=ready), "War Requests", "Status"), [status])
        for ready, status in cases
        if column(ruled(Ready=ready), "War Requests", "Status") != [status]
    ] == []


def test_req_05_req_06_invalid_done_and_undone_give_their_reasons() -> None:
    book = workbook(war_rows(Motive="Greed"))
    assert [messages(run(book))[0][1]] == column(book, "War Requests", "Status") == ["Invalid"]
    assert '(W-1, Motive): "Greed" is not allowed. Use ' in str(column(book, "War Requests", "Message")[0])

    book.type_in("War Requests", 2, place(book, "Motive"), "Conquest")
    run(book)
    assert column(book, "War Requests", "Status") == ["Done"]
    first = str(column(book, "War Requests", "Message")[0]).splitlines()[0]
    assert re.fullmatch(rf"{column(book, 'War Requests', 'Winner')[0]} (takes|holds) .* \(\d+ hours\)", first)

    snapshot = read(book)
    _, changes = undo(snapshot, forms(), "W-1", LATER)
    book.commit(snapshot, changes)
    run(book)
    assert column(book, "War Requests", "Status") == ["Undone"]
    assert str(column(book, "War Requests", "Message")[0]).startswith("Its ruling is undone. ")
    assert column(book, "War Requests", "Winner") == [None]


def test_req_07_the_time_is_that_of_the_ruling_and_not_of_the_last_poll() -> None:
    book = ruled()
    run(book, LATER)

    assert column(book, "War Requests", "Ruled At") == [NOW]
    assert read_receipts(read(book)).ruling_of("W-1") is not None


def place(book: MemoryWorkbook, header: str) -> int:
    sheet = book.read(keys("War Requests")).sheet(key("War Requests"))
    assert sheet is not None
    return list(sheet.rows[1]).index(header) + 1
