"""Decisions of people that a ruling inherits from earlier ones, and decisions that came after a promise (RCP-37)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scripts.support.beacon_rounds import BeaconSeason, after_round, before_round
from scripts.support.smallest_war import war_form, war_rows
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.requests.provenance import heirs

DECISION = {
    "Request": "W-1",
    "Kind": "Result",
    "What": "Left Captured",
    "Value": 3_000,
    "Reason": "agreed",
    "By": "Ann",
}


def season(decisions: int = 1, **cells: Any) -> BeaconSeason:
    """Return a season of three wars of the same armies, the last between others; a decision is not typed yet."""
    rows = war_rows()
    first = rows["War Requests"][0]
    others: list[dict[str, Any]] = [{}, {}, {"Attacker": "Up", "Defender": "Down"}]
    rows["War Requests"] += [
        first | {"Request": f"W-{number}", "War": f"Quarrel {number}", "Year": 1000 + number} | other
        for number, other in enumerate(others, start=2)
    ]
    for tab, name in (("Nations", "Name"), ("Militaries", "Nation")):
        rows[tab] += [row | {name: side} for row, side in zip(rows[tab], ("Up", "Down"), strict=True)]
    rows["Overrides"] = [dict.fromkeys(DECISION, None) | cells] * decisions
    return BeaconSeason(rows)


def decide(wars: BeaconSeason, **cells: Any) -> None:
    for header, value in (DECISION | cells).items():
        wars.edit("Overrides", 2, header, value)


def ruling(wars: BeaconSeason, request: str) -> StoredReceipt:
    receipt = wars.receipts.ruling_of(request)
    assert receipt is not None
    return receipt


def test_rcp_37_each_affected_war_names_a_decision_after_the_round() -> None:
    wars = season()
    wars.run(before_round(123))
    decide(wars)  # when the round is out, and every war is promised
    wars.run(after_round(123))
    first = ruling(wars, "W-1")
    assert first.figures.people == ("decision",)
    assert "Decided after the promise: Left Captured = 3000." in first.wiki
    says = "* Fought with what these left: a decision about W-1 (made after this war was promised)."
    assert says in ruling(wars, "W-2").wiki
    assert says in ruling(wars, "W-3").wiki
    assert "=== Decided by people ===" not in ruling(wars, "W-4").wiki
    assert all(wars.verified(f"W-{number}", None).is_equal for number in range(1, 5))


def test_luck_14_a_promised_decision_is_inherited_without_blame() -> None:
    wars = season()
    decide(wars)
    wars.run(before_round(123))
    promise = wars.receipts.promises[0]
    assert "Decided by a moderator: Left Captured = 3000." in promise.wiki
    wars.run(after_round(123))
    assert "Decided after the promise" not in ruling(wars, "W-1").wiki
    assert "a decision about W-1." in ruling(wars, "W-2").wiki
    assert all(wars.verified(f"W-{number}", None).is_equal for number in range(1, 5))


def test_luck_14_a_decision_that_differs_from_the_promise_is_late() -> None:
    wars = season()
    decide(wars)
    wars.run(before_round(123))
    decide(wars, Value=8_000)
    wars.run(after_round(123))
    assert "Decided after the promise: Left Captured = 8000." in ruling(wars, "W-1").wiki
    assert "(made after this war was promised)" in ruling(wars, "W-2").wiki


def test_rcp_37_an_undone_decision_is_no_longer_inherited() -> None:
    wars = season()
    for row in (3, 4, 5):
        wars.edit("War Requests", row, "Ready", False)
    decide(wars)
    wars.run(before_round(123))
    wars.run(after_round(123))
    wars.undo("W-1", after_round(123) + 60)
    wars.edit("War Requests", 3, "Ready", True)
    wars.run(before_round(1000))
    wars.run(after_round(1000))
    assert "=== Decided by people ===" not in ruling(wars, "W-2").wiki


def test_rcp_37_a_receipt_that_omits_a_decision_is_different() -> None:
    wars = season()
    wars.run(before_round(123))
    decide(wars)
    wars.run(after_round(123))
    known, second = wars.receipts, ruling(wars, "W-2")
    denied = replace(second, figures=replace(second.figures, origins=()))
    forged = BeaconSeason.of(Receipts({**known.by_seq, second.seq: denied}))
    assert "inherited decisions" in "; ".join(forged.verified("W-2", None).differences)


def test_rcp_37_rulings_inherit_from_one_that_does_not_come_out_again() -> None:
    """W-2 reads what W-1 left, W-3 what both did; W-4 is between others."""
    wars = season()
    wars.run(before_round(123))
    wars.run(after_round(123))
    known, first, forms = wars.receipts, ruling(wars, "W-1"), {"autoalgo": war_form()}
    forged = Receipts({**known.by_seq, first.seq: replace(first, seed="1")})
    assert BeaconSeason.of(forged).verified("W-1", None).is_different
    second, third = ruling(wars, "W-2").seq, ruling(wars, "W-3").seq
    assert heirs(forged, forms, {first.seq}) == {second: (first.seq,), third: (second,)}
    assert heirs(forged, forms, set()) == {}
