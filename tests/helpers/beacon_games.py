"""Orders of any game in a season with luck from a beacon (LUCK-09, LUCK-12)."""

from __future__ import annotations

import pytest

from scripts.support.beacon_rounds import BeaconSeason, after_round, before_round, luck_line
from scripts.support.workbooks import example
from sheets_algo.steps.promises.step import PromisesStep


def orders_keep_their_promises(name: str, rulings: int, remarks: int, *typed: tuple[str, int, str, object]) -> None:
    """Check that each order of an example verifies without the secret, whatever others changed meanwhile.

    What follows from the database, a list of units that are near, is not told by receipts; all else is checked.

    Args:
        rulings: How many orders are ruled.
        remarks: How many of them read what receipts do not tell.
        typed: Tab, row, header and value of cells that differ from the example.
    """
    orders = BeaconSeason(example(name))
    for cell in typed:
        orders.edit(*cell)
    orders.run(before_round(123))
    assert len(orders.run(after_round(123)).rulings) == rulings
    verdicts = [orders.verified(ruling.request, None) for ruling in orders.receipts.rulings]
    assert all(verdict.is_equal for verdict in verdicts)
    assert {remark.partition(": ")[0] for verdict in verdicts for remark in verdict.remarks} <= {
        "earlier rulings changed what it reads, and receipts alone do not show how"
    }
    assert sum(bool(verdict.remarks) for verdict in verdicts) == remarks


def a_receipt_says_what_people_typed(
    name: str, typed: tuple[str, int, str, object] | None, request: str, drawn: str, rest: str
) -> None:
    """Check what the receipt of a request says of its luck, with a cell of the example typed beforehand.

    Args:
        typed: Tab, row, header and value; None for the example as it is.
        drawn: How the line begins.
        rest: The luck that people typed beside the luck that was drawn.
    """
    orders = BeaconSeason(example(name))
    if typed:
        orders.edit(*typed)
    orders.run(before_round(123))
    orders.run(after_round(123))
    line = luck_line(orders.receipts.ruling_of(request))
    assert line.startswith(drawn)
    assert " promised in receipt " in line
    assert (" People typed, so that no round decided it: " in line) == bool(rest)
    assert rest in line
    assert orders.verified(request).is_equal


def an_edit_behind_a_ruling_is_told(
    monkeypatch: pytest.MonkeyPatch, name: str, cell: tuple[str, int, str, object], request: str, says: str
) -> None:
    """Check what anybody sees of a cell that a person changes after the round, though rulings come between.

    The program of this person asks nothing about the promise.

    Args:
        cell: Tab, row, header and value.
        says: The end of the only difference of the request.
    """
    orders = BeaconSeason(example(name))
    orders.run(before_round(123))
    orders.edit(*cell)
    monkeypatch.setattr(PromisesStep, "_changes", lambda *_: ())
    orders.run(after_round(123))
    differences = orders.verified(request, None).differences
    assert [text.partition("promised a round for other inputs: ")[2] for text in differences] == [says]
