"""The same war is not ruled under a second id (REQ-08), and requests whose row is gone are named (REQ-09)."""

from __future__ import annotations

from scripts.support.workbooks import (
    NOW,
    column,
    example,
    forms,
    read,
    run,
    undo,
    workbook,
)
from tests.helpers.tabs import key


def test_req_13_an_undone_leader_is_not_drawn_again_by_another_row():
    """The second row threw the dice anew as soon as the first one was undone."""
    rows = example("1066")
    rows["War Requests"] = rows["Flanks"] = []
    leader = {"Leader": "Leofric", "Nation": "England", "Year": 1066, "Age": 40, "Strongest Trait": "Zeal"}
    rows["Leader Requests"] = [leader | {"Request": id, "Ready": True} for id in ("L-1", "L-2")]
    book = workbook(rows)
    run(book)
    snapshot = read(book)
    book.commit(snapshot, undo(snapshot, forms(), "L-1", NOW)[1])

    made = run(book)

    assert not made.rulings
    assert '(L-2, Leader): "Leofric" was drawn by receipt 2 for L-1, which is undone. Choose Action' in str(
        column(book, "Leader Requests", "Message")[1]
    )
    action = list(read(book).sheet(key("Leader Requests")).rows[1]).index("Action") + 1
    book.type_in("Leader Requests", 3, action, "Rule again")
    assert [ruling.receipt.request for ruling in run(book).rulings] == ["L-2"]
