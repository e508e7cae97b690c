"""Cells that people typed over after a ruling: the next ruling that reads them says so (RCP-30)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scripts.support.beacon_rounds import INPUTS, BeaconSeason, after_round, before_round
from scripts.support.smallest_war import war_rows
from sheets_algo.ruling.receipts.receipts import Receipts

APPLIES = INPUTS.replace('"tell"', '"apply"')


def ruled_once(inputs: str = APPLIES) -> BeaconSeason:
    """Return a season whose first war is ruled, and took men from both armies; two more rows are not ready."""
    rows = war_rows()
    first = rows["War Requests"][0]
    others = [{"Attacker": "Up", "Defender": "Down"}, {}]
    rows["War Requests"] += [
        first | {"Request": f"W-{number}", "War": f"Quarrel {number}", "Year": 1000 + number, "Ready": False} | other
        for number, other in enumerate(others, start=2)
    ]
    for tab, name in (("Nations", "Name"), ("Militaries", "Nation")):
        rows[tab] += [row | {name: side} for row, side in zip(rows[tab], ("Up", "Down"), strict=True)]
    season = BeaconSeason(rows, inputs=inputs)
    season.run(before_round(123))
    season.run(after_round(123))
    return season


def size(season: BeaconSeason) -> int:
    header, row = season.book.rows("Militaries")[:2]
    return int(row[header.index("Size")])  # type: ignore[call-overload]


def ruled(season: BeaconSeason, *rows: int) -> str:
    """Have rows promised and ruled, and return the receipt of the last one."""
    for row in rows:
        season.edit("War Requests", row, "Ready", True)
        season.run(before_round(1000))
        season.run(after_round(1000))
    ruling = season.receipts.ruling_of(f"W-{rows[-1] - 1}")
    assert ruling is not None
    assert season.verified(ruling.request).is_equal
    return ruling.wiki


def test_rcp_30_a_war_names_edits_that_restored_values_before_its_promise() -> None:
    season = ruled_once()
    left = size(season)
    assert left < 9_000
    season.edit("Militaries", 2, "Size", 9_000)
    says = f"* Changed by people after rulings: Size of Host of Left (Left): {left} → 9000."
    told = ruled(season, 4)
    assert says in told
    assert told.count("Changed by people") == 1


def test_rcp_30_an_unrelated_war_omits_the_edit_and_a_later_one_names_it() -> None:
    season = ruled_once()
    season.edit("Militaries", 2, "Size", 9_000)
    assert "=== Decided by people ===" not in ruled(season, 3)
    assert [receipt.kind for receipt in season.receipts.by_seq.values()][-2:] == ["Edits", "Ruling"]
    assert "Size of Host of Left (Left)" in ruled(season, 4)


def test_rcp_37_a_ruling_inherits_the_edits_of_an_earlier_ruling() -> None:
    season = ruled_once()
    season.edit("Militaries", 2, "Size", 9_000)
    ruled(season, 4)
    header, first = season.book.rows("War Requests")[:2]
    cells: dict[Any, Any] = dict(zip(header[: header.index("Status")], first, strict=False))
    cells |= {"Request": "W-4", "War": "Quarrel 4", "Year": 1004}
    for name, value in cells.items():
        season.edit("War Requests", 5, name, value)
    season.run(before_round(657413))
    season.run(after_round(657413))
    ruling = season.receipts.ruling_of("W-4")
    assert ruling is not None
    assert "* Fought with what these left: values that people typed over." in ruling.wiki


def test_rcp_30_a_ruling_with_an_edited_kind_is_no_edit_of_people() -> None:
    season = ruled_once()
    ruled(season, 4)
    rows = season.book.rows("Receipts")
    kind = rows[0].index("Kind")
    first = next(number for number, row in enumerate(rows, start=1) if row[kind] == "Ruling")
    season.edit("Receipts", first, "Kind", "Edits")
    assert season.receipts.ruling_of("W-1") is None
    assert "Edits" not in str(season.verified("W-3").differences)


@pytest.mark.parametrize("word", ["said", "left out"])
def test_rcp_30_a_receipt_that_omits_or_invents_an_edit_is_different(word: str) -> None:
    season = ruled_once()
    if word == "said":
        season.edit("Militaries", 2, "Size", 9_000)
    ruled(season, 4)
    known = season.receipts
    ruling = known.ruling_of("W-3")
    assert ruling is not None
    start = ruling.wiki.find("\n=== Decided by people ===")
    end = ruling.wiki.index("\n=== Luck ===")
    wiki = (
        ruling.wiki[:start] + ruling.wiki[end:]
        if word == "said"
        else f"{ruling.wiki[:end]}\n=== Decided by people ===\n* x"
    )
    forged = BeaconSeason.of(Receipts({**known.by_seq, ruling.seq: replace(ruling, wiki=wiki)}))
    assert not forged.verified("W-3").is_equal
